module

public import LeanPrefixCache.Spec

/-!
# Aligned ends

`alignDown` finds the largest aligned end that is not larger; from an aligned end, taking `stride`
off finds the largest that is a window or more to the left. Nothing else of the arithmetic is used.
-/

public section

namespace PrefixCache

variable {q : Query} {i e k : Nat}

theorem Query.window_pos (q : Query) : 0 < q.window := by
  unfold Query.window; omega

theorem Query.drop_le_one (q : Query) : q.drop ≤ 1 := by
  unfold Query.drop; split <;> omega

theorem Query.step_pos (ha : 0 < q.alignment) : 0 < q.step :=
  Nat.div_pos (Nat.le_of_dvd ha (Nat.gcd_dvd_right ..)) (Nat.gcd_pos_of_pos_right _ ha)

theorem aligned_iff (ha : 0 < q.alignment) : Aligned q e ↔ q.step ∣ e - q.drop := by
  have gpos : 0 < Nat.gcd q.blockSize q.alignment := Nat.gcd_pos_of_pos_right _ ha
  have halign : q.step * Nat.gcd q.blockSize q.alignment = q.alignment :=
    Nat.div_mul_cancel (Nat.gcd_dvd_right ..)
  have hblock : q.blockSize / Nat.gcd q.blockSize q.alignment * Nat.gcd q.blockSize q.alignment
      = q.blockSize :=
    Nat.div_mul_cancel (Nat.gcd_dvd_left ..)
  have coprime : Nat.Coprime q.step (q.blockSize / Nat.gcd q.blockSize q.alignment) :=
    (Nat.coprime_div_gcd_div_gcd gpos).symm
  unfold Aligned
  constructor
  · intro divides
    apply coprime.dvd_of_dvd_mul_right
    apply Nat.dvd_of_mul_dvd_mul_right gpos
    rw [Nat.mul_assoc, hblock, halign]
    exact divides
  · intro divides
    have := Nat.mul_dvd_mul divides (Nat.gcd_dvd_left q.blockSize q.alignment)
    rwa [halign] at this

theorem aligned_alignDown (ha : 0 < q.alignment) : Aligned q (q.alignDown i) := by
  rw [aligned_iff ha]
  have hstep := Query.step_pos ha
  have hdrop := q.drop_le_one
  have hmod := Nat.mod_lt (i + q.step - q.drop) hstep
  have hdiv := Nat.div_add_mod (i + q.step - q.drop) q.step
  unfold Query.alignDown
  have : i - (i + q.step - q.drop) % q.step - q.drop
      = q.step * ((i + q.step - q.drop) / q.step) - q.step := by omega
  rw [this]
  exact Nat.dvd_sub (Nat.dvd_mul_right ..) (Nat.dvd_refl _)

theorem le_alignDown (ha : 0 < q.alignment) (aligned : Aligned q e) (pos : 0 < e) (le : e ≤ i) :
    e ≤ q.alignDown i := by
  obtain ⟨k, hk⟩ := (aligned_iff ha).1 aligned
  have hdrop := q.drop_le_one
  have hmod : (i + q.step - q.drop) % q.step ≤ i - e := by
    have : i + q.step - q.drop = q.step * k + (i - e) + q.step := by omega
    rw [this, Nat.add_mod_right, Nat.mul_add_mod]
    exact Nat.mod_le ..
  unfold Query.alignDown
  omega

theorem alignDown_of_aligned (ha : 0 < q.alignment) (aligned : 0 < i → Aligned q i) :
    q.alignDown i = i := by
  have le := q.alignDown_le i
  by_cases pos : 0 < i
  · have := le_alignDown ha (aligned pos) pos (Nat.le_refl i)
    omega
  · omega

/-! ## From one aligned end to another -/

theorem step_dvd_sub (ha : 0 < q.alignment) (left : Aligned q i) (right : Aligned q e)
    (pos : 0 < i) : q.step ∣ e - i := by
  have hdrop := q.drop_le_one
  have := Nat.dvd_sub ((aligned_iff ha).1 right) ((aligned_iff ha).1 left)
  rwa [show e - q.drop - (i - q.drop) = e - i by omega] at this

