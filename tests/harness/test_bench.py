"""Timing with a clock that is no clock: warm-up, turns, spreads, and what is done about results that change."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from rich.console import Console

from porter.errors import PorterError
from porter.harness.cases.case import Case
from porter.harness.cases.entry import Entry, Parameter
from porter.harness.running.devices import Gpu, Placed
from porter.harness.timing.bench import COMPILED, EAGER, copies_for, main_type, timed
from porter.harness.timing.bench_options import BenchOptions
from porter.harness.timing.gpu import amd_clocks, nvidia_clocks
from porter.harness.timing.measure import Contender, Limits, measure, quantile, warm_up, window_size
from porter.harness.verdict import Status, Timing, Verdict
from porter.report.tables.bench_table import print_bench


class FakeClock:
    """Each call takes what `cost` says for the contender's name and the time so far, in milliseconds."""

    def __init__(self, cost: Callable[[str, float], float], flushed: bool = False) -> None:
        self.cost, self.flushed = cost, flushed
        self.ms = 0.0
        self.windows: list[tuple[str, int]] = []

    def window(self, contender: Contender, count: int) -> list[float]:
        self.windows.append((contender.name, count))
        times = []
        for _ in range(count):
            contender.next()()
            times.append(self.cost(contender.name, self.ms) * contender.repeats)
            self.ms += times[-1]
        return times

    def now(self) -> float:
        return self.ms / 1e3


def idle(name: str) -> Contender:
    return Contender(name, [lambda: None])


def test_quantiles() -> None:
    values = [float(number) for number in range(100, -1, -1)]
    assert [quantile(values, part) for part in (0.0, 0.1, 0.5, 0.9, 1.0)] == [0, 10, 50, 90, 100]
    assert quantile([3.0], 0.9) == 3.0
    assert quantile([1.0, 2.0], 0.5) == 1.5


def test_windows_are_short_but_hold_several_calls() -> None:
    assert [window_size(ms) for ms in (0.001, 1.0, 50.0, 0.0)] == [100, 20, 3, 100]


def test_warm_up_ends_when_times_stand_still() -> None:
    clock = FakeClock(lambda name, ms: 1.0)
    warmth = warm_up(idle("port"), clock, Limits(), clock.now)
    assert [count for _, count in clock.windows] == [3, 20, 20]
    assert (warmth.iterations, warmth.median, warmth.moved, warmth.stable) == (43, 1.0, 0.0, True)


def test_warm_up_does_not_end_while_times_fall() -> None:
    clock = FakeClock(lambda name, ms: max(1.0, 10.0 - ms / 60))
    warmth = warm_up(idle("port"), clock, Limits(warmup_seconds=60), clock.now)
    assert warmth.stable
    assert warmth.median == pytest.approx(1.0, rel=0.02)


