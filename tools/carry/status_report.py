"""Where things stand, as a table to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from carry import console
from carry.config import Config
from carry.newest_status import Newest
from carry.sources.ages import ago

if TYPE_CHECKING:
    from carry.status import BaseOfSeries, Pin, RecordState, Standing

_SOURCES = {"git": "upstream's git repository", "pypi": "the Python index"}


def show(config: Config, standing: Standing) -> None:
    """Print a table: a row for each part, several lines where there are several statements."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    evidence = [standing.evidence_problem and f"not known: {standing.evidence_problem}"]
    evidence += [_record(one) for one in standing.evidence]
    rows: list[tuple[str, Sequence[str | None]]] = [
        ("pin", [_pin(config, standing.pin)]),
        ("base", [_base(standing.base)]),
        ("upstream", _upstream(config, standing.base, standing.upstream)),
        ("series", standing.series),
        (f"{config.submodule}/", ["; ".join(standing.submodule)]),
        ("under way", [standing.under_way or "nothing"]),
        ("evidence", evidence),
        ("duplicates", [standing.duplicates]),
        ("published", [standing.published]),
    ]
    for name, lines in rows:
        for number, line in enumerate(line for line in lines if line):
            table.add_row("" if number else name, line)
    console.show(table)


def _pin(config: Config, pin: Pin) -> str:
    if not pin.commit:
        return f"none: git restore --staged {config.submodule}"
    return f"{pin.commit} ({pin.version or 'no release'})"


def _base(base: BaseOfSeries) -> str:
    name = base.version or base.commit
    if base.rehearsal:
        return f"{name} (a rehearsal: of the commit only {base.commit or 'the tree'} is known)"
    return f"{name} ({base.commit})" if base.version else name


def _upstream(config: Config, base: BaseOfSeries, newest: Newest) -> list[str]:
    lines = []
    if newest.source:
        lines.append(f"{_newest(config, newest)}; {_asked(newest)}")
        lines.append(_distance(config, base, newest))
    if newest.commits_behind is not None:
        lines.append(
            f"{newest.commits_behind} commit(s) behind {config.upstream.branch}, "
            "as it was last fetched"
        )
    if newest.problem:
        lines.append(f"not asked now: {newest.problem}")
    return lines or [f"never asked: {config.front_door('rebase', '--dry-run')} asks"]


def _newest(config: Config, newest: Newest) -> str:
    release = f"{newest.version or 'no release'}"
    if newest.uploaded:
        release += f" of {newest.uploaded[:10]}"
    if newest.tip:
        return f"{config.upstream.branch} is at {newest.tip[:9]}, the newest release is {release}"
    return f"the newest release is {release}"


def _asked(newest: Newest) -> str:
    return f"{_SOURCES[newest.source]} was asked {ago(newest.age)}, {newest.asked}"


def _distance(config: Config, base: BaseOfSeries, newest: Newest) -> str:
    move = config.front_door("rebase")
    if newest.is_base:
        return "the series is on the newest"
    if newest.between:
        count, names = len(newest.between), ", ".join(newest.between)
        return f"{count} release(s) behind: {names}; {move} moves the series"
    if newest.is_base is None:
        return "how far the base is behind is not known"
    if newest.tip:
        return f"no release behind, but not on {config.upstream.branch}: {move} moves the series"
    return f"the base {base.version} is no release that is listed, or is newer than all of them"


def _record(one: RecordState) -> str:
    made = f", made on {one.base}" if one.base else ""
    if one.state == "fresh":
        return f"{one.kind}: fresh{made}"
    return f"{one.kind}: {one.state} ({one.why}){made}: {one.command}"
