from __future__ import annotations

from pathlib import Path

import pytest

from carry import config, evidence, freshness, pull_request, subject
from carry.freshness import State

from . import records
from .proposing import ROWS, body, propose, reword
from .repository import Repository

EXPECTED = """\
## What

Compares slices, see #3.

A robot helped.

## Shown by

- 11 tests pass. [tests]
- 2,048 looks become 24.5. [bench]

| run | baseline | changed | runs | spread | command |
| --- | --- | --- | --- | --- | --- |
| a long row | 2,048 | 24.5 | 61 |  | `nox -s bench` |
| on ROCm | not run | not run |  |  | `nox -s bench` |

Run `pytest -n 2`.

## More

It is simple.

<details>
<summary>How often</summary>

61 times.

</details>

#7 is something else.

<details>
<summary>Other pull requests, and how each differs</summary>

- #7: It needs threads.

</details>
"""


@pytest.fixture
def proposing(synced: Repository) -> Repository:
    """A repository with words and two records."""
    propose(synced)
    return synced


def faults(repository: Repository) -> list[str]:
    """What the lint says of the text; its last line to the user counts them."""
    said = repository.carry("pr")
    assert said.code == 1
    found = [line for line in said.out.splitlines()[2:] if not line.startswith("cannot be opened")]
    assert f"{len(found)} fault(s) in the pull request's text; mend patches/" in said.err
    return found


def test_words_and_records_fill_upstreams_template(proposing: Repository) -> None:
    text = body(proposing)
    assert text.startswith(EXPECTED)
    assert text.endswith(
        "---\n\n- [x] I used a robot.\n- [x] **Tests:** They ran. All of them.\n\nRead the guide.\n"
    )
    assert "| tests | fresh | `nox -s test` | 1.0.0 (" in text
    assert "| rebase | missing: not run | `nox -s rebase` |" in text
    title = (proposing.root / "build" / "pull_request.title").read_text()
    assert title == "[Scan] Compare slices in Scanner.find\n"


def test_the_same_comes_out_again(proposing: Repository) -> None:
    assert body(proposing) == body(proposing)


def test_a_changed_record_changes_the_text(proposing: Repository) -> None:
    before = body(proposing)
    rows = [ROWS[0], ROWS[1] | {"after": 23.6}]
    records.record(proposing, "bench", rounds=60, rows=rows)
    records.record(proposing, "tests", passed=12)
    after = body(proposing)
    for old, new in (("24.5", "23.6"), ("61", "60"), ("11 tests", "12 tests")):
        assert old in before
        assert old not in after
        assert new in after


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda it: evidence.path(it.root, "bench").unlink(), ""),
        (lambda it: records.record(it, "bench", days=40, rounds=61, rows=ROWS), "40 days old"),
        (lambda it: records.alter(it, "bench", rounds=99), "was altered since it was recorded"),
        (
            lambda it: records.record(it, "bench", outcome="failed", problem="no /tmp/x"),
            "failed: no …",
        ),
        (lambda it: records.record(it, "bench", outcome="skipped"), "skipped"),
    ],
)
def test_what_no_fresh_record_shows_reads_not_run(
    proposing: Repository, spoil: object, why: str
) -> None:
    assert callable(spoil)
    spoil(proposing)
    text = body(proposing)
    reason = f" ({why})" if why else ""
    assert f"- about bench: not run{reason} [bench]\n" in text
    assert "| a … row | not run | not run |" in text
    assert f"<summary>How often</summary>\n\nabout bench: not run{reason}" in text
    assert "11 tests pass" in text
    for number in ("2,048", "24.5", "61 times", "99"):
        assert number not in text
    assert why.removesuffix(" …") in proposing.done("status")


def test_after_a_move_nothing_is_claimed_until_it_is_run_again(proposing: Repository) -> None:
    proposing.git("add", "patches")
    proposing.git("commit", "--quiet", "-m", "Words")
    proposing.done("rebase", "--onto", "1.1.0")
    text = body(proposing)
    assert "- about tests: not run (base changed: 1.0.0 → 1.1.0) [tests]" in text
    assert "- [ ] **Tests:**" in text
    assert "11 tests" not in text


def test_the_words_stay_through_every_command(proposing: Repository) -> None:
    proposing.git("add", "patches")
    proposing.git("commit", "--quiet", "-m", "Words")
    file = proposing.root / "patches" / "pull_request.toml"
    before = file.read_text()
    proposing.done("verify")
    proposing.done("rebase", "--onto", "1.1.0")
    proposing.change("README.md", ("# acme\n", "# my acme\n"))
    proposing.tree_git("commit", "--quiet", "--all", "-m", "Mine")
    proposing.done("export")
    proposing.done("sync")
    assert file.read_text() == before


