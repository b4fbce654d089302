from __future__ import annotations

import os
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from carry import config, git, outcomes, upstream_tests
from carry.errors import UserError
from carry.outcomes import Comparison, Outcome
from rich.console import Console

PYTHON = Path(sys.executable)
MIXED = "tests/unit/test_mixed.py"
ADDED = "tests/unit/test_added.py"
SEALED = "tests/test_sealed.py"

MIXED_BEFORE = """
import pytest
from product import answer

class TestKept:
    @pytest.mark.parametrize("x", ["a.b", "c::d/e"])
    def test_kept(self, x): assert answer() == 42

def test_broken(): pass
def test_setup_broken(): pass
def test_teardown_broken(): pass
def test_skipped(): pass
def test_gone(): pass
def test_bad(): assert False
def test_mended(): assert answer() == 43
def test_unskipped(): pytest.skip("not yet")
"""
MIXED_AFTER = """
import pytest
from product import answer

class TestKept:
    @pytest.mark.parametrize("x", ["a.b", "c::d/e"])
    def test_kept(self, x): assert answer() == 43

@pytest.fixture
def breaks(): raise ValueError

@pytest.fixture
def breaks_late():
    yield
    raise ValueError

def test_broken(): assert False
def test_setup_broken(breaks): pass
def test_teardown_broken(breaks_late): pass
def test_skipped(): pytest.skip("no longer")
def test_bad(breaks_late): assert False
def test_mended(): assert answer() == 43
def test_unskipped(): assert False
def test_new(): pass
def test_new_bad(): assert False
"""
SEALED_TEXT = """
import os, sys
from pathlib import Path
import product

def test_interpreter():
    assert sys.dont_write_bytecode
    tree = Path(__file__).parents[1]
    assert Path.cwd() == tree
    assert Path(product.__file__).parent == tree

def test_environment():
    assert os.environ["COLOUR"] == "blue"
    home = Path(os.environ["THE_HOME"])
    assert (home / "model" / "config.json").read_text() == "{}"
    (home / "model" / "scribble").write_text("written by a test")
"""


@pytest.fixture(autouse=True, scope="module")
def only_pytest_itself() -> Iterator[None]:
    """Spare the many small runs the plugins of our own environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield


@dataclass(frozen=True)
class Upstream:
    """A repository whose submodule has a base commit and a series on it."""

    config: config.Config
    base: str

    def compare(self, *files: str, python: Path = PYTHON) -> Comparison:
        return upstream_tests.compare(self.config, self.base, python, files)

    def with_tests(self, **changes: object) -> Upstream:
        tests = msgspec.structs.replace(self.config.tests, **changes)
        return Upstream(msgspec.structs.replace(self.config, tests=tests), self.base)


def commit(tree: Path, files: Mapping[str, str]) -> str:
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    git.run(tree, "add", "--all")
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid")
    git.run(tree, *who, "commit", "--quiet", "--allow-empty", "--message", "change")
    commit_id = git.head(tree)
    assert commit_id
    return commit_id


def make(
    root: Path, before: Mapping[str, str], after: Mapping[str, str], files: Sequence[str] = ()
) -> Upstream:
    named = ", ".join(f'"{file}"' for file in files)
    root.joinpath("pyproject.toml").write_text(f"""