def test_warm_up_is_bounded_and_says_so() -> None:
    times = iter(range(10**6))
    clock = FakeClock(lambda name, ms: 1.0 + next(times) // 20 % 2)
    warmth = warm_up(idle("port"), clock, Limits(warmup_windows=6, warmup_seconds=60), clock.now)
    assert not warmth.stable
    assert warmth.moved > 0.02
    assert len(clock.windows) == 7
    slow = FakeClock(lambda name, ms: 1500.0 + ms / 10)
    warm_up(idle("port"), slow, Limits(), slow.now)
    assert len(slow.windows) == 2  # 2 s were over after the first pair


def test_a_given_number_of_warm_ups_and_iterations() -> None:
    clock = FakeClock(lambda name, ms: 0.005)
    (timing,) = measure([idle("port")], "warm", clock, Limits(warmups=500, iterations=2000), clock.now)
    assert timing.iterations == 2000
    counts = [count for _, count in clock.windows]
    turns = counts.index(102)  # 100 and the two to wake
    assert sum(counts[:turns]) == 500


def test_a_graph_is_timed_by_call() -> None:
    """One replay of 20 calls of 5 us is 100 us: the call is 5 us, and 100 replays are 2,000 iterations."""
    clock = FakeClock(lambda name, ms: 0.005)
    graph = Contender("port", [lambda: None], repeats=20)
    (timing,) = measure([graph], "graph", clock, Limits(warmups=500, iterations=2000), clock.now)
    assert timing.median_ms == pytest.approx(0.005)
    assert timing.iterations == 2000
    assert sum(count for _, count in clock.windows) >= 125  # 25 replays to warm up


def test_drift_meets_all_contenders_alike() -> None:
    """Clocks that fall all the time: one after the other, the second of two equals would be a third slower."""
    clock = FakeClock(lambda name, ms: 1.0 + ms / 1500)
    limits = Limits(seconds=0.5, warmup_windows=2)
    first, second = measure([idle("port"), idle("torch eager")], "warm", clock, limits, clock.now)
    assert first.median_ms == pytest.approx(second.median_ms, rel=0.03)
    assert clock.cost("", clock.ms) > 1.5 * first.low_ms  # there was a drift


def test_medians_bear_outliers_and_spreads_show_them() -> None:
    calls = iter(range(10**6))
    clock = FakeClock(lambda name, ms: 5.0 if next(calls) % 8 == 0 else 1.0)
    (timing,) = measure([idle("port")], "warm", clock, Limits(), clock.now)
    assert (timing.median_ms, timing.low_ms, timing.high_ms) == (1.0, 1.0, 5.0)
    assert timing.iterations >= 100


def test_slow_kernels_are_timed_a_few_times() -> None:
    clock = FakeClock(lambda name, ms: 2000.0)
    (timing,) = measure([idle("port")], "warm", clock, Limits(), clock.now)
    assert 3 <= timing.iterations <= 10


def test_copies_outgrow_the_cache() -> None:
    cache = 256 << 20
    for size in (4 << 20, 8 << 20, 100 << 20, 1 << 30):
        assert copies_for(size, cache, 190 << 30) >= 2
    assert (copies_for(8 << 20, cache, 190 << 30) - 1) * (8 << 20) >= 2 * cache  # the others, before its turn
    assert copies_for(4096, cache, 190 << 30) == 0  # 131,072 copies: the cache is written over instead
    assert copies_for(1 << 30, cache, 4 << 30) == 0  # no room


# What follows runs timed() itself, with tensors on the CPU in place of the GPU's.


class FakeGpu(Gpu):
    def __init__(self) -> None:
        self.name, self.device, self.stream = "NVIDIA H200", torch.device("cpu"), 0

    def synchronize(self) -> str:
        return ""


@dataclass
class FakeTools:
    clock_of: FakeClock = field(default_factory=lambda: FakeClock(lambda name, ms: {"original": 0.02}.get(name, 0.05)))
    cache: int = 1 << 10
    captures: str = ""  # an error
    empty: bool = False  # graphs that hold nothing
    compiles: bool = True
    ceilings: list[str] = field(default_factory=list)
    flushes: list[int] = field(default_factory=list)

    def clock(self, flush_bytes: int = 0) -> FakeClock:
        self.flushes.append(flush_bytes)
        return self.clock_of

    def synchronize(self) -> None:
        pass

    def free_memory(self) -> int:
        return 1 << 30

    def cache_size(self) -> int:
        return self.cache

    def capture(self, make: Callable[[int], Callable[[], None]], times: int) -> Callable[[], None]:
        if self.captures:
            raise RuntimeError(self.captures)
        call = make(7)
        return lambda: [call() for _ in range(0 if self.empty else times)] and None

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if not self.compiles:
            raise RuntimeError("no compiler\nmore words")
        return function

    def facts(self) -> dict[str, Any]:
        return {"device": "NVIDIA H200", "arch": "sm_90", "runtime": "cuda 13.0", "torch": "2.11"}

    def clocks(self) -> dict[str, Any]:
        return {"sm_mhz": 1980.0, "driver": "580"}

    def ceiling(self, dtype: str) -> Mapping[str, float]:
        self.ceilings.append(dtype)
        return {dtype: 4300.0 if dtype == "copy" else 790.0}


Kernel = Callable[[Mapping[str, torch.Tensor]], int]


def doubled(tensors: Mapping[str, torch.Tensor]) -> int:
    tensors["out"].copy_(tensors["x"] * 2)
    return 0


def bench(
    kernel: Kernel = doubled,
    *,
    tools: FakeTools | None = None,
    options: BenchOptions | None = None,
    inputs: Mapping[str, Any] | None = None,
    want: Callable[..., Mapping[str, torch.Tensor]] = lambda x: {"out": x * 2},
    stream: bool = True,
    call: Callable[..., Any] = lambda function, arguments: function(**arguments),
    **case: Any,
) -> Verdict:
    """timed() for a kernel that is a Python function of the tensors in the device's memory."""
    device = FakeGpu()
    inputs = inputs or {"x": torch.arange(64, dtype=torch.float32)}
    tensors = {name: value for name, value in inputs.items() if isinstance(value, torch.Tensor)}
    wanted = {name: value.clone() for name, value in call(want, {k: v.clone() for k, v in tensors.items()}).items()}
    placed = {name: device.place(name, value) for name, value in tensors.items()}
    placed |= {name: device.reserve(name, tuple(v.shape), v.dtype) for name, v in wanted.items() if name not in placed}

    def bind(shape: Any, given: Any, there: Mapping[str, Placed], on: int) -> Callable[[], int]:
        return lambda: kernel({name: device.view(one) for name, one in there.items()})

    def right(there: Mapping[str, Placed]) -> Sequence[str]:
        off = [
            name
            for name, value in wanted.items()
            if not torch.allclose(device.view(there[name]).float(), value.float())
        ]
        return [f"{name} is wrong" for name in off]

    assert bind({}, {}, placed, 0)() == 0
    assert not right(placed)
    parameters = (Parameter("stream", "stream", "", "", False),) if stream else ()
    job = SimpleNamespace(
        side="original", entry=Entry("f", False, True, parameters, ()), bench=options or BenchOptions(seconds=0.01)
    )
    made = Case(Path("case.py"), "case", "", Path("case.cu"), None, "f", ({},), ({},), lambda: {}, want, **case)
    run = SimpleNamespace(shape={"n": 64})
    verdict = Verdict("case", "", "original", device.name, run.shape, "normal", 0, Status.PASS)
    types = {name: value.dtype for name, value in wanted.items()}
    return timed(
        verdict,
        made,
        job,
        run,
        inputs,
        types,
        placed,
        bind,
        device,
        right,
        tools or FakeTools(),  # type: ignore[arg-type]
    )


def times(verdict: Verdict) -> set[tuple[str, str]]:
    return {(timing.name, timing.mode) for timing in verdict.timings}


def test_all_modes_beside_torch() -> None:
    verdict = bench(flops=lambda n: 2 * n)
    assert verdict.status is Status.PASS
    assert times(verdict) == {(n, m) for n in ("original", EAGER, COMPILED) for m in ("warm", "cold", "graph")}
    assert verdict.flops == 128
    assert verdict.bytes == 2 * 64 * 4  # x and out
    assert verdict.bench["device"]["sm_mhz"] == 1980.0
    assert verdict.bench["ceiling"] == {"float32": 790.0, "copy": 4300.0}
    assert {t.note for t in verdict.timings if t.mode == "warm" and t.name == EAGER} == {"the case's reference"}


def test_graphs_are_for_small_kernels() -> None:
    slow = FakeTools(FakeClock(lambda name, ms: 0.5))
    assert {mode for _, mode in times(bench(tools=slow))} == {"warm", "cold"}
    chosen = BenchOptions(modes=("graph",), iterations=100, warmups=40, compile=False)
    assert times(bench(tools=slow, options=chosen)) == {("original", "graph"), (EAGER, "graph")}


def test_results_that_change_fail_and_have_no_times() -> None:
    calls = []

    def forgets(tensors: Mapping[str, torch.Tensor]) -> int:
        calls.append(1)
        return doubled({"x": tensors["x"] + (len(calls) > 30), "out": tensors["out"]})

    verdict = bench(forgets)
    assert verdict.status is Status.FAIL
    assert verdict.reason == "results changed over repeated calls: out is wrong"
    assert verdict.timings == ()


def test_outputs_that_add_up_fail() -> None:
    def adds(tensors: Mapping[str, torch.Tensor]) -> int:
        tensors["out"].nan_to_num_(0.0).add_(tensors["x"] * 2)  # a workspace that was zero once
        return 0

    assert "results changed" in bench(adds).reason


def test_another_order_of_sums_is_no_change() -> None:
    calls = []

    def jitters(tensors: Mapping[str, torch.Tensor]) -> int:
        calls.append(1)
        return doubled({"x": tensors["x"] * (1 + 1e-7 * (len(calls) % 3)), "out": tensors["out"]})

    assert bench(jitters).status is Status.PASS


def test_writes_past_the_end_while_timed_fail() -> None:
    calls = []

    def strays(tensors: Mapping[str, torch.Tensor]) -> int:
        calls.append(1)
        if len(calls) > 20:
            torch.as_strided(tensors["out"], (1,), (1,), tensors["out"].storage_offset() + 64).fill_(1.0)
        return doubled(tensors)

    verdict = bench(strays)
    assert verdict.status is Status.FAIL
    assert "past the end of out were overwritten" in verdict.reason


def test_in_out_is_noted_and_checked_from_fresh_inputs() -> None:
    def grows(tensors: Mapping[str, torch.Tensor]) -> int:
        tensors["x"].mul_(1.01)
        return 0

    verdict = bench(grows, want=lambda x: {"x": x * 1.01})
    assert verdict.status is Status.PASS
    assert any("x is in/out" in note for note in verdict.bench["notes"])
    assert verdict.bytes == 2 * 64 * 4  # read and written


def test_errors_while_timed_are_raised() -> None:
    calls = []

    def tires(tensors: Mapping[str, torch.Tensor]) -> int:
        calls.append(1)
        return 719 if len(calls) > 10 else doubled(tensors)

    with pytest.raises(PorterError, match="f returned error 719 while it was timed"):
        bench(tires)


def test_graphs_that_cannot_be() -> None:
    assert "no graph: the entry takes no stream" in bench(stream=False).bench["notes"]
    refused = bench(tools=FakeTools(captures="operation not permitted when stream is capturing\nlong story"))
    assert "no graph: operation not permitted when stream is capturing" in refused.bench["notes"]
    assert refused.status is Status.PASS
    empty = bench(tools=FakeTools(empty=True))
    assert any("does not do the entry's work" in note for note in empty.bench["notes"])
    assert empty.status is Status.PASS
    for verdict in (refused, empty):
        assert ("original", "graph") not in times(verdict)
        assert ("original", "warm") in times(verdict)


def test_what_torch_cannot_do_is_a_note() -> None:
    verdict = bench(tools=FakeTools(compiles=False))
    assert f"{COMPILED} does not run: no compiler" in verdict.bench["notes"]
    assert (EAGER, "warm") in times(verdict) and (COMPILED, "warm") not in times(verdict)
    quiet = bench(options=BenchOptions(seconds=0.01, compile=False))
    assert not any(COMPILED in note for note in quiet.bench["notes"])


def test_a_baseline_in_place_does_not_touch_the_kernel() -> None:
    assert bench(baseline=lambda x: {"out": x.mul_(2)}).status is Status.PASS


def test_the_reference_beside_an_fp8_kernel_gets_fp8() -> None:
    seen: list[torch.dtype] = []
    fp8 = torch.float8_e4m3fn

    def reference(x: torch.Tensor) -> Mapping[str, torch.Tensor]:
        seen.append(x.dtype)
        return {"out": (x.float() * 1000).to(fp8) if x.dtype == fp8 else x * 1000}

    def kernel(tensors: Mapping[str, torch.Tensor]) -> int:
        tensors["out"].copy_((tensors["x"].float() * 1000).to(fp8))
        return 0

    x = torch.tensor([0.25, 0.125, 0.375]).to(fp8)
    verdict = bench(kernel, inputs={"x": x}, want=reference)
    assert verdict.status is Status.PASS
    assert set(seen[1:]) == {torch.bfloat16}  # widened inside what is timed
    assert verdict.bench["dtype"] == "float8_e4m3fn"


def test_a_reference_that_takes_its_inputs_in_order() -> None:
    verdict = bench(want=lambda *tensors: {"out": tensors[0] * 2}, positional=True, call=lambda f, x: f(*x.values()))
    assert (EAGER, "warm") in times(verdict)
    assert verdict.status is Status.PASS


def test_cold_runs_rotate_or_flush() -> None:
    addresses: set[int] = set()

    def seen(tensors: Mapping[str, torch.Tensor]) -> int:
        addresses.add(tensors["out"].data_ptr())
        return doubled(tensors)

    cold = BenchOptions(modes=("cold",), seconds=0.01, compile=False)
    tools = FakeTools(cache=1 << 12)
    verdict = bench(seen, tools=tools, options=cold)
    assert len(addresses) == copies_for(512, 1 << 12, 1 << 30) == 17
    assert set(tools.flushes) == {0}
    assert verdict.timings[0].note == "17 copies of all tensors"
    tools = FakeTools(cache=1 << 28)
    verdict = bench(tools=tools, options=cold)
    assert max(tools.flushes) == 2 << 28
    assert "written over" in verdict.timings[0].note


def test_the_ceiling_is_measured_once_a_session(tmp_path: Path) -> None:
    options = BenchOptions(seconds=0.01, compile=False, ceilings=tmp_path / "ceilings.json")
    tools = FakeTools()
    first, second = bench(tools=tools, options=options), bench(tools=tools, options=options)
    assert tools.ceilings == ["float32", "copy"]
    assert first.bench["ceiling"] == second.bench["ceiling"]


def test_the_type_of_a_product_is_that_of_the_largest_input() -> None:
    half, single = torch.zeros(64, dtype=torch.float16), torch.zeros(16)
    assert main_type({"scale": single, "a": half, "n": 4, "index": torch.zeros(999, dtype=torch.int64)}) == "float16"
    assert main_type({"a": half[:1], "sums": single}, {"sums"}) == "float16"  # D = A B + D
    assert main_type({"x": single}, {"x"}) == "float32"
    assert main_type({"n": 4}) == ""


# Tables


def printed(*verdicts: Verdict, width: int = 80) -> str:
    out = io.StringIO()
    print_bench(verdicts, Console(file=out, width=width, highlight=False, soft_wrap=True))
    return out.getvalue()


def test_the_table_of_times() -> None:
    verdict = replace(
        bench(),
        flops=2 * 4096**3, bytes=1e8, bench={**bench().bench, "dtype": "bfloat16", "ceiling": {"bfloat16": 790.0}},
        timings=(Timing("original", 0.2, 0.19, 0.21, 99, "warm"), Timing(EAGER, 0.3, 0.29, 0.31, 99, "warm")),
    )  # fmt: skip
    text = printed(verdict)
    assert text.lstrip().startswith("measured on NVIDIA H200")
    row = next(line for line in text.splitlines() if "0.200 ms" in line)
    for part in ("case", "n=64", "warm", "0.190 ms to 0.210 ms", "0.300 ms", "not run", "1.50", "687.2", "500"):
        assert part in row
    assert "69% bf16" in row  # of 989.4
    assert "87% bf16" in row  # of 790
    assert "driver 580" in text and "counted" not in text


def test_the_emulator_counts_and_times_nothing() -> None:
    counts = {"instructions": 1234567, "by_class": {"mfma": 890}, "mfma_flops": 5, "global_bytes": 6, "launches": 1}
    text = printed(
        Verdict("gemm", "", "port", "emulator", {"m": 8}, "normal", 0, Status.PASS, counts=counts, seconds=0.5)
    )
    assert text.lstrip().startswith("counted in the emulator")
    assert "1,234,567" in text and "890" in text
    for word in ("measured", "predicted", "TFLOP/s", " ms", " us", "0.5"):
        assert word not in text


def test_nothing_timed_prints_nothing() -> None:
    assert printed(Verdict("gemm", "", "port", "emulator", {}, "normal", 0, Status.PASS)) == ""


# What the vendors' tools say


def test_nvidia_clocks() -> None:
    line = "580.159.03, 1980, 3201, 1980, 412.33, 700.00, 41\n"
    assert nvidia_clocks(line) == {
        "driver": "580.159.03", "sm_mhz": 1980.0, "memory_mhz": 3201.0, "max_sm_mhz": 1980.0, "power_w": 412.33,
        "power_limit_w": 700.0, "celsius": 41.0,
    }  # fmt: skip
    assert nvidia_clocks("580.1, [N/A], 3201, 1980, [Not Supported], 700.00, 41") == {
        "driver": "580.1", "memory_mhz": 3201.0, "max_sm_mhz": 1980.0, "power_limit_w": 700.0, "celsius": 41.0,
    }  # fmt: skip
    assert nvidia_clocks("") == {}


def test_amd_clocks() -> None:
    text = (
        "GPU[0]\t\t: mclk clock level: 3: (1300Mhz)\nGPU[0]\t\t: sclk clock level: 1: (2105Mhz)\n"
        "GPU[1]\t\t: sclk clock level: 0: (132Mhz)\n"
    )
    assert amd_clocks(text) == {"memory_mhz": 1300.0, "sm_mhz": 2105.0}
    assert amd_clocks("ERROR: no device") == {}
