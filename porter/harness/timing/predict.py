"""Predicted times of a case's entry, from what the emulator recorded of its launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from porter.errors import PorterError
from porter.harness.cases.case import Case, call_by_name
from porter.harness.running.devices import Placed
from porter.harness.timing.bench import derived_bytes, main_type
from porter.perf.model.boards import board_named
from porter.perf.model.predict import Prediction, predict
from porter.perf.model.recorded import read_recorded
from porter.perf.predict_launches import stand_ins, unlike_one
from porter.perf.uneven import doubt, doubt_of_call
from porter.perf.what_to_do import what_to_do

__all__ = ["predicted"]


def predicted(
    job: Any,  # porter.harness.sessions.worker.Job
    case: Case,
    run: Any,  # porter.harness.sessions.worker.Run
    inputs: Mapping[str, Any],
    placed: Mapping[str, Placed],
    launches: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Times (low, likely, high) of one call, its work by the case, and each launch's prediction. Launches of one kernel
    and size take the time of the one that executed nearest to as many instructions."""
    if not launches:
        raise PorterError("the entry launches no kernel")
    known: list[tuple[Mapping[str, Any], Prediction]] = []
    for launch in launches:
        if launch.get("faulted"):
            raise PorterError(f"{launch['kernel']} stopped in the emulator", "porter verify without --bench says where")
        if name := launch.get("recording"):
            path = job.recordings / name
            known.append((launch, predict(read_recorded(path), board=board_named(job.board), inputs=job.inputs)))
            if not job.kept:
                path.unlink()
    numbers = stand_ins(launches, [launch for launch, _ in known])
    missing = sorted({str(launch["kernel"]) for launch, number in zip(launches, numbers) if number is None})
    if missing:
        raise PorterError(f"more kernels and sizes than the model keeps: {', '.join(missing[:3])}")
    stands = [known[number] for number in numbers if number is not None]
    each = [one for _, one in stands]
    names = {**run.shape, **{k: v for k, v in inputs.items() if not isinstance(v, torch.Tensor)}}
    changed = [name for name in placed if name in inputs and not _constant(job, name)]
    flops = call_by_name(case.path, "flops", case.flops, names) if case.flops else 0
    moved = call_by_name(case.path, "bytes", case.bytes, names) if case.bytes else derived_bytes(placed, changed)
    return {
        "board": job.board,
        "inputs": job.inputs.value,
        "compiled": list(job.compiled),
        "microseconds": [sum(one.microseconds[n] for one in each) for n in range(3)],
        "flops": float(flops),
        "bytes": float(moved),
        "dtype": main_type(inputs, changed),
        "published": [
            {"by": row.by, "microseconds": row.microseconds}
            for row in case.published
            if row.board == job.board and all(run.shape.get(name) == value for name, value in row.shape.items())
        ],
        "launches": [
            {
                "kernel": launch["kernel"],
                "recording": launch.get("recording", ""),
                "doubt": doubt_of_call(launches) or doubt(launch) or unlike_one(launch, stand),
                "what_to_do": what_to_do(one),
                **one.as_json(),
            }
            for launch, (stand, one) in zip(launches, stands, strict=True)
        ],
    }


def _constant(job: Any, name: str) -> bool:
    return any(parameter.name == name and parameter.constant for parameter in job.entry.pointers)
