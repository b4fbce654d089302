"""The page in a real browser: the one of a small series, and this repository's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from carry import config, git
from carry.config import Config
from carry.review import build
from carry.workspace import upstream_url

from .. import needs
from .browsing import MISSING, Browser, browser
from .carrying import Series, carrying_repository
from .repository import carry
from .reviewed import configure, record
from .small_upstream import Upstream

ROOT = Path(__file__).parents[2]
# How light a colour is, of the page's own.
_LIGHTNESS = """(() => {
  const colour = getComputedStyle(document.body)['%s'];
  return colour.match(/[0-9.]+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 765;
})()"""
_UNSHOWN = """[...document.querySelectorAll('svg, img')].filter(one => {
  const box = one.getBoundingClientRect();
  return !(box.width > 0 && box.height > 0) || one.naturalWidth === 0;
}).length"""
_TOO_WIDE = """[...document.querySelectorAll('body *')].filter(one =>
  one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.wide')
).map(one => one.outerHTML.slice(0, 80))"""
# Text whose contrast with what is behind it is below 4.5:1.
_FAINT = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const known = {};
  const parts = colour => {
    if (!known[colour]) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      known[colour] = [...canvas.getImageData(0, 0, 1, 1).data];
    }
    return known[colour];
  };
  const light = colour => colour.slice(0, 3).map(one => one / 255)
    .map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = one => {
    for (; one; one = one.parentElement) {
      const colour = parts(getComputedStyle(one).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const said = one => [...one.childNodes].some(
    node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll('body *')].filter(said).filter(one => {
    const style = getComputedStyle(one);
    const colour = one.closest('svg') ? style.fill : style.color;
    const [low, high] = [light(parts(colour)), light(behind(one))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05) < 4.5;
  }).map(one => one.outerHTML.slice(0, 80));
})()"""
_FOLDED = "[...document.querySelectorAll('details > :not(summary)')]"
_HEADINGS = "[...document.querySelectorAll('h1,h2,h3,h4')].map(one => Number(one.tagName[1]))"
_LINKS = "[...document.querySelectorAll('[href]')].map(one => one.getAttribute('href'))"
_NAMED = """[...document.querySelectorAll('[aria-labelledby]')].flatMap(
  one => one.getAttribute('aria-labelledby').split(' ')).map(name => '#' + name)"""


@dataclass(frozen=True)
class Page:
    """A page in the browser, and whose it is."""

    browser: Browser
    config: Config


pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture(scope="module", params=["small", "own"])
def page(
    request: pytest.FixtureRequest,
    chromium: Browser,
    upstream: Upstream,
    acme_series: Series,
    tmp_path_factory: pytest.TempPathFactory,
) -> Page:
    folder = tmp_path_factory.mktemp(str(request.param))
    root = small(folder, upstream, acme_series) if request.param == "small" else own()
    read = config.load(root)
    file = folder / "page.html"
    file.write_text(build.made(read, "auto")[1])
    chromium.open(file)
    return Page(chromium, read)


def small(folder: Path, upstream: Upstream, series: Series) -> Path:
    root = carrying_repository(folder, upstream, series)
    assert carry(root, "sync") == 0
    configure(root)
    record(root)
    return root


def own() -> Path:
    tree = config.load(ROOT).tree
    if not git.is_repository(tree) or git.head(tree) is None:
        needs.skip(f"{tree.name}/ is not there yet", "nox -s sync")
    return ROOT


def test_nothing_is_missing_or_asked_for_elsewhere(page: Page) -> None:
    assert page.browser.ask("document.readyState") == "complete"
    assert page.browser.complaints() == []
    assert page.browser.ask("performance.getEntriesByType('resource').length") == 0


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_it_fits_the_screen(page: Page, width: int) -> None:
    page.browser.show_as(width=width)
    assert page.browser.ask("document.documentElement.scrollWidth") == width
    assert page.browser.ask(_TOO_WIDE) == []
    assert page.browser.ask(_UNSHOWN) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read(page: Page, scheme: str) -> None:
    page.browser.show_as(scheme=scheme)
    dark = page.browser.ask(_LIGHTNESS % "backgroundColor") < 0.5
    assert dark is (scheme == "dark")
    assert dark is (page.browser.ask(_LIGHTNESS % "color") > 0.5)
    assert page.browser.ask(_FAINT) == []


def test_a_change_is_beside_the_old_text_or_below_it(page: Page) -> None:
    sides = "['old', 'new'].map(side => document.querySelector("\
        "`.changed .${side}`).getBoundingClientRect())"  # fmt: skip
    page.browser.show_as(width=1280)
    assert page.browser.ask(f"(([a, b]) => a.y === b.y && a.right <= b.x)({sides})")
    page.browser.show_as(width=360)
    assert page.browser.ask(f"(([a, b]) => a.bottom <= b.y && a.x === b.x)({sides})")


def test_every_link_leads_somewhere(page: Page) -> None:
    ids = page.browser.ask("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    here = upstream_url(page.config).removesuffix(".git")
    for link in {*page.browser.ask(_LINKS), *page.browser.ask(_NAMED)} - {"data:,"}:
        elsewhere = re.match(rf"{re.escape(here)}/(pull|issues)/\d+$", link)
        assert elsewhere or (link[0] == "#" and link[1:] in ids), link


def test_it_has_an_order_for_those_who_do_not_see_it(page: Page) -> None:
    levels = page.browser.ask(_HEADINGS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.browser.ask("document.documentElement.lang") == "en"
    for landmark in ("header", "nav", "main"):
        assert page.browser.ask(f"document.querySelectorAll('body {landmark}').length") == 1
    assert page.browser.ask("document.querySelectorAll('th:not([scope])').length") == 0
    assert page.browser.ask("document.querySelectorAll('table:not(:has(caption))').length") == 0
    assert page.browser.ask("document.querySelectorAll('svg:not([aria-label])').length") == 0


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    page.browser.press(Keys.TAB)
    assert page.browser.ask("document.activeElement.className") == "skip"
    assert page.browser.ask("document.activeElement.getBoundingClientRect().x") > 0
    page.browser.press(Keys.ENTER)
    assert page.browser.ask("document.activeElement.id") == "content"


def test_it_prints_with_all_that_is_folded(page: Page) -> None:
    assert page.browser.ask(f"{_FOLDED}.length") > 0
    page.browser.show_as(width=1280)
    assert not page.browser.ask(f"{_FOLDED}.some(one => one.checkVisibility())")
    page.browser.show_on_paper()
    assert page.browser.ask(f"{_FOLDED}.every(one => one.checkVisibility())")
    assert not page.browser.ask("document.querySelector('nav').checkVisibility()")
    assert page.browser.ask(_LIGHTNESS % "backgroundColor") == 1
    assert page.browser.printed().startswith(b"%PDF-")
