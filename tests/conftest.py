"""One cache folder for the whole session: precompiled headers are made once, and never in the user's own cache."""

from __future__ import annotations

import compileall
import fcntl
import gc
import hashlib
import itertools
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from commands import serve

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # the property tests skip themselves
    pass
else:
    # The same examples in every run: a failure that one machine shows, every machine shows.
    settings.register_profile(
        "porter",
        derandomize=True,
        deadline=None,
        database=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    settings.load_profile("porter")

# A shell starts what it runs in the background with Ctrl-C ignored, and programs inherit that: tests that send it would
# wait for nothing.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _locked(folder: Path, until: ExitStack) -> bool:
    lock = until.enter_context(folder.with_suffix(".lock").open("w"))
    with suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _kept_cache() -> None:
    """Sets PORTER_CACHE to a folder that stays: what compilers made is found again by its content.

    The user's cache folder, unless PORTER_CACHE names another. One run at a time may use it, since the temporary folders
    of tests have fixed names there; a second run gets a new folder for itself.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "porter-tests")
    folder = Path(os.environ.get("PORTER_CACHE") or home)
    with suppress(OSError), ExitStack() as stack:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _locked(folder / "run", stack):
            _HELD.push(stack.pop_all())
            os.environ.update(PORTER_CACHE=str(folder), PORTER_TESTS_KEPT="1")
            return
    os.environ["PORTER_CACHE"] = _HELD.enter_context(tempfile.TemporaryDirectory(prefix="porter-tests-"))


_HELD = ExitStack()  # the lock or the temporary folder, until the run ends
# Before any test module imports porter.cache_folder, which asks for the folder once a process; pytest-xdist's inherit it.
if "PYTEST_XDIST_WORKER" not in os.environ:
    _kept_cache()

# Where Python is told to write no bytecode (PYTHONDONTWRITEBYTECODE), each porter that a test starts would compile its 150
# modules again: a third of a short conversion's time. And each run all that pytest has made of the tests' assertions.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    if "PYTEST_XDIST_WORKER" not in os.environ:
        compileall.compile_dir(Path(__file__).parent.parent / "porter", quiet=2)


# What is compiled is kept with its path, which its lines of debug information have. With a cache that is kept, tests get the
# same temporary folders in every run, so that it is found again.
def pytest_configure(config: pytest.Config) -> None:
    if "PORTER_TESTS_KEPT" in os.environ and not config.option.basetemp:
        folder = Path(os.environ["PORTER_CACHE"], "tests")
        folder.mkdir(parents=True, exist_ok=True)  # pytest makes the last folder alone
        config.option.basetemp = str(folder / "shared")


def pytest_unconfigure() -> None:
    _HELD.close()


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a family marked `sample(n)`, n cases spread evenly run every time; the others are slow."""
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in families.values():
        count = cases[0].get_closest_marker("sample").args[0]  # type: ignore[union-attr]
        chosen = {n * len(cases) // count for n in range(count)}
        for number, item in enumerate(cases):
            if number not in chosen:
                item.add_marker(pytest.mark.slow)


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()  # thousands of tests, which nobody need look through again
    if "PYTEST_XDIST_WORKER" in os.environ:  # before a test that asks porter.harness alone for processes
        serve()


@pytest.fixture
def tmp_path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """pytest's own; or one that is the test's in every run, whichever process it runs in."""
    if "PORTER_TESTS_KEPT" not in os.environ:
        return tmp_path
    name = hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:16]
    folder = Path(os.environ["PORTER_CACHE"], "tests", name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def kept_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Those that fixtures ask for: the first of a name that no other process of the run has."""
    make = tmp_path_factory.mktemp

    def mktemp(basename: str, numbered: bool = True) -> Path:
        if basename.startswith("test_"):  # pytest's own, for one test
            return make(basename, numbered)
        top = Path(os.environ["PORTER_CACHE"], "tests")
        folder = next(place for n in itertools.count() if _locked(place := top / f"{basename}-{n}", locks))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    with ExitStack() as locks, pytest.MonkeyPatch.context() as patch:
        if "PORTER_TESTS_KEPT" in os.environ:
            patch.setattr(tmp_path_factory, "mktemp", mktemp)
        yield


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist, which a run of one test does without
def pytest_xdist_auto_num_workers() -> int:
    """Cores, but not more than memory is for: each process has torch in it, and starts compilers."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 8)


@pytest.fixture(scope="session")
def cache() -> Iterator[Path]:
    """The session's cache folder, as the porter that runs in this process and those it starts see it."""
    from porter.frontend.ast import precompiled_headers

    precompiled_headers("c++17", "")  # once, and not in every process that a test starts
    yield Path(os.environ["PORTER_CACHE"])
