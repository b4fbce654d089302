from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from carry import git
from carry.errors import UserError
from carry.upstream_hooks.fixing import changes, rewrite
from carry.upstream_hooks.running import tree

from .carrying import AUTHOR
from .small_upstream import commit, run_git

BASE = "".join(f"line {number}\n" for number in range(1, 21))


class Stack:
    """A base and two commits: lines 5 and 6, then line 15 and another file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        run_git(root, "init", "--quiet")
        self.write("a.txt", BASE)
        commit(root, "Base")
        self.edit("a.txt", lambda text: text.replace("line 5\nline 6\n", "five \nsix\n"))
        self.first = commit(root, "First", who=AUTHOR)
        self.edit("a.txt", lambda text: text.replace("line 15\n", "fifteen\n"))
        self.write("b.txt", "new\n")
        self.second = commit(root, "Second", who=AUTHOR, body="Why.")

    @property
    def commits(self) -> list[str]:
        return [self.first, self.second]

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        self.write(name, change((self.root / name).read_text()))

    def owners(self) -> dict[str, str | None]:
        """The subject of the commit that each change belongs to."""
        names = {self.first: "First", self.second: "Second", None: None}
        found = changes(self.root, self.commits, tree(self.root))
        return {change.place: names[change.owner] for change in found}

    def fix(self, messages: dict[str, str] | None = None) -> list[str]:
        found = changes(self.root, self.commits, tree(self.root))
        tip = rewrite(self.root, self.commits, found, messages or {}, AUTHOR)
        return git.commits(self.root, f"{self.first}^", tip)

    def at(self, commit: str, name: str) -> str:
        return git.show(self.root, f"{commit}:{name}") or ""


@pytest.fixture
def stack(tmp_path: Path) -> Stack:
    return Stack(tmp_path)


def test_change_belongs_to_the_commit_of_its_lines(stack: Stack) -> None:
    stack.edit("a.txt", lambda text: text.replace("five \n", "five\n").replace("fifteen", "15"))
    stack.edit("b.txt", lambda text: f"header\n{text}")
    assert stack.owners() == {"a.txt:5": "First", "a.txt:15": "Second", "b.txt:1": "Second"}
    one, two = stack.fix()
    assert stack.at(one, "a.txt") == BASE.replace("line 5\nline 6\n", "five\nsix\n")
    assert stack.at(two, "a.txt").splitlines()[14] == "15"
    assert stack.at(two, "b.txt") == "header\nnew\n"


def test_lines_of_two_commits_belong_to_the_later(stack: Stack) -> None:
    stack.edit("a.txt", lambda text: text.replace("six\n", "six\nand\n"))
    stack.second = commit(stack.root, "Further", who=AUTHOR)
    before = changes(stack.root, stack.commits, tree(stack.root))
    assert before == []
    stack.edit("a.txt", lambda text: text.replace("six\nand\n", "both\n"))
    assert stack.owners() == {"a.txt:6": "Second"}


def test_upstreams_own_lines_belong_to_no_commit_and_are_left(stack: Stack) -> None:
    stack.edit("a.txt", lambda text: text.replace("line 1\n", "one\n").replace("six", "6"))
    assert stack.owners() == {"a.txt:1": None, "a.txt:6": "First"}
    one, two = stack.fix()
    assert stack.at(one, "a.txt").startswith("line 1\n")
    assert "\n6\n" in stack.at(one, "a.txt")
    assert stack.at(two, "b.txt") == "new\n"


def test_insertion_belongs_to_what_is_beside_it(stack: Stack) -> None:
    stack.edit(
        "a.txt", lambda text: text.replace("six\n", "six\n\n").replace("line 10\n", "line 10\n\n")
    )
    assert stack.owners() == {"a.txt:7": "First", "a.txt:11": None}


def test_file_without_a_newline_at_its_end(stack: Stack) -> None:
    stack.write("b.txt", "new")
    stack.second = commit(stack.root, "No newline", who=AUTHOR)
    stack.write("b.txt", "new\n")
    assert stack.owners() == {"b.txt:1": "Second"}


def test_file_that_goes_is_put_nowhere(stack: Stack) -> None:
    (stack.root / "b.txt").unlink()
    assert stack.owners() == {"b.txt:1": None}


def test_message_goes_to_its_own_commit_and_authors_and_dates_stay(stack: Stack) -> None:
    form = "--format=%an %ad %cd"
    before = [git.run(stack.root, "log", "-1", form, each) for each in stack.commits]
    one, two = stack.fix({stack.first: "First\n\nSigned-off-by: Ada <ada@example.invalid>"})
    assert git.message(stack.root, one).endswith("Signed-off-by: Ada <ada@example.invalid>\n")
    assert git.message(stack.root, two).strip() == "Second\n\nWhy."
    assert [git.run(stack.root, "log", "-1", form, each) for each in (one, two)] == before


def test_change_that_fits_nowhere_is_said(stack: Stack) -> None:
    # The second commit changes what the first one wrote, right beside what is to be fixed.
    stack.edit("a.txt", lambda text: text.replace("six\n", "sixth\n"))
    stack.second = commit(stack.root, "Beside", who=AUTHOR)
    stack.edit("a.txt", lambda text: text.replace("five \n", "five\n"))
    assert stack.owners() == {"a.txt:5": "First"}
    with pytest.raises(UserError, match="do not go into the patches one by one; make them by hand"):
        stack.fix()
