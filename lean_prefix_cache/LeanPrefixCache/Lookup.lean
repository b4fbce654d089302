module

public import LeanPrefixCache.Alignment

/-!
# The rest of a window

What is known after `for i in rest`, whichever way it goes.
-/

public section

namespace PrefixCache

variable {q : Query} {s known e i k count : Nat} {rest : List Nat}

/-! ## The blocks of the loop -/

theorem rangeUp_nodup : (rangeUp i count).Nodup := by
  fun_induction rangeUp i count with
  | case1 => exact List.nodup_nil
  | case2 i count ih =>
    refine List.nodup_cons.2 ⟨fun mem => ?_, ih⟩
    have := mem_rangeUp.1 mem
    omega

theorem rangeDown_nodup : (rangeDown i count).Nodup := by
  fun_induction rangeDown i count with
  | case1 => exact List.nodup_nil
  | case2 count ih =>
    refine List.nodup_cons.2 ⟨fun mem => ?_, ih⟩
    have := mem_rangeDown.1 mem
    omega

theorem rest_nodup : (q.rest s known e).Nodup := by
  unfold Query.rest
  split
  · exact rangeUp_nodup
  · exact rangeDown_nodup

theorem rangeUp_length : (rangeUp i count).length = count := by
  fun_induction rangeUp i count with
  | case1 => rfl
  | case2 i count ih => rw [List.length_cons, ih]

theorem rangeDown_length : (rangeDown i count).length = count := by
  fun_induction rangeDown i count with
  | case1 => rfl
  | case2 count ih => rw [List.length_cons, ih]

theorem rest_length : (q.rest s known e).length ≤ e - (s + 1) ∧
    (q.step < q.window → (q.rest s known e).length ≤ known - (s + 1)) := by
  unfold Query.rest
  split
  · rw [rangeUp_length]
    split <;> omega
  · rw [rangeDown_length]
    omega

/-! ## What is found -/

theorem lookup_all (all : ¬ (q.lookup rest).missed = true) (mem : k ∈ rest) :
    q.cached k = true := by
  fun_induction Query.lookup q rest with
  | case1 => contradiction
  | case2 i rest hit later ih =>
    rcases List.mem_cons.1 mem with rfl | mem
    · exact hit
    · exact ih all mem
  | case3 i rest miss => exact absurd rfl all

theorem lookup_rangeUp (missed : (q.lookup (rangeUp i count)).missed = true) (ge : i ≤ k)
    (lt : k < (q.lookup (rangeUp i count)).i) : q.cached k = true := by
  fun_induction rangeUp i count with
  | case1 => contradiction
  | case2 i count ih =>
    rw [Query.lookup_cons] at missed lt
    by_cases hit : q.cached i = true
    · rw [if_pos hit] at missed lt
      by_cases eq : k = i
      · rw [eq]; exact hit
      · exact ih missed (by omega) lt
    · rw [if_neg hit] at lt
      have lt : k < i := lt
      omega

/-- Left of a miss all is cached, or the miss moves the end to the start of the window. -/
theorem lookup_rest (ha : 0 < q.alignment) (aligned : Aligned q e)
    (hit : q.cached (e - q.window) = true)
    (missed : (q.lookup (q.rest (e - q.window) known e)).missed = true)
    (ge : e - q.window ≤ k)
    (lt : k < q.alignDown (q.lookup (q.rest (e - q.window) known e)).i) : q.cached k = true := by
  have le := q.alignDown_le (q.lookup (q.rest (e - q.window) known e)).i
  have inside := Query.mem_rest.1 (Query.lookup_missed missed).1
  by_cases short : q.step < q.window
  · by_cases eq : k = e - q.window
    · rw [eq]; exact hit
    · unfold Query.rest at missed lt le
      rw [if_pos short] at missed lt le
      exact lookup_rangeUp missed (by omega) (by omega)
  · have := alignDown_le_sub_step ha aligned inside.2.1
    omega

/-! ## What is looked up -/

theorem lookup_sublist : (q.lookup rest).probes.Sublist rest := by
  fun_induction Query.lookup q rest with
  | case1 => exact List.Sublist.refl []
  | case2 i rest hit later ih => exact ih.cons₂ i
  | case3 i rest miss => exact (List.nil_sublist rest).cons₂ i

theorem lookup_length_le :
    (q.lookup rest).probes.length ≤ hits q (q.lookup rest).probes + 1 := by
  fun_induction Query.lookup q rest with
  | case1 => exact Nat.zero_le _
  | case2 i rest hit later ih =>
    simp only [later, List.length_cons, hits, List.countP_cons, hit, if_true] at ih ⊢
    omega
  | case3 i rest miss => simp

end PrefixCache
