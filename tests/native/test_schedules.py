"""What becomes of files with kernels that are written anew: of those that launch them, and of kernels beside them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.findings import FilePort, FileStatus
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.files.write import runtime_files
from porter.port.pipeline import Conversion, port_source
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

ROOT = Path(__file__).resolve().parent.parent.parent
BASIC = (ROOT / "reference_kernels" / "hopper_gemm_basic" / "hopper_gemm_basic.cu").read_text()
HOST = "// The driver's function"
LAUNCH = "gemm<<<grid, kThreads, sizeof(Shared), stream>>>(map_a, map_b, C, m, n, k);"
NATIVE = "gemm<<<gemm_native::grid(map_a, map_b), gemm_native::kThreads, 0, stream>>>(map_a, map_b, C, m, n, k);"
KERNEL = BASIC[BASIC.index("__global__") : BASIC.index(HOST)]
# The same, but for the blocks above the diagonal.
OTHER = KERNEL.replace("    gemm(", "    other(").replace(
    "const int row0", "if (blockIdx.y < blockIdx.x) return;\n  const int row0", 1
)


def port(folder: Path, name: str, includer: str = "", whole: bool = True) -> FilePort:
    options = Options(schedule="native", runtime="include")
    project = Project(folder, whole=whole)
    result = port_source(project, folder / name, name, options, {}, folder / includer if includer else None)
    assert result.status in (FileStatus.PORTED, FileStatus.UNCHANGED), result.problem
    return result


def said(result: FilePort) -> str:
    return "\n".join(f.message for f in result.findings if f.rule == "native-schedule")


def split(folder: Path, *changes: tuple[str, str]) -> None:
    """The kernel in a header, its launch in main.cu."""
    at = BASIC.index(HOST)
    text = f"#pragma once\n{BASIC[:at]}}}  // namespace\n"
    (folder / "gemm.cuh").write_text(text)
    text = f'#include "gemm.cuh"\nnamespace {{\n{BASIC[at:]}'
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "main.cu").write_text(text)


def one_file(folder: Path, *changes: tuple[str, str]) -> FilePort:
    text = BASIC.replace(HOST, f"{OTHER}{HOST}")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "main.cu").write_text(text)
    return port(folder, "main.cu")


def test_a_kernel_in_a_header_that_another_file_launches(tmp_path: Path) -> None:
    split(tmp_path)
    main, header = port(tmp_path, "main.cu"), port(tmp_path, "gemm.cuh", "main.cu")
    assert "gemm multiplies map_a and map_b" in said(header)
    assert NATIVE in main.port
    assert "const dim3 grid" not in main.port
    assert "PORTER_MIRRORED" not in main.port
    assert "porter::wgmma" not in header.port
    assert "Shared" not in header.port  # which the launch alone still named


def test_files_that_are_ported_alone_change_no_others(tmp_path: Path) -> None:
    split(tmp_path)
    main, header = port(tmp_path, "main.cu", whole=False), port(tmp_path, "gemm.cuh", "main.cu", whole=False)
    assert "#define PORTER_MIRRORED 1" in main.port  # for the header's kernel
    assert "gemm multiplies map_a and map_b" in said(main)
    assert "others may include this file: main.cu has the new kernel" in said(header)
    assert "porter::wgmma" in header.port


LIBRARY = BASIC[: BASIC.index(HOST)].replace("namespace {\n", "namespace library::hopper {\n", 1)
OLDER = f"namespace library::older {{\nusing namespace hopper;\n{OTHER.replace('    other(', '    gemm(')}}}\n"
LAUNCHED = BASIC[BASIC.index(HOST) :].replace("gemm, cuda", "library::hopper::gemm, cuda")


def borrowed(folder: Path, launch: str) -> FilePort:
    """Two kernels of one name behind -I; main.cu launches one of them."""
    (folder / "library").mkdir()
    (folder / "library" / "gemm.cuh").write_text(f"#pragma once\n{LIBRARY}}}\n")
    (folder / "library" / "older.cuh").write_text(f'#pragma once\n#include "gemm.cuh"\n{OLDER}')
    text = LAUNCHED.replace("gemm<<<", f"{launch}<<<")
    using = "using namespace library::hopper;\n"
    (folder / "main.cu").write_text(f'#include "older.cuh"\n{using}namespace {{\n{text}')
    return run(folder, "main.cu")["main.cu"]


def test_a_kernel_of_a_library(tmp_path: Path, cache: Path) -> None:
    main = borrowed(tmp_path, "library::hopper::gemm")
    assert "gemm multiplies map_a and map_b (bf16 x bf16)" in said(main)
    kernel = main.port.index("namespace library::hopper {\n\n// C = A B^T")
    assert kernel < main.port.index('extern "C" hipError_t hopper_gemm_basic')
    launch = "library::hopper::gemm_cdna<<<library::hopper::gemm_cdna_native::grid(map_a, map_b), library::hopper::gemm_cdna_native::kThreads, 0, stream>>>"
    assert launch in main.port
    assert "(library::hopper::gemm_cdna), hipFuncAttributeMaxDynamicSharedMemorySize, 0)" in main.port


def test_a_kernel_of_a_library_that_may_be_another_one(tmp_path: Path, cache: Path) -> None:
    main = borrowed(tmp_path, "gemm")
    assert "may mean another kernel of its name" in said(main)
    assert "gemm_cdna" not in main.port


def run(folder: Path, *names: str) -> dict[str, FilePort]:
    """By name: the ports of a run for single files, and of the headers that come with them."""
    conversion = Conversion(Options(schedule="native", includes=(str(folder / "library"),)))
    todo = plan([folder / name for name in names], folder / "out", False, conversion, out_is_folder=True)
    return {job.path.name: result for job, result in zip(todo.jobs, run_jobs(todo.jobs, conversion, 1))}


def test_a_file_that_is_ported_alone_with_its_hosts_side(tmp_path: Path) -> None:
    """The host's side comes after the kernel; what lies behind -I keeps what nobody needs any more."""
    at = BASIC.index(HOST)
    kernel = f'#include "more.cuh"\n{BASIC[:at]}}}  // namespace\n#include "host.cu"\n'
    (tmp_path / "main.cu").write_text(kernel)
    (tmp_path / "host.cu").write_text(f"namespace {{\n{BASIC[at:]}")
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "more.cuh").write_text(
        "#pragma once\n__device__ inline int more(int x) { return __shfl_sync(-1, x, 0); }\n"
    )
    ports = run(tmp_path, "main.cu")
    assert "gemm multiplies map_a and map_b" in said(ports["main.cu"])
    assert NATIVE in ports["host.cu"].port
    assert "more" in ports["more.cuh"].port
    (tmp_path / "other.cu").write_text(kernel)
    ports = run(tmp_path, "main.cu", "other.cu")
    assert "host.cu, which is not ported together with this file, would change" in said(ports["main.cu"])
    assert "porter::mirrored(kThreads)" in ports["host.cu"].port


