"""Results of compiler steps, kept under the hash of everything they were made from.

A result whose inputs are all known (an object from an assembly file) is found by one hash. A compiled source is found
in two steps, because only the compiler knows what it includes. The hash of source and flags leads to the list of files
read last time, with their contents' hashes. If all hashes still hold, the list leads to the result. Headers of the
system are compared by size and time, those of installed
packages by the package's version and their size: a package that is installed again has new times.

Not seen: a new header that would be found before one that was read last time.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.errors import PorterError

__all__ = ["digest", "environment", "file_digest", "keep", "keep_compiled", "log_of", "seen_before", "stamp", "store"]

VERSION = "1"  # of the layout below
VARIANTS = 6  # results remembered for one source and set of flags, for a tree that switches branches
UNUSED_DAYS = 30
_SYSTEM = tuple(f"{folder}/" for folder in ("/usr", "/opt", "/lib", sys.prefix))


def store() -> Path:
    """The folder of the results."""
    folder = cache_dir() / f"build-{VERSION}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return folder


def digest(*parts: str | bytes) -> str:
    """One hash over parts, whose borders count."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(f"{len(data)}:".encode())
        total.update(data)
    return total.hexdigest()[:40]


def file_digest(path: Path) -> str:
    """The digest of a file's bytes as 40 hexadecimal digits."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:40]
    except OSError as error:
        raise PorterError(f"{path} cannot be read: {error.strerror}") from error


def environment() -> str:
    """The folders of headers that clang takes from the environment."""
    return "\0".join(os.environ.get(name, "") for name in ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"))


def stamp(path: Path | str) -> str:
    """Size and time of a file that no user edits; the version in place of the time in an installed package."""
    try:
        status = os.stat(path)
    except OSError:
        return "absent"
    version = _version_of_package(os.path.dirname(path))
    return f"{status.st_size}:{version or status.st_mtime_ns}"


@functools.cache
def _version_of_package(folder: str) -> str:
    """The version that pip installed, where the folder is of a package with a distribution of its own name; else ""."""
    site, site_packages, inside = folder.rpartition(f"{os.sep}site-packages{os.sep}")
    return _versions(site + site_packages).get(inside.split(os.sep)[0], "") if site_packages else ""


@functools.cache
def _versions(site: str) -> Mapping[str, str]:
    names = (entry.removesuffix(".dist-info") for entry in os.listdir(site) if entry.endswith(".dist-info"))
    return {name.partition("-")[0]: name for name in names if not name.startswith("porter-")}  # porter is edited


def keep(key: str, suffix: str, make: Callable[[Path], str]) -> Path:
    """The result under `key`; where there is none, `make` writes it to a path it is given."""
    target = _place(key, suffix)
    if _present(target):
        return target
    return _make(target, make)


def keep_compiled(key: str, suffix: str, make: Callable[[Path, Path], str]) -> Path:
    """As `keep`, where `make` also writes a dependency file: the result holds while no file named in it changes."""
    manifest = _place(key, ".deps")
    known: list[dict[str, str]] = []
    with suppress(OSError, ValueError):
        known = json.loads(manifest.read_bytes())
    for files in known:
        if all(_fingerprint(path) == mark for path, mark in files.items()):
            target = _place(digest(key, json.dumps(files, sort_keys=True)), suffix)
            if _present(target):
                return target
    began = time.time_ns()
    with tempfile.TemporaryDirectory(prefix=".make-", dir=_writable()) as scratch:
        draft, dependencies = Path(scratch) / f"out{suffix}", Path(scratch) / "out.d"
        text = make(draft, dependencies)
        names = _dependencies(dependencies)
        files = {name: _fingerprint(name) for name in names}
        target = _place(digest(key, json.dumps(files, sort_keys=True)), suffix)
        _publish(draft, target, text)
    # A file that changed while the compiler ran may not be the one that it read. Results never change: each use sets their time.
    kept = f"{store()}{os.sep}"
    if all(name.startswith(kept) or _changed(name) < began for name in names):
        fresh = [files, *(other for other in known if other != files)][:VARIANTS]
        _write(manifest, json.dumps(fresh).encode())
    return target


def seen_before(key: str) -> bool:
    """Whether this was asked of the store before, by anybody."""
    mark = _place(key, ".seen")
    if _present(mark):
        return True
    _write(mark, b"")
    return False


def log_of(result: Path) -> str:
    """What the compiler wrote when it made this result: its warnings."""
    try:
        return result.with_suffix(result.suffix + ".log").read_text()
    except OSError:
        return ""


def _make(target: Path, make: Callable[[Path], str]) -> Path:
    with tempfile.TemporaryDirectory(prefix=".make-", dir=_writable()) as scratch:
        draft = Path(scratch) / f"out{target.suffix}"
        _publish(draft, target, make(draft))
    return target


def _publish(draft: Path, target: Path, text: str) -> None:
    """Renamed into place whole: another build may want the same result at this moment."""
    try:
        target.parent.mkdir(exist_ok=True)
        if text:
            write_atomically(target.with_suffix(target.suffix + ".log"), text.encode())
        os.replace(draft, target)
    except OSError as error:
        raise _unwritable(target.parent, error) from error


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, data)
    except OSError as error:
        raise _unwritable(path.parent, error) from error


def _place(key: str, suffix: str) -> Path:
    return store() / key[:2] / f"{key[2:]}{suffix}"


def _present(path: Path) -> bool:
    """Whether it is there; the time of last use is what `_prune` goes by."""
    try:
        os.utime(path)
    except OSError:
        return path.is_file()
    return True


@functools.cache
def _pruned(folder: Path) -> bool:
    """Once a day, results that nobody used for a month go."""
    mark = folder / "pruned"
    with suppress(OSError):
        if mark.exists() and time.time() - mark.stat().st_mtime < 86400:
            return False
        mark.touch()
        oldest = time.time() - UNUSED_DAYS * 86400
        for path in folder.glob("*/*"):
            with suppress(OSError):
                if path.is_file() and path.stat().st_mtime < oldest:
                    path.unlink()
    return True


def _writable() -> Path:
    folder = store()
    _pruned(folder)
    if not os.access(folder, os.W_OK):
        raise _unwritable(folder, PermissionError(13, "Permission denied"))
    return folder


def _unwritable(folder: Path, error: OSError) -> PorterError:
    return PorterError(
        f"the build cache {folder} cannot be written: {error.strerror}", "set PORTER_CACHE to a folder of your own"
    )


def _changed(name: str) -> int:
    try:
        return os.stat(name).st_mtime_ns
    except OSError:
        return sys.maxsize


def _fingerprint(name: str) -> str:
    if name.startswith(_SYSTEM):
        return stamp(name)
    try:
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()[:40]
    except OSError:
        return "absent"


def _dependencies(path: Path) -> Sequence[str]:
    """The files a make rule lists, made absolute; `\\ `, `\\#` and `$$` are how clang writes a space, # and $."""
    text = path.read_text(errors="surrogateescape").replace("\\\n", " ")
    names: list[str] = []
    word = ""
    position = text.index(": ") + 2
    while position < len(text):
        letter, pair = text[position], text[position : position + 2]
        if pair in ("\\ ", "\\#", "$$"):
            word += pair[1]
            position += 2
            continue
        if letter.isspace():
            if word:
                names.append(os.path.abspath(word))
            word = ""
        else:
            word += letter
        position += 1
    if word:
        names.append(os.path.abspath(word))
    return sorted(set(names))
