"""The patches as files: read, check and render them. Starts no programs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_string, policy
from email.utils import parseaddr
from functools import cached_property
from pathlib import Path

from carry.errors import UserError

#: The list of the patches in order, one name a line, as quilt has it.
LIST = "series"
_SIGN_OFF = re.compile(r"^Signed-off-by:\s*(.+?)\s*$", re.MULTILINE)
_NUMBERED = re.compile(r"\d{4}-(?P<slug>.+)\.patch")


@dataclass(frozen=True)
class Patch:
    """One patch in mail format, as `git am` takes it."""

    name: str
    text: str

    @cached_property
    def _mail(self) -> tuple[str, str, str]:
        mail = message_from_string(self.text, policy=policy.default)
        return str(mail["Subject"] or ""), str(mail["From"] or ""), str(mail.get_payload())

    @property
    def subject(self) -> str:
        """The first line of the message, without `[PATCH]`."""
        words = " ".join(self._mail[0].split())
        return re.sub(r"^\[PATCH[^]]*\]\s*", "", words)

    @property
    def author(self) -> tuple[str, str]:
        """Name and mail address."""
        return parseaddr(self._mail[1])

    @property
    def description(self) -> str:
        """The message's text below the subject, up to the diff."""
        return re.split(r"^(?:---$|diff --git )", self._mail[2], maxsplit=1, flags=re.M)[0].strip()

    @property
    def sign_offs(self) -> list[tuple[str, str]]:
        """Who signed the patch off, in order."""
        return [parseaddr(line) for line in _SIGN_OFF.findall(self.description)]

    @property
    def paths(self) -> list[str]:
        """The files it changes."""
        return re.findall(r"^diff --git a/.+ b/(.+)$", self.text, re.M)

    @property
    def slug(self) -> str:
        """The name without its number, which a reordering leaves alone."""
        match = _NUMBERED.fullmatch(self.name)
        return match["slug"] if match else self.name


def names(folder: Path) -> list[str]:
    """The names that the list gives, in order.

    Raises:
        UserError: There is no list.
    """
    file = folder / LIST
    if not file.is_file():
        raise UserError(
            f"{file} is missing",
            hint=f"restore it with: git checkout -- {folder.name}/{LIST}",
        )
    lines = (line.split("#", 1)[0].strip() for line in file.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def read(folder: Path) -> tuple[Patch, ...]:
    """The patches in order.

    Raises:
        UserError: The list is missing, names a missing file or names one twice.
    """
    if faults := list_faults(folder, orphans=False):
        raise UserError(f"{folder.name}/: {faults[0]}", hint="mend it, then: carry verify")
    return tuple(Patch(name, (folder / name).read_text("utf-8")) for name in names(folder))


def list_faults(folder: Path, *, orphans: bool = True) -> list[str]:
    """What is wrong between the list and the files, each in words that name the file."""
    listed = names(folder)
    faults = [
        f"{LIST} names {name}, which is not there"
        for name in listed
        if not (folder / name).is_file()
    ]
    faults += [
        f"{LIST} names {name} twice"
        for number, name in enumerate(listed)
        if name in listed[:number]
    ]
    if orphans:
        present = {file.name for file in folder.glob("*.patch")}
        faults += [f"{name} is not in {LIST} (an orphan)" for name in sorted(present - set(listed))]
    return faults


def identity_faults(patch: Patch, identity: tuple[str, str]) -> list[str]:
    """Where a patch disagrees with the configured author, in words."""
    wanted = "{} <{}>".format(*identity)
    faults = []
    if patch.author != identity:
        faults.append("{} is by {} <{}>, not by {}".format(patch.name, *patch.author, wanted))
    if identity not in patch.sign_offs:
        faults.append(f"{patch.name} is not signed off by {wanted}")
    return faults


def with_sign_off(message: str, old: tuple[str, str], new: tuple[str, str]) -> str:
    """A message in which the sign-off of `old`, if any, is that of `new`, and `new` signs once."""
    lines = [line for line in message.rstrip().splitlines() if line != _sign_off(old)]
    if _sign_off(new) in lines:
        return "\n".join(lines) + "\n"
    if lines and not re.match(r"[A-Z][A-Za-z-]+: ", lines[-1]) and lines[-1]:
        lines.append("")
    return "\n".join([*lines, _sign_off(new)]) + "\n"


def _sign_off(identity: tuple[str, str]) -> str:
    return "Signed-off-by: {} <{}>".format(*identity)


def render_list(old: str, ordered: list[str]) -> str:
    """The list's new text; the comments at its top stay."""
    comments = []
    for line in old.splitlines():
        if line.strip() and not line.startswith("#"):
            break
        comments.append(line)
    return "\n".join([*comments, *ordered]) + "\n"
