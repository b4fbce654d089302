"""Run upstream's hooks one by one in a working tree, and see what each does."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from carry import git, process
from carry.console import busy
from carry.process import Finished
from carry.upstream_hooks.applying import COMMIT, MANUAL, MESSAGE, Applying, ask
from carry.upstream_hooks.messages import Messages
from carry.upstream_hooks.outcomes import Outcome, Verdict
from carry.upstream_hooks.pre_commit import FAILED, PreCommit, cause
from carry.upstream_hooks.preparing import Prepared

#: Told of each hook as it ends.
Report = Callable[[Outcome], None]


class _Done(NamedTuple):
    """One call of a hook."""

    finished: Finished
    seconds: float

    @property
    def output(self) -> str:
        """What it wrote, without the line that pre-commit gives to each hook."""
        return self.finished.stdout.partition("\n")[2].strip()


class Runner:
    """Runs hooks in one working tree; what they change stays for those that follow."""

    def __init__(self, program: PreCommit, logs: Path, report: Report) -> None:
        self._program = program
        self._logs = logs
        self._report = report
        self._tree = tree(program.worktree)

    def run_all(
        self, hooks: Sequence[Prepared], files: Sequence[str], messages: Messages
    ) -> tuple[Outcome, ...]:
        """Run every hook at the stages that there are before a pull request.

        Args:
            hooks: The hooks.
            files: The files that the series changes.
            messages: The messages of its commits.
        """
        with busy("which hooks have files"):
            pairs = [*zip(hooks, ask(self._program, hooks, files), strict=True)]
        found = [self._told(self._at(COMMIT, *pair)) for pair in pairs if _is_of(COMMIT, pair[1])]
        found += [
            self._told(self._on_messages(hook, messages))
            for hook, answer in pairs
            if MESSAGE in answer.stages
        ]
        found += [self._told(self._at(MANUAL, *pair)) for pair in pairs if _is_of(MANUAL, pair[1])]
        return tuple(found)

    def _told(self, outcome: Outcome) -> Outcome:
        self._report(outcome)
        return outcome

    def _at(self, stage: str, hook: Prepared, answer: Applying) -> Outcome:
        if answer.fault:
            return Outcome(hook, stage, Verdict.NOT_RUN, answer.fault)
        if answer.files is None:
            return Outcome(hook, stage, Verdict.WITHOUT_FILES)
        if obstacle := self._obstacle(hook, stage):
            return obstacle
        return self._run(hook, stage, answer.files)

    def _on_messages(self, hook: Prepared, messages: Messages) -> Outcome:
        if obstacle := self._obstacle(hook, MESSAGE):
            return obstacle
        calls, diffs, failed = [], [], []
        for commit, patch in messages.patches.items():
            file = messages.file(commit)
            words = ("--all-files", "--commit-msg-filename", str(file))
            calls.append(self._call(hook, MESSAGE, words, messages.author(commit)))
            diffs.append(messages.take(commit, file))
            if calls[-1].finished.code or diffs[-1]:
                failed.append(patch)
        return Outcome(
            hook, MESSAGE, Verdict.FAILED if failed else Verdict.PASSED, ", ".join(failed),
            seconds=round(sum(call.seconds for call in calls), 2),
            files=tuple(messages.patches.values()),
            output="\n".join(call.output for call in calls if call.finished.code),
            diff="\n".join(diff for diff in diffs if diff),
        )  # fmt: skip

    def _obstacle(self, hook: Prepared, stage: str) -> Outcome | None:
        """Why a hook that applies cannot be run; it is installed if need be."""
        if hook.lacking:
            return Outcome(hook, stage, Verdict.NOT_RUN, hook.lacking)
        if stage == MANUAL and not has_python(hook.python):
            reason = f"there is no Python {hook.python}"
            return Outcome(hook, stage, Verdict.NOT_HERE, reason)
        with busy(f"{hook.hook.id}: installing"):
            file = self._program.configuration("installed", [hook])
            finished = self._program.call("install-hooks", "--config", file, fetches=True)
        if not finished.code:
            return None
        return self._unable(hook, stage, "it cannot be installed: ", finished)

    def _run(self, hook: Prepared, stage: str, files: Sequence[str]) -> Outcome:
        done = self._call(hook, stage, ("--files", *files))
        if done.finished.code not in (0, FAILED):
            return self._unable(hook, stage, "", done.finished)
        before, self._tree = self._tree, tree(self._program.worktree)
        diff = git.run(self._program.worktree, "diff", before, self._tree)
        verdict = Verdict.FAILED if done.finished.code else Verdict.PASSED
        output = done.output if verdict.is_bad else ""
        return Outcome(hook, stage, verdict, "", done.seconds, tuple(files), output, diff)

    def _call(
        self,
        hook: Prepared,
        stage: str,
        words: Sequence[str],
        env: Mapping[str, str] | None = None,
    ) -> _Done:
        file = self._program.configuration("run", [hook])
        started = time.monotonic()
        with busy(f"{hook.hook.id}: running"):
            finished = self._program.call(
                "run", "--config", file, "--hook-stage", stage, *words, env=env
            )
        return _Done(finished, round(time.monotonic() - started, 2))

    def _unable(self, hook: Prepared, stage: str, what: str, finished: Finished) -> Outcome:
        """pre-commit could not do its work: the cause in a line, the rest in a log."""
        self._logs.mkdir(parents=True, exist_ok=True)
        log = self._logs / f"{hook.hook.id.replace('/', '_')}.log"
        log.write_text(finished.stdout + finished.stderr, "utf-8")
        reason = f"{what}{cause(finished)} (log: {log})"
        return Outcome(hook, stage, Verdict.NOT_RUN, reason)


def _is_of(stage: str, answer: Applying) -> bool:
    """Whether a hook is run at a stage; one that runs before a commit is not run again."""
    if answer.fault:
        return stage == COMMIT
    return stage in answer.stages and (stage == COMMIT or COMMIT not in answer.stages)


def tree(worktree: Path) -> str:
    """The tree of what git knows of in a working tree, changes and all."""
    return git.tree_of(worktree, git.run(worktree, "stash", "create") or "HEAD")


def has_python(version: str) -> bool:
    """Whether an interpreter of a version starts; that there is a program says too little."""
    if version in ("", f"{sys.version_info.major}.{sys.version_info.minor}"):
        return True
    program = shutil.which(f"python{version}")
    return bool(program) and not process.run([str(program), "-c", ""], cwd=Path.cwd()).code
