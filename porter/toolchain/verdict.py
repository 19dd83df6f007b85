"""What clang says of a source for which it writes no file: kept as what it writes is, until a file that it read changes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from porter.toolchain.pip_clang import Toolchain
from porter.toolchain.process import TIMEOUT
from porter.toolchain.store import digest, environment, file_digest, keep_compiled, stamp

__all__ = ["Verdict", "verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The exit status, 0 for a source without errors, and what was printed."""

    status: int
    out: str
    err: str


class _Unkept(Exception):
    """A header is missing, and clang lists no files; or clang was ended: the verdict holds for now."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict


def verdict(chain: Toolchain, command: Sequence[str], source: Path) -> Verdict:
    """Of `command`, a call of the chain's clang that ends with the source and compiles for one side, host or device."""

    def make(out: Path, dependencies: Path) -> str:
        rule = ("-dependency-file", str(dependencies), "-MT", "out", "-sys-header-deps")
        words = [word for part in rule for word in ("-Xclang", part)]
        done = subprocess.run([*command, *words], capture_output=True, timeout=TIMEOUT, check=False)
        outcome = Verdict(done.returncode, *(text.decode("utf-8", "replace") for text in (done.stdout, done.stderr)))
        if outcome.status not in (0, 1) or not dependencies.is_file():
            raise _Unkept(outcome)
        out.write_text(json.dumps(asdict(outcome)))
        return ""

    programs = (f"{part.path} {stamp(part.path)}" for part in chain.parts if part.path)
    key = digest("verdict", *programs, environment(), os.getcwd(), file_digest(source), *command)
    try:
        return Verdict(**json.loads(keep_compiled(key, ".json", make).read_bytes()))
    except _Unkept as now:
        return now.verdict
