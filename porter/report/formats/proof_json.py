"""The proof as data, a part of `porter-report/1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TypeAlias

from porter.harness.verdict import Status, Verdict
from porter.report.facts.places import Place
from porter.report.facts.predicted import PredictedTime
from porter.report.facts.proof import CaseProof, CompiledKernel, Failure, Proof, Timed, clean, label

__all__ = ["Json", "proof_json"]

Json: TypeAlias = "Mapping[str, Json] | list[Json] | str | int | float | bool | None"


def proof_json(proof: Proof) -> Json:
    """The proof as a part of the JSON report."""
    return {
        "headline": proof.headline,
        "seed": proof.session.seed,
        "backend": proof.session.backend,
        "seconds": proof.session.seconds,
        "interrupted": proof.session.interrupted,
        "edited": list(proof.session.edited),
        "kernels": [_kernel(kernel) for kernel in proof.session.kernels],
        "passed": proof.count(Status.PASS),
        "failed": proof.count(Status.FAIL),
        "not_run": proof.count(Status.NOT_RUN),
        "not_timed": list(proof.not_timed),
        "predicted": [_predicted(one) for one in proof.predicted],
        "cases": [_case(case) for case in proof.cases],
    }


def _predicted(one: PredictedTime) -> Json:
    said = not one.reason
    return {
        "kind": "predicted", "case": one.case, "side": one.side, "shape": one.shape, "reason": one.reason,
        "board": one.board, "inputs": one.inputs,
        "ms": one.ms if said else None, "low_ms": one.low_ms if said else None, "high_ms": one.high_ms if said else None,
        "tflops": one.tflops or None, "gbs": one.gbs or None, "bound": one.bound,
        "limit": None if one.limit is None else {"of": one.limit.of, "part": one.limit.part},
        "published": None if one.published is None else asdict(one.published),
        "doubts": list(one.doubts), "what_to_do": list(one.what_to_do), "compiled": list(one.compiled),
    }  # fmt: skip


def _kernel(kernel: CompiledKernel) -> Json:
    facts = kernel.facts
    return {
        "source": kernel.source,
        "kernel": kernel.kernel,
        "vgprs": facts.vgprs,
        "agprs": facts.agprs,
        "sgprs": facts.sgprs,
        "vgpr_spills": facts.vgpr_spills,
        "sgpr_spills": facts.sgpr_spills,
        "scratch": facts.scratch,
        "lds": facts.lds,
        "waves_per_simd": facts.waves_per_simd,
        "limit": facts.limit,
    }


def _case(case: CaseProof) -> Json:
    return {
        "case": case.name,
        "side": case.side,
        "title": case.title,
        "file": case.file,
        "source": case.source,
        "backend": case.backend,
        "status": case.status.value,
        "worst": None if case.worst is None else clean(asdict(case.worst)),
        "failures": [_failure(failure) for failure in case.failures],
        "times": [
            {"shape": t.shape, "mode": t.mode, "original": _timed(t.original), "port": _timed(t.port)}
            for t in case.times
        ],
        "runs": [_run(run) for run in case.runs],
    }


def _timed(timed: Timed | None) -> Json:
    if timed is None:
        return None
    return {
        "kind": "measured", "device": timed.device, "recorded": timed.recorded, "ms": timed.ms,
        "torch": timed.torch or None, "torch_ms": timed.torch_ms or None,
    }  # fmt: skip


def _failure(failure: Failure) -> Json:
    return {
        "status": failure.status.value,
        "rule": failure.rule,
        "title": failure.title,
        "lines": list(failure.lines),
        "fix": failure.fix,
        "place": _place(failure.place),
        "findings": [
            {
                "kind": finding.kind, "words": finding.words, "kernel": finding.kernel, "instruction": finding.instruction,
                "count": finding.count,
                "place": _place(finding.place), "other": None if finding.other is None else _place(finding.other),
            }
            for finding in failure.findings
        ],
        "runs": [run.name for run in failure.runs],
        "command": failure.command,
    }  # fmt: skip


def _place(place: Place) -> Json:
    return {"path": place.path, "line": place.line or None, "text": place.text}


def _run(run: Verdict) -> Json:
    """As in `porter verify --json`, with its name and what kind of numbers its are."""
    verdict: Mapping[str, Json] = clean(run.as_json())
    return {"name": run.name, "numbers": label(run), **verdict}
