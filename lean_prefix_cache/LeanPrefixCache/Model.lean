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

/-- `i - (i - drop) % step`, and 0 where that is negative. Python's remainder of `-1` is
`step - 1`, hence `+ step`. -/
def alignDown (q : Query) (i : Nat) : Nat :=
  i - (i + q.step - q.drop) % q.step

theorem alignDown_le (q : Query) (i : Nat) : q.alignDown i ≤ i :=
  Nat.sub_le ..

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

/-! ## The patch -/

/-- The loop. `[s, e)` is the candidate window, of which `[s, i)` and `[stop, e)` are known to be
cached. -/
def strideLoop (q : Query) (s stop e i : Nat) : Scan :=
  if i < stop then
    if q.cached i then
      (strideLoop q s stop e (i + 1)).after i
    else
      let e' := q.alignDown i
      let stop' := if s < e' then s else e'
      let s' := e' - q.window
      (strideLoop q s' stop' e' s').after i
  else
    { s := s, e := e, full := !decide (e < q.window), probes := [] }
termination_by (stop, stop - i)
decreasing_by
  · omega
  · have := q.alignDown_le i
    split <;> omega

/-- The search of the patch. -/
def strideScan (q : Query) : Scan :=
  let e := q.alignDown q.blocks
  let s := e - q.window
  strideLoop q s e e s

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
