"""A port depends on what its own project says, not on which file was converted first or on what the cache holds."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import porter.frontend.ast
import porter.port.runs.cache
import porter.port.runs.run
from porter.findings import Safety
from porter.frontend.ast import ParseOptions
from porter.frontend.parsed import Parsed, parsed_unit
from porter.frontend.project import Project
from porter.frontend.unit import Elsewhere, Facts, Options
from porter.port.pipeline import Conversion, Ports
from porter.port.runs.plan import plan
from porter.port.runs.run import _batches, run_jobs

FENCE, BARRIER = '#define OP "membar.gl"\n', '#define OP "bar.sync 1, 64"\n'
HEADER = '__device__ inline void step() { asm volatile(OP ";"); }\n'
KERNEL = '#include "h.h"\n__global__ void k() { step(); }\n'


def ports(folder: Path, out: Path, reverse: bool = False) -> dict[str, str]:
    conversion = Conversion(Options(runtime="include"))
    jobs = plan([folder], out, False, conversion).jobs
    order = tuple(reversed(jobs)) if reverse else jobs
    return {Path(port.path).name: port.port for port in run_jobs(order, conversion, 1)}


def project(folder: Path, units: Sequence[tuple[str, str]]) -> Path:
    folder.mkdir()
    (folder / "h.h").write_text(HEADER)
    for name, define in units:
        (folder / name).write_text(define + KERNEL)
    return folder


@pytest.mark.parametrize("names", list(itertools.permutations(("1_a.cu", "2_b.cu"))), ids="-".join)
def test_a_unit_with_a_barrier_is_mirrored_whatever_its_name(names: tuple[str, str], tmp_path: Path) -> None:
    folder = project(tmp_path / "p", list(zip(names, (FENCE, BARRIER))))
    by_name = ports(folder, tmp_path / "out")
    assert "PORTER_MIRRORED" in by_name[names[1]]
    assert "PORTER_MIRRORED" not in by_name[names[0]]


def test_asm_that_units_give_different_text_is_left(tmp_path: Path) -> None:
    """One port of the header cannot do for both: neither a fence nor a barrier may be written silently."""
    folder = project(tmp_path / "p", [("1_a.cu", FENCE), ("2_b.cu", BARRIER)])
    conversion = Conversion(Options(runtime="include"))
    all_ports = run_jobs(plan([folder], tmp_path / "out", False, conversion).jobs, conversion, 1)
    (header,) = (port for port in all_ports if port.path.endswith("h.h"))
    (left,) = (f for f in header.findings if f.safety is Safety.LEFT)
    assert "membar.gl" in left.message and "bar.sync 1, 64" in left.message
    assert "named_barrier_sync" not in header.port and "__threadfence" not in header.port


def test_the_order_of_jobs_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path / "p", [("1_a.cu", FENCE), ("2_b.cu", BARRIER)])
    monkeypatch.setattr(porter.port.runs.run, "cached", lambda keys, job: None)
    assert ports(folder, tmp_path / "out") == ports(folder, tmp_path / "out", reverse=True)


def test_a_header_is_read_with_the_macros_of_its_own_unit(tmp_path: Path) -> None:
    folder = project(tmp_path / "p", [("1_a.cu", FENCE), ("2_b.cu", BARRIER)])
    shared = Ports(Project(folder), Options(runtime="include"))
    for name, expected in (("1_a.cu", "__threadfence"), ("2_b.cu", "named_barrier_sync"), ("1_a.cu", "__threadfence")):
        assert expected in shared.port(folder / "h.h", "h.h", {}, folder / name).port


def test_the_cache_tells_a_file_alone_from_one_of_a_folder(tmp_path: Path) -> None:
    """In a folder another file names the kernel, which then cannot keep its large blocks without mirrors."""
    folder = tmp_path / "p"
    folder.mkdir()
    roles = '__global__ void roles() { asm volatile("bar.sync 1, 64;"); }\n'
    plain = "__global__ void plain(float *x) { x[0] = 1; }\nvoid f(float *x) { plain<<<1, 1024>>>(x); }\n"
    (folder / "a.cu").write_text(roles + plain)
    (folder / "b.cu").write_text("void given(void *kernel);\nvoid g() { given((void *)plain); }\n")
    conversion = Conversion(Options(runtime="include"))
    (alone,) = run_jobs(plan([folder / "a.cu"], tmp_path / "a.hip", False, conversion).jobs, conversion, 1)
    assert "porter::mirrored" not in alone.port
    assert "porter::mirrored" in ports(folder, tmp_path / "out")["a.cu"]


def test_the_cache_notices_what_other_units_change(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "a.cu").write_text("__global__ void k(float *x) { *x = 1; }\n")
    (folder / "b.cu").write_text("__global__ void k(float *x);\nvoid g(float *x) { k<<<4, 64>>>(x); }\n")
    assert "porter::mirrored" not in ports(folder, tmp_path / "out")["b.cu"]
    (folder / "a.cu").write_text('__global__ void k(float *x) { asm volatile("bar.sync 1, 64;"); }\n')
    assert "porter::mirrored" in ports(folder, tmp_path / "out")["b.cu"]


def test_the_cache_notices_a_kernel_that_a_file_only_hands_on(tmp_path: Path) -> None:
    """A file with neither a launch nor a kernel of its own."""
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "a.cu").write_text("__global__ void k(float *x) { *x = 1; }\n")
    (folder / "k.h").write_text("__global__ void k(float *x);\n")
    (folder / "b.cu").write_text(
        '#include <cuda_runtime.h>\n#include "k.h"\nvoid given(void *);\nvoid g() { given((void *)k); }\n'
    )
    assert "porter[warp-roles]" not in ports(folder, tmp_path / "out")["b.cu"]
    (folder / "a.cu").write_text('__global__ void k(float *x) { asm volatile("bar.sync 1, 64;"); }\n')
    assert "porter[warp-roles]" in ports(folder, tmp_path / "out")["b.cu"]


def test_asm_whose_operands_differ_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    header = (
        '__device__ inline int first(int a, int b) { int d; asm("mov.u32 %0, %1;" : "=r"(d) : SOURCE); return d; }\n'
    )
    (folder / "h.h").write_text(header)
    kernel = '#include "h.h"\n__global__ void k(int *x) { *x = first(1, 2); }\n'
    for name, source in (("a.cu", "a"), ("b.cu", "b")):
        (folder / name).write_text(f'#define SOURCE "r"({source})\n' + kernel)
    assert "porter[ptx-unread]" in ports(folder, tmp_path / "out")["h.h"]


def test_a_unit_without_mirrors_keeps_its_other_facts() -> None:
    kernel = Elsewhere(Path("a.cu"), 1, False)
    others = Facts(
        plain=frozenset("p"), kind_dependent=frozenset("t"), elsewhere={"k": kernel}, unclear_asm={3: ("x", "y")}
    )
    mirrored = replace(
        others, mirrored=2, named_barriers=True, warpgroups=True, meeting=True, clusters=True, cluster_shadows=True
    )
    assert mirrored.without_mirrors() == others


def test_workers_get_the_files_of_a_unit_in_a_row(tmp_path: Path) -> None:
    folder = project(tmp_path / "p", [("a.cu", FENCE)])
    (folder / "alone.cu").write_text("int big[] = {" + "0, " * 400 + "};\n")
    jobs = plan([folder], tmp_path / "out", False, Conversion(Options())).jobs
    named = [[job.path.name for job in batch] for batch in _batches(jobs, 2)]
    assert named == [["alone.cu"], ["a.cu", "h.h"]] or named == [["alone.cu"], ["h.h", "a.cu"]]


def test_headers_without_a_unit_are_parsed_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "first.cuh").write_text("#pragma once\nstruct dim4 { int x; };\n")
    (folder / "second.cuh").write_text('#pragma once\n#include "first.cuh"\n__device__ int f(dim4 d) { return d.x; }\n')
    (folder / "third.cuh").write_text("#pragma once\n__device__ int g() { return __ldg((int *)0); }\n")
    (folder / "broken.cuh").write_text("#pragma once\n__device__ int h() { return nothing; }\n")
    parsed: list[tuple[Path, ...]] = []

    def counted(mains: Sequence[Path], options: ParseOptions) -> Parsed | None:
        parsed.append(tuple(mains))
        return parsed_unit(mains, options)

    monkeypatch.setattr(porter.frontend.ast, "parsed_unit", counted)
    monkeypatch.setattr(porter.port.runs.cache, "cache_dir", lambda: tmp_path / "cache")  # in which no port is yet
    ports(folder, tmp_path / "out")
    together = tuple(folder / name for name in ("broken.cuh", "second.cuh", "third.cuh"))
    assert set(parsed) == {together, (folder / "broken.cuh",)}  # which does not go with the others


def test_a_header_without_a_unit_is_ported_for_whoever_includes_it(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "a.cuh").write_text('__device__ inline void wait() { asm volatile("bar.sync 1, 64;"); }\n')
    (folder / "b.cuh").write_text('#include "a.cuh"\n__device__ inline int first() { return threadIdx.x == 0; }\n')
    conversion = Conversion(Options(runtime="include"))
    units = conversion.ports(folder, True, None).units
    assert units.facts.unit(folder / "b.cuh").roles.named_barriers
