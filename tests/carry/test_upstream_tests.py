from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from carry import config, git, outcomes_report, upstream_tests
from carry.errors import UserError
from carry.outcomes import Comparison, Outcome

PYTHON = Path(sys.executable)
TOOLS = Path(__file__).parents[2] / "tools"
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


def rendered(comparison: Comparison, width: int = 200) -> str:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(outcomes_report.report(comparison), soft_wrap=True)
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
    rows = {words[0]: words[1:] for line in text.splitlines() if (words := line.split())}
    assert [int(cell) for cell in rows[MIXED]] == [7, 4, 2, 5, 1]
    assert [int(cell) for cell in rows[ADDED]] == [0, 1, 1, 0, 0]
    assert [int(cell) for cell in rows["total"]] == [9, 7, 3, 5, 1]
    assert f"failed before, pass now:\n  {MIXED}::test_mended" in text


@pytest.mark.parametrize("width", [60, 80])
def test_the_whole_file_name_is_shown_on_a_narrow_terminal(width: int) -> None:
    file = "tests/v1/core/test_single_type_kv_cache_manager.py"
    narrow = rendered(Comparison({f"{file}::test_a": Outcome.PASSED}, {}), width)
    cells = narrow.partition("─ \n")[2].partition("total")[0]
    assert "".join(line[1:].partition(" ")[0] for line in cells.splitlines()) == file
    assert all(len(line) <= width for line in narrow.splitlines())


def test_square_brackets_in_names_are_shown() -> None:
    name = "tests/test_a.py::test_a[bold]"
    assert name in rendered(Comparison({name: Outcome.PASSED}, {}))


def test_nothing_to_name() -> None:
    same = {"tests/test_a.py::test_a": Outcome.PASSED}
    assert rendered(Comparison(same, same)).count("regressions") == 1


FILE = "tests/test_it.py"
GOOD = "def test_it(): pass\n"


def test_folder_and_which_run_it_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    comparison = make(tmp_path, {FILE: GOOD}, {"tests/deep/test_b.py": GOOD}).compare("tests")
    assert comparison.files == ("tests/deep/test_b.py", FILE)
    out = capfd.readouterr().out
    marks = ["before the series", "1 passed", "after the series", "2 passed"]
    assert [out.index(mark) for mark in marks] == sorted(out.index(mark) for mark in marks)


#: Leaves a sign of its own and waits for the one of the other tree, or does not end at all.
MEETS = """
import os, time
from pathlib import Path
def test_it():
    folder, me = Path(os.environ["MEETING"]), Path(__file__).parents[1].name
    (folder / f"{me}.tmp").write_text(str(os.getpid()))
    (folder / f"{me}.tmp").rename(folder / me)
    for _ in range(2000):
        if len([one for one in folder.iterdir() if not one.suffix]) == int(os.environ["SIGNS"]):
            return
        time.sleep(0.03)
    (folder / "nobody-came.tmp").touch()
    raise AssertionError
"""


def meeting(root: Path, count: int) -> Upstream:
    """Tests that end once there are so many signs in a folder."""
    (root / "signs").mkdir()
    environment = {"MEETING": str(root / "signs"), "SIGNS": str(count)}
    return make(root, {FILE: MEETS}, {}).with_tests(environment=environment)


def test_both_run_at_the_same_time_and_are_not_mixed_up(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert meeting(tmp_path, 2).compare(FILE).ok
    before, after = capfd.readouterr().out.split("upstream's tests after the series")
    assert before.count("1 passed") == after.count("1 passed") == 1


def test_a_stop_ends_both(tmp_path: Path) -> None:
    upstream = meeting(tmp_path, 3)
    signs = tmp_path / "signs"
    tests = upstream.config.tests
    with (tmp_path / "pyproject.toml").open("a") as file:
        file.writelines(
            f'tests.environment.{name} = "{value}"\n' for name, value in tests.environment.items()
        )
    code = (
        "import sys; from pathlib import Path; from carry import config, process, upstream_tests\n"
        "with process.terminate_as_interrupt(): upstream_tests.compare("
        "config.load(Path.cwd()), sys.argv[1], Path(sys.executable), [sys.argv[2]])"
    )
    stopped = subprocess.Popen(
        [PYTHON, "-c", code, upstream.base, FILE], cwd=tmp_path, stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(TOOLS)}, text=True,
    )  # fmt: skip
    while {sign.name for sign in signs.iterdir()} != {"before", "vllm"}:
        assert stopped.poll() is None, stopped.communicate()
        time.sleep(0.03)
    children = [int(sign.read_text()) for sign in signs.iterdir()]
    # To this process alone, as nox does it: the terminal's Ctrl-C would reach all three.
    stopped.terminate()
    assert "KeyboardInterrupt: SIGTERM" in stopped.communicate()[1]
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
    assert not list(signs.glob("nobody-came*")), "they ended by themselves"


def test_working_tree_as_it_is_now(tmp_path: Path) -> None:
    upstream = make(tmp_path, {}, {FILE: GOOD})
    (upstream.config.tree / FILE).write_text("def test_it(): assert False\n")
    assert upstream.compare(FILE).new_failures == (f"{FILE}::test_it",)


def test_only_new_files_and_the_users_own_way_to_run_pytest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing --exitfirst")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    text = "import product\n" + GOOD
    python = Path(os.path.relpath(PYTHON))
    upstream = make(tmp_path, {}, {FILE: text, "product.py": ""})
    comparison = upstream.compare(FILE, python=python)
    assert (comparison.before, comparison.passed_after) == ({}, (f"{FILE}::test_it",))
    assert "before the series" not in capfd.readouterr().out


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


