from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from filelock import FileLock

from carry import config as configuration
from carry import git, workspace
from carry.config import Config
from carry.errors import UnreachableError, UserError
from carry.sources import pypi
from carry.sources.base import RELEASES, Base, NotListedError
from carry.sources.wanted import parse

from .. import needs
from .carrying import Carrying
from .small_index import Index
from .small_upstream import Upstream, edit, run_git, write_sdist


@pytest.fixture
def config(carrying: Carrying) -> Config:
    return configuration.load(carrying(git_in_reach=False))


@pytest.fixture
def store(config: Config) -> Path:
    return workspace.ensure_submodule(config)


def take(config: Config, store: Path, wanted: str, lines: list[str] | None = None) -> Base:
    report = (lines if lines is not None else []).append
    return pypi.take(config, store, parse(config, wanted), report)


def ref(store: Path, version: str) -> str | None:
    return git.resolve(store, f"{RELEASES}/{version}")


def parents(store: Path, commit: str) -> list[str]:
    return git.run(store, "rev-parse", f"{commit}^@").split()


def changed(config: Config, *changes: tuple[str, str], file: str = "pyproject.toml") -> Config:
    """The configuration after an edit of one of its files."""
    edit(config.root / file, *changes)
    return configuration.load(config.root)


def only_import_files(config: Config) -> set[str]:
    return {path.name for path in config.state_dir.iterdir()} - {"downloads", "import.lock"}


