"""Inputs: the same seed gives the same ones, and each kind of adversarial values is what it says."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from porter.harness.cases.case import CaseError
from porter.harness.cases.inputs import changed, to_dtype, to_reference
from porter.harness.running.expected import Reference
from porter.harness.sessions.jobs import run_seed

FLOATS = (torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2)


def test_seeds_differ_by_run_and_stay_by_run() -> None:
    shape = {"m": 3, "n": 4}
    assert run_seed(1, "a", shape, "normal") == run_seed(1, "a", {"n": 4, "m": 3}, "normal")
    seeds = {run_seed(s, c, shape, v) for s in (1, 2) for c in "ab" for v in ("normal", "large")}
    assert len(seeds) == 8


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("values", ["large", "tiny", "denormal", "zeros", "nan"])
def test_values_are_what_they_say(dtype: torch.dtype, values: str) -> None:
    torch.manual_seed(1)
    drawn = torch.randn(40, 50)
    facts = torch.finfo(dtype)
    got = to_dtype(changed(drawn, dtype, values), dtype).float()
    assert got.shape == drawn.shape
    if values == "large":
        assert facts.max / 64 < got.abs().max() or got.abs().max() > 2.0**38
        assert got.isfinite().all()
    elif values == "tiny":
        assert 0 < got.abs().max() <= max(facts.tiny * 2**6, 2.0**-40)
    elif values == "denormal":
        below = (got.abs() < facts.tiny).float().mean()
        assert 0.05 < below < 0.3
        assert got.abs().max() > 1
    elif values == "zeros":
        assert not got.any()
    else:
        assert 10 <= got.isnan().sum() <= 60


def test_types_are_cast_and_mistakes_named() -> None:
    assert to_dtype(torch.ones(2), torch.bfloat16).dtype == torch.bfloat16
    assert to_dtype(torch.tensor([1e9]), torch.float8_e4m3fn).float().item() == 448  # saturates, is not NaN
    assert to_dtype(torch.ones(2).half(), torch.int16).tolist() == [15360, 15360]  # bit patterns
    with pytest.raises(CaseError, match=r"float32, the entry takes torch\.int64"):
        to_dtype(torch.ones(2), torch.int64, f"{Path('case.py')}: input x")


def test_the_reference_sees_rounded_values_in_more_digits() -> None:
    value = to_dtype(torch.tensor([0.1]), torch.bfloat16)
    seen = to_reference(value, torch.float64)
    assert seen.dtype == torch.float64
    assert seen.item() == 0.10009765625
    assert to_reference(torch.tensor([1]), torch.float64).dtype == torch.int64
    assert to_reference(0.5, torch.float64) == 0.5


def test_what_the_reference_makes_itself_comes_to_where_its_inputs_are() -> None:
    case = SimpleNamespace(
        path=Path("case.py"),
        precision=None,
        positional=False,
        dtypes={},
        reference=lambda x: {"y": x + torch.arange(3)},
    )
    entry = SimpleNamespace(module="", pointers=[SimpleNamespace(name="y", constant=False, dtype="float32")])
    device = SimpleNamespace(compute=torch.device("meta"))
    outputs = Reference(case, entry, device, False).expected({"x": torch.ones(3)}, {}).outputs  # type: ignore[arg-type]
    assert outputs["y"].device.type == "meta"
