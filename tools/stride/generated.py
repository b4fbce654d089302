"""Tables in a page of docs/, between markers, made from a record and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from carry.errors import UserError


def filled(text: str, page: Path, kind: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """The page's text with what stands between each pair of markers made anew.

    Args:
        text: The page's text; a table begins with `<!-- kind: name -->` and ends with
            `<!-- end -->`.
        page: The page, for the message.
        kind: The kind of record.
        tables: What makes each table.

    Raises:
        UserError: The page asks for a table that is not known.
    """

    def block(match: re.Match[str]) -> str:
        name = match[2]
        if name not in tables:
            raise UserError(
                f"{page} asks for a table {name}", hint=f"there are {', '.join(tables)}"
            )
        return f"{match[1]}\n{tables[name]()}\n\n{match[3]}"

    pattern = rf"(<!-- {kind}: (\w+) -->\n).*?(<!-- end -->)"
    return re.sub(pattern, block, text, flags=re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    """Markdown; all columns but the first ones are aligned to the right."""
    rule = ["---" if column < left else "--:" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
