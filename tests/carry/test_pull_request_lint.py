from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest

from carry import config, evidence
from carry.freshness import Evidence, State
from carry.pull_request import lint
from carry.pull_request.build import Text, compose
from carry.pull_request.words import Words

from .proposing import RESULTS, TITLE_PATTERN, WORDS
from .small_upstream import TEMPLATE

ON = evidence.Subject(series="0123", base="1.0.0", commit="abc", tree="def")
PLAIN = config.Config(
    author="Ada <ada@example.org>",
    branch="perf/scan",
    upstream=config.Upstream("acme"),
    pull_request=config.PullRequest(title_pattern=TITLE_PATTERN),
)


def composed(words: str, template: str = TEMPLATE) -> Text:
    now = datetime.now(UTC)
    records = tuple(
        Evidence(
            kind, f"about {kind}", f"nox -s {kind}", State.FRESH,
            record=evidence.new(kind, result, command="nox", started=now, subject=ON),
        )
        for kind, result in RESULTS.items()
    )  # fmt: skip
    return compose(PLAIN, msgspec.convert(tomllib.loads(words), Words), records, template)


def test_a_good_text_has_no_fault() -> None:
    assert composed(WORDS).problems == ()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"[Scan] Compare', '"Compare', "title 'Compare slices in Scanner.find' does not match"),
        ("It is simple.", "See /home/ada/x.", "a path of this machine: /home/ada/x."),
        ("It is simple.", "See `~/x`.", "a path of this machine: ~/x"),
        ("It is simple.", "C:\\\\x.", "a path of this machine: C:"),
        ("It needs threads", "See (/tmp/x)", "a path of this machine: /tmp/x"),
        ("It is simple.", "It is 3 times as fast.", "detail 1: the number 3 is from no record"),
        ("see #3", "by 5%", "overview: the number 5 is from no record"),
        ("How often", "30x", "detail 2: the number 30x is from no record"),
        ("It needs threads", "It has 1.5", "differences 7: the number 1.5 is from no record"),
        ("on ROCm", "on 2 of them", "row 2: the number 2 is from no record"),
        ("It is simple.", "It is {{ 3 }} times as fast.", "detail 1: {{ 3 }} asks no record"),
        ("It is simple.", "It is {% set x = 3 %}{{ x }}", "detail 1: {% set x = 3 %} asks no"),
        (
            "let.row = \"bench.rows | one(name='long')\"",
            'let.row = \'{"after": 2, "before": 9}\'',
            'claim 2, let.row: {{ {"after": 2, "before": 9} }} asks no record',
        ),
        ("tests.passed }}", "tests.failed }}", "claim 1: 'dict object' has no attribute 'failed'"),
        ("{{ tests.passed }}", "{{ bench.rounds }}", "claim 1: asks for bench, but it rests on"),
        ("name='long'", "name='huge'", "0 entries have {'name': 'huge'}, not one"),
        ("device == 'rocm'", "device.x.y", "row 2: record.bench.machine.device.x.y"),
        ('kind = "tests"', 'kind = "test"', "claim 1 rests on 'test', which is no kind of record"),
        ("More = [", "Less = [", "nothing stands below the template's 'More'"),
        (', "repeat"]', "]", "repeat has no place below the template's headings"),
        (', "repeat"]', ', "repeats"]', "names 'repeats', which is no part"),
        ('"A robot helped."', '""', "assistance is empty"),
        ("[[claim]]", "[[detail]]", "nothing is claimed"),
        ("7 = ", "seven = ", "differences seven is no number"),
        ("It is simple.", "It is simple. " * 300, "are too many: collapse or cut some"),
    ],
)
def test_each_fault_is_found(old: str, new: str, fault: str) -> None:
    assert old in WORDS
    problems = composed(WORDS.replace(old, new)).problems
    assert any(fault in line for line in problems), problems


@pytest.mark.parametrize(
    "allowed",
    [
        "#123", "2026-11-30", "v0.33.0", "V1", "`W = 3`", "https://x.example/9", "utf8",
        "```\\n1 2 3\\n```", "{{ bench.rounds }}", "/proc and a/home/b", "x86_64",
    ],
)  # fmt: skip
def test_what_is_no_measurement_may_stand_there(allowed: str) -> None:
    text = WORDS.replace("It is simple.", f"It is {allowed} here.")
    text = text.replace("[[detail]]\ntext", '[[detail]]\nkind = "bench"\ntext')
    assert composed(text).problems == ()


def test_headings_are_all_there_and_in_order() -> None:
    body = composed(WORDS).body

    def faults(text: str) -> list[str]:
        return list(lint.text_problems(PLAIN, "[Scan] It", text, TEMPLATE))

    assert faults(body) == []
    for spoil in SPOILERS:
        assert any("is missing or out of order" in line for line in faults(spoil(body)))


SPOILERS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace("## Shown by", "## Shown"),
    lambda text: text.replace("## What", "## More", 1).replace("## More", "## What"),
    lambda text: text.replace("## More", "### More"),
)


def test_words_are_counted_as_a_reader_sees_them() -> None:
    text = (
        "one two | --- | <!-- no no --> three\n<details>\n<summary>s</summary>\nno\n</details> four"
    )
    assert lint.length(text) == 4
