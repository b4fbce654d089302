"""Run Lean on one file and read what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from carry.errors import UserError
from carry.process import Finished, run
from stride.proof.lean_project import FOLDER


@dataclass(frozen=True)
class Message:
    """What Lean says about a place in a file of the project."""

    file: str
    line: int
    column: int
    severity: str
    text: str

    @property
    def where(self) -> str:
        """File, line and column as an editor takes them."""
        return f"{FOLDER}/{self.file}:{self.line}:{self.column}"

    def __str__(self) -> str:
        return f"{self.where}: {self.severity}: {self.text}"


@dataclass(frozen=True)
class Lean:
    """A Lean and the folder it works in.

    Attributes:
        name: What it is and where it comes from.
        command: The program and its first arguments.
        workspace: A copy of the project; what Lean makes goes to `build` in it.
        environment: Variables it needs.
        sees_library: Whether it has the proofs of Lean's own library, not just what they prove.
        is_native: Whether it comes with a lake that can build libraries.
    """

    name: str
    command: tuple[str | Path, ...]
    workspace: Path
    environment: dict[str, str]
    sees_library: bool
    is_native: bool

    def run(self, file: str, *, olean: bool = False, c: bool = False) -> list[Message]:
        """Let Lean check a file.

        Args:
            file: Its path in the workspace.
            olean: Keep what it has learnt for the files that import this one.
            c: Compile it to C.

        Returns:
            All that Lean says about it.

        Raises:
            UserError: Lean itself breaks down.
        """
        arguments = []
        for wanted, option in ((olean, "-o"), (c, "-c")):
            if wanted:
                arguments += [option, self._output(file, {"-o": ".olean", "-c": ".c"}[option])]
        done = run(
            [*self.command, "--json", *arguments, file], cwd=self.workspace, env=self.environment
        )
        messages = list(read_messages(done.stdout))
        if done.code and not any(one.severity == "error" for one in messages):
            raise self._breakdown(file, done)
        return messages

    def _output(self, file: str, suffix: str) -> str:
        output = Path("build") / Path(file).with_suffix(suffix)
        (self.workspace / output).parent.mkdir(parents=True, exist_ok=True)
        return output.as_posix()

    def _breakdown(self, file: str, done: Finished) -> UserError:
        log = self.workspace / "lean.log"
        log.write_text(done.stdout + done.stderr, encoding="utf-8")
        return UserError(
            f"Lean breaks down on {FOLDER}/{file} with exit code {done.code}",
            hint="see the log",
            log=log,
        )


def read_messages(output: str) -> Iterator[Message]:
    """What Lean says with --json, among whatever else it writes."""
    for line in output.splitlines():
        if line.startswith('{"'):
            said = json.loads(line)
            yield Message(
                file=said["fileName"].removeprefix("/workspace/").removeprefix("./"),
                line=said["pos"]["line"],
                column=said["pos"]["column"],
                severity=said["severity"],
                text=said["data"],
            )