LACKING = "No module named 'torch_of_another_world'"


@pytest.fixture(scope="module")
def unloadable(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """Files that cannot be loaded, or are skipped as a whole, in either tree or in both."""
    lacking = "import torch_of_another_world.nn\n" + GOOD
    optional = "import pytest\npytest.importorskip('torch_of_another_world')\n" + GOOD
    parametrized = "import pytest\n@pytest.mark.parametrize('y', [1])\ndef test_it(x): pass\n"
    broken = "from product import answer\n" + GOOD
    before = {
        "good": GOOD, "both": lacking, "differs": lacking, "mended": lacking,
        "broken": broken, "skipped": optional, "class": GOOD,
    }  # fmt: skip
    after = {"differs": "def test_it(: pass\n", "mended": GOOD, "added": lacking}
    after["class"] = GOOD + parametrized.replace("def", "class TestIt:\n  def", 1)
    upstream = make(
        tmp_path_factory.mktemp("unloadable"),
        {"product.py": "answer = 42\n", **in_files(before)},
        {"product.py": "raise ValueError('boom')\n", **in_files(after)},
    )
    return upstream.compare("tests")


def in_files(texts: Mapping[str, str]) -> dict[str, str]:
    return {f"tests/test_{name}.py": text for name, text in texts.items()}


def test_module_that_both_trees_cannot_load_is_no_regression(unloadable: Comparison) -> None:
    both, good = unloadable.of("tests/test_both.py"), unloadable.of("tests/test_good.py")
    assert both.failed_in_both == ("tests/test_both.py",)
    assert both.ok
    assert good.passed_before == good.passed_after == ("tests/test_good.py::test_it",)
    assert f"\n  tests/test_both.py (cannot be loaded: ModuleNotFoundError: {LACKING})\n" in (
        rendered(unloadable, width=80)
    )


def test_reasons_that_differ_are_both_named(unloadable: Comparison) -> None:
    (name,) = unloadable.of("tests/test_differs.py").failed_in_both
    described = unloadable.described(name)
    assert described.startswith(f"{name} (cannot be loaded: SyntaxError: ")
    assert described.endswith(f"; before the series: ModuleNotFoundError: {LACKING})")


def test_module_that_the_series_broke(unloadable: Comparison) -> None:
    part = unloadable.of("tests/test_broken.py")
    assert part.regressions == ("tests/test_broken.py::test_it",)
    assert part.new_failures == ("tests/test_broken.py",)
    assert part.new == ()
    assert "  tests/test_broken.py (cannot be loaded: ValueError: boom)" in rendered(part)


def test_added_module_that_cannot_be_loaded(unloadable: Comparison) -> None:
    part = unloadable.of("tests/test_added.py")
    assert part.new_failures == ("tests/test_added.py",)
    assert not part.ok


def test_module_that_can_be_loaded_now(unloadable: Comparison) -> None:
    part = unloadable.of("tests/test_mended.py")
    assert part.new == part.passed_after == ("tests/test_mended.py::test_it",)
    assert part.ok


def test_module_that_is_skipped_as_a_whole(unloadable: Comparison) -> None:
    part = unloadable.of("tests/test_skipped.py")
    assert part.before == part.after == {"tests/test_skipped.py": Outcome.SKIPPED}
    assert part.ok
    assert not part.unloadable


def test_class_that_cannot_be_loaded(unloadable: Comparison) -> None:
    part = unloadable.of("tests/test_class.py")
    (name,) = part.new_failures
    assert name == "tests/test_class.py::TestIt"
    assert "cannot be loaded" in part.described(name)
    assert part.passed_after == ("tests/test_class.py::test_it",)


def test_no_module_can_be_loaded(tmp_path: Path) -> None:
    other = "import pytest\npytest.skip('why', allow_module_level=True)\n"
    texts = {"a": other, "b": "import torch_of_another_world\n", "c": "1 / 0\n"}
    with pytest.raises(UserError) as caught:
        make(tmp_path, in_files(texts), {}).compare("tests")
    line = str(caught.value)
    assert f"test_b.py cannot be loaded before the series: ModuleNotFoundError: {LACKING};" in line
    assert "nox -s test" in line
    assert "before.xml" in line
    assert "\n" not in line


def test_module_of_the_tree_is_lacking(tmp_path: Path) -> None:
    upstream = make(tmp_path, {}, {FILE: "import product.gone\n", "product/__init__.py": ""})
    with pytest.raises(UserError, match=r"No module named 'product.gone'; mend it in .*vllm"):
        upstream.compare(FILE)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "pytest found no test"),
        ("import pytest\ndef test_it(): pytest.skip('why')\n", "pytest skipped every test"),
        ("import os\ndef test_it(): os.kill(os.getpid(), 9)\n", "pytest was ended by SIGKILL"),
        ("import os\ndef test_it(): os._exit(7)\n", "pytest ended with 7"),
        ("import os\ndef test_it(): os._exit(0)\n", "pytest left no report"),
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


def test_broken_conftest_of_a_folder(tmp_path: Path) -> None:
    files = {FILE: GOOD, "tests/deep/conftest.py": "1 / 0\n", "tests/deep/test_b.py": GOOD}
    with pytest.raises(UserError, match="tests/deep cannot be loaded before the series: ZeroDiv"):
        make(tmp_path, files, {}).compare("tests")


def test_arguments_reach_pytest(tmp_path: Path) -> None:
    upstream = make(tmp_path, {}, {FILE: GOOD, "tests/conftest.py": "raise ValueError\n"})
    assert upstream.with_tests(arguments=("--noconftest",)).compare(FILE).ok


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