[tool.carry]
author = "Test <test@example.invalid>"
branch = "perf/test"
upstream.package = "product"
tests.files = [{named}]
""")
    tree = root / "vllm"
    git.run(root, "init", "--quiet", "--initial-branch=main", str(tree))
    base = commit(tree, {"pyproject.toml": "[tool.pytest.ini_options]\n", **before})
    commit(tree, after)
    return Upstream(config.load(root), base)


def rendered(comparison: Comparison) -> str:
    wide = Console(width=200)
    with wide.capture() as capture:
        wide.print(outcomes.report(comparison))
    return capture.get()


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Upstream:
    root = tmp_path_factory.mktemp("mixed")
    upstream = make(
        root,
        {MIXED: MIXED_BEFORE, SEALED: SEALED_TEXT, "product.py": "def answer(): return 42\n"},
        {
            MIXED: MIXED_AFTER,
            ADDED: "def test_added(): pass\n",
            "product.py": "def answer(): return 43\n",
        },
        [MIXED, SEALED],
    )
    (root / "home" / "model").mkdir(parents=True)
    (root / "home" / "model" / "config.json").write_text("{}")
    return upstream.with_tests(
        home="home", environment={"THE_HOME": "{home}", "COLOUR": "blue", "NOTHING": ""}
    )


@pytest.fixture(scope="module")
def comparison(mixed: Upstream) -> Comparison:
    return mixed.compare(ADDED, MIXED)


def names(tests: Sequence[str], file: str = MIXED) -> set[str]:
    return {test.removeprefix(f"{file}::") for test in tests}


def test_what_passes(comparison: Comparison) -> None:
    kept = {"TestKept::test_kept[a.b]", "TestKept::test_kept[c::d/e]"}
    gone = {"test_broken", "test_setup_broken", "test_teardown_broken", "test_skipped", "test_gone"}
    part = comparison.of(MIXED)
    assert names(part.passed_before) == kept | gone
    assert names(part.passed_after) == kept | {"test_mended", "test_new"}


def test_regressions_are_failed_broken_skipped_and_gone(comparison: Comparison) -> None:
    assert names(comparison.regressions) == {
        "test_broken",
        "test_setup_broken",
        "test_teardown_broken",
        "test_skipped",
        "test_gone",
    }
    assert not comparison.ok


def test_new_tests(comparison: Comparison) -> None:
    assert names(comparison.new) == {"test_new", "test_new_bad", f"{ADDED}::test_added"}
    assert names(comparison.new_failures) == {"test_new_bad", "test_unskipped"}


def test_failures_of_the_unpatched_tree_are_no_regressions(comparison: Comparison) -> None:
    assert names(comparison.failed_in_both) == {"test_bad"}
    assert names(comparison.fixed) == {"test_mended"}


def test_the_worst_of_call_and_teardown_counts(comparison: Comparison) -> None:
    assert comparison.after[f"{MIXED}::test_bad"] is Outcome.ERROR
    assert comparison.after[f"{MIXED}::test_teardown_broken"] is Outcome.ERROR


def test_added_file_has_nothing_before(comparison: Comparison) -> None:
    part = comparison.of(ADDED)
    assert part.passed_before == ()
    assert part.new == part.passed_after == (f"{ADDED}::test_added",)
    assert part.ok


def test_environment_and_interpreter(comparison: Comparison) -> None:
    part = comparison.of(SEALED)
    assert names(part.passed_after, SEALED) == {"test_environment", "test_interpreter"}
    assert part.passed_before == part.passed_after


def test_trees_stay_clean(mixed: Upstream, comparison: Comparison) -> None:
    assert git.changes(mixed.config.tree) == []
    assert not [path for path in mixed.config.tree.rglob("*") if path.name == "__pycache__"]
    assert git.run(mixed.config.tree, "worktree", "list").count("\n") == 0


def test_tests_write_into_the_copy_of_the_home(mixed: Upstream, comparison: Comparison) -> None:
    assert not (mixed.config.root / "home" / "model" / "scribble").exists()
    copies = list(mixed.config.state_dir.rglob("scribble"))
    assert len(copies) == 1


def test_one_table_then_the_names(comparison: Comparison) -> None:
    text = rendered(comparison)
    assert text.count("regressions") == 2  # column and list
    rows = {
        line.split("│")[1].strip(): line.split("│")[2:-1]
        for line in text.splitlines()
        if "│" in line
    }
    assert [int(cell) for cell in rows[MIXED]] == [7, 4, 2, 5, 1]
    assert [int(cell) for cell in rows[ADDED]] == [0, 1, 1, 0, 0]
    assert [int(cell) for cell in rows["total"]] == [9, 7, 3, 5, 1]
    assert f"failed before, pass now:\n  {MIXED}::test_mended" in text


def test_square_brackets_in_names_are_shown() -> None:
    name = "tests/test_a.py::test_a[bold]"
    assert name in rendered(Comparison({name: Outcome.PASSED}, {}))


def test_nothing_to_name() -> None:
    same = {"tests/test_a.py::test_a": Outcome.PASSED}
    assert rendered(Comparison(same, same)).count("regressions") == 1


FILE = "tests/test_it.py"
GOOD = "def test_it(): pass\n"


def test_says_which_run_it_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert make(tmp_path, {FILE: GOOD}, {}, [FILE]).compare().ok
    out = capfd.readouterr().out
    before, first, after, second = (
        out.index("before the series"),
        out.index("1 passed"),
        out.index("after the series"),
        out.rindex("1 passed"),
    )
    assert before < first < after < second


def test_only_new_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    comparison = make(tmp_path, {}, {FILE: GOOD}).compare(FILE)
    assert (comparison.before, comparison.passed_after) == ({}, (f"{FILE}::test_it",))
    assert "before the series" not in capfd.readouterr().out


def test_folder(tmp_path: Path) -> None:
    comparison = make(tmp_path, {FILE: GOOD}, {"tests/deep/test_b.py": GOOD}).compare("tests")
    assert comparison.files == ("tests/deep/test_b.py", FILE)


def test_working_tree_as_it_is_now(tmp_path: Path) -> None:
    upstream = make(tmp_path, {FILE: GOOD}, {})
    (upstream.config.tree / FILE).write_text("def test_it(): assert False\n")
    assert upstream.compare(FILE).regressions == (f"{FILE}::test_it",)


def test_users_own_way_to_run_pytest_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing --exitfirst")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    text = "import product\n" + GOOD
    assert make(tmp_path, {}, {FILE: text, "product.py": ""}).compare(FILE).ok


def test_home_is_copied_anew_when_it_changed(tmp_path: Path) -> None:
    text = """
