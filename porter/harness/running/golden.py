"""Golden files: what an original did on an NVIDIA GPU, kept to hold a port to it anywhere.

A pair of files: NAME.safetensors with the tensors, NAME.json with all else (schema `porter-golden/1`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from porter.errors import InputError
from porter.harness.verdict import shape_text

__all__ = ["LIMIT", "SCHEMA", "GoldenRun", "add_golden", "golden_name", "golden_text", "read_golden"]

SCHEMA = "porter-golden/1"
LIMIT = 64 << 10  # bytes of one run: recordings are made to be committed beside the case


@dataclass(frozen=True, slots=True)
class GoldenRun:
    shape: Mapping[str, Any]
    values: str
    seed: int
    inputs: Mapping[str, Any]
    outputs: Mapping[str, torch.Tensor]
    order: tuple[str, ...] = ()  # what the entry returns, in order; outputs may lack some


def golden_name(shape: Mapping[str, Any], values: str) -> str:
    """The name of a run in a golden file: its shape and its values."""
    return f"{shape_text(shape)},{values}"


def _pair(path: Path) -> tuple[Path, Path]:
    return path.with_suffix(".safetensors"), path.with_suffix(".json")


def add_golden(
    path: Path,
    shape: Mapping[str, Any],
    values: str,
    seed: int,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, torch.Tensor],
    order: tuple[str, ...] = (),
) -> None:
    """Adds a run to a golden file, which is made where there is none. A run over LIMIT is kept only as the first."""
    from safetensors.torch import load_file, save_file

    size = sum(t.nbytes for t in (*inputs.values(), *outputs.values()) if isinstance(t, torch.Tensor))
    tensors_path, facts_path = _pair(path)
    tensors = load_file(tensors_path) if tensors_path.is_file() else {}
    facts: dict[str, Any] = {"schema": SCHEMA, "runs": {}}
    if facts_path.is_file():
        facts = json.loads(facts_path.read_text())
    if size > LIMIT and facts["runs"]:
        return
    name = golden_name(shape, values)
    numbers = {key: value for key, value in inputs.items() if not isinstance(value, torch.Tensor)}
    facts["runs"][name] = {"shape": dict(shape), "values": values, "seed": seed, "numbers": numbers}
    if order:
        facts["runs"][name]["order"] = list(order)
    for side, group in (("in", inputs), ("out", outputs)):
        for key, value in group.items():
            if isinstance(value, torch.Tensor):
                tensors[f"{name}/{side}/{key}"] = value.contiguous()
    save_file(tensors, tensors_path)
    facts_path.write_text(golden_text(facts))


def golden_text(facts: Mapping[str, Any]) -> str:
    """The JSON file of a recording: a line for each run and for each timing, so that a diff shows which changed."""
    runs = ",\n".join(f"  {json.dumps(name)}: {json.dumps(run)}" for name, run in facts["runs"].items())
    timings = ",\n".join(f"  {json.dumps(row)}" for row in facts.get("timings", ()))
    schema = json.dumps(facts["schema"])
    return f'{{\n "schema": {schema},\n "runs": {{\n{runs}\n }},\n "timings": [\n{timings}\n ]\n}}\n'


def read_golden(path: Path) -> dict[str, GoldenRun]:
    """The runs of a golden file by name. `path` is either file of the pair."""
    from safetensors.torch import load_file

    tensors_path, facts_path = _pair(path)
    for part in (tensors_path, facts_path):
        if not part.is_file():
            raise InputError(f"{part}: no such golden file", "porter record CASE writes it on an NVIDIA machine")
    try:
        facts = json.loads(facts_path.read_text())
        tensors = load_file(tensors_path)
        assert facts["schema"] == SCHEMA
        runs = {}
        for name, run in facts["runs"].items():
            sides: dict[str, dict[str, Any]] = {"in": dict(run["numbers"]), "out": {}}
            for key, tensor in tensors.items():
                owner, side, tensor_name = key.rsplit("/", 2)
                if owner == name:
                    sides[side][tensor_name] = tensor
            runs[name] = GoldenRun(
                run["shape"], run["values"], run["seed"], sides["in"], sides["out"], tuple(run.get("order", ()))
            )
        return runs
    except Exception as error:
        raise InputError(
            f"{facts_path}: is not a golden file of this version ({type(error).__name__})", "record it again"
        ) from error
