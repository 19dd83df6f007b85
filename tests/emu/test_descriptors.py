"""What a code object says of itself may be wrong: nothing it says or computes makes a kernel write the emulator's memory."""

from __future__ import annotations

import pytest

from porter.emu.assembly import AssemblyError
from porter.emu.device import FaultKind, Launch, Module
from porter.emu.image import build_image


def image(code: str, descriptor: str = ".amdhsa_next_free_vgpr 8", metadata: str = "") -> bytes:
    return build_image(
        f"\t.text\nk:\n{code}\n\ts_endpgm\n\t.section\t.rodata\n\t.amdhsa_kernel k\n\t\t{descriptor}\n"
        f"\t\t.amdhsa_user_sgpr_count 2\n\t.end_amdhsa_kernel\n{metadata}"
    )


def launch(code: str, descriptor: str = ".amdhsa_next_free_vgpr 8", lds: int = 0) -> Launch:
    with Module(image(code, descriptor)) as loaded:
        return loaded.launch("k", 4, 256, b"", dynamic_lds=lds)


@pytest.mark.parametrize(
    "code", ["\tv_mov_b32_e32 v109, 1", "\tv_add_u32_e32 v1, v109, v0", "\tv_accvgpr_write_b32 a3, 1"]
)
def test_registers_that_the_descriptor_does_not_ask_for(code: str) -> None:
    done = launch("\tv_mov_b32_e32 v7, 0\n" + code)
    (finding,) = done.findings
    assert done.faulted and finding.kind is FaultKind.REGISTERS and finding.instruction == code.strip()


def test_registers_come_in_units_and_other_functions_have_theirs() -> None:
    """Of a function that a kernel may call nobody knows which kernels do: a wave has room for what it names."""
    code = "\tv_mov_b32_e32 v7, 1\n\ts_endpgm\nother:\n\tv_mov_b32_e32 v6, 2"
    assert not launch(code, ".amdhsa_next_free_vgpr 5").faulted


@pytest.mark.parametrize("code", ["s_movrels_b32 s2, s0", "s_movreld_b32 s0, s2", "s_movrels_b64 s[2:3], s[0:1]"])
@pytest.mark.parametrize("index", ["-1", "-2", "200"])
def test_scalars_by_number(code: str, index: str) -> None:
    (finding,) = launch(f"\ts_mov_b32 m0, {index}\n\t{code}").findings
    assert finding.kind is FaultKind.UNKNOWN_INSTRUCTION


def test_vector_registers_by_number_and_two_wide() -> None:
    code = "\ts_set_gpr_idx_on s0, gpr_idx(DST)\n\tv_mov_b64_e32 v[6:7], 1\n\ts_set_gpr_idx_off"
    (finding,) = launch("\ts_mov_b32 s0, 1\n" + code).findings
    assert finding.kind is FaultKind.UNKNOWN_INSTRUCTION


@pytest.mark.parametrize(("lanes", "good"), [("-1", False), ("-2", True)])
def test_loads_that_land_in_front_of_the_lds(lanes: str, good: bool) -> None:
    """M0 and a negative offset come to less than 0 for lane 0; the place of lane 1 is the first one."""
    code = (
        f"\ts_mov_b64 exec, {lanes}\n\ts_mov_b32 m0, 0\n\ts_add_u32 s0, s0, 64\n\tv_mov_b64_e32 v[2:3], s[0:1]\n"
        "\tglobal_load_lds_dword v[2:3], off offset:-4"
    )
    done = launch(code, ".amdhsa_next_free_vgpr 8\n\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1", lds=1024)
    assert [finding.kind for finding in done.findings] == ([] if good else [FaultKind.LDS_BOUNDS])


@pytest.mark.parametrize(
    ("descriptor", "problem"),
    [
        (".amdhsa_kernarg_size 70000", "70000 bytes of arguments"),
        (".amdhsa_private_segment_fixed_size 4294967040", "bytes of private memory"),
        (".amdhsa_user_sgpr_kernarg_preload_length 120", "122 scalar registers"),
        (".amdhsa_next_free_vgpr 5000", "5000 vector registers"),
    ],
)
def test_sizes_that_no_chip_has(descriptor: str, problem: str) -> None:
    with pytest.raises(AssemblyError, match=problem):
        image("\ts_nop 0", descriptor)


@pytest.mark.parametrize(
    "code", ["s_load_dwordx16 s[120:135], s[0:1], 0x0", "v_mov_b64_e32 v[255:256], 1", "v_mov_b32_e32 v600, 1"]
)
def test_registers_that_no_chip_has(code: str) -> None:
    with pytest.raises(AssemblyError, match="beyond the"):
        image("\t" + code)


HIDDEN = """\t.amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
      - .offset: {offset}
        .size: {size}
        .value_kind: {kind}
...
\t.end_amdgpu_metadata
"""


@pytest.mark.parametrize(("offset", "size", "kind"), [(65000, 1000, "by_value"), (0, 64, "hidden_block_count_x")])
def test_arguments_that_do_not_fit(offset: int, size: int, kind: str) -> None:
    with pytest.raises(AssemblyError, match=f"an argument of {size} bytes at {offset}"):
        image("\ts_nop 0", metadata=HIDDEN.format(offset=offset, size=size, kind=kind))


def test_a_function_behind_a_kernel_is_not_the_kernels() -> None:
    code = "\tv_mov_b32_e32 v7, 1\n\ts_endpgm\nother:\n\tv_mov_b32_e32 v40, 2"
    assert not launch(code).faulted
