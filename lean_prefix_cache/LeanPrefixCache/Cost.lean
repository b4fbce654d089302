module

public import LeanPrefixCache.Search

/-!
# What the searches cost

Counted in probes.
-/

public section

namespace PrefixCache

variable {q : Query} {known e i p : Nat}

theorem afterAll_s (found : Scan) (blocks : List Nat) : (found.afterAll blocks).s = found.s := by
  induction blocks with
  | nil => rfl
  | cons i blocks ih => exact ih

theorem afterAll_probes (found : Scan) (blocks : List Nat) :
    (found.afterAll blocks).probes = blocks ++ found.probes := by
  induction blocks with
  | nil => rfl
  | cons i blocks ih => exact congrArg (i :: ·) ih

/-- No block below both `known` and `e` has been looked up, and no other will be. -/
structure Fresh (q : Query) (known e : Nat) : Prop where
  anchor : 0 < e → e - q.window < known
  rest : q.step < q.window ∨ 0 < q.alignment ∧ Aligned q e ∧ e ≤ known

theorem Fresh.first (q : Query) : Fresh q (q.alignDown q.blocks) (q.alignDown q.blocks) where
  anchor pos := by have := q.window_pos; omega
  rest := by
    by_cases short : q.step < q.window
    · exact .inl short
    · have ha : 0 < q.alignment := by
        apply Nat.pos_of_ne_zero
        intro zero
        have := q.window_pos
        unfold Query.step at short
        rw [zero, Nat.zero_div] at short
        omega
      exact .inr ⟨ha, aligned_alignDown ha, Nat.le_refl _⟩

theorem Fresh.anchorMiss (fresh : Fresh q known e) : Fresh q known (e - q.stride) where
  anchor pos := by have := fresh.anchor; omega
  rest := fresh.rest.imp_right fun ⟨ha, aligned, le⟩ =>
    ⟨ha, aligned_sub_stride ha aligned, by omega⟩

theorem Fresh.restMiss (fresh : Fresh q known e) (pos : 0 < e - q.window) (lt : i < e) :
    Fresh q (e - q.window) (q.alignDown i) where
  anchor _ := by have := q.alignDown_le i; omega
  rest := by
    by_cases short : q.step < q.window
    · exact .inl short
    · obtain ⟨ha, aligned, _⟩ := fresh.rest.resolve_left short
      have := alignDown_le_sub_step ha aligned lt
      exact .inr ⟨ha, aligned_alignDown ha, by omega⟩

theorem Fresh.mem_rest (fresh : Fresh q known e) (mem : p ∈ q.rest (e - q.window) known e) :
    e - q.window < p ∧ p < e ∧ p < known := by
  obtain ⟨gt, lt, below⟩ := Query.mem_rest.1 mem
  rcases fresh.rest with short | ⟨_, _, le⟩
  · exact ⟨gt, lt, below short⟩
  · omega

/-! ## No block twice -/

theorem Fresh.mem_window (fresh : Fresh q known e) (pos : 0 < e)
    (mem : p ∈ (e - q.window) :: (q.lookup (q.rest (e - q.window) known e)).probes) :
    e - q.window ≤ p ∧ p < e ∧ p < known := by
  rcases List.mem_cons.1 mem with rfl | mem
  · exact ⟨Nat.le_refl _, Nat.sub_lt pos q.window_pos, fresh.anchor pos⟩
  · obtain ⟨gt, below⟩ := fresh.mem_rest (lookup_sublist.subset mem)
    exact ⟨Nat.le_of_lt gt, below⟩

theorem Fresh.nodup_window (fresh : Fresh q known e) :
    ((e - q.window) :: (q.lookup (q.rest (e - q.window) known e)).probes).Nodup :=
  List.nodup_cons.2 ⟨fun mem => Nat.lt_irrefl _ (fresh.mem_rest (lookup_sublist.subset mem)).1,
    lookup_sublist.nodup rest_nodup⟩

theorem mem_strideLoop (fresh : Fresh q known e) (mem : p ∈ (strideLoop q known e).probes) :
    p < e ∧ p < known := by
  fun_induction strideLoop q known e with
  | case1 known e pos s hit rest missed e' ih =>
    have lt : s < e ∧ s < known := (fresh.mem_window pos List.mem_cons_self).2
    rw [afterAll_probes, List.mem_append] at mem
    rcases mem with mem | mem
    · exact (fresh.mem_window pos mem).2
    · split at mem
      case isTrue => exact absurd mem List.not_mem_nil
      case isFalse left =>
        have inside := (fresh.mem_rest (Query.lookup_missed missed).1).2.1
        have := ih (fresh.restMiss (Nat.pos_of_ne_zero left) inside) mem
        omega
  | case2 known e pos s hit rest all =>
    rw [afterAll_probes, List.mem_append] at mem
    exact (fresh.mem_window pos (mem.resolve_right List.not_mem_nil)).2
  | case3 known e pos s miss ih =>
    rcases List.mem_cons.1 mem with rfl | mem
    · exact (fresh.mem_window pos List.mem_cons_self).2
    · have := ih fresh.anchorMiss mem
      omega
  | case4 known e zero => exact absurd mem List.not_mem_nil

