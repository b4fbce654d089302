module

/-!
# The two searches

`SlidingWindowManager.find_longest_cache_hit` before and after the patch, each as a function that
also returns the blocks it looked up, in order. `docs/proof.md` sets each line beside the Python.

Plain recursion only: the same text is proved about, run by Lean and compiled to C.
-/

@[expose] public section

namespace PrefixCache

/-- What one call is given. -/
structure Query where
  /-- `cache[i]` tells whether `get_cached_block` finds block `i`, that is, in every group. -/
  cache : Array Bool
  /-- `max_num_blocks` -/
  blocks : Nat
  /-- `sliding_window_contiguous_blocks`; 0 when the window is a single token -/
  needed : Nat
  /-- `kv_cache_spec.block_size` -/
  blockSize : Nat
  /-- `alignment_tokens` -/
  alignment : Nat
  /-- `drop_eagle_block` -/
  eagle : Bool

/-- What a search has found: the blocks `[s, e)`, none of them when `s = e`. -/
structure Scan where
  s : Nat
  e : Nat
  /-- As many blocks as a hit needs, not just the first few of the prompt. -/
  full : Bool
  /-- The blocks looked up, in order. -/
  probes : List Nat

/-- What a call returns: `length` blocks, those left of `s` null. -/
structure Hit where
  s : Nat
  e : Nat
  length : Nat

namespace Query

/-- `block_pool.get_cached_block(block_hashes[i], kv_cache_group_ids)` is not None. -/
def cached (q : Query) (i : Nat) : Bool :=
  q.cache.getD i false

/-- `window_blocks` -/
def window (q : Query) : Nat :=
  max q.needed 1

/-- `drop`: the blocks that EAGLE takes off the end of a hit -/
def drop (q : Query) : Nat :=
  if q.eagle then 1 else 0

/-- `step`: two aligned ends are a multiple of this apart. -/
def step (q : Query) : Nat :=
  q.alignment / Nat.gcd q.blockSize q.alignment

/-- `stride`, the window rounded up to a multiple of `step`: as much as a miss at the first block of
a window takes off the end. -/
def stride (q : Query) : Nat :=
  q.window + (q.step - q.window % q.step) % q.step

/-- `i - (i - drop) % step`, and 0 where that is negative. Python's remainder of `-1` is
`step - 1`, hence `+ step`. -/
def alignDown (q : Query) (i : Nat) : Nat :=
  i - (i + q.step - q.drop) % q.step

theorem alignDown_le (q : Query) (i : Nat) : q.alignDown i ≤ i :=
  Nat.sub_le ..

theorem window_le_stride (q : Query) : 0 < q.window ∧ q.window ≤ q.stride :=
  ⟨Nat.le_max_right .., Nat.le_add_right ..⟩

/-- Pop until `len(computed_blocks[0]) * block_size` is a multiple of `alignment_tokens`. -/
def popToAligned (q : Query) : Nat → Nat
  | 0 => 0
  | length + 1 =>
    if q.blockSize ≠ q.alignment ∧ (length + 1) * q.blockSize % q.alignment ≠ 0 then
      q.popToAligned length
    else
      length + 1

/-- What follows the search, the same before and after the patch. -/
def finish (q : Query) (found : Scan) : Hit :=
  let length := if found.full then found.e else q.popToAligned found.e
  if q.eagle ∧ length ≠ 0 then
    { s := found.s, e := found.e, length := q.popToAligned (length - 1) }
  else
    { s := found.s, e := found.e, length := length }

end Query

/-- Record that block `i` was looked up before all others. -/
def Scan.after (found : Scan) (i : Nat) : Scan :=
  { found with probes := i :: found.probes }

/-- Record that `blocks` were looked up before all others. -/
def Scan.afterAll (found : Scan) : List Nat → Scan
  | [] => found
  | i :: blocks => (found.afterAll blocks).after i

/-! ## The patch -/

/-- `range(i, i + count)` -/
def rangeUp (i : Nat) : (count : Nat) → List Nat
  | 0 => []
  | count + 1 => i :: rangeUp (i + 1) count

/-- `range(i + count - 1, i - 1, -1)` -/
def rangeDown (i : Nat) : (count : Nat) → List Nat
  | 0 => []
  | count + 1 => (i + count) :: rangeDown i count

/-- `rest`: the blocks of the window that are looked up after its first, in order. -/
def Query.rest (q : Query) (s known e : Nat) : List Nat :=
  if q.step < q.window then
    rangeUp (s + 1) ((if known < e then known else e) - (s + 1))
  else
    rangeDown (s + 1) (e - (s + 1))

/-- What looking up blocks one by one gives. -/
structure Lookup where
  /-- The loop was left early, at a block that is not cached. -/
  missed : Bool
  /-- That block. -/
  i : Nat
  /-- The blocks looked up, in order. -/
  probes : List Nat

/-- `for i in rest` -/
def Query.lookup (q : Query) : (rest : List Nat) → Lookup
  | [] => { missed := false, i := 0, probes := [] }
  | i :: rest =>
    if q.cached i then
      let later := q.lookup rest
      { later with probes := i :: later.probes }
    else
      { missed := true, i := i, probes := [i] }

