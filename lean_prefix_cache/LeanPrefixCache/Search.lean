module

public import LeanPrefixCache.Lookup

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

theorem Answer.afterAll {found : Scan} (answer : Answer q found) (blocks : List Nat) :
    Answer q (found.afterAll blocks) := by
  induction blocks with
  | nil => exact answer
  | cons i blocks ih => exact ih.after i

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
structure StrideInvariant (q : Query) (known e : Nat) : Prop where
  le_blocks : e ≤ q.blocks
  aligned : Aligned q e
  right : ∀ k, known ≤ k → k < e → q.cached k = true
  rightmost : ∀ e', e < e' → ¬ IsHit q e'

variable {known e i : Nat}

theorem StrideInvariant.anchorMiss (ha : 0 < q.alignment) (inv : StrideInvariant q known e)
    (miss : ¬ q.cached (e - q.window) = true) : StrideInvariant q known (e - q.stride) where
  le_blocks := Nat.le_trans (Nat.sub_le ..) inv.le_blocks
  aligned := aligned_sub_stride ha inv.aligned
  right k ge lt := inv.right k ge (by omega)
  rightmost e' lt hit := by
    by_cases gt : e < e'
    · exact inv.rightmost e' gt hit
    · by_cases inside : e - q.window < e'
      · exact not_isHit_of_miss miss (by omega) inside hit
      · have := le_sub_stride ha hit.aligned inv.aligned hit.pos (Nat.le_of_not_lt inside)
        omega

theorem StrideInvariant.restMiss (ha : 0 < q.alignment) (inv : StrideInvariant q known e)
    (ge : e - q.window ≤ i) (lt : i < e) (miss : ¬ q.cached i = true)
    (left : ∀ k, e - q.window ≤ k → k < q.alignDown i → q.cached k = true) :
    StrideInvariant q (e - q.window) (q.alignDown i) where
  le_blocks := by
    have := q.alignDown_le i
    have := inv.le_blocks
    omega
  aligned := aligned_alignDown ha
  right := left
  rightmost e' lt' hit := by
    by_cases gt : e < e'
    · exact inv.rightmost e' gt hit
    · by_cases inside : i < e'
      · exact not_isHit_of_miss miss (by omega) inside hit
      · have := le_alignDown ha hit.aligned hit.pos (Nat.le_of_not_lt inside)
        omega

theorem StrideInvariant.done (inv : StrideInvariant q known e)
    (cached : ∀ k, e - q.window ≤ k → k < e → q.cached k = true) : Answer q (q.found e) where
  start := rfl
  full := rfl
  hit pos := ⟨pos, inv.le_blocks, inv.aligned, cached⟩
  rightmost := inv.rightmost

theorem strideLoop_answer (ha : 0 < q.alignment) (inv : StrideInvariant q known e) :
    Answer q (strideLoop q known e) := by
  fun_induction strideLoop q known e with
  | case1 known e pos s hit rest missed e' ih =>
    obtain ⟨mem, miss⟩ := Query.lookup_missed missed
    obtain ⟨ge, lt, _⟩ := Query.mem_rest.1 mem
    have inv := inv.restMiss ha (Nat.le_of_lt ge) lt miss fun k =>
      lookup_rest ha inv.aligned hit missed
    apply Answer.afterAll
    split
    case isTrue zero => exact inv.done fun k _ => inv.right k (by show s ≤ k; omega)
    case isFalse => exact ih inv
  | case2 known e pos s hit rest all =>
    refine (inv.done fun k ge lt => ?_).afterAll _
    by_cases anchor : k = s
    · rw [anchor]; exact hit
    · by_cases ge' : known ≤ k
      · exact inv.right k ge' lt
      · exact lookup_all all (Query.mem_rest.2 (by omega))
  | case3 known e pos s miss ih => exact (ih (inv.anchorMiss ha miss)).after s
  | case4 known e zero => exact inv.done fun k _ lt => by omega

theorem strideScan_eq (q : Query) :
    strideScan q = strideLoop q (q.alignDown q.blocks) (q.alignDown q.blocks) :=
  rfl

theorem strideScan_answer (ha : 0 < q.alignment) : Answer q (strideScan q) := by
  apply strideLoop_answer ha
  refine ⟨q.alignDown_le q.blocks, aligned_alignDown ha, fun k ge lt => by omega, ?_⟩
  intro e lt hit
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
