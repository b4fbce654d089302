"""The upstream that the other tests build on is what it says it is."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

from carry import config, fingerprints, manifest, series

from .carrying import AUTHOR, Carrying, Series
from .small_index import Index
from .small_upstream import Upstream, run_git


def pick(upstream: Upstream, acme_series: Series, tmp_path: Path, version: str) -> tuple[bool, str]:
    """Put patch 1 on a release; whether that is clean, and what is left of the patch."""
    run_git(tmp_path, "clone", "--quiet", "--branch=v1.0.0", str(upstream.repository), "work")
    work = tmp_path / "work"
    first = min(acme_series.files)
    (tmp_path / first).write_text(acme_series.files[first])
    run_git(work, "am", "--quiet", str(tmp_path / first))
    patch = run_git(work, "rev-parse", "HEAD")
    run_git(work, "checkout", "--quiet", f"v{version}")
    done = subprocess.run(["git", "cherry-pick", "--no-commit", patch], cwd=work, check=False)
    return done.returncode == 0, run_git(work, "diff", "HEAD")


@pytest.mark.parametrize("version", ["1.1.0", "1.2.0"])
def test_patch_1_goes_on_cleanly(
    upstream: Upstream, acme_series: Series, tmp_path: Path, version: str
) -> None:
    clean, left = pick(upstream, acme_series, tmp_path, version)
    assert clean
    assert "-        last = len" in left
    assert "-            matched = 0" in left


def test_patch_1_conflicts_with_1_3_0(
    upstream: Upstream, acme_series: Series, tmp_path: Path
) -> None:
    assert not pick(upstream, acme_series, tmp_path, "1.3.0")[0]


def test_nothing_of_patch_1_is_left_on_1_4_0(
    upstream: Upstream, acme_series: Series, tmp_path: Path
) -> None:
    assert pick(upstream, acme_series, tmp_path, "1.4.0") == (True, "")


def test_half_of_patch_1_is_left_on_1_5_0(
    upstream: Upstream, acme_series: Series, tmp_path: Path
) -> None:
    clean, left = pick(upstream, acme_series, tmp_path, "1.5.0")
    assert clean
    assert "-        last = len" not in left
    assert "-            matched = 0" in left


def test_main_is_two_commits_past_1_2_0(upstream: Upstream) -> None:
    described = run_git(upstream.repository, "describe", upstream.main)
    assert described.startswith("v1.2.0-2-g")


def test_an_sdist_is_the_release_and_what_packaging_writes(upstream: Upstream) -> None:
    with tarfile.open(upstream.sdists["1.1.0"]) as tar:
        names = {member.name.removeprefix("acme-1.1.0/") for member in tar if member.isfile()}
    listed = run_git(upstream.repository, "ls-tree", "-r", "--name-only", "v1.1.0").split()
    assert names - set(listed) == {
        "PKG-INFO", "setup.cfg", "acme.egg-info/SOURCES.txt", "acme/_version.py",
    }  # fmt: skip
    assert set(listed) <= names


def test_the_carrying_repository_is_in_order(carrying: Carrying, upstream: Upstream) -> None:
    root = carrying()
    assert run_git(root, "status", "--porcelain") == ""
    loaded = config.load(root)
    patches = series.read(loaded.patches_dir)
    assert not series.list_faults(loaded.patches_dir)
    assert not [fault for each in patches for fault in series.identity_faults(each, AUTHOR)]
    listed = manifest.read(loaded.patches_dir)
    source = run_git(upstream.repository, "show", "v1.0.0:acme/scan.py")
    text = fingerprints.functions(source)["Scanner.find"]
    entry = listed.patch[0]
    assert entry.functions == {"acme/scan.py::Scanner.find": fingerprints.fingerprint(text)}


def test_upstreams_tests_run(upstream: Upstream, tmp_path: Path) -> None:
    run_git(tmp_path, "clone", "--quiet", "--branch=v1.0.0", str(upstream.repository), "work")
    namespace: dict[str, object] = {}
    exec((tmp_path / "work/acme/scan.py").read_text(), namespace)  # noqa: S102
    scanner = namespace["Scanner"]
    assert callable(scanner)
    assert scanner("abcabc").find("ca") == 2


def test_the_index_counts_what_it_is_asked_for(index: Index) -> None:
    assert sorted(index.files)[0] == "acme-1.0.0.tar.gz"
    assert index.requests == []
