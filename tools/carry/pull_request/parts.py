"""The parts of the text, each from people's words and from the records that are fresh."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from carry import machine_paths
from carry.freshness import Evidence, State
from carry.pull_request import words
from carry.pull_request.filling import FillError, Filling
from carry.pull_request.words import Passage, Row, Words

#: What a row says where its record does not show it.
NOT_RUN = "not run"
_COLUMNS = ("run", "baseline", "changed", "runs", "spread", "command")


def fresh(evidence: Sequence[Evidence]) -> Filling:
    """What fills the placeholders: the fresh records, and nothing else."""
    usable = {one.kind: one.record for one in evidence if one.state is State.FRESH and one.record}
    return Filling(usable)


@dataclass
class Parts:
    """Makes the parts, and gathers what is wrong with the words.

    Attributes:
        words: What people wrote.
        evidence: The records as they are.
        range_diff: How the series differs from the version that was published last.
        problems: What was found wrong so far.
    """

    words: Words
    evidence: Sequence[Evidence]
    range_diff: str = ""
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._filling = fresh(self.evidence)
        self._by_kind = {one.kind: one for one in self.evidence}

    def all(self) -> dict[str, str]:
        """Every part by its name; one that has nothing to say is empty."""
        makers: dict[str, Callable[[], str]] = {
            "overview": lambda: self._filled("overview", self.words.overview),
            "claims": self._claims,
            "validation": self._validation,
            "repeat": lambda: self._filled("repeat", self.words.repeat),
            "details": self._details,
            "differences": self._differences,
            "assistance": lambda: self._filled("assistance", self.words.assistance),
            "records": self._records,
            "range-diff": self._range_diff,
        }
        return {name: make() for name, make in makers.items()}

    def title(self) -> str:
        """The title; it has no record to rest on."""
        return self._filled("title", self.words.title)

    def ticked(self) -> list[str]:
        """The boxes to tick: those whose records are all fresh."""
        return [
            tick.begins
            for tick in self.words.tick
            if all(self._is_fresh(kind) for kind in tick.kinds)
        ]

    def _filled(
        self, where: str, text: str, kind: str = "", let: Mapping[str, str] | None = None
    ) -> str:
        try:
            return self._filling.text(text, kind, let)
        except FillError as error:
            self.problems.append(f"{where}: {error}")
            return NOT_RUN

    def _is_fresh(self, kind: str) -> bool:
        one = self._by_kind.get(kind)
        return one is not None and one.state is State.FRESH

    def _not_run(self, where: str, kind: str) -> str:
        """What stands in place of what a record does not show."""
        one = self._by_kind.get(kind)
        if one is None:
            self.problems.append(f"{where} rests on {kind!r}, which is no kind of record here")
            return NOT_RUN
        why = f" ({machine_paths.without(one.why)})" if one.why != NOT_RUN else ""
        return f"{one.title}: {NOT_RUN}{why} [{kind}]"

    def _claims(self) -> str:
        lines = []
        for number, claim in enumerate(self.words.claim, 1):
            where = f"claim {number}"
            if self._is_fresh(claim.kind):
                text = self._filled(where, claim.text, claim.kind, claim.let)
                lines.append(f"- {text} [{claim.kind}]")
            else:
                # Once for all claims that rest on it.
                lines.append(f"- {self._not_run(where, claim.kind)}")
        return "\n".join(dict.fromkeys(lines))

    def _validation(self) -> str:
        if not self.words.row:
            return ""
        rows = [self._row(f"row {number}", row) for number, row in enumerate(self.words.row, 1)]
        return _table(_COLUMNS, rows)

    def _row(self, where: str, row: Row) -> list[str]:
        command = f"`{self._by_kind[row.kind].command}`" if row.kind in self._by_kind else ""
        without = words.without_numbers(row.configuration)
        if not self._is_fresh(row.kind):
            self._not_run(where, row.kind)
            return [without, NOT_RUN, NOT_RUN, "", "", command]
        try:
            if self._filling.holds(row.when, row.kind, row.let):
                cells = (row.configuration, row.baseline, row.changed, row.runs, row.spread)
                filled = [self._filling.text(cell, row.kind, row.let) for cell in cells]
                return [*filled, command]
        except FillError as error:
            self.problems.append(f"{where}: {error}")
        return [without, NOT_RUN, NOT_RUN, "", "", command]

    def _details(self) -> str:
        made = (self._detail(f"detail {n}", each) for n, each in enumerate(self.words.detail, 1))
        return "\n\n".join(made)

    def _detail(self, where: str, passage: Passage) -> str:
        if passage.kind and not self._is_fresh(passage.kind):
            text = self._not_run(where, passage.kind)
        else:
            text = self._filled(where, passage.text, passage.kind, passage.let)
        return collapsed(passage.summary, text) if passage.summary else text

    def _differences(self) -> str:
        lines = [
            f"- #{number}: {self._filled(f'differences {number}', text)}"
            for number, text in sorted(self.words.differences.items(), key=_as_number)
        ]
        listed = collapsed("Other pull requests, and how each differs", "\n".join(lines))
        distinct = self._filled("distinct", self.words.distinct)
        return f"{distinct}\n\n{listed}" if lines else distinct

    def _records(self) -> str:
        columns = ("record", "is", "run with", "base", "started", "seconds", "on")
        rows = [_record(one) for one in self.evidence]
        return (
            collapsed("The records that this text rests on", _table(columns, rows)) if rows else ""
        )

    def _range_diff(self) -> str:
        if not self.range_diff:
            return ""
        text = f"```diff\n{self.range_diff.rstrip()}\n```"
        return collapsed("Range-diff against the version before", text)


def collapsed(summary: str, text: str) -> str:
    """A part of the text that opens on a click."""
    return f"<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"


def _as_number(entry: tuple[str, str]) -> int:
    return int(entry[0]) if entry[0].isdigit() else 0


def _record(one: Evidence) -> list[str]:
    state = f"{one.state}: {machine_paths.without(one.why)}" if one.why else str(one.state)
    command = f"`{one.command}`"
    if one.record is None:
        return [one.kind, state, command, "", "", "", ""]
    subject, machine = one.record.subject, one.record.machine
    where = f"{machine.cpu}, {machine.cores} cores, {machine.memory:.0f} GiB, {machine.device}"
    base = f"{subject.base} ({subject.commit[:12]})"
    return [one.kind, state, command, base, one.record.started, f"{one.record.seconds}", where]


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
