"""Upstream's own tests, run on the tree without the series and with it, and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    env = _environment(config)
    after = _Part(config, python, config.tree, wanted, "after")
    with workspace.throwaway_worktree(config, "before", base_commit) as tree:
        # A file that the series adds has no outcome before it.
        there = [file for file in wanted if (tree / file).exists()]
        if there:
            both = _side_by_side(_Part(config, python, tree, there, "before"), after, env)
        else:
            both = Run({}, {}), _run(after, env)
    earlier, later = both
    return Comparison(earlier.outcomes, later.outcomes, _reasons(earlier, later))


@dataclass(frozen=True)
class _Part:
    """The files that are run in one of the two trees."""

    config: Config
    python: Path
    tree: Path
    files: Sequence[str]
    when: str

    @property
    def report(self) -> Path:
        return self.config.state_dir / "upstream-tests" / f"{self.when}.xml"

    @property
    def log(self) -> Path:
        return self.report.with_suffix(".txt")

    def announce(self) -> None:
        console.say(f"upstream's tests {self.when} the series, in {self.tree}", style="bold")

    def command(self) -> list[str | Path]:
        """The command that runs them; an earlier report is gone."""
        self.report.parent.mkdir(parents=True, exist_ok=True)
        self.report.unlink(missing_ok=True)
        return [
            self.python, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", self.tree,
            "--continue-on-collection-errors", *self.config.tests.arguments,
            "--junitxml", self.report, *self.files,
        ]  # fmt: skip

    def read(self, code: int) -> Run:
        """What each test did, once pytest has ended with this code."""
        log = self.report if self.report.exists() else None
        run = junit.read(self.report, self.tree) if code >= 0 and log else Run({}, {})
        run_verdict.check(code, run, self.tree, self.when, log)
        return run


def _run(part: _Part, env: Mapping[str, str]) -> Run:
    """Run one part on our own terminal."""
    part.announce()
    return part.read(process.run(part.command(), cwd=part.tree, env=env, show=True).code)


def _side_by_side(before: _Part, after: _Part, env: Mapping[str, str]) -> tuple[Run, Run]:
    """Run both at once: what the first says is seen as it is said, the other's then as a whole."""
    colour = ["--color=yes"] if console.is_terminal() else []
    command = [*after.command(), *colour]
    with process.aside(command, cwd=after.tree, env=env, log=after.log) as child:
        earlier = _run(before, env)
        after.announce()
        code = child.wait()
    console.pass_on(after.log.read_text("utf-8", "replace"))
    return earlier, after.read(code)


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
