"""What the last conversion of each file found, for `porter explain FILE:LINE`. Texts are not kept: the files have them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.errors import UsageError
from porter.findings import FilePort, FileStatus, decode, encode
from porter.port.edits.origins import line_origins
from porter.port.runs.cache import finding_of, row_of

__all__ = ["keep_last", "last_port"]


def keep_last(ports: Iterable[FilePort]) -> None:
    """Keeps what was found in each file; a cache that cannot be written keeps nothing."""
    for port in ports:
        path = os.path.abspath(port.path)
        kept = _kept(path)
        if port.status is FileStatus.FAILED or not (port.findings or kept.exists()):
            continue
        data = {
            "source": path,
            "output": os.path.abspath(port.output),
            "digest": _digest(encode(port.source)),
            "findings": [row_of(finding) for finding in port.findings],
        }
        with contextlib.suppress(OSError):
            _write(path, data)
            if data["output"] != path:
                _write(os.path.abspath(port.output), {"source": path})


def last_port(given: str, line: int) -> tuple[FilePort, int]:
    """The last port of a file, named by itself or by what was written, and the line of the source that is meant.

    Raises UsageError where none is kept, and where the file has changed since.
    """
    data = _read(given)
    source = data["source"]
    with_source = data if "findings" in data else _read(source)
    fix = f"port it again: porter convert {os.path.relpath(source)}"
    try:
        text = Path(source).read_bytes()
    except OSError as error:
        raise UsageError(f"{source}: {error.strerror}", fix) from None
    if _digest(text) != with_source["digest"]:
        raise UsageError(f"{os.path.relpath(source)} has changed since it was ported", fix)
    shown = os.path.relpath(source)
    findings = tuple(finding_of(*row) for row in with_source["findings"])
    port = FilePort(shown, with_source["output"], FileStatus.PORTED, decode(text), decode(text), findings)
    return port, line if data is with_source else _origin(decode(text), given, line)


def _origin(source: str, output: str, line: int) -> int:
    """The line of the source that a line of the port stands for."""
    try:
        origins = line_origins(source, decode(Path(output).read_bytes()))
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror}", "name a line of the source, or port it again") from None
    return origins[line - 1] if 0 < line <= len(origins) else line


def _write(path: str, data: Mapping[str, object]) -> None:
    kept = _kept(path)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, json.dumps(data).encode())


def _read(path: str) -> dict[str, str]:
    try:
        data = json.loads(_kept(os.path.abspath(path)).read_bytes())
        return {**data, "source": str(data["source"])}
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: no conversion of it is kept", f"port it first: porter convert {path}") from None


def _kept(path: str) -> Path:
    name = hashlib.sha256(os.fsencode(path)).hexdigest()
    return cache_dir() / "last" / name[:2] / f"{name[2:]}.json"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
