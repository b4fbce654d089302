"""A canary on the small upstream: what it finds, and that nobody's work is touched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from carry import config, process
from carry.canary import steps

from .carrying import AUTHOR, carrying_repository, make_series
from .hooked import FILES, with_table
from .records import ask_for_records
from .repository import Repository, Said, carry
from .small_upstream import Upstream, build, run_git
from .test_rebase import add_check

FIRST = "0001-Compare-slices-in-Scanner.find.patch"
#: Upstream's tests start sooner without what this environment has for ours.
QUICK = '\n[tool.carry.tests.environment]\nPYTEST_DISABLE_PLUGIN_AUTOLOAD = "1"\n'


@pytest.fixture(scope="module")
def hooked_upstream(tmp_path_factory: pytest.TempPathFactory) -> Upstream:
    """An upstream with hooks and tests."""
    return build(tmp_path_factory.mktemp("hooked") / "acme", FILES)


def carrying(folder: Path, upstream: Upstream) -> Path:
    """A repository that carries the series on it; its submodule is not there yet."""
    (folder / "series").mkdir()
    root = carrying_repository(folder, upstream, make_series(upstream, folder / "series"))
    with (root / "pyproject.toml").open("a") as file:
        file.write(QUICK)
    (root / ".gitignore").write_text("/.carry/\n/build/\n__pycache__/\n")
    with_table(root)
    return root


@pytest.fixture
def hooked(
    tmp_path: Path, hooked_upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> Repository:
    """The same, with the series in place."""
    repository = Repository(carrying(tmp_path, hooked_upstream), capsys)
    repository.done("sync")
    return repository


def report(root: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((root / "build/canary/report.json").read_text())
    return read


def text(root: Path) -> str:
    return (root / "build/canary/report.md").read_text()


def outcomes(root: Path) -> list[str]:
    return [step["outcome"] for step in report(root)["steps"]]


def failed(repository: Repository, *words: str) -> Said:
    """Run a canary that must end with exit code 1 and one line for the user."""
    said = repository.carry("canary", *words)
    assert said.code == 1, said
    assert said.err.count("\n") == 1, said.err
    return said


def everything(root: Path) -> dict[str, bytes]:
    """Every file but the ignored ones and git's own, and what git says of both repositories."""
    kept = {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in (".git", ".carry", "build")
    }
    for where in (root, root / "acme"):
        for words in (("status", "--porcelain"), ("for-each-ref",), ("rev-parse", "HEAD"),
                      ("config", "--list"), ("worktree", "list"), ("stash", "list"),
                      ("ls-files", "--stage", "-t")):  # fmt: skip
            kept[f"{where.name} {words}"] = run_git(where, *words).encode()
    return kept


def left(root: Path) -> list[str]:
    """What a canary leaves in the ignored folder, besides what is shared."""
    there = {entry.name for entry in (root / ".carry").iterdir()}
    return sorted(there - {"downloads", "pre-commit", "lock", "worktrees"})


@dataclass(frozen=True)
class Ran:
    """A canary that has run, and the repository before and after it."""

    root: Path
    out: str
    before: dict[str, bytes]
    after: dict[str, bytes]


