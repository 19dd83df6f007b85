"""Places in what was compiled, as a reader of the report knows them: a port that was made for one run is not kept."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from porter.cache_folder import cache_dir
from porter.findings import FilePort
from porter.harness.verdict import Verdict
from porter.port.edits.origins import line_origins
from porter.report.facts.source import prose

__all__ = ["COMPILER", "Place", "Sources", "relative", "relative_ports"]

COMPILER = re.compile(r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(:\d+)?: (fatal )?error: ")


@dataclass(frozen=True, slots=True)
class Place:
    path: str
    line: int = 0  # 0: the file
    text: str = ""  # of the line

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


def relative(path: str) -> str:
    """As a reader would name it: from here, where it lies below."""
    path = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not path or not os.path.isabs(path):
        return path
    below = os.path.relpath(path)
    return path if below.split(os.sep, 1)[0] == os.pardir else below


def relative_ports(ports: Iterable[FilePort]) -> tuple[FilePort, ...]:
    """The ports with paths relative to the working folder; files that were made for one run are nowhere."""
    return tuple(replace(port, path=relative(port.path), output=_output(port)) for port in ports)


def _output(port: FilePort) -> str:
    return "" if cache_dir() in Path(port.output).parents else relative(port.output)


class Sources:
    """Where a place in what was compiled is in what a reader has: ports made for this run are not kept."""

    def __init__(self, ports: Sequence[FilePort]) -> None:
        self._made = {port.output: port for port in ports}
        self._originals = {relative(port.path): port for port in ports}
        self._lines: dict[str, list[int]] = {}

    def known(self, path: str) -> str:
        return relative(self._made[path].path if path in self._made else path)

    def with_places(self, verdict: Verdict) -> Verdict:
        """A verdict with the places that a reader has: no folder of a machine is in what is shared."""
        findings = tuple(self._finding_with_places(one) for one in verdict.findings)
        return replace(
            verdict,
            source=self.known(verdict.source),
            file=relative(verdict.file),
            reason="; ".join(map(self.reason, verdict.reason.split("; "))),
            findings=findings,
        )

    def _finding_with_places(self, finding: Mapping[str, Any]) -> Mapping[str, Any]:
        placed = dict(finding)
        if finding.get("file"):
            place = self.place(str(finding["file"]), int(finding["line"]))
            placed |= {"file": place.path, "line": place.line}
        if finding.get("other"):
            placed["other"] = self._finding_with_places(finding["other"])
        if finding.get("text"):
            placed["text"] = self.reason(str(finding["text"]))
        return placed

    def place(self, path: str, line: int) -> Place:
        port = self._made.get(path)
        if port is None:
            original = self._originals.get(path)
            return Place(relative(path), line, _text(original.source, line) if original else _line_of(path, line))
        if path not in self._lines:
            self._lines[path] = line_origins(port.source, port.port)
        origins = self._lines[path]
        line = origins[min(line, len(origins)) - 1] if origins else line
        return Place(relative(port.path), line, _text(port.source, line))

    def reason(self, text: str) -> str:
        """A compiler's line with the place as a reader knows it."""
        text = re.sub(rf"(?<![\w/.-]){re.escape(os.getcwd() + os.sep)}", "", text)
        match = COMPILER.search(text)
        if not match:
            return text
        end = match.end("line")
        return f"{text[: match.start()]}{self.place(match['file'], int(match['line']))}{text[end:]}"


def _text(source: str, line: int) -> str:
    texts = source.splitlines()
    return prose(texts[line - 1]) if 0 < line <= len(texts) else ""


@lru_cache(maxsize=64)
def _text_of(path: str) -> tuple[str, ...]:
    try:
        return tuple(Path(path).read_text("latin-1").splitlines())
    except OSError:
        return ()


def _line_of(path: str, line: int) -> str:
    lines = _text_of(path)
    return prose(lines[line - 1]) if 0 < line <= len(lines) else ""