theorem Query.lookup_cons {q : Query} {i : Nat} {rest : List Nat} :
    q.lookup (i :: rest) = if q.cached i then
      { q.lookup rest with probes := i :: (q.lookup rest).probes }
      else { missed := true, i := i, probes := [i] } :=
  rfl

theorem Query.lookup_missed {q : Query} {rest : List Nat} (missed : (q.lookup rest).missed = true) :
    (q.lookup rest).i ∈ rest ∧ ¬ q.cached (q.lookup rest).i = true := by
  induction rest with
  | nil => contradiction
  | cons i rest ih =>
    rw [lookup_cons] at missed ⊢
    by_cases hit : q.cached i = true
    · rw [if_pos hit] at missed ⊢
      exact ⟨List.mem_cons_of_mem i (ih missed).1, (ih missed).2⟩
    · rw [if_neg hit]
      exact ⟨List.mem_cons_self, hit⟩

theorem mem_rangeUp {i count k : Nat} : k ∈ rangeUp i count ↔ i ≤ k ∧ k < i + count := by
  induction count generalizing i with
  | zero => exact iff_of_false List.not_mem_nil (by omega)
  | succ count ih => refine List.mem_cons.trans ?_; rw [ih]; omega

theorem mem_rangeDown {i count k : Nat} : k ∈ rangeDown i count ↔ i ≤ k ∧ k < i + count := by
  induction count with
  | zero => exact iff_of_false List.not_mem_nil (by omega)
  | succ count ih => refine List.mem_cons.trans ?_; rw [ih]; omega

theorem Query.mem_rest {q : Query} {s known e k : Nat} :
    k ∈ q.rest s known e ↔ s < k ∧ k < e ∧ (q.step < q.window → k < known) := by
  unfold Query.rest
  split
  · rw [mem_rangeUp]
    split <;> omega
  · rw [mem_rangeDown]
    omega

/-- What is found when the search ends with `end = e`. -/
def Query.found (q : Query) (e : Nat) : Scan :=
  { s := e - q.window, e := e, full := !decide (e < q.window), probes := [] }

/-- The loop, over windows `[s, e)`. `[known, e)` is known to be cached. -/
def strideLoop (q : Query) (known e : Nat) : Scan :=
  if 0 < e then
    let s := e - q.window
    if q.cached s then
      let rest := q.lookup (q.rest s known e)
      if _ : rest.missed then
        let e' := q.alignDown rest.i
        (if s = 0 then q.found e' else strideLoop q s e').afterAll (s :: rest.probes)
      else
        (q.found e).afterAll (s :: rest.probes)
    else
      (strideLoop q known (e - q.stride)).after s
  else
    q.found e
termination_by e
decreasing_by
  · exact Nat.lt_of_le_of_lt (q.alignDown_le _)
      (Query.mem_rest.1 (Query.lookup_missed ‹_›).1).2.1
  · have := q.window_le_stride
    omega

/-- The search of the patch. -/
def strideScan (q : Query) : Scan :=
  let e := q.alignDown q.blocks
  strideLoop q e e

/-- The window that the patch finds. -/
def strideSearch (q : Query) : Option (Nat × Nat) :=
  let found := strideScan q
  if found.s < found.e then some (found.s, found.e) else none

/-- The blocks that the patch looks up. -/
def strideProbes (q : Query) : List Nat :=
  (strideScan q).probes

/-- What the patch returns. -/
def strideHit (q : Query) : Hit :=
  q.finish (strideScan q)

/-! ## Upstream -/

/-- A run of cached blocks may not begin at block `i`: it would end unaligned. -/
def Query.skips (q : Query) (i : Nat) : Bool :=
  q.blockSize ≠ q.alignment ∧
    (if q.eagle then i else i + 1) * q.blockSize % q.alignment ≠ 0

/-- The loop, over `i - 1, …, 0`, with `count` for `num_contiguous_blocks`. -/
def linearLoop (q : Query) : (i count : Nat) → Scan
  | 0, count => { s := 0, e := count, full := false, probes := [] }
  | i + 1, count =>
    if q.cached i then
      if count = 0 ∧ q.skips i then
        (linearLoop q i count).after i
      else if count + 1 ≥ q.needed then
        { s := i, e := i + (count + 1), full := true, probes := [i] }
      else
        (linearLoop q i (count + 1)).after i
    else
      (linearLoop q i 0).after i

/-- The search of upstream. -/
def linearScan (q : Query) : Scan :=
  linearLoop q q.blocks 0

/-- The blocks that upstream looks up. -/
def linearProbes (q : Query) : List Nat :=
  (linearScan q).probes

/-- What upstream returns. -/
def linearHit (q : Query) : Hit :=
  q.finish (linearScan q)

/-! ## For the bridge -/

/-- Either search in one list: start, end, length, then the probes. -/
@[export prefix_cache_run]
def run (linear : Bool) (cache : Array Bool) (blocks needed blockSize alignment : Nat)
    (eagle : Bool) : List Nat :=
  let q : Query := { cache, blocks, needed, blockSize, alignment, eagle }
  let found := if linear then linearScan q else strideScan q
  let hit := q.finish found
  hit.s :: hit.e :: hit.length :: found.probes

end PrefixCache