def test_a_release_has_upstreams_tree(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    base = take(config, store, "1.1.0")
    of = upstream.releases["1.1.0"]
    assert base == Base("1.1.0", "1.1.0", base.commit, of, of, "pypi")
    tree = run_git(upstream.repository, "rev-parse", f"{of}^{{tree}}")
    assert git.tree_of(store, base.commit) == tree
    assert not base.rehearsal
    assert only_import_files(config) == set()


def test_executables_and_ignored_files_are_kept(index: Index, config: Config, store: Path) -> None:
    listed = run_git(store, "ls-tree", "-r", take(config, store, "1.0.0").commit)
    modes = {line.split("\t")[1]: line.split()[0] for line in listed.splitlines()}
    assert modes["tools/release.sh"] == "100755"
    assert modes["acme/scan.py"] == "100644"
    assert "acme/words.dat" in modes
    assert not {"PKG-INFO", "setup.cfg", "acme/_version.py"} & set(modes)


def test_a_release_that_is_known_in_short_is_a_rehearsal(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    for version in ("1.2.0", "1.3.0"):
        base = take(config, store, version)
        assert base.upstream is None
        assert base.rehearsal
        assert base.known_as == upstream.releases[version][:9]


def test_all_releases_are_children_of_the_pins(index: Index, config: Config, store: Path) -> None:
    new = take(config, store, "1.2.0").commit
    root = ref(store, "1.0.0")
    assert root is not None
    assert parents(store, root) == []
    assert parents(store, new) == [root]
    assert parents(store, take(config, store, "1.1.0").commit) == [root]


def test_a_release_is_its_own_root_when_the_pin_is_no_release(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    git.set_gitlink(config.root, config.submodule, upstream.main)
    assert parents(store, take(config, store, "1.2.0").commit) == []
    assert ref(store, "1.0.0") is None


def test_nothing_is_downloaded_twice(index: Index, config: Config, store: Path) -> None:
    first = take(config, store, "1.2.0")
    assert sorted(name for name, _ in index.downloads) == [
        "acme-1.0.0.tar.gz", "acme-1.2.0.tar.gz",
    ]  # fmt: skip
    index.requests.clear()
    assert take(config, store, "1.2.0") == first
    git.delete_ref(store, f"{RELEASES}/1.2.0")
    assert take(config, store, "1.2.0") == first
    assert index.requests == []


def test_a_moved_pin_moves_no_commit_that_a_branch_may_stand_on(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    before = take(config, store, "1.1.0").commit
    git.set_gitlink(config.root, config.submodule, upstream.releases["1.1.0"])
    assert parents(store, take(config, store, "1.2.0").commit) == [before]
    assert take(config, store, "1.1.0").commit == before


def test_a_release_has_the_same_id_everywhere(
    index: Index, config: Config, store: Path, upstream: Upstream, tmp_path: Path,
    carrying: Carrying, monkeypatch: pytest.MonkeyPatch, home: Path,
) -> None:  # fmt: skip
    here = take(config, store, "1.2.0").commit
    config.root.rename(tmp_path / "first")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2001-01-01T00:00:00+09:00")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Else\n\temail = else@example.invalid\n[core]\n\tautocrlf = true\n"
    )
    index.html = True
    other = configuration.load(carrying(git_in_reach=False))
    umask = os.umask(0o077)
    try:
        there = take(other, workspace.ensure_submodule(other), "1.2.0").commit
    finally:
        os.umask(umask)
    assert there == here


def test_the_commit_says_what_it_was_made_from(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    base = take(config, store, "1.2.0")
    assert git.message(store, base.commit).splitlines() == [
        "acme 1.2.0",
        "",
        "The tree of acme-1.2.0.tar.gz, less what packaging wrote.",
        "",
        f"Sdist-sha256: {upstream.sha256('1.2.0')}",
        f"Upstream-commit: {upstream.releases['1.2.0'][:9]}",
    ]
    who = git.run(store, "log", "-1", "--format=%an <%ae> %cn <%ce> %ad", base.commit)
    assert who == (
        "Release import <release-import@carry.invalid> "
        "Release import <release-import@carry.invalid> Sun Nov 1 12:01:00 2026 +0000"
    )


def test_main_is_the_newest_release_that_is_not_yanked(
    index: Index, config: Config, store: Path
) -> None:
    lines: list[str] = []
    assert take(config, store, "main", lines).name == "1.2.0"
    assert lines == ["main stands for release 1.2.0, the newest on the Python index"]
    index.yanked = {"1.5.0"}
    assert take(config, store, "main").name == "1.4.0"


def test_a_release_that_appears_is_found_with_no_file_edited(
    index: Index, config: Config, store: Path
) -> None:
    index.missing = {"1.2.0"}
    assert take(config, store, "main").name == "1.1.0"
    index.missing = set()
    assert take(config, store, "main").name == "1.2.0"


def test_without_a_final_release_a_pre_release_has_to_be_asked_for(
    index: Index, config: Config, store: Path
) -> None:
    index.yanked |= {"1.0.0", "1.1.0", "1.2.0"}
    with pytest.raises(NotListedError, match="no source archive of a final release of acme"):
        take(config, store, "main")


def test_a_commit_id_stands_for_its_release(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    assert take(config, store, upstream.releases["1.1.0"]).name == "1.1.0"
    assert take(config, store, upstream.releases["1.2.0"][:7]).name == "1.2.0"


@pytest.mark.parametrize("wanted", ["f" * 40, "f" * 7, "nightly"])
def test_what_is_no_release_cannot_be_had(
    index: Index, config: Config, store: Path, wanted: str
) -> None:
    with pytest.raises(NotListedError, match=r"neither here nor a release; name one such as 1\.0"):
        take(config, store, wanted)


def test_a_release_that_is_not_listed(index: Index, config: Config, store: Path) -> None:
    with pytest.raises(NotListedError, match=r"no source archive of acme 1\.9\.0"):
        take(config, store, "1.9.0")
    with pytest.raises(NotListedError, match=r"no source archive of acme 1\.0\.0"):
        index.missing = {"1.0.0"}
        git.delete_ref(store, f"{RELEASES}/1.0.0")
        (config.state_dir / "downloads/acme-1.0.0.tar.gz").unlink()
        take(config, store, "1.0.0")


def test_an_archive_of_another_commit_is_refused(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    of = upstream.releases["1.1.0"]
    config = changed(config, (f'"{of}"', f'"{"f" * 40}"'), file="releases.toml")
    with pytest.raises(UserError) as caught:
        take(config, store, "1.1.0")
    assert caught.value.line().startswith(
        f"acme-1.1.0.tar.gz says it was made from commit {of[:9]}, [tool.carry] has {'f' * 40}; "
    )
    assert ref(store, "1.1.0") is None
    assert only_import_files(config) == set()


def test_an_archive_that_names_no_commit_is_taken_at_the_tables_word(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    config = changed(config, ('version-file = "acme/_version.py"\n', ""))
    base = take(config, store, "1.1.0")
    assert base.upstream == upstream.releases["1.1.0"]
    assert "Upstream-commit" not in git.message(store, base.commit)
    assert take(config, store, "1.3.0").known_as == ""


def test_a_damaged_archive_leaves_nothing(
    index: Index, config: Config, store: Path, upstream: Upstream
) -> None:
    index.files["acme-1.3.0.tar.gz"] = upstream.sdists["1.3.0"].read_bytes()[:-200]
    with pytest.raises(UserError, match=r"acme-1\.3\.0\.tar\.gz is damaged"):
        take(config, store, "1.3.0")
    assert ref(store, "1.3.0") is None
    assert only_import_files(config) == set()


def test_an_interrupted_import_leaves_nothing(index: Index, config: Config, store: Path) -> None:
    take(config, store, "1.0.0")
    code = f"""
        import os, signal, sys
        from pathlib import Path
        from carry import config, git
        from carry.sources import pypi, wanted
        real = git.write_tree
        def interrupted(*arguments, **options):
            assert list(Path({str(config.state_dir)!r}).glob("unpacked-*/*/acme/scan.py"))
            os.kill(os.getpid(), getattr(signal, sys.argv[1]))
            return real(*arguments, **options)
        git.write_tree = interrupted
        loaded = config.load(Path({str(config.root)!r}))
        pypi.take(loaded, Path({str(store)!r}), wanted.parse(loaded, "1.3.0"), print)
    """
    tools = Path(pypi.__file__).parents[2]
    for name in ("SIGINT", "SIGKILL"):
        command = [sys.executable, "-c", textwrap.dedent(code), name]
        env = os.environ | {"PYTHONPATH": str(tools)}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode < 0, done.stderr
        assert ref(store, "1.3.0") is None
        left = only_import_files(config)
        assert left == set() if name == "SIGINT" else len(left) == 1
    assert take(config, store, "1.3.0").name == "1.3.0"
    assert only_import_files(config) == set()


def test_only_one_import_at_a_time(index: Index, config: Config, store: Path) -> None:
    config.state_dir.mkdir()
    with (
        FileLock(config.state_dir / "import.lock"),
        pytest.raises(UserError, match="another carry command is importing a release; let it end"),
    ):
        take(config, store, "1.0.0")


def test_a_silent_index_is_out_of_reach(no_index: None, config: Config, store: Path) -> None:
    with pytest.raises(UnreachableError):
        take(config, store, "1.0.0")


def test_a_full_disk_is_named(
    index: Index, config: Config, store: Path, upstream: Upstream, tmp_path: Path
) -> None:
    big = tmp_path / "big.git"
    run_git(tmp_path, "clone", "--quiet", str(upstream.repository), str(big))
    (big / "acme/zeros").write_bytes(bytes(1 << 20))
    run_git(big, "add", "--all")
    run_git(big, "commit", "--quiet", "-m", "Zeros")
    index.add(write_sdist(big, "1.6.0", run_git(big, "rev-parse", "HEAD"), tmp_path))
    take(config, store, "1.0.0")
    needs.small_disk(config.state_dir, "512k")
    try:
        with pytest.raises(UserError, match=r"the disk is full at /.*; free some space and run"):
            take(config, store, "1.6.0")
        assert only_import_files(config) == set()
    finally:
        subprocess.run(["umount", str(config.state_dir)], check=True)
    assert ref(store, "1.6.0") is None
