"""How long does a tree take? porter convert beside torch.utils.hipify, in one run.

    python benchmarks/convert.py TREE [-n 5] [-j JOBS] [--json FILE]

Each round gives every tool a fresh copy of the tree, converts it ("first"), and converts it once
more with nothing changed ("again"); the tools take turns, so that a busy machine disturbs both.
Times are wall clock of the whole process, Python's start included, and the medians are reported;
for torch, whose import takes seconds, a second row has the conversion alone.
porter starts every round with an empty cache, so "first" includes making its precompiled headers.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from porter.corpus.program import count_lines, source_files

__all__ = ["main"]

HIPIFY = """
import sys, time
from torch.utils.hipify import hipify_python
began = time.perf_counter()
hipify_python.hipify(
    project_directory=sys.argv[1], output_directory=sys.argv[1], includes=["*"],
    extensions=(".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".in", ".hpp"),
    show_progress=False, hip_clang_launch=True, is_pytorch_extension=True)
print("seconds", time.perf_counter() - began)
"""


def porter(tree: Path, out: Path, cache: Path, jobs: int) -> dict[str, float]:
    command = [sys.executable, "-m", "porter", "convert", str(tree), "-o", str(out), "-q"]
    command += ["-j", str(jobs)] if jobs else []
    return {"porter": timed(command, {"PORTER_CACHE": str(cache)}, good=(0, 1))[0]}


def torch(tree: Path, out: Path, cache: Path, jobs: int) -> dict[str, float]:
    # hipify has one process and no cache; it writes beside its input and skips what it wrote before.
    seconds, output = timed([sys.executable, "-c", HIPIFY, str(tree)], {}, good=(0,))
    inner = [float(line.split()[1]) for line in output.splitlines() if line.startswith("seconds ")]
    return {"torch.utils.hipify": seconds, "  without its import": inner[-1] if inner else seconds}


def timed(command: list[str], env: dict[str, str], good: tuple[int, ...]) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, env={**os.environ, **env}, check=False)
    seconds = time.perf_counter() - began
    if done.returncode not in good:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        print(f"{command[2]}: exit status {done.returncode}: {' '.join(last)}", file=sys.stderr)
    return seconds, done.stdout.decode("utf-8", "replace")


def main() -> int:
    parser = argparse.ArgumentParser(description="Time porter convert beside torch's hipify.")
    parser.add_argument("tree", type=Path)
    parser.add_argument("-n", "--rounds", type=int, default=5)
    parser.add_argument("-j", "--jobs", type=int, default=0, help="for porter; 0: the number of processors")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    tools: list[Callable[[Path, Path, Path, int], dict[str, float]]] = [porter]
    if importlib.util.find_spec("torch") is not None:
        tools.append(torch)
    lines = count_lines(source_files(args.tree))
    if not lines:
        print(f"{args.tree} holds no source", file=sys.stderr)
        return 2
    times: dict[str, dict[str, list[float]]] = {}
    for number in range(args.rounds):
        for tool in tools:
            with tempfile.TemporaryDirectory(prefix="porter-bench-") as folder:
                tree, out, cache = (Path(folder) / part for part in ("tree", "out", "cache"))
                shutil.copytree(args.tree, tree, symlinks=True, ignore_dangling_symlinks=True)
                for when in ("first", "again"):
                    for name, seconds in tool(tree, out, cache, args.jobs).items():
                        times.setdefault(name, {"first": [], "again": []})[when].append(seconds)
        print(f"round {number + 1} of {args.rounds}", file=sys.stderr)
    report(times, lines, args.rounds)
    if args.json:
        data = {"schema": 1, "lines": lines, "cores": os.cpu_count(), "host": platform.machine(), "seconds": times}
        args.json.write_text(json.dumps(data, indent=1))
    return 0


def report(times: dict[str, dict[str, list[float]]], lines: int, rounds: int) -> None:
    print(f"{lines} lines, {os.cpu_count()} cores, medians of {rounds} rounds")
    print(f"{'':22}{'first':>10}{'s/KLOC':>10}{'again':>10}{'s/KLOC':>10}")
    for name, both in times.items():
        first, again = (statistics.median(both[when]) for when in ("first", "again"))
        print(f"{name:22}{first:9.2f}s{first / lines * 1000:10.3f}{again:9.2f}s{again / lines * 1000:10.3f}")


if __name__ == "__main__":
    sys.exit(main())
