"""A code object of clang is the same program as the assembly that it was made from."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from porter.emu.assembly import Program, parse
from porter.emu.elf.container import CodeObjectError, unbundled
from porter.emu.elf.program import program_of
from porter.emu.image import pack
from porter.perf.isa import kernel_range
from porter.toolchain import bundle, code_object, device_assembly, find_toolchain

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)

_NAMED = re.compile(r"[\w.$]+@(?:gotpcrel32|rel32)@(lo|hi)\+\d+|\.?L?[A-Z]\w*BB\w+|\.L_[0-9a-f]+")
_PADDING = ("s_nop 0", "s_endpgm", "v_cndmask_b32")


@pytest.fixture(scope="module")
def assembly() -> Path:
    return device_assembly(Path(__file__).parent / "kernels.hip")


@pytest.fixture(scope="module")
def code(assembly: Path) -> bytes:
    return code_object(assembly).read_bytes()


def instructions(program: Program, name: str) -> list[str]:
    """Of a function, without what differs in spelling: names of places, suffixes that the assembler chooses itself."""
    first = program.labels[name]
    ends = [at for label, at in program.labels.items() if at > first and not label.startswith((".L", ".D"))]
    texts = []
    for line in program.lines[first : min(ends, default=len(program.lines))]:
        text = _NAMED.sub(lambda hit: f"place@{hit[1]}" if hit[1] else "place", line.text)
        text = re.sub(r"_e32(?= )", "", text.replace("\t", " "))
        texts.append(re.sub(r"0x[0-9a-f]+", lambda hit: str(int(hit[0], 16)), re.sub(r"\s+", " ", text)))
    while texts and texts[-1].startswith(_PADDING):
        texts.pop()
    return texts


def places(program: Program, name: str) -> list[tuple[str, int, int]]:
    """File, line and column of a function's instructions, as far as the function goes."""
    first, count = program.labels[name], len(instructions(program, name))
    return [
        (Path(program.files[line.file]).name, line.line, line.column) for line in program.lines[first : first + count]
    ]


def test_it_is_the_program_of_the_assembly(assembly, code):
    written, read = parse(assembly.read_text()), program_of(code)
    assert set(read.kernels) == set(written.kernels) == {"sums", "halves"}
    for name, kernel in written.kernels.items():
        mine = read.kernels[name]
        assert mine.arguments == kernel.arguments
        assert mine.metadata[".max_flat_workgroup_size"] == kernel.metadata[".max_flat_workgroup_size"]
        for key in (
            "group_segment_fixed_size",
            "kernarg_size",
            "user_sgpr_count",
            "float_denorm_mode_16_64",
            "ieee_mode",
        ):
            want = kernel.descriptor.get(key)
            assert want is None or mine.descriptor[key] == str(written.evaluate(want)), (name, key)
        assert int(mine.descriptor["next_free_vgpr"]) >= written.evaluate(kernel.descriptor["next_free_vgpr"])
        assert instructions(read, name) == instructions(written, name)
        assert places(read, name) == places(written, name)
    for name in ("table", "counted", "kept", "functions"):
        symbol = next(known for known in written.objects if known.endswith(name) or f"{len(name)}{name}" in known)
        assert read.sizes[symbol] == written.sizes[symbol]
        assert (read.objects[symbol] >= read.writable_at) is (written.objects[symbol] >= written.writable_at)
    assert {r.symbol for r in read.references if not r.symbol.startswith(".")} <= {*read.labels, *read.objects}
    assert pack(read)


HAND_WRITTEN = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_mov_b32 s4, 0
label_0001:
  s_add_u32 s4, s4, 1
  s_cmp_lt_u32 s4, 4
  s_cbranch_scc1 label_0001
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
"""


def test_labels_of_hand_written_assembly_end_no_kernel(tmp_path):
    source = tmp_path / "k.s"
    source.write_text(HAND_WRITTEN)
    program = program_of(code_object(source).read_bytes())
    names = [program.lines[at].text.split()[0] for at in kernel_range(program, "k")]
    assert names[:5] == ["s_mov_b32", "s_add_u32", "s_cmp_lt_u32", "s_cbranch_scc1", "s_endpgm"]


@pytest.mark.parametrize(("line", "accumulators"), [("v_mov_b32 v7, v6", 0), ("v_accvgpr_write_b32 a3, v1", 4)])
def test_code_without_accumulators_has_all_registers_as_vector_registers(tmp_path, line, accumulators):
    source = tmp_path / "k.s"
    text = HAND_WRITTEN.replace("s_mov_b32 s4, 0", line).replace("next_free_vgpr 4", "next_free_vgpr 8")
    source.write_text(text)
    program = program_of(code_object(source).read_bytes())
    assert program.kernels["k"].metadata[".agpr_count"] == str(accumulators)
    assert pack(program)


def test_a_bundle_holds_it(code):
    assert unbundled(bundle(code)) == code


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda code: code[:40], "damaged"),
        (lambda code: code[:-100], "damaged"),
        (lambda code: code[:48] + struct.pack("<I", 0x54F) + code[52:], r"another GPU \(gfx950\)"),
        (lambda code: code[:18] + b"\x3e\0" + code[20:], "not for an AMD GPU"),
        (lambda code: b"CCOB" + code, "compressed"),
        (lambda code: bundle(code).replace(b"gfx942", b"gfx90a"), "no code for gfx942, but for .*gfx90a"),
        (lambda code: b"", "no code object"),
    ],
    ids=["cut off", "cut at the end", "another GPU", "a host program", "compressed", "another bundle", "nothing"],
)
def test_what_is_none_is_said(code, change, said):
    with pytest.raises(CodeObjectError, match=said):
        program_of(change(code))