theorem strideLoop_nodup (fresh : Fresh q known e) : (strideLoop q known e).probes.Nodup := by
  fun_induction strideLoop q known e with
  | case1 known e pos s hit rest missed e' ih =>
    rw [afterAll_probes, List.nodup_append]
    refine ⟨fresh.nodup_window, ?_⟩
    split
    case isTrue => exact ⟨List.nodup_nil, fun _ _ _ mem => absurd mem List.not_mem_nil⟩
    case isFalse left =>
      have inside := (fresh.mem_rest (Query.lookup_missed missed).1).2.1
      have fresh' := fresh.restMiss (Nat.pos_of_ne_zero left) inside
      refine ⟨ih fresh', fun a mem b mem' eq => ?_⟩
      have ge : s ≤ a := (fresh.mem_window pos mem).1
      have := (mem_strideLoop fresh' mem').2
      omega
  | case2 known e pos s hit rest all =>
    rw [afterAll_probes]
    exact (List.append_nil _).symm ▸ fresh.nodup_window
  | case3 known e pos s miss ih =>
    refine List.nodup_cons.2 ⟨fun mem => ?_, ih fresh.anchorMiss⟩
    have := (mem_strideLoop fresh.anchorMiss mem).1
    have := q.window_le_stride
    omega
  | case4 known e zero => exact List.nodup_nil

/-! ## Against upstream -/

theorem Fresh.length_window (fresh : Fresh q known e) (pos : 0 < e) :
    (q.lookup (q.rest (e - q.window) known e)).probes.length + 1 + (e - q.window)
      ≤ min known e := by
  have anchor := fresh.anchor pos
  have window := Nat.sub_lt pos q.window_pos
  have lookup := lookup_sublist (q := q) (rest := q.rest (e - q.window) known e) |>.length_le
  obtain ⟨le, below⟩ := rest_length (q := q) (s := e - q.window) (known := known) (e := e)
  rcases fresh.rest with short | ⟨_, _, le'⟩
  · have := below short
    omega
  · omega

theorem strideLoop_length (fresh : Fresh q known e) :
    (strideLoop q known e).probes.length + (strideLoop q known e).s ≤ min known e := by
  fun_induction strideLoop q known e with
  | case1 known e pos s hit rest missed e' ih =>
    have window : rest.probes.length + 1 + s ≤ min known e := fresh.length_window pos
    have inside : rest.i < e := (fresh.mem_rest (Query.lookup_missed missed).1).2.1
    have le : e' ≤ rest.i := q.alignDown_le rest.i
    rw [afterAll_probes, afterAll_s, List.length_append, List.length_cons]
    split
    case isTrue zero =>
      show rest.probes.length + 1 + 0 + (e' - q.window) ≤ _
      omega
    case isFalse left =>
      have := ih (fresh.restMiss (Nat.pos_of_ne_zero left) inside)
      omega
  | case2 known e pos s hit rest all =>
    rw [afterAll_probes, afterAll_s, List.length_append, List.length_cons]
    exact fresh.length_window pos
  | case3 known e pos s miss ih =>
    have anchor : s < known := fresh.anchor pos
    have := ih fresh.anchorMiss
    have := q.window_le_stride
    simp only [Scan.after, List.length_cons]
    omega
  | case4 known e zero =>
    show 0 + (e - q.window) ≤ _
    omega

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
theorem strideLoop_bound : (strideLoop q known e).probes.length ≤
    ceilDiv e q.window + 2 * hits q (strideLoop q known e).probes := by
  fun_induction strideLoop q known e with
  | case1 known e pos s hit rest missed e' ih =>
    have length : rest.probes.length ≤ hits q rest.probes + 1 := lookup_length_le
    have inside := (Query.mem_rest.1 (Query.lookup_missed missed).1).2.1
    have mono : ceilDiv e' q.window ≤ ceilDiv e q.window :=
      ceilDiv_mono q.window (Nat.le_trans (q.alignDown_le _) (Nat.le_of_lt inside))
    have bound : (if s = 0 then q.found e' else strideLoop q s e').probes.length ≤
        ceilDiv e' q.window
          + 2 * hits q (if s = 0 then q.found e' else strideLoop q s e').probes := by
      split
      · exact Nat.zero_le _
      · exact ih
    rw [afterAll_probes]
    simp only [hits, List.cons_append, List.length_cons, List.length_append, List.countP_cons,
      List.countP_append, hit, if_true] at length bound ⊢
    omega
  | case2 known e pos s hit rest all =>
    have length : rest.probes.length ≤ hits q rest.probes + 1 := lookup_length_le
    rw [afterAll_probes]
    simp only [Query.found, List.append_nil, hits, List.length_cons, List.countP_cons, hit,
      if_true] at length ⊢
    omega
  | case3 known e pos s miss ih =>
    have mono := ceilDiv_mono q.window (Nat.sub_le_sub_left q.window_le_stride.2 e)
    have window := ceilDiv_sub q.window_pos pos
    simp only [Scan.after, List.length_cons, hits, List.countP_cons, miss] at ih ⊢
    simp only [Bool.false_eq_true, if_false] at ih ⊢
    omega
  | case4 known e zero => exact Nat.zero_le _

end PrefixCache