theorem alignDown_le_sub_step (ha : 0 < q.alignment) (aligned : Aligned q e) (lt : i < e) :
    q.alignDown i ≤ e - q.step := by
  have le := q.alignDown_le i
  by_cases pos : 0 < q.alignDown i
  · have := Nat.le_of_dvd (by omega) (step_dvd_sub ha (aligned_alignDown ha) aligned pos)
    omega
  · omega

theorem step_dvd_stride (ha : 0 < q.alignment) : q.step ∣ q.stride := by
  have hstep := Query.step_pos ha
  have hmod := Nat.mod_lt q.window hstep
  have hdiv := Nat.div_add_mod q.window q.step
  have dvd := Nat.dvd_mul_right q.step (q.window / q.step)
  unfold Query.stride
  by_cases zero : q.window % q.step = 0
  · rw [zero, Nat.sub_zero, Nat.mod_self, Nat.add_zero]
    exact Nat.dvd_of_mod_eq_zero zero
  · rw [Nat.mod_eq_of_lt (by omega)]
    have := Nat.dvd_add dvd (Nat.dvd_refl q.step)
    rwa [show q.window + (q.step - q.window % q.step)
      = q.step * (q.window / q.step) + q.step by omega]

theorem stride_lt (ha : 0 < q.alignment) : q.stride < q.window + q.step :=
  Nat.add_lt_add_left (Nat.mod_lt _ (Query.step_pos ha)) _

/-- The patch has it in this form. -/
theorem stride_eq (ha : 0 < q.alignment) : q.stride = ceilDiv q.window q.step * q.step := by
  obtain ⟨steps, eq⟩ := step_dvd_stride ha
  have := q.window_le_stride
  have := stride_lt ha
  rw [Nat.mul_comm] at eq
  have : ceilDiv q.window q.step = steps :=
    Nat.div_eq_of_lt_le (by omega) (by rw [Nat.succ_mul]; omega)
  rw [this, eq]

theorem aligned_sub_stride (ha : 0 < q.alignment) (aligned : Aligned q e) :
    Aligned q (e - q.stride) := by
  rw [aligned_iff ha] at aligned ⊢
  rw [show e - q.stride - q.drop = e - q.drop - q.stride by omega]
  exact Nat.dvd_sub aligned (step_dvd_stride ha)

theorem le_sub_stride (ha : 0 < q.alignment) (left : Aligned q i) (right : Aligned q e)
    (pos : 0 < i) (le : i ≤ e - q.window) : i ≤ e - q.stride := by
  have between := step_dvd_sub ha left right pos
  have window := q.window_pos
  have less := stride_lt ha
  apply Nat.le_of_not_lt
  intro gt
  have := Nat.le_of_dvd (by omega) (Nat.dvd_sub (step_dvd_stride ha) between)
  omega

/-! ## Hits and misses -/

theorem not_isHit_of_miss (miss : ¬ q.cached k = true) (ge : e - q.window ≤ k) (lt : k < e) :
    ¬ IsHit q e :=
  fun hit => miss (hit.cached k ge lt)

theorem getElem_of_cached (h : q.cached i = true) : ∃ lt : i < q.cache.size, q.cache[i] = true := by
  unfold Query.cached Array.getD at h
  split at h
  · exact ⟨by assumption, h⟩
  · contradiction

/-! ## Rounding up -/

theorem ceilDiv_zero {w : Nat} (hw : 0 < w) : ceilDiv 0 w = 0 := by
  unfold ceilDiv
  exact Nat.div_eq_of_lt (by omega)

theorem ceilDiv_mono {m n : Nat} (w : Nat) (le : m ≤ n) : ceilDiv m w ≤ ceilDiv n w :=
  Nat.div_le_div_right (by omega)

theorem ceilDiv_sub {n w : Nat} (hw : 0 < w) (hn : 0 < n) :
    ceilDiv (n - w) w + 1 = ceilDiv n w := by
  unfold ceilDiv
  by_cases le : w ≤ n
  · rw [← Nat.add_div_right _ hw]
    congr 1
    omega
  · have : n - w + w - 1 = w - 1 := by omega
    rw [this, Nat.div_eq_of_lt (by omega : w - 1 < w)]
    exact (Nat.div_eq_of_lt_le (by omega) (by omega)).symm

end PrefixCache
