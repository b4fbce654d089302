"""The front door: one session per job. `nox -l` lists them, arguments follow after `--`."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import nox

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tools"))
import environments  # noqa: E402

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["rebase", "test", "lint", "smoke", "pr"]

#: Names the interpreter of a built vLLM, such as one for ROCm.
ENGINE_PYTHON = "STRIDE_ENGINE_PYTHON"
#: A file system in memory, and the room that the tests may need there.
MEMORY = Path("/dev/shm")  # noqa: S108
ROOM = 4 << 30
#: What pytest reports of the runs of `nox -s test`.
REPORTS = ROOT / ".carry" / "reports"
PROJECT = nox.project.load_toml(ROOT / "pyproject.toml")


def _dependencies(*groups: str) -> list[str]:
    return list(nox.project.dependency_groups(PROJECT, *groups))


def _bin(session: nox.Session, environment: str, program: str) -> str:
    """A program of one of the two environments that all sessions share."""
    return str(Path(session.env_dir).parent / environment / "bin" / program)


def _carry(session: nox.Session, *words: str) -> None:
    python = _bin(session, "upstream", "python")
    session.run(
        _bin(session, "tools", "carry"), "--root", str(ROOT), *words,
        env={"CARRY_PYTHON": os.environ.get("CARRY_PYTHON", python)}, external=True,
        # Ctrl-C: carry ends by itself, once what it is putting in place is in place.
        interrupt_timeout=60, terminate_timeout=60,
    )  # fmt: skip


def _with_trees(session: nox.Session, *words: str) -> None:
    _carry(session, "run", "--", *words)


def _stride(session: nox.Session, command: str, *words: str) -> None:
    trees = ("--base", "{base}", "--patched", "{patched}")
    _with_trees(session, "{python}", "-m", "stride", command, *trees, *words)


def _pytest(report: str) -> list[str]:
    """How our own tests are run: by as many workers as there are processors."""
    # What is left is taken from a worker that has much of it: tests differ by a factor of 1000.
    workers = ("-n", "logical", "--maxprocesses", "8", "--dist", "worksteal")
    return ["-m", "pytest", *workers, "--junitxml", str(REPORTS / f"{report}.xml")]


def _temporary() -> dict[str, str]:
    """Where the tests write: into memory if there is room, unless TMPDIR says where.

    They check upstream's 9,000 files out some fifty times. On a disk that takes minutes.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return {}
    found = os.statvfs(MEMORY)
    roomy = found.f_bavail * found.f_frsize >= ROOM
    return {"TMPDIR": str(MEMORY)} if roomy and not found.f_flag & os.ST_NOEXEC else {}


def _own_tests(session: nox.Session, *words: str) -> None:
    """Run the tests that need no upstream code."""
    python = _bin(session, "tools", "python")
    session.run(python, *_pytest("carry"), *words, env=_temporary(), external=True)


def _stride_tests(session: nox.Session, *words: str) -> None:
    """Run the tests that hold the two trees against each other."""
    trees = {"STRIDE_BASE_TREE": "{base}", "STRIDE_PATCHED_TREE": "{patched}", **_temporary()}
    told = [f"{name}={value}" for name, value in trees.items()]
    _with_trees(session, "env", *told, "{python}", *_pytest("stride"), *words)


def _say_what_was_skipped(session: nox.Session, *more: str) -> None:
    runs = [f".:{REPORTS / name}.xml" for name in ("carry", "stride")]
    python = _bin(session, "tools", "python")
    session.run(python, "-m", "tests.skipped", *runs, *more, external=True, log=False)


def _install_once(session: nox.Session, *steps: list[str], **more: Any) -> None:
    """Install what the steps name; of pyproject.toml only what these tables say counts."""
    tables = PROJECT["build-system"], PROJECT["project"], PROJECT["tool"]["hatch"]
    environments.install_once(session, *steps, bound_to=tables, **more)


@nox.session(default=False)
def tools(session: nox.Session) -> None:
    """Make the environment of carry and of this repository's own tests and hooks."""
    _install_once(session, [*_dependencies("test"), "--editable", "."])


@nox.session(default=False)
def upstream(session: nox.Session) -> None:
    """Make the environment that upstream's code runs in (torch and what its scheduler imports)."""
    # torch comes first and alone, so that nothing else can ask for a CUDA build of it.
    _install_once(
        session,
        _dependencies("torch"),
        [*_dependencies("upstream", "bench", "test"), "--editable", "."],
    )


def _named_engine(session: nox.Session) -> str:
    """The interpreter of a vLLM that is there already, empty if none is named."""
    if any(
        word in ("rocm", "cuda") for word in " ".join(session.posargs).replace("=", " ").split()
    ):
        # None of the CPU's; without a name this one's torch says why there is no such device.
        return os.environ.get(ENGINE_PYTHON) or _bin(session, "upstream", "python")
    return os.environ.get(ENGINE_PYTHON, "")


