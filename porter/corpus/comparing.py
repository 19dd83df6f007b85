"""Runs hand-made HIP programs and the ports of their CUDA counterparts side by side, and compares the verdicts.

The twin says what this machine and the reduced size allow: only a program whose twin builds, has its input and gives a
verdict of its own is counted. The port is made of the CUDA program with the same size and built by its own, ported
Makefile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from porter.corpus.converters import Converter
from porter.corpus.executing import (
    VERDICTS,
    Executed,
    build_and_run,
    copy_with_sizes,
    execute,
    link_neighbours,
)
from porter.corpus.program import Program
from porter.corpus.runner import Mirror
from porter.corpus.tables import markdown_rows
from porter.errors import InputError, PorterError

__all__ = ["Pair", "compare", "load_pairs", "pairs_json", "pairs_markdown"]

_SAY_NOTHING = frozenset({"build", "data", "skipped", "silent", "timeout"})


@dataclass(frozen=True, slots=True)
class Pair:
    name: str
    twin: Executed
    port: Executed | None = None  # not made where the twin says nothing

    @property
    def counts(self) -> bool:
        """Whether the twin gives a verdict here."""
        return self.port is not None

    @property
    def same(self) -> bool:
        """Whether the port succeeds or fails as its twin does."""
        return self.port is not None and (self.port.verdict == "pass") == (self.twin.verdict == "pass") and self._ended

    @property
    def _ended(self) -> bool:
        return self.port is not None and self.port.verdict not in _SAY_NOTHING


def compare(
    programs: Sequence[Program],
    converter: Converter,
    work: Path,
    *,
    sizes: Mapping[str, Mapping[str, Any]],
    seconds: float = 60.0,
    jobs: int = 1,
    progress: Callable[[Pair], None] = lambda pair: None,
) -> list[Pair]:
    """A pair for each program with a twin; sizes are given by the twin's name, and hold for both."""
    paired = [program for program in programs if program.twin is not None]
    originals = work / "originals"
    for parent in {program.folder.parent for program in paired}:
        link_neighbours(parent, originals)
    copies = {program.name: Program(program.name, originals / program.name) for program in paired}
    ports = Mirror(originals, work / "ports", converter, copies)

    def one(program: Program) -> Pair:
        assert program.twin is not None
        size = sizes.get(program.twin.name, {})
        hand_made = Program(program.twin.name, program.twin)
        [twin] = execute([hand_made], work / "twins", sizes=sizes, seconds=seconds, only_checked=True)
        pair = Pair(program.name, twin)
        if twin.verdict not in _SAY_NOTHING:
            pair = Pair(program.name, twin, _port(program, size, originals, ports, seconds))
        progress(pair)
        return pair

    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        return list(pool.map(one, paired))


def _port(program: Program, size: Mapping[str, Any], originals: Path, ports: Mirror, seconds: float) -> Executed:
    """The run of the program's port; what names the twin's own sources does not hold for it."""
    size = {key: value for key, value in size.items() if key not in ("sources", "cause")}
    try:
        folder = ports.place(copy_with_sizes(program.folder, originals, size))
        return build_and_run(program, folder, ports.root, size, seconds=2 * seconds)
    except PorterError as error:
        return Executed(program.name, "build", True, "", error.problem, error.problem)


def pairs_json(pairs: Sequence[Pair]) -> str:
    """The pairs as a JSON document."""
    return json.dumps({"schema": 1, "pairs": [asdict(pair) for pair in pairs]}, indent=1)


def load_pairs(path: Path) -> list[Pair]:
    """The pairs that `pairs_json` wrote to a file."""
    try:
        rows = json.loads(path.read_text())["pairs"]
        return [
            Pair(row["name"], Executed(**row["twin"]), Executed(**row["port"]) if row["port"] else None) for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no result of this runner: {error}", "make it with --json") from error


def pairs_markdown(pairs: Sequence[Pair]) -> str:
    """Counts, the pairs that differ, and the programs that are not counted."""
    counted = [pair for pair in pairs if pair.counts]
    same = sum(pair.same for pair in counted)
    share = f" ({100 * same / len(counted):.1f}%)" if counted else ""
    rows = [
        ["programs with a twin", str(len(pairs))],
        ["of these: the twin gives a verdict here", str(len(counted))],
        ["the port succeeds or fails as its twin does", f"{same}{share}"],
        ["both succeed", str(sum(pair.same and pair.twin.verdict == "pass" for pair in counted))],
    ]
    out = [*markdown_rows(["", "programs"], rows), ""]
    differ = [
        [pair.name, pair.twin.verdict, pair.port.verdict, pair.port.arguments, pair.port.cause, pair.port.detail[:160]]
        for pair in counted
        if pair.port is not None and not pair.same
    ]
    out += [*markdown_rows(["program", "twin", "port", "arguments", "cause", "first error"], differ), ""]
    rest = [
        [pair.name, VERDICTS[pair.twin.verdict], pair.twin.cause, pair.twin.detail[:120]]
        for pair in pairs
        if not pair.counts
    ]
    out += markdown_rows(["program", "not counted: the twin", "cause", "first error"], rest)
    return "\n".join(out) + "\n"