@pytest.mark.slow
def test_a_kernel_that_one_more_file_hands_on(tmp_path: Path) -> None:
    split(tmp_path)
    (tmp_path / "table.cu").write_text('#include "gemm.cuh"\nvoid* table[] = {(void*)gemm};\n')
    header = port(tmp_path, "gemm.cuh", "main.cu")
    assert "it is a matrix product, but table.cu:2 names it in a way that is not followed" in said(header)
    assert "porter::wgmma" in header.port
    assert "porter::mirrored(kThreads)" in port(tmp_path, "main.cu").port


def test_a_kernel_that_one_more_file_launches(tmp_path: Path) -> None:
    split(tmp_path)
    arguments = "const CUtensorMap& a, const CUtensorMap& b, __nv_bfloat16* c, int k"
    more = f"void more({arguments}) {{ gemm<<<4, 128, sizeof(Shared)>>>(a, b, c, 64, 64, k); }}\n"
    (tmp_path / "more.cu").write_text('#include "gemm.cuh"\n' + more)
    launch = "gemm<<<gemm_native::grid(a, b), gemm_native::kThreads, 0>>>(a, b, c, 64, 64, k);"
    assert launch in port(tmp_path, "more.cu").port
    assert NATIVE in port(tmp_path, "main.cu").port


@pytest.mark.slow
def test_a_unit_that_another_one_includes(tmp_path: Path) -> None:
    split(tmp_path)
    (tmp_path / "more.cu").write_text('#include "main.cu"\n')
    assert NATIVE in port(tmp_path, "main.cu").port
    assert "gemm multiplies map_a and map_b" in said(port(tmp_path, "gemm.cuh", "main.cu"))


def test_too_many_units(tmp_path: Path) -> None:
    split(tmp_path)
    for number in range(8):
        (tmp_path / f"more{number}.cu").write_text('#include "gemm.cuh"\n')
    header = port(tmp_path, "gemm.cuh", "main.cu")
    assert "no native schedule for gemm: more than 8 units share this file" in said(header)
    assert "porter::wgmma" in header.port


def test_a_kernel_that_another_unit_declares(tmp_path: Path) -> None:
    text = BASIC.replace("namespace {", "namespace kernels {").replace(
        "}  // namespace\n", "}\nusing namespace kernels;\n"
    )
    (tmp_path / "main.cu").write_text(text)
    (tmp_path / "user.cu").write_text("namespace kernels {\n__global__ void gemm(int);\n}\n")
    assert "user.cu:2 declares it and may launch it" in said(port(tmp_path, "main.cu"))


