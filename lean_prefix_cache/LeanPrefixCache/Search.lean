module

public import LeanPrefixCache.Alignment

/-!
# What both searches find

Each loop keeps an invariant that ends in the same `Answer`, and there is only one.
-/

public section

namespace PrefixCache

variable {q : Query}

/-- The rightmost hit, or nothing where there is no hit. -/
structure Answer (q : Query) (found : Scan) : Prop where
  start : found.s = found.e - q.window
  full : found.full = !decide (found.e < q.window)
  hit : 0 < found.e → IsHit q found.e
  rightmost : ∀ e, found.e < e → ¬ IsHit q e

theorem Answer.after {found : Scan} (answer : Answer q found) (i : Nat) :
    Answer q (found.after i) :=
  ⟨answer.start, answer.full, answer.hit, answer.rightmost⟩

theorem Answer.end_le {a b : Scan} (ha : Answer q a) (hb : Answer q b) : a.e ≤ b.e := by
  apply Nat.le_of_not_lt
  intro lt
  exact hb.rightmost a.e lt (ha.hit (by omega))

theorem Answer.end_eq {a b : Scan} (ha : Answer q a) (hb : Answer q b) : a.e = b.e :=
  Nat.le_antisymm (ha.end_le hb) (hb.end_le ha)

theorem Answer.start_eq {a b : Scan} (ha : Answer q a) (hb : Answer q b) : a.s = b.s := by
  rw [ha.start, hb.start, ha.end_eq hb]

theorem Answer.full_eq {a b : Scan} (ha : Answer q a) (hb : Answer q b) : a.full = b.full := by
  rw [ha.full, hb.full, ha.end_eq hb]

/-! ## The patch -/

/-- What the loop knows. -/
structure StrideInvariant (q : Query) (s stop e i : Nat) : Prop where
  start : s = e - q.window
  ge : s ≤ i
  le : stop ≤ e
  le_blocks : e ≤ q.blocks
  aligned : Aligned q e
  left : ∀ k, s ≤ k → k < i → q.cached k = true
  right : ∀ k, stop ≤ k → k < e → q.cached k = true
  rightmost : ∀ e', e < e' → ¬ IsHit q e'

variable {s stop e i : Nat}

theorem StrideInvariant.hit (inv : StrideInvariant q s stop e i) (cached : q.cached i = true) :
    StrideInvariant q s stop e (i + 1) where
  start := inv.start
  ge := Nat.le_succ_of_le inv.ge
  le := inv.le
  le_blocks := inv.le_blocks
  aligned := inv.aligned
  left k ge lt := by
    by_cases eq : k = i
    · rw [eq]; exact cached
    · exact inv.left k ge (by omega)
  right := inv.right
  rightmost := inv.rightmost

