"""Which hooks belong to which stage, and which files each would get: pre-commit's own answer.

It is asked with a recorder in the place of every hook, so that nothing needs to be installed.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from carry import git
from carry.upstream_hooks import recorder
from carry.upstream_hooks.pre_commit import PreCommit, cause
from carry.upstream_hooks.preparing import AS_IT_IS, Prepared

#: Before a commit, on its message, and in upstream's continuous integration.
COMMIT, MESSAGE, MANUAL = "pre-commit", "commit-msg", "manual"
STAGES = (COMMIT, MESSAGE, MANUAL)


@dataclass
class Applying:
    """What pre-commit says of one hook.

    Attributes:
        stages: The stages it belongs to, of those that are asked for.
        files: The files it would get; None when it would not run.
        fault: Why pre-commit does not take it.
    """

    stages: list[str] = field(default_factory=list)
    files: tuple[str, ...] | None = None
    fault: str = ""


def ask(program: PreCommit, hooks: Sequence[Prepared], files: Sequence[str]) -> list[Applying]:
    """Ask about every hook.

    Args:
        program: How pre-commit is run.
        hooks: The hooks.
        files: The files that the series changes.
    """
    answers = [Applying() for _ in hooks]
    program = replace(program, worktree=_small_repository(program, files))
    _find_faults(program, hooks, answers)
    good = [number for number, answer in enumerate(answers) if not answer.fault]
    if not _record(program, hooks, good, files, answers):
        # One that cannot be fetched must not hide the others.
        for number in good:
            answers[number] = Applying()
            _record(program, hooks, [number], files, answers)
    return answers


def _small_repository(program: PreCommit, files: Sequence[str]) -> Path:
    """The files alone: pre-commit looks through the whole repository after each hook."""
    folder = program.scratch / "files"
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(program.worktree / file, folder / file, follow_symlinks=False)
    folder.mkdir(exist_ok=True)
    git.run(folder, "init", "--quiet")
    return folder


def _find_faults(
    program: PreCommit, hooks: Sequence[Prepared], answers: Sequence[Applying]
) -> None:
    """Let pre-commit look at every hook's own words."""
    files = [program.configuration(f"hook-{n}", [hook]) for n, hook in enumerate(hooks)]
    if not program.call("validate-config", *files).code:
        return
    for answer, file in zip(answers, files, strict=True):
        finished = program.call("validate-config", file)
        answer.fault = cause(finished) if finished.code else ""


def _record(
    program: PreCommit,
    hooks: Sequence[Prepared],
    numbers: Sequence[int],
    files: Sequence[str],
    answers: list[Applying],
) -> bool:
    """Let pre-commit run recorders; says whether it could."""
    log = program.scratch / "recorded"
    message = program.scratch / "message"
    message.touch()
    for stage in STAGES:
        # What runs before a commit is not asked about again.
        asked = [number for number in numbers if not answers[number].stages]
        stand_ins = [
            _stand_in(hooks[number], log, what, number)
            for number in asked
            for what in ("files", "stage")
        ]
        log.unlink(missing_ok=True)
        words: tuple[str | Path, ...] = ("--files", *files)
        if stage == MESSAGE:
            words = ("--all-files", "--commit-msg-filename", message)
        configuration = program.configuration("recorders", stand_ins)
        finished = program.call(
            "run", "--config", configuration, "--hook-stage", stage, *words, fetches=True
        )
        if finished.code:
            for number in numbers:
                answers[number].fault = cause(finished)
            return False
        _read(log, stage, answers)
    return True


def _stand_in(hook: Prepared, log: Path, what: str, number: int) -> Prepared:
    """A hook with the same files and stages; one that always runs where `what` is the stage."""
    entry = [sys.executable, "-I", "-S", recorder.__file__, what, str(number), str(log)]
    keys = {
        **hook.keys, "entry": shlex.join(entry), "args": [], "language": AS_IT_IS,
        "language_version": "default", "additional_dependencies": [], "require_serial": True,
        "pass_filenames": what == "files", "verbose": False, "fail_fast": False, "log_file": "",
    }  # fmt: skip
    if what == "stage":
        keys["always_run"] = True
    return replace(hook, keys=keys)


def _read(log: Path, stage: str, answers: list[Applying]) -> None:
    for line in log.read_text("utf-8").splitlines() if log.exists() else ():
        what, number, files = json.loads(line)
        answer = answers[number]
        if what == "stage":
            answer.stages.append(stage)
        elif stage != MESSAGE:
            answer.files = tuple(dict.fromkeys((*(answer.files or ()), *files)))
