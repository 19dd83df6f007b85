"""`porter run --profile`: rocprofv3 and rocprof-compute run a program, and what they counted stands beside the emulator's.

A tool that is missing or fails is NOT RUN, with the reason. Formats are those of AMD's documentation of ROCm 6 and 7:
rocprofv3 writes *_kernel_trace.csv and *_counter_collection.csv (a row for each launch and counter) and, with --att,
folders ui_output_*; rocprof-compute writes pmc_perf.csv (a row for each launch, a column for each counter).
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.perf.counters import Totals, total
from porter.perf.launch_ranges import predicted_times
from porter.perf.launch_report import sum_launches
from porter.toolchain.demangle import demangle, short_name

__all__ = ["COUNTERS", "Profile", "Step", "emulated_counters", "print_profile", "profile"]

TIME = "microseconds"
# As many as the sequencers of a gfx942 count in one run. What the emulator counts of each.
COUNTERS: Mapping[str, Callable[[Totals], float]] = {
    "SQ_INSTS_VALU": lambda sums: sums.by_class["valu"] + sums.by_class["mfma"],
    "SQ_INSTS_MFMA": lambda sums: sums.by_class["mfma"],
    "SQ_INSTS_SALU": lambda sums: sums.by_class["salu"],
    "SQ_INSTS_SMEM": lambda sums: sums.by_class["smem"],
    "SQ_INSTS_VMEM": lambda sums: sums.by_class["vmem"],
    "SQ_INSTS_LDS": lambda sums: sums.by_class["lds"],
    "SQ_LDS_BANK_CONFLICT": lambda sums: sums.lds_cycles - sums.lds_ideal,
}
_ByKernel = dict[str, dict[str, float]]  # sums over all launches of a kernel


@dataclass(frozen=True, slots=True)
class Step:
    """A run of a tool: what it was for, and why it was not run or failed; "" where it did."""

    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class Profile:
    """Measured sums by kernel, thread traces, and what was run."""

    kernels: _ByKernel
    traces: tuple[Path, ...]
    steps: tuple[Step, ...]

    @property
    def whole(self) -> bool:
        """Whether counters and times were measured: by one of the tools at least."""
        return bool(self.kernels)


def profile(command: Sequence[str], folder: Path, missing: str = "", rocm: Path | None = None) -> Profile:
    """Runs the program once for its times, once for the counters, once for a thread trace. `missing` says why none of
    it can be (no GPU). Tools are looked for on PATH and in the folder of ROCm."""
    folder.mkdir(parents=True, exist_ok=True)
    v3, compute = (_tool(name, rocm) for name in ("rocprofv3", "rocprof-compute"))
    names = list(COUNTERS)
    jobs = [
        ("times", "rocprofv3", v3, ["--kernel-trace", "-f", "csv", "-d", str(folder / "times")]),
        ("counters", "rocprofv3", v3, ["--pmc", *names, "-f", "csv", "-d", str(folder / "counters")]),
        ("thread trace", "rocprofv3", v3, ["--att", "-d", str(folder / "trace")]),
        ("rocprof-compute", "rocprof-compute", compute, ["profile", "-n", "porter", "--path", str(folder / "compute")]),
    ]
    steps = [
        Step(what, missing or (f"{name} is not installed" if tool is None else _run([tool, *words, "--", *command])))
        for what, name, tool, words in jobs
    ]
    kernels: _ByKernel = defaultdict(lambda: defaultdict(float))
    for path in sorted((folder / "compute").rglob("pmc_perf.csv")):
        _wide(path, kernels)
    by_kernel: _ByKernel = defaultdict(lambda: defaultdict(float))
    for path in sorted((folder / "counters").rglob("*counter_collection.csv")):
        _long(path, by_kernel)
    for path in sorted((folder / "times").rglob("*kernel_trace.csv")):
        _times(path, by_kernel)
    for name, sums in by_kernel.items():  # rocprofv3's own rather than rocprof-compute's, which runs with more counters
        kernels[name].update(sums)
    traces = sorted({path.parent for path in (folder / "trace").rglob("ui_output*/code.json")})
    return Profile({name: dict(sums) for name, sums in kernels.items()}, tuple(traces), tuple(steps))


def _tool(name: str, rocm: Path | None) -> str | None:
    return shutil.which(name) or (shutil.which(name, path=str(rocm / "bin")) if rocm else None)


def _run(command: Sequence[str]) -> str:
    """Why it failed, or "". The program's own output goes where it always does."""
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        return f"exit code {done.returncode}" + (f": {lines[-1]}" if lines else "")
    return ""


def _rows(path: Path) -> Iterable[Mapping[str, str]]:
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        yield from csv.DictReader(file)


def _name(row: Mapping[str, str]) -> str:
    return short_name(demangle(row["Kernel_Name"].split(" [clone")[0].removesuffix(".kd")))


def _times(path: Path, into: _ByKernel) -> None:
    for row in _rows(path):
        into[_name(row)][TIME] += (int(row["End_Timestamp"]) - int(row["Start_Timestamp"])) / 1000


def _long(path: Path, into: _ByKernel) -> None:
    for row in _rows(path):
        into[_name(row)][row["Counter_Name"]] += float(row["Counter_Value"])


def _wide(path: Path, into: _ByKernel) -> None:
    for row in _rows(path):
        own = into[_name(row)]
        for counter in COUNTERS:
            if row.get(counter):
                own[counter] += float(row[counter])
        own[TIME] += (int(row["End_Timestamp"]) - int(row["Start_Timestamp"])) / 1000


def emulated_counters(launches: Sequence[dict[str, Any]]) -> _ByKernel:
    """What the emulator counted and the model predicted, by kernel, under the names of the chip's counters."""
    by_kernel: _ByKernel = {}
    for kernel, (_, counts) in sum_launches(launches).items():
        sums = total(counts)
        by_kernel[short_name(kernel)] = {name: float(of(sums)) for name, of in COUNTERS.items()}
    for launch, time in zip(launches, predicted_times(launches), strict=True):
        own = by_kernel.setdefault(short_name(launch["kernel"]), {})
        if time is not None:
            own[TIME] = own.get(TIME, 0.0) + time
    return by_kernel


def print_profile(measured: Profile, emulated: _ByKernel, console: Console) -> None:
    """Steps, then for each kernel a row for each counter: measured, emulated or predicted, and their ratio."""
    for step in measured.steps:
        console.print(f"{step.what}: {'NOT RUN: ' + step.reason if step.reason else 'measured'}", markup=False)
    table = Table(box=None, pad_edge=False, title="sums over all launches", title_justify="left")
    for column in ("kernel", "counter", "measured", "emulated", "emulated / measured"):
        table.add_column(column, justify="left" if column in ("kernel", "counter") else "right", no_wrap=True)
    for kernel in dict.fromkeys([*measured.kernels, *emulated]):
        ours, theirs = emulated.get(kernel, {}), measured.kernels.get(kernel, {})
        for counter in (TIME, *COUNTERS):
            a, b = theirs.get(counter), ours.get(counter)
            if a or b:
                ratio = f"{b / a:.2f}" if a and b is not None else ""
                label = f"{counter} (predicted)" if counter == TIME else counter
                table.add_row(escape(kernel), label, _number(a), _number(b), ratio)
    console.print(table)
    for path in measured.traces:
        console.print(f"thread trace: {path}; porter trace PROGRAM --compare {path} lays it beside the prediction")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
