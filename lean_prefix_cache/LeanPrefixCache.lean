module

public import LeanPrefixCache.Empty

/-!
# The theorems

For every query: any cache, any number of blocks and any window, with or without EAGLE. Alignment
is a number of tokens and so at least 1; nothing else is assumed where nothing else is said.
-/

public section

namespace PrefixCache

theorem strideScan_of_search {q : Query} {s e : Nat} (found : strideSearch q = some (s, e)) :
    (strideScan q).s = s ∧ (strideScan q).e = e ∧ s < e := by
  unfold strideSearch at found
  dsimp only at found
  split at found
  · simp only [Option.some.injEq, Prod.mk.injEq] at found
    exact ⟨found.1, found.2, by omega⟩
  · contradiction

theorem strideScan_of_none {q : Query} (ha : 0 < q.alignment)
    (nothing : strideSearch q = none) :
    (strideScan q).e = 0 := by
  have start := (strideScan_answer ha).start
  have pos := q.window_pos
  unfold strideSearch at nothing
  dsimp only at nothing
  split at nothing
  · contradiction
  · omega

/-- **What is found is there.** The window ends aligned and all its blocks are cached; it holds as
many as a hit needs, unless it is cut at block 0. -/
theorem strideSearch_sound (q : Query) (s e : Nat) (ha : 0 < q.alignment)
    (found : strideSearch q = some (s, e)) :
    IsHit q e ∧ s = e - q.window ∧ (q.window ≤ e → ValidWindow q.cache q.window s e) := by
  obtain ⟨rfl, rfl, lt⟩ := strideScan_of_search found
  have answer := strideScan_answer ha
  have hit := answer.hit (by omega)
  have cached : ∀ i, (strideScan q).s ≤ i → i < (strideScan q).e →
      ∃ h : i < q.cache.size, q.cache[i] = true := fun i ge lt =>
    getElem_of_cached (hit.cached i (by rw [← answer.start]; exact ge) lt)
  refine ⟨hit, answer.start, fun le => ⟨?_, ?_, cached⟩⟩
  · have := answer.start
    omega
  · obtain ⟨h, _⟩ := cached ((strideScan q).e - 1) (by omega) (by omega)
    omega

/-- **No index is out of bounds**, neither of a block looked up nor of one returned. -/
theorem strideSearch_boundary_safety (q : Query) (ha : 0 < q.alignment) :
    (∀ p ∈ strideProbes q, p < q.blocks) ∧
      ∀ s e, strideSearch q = some (s, e) →
        e ≤ q.blocks ∧ e ≤ q.cache.size ∧ ∀ i, s ≤ i → i < e → i < q.cache.size := by
  constructor
  · intro p mem
    have := (mem_strideLoop (Fresh.first q) mem).1
    have := q.alignDown_le q.blocks
    omega
  · intro s e found
    obtain ⟨hit, start, _⟩ := strideSearch_sound q s e ha found
    have inside : ∀ i, s ≤ i → i < e → i < q.cache.size := fun i ge lt =>
      (getElem_of_cached (hit.cached i (by omega) lt)).1
    have pos := hit.pos
    have window := q.window_pos
    have := inside (e - 1) (by omega) (by omega)
    exact ⟨hit.le_blocks, by omega, inside⟩

