"""A worker process: makes the inputs, calls the entry, compares. What goes wrong here costs one run, not the session."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from porter.chip import WAVE
from porter.errors import PorterError
from porter.execute import read_launches
from porter.harness.cases.case import Case, call_by_name, line_in, load_case
from porter.harness.cases.compare import Tolerance, compare, tolerance_of
from porter.harness.cases.inputs import draw
from porter.harness.running.devices import Call, Device, Emulator, Gpu, Library, Placed, PythonFunction, WrongReturn
from porter.harness.running.expected import Expected, Reference
from porter.harness.running.golden import GoldenRun, read_golden
from porter.harness.sessions.jobs import Job, Run
from porter.harness.verdict import OutputResult, Status, Verdict, gpus_of
from porter.perf.launch_report import findings_by_line

__all__ = ["Stopped", "work"]


class Stopped(Exception):
    """The device is of no more use after a fault: the session goes on in another process."""


def work(job: Job, connection: Any, output: str) -> None:
    """The process's main function: one message as a run begins, one with its verdict, one where another is to go on."""
    own = os.getpid()

    def say(kind: str, index: int, verdict: Verdict | None = None) -> None:
        if os.getpid() != own:  # a function of the case has forked, and its child came back here
            os._exit(1)
        connection.send((kind, index, verdict))

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the session ends its workers
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sys.stdout.flush()
    os.dup2(file, 1)  # what programs print is shown where it matters, after a failure
    os.dup2(file, 2)
    os.environ.update(dict(job.settings))
    if job.backend == "emulator":  # which uses the processors itself
        torch.set_num_threads(1)
    try:
        place = _Place(job)
    except (Exception, SystemExit) as error:
        for index, run in enumerate(job.runs):
            say("verdict", index, job.verdict(run, Status.NOT_RUN, _what(error, job.case)))
        return
    for index, run in enumerate(job.runs):
        say("begin", index)
        stop = False
        try:
            verdict = place.predict(run) if job.board else place.run(run)
        except Stopped as error:
            verdict, stop = error.args[0], True
        except (Exception, SystemExit) as error:
            verdict = job.verdict(run, Status.FAIL, _what(error, job.case))
        say("verdict", index, verdict)
        if stop:
            say("stop", index)
            return


def _why_not(launches: list[dict[str, Any]], code: int, device: Device) -> str:
    """Why a sample of a kernel's workgroups did not run to its end."""
    findings = findings_by_line(launches)
    if any(finding["kind"] == "deadlock" for finding in findings):
        return "its workgroups wait for one another, and the model runs some of them alone"
    return _finding_text(findings[0]) if findings else device.error_text(code)


def _what(error: BaseException, case: Path | None = None) -> str:
    """The error in words; with its line in the case's file, where it came through there."""
    if isinstance(error, PorterError):
        return error.line
    if isinstance(error, SystemExit):
        return f"the case calls sys.exit({error.code if error.code is not None else ''})"
    lines = str(error).strip().splitlines()
    place = f"{case}{line}: " if case is not None and (line := line_in(error, case)) else ""
    return place + (f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__)