@nox.session(default=False)
def engine(session: nox.Session) -> None:
    """Make the environment of the real engine: vLLM for the CPU, the newest up to the base.

    Which one that is follows from the base in the manifest and from what the Python index
    has: the base is often newer than any wheel. A base that is no release has none above it.
    """
    if _named_engine(session):
        session.log("nothing to install: the engine is named, or is none of the CPU's")
        return
    base = nox.project.load_toml(ROOT / "patches" / "manifest.toml")["base"]["version"]
    bound = f",<={base}" if re.fullmatch(r"[0-9.]+", base) else ""
    torch, (vllm,) = _dependencies("torch"), _dependencies("engine")
    _install_once(
        session,
        torch,
        # A move to a newer base wants a newer engine, hence --upgrade.
        ["--upgrade", *torch, f"{vllm}{bound}"],
        # CUDA builds, which the torch for CPUs cannot load. transformers uses them if they are
        # there, and does without.
        without=("torchvision", "torchaudio", "torchcodec"),
        failing=f"there is no {vllm}{bound} for this Python and platform, or it was not reached;"
        f" name the interpreter of a vLLM that you have with {ENGINE_PYTHON}",
    )


@nox.session(venv_backend="none", requires=["tools"])
def sync(session: nox.Session) -> None:
    """Put vllm/ at the series' base, the series on it as commits."""
    _carry(session, "sync", *session.posargs)


@nox.session(venv_backend="none", requires=["tools", "upstream"])
def rebase(session: nox.Session) -> None:
    """Move the series onto upstream main (-- --onto VERSION, --dry-run, --continue, --abort)."""
    _carry(session, "rebase", *session.posargs)


@nox.session(venv_backend="none", requires=["tools", "upstream"])
def test(session: nox.Session) -> None:
    """Run our own tests, then upstream's before and after the series (-- --upstream F, --quick)."""
    posargs = list(session.posargs)
    if "--quick" in posargs:
        posargs.remove("--quick")
        if posargs:
            session.error(f"--quick leaves upstream's tests out: it takes no {posargs[0]}")
        _quick_test(session)
        return
    _carry(session, "sync")
    _carry(session, "fetch", "--supported")
    _own_tests(session, "tests", "--ignore=tests/stride")
    _stride_tests(session, "tests/stride")
    _carry(session, "test", *posargs)
    _say_what_was_skipped(session, "vllm:.carry/upstream-tests/after.xml")


def _quick_test(session: nox.Session) -> None:
    """Run what takes less than a minute, and say that it was not all."""
    quick = ("-m", "not slow")
    _carry(session, "sync")
    _own_tests(session, "tests", "--ignore=tests/stride", "--ignore=tests/vllm", *quick)
    _stride_tests(session, "tests/stride", *quick)
    _say_what_was_skipped(session)
    session.log("left out: what is marked slow, tests/vllm, upstream's tests; all: nox -s test")


@nox.session(venv_backend="none", requires=["tools"])
def lint(session: nox.Session) -> None:
    """Run our own hooks, then upstream's on what the series changes (-- --fix)."""
    session.run(
        _bin(session, "tools", "pre-commit"), "run", "--all-files",
        env={"PRE_COMMIT_HOME": str(ROOT / ".carry" / "pre-commit")}, external=True,
    )  # fmt: skip
    _carry(session, "hooks", *session.posargs)


@nox.session(venv_backend="none", requires=["tools", "upstream"])
def canary(session: nox.Session) -> None:
    """Try the series on upstream as it is today, in a throwaway clone (-- --onto 0.34.0)."""
    _carry(session, "canary", *session.posargs)


@nox.session(venv_backend="none", requires=["tools"])
def review(session: nox.Session) -> None:
    """Build the reviewer's page, build/review/index.html."""
    _carry(session, "review", *session.posargs)


@nox.session(venv_backend="none", requires=["tools", "upstream"])
def bench(session: nox.Session) -> None:
    """Measure the patch against upstream and every rival (-- --quick)."""
    _carry(session, "sync")
    _stride(session, "bench", *session.posargs)


@nox.session(venv_backend="none", requires=["tools", "upstream", "engine"])
def smoke(session: nox.Session) -> None:
    """Run the real engine before and after (-- --quick, --device rocm, --soak 10m, --self-test)."""
    posargs = list(session.posargs)
    python = _named_engine(session) or _bin(session, "engine", "python")
    _carry(session, "sync")
    if "--self-test" not in posargs:
        _stride(session, "smoke", "--python", python, *posargs)
        return
    posargs.remove("--self-test")
    _with_trees(
        session, "env", "STRIDE_BASE_TREE={base}", "STRIDE_PATCHED_TREE={patched}",
        f"{ENGINE_PYTHON}={python}",
        "{python}", "-m", "pytest", "tests/stride/test_engine_real.py", *posargs,
    )  # fmt: skip


@nox.session(venv_backend="none", requires=["tools", "upstream"])
def prove(session: nox.Session) -> None:
    """Let Lean check the proof, and hold its model against both functions (-- --mutants)."""
    posargs = list(session.posargs)
    mutants = "--mutants" in posargs
    if mutants:
        posargs.remove("--mutants")
    _carry(session, "sync")
    _stride(session, "prove", "--root", str(ROOT), *posargs)
    if mutants:
        _with_trees(
            session, "env", f"STRIDE_LEAN_CACHE={ROOT}/.carry/lean",
            "{python}", "-m", "pytest", "tests/stride/test_proof_mutants.py",
        )  # fmt: skip


@nox.session(venv_backend="none", requires=["tools"])
def pr(session: nox.Session) -> None:
    """Write the pull request's text; open it (-- --check-duplicates, --open, --overwrite)."""
    _carry(session, "pr", *session.posargs)
