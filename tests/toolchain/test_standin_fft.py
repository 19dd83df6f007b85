"""hipFFT's stand-in: a program for cuFFT is ported, and its transforms are torch's."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from commands import porter

from porter.toolchain import find_toolchain

pytestmark = [
    pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"),
    pytest.mark.skipif(find_toolchain().kind == "rocm", reason="ROCm's own headers are in use"),
]

PROGRAM = Path(__file__).parent / "programs" / "fft.cu"
SINGLE, DOUBLE = 2e-6, 1e-14  # of the largest element


def _filled(*shape: int) -> torch.Tensor:
    index = torch.arange(int(torch.tensor(shape).prod()), dtype=torch.float64)
    return ((index * 37 % 101) / 101 - 0.5).reshape(shape)


def _complex(*shape: int) -> torch.Tensor:
    return torch.view_as_complex(_filled(*shape, 2))


def _flat(values: torch.Tensor) -> torch.Tensor:
    return (torch.view_as_real(values.resolve_conj()) if values.is_complex() else values).flatten()


def _expected() -> dict[str, tuple[torch.Tensor, float]]:
    """What each line has to be, and how near; NaN where nothing is compared."""
    fft = torch.fft
    expected: dict[str, tuple[torch.Tensor, float]] = {}
    for n in (1, 2, 8, 12, 35, 64, 74):
        values = _complex(3, n)
        expected[f"c2c_{n}"] = _flat(fft.fft(values)), SINGLE
        expected[f"back_{n}"] = _flat(values * n), SINGLE
    plane = _filled(6, 10)
    expected["r2c_2d"] = _flat(fft.rfft2(plane)), SINGLE
    expected["c2r_2d"] = _flat(plane * 60), SINGLE
    padded = _filled(2, 5, 8)
    expected["d2z_in_place"] = _flat(fft.rfft2(padded[:, :, :7])), DOUBLE
    back = torch.full((2, 5, 8), torch.nan, dtype=torch.float64)
    back[:, :, :7] = padded[:, :, :7] * 35
    expected["z2d_in_place"] = back.flatten(), DOUBLE
    rows = torch.zeros(4, 11, dtype=torch.complex128)
    rows[:, :9] = fft.fft(_complex(9, 4), dim=0).T
    expected["columns"] = _flat(rows), DOUBLE
    expected["z2z_3d"] = _flat(fft.ifftn(_complex(4, 6, 5)) * 120), DOUBLE
    return expected


def test_transforms_are_those_of_torch(tmp_path: Path) -> None:
    port = tmp_path / "fft.hip"
    converted = porter("convert", PROGRAM, "-o", port)
    assert converted.returncode == 0, converted.stdout + converted.stderr
    done = porter("run", "--emulate", "--check", "all", "--seed", "3", port)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("hipFFT is porter's stand-in here") == 1
    came = {name: [float(value) for value in values] for name, *values in map(str.split, done.stdout.splitlines())}
    expected = _expected()
    assert came.keys() == expected.keys()
    for name, (values, near) in expected.items():
        ours = torch.tensor(came[name], dtype=torch.float64)
        assert ours.shape == values.shape, name
        wrong = (ours - values)[~values.isnan()].abs().max()
        assert wrong <= near * values.nan_to_num().abs().max(), f"{name}: {wrong}"
