"""Native matrix products with the schedule as a text of the port (--inline): the same kernels as by porter's headers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gemm_program import Program

from porter.chip import GFX942
from porter.findings import FilePort
from porter.frontend.unit import Options
from porter.harness.sessions.session import VerifyOptions, plan_tasks, verify
from porter.harness.verdict import Status
from porter.native.emit.gemm import FACTORS, emit
from porter.paths import RUNTIME_INCLUDE
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain import build

BASIC = Path(__file__).resolve().parents[2] / "reference_kernels" / "hopper_gemm_basic" / "hopper_gemm_basic.cu"
INSTRUCTION = re.compile(r"^\t(?:v|s|ds|buffer|global)_\w.*$", re.MULTILINE)

PROGRAMS = {
    "bf16": Program(),
    "B lies in columns": Program(b_k_major=False),
    "columns of C, bias": Program(value=("alpha * sum + bias[column]", ""), c="f32", c_row_major=False),
    "e4m3": Program(a="e4m3"),
    "e4m3 and e5m2": Program(a="e4m3", b="e5m2", c="f32"),
}


def instructions(folder: Path, program: Program, inline: bool) -> list[str]:
    folder.mkdir()
    source = folder / "gemm.hip"
    source.write_text(program.source(inline))
    assembly = build.device_assembly(source, build.Options(includes=(RUNTIME_INCLUDE,), line_tables=False))
    lines = INSTRUCTION.findall(assembly.read_text())
    return [re.sub(r"\s*;.*|_Z\w+", "", line) for line in lines]  # names have the namespace in them


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sample(1)
def test_instructions_are_those_of_the_header(name: str, tmp_path: Path, cache: Path) -> None:
    own = instructions(tmp_path / "inline", PROGRAMS[name], True)
    assert len(own) > 1000
    assert own == instructions(tmp_path / "header", PROGRAMS[name], False)


@pytest.mark.parametrize(
    ("program", "shapes"),
    [
        (Program(), [(130, 136, 72), (65, 131, 200, 16, 5)]),
        (Program(a="e4m3", b="e5m2", c="f32"), [(130, 136, 72), (65, 131, 200, 16, 5)]),
        (Program(board="MI300A"), [(390, 390, 64), (1300, 130, 64)]),  # 16 and 22 tiles, over six dies
    ],
    ids=["bf16", "fp8", "MI300A"],
)
@pytest.mark.sample(1)
def test_results(program: Program, shapes: list[tuple[int, ...]], tmp_path: Path, cache: Path) -> None:
    case = program.write(tmp_path, shapes, inline=True)
    assert "porter/gemm" not in "".join(re.findall("#include.*", (tmp_path / "gemm.hip").read_text()))
    options = VerifyOptions(jobs=1)
    tasks, failed = plan_tasks([case], options)
    assert not failed
    verdicts = verify(tasks, options).verdicts
    assert len(verdicts) >= 2
    assert [verdict for verdict in verdicts if verdict.status is not Status.PASS] == []


def test_the_text_names_the_headers_namespace_nowhere() -> None:
    for a, b in sorted(FACTORS):
        emitted = emit(
            Program(a=a, b=b, c="s32" if a == "s8" else "f32").problem, GFX942, GFX942.boards[0], inline=True
        )
        assert "porter::gemm" not in emitted.kernel
        assert emitted.kernel.count("namespace ") == 2  # begins, ends
        assert ("struct Widened" in emitted.kernel) == (a[0] == "e")
        assert "#include" not in emitted.kernel and "PORTER_GEMM_H" not in emitted.kernel


def converted(folder: Path, inline: bool) -> FilePort:
    options = Options(schedule="native", inline=inline)
    conversion = Conversion(options)
    todo = plan([BASIC], folder / "gemm.hip", False, conversion)
    assert not todo.failed, todo.failed
    ports = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, ports, options.runtime, todo.runtime_dirs)
    return ports[0]


def test_ports(tmp_path: Path, cache: Path) -> None:
    by_header, own = converted(tmp_path / "header", False), converted(tmp_path / "inline", True)
    assert '#include "porter/gemm.h"' in by_header.port and "kWindow" not in by_header.port
    assert '#include "porter/gemm' not in own.port
    assert "struct gemm_native_problem : gemm_native_schedule::Problem {" in own.port and "kWindow" in own.port
    launch = "gemm<<<gemm_native::grid(map_a, map_b), gemm_native::kThreads, 0, stream>>>"
    assert launch in by_header.port and launch in own.port
    copied = {path.name for path in (tmp_path / "header" / "porter").glob("*.h")}
    assert copied - {path.name for path in (tmp_path / "inline" / "porter").glob("*.h")} == {
        "gemm.h",
        "gemm_elements.h",
        "gemm_loader.h",
    }
