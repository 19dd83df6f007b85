"""Timing on a GPU: the port or the original, and torch beside it in the same run.

Three modes. warm: the same memory again and again. cold: copies of all tensors take turns, more of them than the
last level of cache holds. graph: many calls in one CUDA or HIP graph, for kernels as short as their launch.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from porter.errors import PorterError
from porter.harness.cases.case import Case, call_by_name
from porter.harness.cases.inputs import FLOAT8, is_float, to_dtype
from porter.harness.running.devices import GUARD, Call, Gpu, Placed
from porter.harness.timing.bench_options import MODES, BenchOptions
from porter.harness.timing.gpu import GpuTools
from porter.harness.timing.measure import Contender, measure
from porter.harness.verdict import Status, Timing, Verdict

__all__ = ["COMPILED", "EAGER", "copies_for", "derived_bytes", "main_type", "timed"]

EAGER, COMPILED = "torch eager", "torch.compile"
SMALL_MS = 0.1  # shorter than this, a kernel is timed in a graph as well
IN_A_GRAPH = 20  # calls: what a replay itself costs is shared by them
MOST_COPIES = 256  # of the tensors of a small kernel; beyond that the cache is written over between calls


@dataclass(slots=True)
class _Bench:
    """One run that has passed, and all that its timings need."""

    case: Case
    job: Any  # porter.harness.sessions.worker.Job
    run: Any  # porter.harness.sessions.worker.Run
    inputs: Mapping[str, Any]
    types: Mapping[str, torch.dtype]  # of the outputs
    placed: Mapping[str, Placed]
    bind: Callable[..., Call]
    device: Gpu
    right: Callable[[Mapping[str, Placed]], Sequence[str]]  # what is wrong with the outputs there
    tools: GpuTools
    notes: list[str]

    @property
    def changed(self) -> tuple[str, ...]:
        """Inputs that are outputs."""
        return tuple(name for name in self.types if isinstance(self.inputs.get(name), torch.Tensor))


def timed(
    verdict: Verdict,
    case: Case,
    job: Any,
    run: Any,
    inputs: Mapping[str, Any],
    types: Mapping[str, torch.dtype],
    placed: Mapping[str, Placed],
    bind: Callable[..., Call],
    device: Gpu,
    right: Callable[[Mapping[str, Placed]], Sequence[str]],
    tools: GpuTools | None = None,
) -> Verdict:
    """The verdict with its timings; FAIL where the results do not outlive them."""
    options: BenchOptions = job.bench
    bench = _Bench(case, job, run, inputs, types, placed, bind, device, right, tools or GpuTools(), [])
    if bench.changed:
        bench.notes.append(f"{', '.join(bench.changed)} is in/out: each call starts from what the last one left")
    verified = {name: _bytes(device, placed[name]).clone() for name in types}
    timings: list[Timing] = []
    problem = ""
    with torch.no_grad():
        torch_calls = _torch_functions(bench, options)
        for mode in options.modes or MODES:
            if mode == "graph" and not options.modes and _median(timings, "warm") > SMALL_MS:
                continue
            measured, problem = _one_mode(bench, mode, options, torch_calls, verified)
            timings += measured
            if problem:
                break
    if problem:  # times of what is wrong are worth nothing
        return replace(verdict, status=Status.FAIL, reason=f"results changed over repeated calls: {problem}")
    dtype = main_type(inputs, bench.types)
    more = {
        "device": {**bench.tools.facts(), **bench.tools.clocks()},  # the clocks as they are after load
        "dtype": dtype,
        "ceiling": _ceilings(bench.tools, dtype, options.ceilings),
        "notes": tuple(bench.notes),
    }
    names = {**run.shape, **{k: v for k, v in inputs.items() if not isinstance(v, torch.Tensor)}}
    flops = call_by_name(case.path, "flops", case.flops, names) if case.flops else 0
    moved = call_by_name(case.path, "bytes", case.bytes, names) if case.bytes else derived_bytes(placed, bench.changed)
    return replace(verdict, timings=tuple(timings), flops=float(flops), bytes=float(moved), bench=more)


def _median(timings: Sequence[Timing], mode: str) -> float:
    return next((t.median_ms for t in timings if t.mode == mode), 0.0)


def derived_bytes(placed: Mapping[str, Placed], changed: Sequence[str]) -> int:
    """Every tensor once, and twice what is read and written."""
    return sum(one.bytes * (2 if name in changed else 1) for name, one in placed.items())


def main_type(inputs: Mapping[str, Any], outputs: Collection[str] = ()) -> str:
    """The element type that a product would be made in: the type of the largest floating-point input that is no output
    as well. (Sums are kept in a wider type than their terms.)"""
    floats = {k: v for k, v in inputs.items() if isinstance(v, torch.Tensor) and is_float(v.dtype)}
    tensors = [v for k, v in floats.items() if k not in outputs] or list(floats.values())
    largest = max(tensors, key=lambda tensor: tensor.nbytes, default=None)
    return str(largest.dtype).removeprefix("torch.") if largest is not None else ""


def copies_for(size: int, cache: int, free: int) -> int:
    """Copies of `size` bytes that together are twice the cache; 0: too many, or no room for them.

    Twice, so that what was written first is gone before its turn comes, whatever the cache throws out.
    """
    wanted = max(2, -(-2 * cache // max(1, size)) + 1)
    return wanted if wanted <= MOST_COPIES and wanted * size <= free // 4 else 0


def _one_mode(
    bench: _Bench,
    mode: str,
    options: BenchOptions,
    torch_calls: Mapping[str, _TorchCall],
    verified: Mapping[str, torch.Tensor],
) -> tuple[list[Timing], str]:
    """The timings of all contenders, and what is wrong with the results after them."""
    _restore(bench, bench.placed)  # and poison its outputs: each copy's first call must write them anew
    sets, clock = [dict(bench.placed)], bench.tools.clock()
    if mode == "cold":
        cache = bench.tools.cache_size()
        size = sum(one.bytes for one in bench.placed.values())
        copies = copies_for(size, cache, bench.tools.free_memory())
        if copies:
            sets += [_copied(bench.device, bench.placed) for _ in range(copies - 1)]
        else:
            clock = bench.tools.clock(2 * cache)
        how = f"{copies} copies of all tensors" if copies else "the cache written over before each call"
    else:
        how = f"{IN_A_GRAPH} calls in a graph" if mode == "graph" else ""
    name = "original" if bench.job.side == "original" else bench.job.side
    contenders: list[Contender] = []
    if mode == "graph":
        own = _graph_of_kernel(bench, name, how, verified)
        if own is None:
            return [], ""
        contenders.append(own)
        for title, call in torch_calls.items():
            beside = _graph_of_torch(bench, title, how, call)
            contenders += [beside] if beside else []
    else:
        stream = bench.device.stream
        calls = [_checked(bench, bench.bind(bench.run.shape, bench.inputs, one, stream)) for one in sets]
        contenders.append(Contender(name, calls, note=how))
        for title, call in torch_calls.items():
            own_sets = [call.arguments(bench, one) for one in sets]
            results: list[Any] = [None] * len(sets)  # kept for a round, so that outputs rotate as well
            contenders.append(
                Contender(title, call.rotating(own_sets, results), note="; ".join(_words(how, call.note)))
            )
    timings = measure(contenders, mode, clock, options.limits(mode))
    bench.tools.synchronize()
    return timings, _wrong_after(bench, sets[: contenders[0].turns], verified)


def _words(*texts: str) -> list[str]:
    return [text for text in texts if text]


def _checked(bench: _Bench, call: Call) -> Callable[[], None]:
    def checked() -> None:
        code = call()
        if code:
            raise PorterError(
                f"{bench.job.entry.name} returned {bench.device.error_text(code)} while it was timed", "run it alone"
            )

    return checked


def _bytes(device: Gpu, placed: Placed) -> torch.Tensor:
    data: torch.Tensor = placed.owner[GUARD : GUARD + placed.bytes]
    return data


def _restore(bench: _Bench, placed: Mapping[str, Placed]) -> None:
    """As before the first call: inputs that are outputs as they were drawn, other outputs poisoned."""
    for name in bench.types:
        bench.device.refill(placed[name], bench.inputs[name] if name in bench.changed else None)


def _copied(device: Gpu, placed: Mapping[str, Placed]) -> dict[str, Placed]:
    copies = {}
    for name, one in placed.items():
        owner = one.owner.clone()
        copies[name] = replace(one, owner=owner, address=owner.data_ptr() + GUARD)
    return copies


def _wrong_after(bench: _Bench, sets: Sequence[Mapping[str, Placed]], verified: Mapping[str, torch.Tensor]) -> str:
    """What is wrong with any copy of the outputs, once all calls are done; what is in/out after one more call."""
    stream = bench.device.stream
    for outputs in sets:
        if bench.changed:
            _restore(bench, outputs)
            _checked(bench, bench.bind(bench.run.shape, bench.inputs, outputs, stream))()
            bench.tools.synchronize()
        same = all(torch.equal(_bytes(bench.device, outputs[name]), verified[name]) for name in verified)
        problems = [] if same else list(bench.right(outputs))  # sums in another order are no change
        problems += [text for tensor in outputs.values() if (text := bench.device.overrun(tensor))]
        if problems:
            return problems[0]
    return ""


def _graph_of_kernel(bench: _Bench, name: str, how: str, verified: Mapping[str, torch.Tensor]) -> Contender | None:
    """The entry in a graph, once a graph of one call has been seen to do the entry's work."""
    entry = bench.job.entry
    # A function of a Python module launches on torch's stream, which a capture changes.
    if not entry.kernel and not entry.module and not any(p.kind == "stream" for p in entry.parameters):
        bench.notes.append("no graph: the entry takes no stream")
        return None

    def make(stream: int) -> Callable[[], None]:
        return _checked(bench, bench.bind(bench.run.shape, bench.inputs, bench.placed, stream))

    try:
        once = bench.tools.capture(make, 1)
        _restore(bench, bench.placed)
        once()
        bench.tools.synchronize()
        same = all(torch.equal(_bytes(bench.device, bench.placed[output]), verified[output]) for output in verified)
        if not same and bench.right(bench.placed):
            bench.notes.append("no graph: a replay does not do the entry's work (does it launch on its stream?)")
            return None
        replay = bench.tools.capture(make, IN_A_GRAPH)
    except (PorterError, RuntimeError) as error:
        bench.tools.synchronize()
        bench.notes.append(f"no graph: {_line(error)}")
        return None
    return Contender(name, [replay], repeats=IN_A_GRAPH, note=how)