class _Place:
    """The case, the device and the library of a job, loaded once."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.case: Case = load_case(job.case, job.named)
        self.device: Device
        if job.backend == "emulator":
            assert job.host_library is not None
            self.device = Emulator(job.host_library, job.torch_device)
        else:
            self.device = Gpu()
        self.library: PythonFunction | Library = (PythonFunction if job.entry.module else Library)(
            job.library, job.entry
        )
        self.golden = read_golden(job.golden) if job.golden else {}
        self._read = 0  # bytes of the emulator's report

    @property
    def _reference(self) -> Reference:
        return Reference(self.case, self.job.entry, self.device, bool(self.job.record))

    def run(self, run: Run) -> Verdict:
        job, case = self.job, self.case
        gpus = gpus_of(run.shape)
        if isinstance(self.device, Gpu) and gpus > 1 and gpus > torch.cuda.device_count():
            reason = f"it goes over {gpus} GPUs; this machine has {torch.cuda.device_count()}"
            return job.verdict(run, Status.NOT_RUN, reason, device=self.device.name)
        given = self._golden(run)
        inputs = given.inputs if given else draw(case, job.entry, run.shape, run.values, run.seed)
        if given:
            expected = self._reference.of_outputs(inputs, given.outputs, given.order)
        else:
            expected = self._expected(run, inputs)
        placed: dict[str, Placed] = {}
        try:
            return self._call(run, inputs, expected, placed, bool(given))
        finally:
            self.device.release(tuple(placed.values()))

    def predict(self, run: Run) -> Verdict:
        """A verdict with the predicted times of the entry's launches. Only what the model follows is run."""
        from porter.harness.timing.predict import predicted

        job, case = self.job, self.case
        inputs = draw(case, job.entry, run.shape, run.values, run.seed)
        placed: dict[str, Placed] = {}
        try:
            self._place(inputs, self._reference.shapes(inputs, run.shape), placed)
            assert isinstance(self.device, Emulator)
            self.device.record_anew()  # shapes may differ in arguments alone
            code = self.bind(run.shape, inputs, placed, self.device.stream)()
            failed = self.device.synchronize()  # the launches are done, and reported
            launches = self._new_launches()
            if code or failed:
                why = failed if not launches and failed else _why_not(launches, code, self.device)
                raise Stopped(job.verdict(run, Status.NOT_RUN, why))
            return job.verdict(run, Status.PASS, predicted=predicted(job, case, run, inputs, placed, launches))
        finally:
            self.device.release(tuple(placed.values()))

    def _place(self, inputs: Mapping[str, Any], expected: Expected, placed: dict[str, Placed]) -> None:
        """Inputs in the device's memory, memory for outputs, and the places of what the entry returns, in its order."""
        for name, value in inputs.items():
            if isinstance(value, torch.Tensor):
                placed[name] = self.device.place(name, value)
        for name in expected.order:
            if name in expected.outputs:
                shape, dtype = tuple(expected.outputs[name].shape), expected.types[name]
                placed[name] = Placed(name, 0, shape, dtype, returned=True)
            else:
                placed[name] = Placed(name, 0, (), torch.uint8, returned=True, checked=False)
        for name, want in expected.outputs.items():
            if name not in placed:
                placed[name] = self.device.reserve(name, tuple(want.shape), expected.types[name])

    def _expected(self, run: Run, inputs: Mapping[str, Any]) -> Expected:
        """What the reference says. A fault of PyTorch's own kernels is not the port's, and leaves the GPU unusable."""
        try:
            expected = self._reference.expected(inputs, run.shape)
            fault = self.device.synchronize()
        except RuntimeError:
            fault = self.device.synchronize()
            if not fault:
                raise
        if fault:
            reason = f"the reference failed on the GPU, before the kernel was called: {fault}"
            raise Stopped(self.job.verdict(run, Status.NOT_RUN, reason, device=self.device.name))
        return expected

    def _golden(self, run: Run) -> GoldenRun | None:
        return self.golden[run.golden] if run.golden else None

    def _call(
        self,
        run: Run,
        inputs: Mapping[str, Any],
        expected: Expected,
        placed: dict[str, Placed],
        replay: bool,
    ) -> Verdict:
        job, device = self.job, self.device
        self._place(inputs, expected, placed)
        call = self.bind(run.shape, inputs, placed, device.stream)
        began = time.perf_counter()
        code, wrong, thrown = 0, "", None
        try:
            code = call()
        except WrongReturn as error:
            wrong = error.problem
        except Exception as error:  # an extension's own, often of an error that a launch before it left
            wrong, thrown = _what(error), error
        fault = device.synchronize()
        seconds = time.perf_counter() - began
        findings, counts = self._launched(placed)
        done: dict[str, Any] = {"device": device.name, "findings": findings, "seconds": seconds, "counts": counts}
        done["unchecked"] = expected.unchecked
        if code or fault or (thrown and findings):
            reason = wrong or fault or f"{job.entry.name} returned {device.error_text(code)}"
            reason = findings[0]["text"] if findings else reason
            raise Stopped(job.verdict(run, Status.FAIL, reason, **done)) from thrown
        if wrong:
            return job.verdict(run, Status.FAIL, wrong, **done)
        results = self._compared(expected, placed, replay)
        poisoned = any(finding["kind"] == "uninitialised" for finding in findings)
        problems = [problem(result, poisoned) for result in results if not result.right]
        problems += [finding["text"] for finding in findings if not finding.get("harmless")]
        problems += [text for one in placed.values() if (text := device.overrun(one))]
        problems += self._changed(inputs, expected.outputs, placed)
        if job.record and run.kept and not problems:
            self._store(run, inputs, {name: device.fetch(placed[name]) for name in expected.outputs}, expected.order)
        status = Status.FAIL if problems else Status.PASS
        verdict = job.verdict(run, status, "; ".join(problems), outputs=tuple(results), **done)
        if run.bench and status is Status.PASS and isinstance(device, Gpu):
            from porter.harness.timing.bench import timed

            def right(there: Mapping[str, Placed]) -> list[str]:
                return [problem(one) for one in self._compared(expected, there, replay) if not one.right]

            try:
                return timed(verdict, self.case, job, run, inputs, expected.types, placed, self.bind, device, right)
            except Exception as error:
                reason = f"passed once, and failed while it was timed: {_what(error)}"
                failed = replace(verdict, status=Status.FAIL, reason=reason)
                if device.synchronize():  # after a fault the device answers nothing any more
                    raise Stopped(failed) from error
                return failed
        return verdict

    def _compared(self, expected: Expected, placed: Mapping[str, Placed], replay: bool) -> list[OutputResult]:
        results: list[OutputResult] = []
        if self.case.reference is None and not replay:
            return results  # recorded as it is, with nothing to compare with
        for name, want in expected.outputs.items():
            allowed = tolerance_of(name, expected.types[name], self.case.tolerance)
            if replay:  # the original's rounding errors come on top of the port's
                allowed = Tolerance(2 * allowed.rtol, 2 * allowed.atol, 2 * allowed.norm)
            results.append(compare(name, self.device.view(placed[name]), want.to(self.device.compute), allowed))
        return results

    def bind(
        self, shape: Mapping[str, Any], inputs: Mapping[str, Any], placed: Mapping[str, Placed], stream: int
    ) -> Call:
        python = bool(self.job.entry.module)
        numbers = {**self.case.constants, **shape, **inputs}
        values: dict[str, Any] = {}
        for parameter in self.job.entry.parameters:
            name, pointer = parameter.name, parameter.kind == "pointer"
            if parameter.kind == "stream":
                continue
            if name in placed:
                if not pointer:
                    raise PorterError(f"{name} is a tensor, the entry takes {parameter.type}", "give a number")
                values[name] = self.device.handed(placed[name]) if python else placed[name].address
            elif name in numbers:
                value = numbers[name]
                if pointer and value is not None and not python:
                    raise PorterError(f"{name} is {value!r}, the entry takes {parameter.type}", "give a tensor or None")
                values[name] = value or 0 if pointer and not python else value
            else:
                raise PorterError(
                    f"the entry's parameter {name} ({parameter.type}) is no input, no value of the shape and no output",
                    f"return it from inputs() or reference() in {self.case.path}",
                )
        launch = None
        if self.job.entry.kernel:
            if self.case.launch is None:
                raise PorterError(
                    f"{self.job.entry.name} is a kernel",
                    "def launch(...): return dict(grid=..., block=...) in the case",
                )
            launch = call_by_name(self.case.path, "launch", self.case.launch, {**inputs, **shape})
        if isinstance(self.library, PythonFunction):
            results = [one for one in placed.values() if one.returned]
            return self.library.bind(values, stream, launch, results)
        return self.library.bind(values, stream, launch)

    def _changed(self, inputs: Mapping[str, Any], wanted: Mapping[str, Any], placed: Mapping[str, Placed]) -> list[str]:
        """Inputs that the entry takes as const and that are not what they were."""
        constant = {p.name for p in self.job.entry.pointers if p.constant}
        problems = []
        for name, value in inputs.items():
            if isinstance(value, torch.Tensor) and name in constant and name not in wanted and value.numel():
                now = self.device.fetch(placed[name]).view(-1).view(torch.uint8)
                count = int((now != value.reshape(-1).view(torch.uint8)).sum())
                if count:
                    problems.append(f"{count} bytes of the input {name} were changed")
        return problems

    def _launched(self, placed: Mapping[str, Placed]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
        """What the emulator found in, and counted of, the launches since the last time."""
        new = self._new_launches()
        findings = [
            {**one, "text": _finding_text(one), "touched": touched(one, tuple(placed.values()))}
            for one in findings_by_line(new)
        ]
        findings.sort(key=lambda finding: bool(finding.get("harmless")))
        return tuple(findings), _counted(new)

    def _new_launches(self) -> list[dict[str, Any]]:
        if self.job.launches is None:
            return []
        new = read_launches(self.job.launches, self._read)
        self._read = self.job.launches.stat().st_size if self.job.launches.is_file() else 0
        return new

    def _store(
        self, run: Run, inputs: Mapping[str, Any], outputs: Mapping[str, torch.Tensor], order: tuple[str, ...]
    ) -> None:
        from porter.harness.running.golden import add_golden

        assert self.job.record is not None
        add_golden(self.job.record, run.shape, run.values, run.seed, inputs, outputs, order)


def _counted(launches: list[dict[str, Any]]) -> dict[str, Any]:
    from porter.perf.counters import total
    from porter.perf.launch_report import sum_launches

    if not any(launch.get("counts") for launch in launches):
        return {}
    every = [row for _, counts in sum_launches(launches).values() for row in counts]
    sums = total(every)
    return {
        "instructions": sums.instructions, "by_class": dict(sums.by_class), "mfma_flops": sums.mfma_flops,
        "global_bytes": sums.global_bytes, "lines": sums.lines, "lds_cycles": sums.lds_cycles,
        "lds_ideal": sums.lds_ideal, "launches": len(launches),
    }  # fmt: skip


def _finding_text(finding: Mapping[str, Any]) -> str:
    place = f"{Path(str(finding['file'])).name}:{finding['line']}" if finding.get("file") else "a place without lines"
    return f"{finding['kind']} at {place}"


_ALLOCATION = re.compile(r"an? (freed )?\d+-byte allocation \([^)]*\) at 0x([0-9a-f]+)")


def touched(finding: Mapping[str, Any], placed: Sequence[Placed]) -> str:
    """The thread and its workgroup, the bytes and their place, with a tensor's name for its allocation."""
    lane, block, group = int(finding.get("lane", -1)), finding.get("block"), finding.get("group")
    words = ""
    if lane >= 0 and block and group:
        thread = int(finding["wave"]) * WAVE + lane
        at = thread % block[0], thread // block[0] % block[1], thread // block[0] // block[1]
        words = f"thread {at} of workgroup {tuple(group)}"
    if not finding.get("allocation"):
        return words

    def named(match: re.Match[str]) -> str:
        start = int(match[2], 16)
        owner = next((one for one in placed if one.address == start), None)
        return f"{match[1] or ''}{owner.name} ({owner.bytes:,} bytes)" if owner is not None else match[0]

    where = _ALLOCATION.sub(named, str(finding["allocation"]))
    return f"{words}{': ' if words else ''}{finding['size']} bytes at {finding['address']}, {where}"


def problem(result: OutputResult, poisoned: bool = False) -> str:
    """One line about an output that is not right. `poisoned`: values that nobody wrote were read."""
    total = 1
    for size in result.shape:
        total *= size
    parts = []
    if result.unwritten:
        where = ", ".join(f"{result.name}{list(index)}" for index in result.first_unwritten[:3])
        what = "hold poison, unwritten or computed from what nobody wrote" if poisoned else "were not written"
        parts.append(f"{result.unwritten} of {total} elements of {result.name} {what} ({where})")
    if result.wrong:
        first = result.first[0]
        parts.append(
            f"{result.wrong} of {total} elements of {result.name} are wrong, the first "
            f"{result.name}{list(first.index)} = {first.got:.6g} instead of {first.want:.6g}"
        )
    if not parts:
        parts.append(f"{result.name} is off by {result.norm_error:.2e} of its norm; {result.norm_limit:.1e} is allowed")
    return "; ".join(parts)
