"""Single passes, on the token view of short sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.model import FilePort
from porter.passes import leftover
from porter.pipeline import port_source


def port(source: str, folder: Path, name: str = "a.cu", parse: bool = False) -> FilePort:
    path = folder / name
    path.write_text(source)
    return port_source(Project(folder), path, "a.hip", Options(runtime="include", parse=parse), {})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#if CUDART_VERSION >= 11000", "#if 1 /* CUDART_VERSION >= 11000 */"),
        ("#if 12050 <= CUDA_VERSION", "#if 0 /* 12050 <= CUDA_VERSION */"),
        ("#if 800 <= __CUDA_ARCH__", "#if __HIP_DEVICE_COMPILE__"),
        ("#if __CUDA_ARCH__ < 0x320u", "#if !__HIP_DEVICE_COMPILE__"),
        ("#if __CUDA_ARCH__ >= LEAST", "#if (__HIP_DEVICE_COMPILE__ * 900) >= LEAST"),
        # what stands in the line before has no part in the comparison
        ("#define BELOW 3 <\n#ifdef CUDA_VERSION", "#define BELOW 3 <\n#ifdef HIP_VERSION"),
        ("#define BELOW 3 <\n#ifdef __CUDA_ARCH__", "#define BELOW 3 <\n#ifdef __HIP_DEVICE_COMPILE__"),
    ],
)
def test_conditions(before: str, after: str, tmp_path: Path) -> None:
    assert after in port(f"{before}\n#endif\n", tmp_path).port


def test_variables_are_looked_for_only_where_a_name_is_doubtful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    real = leftover._declared_variables
    monkeypatch.setattr(leftover, "_declared_variables", lambda unit: asked.append(unit) or real(unit))
    port("void f() { cudaDeviceSynchronize(); }\n", tmp_path)
    assert asked == []
    result = port("void f() { int cudaThing = 1; cudaOther(cudaThing); cudaAnother(); }\n", tmp_path)
    assert [f.message.split()[0] for f in result.findings if f.rule == "unknown-name"] == ["cudaOther", "cudaAnother"]
    assert len(asked) == 1
