/*
 * The runtime that the C which Lean makes of LeanPrefixCache/Model.lean needs, and no more.
 *
 * For a machine without a native Lean: whatever else the C names fails to compile or to link.
 * Naturals stay below 2^63; one that would not aborts. One thread only.
 */
#ifndef PREFIX_CACHE_LEAN_H
#define PREFIX_CACHE_LEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(size_t) == 8, "naturals are boxed in 64 bits");

#define LEAN_EXPORT __attribute__((visibility("default")))

/* An object on the heap. A pointer whose lowest bit is set is no pointer but a boxed number. */
typedef struct lean_object {
  size_t references;
  size_t pointers; /* of `slots`, how many are objects: fields, or elements of an array */
  unsigned tag;    /* the constructor's index */
  struct lean_object *slots[]; /* then a constructor's small fields, byte by byte */
} lean_object;

static inline void *prefix_cache_allocate(void *old, size_t bytes) {
  void *memory = realloc(old, bytes);
  if (memory == NULL) {
    fputs("libprefix_cache_lean: out of memory\n", stderr);
    abort();
  }
  return memory;
}

/* Boxing */

static inline bool lean_is_scalar(lean_object *o) { return ((size_t)o & 1) == 1; }

static inline size_t lean_unbox(lean_object *o) { return (size_t)o >> 1; }

static inline lean_object *lean_box(size_t n) {
  if (n >> 63) {
    fputs("libprefix_cache_lean: a natural of 2^63 or more\n", stderr);
    abort();
  }
  return (lean_object *)((n << 1) | 1);
}

/* Reference counts */

static inline void lean_inc_ref(lean_object *o) { o->references++; }

static inline void lean_inc(lean_object *o) {
  if (!lean_is_scalar(o)) lean_inc_ref(o);
}

static inline bool lean_is_exclusive(lean_object *o) { return o->references == 1; }

static inline void lean_dec(lean_object *o);

static inline void lean_dec_ref(lean_object *o) {
  if (--o->references > 0) return;
  for (size_t i = 0; i < o->pointers; i++) lean_dec(o->slots[i]);
  free(o);
}

static inline void lean_dec(lean_object *o) {
  if (!lean_is_scalar(o)) lean_dec_ref(o);
}

/* Constructors */

static inline lean_object *lean_alloc_ctor(unsigned tag, unsigned pointers, unsigned bytes) {
  size_t size = sizeof(lean_object) + pointers * sizeof(void *) + bytes;
  lean_object *o = prefix_cache_allocate(NULL, size);
  o->references = 1;
  o->pointers = pointers;
  o->tag = tag;
  return o;
}

static inline lean_object *lean_ctor_get(lean_object *o, unsigned i) { return o->slots[i]; }

static inline void lean_ctor_set(lean_object *o, unsigned i, lean_object *v) { o->slots[i] = v; }

static inline void lean_ctor_release(lean_object *o, unsigned i) {
  lean_dec(o->slots[i]);
  o->slots[i] = lean_box(0);
}

static inline unsigned lean_obj_tag(lean_object *o) {
  return lean_is_scalar(o) ? (unsigned)lean_unbox(o) : o->tag;
}

static inline uint8_t lean_ctor_get_uint8(lean_object *o, unsigned offset) {
  return ((const uint8_t *)o->slots)[offset];
}

static inline void lean_ctor_set_uint8(lean_object *o, unsigned offset, uint8_t v) {
  ((uint8_t *)o->slots)[offset] = v;
}

/* Naturals */

static inline lean_object *lean_unsigned_to_nat(unsigned n) { return lean_box(n); }

static inline lean_object *lean_usize_to_nat(size_t n) { return lean_box(n); }

static inline lean_object *lean_nat_add(lean_object *a, lean_object *b) {
  return lean_box(lean_unbox(a) + lean_unbox(b)); /* two below 2^63 stay below 2^64 */
}

static inline lean_object *lean_nat_sub(lean_object *a, lean_object *b) {
  size_t m = lean_unbox(a), n = lean_unbox(b);
  return lean_box(m < n ? 0 : m - n);
}

static inline lean_object *lean_nat_mul(lean_object *a, lean_object *b) {
  size_t product;
  if (__builtin_mul_overflow(lean_unbox(a), lean_unbox(b), &product)) product = SIZE_MAX;
  return lean_box(product);
}

static inline lean_object *lean_nat_div(lean_object *a, lean_object *b) {
  size_t n = lean_unbox(b);
  return lean_box(n == 0 ? 0 : lean_unbox(a) / n);
}

static inline lean_object *lean_nat_mod(lean_object *a, lean_object *b) {
  size_t m = lean_unbox(a), n = lean_unbox(b);
  return lean_box(n == 0 ? m : m % n);
}

static inline lean_object *lean_nat_gcd(lean_object *a, lean_object *b) {
  size_t m = lean_unbox(a), n = lean_unbox(b);
  while (n != 0) {
    size_t rest = m % n;
    m = n;
    n = rest;
  }
  return lean_box(m);
}

static inline uint8_t lean_nat_dec_eq(lean_object *a, lean_object *b) { return a == b; }

static inline uint8_t lean_nat_dec_lt(lean_object *a, lean_object *b) {
  return lean_unbox(a) < lean_unbox(b);
}

static inline uint8_t lean_nat_dec_le(lean_object *a, lean_object *b) {
  return lean_unbox(a) <= lean_unbox(b);
}

/* Arrays: `tag` holds the capacity. */

static inline lean_object *lean_mk_empty_array(void) { return lean_alloc_ctor(0, 0, 0); }

static inline lean_object *lean_array_push(lean_object *a, lean_object *v) {
  if (!lean_is_exclusive(a)) {
    fputs("libprefix_cache_lean: a shared array is never pushed to\n", stderr);
    abort();
  }
  if (a->pointers == a->tag) {
    a->tag = a->tag ? a->tag * 2 : 16;
    a = prefix_cache_allocate(a, sizeof(lean_object) + a->tag * sizeof(void *));
  }
  a->slots[a->pointers++] = v;
  return a;
}

static inline lean_object *lean_array_get_size(lean_object *a) {
  return lean_box(a->pointers);
}

static inline lean_object *lean_array_fget_borrowed(lean_object *a, lean_object *i) {
  return a->slots[lean_unbox(i)];
}

/* Start-up: there is nothing to start. */

static inline void lean_initialize_runtime_module(void) {}

static inline lean_object *lean_io_result_mk_ok(lean_object *v) { return v; }

static inline bool lean_io_result_is_error(lean_object *result) {
  (void)result;
  return false;
}

static inline lean_object *initialize_Init(uint8_t builtin) {
  (void)builtin;
  return lean_alloc_ctor(0, 0, 0);
}

#endif
