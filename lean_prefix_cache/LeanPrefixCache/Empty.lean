module

public import LeanPrefixCache.Cost

/-!
# An empty cache

What the patch pays, and what any search must.
-/

public section

namespace PrefixCache

variable {q : Query} {known e : Nat}

theorem hits_empty (empty : Empty q) (probes : List Nat) : hits q probes = 0 := by
  unfold hits
  rw [List.countP_eq_zero]
  intro p _
  simp [empty p]

theorem strideLoop_empty (ha : 0 < q.alignment) (empty : Empty q) (every : EveryEndAligned q)
    (le_blocks : e ≤ q.blocks) : (strideLoop q known e).probes.length = ceilDiv e q.window := by
  fun_induction strideLoop q known e with
  | case1 known e pos s hit => exact absurd hit (by rw [empty s]; decide)
  | case2 known e pos s hit => exact absurd hit (by rw [empty s]; decide)
  | case3 known e pos s miss ih =>
    have ih := ih (by omega)
    have window := ceilDiv_sub q.window_pos pos
    have eq : e - q.stride = e - q.window := by
      have := q.window_le_stride
      by_cases left : 0 < e - q.window
      · have := le_sub_stride ha (every _ left (by omega)) (every e pos le_blocks) left
          (Nat.le_refl _)
        omega
      · omega
    rw [eq] at ih
    simp only [Scan.after, List.length_cons, eq]
    omega
  | case4 known e zero =>
    rw [show e = 0 by omega, ceilDiv_zero q.window_pos]
    rfl

/-! ## What any search must pay -/

/-- There is a cache that holds the window of `e` and nothing else. -/
theorem exists_windowOnly (s e : Nat) :
    ∃ cache : Array Bool, ∀ i, cache.getD i false = decide (s ≤ i ∧ i < e) := by
  refine ⟨(Array.range e).map fun i => decide (s ≤ i), fun i => ?_⟩
  unfold Array.getD
  by_cases lt : i < e <;> simp [lt]

theorem exists_probe {probes : List Nat} (refutes : Refutes q probes) (pos : 0 < e)
    (le : e ≤ q.blocks) (aligned : Aligned q e) :
    ∃ p ∈ probes, e - q.window ≤ p ∧ p < e := by
  apply Classical.byContradiction
  intro noProbe
  obtain ⟨cache, only⟩ := exists_windowOnly (e - q.window) e
  refine refutes cache ?_ e ⟨pos, le, aligned, ?_⟩
  · intro p mem
    rw [only, decide_eq_false_iff_not]
    intro inside
    exact noProbe ⟨p, mem, inside⟩
  · intro i ge lt
    show cache.getD i false = true
    rw [only, decide_eq_true_iff]
    exact ⟨ge, lt⟩

theorem countP_lt_succ_le {a b : Nat} {probes : List Nat}
    (inside : ∃ p ∈ probes, a ≤ p ∧ p < b) :
    probes.countP (· < a) + 1 ≤ probes.countP (· < b) := by
  obtain ⟨p, mem, ge, lt⟩ := inside
  obtain ⟨left, right, eq⟩ := List.append_of_mem mem
  have mono (l : List Nat) : l.countP (· < a) ≤ l.countP (· < b) := by
    apply List.countP_mono_left
    intro x _ lt
    simp only [decide_eq_true_eq] at lt ⊢
    omega
  have := mono left
  have := mono right
  rw [eq, List.countP_append, List.countP_append, List.countP_cons_of_neg,
    List.countP_cons_of_pos]
  · omega
  · simpa using lt
  · simpa using ge

/-- The windows of the ends `1`, `1 + w`, `1 + 2w`, … share no block, and each needs a probe. -/
theorem windows_le_countP {probes : List Nat} (every : EveryEndAligned q)
    (refutes : Refutes q probes) (k : Nat) (lt : k * q.window < q.blocks) :
    k + 1 ≤ probes.countP (· < k * q.window + 1) := by
  have probe := exists_probe refutes (Nat.succ_pos _) lt (every _ (Nat.succ_pos _) lt)
  induction k with
  | zero =>
    have := countP_lt_succ_le (a := 0) (b := 0 * q.window + 1) (probes := probes) (by
      obtain ⟨p, mem, _, lt⟩ := probe
      exact ⟨p, mem, Nat.zero_le p, lt⟩)
    omega
  | succ k ih =>
    have pos := q.window_pos
    rw [Nat.succ_mul] at lt probe ⊢
    have lt' : k * q.window < q.blocks := by omega
    have := ih lt' (exists_probe refutes (Nat.succ_pos _) lt' (every _ (Nat.succ_pos _) lt'))
    have step := countP_lt_succ_le (a := k * q.window + 1) (b := k * q.window + q.window + 1)
      (probes := probes) (by
        obtain ⟨p, mem, ge, lt⟩ := probe
        exact ⟨p, mem, by omega, lt⟩)
    omega

end PrefixCache
