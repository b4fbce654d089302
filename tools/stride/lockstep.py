"""A random life of requests, led by two KV cache managers in lockstep."""

from __future__ import annotations

from collections import Counter, deque
from random import Random

from stride.hybrid import Model
from stride.oracle import Oracle
from stride.twins import DivergedError, Pair, Twins

#: Tokens computed for a request in one step, at most.
_CHUNK = 48


class Lockstep:
    """Requests that arrive, are looked up, allocated, cached, freed, preempted and evicted.

    `events` counts what happened, so that a test can see that it happened at all.
    """

    def __init__(self, oracle: Oracle, model: Model, seed: int) -> None:
        self.seed = seed
        self.random = Random(seed)  # noqa: S311  no secret is made of it
        self.twins = Twins(oracle, model)
        self.texts = [self._tokens(self.random.randrange(40, 400)) for _ in range(4)]
        self.waiting: deque[Pair] = deque()
        self.running: list[Pair] = []
        self.events: Counter[str] = Counter()

    def run(self, steps: int) -> None:
        """Take so many steps.

        Raises:
            DivergedError: At the first difference, with the model, the seed and the step.
        """
        for step in range(steps):
            try:
                self._step()
            except DivergedError as error:
                where = f"{self.twins.model}, seed {self.seed}, step {step}"
                raise DivergedError(f"{where}: {error}") from None

    def _step(self) -> None:
        self.twins.same("step", lambda manager, _: manager.new_step_starts())
        self.random.choice((self._arrive, self._admit, self._admit, self._advance_all))()
        if self.random.random() < 0.15:
            self.random.choice((self._finish, self._finish, self._evict))()
        self.twins.compare_state(self.running)

    def _tokens(self, count: int) -> list[int]:
        return [self.random.randrange(1000) for _ in range(count)]

    def _arrive(self) -> None:
        """A request comes in that shares its beginning with others, or all of it."""
        text = self.random.choice(self.texts)
        start = text[: self.random.randrange(1, len(text) + 1)]
        tokens = start + self._tokens(self.random.choice((0, 0, 1, 5, 40)))
        self.events["arrived"] += 1
        self.waiting.append(self.twins.pair(f"request {self.events['arrived']}", tokens))

    def _admit(self) -> None:
        """Look the first waiting request up; it keeps its place when there is no room."""
        if not self.waiting:
            self._arrive()
        pair = self.waiting[0]
        self._look_up_groups(pair)
        mine, theirs = self.twins.same(
            "hit", lambda manager, one: manager.get_computed_blocks(one), pair
        )
        _, hit, boundary = mine
        self.events["hit"] += hit > 0
        for request in pair.requests:
            request.shared_prefix_boundary = boundary
        tokens = min(pair.first.num_tokens - hit, _CHUNK)
        if self._allocate(pair, tokens, hit, (mine[0], theirs[0])):
            self.running.append(self.waiting.popleft())

    def _look_up_groups(self, pair: Pair) -> None:
        """The lookup of each group by itself, as KV connectors ask for it."""
        if len(self.twins.model.groups) > 1:
            self.twins.same(
                "hit per group",
                lambda manager, one: manager.coordinator.find_longest_cache_hit_per_group(
                    one.block_hashes, one.num_tokens - 1
                ),
                pair,
            )

    def _allocate(self, pair: Pair, tokens: int, hit: int, found: tuple[object, object]) -> bool:
        """Give a request slots for its next tokens, or take another request's away."""
        found_by_side = iter(found)
        slots, _ = self.twins.same(
            "slots",
            lambda manager, one: manager.allocate_slots(one, tokens, hit, next(found_by_side)),
            pair,
        )
        if slots is None:
            self.events["no room"] += 1
            self._preempt()
            return False
        pair.set_computed(pair.first.num_computed_tokens + hit + tokens)
        return True

    def _advance_all(self) -> None:
        for pair in list(self.running):
            if pair not in self.running:
                continue  # preempted for an earlier one
            if not pair.to_compute:
                pair.append(self.random.randrange(1000))
            self._allocate(pair, min(pair.to_compute, _CHUNK), 0, (None, None))

    def _preempt(self) -> None:
        if self.running:
            self.events["preempted"] += 1
            pair = self._free_one()
            pair.set_computed(0)
            self.waiting.append(pair)

    def _finish(self) -> None:
        if self.running:
            self.events["finished"] += 1
            self._free_one()

    def _free_one(self) -> Pair:
        pair = self.running.pop(self.random.randrange(len(self.running)))
        self.twins.same("free", lambda manager, one: manager.free(one), pair)
        return pair

    def _evict(self) -> None:
        most = self.twins.model.pool_blocks
        ids = set(self.random.sample(range(1, most), self.random.randrange(1, most // 2)))
        self.events["evicted"] += 1
        self.twins.same("eviction", lambda manager, _: manager.evict_blocks(set(ids)))