def _graph_of_torch(bench: _Bench, title: str, how: str, call: _TorchCall) -> Contender | None:
    arguments = call.arguments(bench, bench.placed)
    results: list[Any] = [None]
    (plain,) = call.rotating([arguments], results)
    try:
        replay = bench.tools.capture(lambda stream: plain, IN_A_GRAPH)
    except RuntimeError as error:
        bench.tools.synchronize()
        bench.notes.append(f"{title}: no graph: {_line(error)}")
        return None
    return Contender(title, [replay], repeats=IN_A_GRAPH, note="; ".join(_words(how, call.note)))


def _line(error: BaseException) -> str:
    text = error.problem if isinstance(error, PorterError) else str(error)
    return (text.strip().splitlines() or [type(error).__name__])[0][:200]


@dataclass(frozen=True, slots=True)
class _TorchCall:
    """What torch runs beside the kernel, with tensors of the same element types on the same GPU."""

    function: Callable[..., Any]
    names: tuple[str, ...]
    note: str

    def arguments(self, bench: _Bench, placed: Mapping[str, Placed]) -> dict[str, Any]:
        """Copies: a baseline that works in place must not change what the kernel reads."""
        available = {**bench.run.shape, **bench.inputs}
        return {
            name: bench.device.view(placed[name]).clone() if name in placed else available[name] for name in self.names
        }

    def rotating(self, sets: Sequence[Mapping[str, Any]], results: list[Any]) -> list[Callable[[], None]]:
        def one(number: int, arguments: Mapping[str, Any]) -> Callable[[], None]:
            def call() -> None:
                results[number] = self.function(**arguments)

            return call

        return [one(number, arguments) for number, arguments in enumerate(sets)]