theorem StrideInvariant.miss (ha : 0 < q.alignment) (inv : StrideInvariant q s stop e i)
    (lt : i < stop) (miss : ¬ q.cached i = true) :
    StrideInvariant q (q.alignDown i - q.window)
      (if s < q.alignDown i then s else q.alignDown i) (q.alignDown i)
      (q.alignDown i - q.window) := by
  have le := q.alignDown_le i
  have start := inv.start
  have ge := inv.ge
  have le_end := inv.le
  have le_blocks := inv.le_blocks
  refine ⟨rfl, Nat.le_refl _, ?_, by omega, aligned_alignDown ha, ?_, ?_, ?_⟩
  · split <;> omega
  · intro k ge lt
    omega
  · intro k ge lt
    apply inv.left k _ (by omega)
    split at ge <;> omega
  · intro e' lt' hit
    by_cases gt : e < e'
    · exact inv.rightmost e' gt hit
    · by_cases ge' : i < e'
      · exact not_isHit_of_miss miss (by omega) ge' hit
      · have := le_alignDown ha hit.aligned hit.pos (Nat.le_of_not_lt ge')
        omega

theorem StrideInvariant.done (inv : StrideInvariant q s stop e i) (ge : ¬ i < stop) :
    Answer q { s := s, e := e, full := !decide (e < q.window), probes := [] } where
  start := inv.start
  full := rfl
  hit pos := by
    refine ⟨pos, inv.le_blocks, inv.aligned, ?_⟩
    intro k ge' lt
    have ge' : e - q.window ≤ k := ge'
    have lt : k < e := lt
    by_cases lt_i : k < i
    · exact inv.left k (by have := inv.start; omega) lt_i
    · exact inv.right k (by omega) lt
  rightmost := inv.rightmost

theorem strideLoop_answer (ha : 0 < q.alignment) (inv : StrideInvariant q s stop e i) :
    Answer q (strideLoop q s stop e i) := by
  fun_induction strideLoop q s stop e i with
  | case1 s stop e i lt hit ih => exact (ih (inv.hit hit)).after i
  | case2 s stop e i lt miss e' stop' s' ih => exact (ih (inv.miss ha lt miss)).after i
  | case3 s stop e i ge => exact inv.done ge

theorem strideScan_eq (q : Query) :
    strideScan q = strideLoop q (q.alignDown q.blocks - q.window) (q.alignDown q.blocks)
      (q.alignDown q.blocks) (q.alignDown q.blocks - q.window) :=
  rfl

theorem strideScan_answer (ha : 0 < q.alignment) : Answer q (strideScan q) := by
  apply strideLoop_answer ha
  have le := q.alignDown_le q.blocks
  refine ⟨rfl, Nat.le_refl _, Nat.le_refl _, le, aligned_alignDown ha, ?_, ?_, ?_⟩
  · intro k ge lt
    omega
  · intro k ge lt
    omega
  · intro e lt hit
    have := le_alignDown ha hit.aligned hit.pos hit.le_blocks
    omega

/-! ## Upstream -/

theorem skips_iff : q.skips i = true ↔ ¬ Aligned q (i + 1) := by
  have post_pop : (if q.eagle then i else i + 1) = i + 1 - q.drop := by
    unfold Query.drop; split <;> omega
  unfold Query.skips Aligned
  rw [post_pop, decide_eq_true_iff, Nat.dvd_iff_mod_eq_zero]
  constructor
  · exact And.right
  · intro unaligned
    refine ⟨?_, unaligned⟩
    intro eq
    rw [eq, Nat.mul_mod_left] at unaligned
    exact unaligned rfl

/-- What the loop knows. -/
structure LinearInvariant (q : Query) (i count : Nat) : Prop where
  short : count < q.window
  le_blocks : i + count ≤ q.blocks
  aligned : 0 < count → Aligned q (i + count)
  run : ∀ k, i ≤ k → k < i + count → q.cached k = true
  rightmost : ∀ e, i + count < e → ¬ IsHit q e

variable {count : Nat}

theorem LinearInvariant.skip (inv : LinearInvariant q (i + 1) 0) (unaligned : ¬ Aligned q (i + 1)) :
    LinearInvariant q i 0 := by
  have le_blocks := inv.le_blocks
  refine ⟨inv.short, by omega, by omega, by intro k _ _; omega, ?_⟩
  intro e lt hit
  by_cases eq : e = i + 1
  · rw [eq] at hit
    exact unaligned hit.aligned
  · exact inv.rightmost e (by omega) hit

theorem LinearInvariant.miss (inv : LinearInvariant q (i + 1) count)
    (miss : ¬ q.cached i = true) : LinearInvariant q i 0 := by
  have le_blocks := inv.le_blocks
  have short := inv.short
  refine ⟨q.window_pos, by omega, by omega, by intro k _ _; omega, ?_⟩
  intro e lt hit
  by_cases le : e ≤ i + 1 + count
  · exact not_isHit_of_miss miss (by omega) (by omega) hit
  · exact inv.rightmost e (by omega) hit

/-- One block more, whether or not it is the last one needed. -/
theorem LinearInvariant.grow (inv : LinearInvariant q (i + 1) count)
    (cached : q.cached i = true) (begins : ¬ (count = 0 ∧ q.skips i = true)) :
    i + (count + 1) ≤ q.blocks ∧ Aligned q (i + (count + 1)) ∧
      (∀ k, i ≤ k → k < i + (count + 1) → q.cached k = true) ∧
      ∀ e, i + (count + 1) < e → ¬ IsHit q e := by
  have eq : i + (count + 1) = i + 1 + count := by omega
  rw [eq]
  refine ⟨inv.le_blocks, ?_, ?_, inv.rightmost⟩
  · by_cases zero : count = 0
    · rw [zero, skips_iff] at begins
      rw [zero]
      exact Classical.byContradiction fun unaligned => begins ⟨rfl, unaligned⟩
    · exact inv.aligned (by omega)
  · intro k ge lt
    by_cases eq : k = i
    · rw [eq]; exact cached
    · exact inv.run k (by omega) lt

theorem linearLoop_answer (inv : LinearInvariant q i count) :
    Answer q (linearLoop q i count) := by
  fun_induction linearLoop q i count with
  | case1 count =>
    have short := inv.short
    refine ⟨?_, ?_, ?_, ?_⟩
    · show 0 = count - q.window
      omega
    · show false = !decide (count < q.window)
      simp [short]
    · intro pos
      have run := inv.run
      have aligned := inv.aligned pos
      have le_blocks := inv.le_blocks
      rw [Nat.zero_add] at run aligned le_blocks
      exact ⟨pos, le_blocks, aligned, fun k _ lt => run k (Nat.zero_le k) lt⟩
    · intro e lt
      exact inv.rightmost e (by rw [Nat.zero_add]; exact lt)
  | case2 i count cached skip ih =>
    rw [skip.1] at inv ih ⊢
    exact (ih (inv.skip (skips_iff.1 skip.2))).after i
  | case3 i count cached begins enough =>
    obtain ⟨le_blocks, aligned, run, rightmost⟩ := inv.grow cached begins
    have length : count + 1 = q.window := by
      have := inv.short
      unfold Query.window at *
      omega
    rw [length] at le_blocks aligned run rightmost ⊢
    have pos := q.window_pos
    refine ⟨?_, ?_, ?_, rightmost⟩
    · show i = i + q.window - q.window
      omega
    · show true = !decide (i + q.window < q.window)
      simp
    · intro _
      refine ⟨by show 0 < i + q.window; omega, le_blocks, aligned, ?_⟩
      intro k ge lt
      exact run k (by have : i + q.window - q.window ≤ k := ge; omega) lt
  | case4 i count cached begins few ih =>
    obtain ⟨le_blocks, aligned, run, rightmost⟩ := inv.grow cached begins
    refine (ih ⟨?_, le_blocks, fun _ => aligned, run, rightmost⟩).after i
    unfold Query.window
    omega
  | case5 i count miss ih => exact (ih (inv.miss miss)).after i

theorem linearScan_answer : Answer q (linearScan q) := by
  apply linearLoop_answer
  refine ⟨q.window_pos, Nat.le_refl _, by omega, by intro k _ _; omega, ?_⟩
  intro e lt hit
  have := hit.le_blocks
  omega

end PrefixCache
