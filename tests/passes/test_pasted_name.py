"""Names that two macros of two headers paste together."""

from __future__ import annotations

from pathlib import Path

from porter.frontend.unit import Options
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

FILES = {
    "join.h": "#pragma once\n#define PASTED(a, b) a##b\n#define JOIN(a, b) PASTED(a, b)\n",
    "check.cuh": '#pragma once\n#include "join.h"\n#include <cuda_runtime.h>\n'
    "#define RT(name, ...) check(JOIN(cuda, name)(__VA_ARGS__))\ninline void check(cudaError_t) {}\n",
    "a.cu": '#include "check.cuh"\nvoid f(void *p) {\n  RT(Free, p);\n  RT(DeviceSynchronize);\n}\n',
}


def test_the_word_in_another_header_is_the_edit(tmp_path: Path) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    conversion = Conversion(Options(runtime="include"))
    todo = plan([folder], tmp_path / "port", False, conversion)
    ports = {Path(port.path).name: port for port in run_jobs(todo.jobs, conversion, 1)}
    assert not any(f.safety.needs_person for port in ports.values() for f in port.findings)
    assert "check(JOIN(hip, name)(__VA_ARGS__))" in ports["check.cuh"].port
    assert "  RT(Free, p);\n  RT(DeviceSynchronize);\n" in ports["a.cu"].port
    assert ports["join.h"].port == FILES["join.h"]
