"""Every function of CUDA's runtime and driver is called with all of its signatures, ported, and compiled with HIP's headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import clang.cindex as ci
import pytest
from compiling import hip
from porting import port

from porter.findings import Safety
from porter.frontend.libclang import KEEP_GOING, ParseOptions, arguments, index
from porter.paths import RUNTIME_INCLUDE
from porter.rules import load_rules
from porter.toolchain import find_toolchain

RULES = load_rules()
NAMES = {row.cuda for row in RULES.names.values() if row.kind == "func"}
HEADERS = "#include <cuda_runtime.h>\n#include <cuda.h>\n"
TEMPLATE = {"const T &": "symbol", "T": "kernel", "F": "size_of_block", "UnaryFunction": "size_of_block"}
KERNELS = re.compile(r"Launch|Func|Occupancy|Kernel")  # functions whose T * is a kernel
GLOBALS = (
    "__device__ float symbol;\n__global__ void kernel(float *p) { *p = 0; }\n"
    "static size_t size_of_block(int size) { return size; }\n"
)
# Not to be called with a parameter of each type: they take a kernel's own arguments, or a texture of a program.
OTHER = re.compile(r"texture<|surface<|\.\.\.|&&|\(\*|\(&|ExpTypes|ActTypes|Actual|KernelArgs")


@dataclass(frozen=True)
class Call:
    name: str
    parameters: tuple[str, ...]

    def line(self, number: int) -> str:
        stands = {**TEMPLATE, **({"T *": "kernel"} if KERNELS.search(self.name) else {})}
        types = [re.sub(r"\bT\b", "float", t) if t not in stands else t for t in self.parameters]
        declared = ", ".join(f"{t} a{n}" for n, t in enumerate(types) if t not in stands)
        given = ", ".join(stands.get(t, f"a{n}") for n, t in enumerate(types))
        return f"void f{number}({declared}) {{ {self.name}({given}); }}  // call {number}\n"


def functions(cursor: ci.Cursor) -> Iterator[ci.Cursor]:
    for child in cursor.get_children():
        if child.kind in (ci.CursorKind.LINKAGE_SPEC, ci.CursorKind.UNEXPOSED_DECL):
            yield from functions(child)
        elif child.kind in (ci.CursorKind.FUNCTION_DECL, ci.CursorKind.FUNCTION_TEMPLATE):
            yield child


def calls(folder: Path) -> list[Call]:
    """With as many arguments as each declaration of porter's stubs allows."""
    source = folder / "declarations.cu"
    source.write_text(HEADERS)
    unit = index().parse(str(source), args=arguments(ParseOptions()), options=KEEP_GOING)
    all_calls: dict[Call, None] = {}
    for function in functions(unit.cursor):
        if function.spelling not in NAMES:
            continue
        parameters = [c for c in function.get_children() if c.kind == ci.CursorKind.PARM_DECL]
        types = tuple(p.type.spelling.replace("__restrict", "") for p in parameters)
        needed = [n for n, p in enumerate(parameters, 1) if not any(t.spelling == "=" for t in p.get_tokens())]
        templated = function.kind == ci.CursorKind.FUNCTION_TEMPLATE
        if any(OTHER.search(t) for t in types) or (templated and not types):
            continue
        for number in range(max(needed, default=0), len(types) + 1):
            all_calls[Call(function.spelling, types[:number])] = None
    return list(all_calls)


@pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}")
def test_every_signature_is_ported_to_one_of_hips_or_named(tmp_path: Path) -> None:
    made = calls(tmp_path)
    assert len(made) > 600 and len({call.name for call in made}) > 500
    text = HEADERS + GLOBALS + "".join(call.line(n) for n, call in enumerate(made))
    ported = port(text, tmp_path, parse=True)
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    named = {
        number
        for number, call in enumerate(made)
        for finding in ported.findings
        if finding.safety is Safety.LEFT and starts[number + 5] <= finding.start < starts[number + 6]
    }
    (tmp_path / "a.hip").write_text(ported.port)
    done = hip(tmp_path / "a.hip", "-ferror-limit=0", "-w", f"-I{RUNTIME_INCLUDE}", "-fsyntax-only")
    ports = ported.port.split("\n")
    wrong = []
    for place in re.finditer(r"^.*a\.hip:(\d+):\d+: (?:fatal )?error: (.*)$", done.err, re.M):
        line = ports[int(place[1]) - 1]
        number = re.search(r"// call (\d+)$", line)
        assert number is not None, place[0]
        if int(number[1]) not in named:
            wrong.append(f"{made[int(number[1])]}: {line}: {place[2]}")
    assert wrong == []
