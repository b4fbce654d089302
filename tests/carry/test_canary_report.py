"""The report: the worst outcome, and a text in which nothing breaks out of its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carry.canary import markdown, report, writing
from carry.canary.report import (
    Change,
    Commit,
    End,
    Function,
    Nearby,
    Outcome,
    Report,
    Step,
)
from carry.canary.words import Words

PASSED, CONFLICT, FAILED, NOT_RUN = Outcome


def steps(*outcomes: Outcome) -> tuple[Step, ...]:
    return tuple(Step(f"step {n}", outcome) for n, outcome in enumerate(outcomes))


def made(**fields: object) -> Report:
    """A report of a run that passed, but for these fields."""
    given: dict[str, object] = {
        "outcome": PASSED,
        "started": "2026-12-01T03:00:00+00:00",
        "seconds": 12.0,
        "checked": "0123456789abcdef",
        "origin": End("1.0.0", "a" * 40),
        "onto": End("1.1.0", "b" * 40),
        "patches": 2,
        "steps": steps(PASSED),
        "nearby": Nearby(True),
    }
    return Report(**(given | fields))  # type: ignore[arg-type]


def text(folder: Path, **fields: object) -> str:
    return writing.write(folder, made(**fields)).read_text()


@pytest.mark.parametrize(
    ("outcomes", "worst"),
    [
        ((PASSED, PASSED), PASSED),
        ((PASSED, FAILED), FAILED),
        ((CONFLICT, NOT_RUN), CONFLICT),
        ((FAILED, CONFLICT), CONFLICT),
        ((PASSED, NOT_RUN), FAILED),
    ],
)
def test_the_worst_step_decides(outcomes: tuple[Outcome, ...], worst: Outcome) -> None:
    assert report.worst(steps(*outcomes)) is worst


def test_the_step_that_is_named_is_the_worst() -> None:
    found = made(outcome=FAILED, steps=steps(PASSED, NOT_RUN, FAILED))
    assert found.worst.name == "step 2"


def test_both_forms_say_the_same(tmp_path: Path) -> None:
    shown = text(tmp_path / "new" / "folder")
    read = json.loads((tmp_path / "new" / "folder" / "report.json").read_text())
    assert (read["schema"], read["from"]["base"], read["onto"]["base"]) == (1, "1.0.0", "1.1.0")
    assert "Started 2026-12-01 03:00 UTC, took 12 s." in shown
    assert "2 patch(es) from 1.0.0 (`aaaaaaaaa`) onto 1.1.0 (`bbbbbbbbb`)" in shown
    assert "| step 0 | passed |" in shown


def test_a_base_whose_name_has_its_commit_says_it_once(tmp_path: Path) -> None:
    shown = text(tmp_path, onto=End("main (bbbbbbb)", "b" * 40))
    assert "onto main (bbbbbbb), as committed in `012345678`." in shown


def test_what_there_is_nothing_to_say_of_has_no_section(tmp_path: Path) -> None:
    headings = [line for line in text(tmp_path).splitlines() if line.startswith("#")]
    assert headings == ["# Canary: passed on 1.1.0", "## Upstream's commits nearby"]


def test_a_diff_stays_in_its_block(tmp_path: Path) -> None:
    diff = "+```python\n+````\n+# Heading"
    shown = text(tmp_path, changed_functions=(Function("a.py::f", diff),))
    assert f"\n`````diff\n{diff}\n`````\n" in shown


def test_a_long_diff_is_cut_and_whole_in_the_json(tmp_path: Path) -> None:
    diff = "\n".join(f"+{number}" for number in range(250))
    shown = text(tmp_path, changed_functions=(Function("a.py::f", diff),))
    assert "+199\n```\n\n50 more line(s) are in report.json.\n" in shown
    read = json.loads((tmp_path / "report.json").read_text())
    assert read["changed_functions"] == [{"name": "a.py::f", "diff": diff}]


def test_a_subject_of_upstreams_calls_nobody_and_stays_in_its_cell(tmp_path: Path) -> None:
    commit = Commit("123456789", "2026-12-01", "Ask @ada | `b` <b> (#1)", ("a|b.py",))
    shown = text(tmp_path, nearby=Nearby(True, "", 7, (commit,)))
    assert "1 of the 7 commit(s) since 1.0.0 change a file of the series." in shown
    row = "| `123456789` | 2026-12-01 | ``Ask @ada \\| `b` <b> (#1)`` | `a\\|b.py` |"
    assert f"{row}\n" in shown


def test_a_long_list_is_cut(tmp_path: Path) -> None:
    differ = tuple(report.Test(f"t.py::t{n}", "passed", "failed") for n in range(60))
    tests = report.Tests(60, 0, 60, differ)
    shown = text(tmp_path, outcome=FAILED, tests=tests)
    assert "| `t.py::t49` | passed | failed |\n\n10 more are in report.json.\n" in shown
    assert "t50" not in shown


def test_the_series_own_tests_need_no_table(tmp_path: Path) -> None:
    added = report.Test("t.py::added", "", "passed")
    assert "t.py" not in text(tmp_path, tests=report.Tests(1, 2, 0, (added,)))
    bad = report.Test("t.py::bad", "", "failed")
    shown = text(tmp_path, tests=report.Tests(1, 2, 1, (added, bad)))
    assert "1 pass before the series, 2 after it; the series breaks 1." in shown
    assert "| `t.py::bad` | not there | failed |" in shown
    assert "added" not in shown


def test_only_patches_that_the_move_changed_are_listed(tmp_path: Path) -> None:
    moves = (Change("One", "unchanged"), Change("Two", "changed"))
    shown = text(tmp_path, range_diff=moves)
    assert "- changed: `Two`" in shown
    assert "One" not in shown


def test_that_nothing_changed_is_said_after_a_rebase_alone(tmp_path: Path) -> None:
    same = "Every patch is what it was"
    assert same in text(tmp_path)
    assert same not in text(tmp_path, range_diff=(Change("Two", "changed"),))
    assert same not in text(tmp_path, changed_functions=(Function("a.py::f", "+b"),))
    assert same not in text(tmp_path, outcome=FAILED, steps=steps(FAILED))


def test_an_unknown_neighbourhood_says_why(tmp_path: Path) -> None:
    shown = text(tmp_path, nearby=Nearby(False, "git: no answer within 5 s"))
    assert "Not known: `git: no answer within 5 s`." in shown


def test_no_secret_is_written(tmp_path: Path) -> None:
    why = "git: cannot read https://ada:secret@example.invalid/acme.git"
    shown = text(tmp_path, nearby=Nearby(False, why))
    assert "https://***@example.invalid" in shown
    assert "secret" not in (tmp_path / "report.json").read_text()


def test_an_earlier_report_is_forgotten(tmp_path: Path) -> None:
    text(tmp_path)
    writing.forget(tmp_path)
    assert list(tmp_path.iterdir()) == []
    writing.forget(tmp_path / "not there")


def test_words_lose_the_folders_of_this_machine() -> None:
    words = Words((Path("/srv/series"), Path("/srv/series/.carry/canary")))
    said = "cannot read /srv/series/.carry/canary/acme/a.py of /srv/series, see /tmp/x.log"
    assert words.clean(said) == "cannot read acme/a.py of …, see …"


@pytest.mark.parametrize(
    ("words", "code"),
    [("a\nb", "`a b`"), ("`", "`` ` ``"), ("a``b", "```a``b```"), ("", "")],
)
def test_code_is_one_line_whatever_it_holds(words: str, code: str) -> None:
    assert markdown.code(words) == code
