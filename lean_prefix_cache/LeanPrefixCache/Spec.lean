module

public import LeanPrefixCache.Model

/-!
# What a hit is

Said without any search: by these definitions both searches are judged.
-/

@[expose] public section

namespace PrefixCache

/-- `[s, e)` holds at least `w` blocks, all of them there and cached. -/
def ValidWindow (cache : Array Bool) (w s e : Nat) : Prop :=
  e - s ≥ w ∧ e ≤ cache.size ∧ ∀ i, s ≤ i → i < e → ∃ h : i < cache.size, cache[i] = true

/-- After EAGLE's drop a hit that ends at `e` is a whole number of alignments long. -/
def Aligned (q : Query) (e : Nat) : Prop :=
  q.alignment ∣ (e - q.drop) * q.blockSize

/-- A hit may end at `e`: every block of its window, cut at block 0, is cached. -/
structure IsHit (q : Query) (e : Nat) : Prop where
  pos : 0 < e
  le_blocks : e ≤ q.blocks
  aligned : Aligned q e
  cached : ∀ i, e - q.window ≤ i → i < e → q.cached i = true

/-- Every end is aligned, as when the alignment is one block. -/
def EveryEndAligned (q : Query) : Prop :=
  ∀ e, 0 < e → e ≤ q.blocks → Aligned q e

/-- No block is cached. -/
def Empty (q : Query) : Prop :=
  ∀ i, q.cached i = false

/-- `⌈n / w⌉` -/
def ceilDiv (n w : Nat) : Nat :=
  (n + w - 1) / w

/-- The probes that found their block. -/
def hits (q : Query) (probes : List Nat) : Nat :=
  probes.countP q.cached

/-- Knowing that the blocks of `probes` are not cached rules out every hit, whatever the cache holds
elsewhere. -/
def Refutes (q : Query) (probes : List Nat) : Prop :=
  ∀ cache : Array Bool,
    (∀ p ∈ probes, cache.getD p false = false) → ∀ e, ¬ IsHit { q with cache } e

end PrefixCache
