"""Upstream's own tests, run on the tree without the series and with it, and compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from carry import console, junit, private_copy, process, run_verdict, workspace
from carry.config import Config
from carry.errors import UserError
from carry.junit import Run
from carry.outcomes import Comparison

_FIND_PYTEST = "from importlib.util import find_spec; exit(not find_spec('pytest'))"
#: Nothing is written into the tree; the user's own way to run pytest changes nothing.
_SEALED = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONSAFEPATH": "",
    "PYTEST_ADDOPTS": "",
    "PYTEST_PLUGINS": "",
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
        before = _run(config, python, tree, there, "before") if there else Run({}, {})
    after = _run(config, python, config.tree, wanted, "after")
    return Comparison(before.outcomes, after.outcomes, _reasons(before, after))


def _reasons(before: Run, after: Run) -> dict[str, str]:
    """Why files could not be loaded; both runs' reasons where they differ."""
    reasons = dict(before.unloadable)
    for name, reason in after.unloadable.items():
        earlier = reasons.get(name, reason)
        reasons[name] = reason if earlier == reason else f"{reason}; before the series: {earlier}"
    return reasons


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
        raise UserError(f"there is no {python}", hint=run_verdict.ENVIRONMENT)
    if process.run([python, "-c", _FIND_PYTEST], cwd=config.root, env=_SEALED).code:
        raise UserError(f"{python} has no pytest", hint=run_verdict.ENVIRONMENT)


def _run(config: Config, python: Path, tree: Path, files: Sequence[str], when: str) -> Run:
    """Run the files in a tree and return what each test did."""
    report = config.state_dir / "upstream-tests" / f"{when}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    console.say(f"upstream's tests {when} the series, in {tree}", style="bold")
    command: list[str | Path] = [
        python, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tree,
        "--continue-on-collection-errors", *config.tests.arguments, "--junitxml", report, *files,
    ]  # fmt: skip
    code = process.run(command, cwd=tree, env=_environment(config), show=True).code
    log = report if report.exists() else None
    run = junit.read(report, tree) if code >= 0 and log else Run({}, {})
    run_verdict.check(code, run, tree, when, log)
    return run


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
