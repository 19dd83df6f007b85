"""The edits of a file in JSON, and the fixes of its results in SARIF, make its port of the source, applied as they are listed."""

from __future__ import annotations

import base64
import itertools
import random
import re
from pathlib import Path
from typing import Any

import fuzz
import pytest
from invariants import SOURCES
from porting import port
from test_report import data_of, whole_sarif

from porter.findings import FilePort, FileStatus, PortReport, encode
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import Conversion, port_source
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

KERNELS = Path(__file__).resolve().parents[2] / "reference_kernels"
FOREIGN = {path.parent for path in KERNELS.glob("*/case.py") if '("$' in path.read_text()}  # headers are not here
ORIGINALS = [path for path in sorted(KERNELS.glob("*/*.cu")) if path.parent not in FOREIGN]
NESTED = """__global__ void k(float *x) {
  x[0] = __shfl_sync(~0u, __shfl_sync(~0u, x[1], 0), 0); x[1] = __any_sync(~0u, __shfl_down_sync(~0u, x[2], 1));
  asm("ld.global.cs.f32 %0, [%1];" : "=f"(x[3]) : "l"(x + __shfl_sync(~0u, 1, 0)));
  cudaFrobnicate(cudaMalloc(&x, sizeof(cudaStream_t))); cudaFrobnicate(__activemask());
}
int main() { cudaMalloc(0, 1); k<<<1, 32>>>(0); }
"""


def by_json(file: FilePort) -> bytes:
    """Offsets are of bytes; each edit begins behind the one before it, and none where that begins."""
    (data,) = data_of(PortReport((file,)), ".json")["files"]
    source, parts, at, last = encode(file.source), [], 0, -1
    for edit in data["edits"]:
        assert max(at, last + 1) <= edit["start"] <= edit["end"]
        before, after = (_bytes(edit, name) for name in ("before", "after"))
        assert before == source[edit["start"] : edit["end"]]
        parts += [source[at : edit["start"]], after]
        at, last = edit["end"], edit["start"]
    return b"".join([*parts, source[at:]])


def _bytes(edit: dict[str, Any], name: str) -> bytes:
    exact = edit.get(f"{name}_base64")
    return edit[name].encode() if exact is None else base64.b64decode(exact)


def by_sarif(file: FilePort) -> bytes:
    """As the standard has it: lines end in what the run says, columns are of UTF-16, without a mark of the byte order. The last
    fix in the file first: places are those of the original."""
    (run,) = whole_sarif(PortReport((file,)))["runs"]
    mark, text = re.fullmatch("(\ufeff?)(.*)", encode(file.source).decode("utf-8"), re.DOTALL).groups()  # type: ignore[union-attr]
    ends = [line_end.end() for line_end in re.finditer("|".join(run["newlineSequences"]), text)]
    starts = [len(text[:end].encode("utf-16-le")) for end in (0, *ends)]
    whole, fixes = text.encode("utf-16-le"), []
    for fix in (fix for result in run["results"] for fix in result.get("fixes", ())):
        (change,) = fix["artifactChanges"]
        fixes += [_offsets(one, starts) for one in change["replacements"]]
    fixes.sort()
    for (start, end, _), (behind, *_) in itertools.pairwise(fixes):
        assert end <= behind and start < behind
    for start, end, new in reversed(fixes):
        whole = whole[:start] + new.encode("utf-16-le") + whole[end:]
    return (mark + whole.decode("utf-16-le")).encode()


def _offsets(replacement: dict[str, Any], starts: list[int]) -> tuple[int, int, str]:
    region, new = replacement["deletedRegion"], replacement.get("insertedContent", {"text": ""})["text"]
    start, end = (starts[region[f"{x}Line"] - 1] + 2 * (region[f"{x}Column"] - 1) for x in ("start", "end"))
    return start, end, new


def both(file: FilePort) -> None:
    if file.status is FileStatus.FAILED:
        return
    assert by_json(file) == encode(file.port)
    try:
        encode(file.source).decode("utf-8"), encode(file.port).decode("utf-8")
    except UnicodeDecodeError:
        return  # SARIF has text alone
    assert by_sarif(file) == encode(file.port)


def test_sites_within_others_and_insertions_at_one_place(tmp_path: Path) -> None:
    file = port(NESTED, tmp_path)
    assert len(data_of(PortReport((file,)), ".json")["files"][0]["edits"]) > 5
    both(file)


@pytest.mark.parametrize("original", ORIGINALS, ids=lambda path: path.stem)
def test_of_the_reference_kernels(original: Path, tmp_path: Path) -> None:
    """Converted as test_reference_kernels does, which may have kept the ports."""
    conversion = Conversion(Options(runtime="include"))
    for file in run_jobs(plan([original], tmp_path / "a.hip", False, conversion).jobs, conversion, 1):
        both(file)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(path.parents[2]).as_posix())
def test_of_the_golden_programs(source: Path, tmp_path: Path) -> None:
    both(port_source(Project(source.parent), source, "a.hip", Options(runtime="include", parse=False), {}))


def test_of_sources_made_at_random(tmp_path: Path) -> None:
    rng = random.Random(18)
    for _ in range(150):
        both(port(fuzz._tokens(rng, rng.choice([60, 160, 400])).replace("\0", " "), tmp_path))
