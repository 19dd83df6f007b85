"""A port without a full parse is told, weighs in the exit code, and is never kept; a spoilt precompiled header is made again."""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import Any

import pytest
from test_cli import Run, private, run, write  # noqa: F401

from porter.frontend import parsed
from porter.frontend.libclang import _seal, _whole
from porter.port.pipeline import Conversion, Options
from porter.port.runs import cache as ports_cache
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

SOURCE = "#include <cuda_runtime.h>\nint f(int *p) { return cudaFree(p); }\n"


def _cut(pch: Path) -> None:
    pch.write_bytes(pch.read_bytes()[: pch.stat().st_size // 2])


def _overwritten(pch: Path) -> None:
    data = bytearray(pch.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 5000] = bytes(5000)
    pch.write_bytes(data)


def _without_its_source(pch: Path) -> None:
    pch.with_suffix(".h").unlink()


def _of_another_time(pch: Path) -> None:
    os.utime(pch.with_suffix(".h"), (1, 1))


SPOILT = {"cut": _cut, "overwritten": _overwritten, "source": _without_its_source, "time": _of_another_time}


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_precompiled_header_is_known(tmp_path: Path, how: str) -> None:
    pch = tmp_path / "headers-1.pch"
    pch.write_bytes(bytes(range(256)) * 100)
    pch.with_suffix(".h").write_text("#include <vector>\n")
    assert not _whole(pch)
    pch.with_suffix(".seal").write_text(_seal(pch))
    assert _whole(pch)
    SPOILT[how](pch)
    assert not _whole(pch)


def test_a_spoilt_precompiled_header_is_made_again(run: Run, tmp_path: Path, cache: Path) -> None:  # noqa: F811
    folder = tmp_path / "own-cache"
    folder.mkdir()
    write(tmp_path, a_DOT_cu=SOURCE)
    assert run("convert", "a.cu", env={"PORTER_CACHE": str(folder)}).code == 0
    (pch,) = folder.glob("headers-*.pch")
    _overwritten(pch)
    write(tmp_path, a_DOT_cu=f"// spoilt\n{SOURCE}")
    result = run("convert", "a.cu", env={"PORTER_CACHE": str(folder)})
    assert result.code == 0 and "pars" not in result.out, result.out
    assert pch.stat().st_size > 1_000_000 and _whole(pch)


def test_a_port_without_a_parse_is_not_kept(tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=f"// not parsed\n{SOURCE}")
    for parse, parser in ((False, "tokens"), (True, "libclang")):
        conversion = Conversion(Options(parse=parse))
        (job,) = plan([tmp_path / "a.cu"], None, False, conversion, dry=True).jobs
        (port,) = run_jobs([job], conversion, 1)
        assert port.parser == parser
        kept = ports_cache.cached(ports_cache.CacheKeys(conversion), job)
        assert (kept is not None) == parse


def test_errors_are_told_first_and_count_where_it_is_strict(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=SOURCE + "int g() { return nothing; }\n")
    for more, code in (([], 0), (["--strict"], 1)):
        result = run("convert", "a.cu", *more)
        assert result.code == code
        assert "\n1 file parsed with errors. 2 sites" in result.out


def test_the_first_error_is_told(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=SOURCE + "int g() { return nothing; }\nint h() { return neither; }\n")
    said = "the first of 2 errors of its parse: a.cu:3: use of undeclared identifier 'nothing'"
    assert said in run("convert", "a.cu").out.replace("\n", " ")


def test_names_of_the_standard_library_that_the_source_does_not_include(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """Precompiled headers have them, and with `using namespace std` the source's own would be ambiguous."""
    own = "#include <cuda_runtime.h>\n#include <cstdio>\nusing namespace std;\n__device__ int stack[4];\n"
    write(tmp_path, a_DOT_cu=own + "int f(int *p) { return cudaMemcpyToSymbol(stack, p, sizeof(stack)); }\n")
    result = run("convert", "a.cu", "--strict")
    assert result.code == 0 and "errors" not in result.out, result.out


def test_workers_of_one_unit_have_the_parse_of_their_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path,
        **{f"{name}_DOT_h": f"#pragma once\ninline int {name}(int *p) {{ return cudaFree(p); }}\n" for name in "bcde"},
    )
    includes = "".join(f'#include "{name}.h"\n' for name in "bcde")
    write(tmp_path, a_DOT_cu=f"{includes}{SOURCE}// {uuid.uuid4()}\n")
    parses = tmp_path / "parses"
    plain = parsed._parse

    def counted(*given: Any) -> Any:
        with parses.open("a") as file:
            file.write(f"{os.getpid()}\n")
        return plain(*given)

    monkeypatch.setattr(parsed, "_parse", counted)
    conversion = Conversion(Options())
    jobs = plan([tmp_path], tmp_path / "out", False, conversion).jobs
    assert len(jobs) == 5 and all(port.parser == "libclang" for port in run_jobs(jobs, conversion, 2))
    assert parses.read_text() == f"{os.getpid()}\n"
