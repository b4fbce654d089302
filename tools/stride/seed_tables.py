"""The workloads of the first proposal's tables, and the lookups that it needed for them."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from stride.case import Case, one_group

#: Blocks that table C has in the cache, at the beginning of the prompt.
_TABLE_C_CACHED = 12
#: Blocks that table 4.1 has there, unless the window is shorter than that.
_TABLE_4_1_CACHED = 8


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One row; sizes in tokens, lookups as the proposal counted them.

    `model` is empty in table C, which is of no model.
    """

    window_tokens: int
    context_tokens: int
    lookups_linear: int
    lookups_stride: int
    model: str = ""


class Tables(msgspec.Struct, frozen=True):
    """Both tables."""

    block_size: int
    table_4_1: tuple[Row, ...]
    table_c: tuple[Row, ...]

    def cases(self) -> list[tuple[Row, Case]]:
        """Every row with the case that its lookups belong to."""
        by_model = [(row, self._case(row, _TABLE_4_1_CACHED)) for row in self.table_4_1]
        return by_model + [(row, self._case(row, _TABLE_C_CACHED)) for row in self.table_c]

    def _case(self, row: Row, cached: int) -> Case:
        blocks = row.context_tokens // self.block_size
        window = row.window_tokens // self.block_size
        cached = min(cached, window - 1)
        return one_group(
            "1" * cached + "0" * (blocks - cached),
            block_size=self.block_size,
            window=window,
            alignment_tokens=self.block_size,
        )


def read() -> Tables:
    """The tables as they came with the proposal."""
    return msgspec.json.decode(
        files("stride").joinpath("seed_tables.json").read_bytes(), type=Tables
    )
