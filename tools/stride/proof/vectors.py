"""The inputs from public reports, as cases."""

from __future__ import annotations

from pathlib import Path

import msgspec

from carry.errors import UserError
from stride.case import Case


class _Vector(msgspec.Struct):
    masks: list[list[int]]
    block_size: int
    window_tokens: int
    alignment_tokens: int
    eagle: bool


class _Vectors(msgspec.Struct):
    vectors: list[_Vector]


def read_vectors(file: Path) -> list[Case]:
    """The cases of a file of vectors.

    Raises:
        UserError: It cannot be read.
    """
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_Vectors).vectors
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(
            f"cannot read the vectors in {file}: {error}", hint=f"restore it: git checkout {file}"
        ) from error
    return [_case(vector) for vector in found]


def _case(vector: _Vector) -> Case:
    masks = tuple("".join(map(str, mask)) for mask in vector.masks)
    return Case(
        masks=masks,
        block_size=vector.block_size,
        window_tokens=vector.window_tokens,
        alignment_tokens=vector.alignment_tokens,
        max_length=len(masks[0]) * vector.block_size,
        hash_block_size=vector.block_size,
        eagle=vector.eagle,
    )
