"""Functions with names that HIP lacks, in files whose units do not all call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FilePort, Safety
from porter.frontend.unit import Options
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.check import syntax_check

HEADER = """#pragma once
#include <cuda.h>
struct pool {
  size_t create(int devices) {
    CUdevResource all = {};
    return cuDeviceGetDevResource(devices, &all, CU_DEV_RESOURCE_TYPE_SM), all.sm.smCount; }
  int size() const { return 4; }
};
template <class T> T make(T x) { return pool().create(x); }
__host__ inline static void check(int d) { int v; cudaDeviceGetAttribute(&v, cudaDevAttrMemSyncDomainCount, d); }
"""
USE = '#include "pool.h"\n__global__ void k(int *p) { *p = 1; }\nvoid run(int *p) { k<<<1, pool().size()>>>(p); }\n'


def ports(folder: Path, defines: tuple[str, ...] = (), **units: str) -> dict[str, FilePort]:
    source = folder / "in"
    source.mkdir(exist_ok=True)
    (source / "pool.h").write_text(HEADER)
    for name, text in units.items():
        (source / f"{name}.cu").write_text(text)
    conversion = Conversion(Options(defines=defines))
    todo = plan([source], folder / "out", False, conversion)
    done = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, done, "copy", todo.runtime_dirs)
    return {Path(port.output).name: port for port in done}


def ended(port: FilePort) -> list[str]:
    return [f.message.split(",")[0] for f in port.findings if f.rule == "uncalled-function"]


def test_what_a_unit_does_not_call_lets_it_compile(tmp_path: Path) -> None:
    by_name = ports(tmp_path, a=USE)
    assert ended(by_name["pool.h"]) == ["not every unit calls create", "not every unit calls check"]
    assert syntax_check(tmp_path / "out" / "a.hip").passed
    left = [f.message.split()[0] for f in by_name["pool.h"].findings if f.safety is Safety.LEFT]
    assert "CUdevResource" in left and "cudaDevAttrMemSyncDomainCount" in left  # it is said all the same


MEMBER = (
    HEADER
    + """struct broker {
  int device;
  template <class T> void meet() { check(device); }
  inline broker(int d) : device(d) { meet<int>(); }
};
"""
)


@pytest.mark.parametrize(("call", "stays"), [("", False), ("void b() { broker{0}; }", True), ("broker own{0};", True)])
def test_what_a_class_calls_that_nobody_has_objects_of(call: str, stays: bool, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/pool.h").write_text(MEMBER)
    (tmp_path / "a.cu").write_text(f"{USE}{call}\n")
    conversion = Conversion(Options(includes=(str(tmp_path / "lib"),), defines=("GIVEN",)))
    todo = plan([tmp_path / "a.cu"], tmp_path / "out", False, conversion, out_is_folder=True)
    found = {Path(port.path).name: port for port in run_jobs(todo.jobs, conversion, 1)}
    assert ("not every unit calls check" in ended(found["pool.h"])) != stays


@pytest.mark.parametrize("call", ["check(0)", "make(2)"])
def test_what_it_calls_stays(call: str, tmp_path: Path) -> None:
    by_name = ports(tmp_path, a=USE + f"void b() {{ {call}; }}\n")
    assert len(ended(by_name["pool.h"])) == 1
    assert not syntax_check(tmp_path / "out" / "a.hip").passed


def test_what_another_unit_calls_as_well(tmp_path: Path) -> None:
    by_name = ports(tmp_path, a=USE, b=USE + "void b() { check(0), make(2); }\n")
    assert len(ended(by_name["pool.h"])) == 2
    assert syntax_check(tmp_path / "out" / "a.hip").passed


@pytest.mark.parametrize("defines", [(), ("FAST",)])
def test_a_header_that_is_included_elsewhere_calls_nothing_here(defines: tuple[str, ...], tmp_path: Path) -> None:
    """Where macros are given, the unit is what the preprocessor makes of it."""
    include = '#ifdef BINDINGS\n#include "bind.h"\n#endif\n'
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bind.h").write_text('#pragma once\n#include "pool.h"\ninline int bound = (check(0), 0);\n')
    by_name = ports(tmp_path, defines, a=include + USE)
    assert len(ended(by_name["pool.h"])) == (2 if defines else 1)


def test_what_the_preprocessor_leaves_out_keeps_nobody_from_compiling(tmp_path: Path) -> None:
    text = "static int f(int d) {\n#ifdef OTHER\n  return cudaDevAttrMemSyncDomainCount;\n#endif\n  return d;\n}\n"
    assert ended(ports(tmp_path, a=text)["a.hip"]) == []