def _torch_functions(bench: _Bench, options: BenchOptions) -> dict[str, _TorchCall]:
    """torch eager and torch.compile, where they work here; why another does not is a note."""
    case = bench.case
    given = case.baseline or case.reference
    if given is None:
        bench.notes.append("torch: the case has neither a baseline nor a reference")
        return {}
    if case.baseline or not case.positional:
        names = _argument_names(case, given, {**bench.run.shape, **bench.inputs})
    else:
        names = tuple(bench.inputs)
    function = given if case.baseline else _in_real_types(given, bench.types, case.positional)
    calls: dict[str, _TorchCall] = {}
    note = "" if case.baseline else "the case's reference"
    for title in (EAGER, COMPILED) if options.compile else (EAGER,):
        try:
            ready = bench.tools.compiled(function) if title == COMPILED else function
            call = _TorchCall(ready, names, note)
            result = ready(**call.arguments(bench, bench.placed))
            bench.tools.synchronize()
        except Exception as error:  # a user's function, a compiler, an operator this GPU lacks
            bench.notes.append(f"{title} does not run: {_line(error)}")
            continue
        if result is None:
            bench.notes.append(f"{title}: returns nothing")
        calls[title] = call
    return calls


def _argument_names(case: Case, function: Callable[..., Any], available: Mapping[str, Any]) -> tuple[str, ...]:
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return tuple(available)
    missing = [p.name for p in parameters if p.name not in available and p.default is p.empty]
    if missing:
        raise PorterError(
            f"{case.path}: baseline asks for {', '.join(missing)}, which there is not",
            f"there is: {', '.join(sorted(available)) or 'nothing'}",
        )
    return tuple(p.name for p in parameters if p.name in available)


