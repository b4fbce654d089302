"""What the searches are timed on: prompts and caches, each a row of the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from msgspec.structs import replace

from stride import seed_tables
from stride.case import Case, one_group
from stride.seed_tables import Row, Tables

#: Sections of the result.
MODELS = "models"
EMPTY = "empty"
TABLE_C = "table C"
DENSITY = "density"
CLUSTERED = "clustered"
ALIGNED = "aligned"
GROUPS = "groups"
NOTHING = "nothing to search"

BLOCK_TOKENS = 16
#: Prompt lengths in tokens, 128K and 1M among them.
CONTEXTS = (4_096, 8_192, 32_768, 131_072, 1_048_576)
#: Shares of the prompt's blocks that are cached, each block independently of the others.
DENSITIES = (0.0, 0.05, 0.2, 0.5, 0.9, 0.99)
#: Mean lengths of the runs of cached blocks, and of the gaps between them.
RUNS = (8, 32, 128, 512)
#: Sliding windows of the sections that are of no model, in blocks.
WINDOWS = (32, 128)
#: How many caches are drawn for a row whose cache is random: one alone may be a lucky one.
DRAWS = 16
_BLOCKS = 2_048


@dataclass(frozen=True)
class Input:
    """One row.

    Attributes:
        section: What it is there to show.
        name: Model, or shape of the prompt.
        cached: What the cache holds, in words.
        cases: The input itself; several of one shape where the cache is drawn at random.
        density: The share of the blocks that are cached, where that is what varies.
    """

    section: str
    name: str
    cached: str
    cases: tuple[Case, ...]
    density: float | None = None

    @property
    def case(self) -> Case:
        """The first, which has the shape of all."""
        return self.cases[0]


def inputs(*, quick: bool) -> list[Input]:
    """All rows; `quick` leaves the longest prompts out."""
    contexts = CONTEXTS[:-1] if quick else CONTEXTS
    return [
        *_models(contexts),
        *_table_c(),
        *_densities(),
        *_clusters(),
        *_aligned(),
        *_groups(),
        Input(NOTHING, "no whole block", "nothing", (replace(_plain("0", 8), max_length=1),)),
    ]


def _models(contexts: tuple[int, ...]) -> Iterator[Input]:
    """The first proposal's models: its own workload, then an empty cache."""
    tables = seed_tables.read()
    models = {row.window_tokens: row for row in tables.table_4_1}
    rows = tuple(
        replace(row, context_tokens=context) for row, context in product(models.values(), contexts)
    )
    cases = Tables(tables.block_size, rows, ()).cases()
    for row, case in cases:
        cached = case.masks[0].count("1")
        yield Input(MODELS, _model_name(row), f"the first {cached}", (case,))
    for row, case in cases:
        empty = replace(case, masks=("0" * case.blocks,))
        yield Input(EMPTY, _model_name(row), "nothing", (empty,))


def _model_name(row: Row) -> str:
    return f"{row.model.rpartition('/')[2]}, {row.context_tokens // 1024}K"


def _table_c() -> Iterator[Input]:
    tables = replace(seed_tables.read(), table_4_1=())
    for row, case in tables.cases():
        name = f"window {row.window_tokens}, {row.context_tokens // 1024}K"
        yield Input(TABLE_C, name, "the first 12", (case,))


def _densities() -> Iterator[Input]:
    for window, density in product(WINDOWS, DENSITIES):
        masks = _different(scattered(_BLOCKS, density, seed) for seed in range(DRAWS))
        cases = tuple(_plain(mask, window) for mask in masks)
        yield Input(DENSITY, f"window of {window} blocks", f"{density:.0%}", cases, density)


def _clusters() -> Iterator[Input]:
    for window, run in product(WINDOWS, RUNS):
        cases = tuple(_plain(clustered(_BLOCKS, run, seed), window) for seed in range(DRAWS))
        yield Input(CLUSTERED, f"window of {window} blocks", f"runs of {run}", cases)


def _aligned() -> Iterator[Input]:
    """As in DeepSeek V4: blocks of 4 tokens, hits aligned with 256."""
    blocks = 32_768 // 4
    drawn = {
        "nothing": ("0" * blocks,),
        "the first 8": ("1" * 8 + "0" * (blocks - 8),),
        "50%": _different(scattered(blocks, 0.5, seed) for seed in range(DRAWS)),
        "runs of 32": _different(clustered(blocks, 32, seed) for seed in range(DRAWS)),
    }
    for (cached, masks), eagle in product(drawn.items(), (False, True)):
        cases = tuple(
            one_group(mask, block_size=4, window=32, alignment_tokens=256, eagle=eagle)
            for mask in masks
        )
        yield Input(ALIGNED, "EAGLE" if eagle else "no EAGLE", cached, cases)


def _groups() -> Iterator[Input]:
    for groups in range(1, 5):
        name = f"{groups} group{'s' * (groups > 1)}"
        first = ("1" * 8 + "0" * (_BLOCKS - 8),) * groups
        yield Input(GROUPS, name, "the first 8", (_alike(first),))
        seeds = range(DRAWS * groups)
        runs = [clustered(_BLOCKS, 128, seed) for seed in seeds]
        cases = tuple(_alike(tuple(runs[draw::DRAWS])) for draw in range(DRAWS))
        yield Input(GROUPS, name, "runs of 128", cases)


def _alike(masks: tuple[str, ...]) -> Case:
    return replace(_plain(masks[0], 64), masks=masks)


def _different(masks: Iterable[str]) -> tuple[str, ...]:
    """Each mask once: an empty cache is the same however often it is drawn."""
    return tuple(dict.fromkeys(masks))


def _plain(mask: str, window: int) -> Case:
    return one_group(mask, block_size=BLOCK_TOKENS, window=window, alignment_tokens=BLOCK_TOKENS)


def scattered(blocks: int, density: float, seed: int) -> str:
    """A mask with each block cached by itself."""
    random = Random(seed)  # noqa: S311  no secret is made of it
    return "".join("01"[random.random() < density] for _ in range(blocks))


def clustered(blocks: int, run: int, seed: int) -> str:
    """A mask of cached runs and gaps, both of so many blocks in the mean."""
    random = Random(seed)  # noqa: S311  no secret is made of it
    mask, cached = "", random.random() < 0.5
    while len(mask) < blocks:
        mask += "01"[cached] * (1 + int(random.expovariate(1 / run)))
        cached = not cached
    return mask[:blocks]