@pytest.fixture(scope="module")
def ran(hooked_upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    """A canary onto 1.1.0, with work that is not committed and the clone of a killed one."""
    root = carrying(tmp_path_factory.mktemp("ran"), hooked_upstream)
    assert carry(root, "sync") == 0
    (root / "evidence").mkdir()
    (root / "evidence" / "tests.json").write_text("a record\n")
    run_git(root, "add", "evidence")
    run_git(root, "commit", "--quiet", "-m", "Record", who=AUTHOR)
    (root / "patches" / "series").write_text("# mine\n")
    (root / ".carry" / "canary" / "acme").mkdir(parents=True)
    before = everything(root)
    words = [sys.executable, "-m", "carry", "--root", str(root), "canary", "--onto", "1.1.0"]
    done = process.run(words, cwd=root, env=WITH_TOOLS)
    assert done.code == 0, done
    yield Ran(root, done.stdout, before, everything(root))


WITH_TOOLS = {"PYTHONPATH": str(Path(__file__).parents[2] / "tools")}


def test_all_passes_on_a_newer_release(ran: Ran, hooked_upstream: Upstream) -> None:
    assert "the canary on 1.1.0: passed" in ran.out
    assert ran.out.endswith("the report is build/canary/report.md\n")
    found, ids = report(ran.root), hooked_upstream.releases
    assert (found["schema"], found["outcome"], found["patches"]) == (1, "passed", 2)
    assert found["from"] == {"base": "1.0.0", "commit": ids["1.0.0"]}
    assert found["onto"] == {"base": "1.1.0", "commit": ids["1.1.0"]}
    assert found["checked"] == run_git(ran.root, "rev-parse", "HEAD")
    assert outcomes(ran.root) == ["passed", "passed", "passed"]
    assert (found["tests"]["passed_before"], found["tests"]["passed_after"]) == (5, 6)
    name = "tests/test_scan.py::test_find_stops_where_no_mark_can_fit"
    assert found["tests"]["differ"] == [{"name": name, "before": "", "after": "passed"}]
    assert found["hooks"] == {"total": "3 passed, 0 failed, 1 without files", "failed": []}
    assert found["changed_functions"] == []
    assert text(ran.root).startswith("# Canary: passed on 1.1.0\n")


def test_nothing_of_the_repository_changes(ran: Ran) -> None:
    assert ran.after == ran.before
    assert left(ran.root) == []


def test_what_is_not_committed_is_left_out_and_named(ran: Ran) -> None:
    assert "note: 1 uncommitted change(s), patches/series first" in ran.out


def test_the_clone_of_a_killed_run_is_removed(ran: Ran) -> None:
    assert "an earlier canary was stopped: its clone is removed" in ran.out


def test_the_reports_name_no_folder_of_this_machine(ran: Ran) -> None:
    for file in (ran.root / "build" / "canary").iterdir():
        assert str(ran.root.parent) not in file.read_text()


def test_a_conflict_names_patch_and_files(hooked: Repository, tmp_path: Path) -> None:
    before = everything(hooked.root)
    said = failed(hooked, "--onto", "1.3.0")
    assert said.err == (
        f"carry: the canary's rebase ended with conflict: {FIRST} conflicts with 1.3.0 in "
        "acme/scan.py; the report is build/canary/report.md\n"
    )
    found = report(hooked.root)
    assert found["outcome"] == "conflict"
    assert found["conflicts"] == [{"patch": FIRST, "files": ["acme/scan.py"]}]
    assert outcomes(hooked.root) == ["conflict", "not run", "not run"]
    assert {step["problem"] for step in found["steps"][1:]} == {"the rebase did not pass"}
    # The reason stands beside it: upstream's change to the function that the patch rewrites.
    (function,) = found["changed_functions"]
    assert "+                if cell.lower() != wanted[matched].lower():" in function["diff"]
    assert f"- `{FIRST}` in `acme/scan.py`" in text(hooked.root)
    assert everything(hooked.root) == before
    assert left(hooked.root) == []


def test_a_landed_patch_is_named(hooked: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    said = failed(hooked, "--onto", "1.4.0", "--report", str(folder))
    assert f"{FIRST} landed upstream" in said.err
    assert f"the report is {folder}/report.md" in said.err
    found = json.loads((folder / "report.json").read_text())
    assert (found["landed"], found["outcome"]) == ([FIRST], "failed")
    assert f"## Landed upstream\n\n- `{FIRST}`\n" in (folder / "report.md").read_text()


def test_a_failed_check_and_a_changed_function_on_the_newest(
    hooked: Repository, hooked_upstream: Upstream
) -> None:
    add_check(hooked, "import sys; sys.exit(3)")
    said = failed(hooked)
    assert "rebase ended with failed: the check failed on the moved series: it holds" in said.err
    assert outcomes(hooked.root) == ["failed", "not run", "not run"]
    assert report(hooked.root)["onto"]["commit"] == hooked_upstream.main
    (function,) = report(hooked.root)["changed_functions"]
    assert function["name"] == "acme/scan.py::Scanner.find"
    assert '-            raise ValueError("start is negative")' in function["diff"]
    assert '+            raise ValueError(f"start is negative: {start}")' in function["diff"]
    assert f"```diff\n{function['diff']}\n```\n" in text(hooked.root)


@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "not recorded"])
def test_a_series_that_need_not_move_is_checked_once(hooked: Repository, *, recorded: bool) -> None:
    marker = hooked.root.parent / "ran"
    add_check(hooked, f"open({str(marker)!r}, 'a').write('x')")
    if recorded:
        ask_for_records(hooked)
    found = steps.Rebased()
    options = steps.Options(Path(sys.executable), "auto", "1.0.0")
    result = steps.move(config.load(hooked.root), options, found)
    assert (result, found.checks) == ("already there; it holds: passed", ("it holds",))
    assert marker.read_text() == "x"


def test_a_record_that_is_committed_does_not_stand_for_a_check(hooked: Repository) -> None:
    ask_for_records(hooked)
    hooked.git("commit", "--quiet", "--all", "-m", "Ask")
    hooked.done("rebase", "--onto", "1.0.0")
    hooked.git("add", "evidence")
    hooked.git("commit", "--quiet", "-m", "Record")
    add_check(hooked, "import sys; sys.exit(3)")
    assert "it holds (exit 3)" in failed(hooked, "--onto", "1.0.0").err


def test_a_broken_test_and_a_failing_hook_are_both_found(hooked: Repository) -> None:
    begin = "        found, place = "
    hooked.change("acme/scan.py", (f"{begin}0,", f"        # TODO\n{begin}1,"))
    hooked.tree_git("commit", "--quiet", "--all", "--amend", "--no-edit")
    hooked.done("export")
    hooked.git("commit", "--quiet", "-m", "Break", "--", "patches")
    said = failed(hooked, "--onto", "1.1.0")
    assert "upstream's tests ended with failed: the series breaks 1 test(s)" in said.err
    assert outcomes(hooked.root) == ["passed", "failed", "failed"]
    broken = {"name": "tests/test_scan.py::test_count", "before": "passed", "after": "failed"}
    assert broken in report(hooked.root)["tests"]["differ"]
    assert "| `tests/test_scan.py::test_count` | passed | failed |" in text(hooked.root)
    assert report(hooked.root)["hooks"]["failed"] == ["no-todo"]
    assert "## Hooks that do not pass\n\n- `no-todo`\n" in text(hooked.root)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_leaves_no_clone_and_no_report(hooked: Repository, number: signal.Signals) -> None:
    add_check(hooked, "import time; open('begun', 'w').close(); time.sleep(60)")
    old = hooked.root / "build" / "canary"
    old.mkdir(parents=True)
    (old / "report.md").write_text("of yesterday\n")
    running = subprocess.Popen(
        [sys.executable, "-m", "carry", "--root", str(hooked.root), "canary", "--onto", "1.1.0"],
        env=os.environ | WITH_TOOLS,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (hooked.root / ".carry" / "canary" / "begun").exists():
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    assert "already under way: canary, process" in hooked.refused("sync")
    os.killpg(running.pid, number)
    running.communicate()
    assert running.returncode == 130
    assert list(old.iterdir()) == []
    assert left(hooked.root) == []
