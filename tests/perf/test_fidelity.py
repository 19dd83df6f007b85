"""The line that says how close to the chip a counted run was."""

from __future__ import annotations

from porter.emu.table import instructions
from porter.perf.fidelity import fidelity

EXP = "v_exp_f32_e32 v1, v2"
MFMA = "v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]"


def test_counts_by_what_is_only_close():
    row = ["k.hip", 3]
    launch = {"counts": [[EXP, *row, 5], [MFMA, *row, 7], ["v_add_f32_e32 v1, v2, v3", *row, 100]]}
    counted = fidelity([launch, launch])
    assert counted.executed == 224
    assert {name: count for of in counted.near.values() for name, count in of.items()} == {
        "v_exp_f32": 10, "v_mfma_f32_16x16x16_f16": 14,
    }  # fmt: skip
    assert "fidelity: 200 of 224 instructions are exact" in counted.sentence()
    assert "14 matrix sums" in counted.sentence() and "10 transcendental" in counted.sentence()


def test_nothing_but_exact_instructions():
    counted = fidelity([{"counts": [["s_endpgm", "k.hip", 1, 4]]}])
    assert counted.sentence() == "fidelity: 4 of 4 instructions are exact to the bit by their tests"


def test_kinds_of_the_table():
    near = {name for name, row in instructions().items() if row.near}
    assert {"v_mfma_f32_32x32x8_f16", "v_smfmac_f32_16x16x64_bf8_bf8", "v_dot2_f32_f16", "v_sin_f16"} <= near
    assert not {"v_mfma_f32_16x16x4_f32", "v_mfma_i32_16x16x32_i8", "v_mfma_f64_16x16x4_f64", "v_fma_f32"} & near
