"""A tree of several projects with headers of one name in folders that nobody named: each file has that of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FilePort
from porter.frontend.unit import Options
from porter.port.building.compiled import RULE, with_build
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

_PARTS = ("first", "second", "third")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for part in _PARTS:
        (tmp_path / f"tree/{part}/src/deep").mkdir(parents=True)
        (tmp_path / f"tree/{part}/utils").mkdir()
        header = f"#pragma once\nstruct {part}_t {{ float value[{len(part)}]; }};\ninline int checked(cudaError_t e, {part}_t) {{ return e; }}\n"
        (tmp_path / f"tree/{part}/utils/utils.h").write_text(f"#include <cuda_runtime.h>\n{header}")
        source = (
            f'#include "utils.h"\n__global__ void k({part}_t *p) {{ p->value[threadIdx.x] = 0; }}\n'
            f"int run({part}_t *p) {{ k<<<1, 4>>>(p); return checked(cudaGetLastError(), *p); }}\n"
        )
        (tmp_path / f"tree/{part}/src/deep/main.cu").write_text(source)
    return tmp_path / "tree"


@pytest.mark.usefixtures("cache")
def test_each_file_is_parsed_and_compiled_with_the_nearest(tree: Path) -> None:
    conversion = Conversion(Options())
    todo = plan([tree], tree.parent / "out", False, conversion)
    ports: list[FilePort] = run_jobs(todo.jobs, conversion, 1)
    sources = [port for job, port in zip(todo.jobs, ports) if job.path.name == "main.cu"]
    assert [(port.parser, port.notes) for port in sources] == [("libclang", ())] * len(_PARTS)
    write_ports(todo.jobs, ports, "copy", todo.runtime_dirs, todo.homes)
    built = with_build(todo, ports, conversion, {}, 1)
    assert [finding.message for port in built for finding in port.findings if finding.rule == RULE] == []
