module

public import LeanPrefixCache.Search

/-!
# What the searches cost

Counted in probes. `s ≤ i` below: the loop never looks left of its window.
-/

public section

namespace PrefixCache

variable {q : Query} {s stop e i : Nat}

theorem mem_strideLoop {p : Nat} (ge : s ≤ i) (mem : p ∈ (strideLoop q s stop e i).probes) :
    p < stop ∧ (i ≤ p ∨ p < s) := by
  fun_induction strideLoop q s stop e i with
  | case1 s stop e i lt hit ih =>
    rcases List.mem_cons.1 mem with eq | mem
    · omega
    · have := ih (by omega) mem
      omega
  | case2 s stop e i lt miss e' stop' s' ih =>
    rcases List.mem_cons.1 mem with eq | mem
    · omega
    · have le : e' ≤ i := q.alignDown_le i
      have stop_le : stop' ≤ s ∧ stop' ≤ e' := by
        show (if s < e' then s else e') ≤ s ∧ (if s < e' then s else e') ≤ e'
        split <;> omega
      have := ih (Nat.le_refl _) mem
      omega
  | case3 s stop e i ge => exact absurd mem List.not_mem_nil

theorem strideLoop_nodup (ge : s ≤ i) : (strideLoop q s stop e i).probes.Nodup := by
  fun_induction strideLoop q s stop e i with
  | case1 s stop e i lt hit ih =>
    refine List.nodup_cons.2 ⟨fun mem => ?_, ih (by omega)⟩
    have := mem_strideLoop (by omega) mem
    omega
  | case2 s stop e i lt miss e' stop' s' ih =>
    refine List.nodup_cons.2 ⟨fun mem => ?_, ih (Nat.le_refl _)⟩
    have le : e' ≤ i := q.alignDown_le i
    have stop_le : stop' ≤ e' := by
      show (if s < e' then s else e') ≤ e'
      split <;> omega
    have := mem_strideLoop (Nat.le_refl _) mem
    omega
  | case3 s stop e i ge => exact List.nodup_nil

/-! ## Against upstream -/

theorem strideLoop_length (start : s = e - q.window) (le : stop ≤ e) (ge : s ≤ i) :
    (strideLoop q s stop e i).probes.length + (strideLoop q s stop e i).s ≤ stop - i + s := by
  fun_induction strideLoop q s stop e i with
  | case1 s stop e i lt hit ih =>
    have := ih start le (by omega)
    simp only [Scan.after, List.length_cons]
    omega
  | case2 s stop e i lt miss e' stop' s' ih =>
    have le' : e' ≤ i := q.alignDown_le i
    have start' : s' = e' - q.window := rfl
    have stop_le : stop' ≤ s ∧ stop' ≤ e' := by
      show (if s < e' then s else e') ≤ s ∧ (if s < e' then s else e') ≤ e'
      split <;> omega
    have := ih start' stop_le.2 (Nat.le_refl _)
    simp only [Scan.after, List.length_cons]
    omega
  | case3 s stop e i ge => simp

theorem linearLoop_length (count : Nat) :
    (linearLoop q i count).probes.length + (linearLoop q i count).s = i := by
  fun_induction linearLoop q i count with
  | case1 count => rfl
  | case2 i count cached skip ih => simp only [Scan.after, List.length_cons]; omega
  | case3 i count cached begins enough => simp only [List.length_singleton]; omega
  | case4 i count cached begins few ih => simp only [Scan.after, List.length_cons]; omega
  | case5 i count miss ih => simp only [Scan.after, List.length_cons]; omega

/-! ## Against the number of hits -/

/-- Every window but the last is left by a miss. A miss at the anchor takes a whole window off the
end; any other miss is paid for by the hit at the anchor before it. -/
theorem strideLoop_bound (start : s = e - q.window) (le : stop ≤ e) (ge : s ≤ i) :
    (strideLoop q s stop e i).probes.length ≤
      ceilDiv e q.window + 2 * hits q (strideLoop q s stop e i).probes
        + if i = s then 0 else 1 := by
  fun_induction strideLoop q s stop e i with
  | case1 s stop e i lt hit ih =>
    have ih := ih start le (by omega)
    have ne : ¬ i + 1 = s := by omega
    rw [if_neg ne] at ih
    simp only [Scan.after, List.length_cons, hits, List.countP_cons, hit, if_true] at ih ⊢
    omega
  | case2 s stop e i lt miss e' stop' s' ih =>
    have le' : e' ≤ i := q.alignDown_le i
    have stop_le : stop' ≤ e' := by
      show (if s < e' then s else e') ≤ e'
      split <;> omega
    have ih := ih rfl stop_le (Nat.le_refl _)
    rw [if_pos rfl] at ih
    simp only [Scan.after, List.length_cons, hits, List.countP_cons, miss] at ih ⊢
    by_cases anchor : i = s
    · have window := ceilDiv_sub q.window_pos (n := e) (by omega)
      have mono := ceilDiv_mono q.window (show e' ≤ e - q.window by omega)
      rw [if_pos anchor]
      simp only [Bool.false_eq_true, if_false] at ih ⊢
      omega
    · have mono := ceilDiv_mono q.window (show e' ≤ e by omega)
      rw [if_neg anchor]
      simp only [Bool.false_eq_true, if_false] at ih ⊢
      omega
  | case3 s stop e i ge => exact Nat.zero_le _

/-! ## With an empty cache -/

theorem hits_empty (empty : Empty q) (probes : List Nat) : hits q probes = 0 := by
  unfold hits
  rw [List.countP_eq_zero]
  intro p _
  simp [empty p]

theorem strideLoop_empty (ha : 0 < q.alignment) (empty : Empty q) (every : EveryEndAligned q)
    (start : s = e - q.window) (stop_eq : stop = e) (anchor : i = s) (le_blocks : e ≤ q.blocks) :
    (strideLoop q s stop e i).probes.length = ceilDiv e q.window := by
  fun_induction strideLoop q s stop e i with
  | case1 s stop e i lt hit ih => exact absurd hit (by rw [empty i]; decide)
  | case2 s stop e i lt miss e' stop' s' ih =>
    have eq : e' = i := alignDown_of_aligned ha fun pos => every i pos (by omega)
    have stop_eq' : stop' = e' := by
      show (if s < e' then s else e') = e'
      split <;> omega
    have ih := ih rfl stop_eq' rfl (by omega)
    have window := ceilDiv_sub q.window_pos (n := e) (by omega)
    have same := congrArg (ceilDiv · q.window) (show e' = e - q.window by omega)
    simp only [Scan.after, List.length_cons] at same ⊢
    omega
  | case3 s stop e i ge =>
    have pos := q.window_pos
    have zero : e = 0 := by omega
    rw [zero, ceilDiv_zero pos]
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
