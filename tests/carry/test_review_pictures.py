from __future__ import annotations

import re
from pathlib import Path

import pytest

from carry.errors import UserError
from carry.review.pictures import inline as picture

SVG = """\
<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="20pt" height="10pt" viewBox="0 0 20 10" onload="alert(1)">
 <metadata><x xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:source>0123</dc:source></x></metadata>
 <style>* {color: red}</style>
 <script>alert(1)</script>
 <defs><path id="mark" d="M 0 0"/><clipPath id="clip"><rect width="1" height="1"/></clipPath></defs>
 <use xlink:href="#mark" style="fill: #FFFFFF; stroke: #000000"/>
 <path d="M 0 0" clip-path="url(#clip)" style="stroke: #0072B2"/>
 <text>a &lt; b</text>
</svg>
"""


def shown(file: Path, alt: str = "marks") -> str:
    found = picture(file, alt)
    assert found is not None
    return found


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    file = tmp_path / "marks.svg"
    file.write_text(SVG)
    return file


def test_it_is_an_image_with_a_description(drawn: Path) -> None:
    text = shown(drawn, 'marks & "more"')
    assert text.startswith('<svg viewBox="0 0 20 10" role="img" ')
    assert 'aria-label="marks &amp; &quot;more&quot;"' in text
    assert "a &lt; b" in text


def test_nothing_but_what_is_drawn_is_taken(drawn: Path) -> None:
    text = shown(drawn)
    for word in ("script", "onload", "metadata", "<style", "xmlns", "ns0:"):
        assert word not in text


def test_two_pictures_share_no_id_and_each_finds_its_own(drawn: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.svg"
    other.write_text(SVG)
    ids = []
    for file in (drawn, other):
        text = shown(file)
        mine = re.findall(r' id="([^"]+)"', text)
        assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)) <= {
            pair for one in mine for pair in ((one, ""), ("", one))
        }
        ids += mine
    assert len(ids) == len(set(ids)) == 4


def test_its_colours_turn_with_the_page(drawn: Path) -> None:
    text = shown(drawn)
    assert "fill: var(--paper); stroke: var(--ink)" in text
    assert "stroke: color-mix(in oklab, #0072b2, var(--ink) var(--lift))" in text


def test_it_is_shown_only_for_what_it_was_drawn_from(drawn: Path) -> None:
    assert picture(drawn, "marks", "0123") == shown(drawn)
    assert picture(drawn, "marks", "4567") is None


def test_what_is_no_svg_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    with pytest.raises(UserError, match=r"the picture plot\.svg is missing"):
        shown(file)
    file.write_text("<svg")
    with pytest.raises(UserError, match="is no SVG"):
        shown(file)
