"""Every command that a document shows is run: by CI, or here on the small upstream."""

from __future__ import annotations

import ast
import re

import pytest
from click.testing import CliRunner

from stride.__main__ import commands as stride

from .documented import ROOT, commands
from .repository import Repository

CI = (ROOT / ".ci" / "run").read_text("utf-8")
NOXFILE = (ROOT / "noxfile.py").read_text("utf-8")
#: Sessions that hand their arguments on to a command of carry's.
OF_CARRY = {
    "sync": "sync", "rebase": "rebase", "test": "test", "lint": "hooks", "pr": "pr",
    "review": "review", "canary": "canary",
}  # fmt: skip
#: And to one of stride's; the words that the session itself takes.
OF_STRIDE = {"bench": "bench", "prove": "prove", "smoke": "smoke"}
OF_THE_SESSION = ["--mutants", "--self-test"]
#: What stands in a document for a reader's own, or for vLLM, and its like on the small upstream.
LIKE = {
    "v0.32.0": "1.1.0", "v0.33.0": "1.1.0", "0.34.0": "1.1.0", "0.31.0": "1.0.0",
    "VERSION…": "1.1.0", "vllm": "acme",
    "tests/v1/core/test_prefix_caching.py": "tests/test_scan.py", "URL": "/nowhere/fork.git",
    "COMMIT": "HEAD", "FILE": "tests/test_scan.py", "--fixup=…": "--fixup=HEAD",
}  # fmt: skip
SHOWN = commands()


def words_of(program: str) -> list[list[str]]:
    """The shown command lines of a program without its name, each once."""
    found = [list(one.words[1:]) for one in SHOWN if one.words[0].endswith(program)]
    return [list(words) for words in dict.fromkeys(map(tuple, found))]


def sessions() -> list[str]:
    """The sessions of noxfile.py."""
    return [
        node.name
        for node in ast.parse(NOXFILE).body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]


def run_by_ci() -> list[str]:
    """The sessions that CI runs, in either of its two clones."""
    return [name for line in re.findall(r"^ *(?:run|second) -s ([\w ]+)", CI, re.M)
            for name in line.split()]  # fmt: skip


def test_ci_runs_what_a_bare_nox_does() -> None:
    chosen = re.search(r"nox\.options\.sessions = \[(.*?)\]", NOXFILE)
    assert chosen
    assert set(re.findall(r'"(\w+)"', chosen[1])) <= set(run_by_ci())


def named(words: list[str]) -> tuple[list[str], list[str]]:
    """The sessions of a nox command line, and the arguments after `--`."""
    place = words.index("--") if "--" in words else len(words)
    return [word for word in words[:place] if not word.startswith("-")], words[place + 1 :]


def test_the_documents_show_commands() -> None:
    assert {one.document for one in SHOWN} >= {"README.md", "CONTRIBUTING.md", "docs/search.md"}
    assert len(SHOWN) > 30


@pytest.mark.parametrize("words", words_of("nox"), ids=" ".join)
def test_a_session_is_there_and_run_by_ci(words: list[str]) -> None:
    for session in named(words)[0]:
        assert session in sessions()
        assert session in run_by_ci()


@pytest.mark.parametrize(
    "words",
    [words for words in words_of("nox") if "--" in words and named(words)[0][0] in OF_STRIDE],
    ids=" ".join,
)
def test_an_argument_is_one_of_strides(words: list[str]) -> None:
    (session,), arguments = named(words)
    command = OF_STRIDE[session]
    told = CliRunner().invoke(stride, [command, "--help"]).output
    for argument in arguments:
        if argument.startswith("--"):
            assert argument in OF_THE_SESSION or argument in told


def carry_words() -> list[list[str]]:
    """What is shown of carry, by itself or through a session."""
    found = words_of("carry")
    for words in words_of("nox"):
        names, arguments = named(words)
        if (names, arguments) == (["test"], ["--quick"]):
            continue  # the session's own; tests/test_slow.py holds what it runs
        if arguments and names[0] in OF_CARRY:
            found.append([OF_CARRY[names[0]], *arguments])
    return [list(words) for words in dict.fromkeys(map(tuple, found))]


@pytest.mark.parametrize("words", carry_words(), ids=" ".join)
def test_a_command_of_carrys_does_its_work_or_says_why_not(
    synced: Repository, words: list[str]
) -> None:
    words = [LIKE.get(word, word) for word in words]
    if words == ["run", "--", "…"]:
        words = ["run", "--", "ls", "{base}", "{patched}"]
    said = synced.carry(*words)
    assert said.code in (0, 1), said
    assert " --help" not in said.err, "it is not understood"
    assert said.code == 0 or said.err.startswith("carry: "), said


@pytest.mark.parametrize("words", words_of("git"), ids=" ".join)
def test_a_command_of_gits_works(
    synced: Repository, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_EDITOR", "true")
    if words == ["am"]:
        assert "From 0000" in next(iter(synced.patches().values()))
        return
    words = [LIKE.get(word, word).replace("…", "HEAD~1") for word in words]
    if "commit" in words:
        (synced.tree / "README.md").write_text("Another text.\n")
        synced.tree_git("add", "README.md")
    synced.git(*words)


def test_pip_installs_what_ci_installs() -> None:
    (words,) = words_of("python3")
    assert words == ["-m", "pip", "install", "nox"]
    assert re.search(r"python3 -m pip install (--quiet )?nox$", CI, re.M)