/-- **The rightmost hit.** No larger end is one; where nothing is found, no end is. -/
theorem strideSearch_rightmost (q : Query) (ha : 0 < q.alignment) :
    (∀ s e, strideSearch q = some (s, e) → ∀ e', e < e' → ¬ IsHit q e') ∧
      (strideSearch q = none → ∀ e', ¬ IsHit q e') := by
  have rightmost := (strideScan_answer ha).rightmost
  constructor
  · intro s e found
    obtain ⟨_, rfl, _⟩ := strideScan_of_search found
    exact rightmost
  · intro nothing e' hit
    rw [strideScan_of_none ha nothing] at rightmost
    exact rightmost e' hit.pos hit

/-- **The prefix fallback.** A window shorter than needed is the longest aligned prefix that is
cached. -/
theorem prefixFallback_correct (q : Query) (s e : Nat) (ha : 0 < q.alignment)
    (found : strideSearch q = some (s, e)) (short : e < q.window) :
    s = 0 ∧ Aligned q e ∧ (∀ i, i < e → q.cached i = true) ∧
      ∀ e', e < e' → e' ≤ q.blocks → Aligned q e' → ∃ i, i < e' ∧ q.cached i = false := by
  obtain ⟨hit, start, _⟩ := strideSearch_sound q s e ha found
  refine ⟨by omega, hit.aligned, fun i lt => hit.cached i (by omega) lt, ?_⟩
  intro e' lt le aligned
  apply Classical.byContradiction
  intro noMiss
  refine (strideSearch_rightmost q ha).1 s e found e' lt ⟨by omega, le, aligned, ?_⟩
  intro i _ lt
  rw [← Bool.not_eq_false]
  exact fun miss => noMiss ⟨i, lt, miss⟩

/-- **The search is the scan.** Same window, same length, epilogue included. -/
theorem strideSearch_eq_linearScan (q : Query) (ha : 0 < q.alignment) :
    strideHit q = linearHit q := by
  have stride := strideScan_answer (q := q) ha
  have linear := linearScan_answer (q := q)
  unfold strideHit linearHit Query.finish
  rw [stride.start_eq linear, stride.end_eq linear, stride.full_eq linear]

/-- **No block is looked up twice.** -/
theorem strideSearch_probes_nodup (q : Query) : (strideProbes q).Nodup :=
  strideLoop_nodup (Fresh.first q)

/-- **Never more lookups than upstream.** -/
theorem strideSearch_probes_le_linearScan (q : Query) (ha : 0 < q.alignment) :
    (strideProbes q).length ≤ (linearProbes q).length := by
  have start := (strideScan_answer (q := q) ha).start_eq linearScan_answer
  have le := q.alignDown_le q.blocks
  have stride := strideLoop_length (Fresh.first q)
  have linear := linearLoop_length (q := q) (i := q.blocks) 0
  unfold strideProbes linearProbes linearScan
  unfold linearScan at start
  rw [strideScan_eq] at start ⊢
  omega

/-- **Few lookups.** One for each window of the prompt, and two for each block found. -/
theorem strideSearch_probes_bound (q : Query) :
    (strideProbes q).length ≤ ceilDiv q.blocks q.window + 2 * hits q (strideProbes q) := by
  have bound := strideLoop_bound (q := q) (known := q.alignDown q.blocks)
    (e := q.alignDown q.blocks)
  have mono := ceilDiv_mono q.window (q.alignDown_le q.blocks)
  unfold strideProbes
  rw [strideScan_eq]
  omega

/-- **Nothing cached**: one lookup for each window of the prompt, or fewer where some ends are not
aligned. -/
theorem strideSearch_probes_empty (q : Query) (ha : 0 < q.alignment) (empty : Empty q) :
    (strideProbes q).length ≤ ceilDiv q.blocks q.window ∧
      (EveryEndAligned q → (strideProbes q).length = ceilDiv q.blocks q.window) := by
  constructor
  · have := strideSearch_probes_bound q
    rw [hits_empty empty] at this
    omega
  · intro every
    have eq : q.alignDown q.blocks = q.blocks :=
      alignDown_of_aligned ha fun pos => every q.blocks pos (Nat.le_refl _)
    unfold strideProbes
    rw [strideScan_eq, eq]
    exact strideLoop_empty ha empty every (Nat.le_refl _)

/-- **No search can do with less** on an empty cache: whatever blocks it looks up, they are at least
one for each window of the prompt, or a hit is not ruled out. -/
theorem probes_empty_optimal (q : Query) (probes : List Nat) (every : EveryEndAligned q)
    (refutes : Refutes q probes) : ceilDiv q.blocks q.window ≤ probes.length := by
  have pos := q.window_pos
  by_cases blocks : q.blocks = 0
  · rw [blocks, ceilDiv_zero pos]
    exact Nat.zero_le _
  · have lt : (q.blocks - 1) / q.window * q.window < q.blocks := by
      have := Nat.div_mul_le_self (q.blocks - 1) q.window
      omega
    have windows := windows_le_countP every refutes _ lt
    have ceil : ceilDiv q.blocks q.window = (q.blocks - 1) / q.window + 1 := by
      unfold ceilDiv
      rw [← Nat.add_div_right _ pos]
      congr 1
      omega
    rw [ceil]
    exact Nat.le_trans windows List.countP_le_length

end PrefixCache
