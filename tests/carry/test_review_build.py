"""The page is made of the records that are fresh, and says what is not."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from carry import config, evidence, published, subject

from .carrying import AUTHOR
from .repository import MakeRepository, Repository
from .reviewed import configure, record
from .small_index import Index
from .small_upstream import Upstream


@pytest.fixture
def reviewed(synced: Repository) -> Repository:
    configure(synced.root)
    record(synced.root)
    return synced


def page(repository: Repository) -> str:
    repository.done("review")
    return (repository.root / "build" / "review" / "index.html").read_text()


def section(text: str, name: str) -> str:
    """What a reader sees of a section."""
    match = re.search(rf'<section id="{name}".*?</section>', text, re.DOTALL)
    assert match, name
    return " ".join(unescape(re.sub("<[^>]+>", " ", match[0])).split())


def test_it_says_where_the_page_is_and_what_it_lacks(reviewed: Repository) -> None:
    out = reviewed.done("review")
    assert "not shown: the move, missing: not run (nox -s rebase)\n" in out
    assert "1 of 2 kinds of evidence are fresh\n" in out
    file = reviewed.root / "build" / "review" / "index.html"
    assert out.endswith(f"the reviewer's page: {file}\n")
    assert [entry.name for entry in file.parent.iterdir()] == [file.name]


def test_it_shows_what_is_carried(reviewed: Repository) -> None:
    text = page(reviewed)
    assert "<h1>Compare slices</h1>" in text
    assert "find compares slices &amp; no cells." in text
    change = section(text, "the-change")
    for words in ("Scanner. find", "acme/ scan. py", "Upstream", "== wanted:", "matched = 0"):
        assert words in change
    patches = section(text, "the-patches")
    for words in ("Compare slices in Scanner. find", "It is faster.", AUTHOR[1],
                  "find compares cell by cell", "+def test_find_stops_where"):  # fmt: skip
        assert words in patches
    assert "nothing to compare" in section(text, "range-diff")


def test_a_fresh_record_is_shown(reviewed: Repository) -> None:
    made = record(reviewed.root)
    text = page(reviewed)
    assert "fresh find looks 4,321 times. Record: rows" in section(text, "claims")
    part = section(text, "what-it-costs")
    assert "4,321 looks, a < b" in part
    assert '<svg viewBox="0 0 20 10" role="img" aria-label="Looks by row"' in text
    shown = section(text, "evidence")
    for words in (made.subject.series, "base 1.0.0", made.machine.python, "nox -s rows"):
        assert words in shown
    assert "rows of cells" not in section(text, "not-run").lower()


def test_the_same_facts_give_the_same_page(reviewed: Repository) -> None:
    assert page(reviewed) == page(reviewed)


def test_a_changed_figure_shows(reviewed: Repository) -> None:
    record(reviewed.root, looks=77)
    assert "77 looks" in section(page(reviewed), "what-it-costs")


def test_a_plot_of_another_run_is_not_shown(reviewed: Repository) -> None:
    record(reviewed.root, looks=77, draw=False)
    text = page(reviewed)
    assert "review/plot.svg was drawn from another run" in section(text, "what-it-costs")
    assert "<svg" not in text


def delete(root: Path) -> None:
    evidence.path(root, "rows").unlink()


def alter(root: Path) -> None:
    file = evidence.path(root, "rows")
    file.write_text(file.read_text().replace("4321", "1"))


def age(root: Path) -> None:
    record(root, days=31)


def fail(root: Path) -> None:
    record(root, outcome="failed", problem="too many looks")


def garble(root: Path) -> None:
    evidence.path(root, "rows").write_text("{")


def test_what_is_not_fresh_is_told_and_not_shown(reviewed: Repository) -> None:
    for harm, says in (
        (fail, "(failed: too many looks)"),
        (age, "(31 days old)"),
        (alter, "(was altered since it was recorded)"),
        (garble, "(is no record:"),
        (delete, "Not run: nox -s rows runs it."),
    ):
        harm(reviewed.root)
        text = page(reviewed)
        part = section(text, "what-it-costs")
        assert says in part
        assert says in section(text, "evidence")
        assert says in section(text, "not-run")
        assert "looks, a" not in part
        assert "Not claimed: find looks … times." in section(text, "claims")
        assert "<svg" not in text


def test_a_record_of_another_series_is_not_shown(reviewed: Repository) -> None:
    reviewed.git("add", "patches")
    reviewed.git("commit", "--quiet", "-m", "Claim")
    reviewed.change("acme/scan.py", ("len(wanted) + 1", "len(wanted) + 1 + 0"))
    reviewed.tree_git("commit", "--quiet", "--all", "-m", "Add nothing")
    reviewed.done("export")
    text = page(reviewed)
    assert "series changed" in section(text, "what-it-costs")
    assert "Add nothing" in section(text, "the-patches")


def test_a_record_of_another_base_is_not_shown(reviewed: Repository) -> None:
    reviewed.git("add", "--all")
    reviewed.git("commit", "--quiet", "-m", "Configure")
    reviewed.done("rebase", "--onto", "1.1.0")
    text = page(reviewed)
    assert "base changed: 1.0.0 → 1.1.0" in section(text, "what-it-costs")
    move = section(text, "range-diff")
    assert "The move from 1.0.0 onto 1.1.0 unchanged: Compare slices in Scanner.find" in move


def test_what_was_published_is_compared(reviewed: Repository, upstream: Upstream) -> None:
    read = config.load(reviewed.root)
    version = published.Published(
        fork=str(upstream.repository),
        branch=read.branch,
        commit=reviewed.tree_git("rev-parse", "HEAD~1"),
        base=upstream.releases["1.0.0"],
        repository="acme/acme",
    )
    published.record(read, subject.present(read), version)
    shown = section(page(reviewed), "range-diff")
    assert "Since the version that was published last" in shown
    assert "= 1: " in shown
    assert "> 2: " in shown


def test_nothing_else_changes(repository: Repository) -> None:
    configure(repository.root)
    page(repository)
    assert [entry.name for entry in repository.tree.iterdir()] == [".git"]
    assert repository.worktrees() == []


def test_without_configuration_there_is_a_page_too(synced: Repository) -> None:
    text = page(synced)
    assert "<h1>Compare slices in Scanner.<wbr>find</h1>" in text
    assert "nothing that was recorded shows anything" in section(text, "claims")


def test_a_rehearsal_is_named(make_repository: MakeRepository, index: Index) -> None:
    repository = make_repository(git_in_reach=False)
    repository.done("rebase")
    assert "1.2.0" in page(repository)


def test_a_wrong_template_is_one_line(reviewed: Repository) -> None:
    file = reviewed.root / "review" / "rows.html.j2"
    for template, says in (
        ("{% if %}", "review/rows.html.j2, line 1: "),
        ("{{ record.result.rounds }}", "asks for what the record of rows lacks"),
        ("{% include 'no.css' %}", "[tool.carry.review] names no.css, which is not there"),
        ("{{ picture('no.svg', '') }}", "the picture no.svg is missing"),
    ):
        file.write_text(template)
        assert says in reviewed.refused("review")
    file.unlink()
    line = reviewed.refused("review")
    assert "[tool.carry.review] names review/rows.html.j2, which is not there" in line
    assert not (reviewed.root / "build" / "review" / "index.html").exists()


def test_a_part_of_an_unknown_kind_is_one_line(synced: Repository) -> None:
    part = '\n[[tool.carry.review.parts]]\ntitle = "A"\ntemplate = "a"\nkind = "b"\n'
    configure(synced.root, part)
    assert "part 'A' shows 'b', which is no evidence" in synced.refused("review")


def test_a_folder_of_this_machine_is_not_shown(reviewed: Repository) -> None:
    record(reviewed.root, remark=f"in {reviewed.root}/build")
    line = reviewed.refused("review")
    assert f"the page would show a folder of this machine, {reviewed.root}" in line


def test_what_a_record_says_is_no_markup(reviewed: Repository) -> None:
    record(reviewed.root, remark="<script>alert(1)</script>")
    text = page(reviewed)
    assert "<script" not in text
    assert "&lt;script&gt;" in text