def test_beside_a_kernel_that_keeps_mirrored_warps(tmp_path: Path) -> None:
    result = one_file(tmp_path, (LAUNCH, f"{LAUNCH}\n  other{LAUNCH.removeprefix('gemm')}"))
    assert "gemm multiplies map_a and map_b" in said(result)
    assert "no native schedule for other" in said(result)
    assert "#define PORTER_MIRRORED 1" in result.port
    assert NATIVE in result.port
    assert "other<<<grid, porter::mirrored(kThreads), sizeof(Shared), stream>>>" in result.port
    # what __launch_bounds__ means in other units
    assert "amdgpu_flat_work_group_size(1, gemm_native::kThreads), amdgpu_waves_per_eu(2)" in result.port


@pytest.mark.slow
def test_a_function_that_launches_kernels_of_both_kinds(tmp_path: Path) -> None:
    launcher = (
        "template <class K, class... A>\nvoid launch(K kernel, dim3 grid, int threads, int bytes, A... args) {\n"
        "  kernel<<<grid, threads, bytes>>>(args...);\n}\n\n"
    )
    given = LAUNCH.replace("gemm<<<", "launch(gemm, ").replace(", stream>>>(", ", ")
    other = given.replace("gemm", "other")
    result = one_file(tmp_path, (HOST, launcher + HOST), (LAUNCH, f"{given}\n  {other}"))
    assert "gives launch another kernel, of mirrored warps" in said(result)
    assert "gemm_native" not in result.port
    alone = one_file(tmp_path, (HOST, launcher + HOST), (LAUNCH, f"{given}\n  other{LAUNCH.removeprefix('gemm')}"))
    assert "kernel<<<grid, threads, bytes>>>(args...);" in alone.port
    assert "launch(gemm, gemm_native::grid(map_a, map_b), gemm_native::kThreads, 0, map_a" in alone.port


@pytest.mark.slow
def test_two_products_of_a_file_bring_the_headers_of_both(tmp_path: Path) -> None:
    """bf16 first, then e4m3, which has a header of its own."""
    fp8 = (ROOT / "reference_kernels" / "hopper_gemm_fp8" / "hopper_gemm_fp8.cu").read_text()
    includes = re.findall(r"^#include.*\n", fp8, re.MULTILINE)
    for line in includes:
        fp8 = fp8.replace(line, "")
    inner = fp8.replace("namespace {", "namespace bytes {").replace("}  // namespace\n", "") + "}  // namespace bytes\n"
    (tmp_path / "main.cu").write_text("".join(includes) + BASIC + inner)
    result = port(tmp_path, "main.cu")
    assert "struct gemm_native_problem" in result.port and "struct gemm_e4m3_native_problem" in result.port
    assert '#include "porter/gemm.h"' in result.port and '#include "porter/gemm_fp8.h"' in result.port
    assert {"porter/gemm.h", "porter/gemm_fp8.h", "porter/gemm_elements.h"} <= set(runtime_files([result]))


@pytest.mark.slow
def test_what_a_kernel_computes_is_read_with_its_own_stages(tmp_path: Path) -> None:
    """Four stages are 96 KiB, two fit; tiles are loaded two steps ahead, so with two stages over what is still read."""
    ahead = "    if (threadIdx.x == 0 && step + 2 < steps) load(step + 2);\n"
    wait = "    barrier_wait(&shared.full[stage], (step / kStages) & 1);\n"
    result = one_file(
        tmp_path,
        ("kStages = 2;", "kStages = 4;"),
        ("step < min(kStages, steps)", "step < min(2, steps)"),
        ("    if (threadIdx.x == 0 && step + kStages < steps) load(step + kStages);\n", ""),
        (wait, ahead + wait),
        (LAUNCH, f"{LAUNCH}\n  other{LAUNCH.removeprefix('gemm')}"),
    )
    assert "gemm multiplies map_a and map_b" in said(result)
    assert "no native schedule for other" in said(result)
    assert "kStages = 2;" in result.port


@pytest.mark.parametrize(
    ("board", "own"), [("", ""), ("MI325X", ""), ("mi300a", "kComputeUnits = 228, kXcds = 6;  // MI300A")]
)
def test_tiles_are_chosen_for_the_board(board: str, own: str, tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(BASIC)
    options = Options(schedule="native", runtime="include", board=board)
    result = port_source(Project(tmp_path), tmp_path / "main.cu", "main.cu", options, {}, None)
    assert "gemm_native_problem : porter::gemm::Problem" in result.port
    assert (own in result.port) if own else ("kComputeUnits" not in result.port)
