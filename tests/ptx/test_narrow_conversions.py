"""Conversions of narrow floating-point types give what an H200 gave (narrow_conversions.py), in the emulator.

The NaNs of some have another sign or payload: gfx942's own instructions convert there, and keep what NVIDIA's replace.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter
from narrow_conversions import forms, program

from porter.toolchain import find_toolchain

RECORD = Path(__file__).with_name("narrow_conversions_h200.txt")
NANS_OF_GFX942 = {
    *(f"cvt.{form}" for form in ("bf16.bf16", "f16.bf16", "f16.f16", "f32.f16")),
    *(f"cvt.{mode}.f16.f16" for mode in ("rmi", "rni", "rpi", "rzi")),
    *(f"cvt.rn.{form}" for form in ("f16.bf16", "f16.f32", "f16.f64", "f16x2.f32", "ftz.f16.f32")),
    *(f"cvt.rn.satfinite.{form}" for form in ("f16.f32", "f16x2.f32")),
    *(f"cvt.{form}.f64" for form in ("rm.f16", "rz.f16", "rn.bf16", "rp.bf16", "rz.bf16")),
}


@pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}")
def test_conversions_are_those_of_an_h200(tmp_path: Path) -> None:
    source = tmp_path / "narrow.cu"
    source.write_text(program(forms()))
    converted = porter("convert", source)
    assert converted.returncode == 0, converted.stdout + converted.stderr
    ran = porter("run", source.with_suffix(".hip"))
    assert ran.returncode == 0, ran.stderr
    here, there = (
        {line.split()[0]: line.split()[1:] for line in text.splitlines()} for text in (ran.stdout, RECORD.read_text())
    )
    assert list(here) == list(there) == [form for form, _ in forms()]
    assert {form: alike for form, (_, alike) in here.items()} == {form: alike for form, (_, alike) in there.items()}
    assert {form for form in here if here[form] != there[form]} == NANS_OF_GFX942