def _in_real_types(
    reference: Callable[..., Any], types: Mapping[str, torch.dtype], positional: bool
) -> Callable[..., Any]:
    """The reference on the kernel's own types: fp8 is widened to bf16 and results become what the kernel writes."""

    def beside(**arguments: Any) -> Any:
        wide = {
            name: value.to(torch.bfloat16) if isinstance(value, torch.Tensor) and value.dtype in FLOAT8 else value
            for name, value in arguments.items()
        }
        result = reference(*wide.values()) if positional else reference(**wide)
        parts = result if isinstance(result, (tuple, list)) else (result,)
        checked = (part for part in parts if part is not None)
        named = result if isinstance(result, Mapping) else dict(zip(types, checked, strict=False))
        return {
            name: to_dtype(value, types[name]) if isinstance(value, torch.Tensor) and name in types else value
            for name, value in named.items()
        }

    return beside


def _ceilings(tools: GpuTools, dtype: str, kept: Path | None) -> dict[str, float]:
    """What the device reaches in `dtype` and in copying; measured once a session, which keeps it in a file."""
    known: dict[str, float] = json.loads(kept.read_text()) if kept is not None and kept.is_file() else {}
    for word in _words(dtype, "copy"):
        if word not in known:
            known[word] = dict(tools.ceiling(word)).get(word, 0.0)
    if kept is not None:
        kept.write_text(json.dumps(known))
    return {name: known[name] for name in _words(dtype, "copy") if known[name]}
