/* Lets ctypes call the model: `prefix_cache_run` of LeanPrefixCache/Model.lean, plain C in and out.
 *
 * Compiles against Lean's own lean.h and against the small one beside this file.
 */
#include <lean/lean.h>

#ifndef PREFIX_CACHE_LEAN_H
extern void lean_initialize_runtime_module(void);
#endif

/* Lean names it the first way; lake puts the package's name into it. */
extern lean_object *initialize_LeanPrefixCache_Model(uint8_t builtin) __attribute__((weak));
extern lean_object *initialize_lean__prefix__cache_LeanPrefixCache_Model(uint8_t builtin)
    __attribute__((weak));

extern lean_object *prefix_cache_run(uint8_t linear, lean_object *cache, lean_object *blocks,
                                     lean_object *needed, lean_object *block_size,
                                     lean_object *alignment, uint8_t eagle);

static void start(void) {
  static bool started = false;
  if (started) return;
  started = true;
  lean_initialize_runtime_module();
  if (initialize_LeanPrefixCache_Model) {
    lean_dec(initialize_LeanPrefixCache_Model(1));
  } else if (initialize_lean__prefix__cache_LeanPrefixCache_Model) {
    lean_dec(initialize_lean__prefix__cache_LeanPrefixCache_Model(1));
  }
}

/* Writes start, end, length and the probes to `out`, at most `room` of them; returns how many
 * there are. */
LEAN_EXPORT size_t prefix_cache_call(uint8_t linear, const uint8_t *cache, size_t size,
                                     size_t blocks, size_t needed, size_t block_size,
                                     size_t alignment, uint8_t eagle, size_t *out, size_t room) {
  start();
  lean_object *bits = lean_mk_empty_array();
  for (size_t i = 0; i < size; i++) bits = lean_array_push(bits, lean_box(cache[i] != 0));
  lean_object *numbers =
      prefix_cache_run(linear, bits, lean_usize_to_nat(blocks), lean_usize_to_nat(needed),
                       lean_usize_to_nat(block_size), lean_usize_to_nat(alignment), eagle);
  size_t count = 0;
  for (lean_object *rest = numbers; !lean_is_scalar(rest); rest = lean_ctor_get(rest, 1)) {
    if (count < room) out[count] = lean_unbox(lean_ctor_get(rest, 0));
    count++;
  }
  lean_dec(numbers);
  return count;
}
