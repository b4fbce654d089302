"""Upstream's own tests, run on the tree without the series and with it, and compared."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from carry import console, junit, private_copy, process, workspace
from carry.config import Config
from carry.errors import UserError
from carry.outcomes import Comparison, Outcome

_ENVIRONMENT = "nox -s test makes an environment that has what upstream's tests import"
#: Nothing is written into the tree; the user's own way to run pytest changes nothing.
_SEALED = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONSAFEPATH": "",
    "PYTEST_ADDOPTS": "",
    "PYTEST_PLUGINS": "",
}
_MEANING = {
    2: "was interrupted",
    3: "failed inside",
    4: "could not start with these arguments",
    5: "found no test",
}


def compare(config: Config, base_commit: str, python: Path, files: Sequence[str]) -> Comparison:
    """Run upstream's tests before the series and after it.

    Args:
        config: Its `tests` say what is run and how.
        base_commit: The upstream commit that the series is applied on.
        python: The interpreter of the test environment.
        files: Test files or folders of upstream's, besides the configured ones.

    Raises:
        UserError: A file is missing, or one of the two runs gave no outcome to rely on.
    """
    wanted = [*dict.fromkeys((*config.tests.files, *files))]
    python = python.absolute()
    _check_files(config, wanted)
    _check_python(config, python)
    with workspace.throwaway_worktree(config, "before", base_commit) as tree:
        # A file that the series adds has no outcome before it.
        there = [file for file in wanted if (tree / file).exists()]
        before = _run(config, python, tree, there, "before") if there else {}
    return Comparison(before, _run(config, python, config.tree, wanted, "after"))


def _check_files(config: Config, files: Sequence[str]) -> None:
    if not files:
        raise UserError("no tests of upstream's are named", hint="set [tool.carry.tests] files")
    tree = config.tree.resolve()
    for file in files:
        path = (tree / file).resolve()
        if Path(file).is_absolute() or not path.exists() or tree not in path.parents:
            raise UserError(
                f"{file} does not exist in {config.tree} (after the series)",
                hint=f"name a file or folder as it is called inside {config.submodule}/",
            )


def _check_python(config: Config, python: Path) -> None:
    if not python.is_file():
        raise UserError(f"there is no {python}", hint=_ENVIRONMENT)
    if process.run([python, "-c", "import pytest"], cwd=config.root, env=_SEALED).code:
        raise UserError(f"{python} has no pytest", hint=_ENVIRONMENT)


def _run(
    config: Config, python: Path, tree: Path, files: Sequence[str], when: str
) -> dict[str, Outcome]:
    """Run the files in a tree and return what each test did."""
    report = config.state_dir / "upstream-tests" / f"{when}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    console.say(f"upstream's tests {when} the series, in {tree}", style="bold")
    command: list[str | Path] = [
        python, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tree,
        *config.tests.arguments, "--junitxml", report, *files,
    ]  # fmt: skip
    code = process.run(command, cwd=tree, env=_environment(config), show=True).code
    outcomes = _read(report, tree, when) if code >= 0 and report.exists() else {}
    if problem := _problem(code, outcomes):
        raise UserError(
            f"pytest {problem}, {when} the series in {tree}",
            hint="what it says above names the cause",
            log=report if report.exists() else None,
        )
    return outcomes


def _problem(code: int, outcomes: Mapping[str, Outcome]) -> str | None:
    """Why a run says nothing about the tests; None when it can be relied on."""
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    if code not in (0, 1):
        return _MEANING.get(code, f"ended with {code}")
    if not outcomes:
        return "left no report"
    if all(outcome is Outcome.SKIPPED for outcome in outcomes.values()):
        return "skipped every test"
    if code and not any(outcome.is_bad for outcome in outcomes.values()):
        return f"ended with {code} although no test failed"
    return None


def _read(report: Path, tree: Path, when: str) -> dict[str, Outcome]:
    try:
        return junit.read(report, tree)
    except junit.UncollectedError as error:
        lacking = re.search(r"No module named '(\w+)", error.reason)
        elsewhere = lacking and not any(tree.glob(f"{lacking[1]}*"))
        raise UserError(
            f"{error.file} cannot be loaded {when} the series: {error.reason}",
            hint=_ENVIRONMENT if elsewhere else f"mend it in {tree}",
            log=report,
        ) from error


def _environment(config: Config) -> dict[str, str]:
    """The configured variables; `{home}` stands for a private copy of the configured folder."""
    given = config.tests.environment
    if config.tests.home:
        source = config.root / config.tests.home
        if not source.is_dir():
            raise UserError(f"there is no {source}", hint="mend [tool.carry.tests] home")
        home = str(private_copy.of(source, config.state_dir / "upstream-tests" / "homes"))
        given = {name: value.replace("{home}", home) for name, value in given.items()}
    return given | _SEALED
