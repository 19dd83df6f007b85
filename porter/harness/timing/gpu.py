"""The thin layer between bench and the GPU that torch sees: events, graphs, facts about the device, its ceiling.

All that can be decided without a GPU is decided elsewhere; tests put a stand-in of this class in its place.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from porter.harness.cases.inputs import FLOAT8
from porter.harness.timing.measure import Contender, Limits, measure
from porter.harness.timing.throughput import gigabytes_per_second, last_level_cache, teraflops

__all__ = ["EventClock", "GpuTools", "amd_clocks", "nvidia_clocks"]

LONGEST_LEAD_MS = 50.0
CEILING_SIZE = 8192  # of the matrix product that stands for what the device reaches
CEILING_COPY = 1 << 30  # bytes
_NVIDIA_FACTS = (
    "driver_version", "clocks.sm", "clocks.mem", "clocks.max.sm", "power.draw", "power.limit", "temperature.gpu",
)  # fmt: skip


def _event() -> Any:
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


def _spin(cycles: int) -> None:
    torch.cuda._sleep(cycles)  # type: ignore[no-untyped-call]


class EventClock:
    """A pair of events around each call.

    Before a window the GPU is kept waiting for as long as the host needs to queue it; the events then see the GPU's
    time alone. Without that, calls shorter than their launch would be timed as long as the launch.
    """

    def __init__(self, flush: torch.Tensor | None = None) -> None:
        self._flush = flush  # written before each call: what was in the cache is not any more
        self._cycles_a_ms = 1e6  # of a clock of 1 GHz; each wait corrects it, as clocks rise under load

    def window(self, contender: Contender, count: int) -> list[float]:
        events = [_event() for _ in range(2 * count + 2)]
        # Half as much again: the host may be held up, and what it has queued must last until it goes on.
        lead = min(LONGEST_LEAD_MS, 1.5 * count * contender.queueing_ms)
        cycles = int(lead * self._cycles_a_ms)
        torch.cuda.synchronize()
        events[-2].record()
        if cycles:
            _spin(cycles)
        events[-1].record()
        began = time.perf_counter()
        for number in range(count):
            call = contender.next()
            if self._flush is not None:
                self._flush.zero_()
            events[2 * number].record()
            call()
            events[2 * number + 1].record()
        host = 1e3 * (time.perf_counter() - began) / count
        torch.cuda.synchronize()
        contender.queueing_ms = min(host, contender.queueing_ms or host)
        waited = float(events[-2].elapsed_time(events[-1]))
        if cycles and waited > 0:
            self._cycles_a_ms = cycles / waited
        return [a.elapsed_time(b) for a, b in zip(events[:-2:2], events[1:-2:2], strict=True)]


class GpuTools:
    def __init__(self) -> None:
        self._clocks: dict[int, EventClock] = {}

    def clock(self, flush_bytes: int = 0) -> EventClock:
        if flush_bytes not in self._clocks:
            flush = torch.empty(flush_bytes, dtype=torch.uint8, device="cuda") if flush_bytes else None
            self._clocks[flush_bytes] = EventClock(flush)
        return self._clocks[flush_bytes]

    def synchronize(self) -> None:
        torch.cuda.synchronize()

    def free_memory(self) -> int:
        with contextlib.suppress(RuntimeError):  # refused for good after a capture that failed
            torch.cuda.empty_cache()
        return int(torch.cuda.mem_get_info()[0])

    def cache_size(self) -> int:
        facts = torch.cuda.get_device_properties(torch.cuda.current_device())
        return last_level_cache(facts.name, int(getattr(facts, "L2_cache_size", 0)))

    def capture(self, make: Callable[[int], Callable[[], None]], times: int) -> Callable[[], None]:
        """A graph that holds `times` calls, as a function that replays it. `make` is given the stream."""
        torch.cuda.synchronize()
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        call = make(stream.cuda_stream)
        with torch.cuda.stream(stream):  # what is done on first use must not be part of the graph
            for _ in range(3):
                call()
        torch.cuda.synchronize()
        graph, usual = torch.cuda.CUDAGraph(), torch.cuda.current_stream()
        try:
            with torch.cuda.graph(graph, stream=stream):
                for _ in range(times):
                    call()
        finally:
            torch.cuda.set_stream(usual)  # which torch forgets to do after a capture that failed
        replay: Callable[[], None] = graph.replay
        return replay

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        import torch._inductor.config

        # One shape a compilation, as the kernel has it, and no pool of processes below a worker.
        torch._dynamo.reset()
        torch._inductor.config.compile_threads = 1
        return torch.compile(function, dynamic=False)

    def facts(self) -> dict[str, Any]:
        device = torch.cuda.get_device_properties(torch.cuda.current_device())
        hip = getattr(torch.version, "hip", None)
        return {
            "device": device.name,
            "arch": getattr(device, "gcnArchName", "") if hip else f"sm_{device.major}{device.minor}",
            "units": device.multi_processor_count,
            "memory_bytes": device.total_memory,
            "cache_bytes": self.cache_size(),
            "torch": torch.__version__,
            "runtime": f"hip {hip}" if hip else f"cuda {torch.version.cuda}",
        }

    def clocks(self) -> dict[str, Any]:
        """Driver, clocks and power as the vendor's tool tells them; what it does not tell is left out."""
        if getattr(torch.version, "hip", None):
            module = Path("/sys/module/amdgpu/version")
            driver = {"driver": module.read_text().strip()} if module.is_file() else {}
            return driver | amd_clocks(_output("rocm-smi", "--showclocks"))
        facts = torch.cuda.get_device_properties(torch.cuda.current_device())
        which = ["-i", f"GPU-{facts.uuid}"] if getattr(facts, "uuid", None) else []
        query = f"--query-gpu={','.join(_NVIDIA_FACTS)}"
        return nvidia_clocks(_output("nvidia-smi", *which, query, "--format=csv,noheader,nounits"))

    def ceiling(self, dtype: str) -> Mapping[str, float]:
        """What torch reaches here: TFLOP/s of a square product in `dtype`, GB/s of a copy (read and written)."""
        limits = Limits(seconds=0.1)
        if dtype == "copy":
            source = torch.randint(0, 255, (CEILING_COPY,), dtype=torch.uint8, device="cuda")
            target = torch.empty_like(source)
            copy = Contender("copy", [lambda: target.copy_(source)])  # type: ignore[list-item]
            ms = measure([copy], "warm", self.clock(), limits)[0].median_ms
            return {"copy": gigabytes_per_second(2 * CEILING_COPY, ms)}
        product = _product(getattr(torch, dtype))
        if product is None:
            return {}
        ms = measure([Contender(dtype, [product])], "warm", self.clock(), limits)[0].median_ms
        return {dtype: teraflops(2 * CEILING_SIZE**3, ms)}


