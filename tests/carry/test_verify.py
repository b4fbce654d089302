from __future__ import annotations

from collections.abc import Callable

import pytest

from .repository import Repository


def faults(repository: Repository, *words: str) -> list[str]:
    said = repository.carry("verify", *words)
    assert said.code == 1, said
    lines = said.out.splitlines()
    assert f"{len(lines)} fault(s) in the series" in said.err
    return lines


def rewrite(repository: Repository, name: str, change: Callable[[str], str]) -> None:
    file = repository.root / "patches" / name
    file.write_text(change(file.read_text()))


def names(repository: Repository) -> tuple[str, str]:
    first, second = repository.patches()["series"].split()
    return first, second


def test_a_good_series_has_no_faults(synced: Repository) -> None:
    assert synced.done("verify") == "2 patch(es): files agree and every patch applies strictly\n"
    assert synced.done("verify", "--static") == "2 patch(es): files agree\n"


def test_the_files_alone_need_no_submodule(repository: Repository) -> None:
    assert repository.done("verify", "--static") == "2 patch(es): files agree\n"
    assert not (repository.root / ".carry").exists()


def test_all_list_faults_are_named_at_once(synced: Repository) -> None:
    first, _ = names(synced)
    rewrite(synced, "series", lambda text: text + first + "\n0009-gone.patch\n")
    (synced.root / "patches" / "0007-orphan.patch").write_text("")
    assert faults(synced) == [
        "series names 0009-gone.patch, which is not there",
        f"series names {first} twice",
        "0007-orphan.patch is not in series (an orphan)",
        "manifest.toml has no entry for 0009-gone.patch",
    ]


def test_a_manifest_entry_without_a_patch_is_named(synced: Repository) -> None:
    _, second = names(synced)
    rewrite(synced, "series", lambda text: text.replace(second, ""))
    (synced.root / "patches" / second).unlink()
    assert faults(synced) == [f"manifest.toml names {second}, which the series lacks"]


def test_an_empty_reason_is_named(synced: Repository) -> None:
    first, _ = names(synced)
    rewrite(synced, "manifest.toml", lambda text: text.replace("find compares cell by cell", ""))
    assert faults(synced) == [f"manifest.toml: why of {first} is empty"]


def test_a_duplicate_is_named(synced: Repository) -> None:
    first, _ = names(synced)
    (synced.root / "patches" / "0003-again.patch").write_text(synced.patches()[first])
    rewrite(synced, "series", lambda text: text + "0003-again.patch\n")
    entry = '\n[[patch]]\nfile = "0003-again.patch"\nwhy = "x"\ndrop-when = "y"\n'
    rewrite(synced, "manifest.toml", lambda text: text + entry)
    assert faults(synced) == [f"0003-again.patch makes the same change as {first} (a duplicate)"]


def test_another_author_and_signer_are_named(synced: Repository) -> None:
    first, _ = names(synced)
    rewrite(synced, first, lambda text: text.replace("Ada Carrier", "Bo Other"))
    assert faults(synced) == [
        f"{first} is by Bo Other <ada@carrier.invalid>, not by Ada Carrier <ada@carrier.invalid>",
        f"{first} is not signed off by Ada Carrier <ada@carrier.invalid>",
    ]


def test_a_patch_that_does_not_apply_strictly_is_named(synced: Repository) -> None:
    first, _ = names(synced)
    rewrite(synced, first, lambda text: text.replace(" matched = 0", " matched = 7"))
    (fault,) = faults(synced)
    assert fault.startswith(f"{first} does not apply to its base: ")


def test_a_patch_with_shifted_context_does_not_apply_strictly(synced: Repository) -> None:
    """`patch` would take it with fuzz; `git am` must not."""
    first, _ = names(synced)
    rewrite(
        synced, first, lambda text: text.replace("         self.looks = 0", "         self.l = 0")
    )
    (fault,) = faults(synced)
    assert fault.startswith(f"{first} does not apply to its base: ")


def test_a_wrong_fingerprint_is_named(synced: Repository) -> None:
    first, _ = names(synced)
    rewrite(synced, "manifest.toml", lambda text: text.replace('"sha256:', '"sha256:0'))
    (fault,) = faults(synced)
    assert fault.startswith(
        f"manifest.toml: {first} touches acme/scan.py::Scanner.find, whose text is sha256:"
    )


def test_a_function_that_is_not_touched_is_named(synced: Repository) -> None:
    first, _ = names(synced)
    extra = '"acme/scan.py::Scanner.count" = "sha256:0"\n"acme/scan.py::Scanner.find'
    rewrite(
        synced, "manifest.toml", lambda text: text.replace('"acme/scan.py::Scanner.find', extra)
    )
    assert faults(synced) == [f"manifest.toml: {first} does not touch acme/scan.py::Scanner.count"]


def test_a_gitlink_that_is_not_the_pin_is_named(synced: Repository) -> None:
    tip = synced.tree_git("rev-parse", "HEAD")
    synced.git("update-index", "--cacheinfo", f"160000,{tip},acme")
    (fault,) = faults(synced)
    assert fault.startswith(f"the gitlink acme is {tip}, the series is based on ")
    assert fault.endswith("it is not the pin")


def test_a_lost_gitlink_is_named(synced: Repository) -> None:
    synced.git("update-index", "--force-remove", "acme")
    assert faults(synced) == ["the index has no gitlink acme: git restore --staged acme"]


@pytest.mark.parametrize("name", ["series", "manifest.toml"])
def test_a_missing_file_is_one_line(synced: Repository, name: str) -> None:
    (synced.root / "patches" / name).unlink()
    line = synced.refused("verify")
    assert f"{name} is missing" in line
    assert f"git checkout -- patches/{name}" in line


def test_nothing_is_left_behind_and_nothing_moved(synced: Repository) -> None:
    before = synced.state()
    synced.done("verify")
    assert synced.state() == before
    assert synced.worktrees() == []
