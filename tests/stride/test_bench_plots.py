"""The plots are there, can be read, and are the same for the same figures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from carry import evidence
from stride.bench.drawing import STYLES
from stride.bench.plots import draw

from .made_up_bench import bench

ROOT = Path(__file__).parents[2]
NAMES = ["latency-by-prompt", "lookups-by-density", "lookups-by-prompt", "share-of-a-step"]


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plots") / "made"
    files = draw(bench(), folder)
    assert sorted(files) == sorted(folder.iterdir())
    return folder


def test_each_is_a_png_and_an_svg(plots: Path) -> None:
    names = sorted(file.name for file in plots.iterdir())
    assert names == [f"{name}.{kind}" for name in NAMES for kind in ("png", "svg")]


def test_a_png_is_a_thousand_pixels_wide(plots: Path) -> None:
    for file in plots.glob("*.png"):
        header = file.read_bytes()[:24]
        assert header.startswith(b"\x89PNG")
        assert (int.from_bytes(header[16:20]), int.from_bytes(header[20:])) == (1000, 550)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("lookups-by-prompt", ["lookups", "prompt in tokens (blocks of 16)", "patch", "floor"]),
        ("latency-by-prompt", ["time in µs", "right-to-left", "128K"]),
        ("lookups-by-density", ["blocks cached, each independently", "99%", "lattice-expand"]),
        ("share-of-a-step", ["share of the step in %", "32 x 128K", "upstream"]),
    ],
)
def test_axes_and_searches_are_named(plots: Path, name: str, labels: list[str]) -> None:
    root = ElementTree.parse(plots / f"{name}.svg").getroot()  # noqa: S314  our own
    texts = {"".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert set(labels) <= texts


def test_the_same_figures_give_the_same_files(plots: Path, tmp_path: Path) -> None:
    draw(bench(), tmp_path)
    for file in plots.glob("*.svg"):
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_the_committed_plots_are_of_the_committed_record() -> None:
    record = evidence.read(ROOT, "bench")
    assert record
    for name in NAMES:
        text = (ROOT / "docs" / "plots" / f"{name}.svg").read_text("utf-8")
        assert f"<dc:source>{evidence.result_id(record.result)}</dc:source>" in text


def test_no_two_searches_look_alike() -> None:
    assert len({style.colour for style in STYLES.values()}) == len(STYLES)
    assert len({(style.marker, style.size, style.line) for style in STYLES.values()}) == len(STYLES)