def test_a_fresh_clone_has_a_text_too(repository: Repository) -> None:
    propose(repository)
    assert body(repository).startswith("## What\n\nCompares slices")
    assert not (repository.tree / "acme").exists()


def test_what_keeps_it_from_being_opened_is_listed(proposing: Repository) -> None:
    records.record(proposing, "tests", days=31)
    said = proposing.done("pr")
    for obstacle in (
        "the series is signed off by a placeholder, Ada Carrier <ada@carrier.invalid>; carry adopt",
        "tests is stale (31 days old); nox -s test",
        "rebase is missing (not run); nox -s rebase",
        "the checklist's 'Tests' is not ticked; do what it says",
    ):
        assert f"cannot be opened yet: {obstacle}" in said
    assert "bench is" not in said


def test_an_edit_of_the_text_is_kept(proposing: Repository) -> None:
    body(proposing)
    file = proposing.root / "build" / "pull_request.md"
    file.write_text("mine\n")
    line = proposing.refused("pr")
    assert "build/pull_request.md was edited by hand" in line
    assert "move your words to patches/pull_request.toml, or give it up with --overwrite" in line
    assert file.read_text() == "mine\n"
    proposing.done("pr", "--overwrite")
    assert file.read_text().startswith(EXPECTED)
    proposing.done("pr")


def test_an_edit_of_the_title_is_kept(proposing: Repository) -> None:
    body(proposing)
    file = proposing.root / "build" / "pull_request.title"
    file.write_text("[Mine]\n")
    assert "build/pull_request.title was edited" in proposing.refused("pr")
    assert file.read_text() == "[Mine]\n"


def test_a_text_of_unknown_origin_is_kept(proposing: Repository) -> None:
    body(proposing)
    (proposing.root / "build" / "pull_request.sha256").unlink()
    assert "was edited by hand, or by an earlier carry" in proposing.refused("pr")


def test_a_text_that_was_taken_away_is_written_again(proposing: Repository) -> None:
    before = body(proposing)
    (proposing.root / "build" / "pull_request.md").unlink()
    assert body(proposing) == before


def test_a_fault_fails_the_command_but_the_text_can_be_read(proposing: Repository) -> None:
    reword(proposing, "It is simple.", "It is 3 times as fast.")
    assert faults(proposing) == [
        "detail 1: the number 3 is from no record; put a placeholder there"
    ]
    assert "3 times" in (proposing.root / "build" / "pull_request.md").read_text()


def test_a_sign_off_that_is_not_the_authors_is_a_fault(proposing: Repository) -> None:
    file = proposing.root / "pyproject.toml"
    file.write_text(file.read_text().replace("Ada Carrier", "Bo Carrier"))
    found = faults(proposing)
    assert any("is not signed off by Bo Carrier <ada@carrier.invalid>" in line for line in found)


def test_words_that_are_missing_are_a_line(proposing: Repository) -> None:
    (proposing.root / "patches" / "pull_request.toml").unlink()
    assert "pull_request.toml is missing; write there what is to be" in proposing.refused("pr")
    assert not (proposing.root / "build").exists()


def test_a_template_that_is_not_there_is_a_line(proposing: Repository) -> None:
    file = proposing.root / "pyproject.toml"
    file.write_text(file.read_text().replace("title-pat", 'template = "NONE.md"\ntitle-pat'))
    assert "1.0.0 has no NONE.md; set [tool.carry.pull-request] template" in proposing.refused("pr")


def test_a_range_diff_goes_into_a_collapsed_part(proposing: Repository) -> None:
    loaded = config.load(proposing.root)
    built = pull_request.write(loaded, "auto", range_diff="1:  abc = 1:  def Compare slices\n")
    assert built.problems == ()
    assert built.file == Path(proposing.root / "build" / "pull_request.md")
    assert built.file.read_text() == built.body
    collapsed = built.body.partition("<summary>Range-diff against the version before</summary>")[2]
    assert "```diff\n1:  abc = 1:  def Compare slices\n```\n\n</details>" in collapsed


def test_claims_say_what_their_records_are_good_for(proposing: Repository) -> None:
    records.record(proposing, "bench", days=40, rounds=61, rows=ROWS)
    loaded = config.load(proposing.root)
    found = pull_request.claims(loaded, freshness.survey(loaded, subject.present(loaded)))
    assert found == (
        pull_request.Claim("11 tests pass.", "tests", State.FRESH),
        pull_request.Claim("… looks become ….", "bench", State.STALE),
    )