import os
from pathlib import Path
def test_it(): assert Path(os.environ["HOME_OF_MODELS"], "fact").read_text() == "new"
"""
    upstream = make(tmp_path, {}, {FILE: text}).with_tests(
        home="home", environment={"HOME_OF_MODELS": "{home}"}
    )
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "fact").write_text("old")
    assert upstream.compare(FILE).new_failures
    (tmp_path / "home" / "fact").write_text("new")
    assert upstream.compare(FILE).passed_after
    assert len(list((tmp_path / ".carry").rglob("fact"))) == 1


def test_home_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no .*nowhere; mend \[tool.carry.tests\] home"):
        make(tmp_path, {FILE: GOOD}, {}).with_tests(home="nowhere").compare(FILE)


@pytest.mark.parametrize("when", ["before", "after"])
def test_module_that_the_environment_lacks(tmp_path: Path, when: str) -> None:
    texts = {"before": GOOD, "after": GOOD, when: "import torch_of_another_world.nn\n"}
    with pytest.raises(UserError) as caught:
        make(tmp_path, {FILE: texts["before"]}, {FILE: texts["after"]}).compare(FILE)
    line = str(caught.value)
    assert f"{FILE} cannot be loaded {when} the series" in line
    assert "No module named 'torch_of_another_world'" in line
    assert "nox -s test" in line
    assert f"{when}.xml" in line
    assert "\n" not in line


def test_module_that_the_series_broke(tmp_path: Path) -> None:
    text = "from product import answer\n" + GOOD
    broken = "raise ValueError('boom')\n"
    upstream = make(tmp_path, {"product.py": "answer = 42\n"}, {FILE: text, "product.py": broken})
    with pytest.raises(UserError, match=r"after the series: ValueError: boom; mend it in .*vllm"):
        upstream.compare(FILE)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "pytest found no test"),
        ("import pytest\ndef test_it(): pytest.skip('why')\n", "pytest skipped every test"),
        ("import os\ndef test_it(): os.kill(os.getpid(), 9)\n", "pytest was ended by SIGKILL"),
        ("import os\ndef test_it(): os._exit(7)\n", "pytest ended with 7"),
        ("import os\ndef test_it(): os._exit(0)\n", "pytest left no report"),
        ("def test_it(: pass\n", "cannot be loaded after the series: SyntaxError"),
        ("def test_it(): raise KeyboardInterrupt\n", "pytest was interrupted"),
    ],
)
def test_run_without_an_answer(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(UserError, match=problem) as caught:
        make(tmp_path, {}, {FILE: text}).compare(FILE)
    assert "after the series" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("conftest", "problem"),
    [
        ("def pytest_sessionfinish(session): session.exitstatus = 1\n", "although no test failed"),
        ("raise ValueError\n", "could not start with these arguments"),
        ("def pytest_collection_modifyitems(): raise ValueError\n", "failed inside"),
    ],
)
def test_broken_conftest(tmp_path: Path, conftest: str, problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        make(tmp_path, {}, {FILE: GOOD, "tests/conftest.py": conftest}).compare(FILE)


def test_arguments_reach_pytest(tmp_path: Path) -> None:
    upstream = make(tmp_path, {}, {FILE: GOOD, "tests/conftest.py": "raise ValueError\n"})
    assert upstream.with_tests(arguments=("--noconftest",)).compare(FILE).ok
    with pytest.raises(UserError, match="could not start with these arguments, after the series"):
        upstream.with_tests(arguments=("--no-such-option",)).compare(FILE)


@pytest.mark.parametrize("file", ["tests/test_none.py", "../pyproject.toml", "--version", "."])
def test_file_that_is_not_in_the_tree(tmp_path: Path, file: str) -> None:
    with pytest.raises(UserError) as caught:
        make(tmp_path, {FILE: GOOD}, {}).compare(file)
    assert f"{file} does not exist in {tmp_path / 'vllm'}" in str(caught.value)


def test_file_that_the_series_removes(tmp_path: Path) -> None:
    upstream = make(tmp_path, {FILE: GOOD}, {})
    (upstream.config.tree / FILE).unlink()
    with pytest.raises(UserError, match=r"does not exist in .*vllm"):
        upstream.compare(FILE)


def test_absolute_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="as it is called inside vllm/"):
        make(tmp_path, {FILE: GOOD}, {}).compare(str(tmp_path / "vllm" / FILE))


def test_no_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no tests of upstream's are named"):
        make(tmp_path, {FILE: GOOD}, {}).compare()


def test_python_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no .*nowhere; nox -s test makes"):
        make(tmp_path, {FILE: GOOD}, {}).compare(FILE, python=tmp_path / "nowhere")


def test_python_without_pytest(tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=False, symlinks=True)
    with pytest.raises(UserError, match="has no pytest; nox -s test makes"):
        make(tmp_path, {FILE: GOOD}, {}).compare(FILE, python=tmp_path / "empty/bin/python")


def test_python_by_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    python = Path(os.path.relpath(PYTHON))
    assert make(tmp_path, {}, {FILE: GOOD}).compare(FILE, python=python).ok
