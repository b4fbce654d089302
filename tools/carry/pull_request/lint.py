"""What must hold of the words and of the finished text; each fault is one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from carry import machine_paths
from carry.config import Config
from carry.pull_request import template
from carry.pull_request.filling import constants
from carry.pull_request.words import Words

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_COLLAPSED = re.compile(r"<details>.*?</details>", re.DOTALL)
#: Where digits may stand in people's words: placeholders, code, links, `#123`, versions, dates,
#: and names that have them behind a letter, such as V1.
_ALLOWED = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|```.*?```|`[^`]*`|https?://\S+|#\d+\b"
    r"|\b\d{4}-\d\d-\d\d\b|\bv?\d+\.\d+\.\d+\b|\b[A-Za-z_]\w*",
    re.DOTALL,
)


def words_problems(words: Words) -> list[str]:
    """Numbers in people's words that come from no record, and what is left out."""
    found = []
    for where, text in words.passages():
        rest = _ALLOWED.sub(" ", text)
        found += [
            f"{where}: the number {number} is from no record; put a placeholder there"
            for number in re.findall(r"\d+(?:[.,]\d+)*\w*", rest)
        ]
    for where, text in (*words.passages(), *words.expressions()):
        found += [f"{where}: {made_up} asks no record" for made_up in constants(text)]
    for name in ("title", "overview", "assistance", "distinct"):
        if not getattr(words, name).strip():
            found.append(f"{name} is empty")
    if not words.claim:
        found.append("nothing is claimed")
    found += [
        f"differences {number} is no number of a pull request"
        for number in words.differences
        if not number.isdigit()
    ]
    return found


def placement_problems(words: Words, parts: Mapping[str, str], original: str) -> Iterator[str]:
    """Headings of the template that stay empty, and parts that have no place in it."""
    placed = set()
    for heading in map(template.name, template.headings(original)):
        names = words.sections.get(heading, ())
        placed |= set(names)
        if not any(parts.get(name) for name in names):
            yield f"nothing stands below the template's {heading!r}: name parts in [sections]"
        yield from (
            f"[sections] {heading!r} names {name!r}, which is no part: {', '.join(parts)}"
            for name in names
            if name not in parts
        )
    for name, text in parts.items():
        if text and name not in placed:
            yield f"{name} has no place below the template's headings: name it in [sections]"


def text_problems(config: Config, title: str, body: str, original: str) -> Iterator[str]:
    """What is wrong with the finished text."""
    pattern = config.pull_request.title_pattern
    if not re.fullmatch(pattern, title):
        yield f"the title {title!r} does not match upstream's pattern {pattern}"
    yield from _heading_problems(body, original)
    for path in machine_paths.found(f"{title}\n{body}"):
        yield f"a path of this machine: {path}"
    count, most = length(body), config.pull_request.most_words
    if count >= most:
        yield f"{count} words outside of collapsed parts, {most} are too many: collapse or cut some"


def _heading_problems(body: str, original: str) -> Iterator[str]:
    lines, start = [line.strip() for line in body.splitlines()], 0
    for heading in template.headings(original):
        if heading not in lines[start:]:
            yield f"the template's heading {heading!r} is missing or out of order"
            return
        start = lines.index(heading, start) + 1


def length(body: str) -> int:
    """The words that a reader sees before anything is opened."""
    shown = _COLLAPSED.sub(" ", _COMMENT.sub(" ", body))
    return sum(1 for word in shown.split() if any(map(str.isalnum, word)))