def _product(dtype: torch.dtype) -> Callable[[], None] | None:
    """A product of random numbers: zeros cost less power, and clocks rise."""
    if not dtype.is_floating_point:
        return None
    a, b = (torch.randn(CEILING_SIZE, CEILING_SIZE, device="cuda") for _ in range(2))
    if dtype not in FLOAT8:
        a, b = a.to(dtype), b.to(dtype)
        out = torch.empty_like(a)
        return lambda: torch.mm(a, b, out=out)  # type: ignore[return-value]
    a, b, one = a.to(dtype), b.to(dtype).t(), torch.ones((), device="cuda")
    try:
        torch._scaled_mm(a, b, one, one, out_dtype=torch.bfloat16)
    except (RuntimeError, ValueError):  # a type that this GPU's library does not multiply
        return None
    return lambda: torch._scaled_mm(a, b, one, one, out_dtype=torch.bfloat16)  # type: ignore[return-value]


def _output(*command: str) -> str:
    program = shutil.which(command[0])
    if program is None:
        return ""
    try:
        result = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout if result.returncode == 0 else ""


def nvidia_clocks(text: str) -> dict[str, Any]:
    """A line of nvidia-smi's CSV: the first GPU's, and only what it could tell."""
    names = ("driver", "sm_mhz", "memory_mhz", "max_sm_mhz", "power_w", "power_limit_w", "celsius")
    words = [word.strip() for word in text.strip().splitlines()[0].split(",")] if text.strip() else []
    clocks: dict[str, Any] = {}
    for name, word in zip(names, words, strict=False):
        if name == "driver":
            clocks[name] = word
            continue
        try:
            clocks[name] = float(word)
        except ValueError:  # "[N/A]"
            continue
    return clocks


def amd_clocks(text: str) -> dict[str, Any]:
    """rocm-smi --showclocks: "GPU[0] : sclk clock level: 1: (2100Mhz)", for the first GPU."""
    clocks: dict[str, Any] = {}
    for line in text.splitlines():
        for clock, name in (("sclk clock", "sm_mhz"), ("mclk clock", "memory_mhz")):
            if clock in line and "(" in line and name not in clocks:
                number = line.rpartition("(")[2].lower().partition("mhz")[0].strip()
                if number.replace(".", "", 1).isdigit():
                    clocks[name] = float(number)
    return clocks
