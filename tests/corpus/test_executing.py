"""The runner of HIP programs: what a Makefile says, reduced arguments, verdicts, and whole runs in the emulator."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from porter.corpus.__main__ import main
from porter.corpus.comparing import load_pairs
from porter.corpus.executing import Executed, checks_itself, execute, executed_markdown, judge, load_executed
from porter.corpus.program import find_programs
from porter.corpus.recipe import find_recipe, reduced

MAKEFILE = """
CC = hipcc
main: main.o parts/side.o libextra.a
\t$(CC) $^ -o $@ -lm -lhipblas
main.o: main.cu
\t$(CC) -std=c++17 -O2 -I../shared -DWIDTH=4 -Wall -c $< -o $@
parts/side.o: parts/side.cpp
\t$(CC) -O2 -ffast-math -c $< -o $@
libextra.a: extra.o
\tar rcs $@ $^
extra.o: extra.c
\t$(CC) -c $< -o $@
other: main.cu
\t$(CC) other.cu -o $@
run: main
\tmkdir -p out
\t./main ../shared/input.txt 8192 4096 100
\t./main ../shared/input.txt 1 1 1
"""

PROGRAM = """
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#define SCALE 3
__global__ void scale(int *data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= SCALE;
}
int main(int argc, char **argv) {
  const int count = atoi(argv[1]);
  int *data;
  hipMallocManaged((void **)&data, count * sizeof(int));
  for (int i = 0; i < count; i++) data[i] = i;
  scale<<<(count + 255) / 256, 256>>>(data, count);
  hipDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < count; i++) wrong += data[i] != 3 * i;
  printf("%s\\n", wrong ? "FAIL" : "PASS");
}
"""
PROGRAM_MAKEFILE = "main: main.cu\n\thipcc main.cu -o main\nrun: main\n\t./main 100000 100\n"

needs_make = pytest.mark.skipif(
    not shutil.which("make"), reason="NOT RUN: no make, which reads the programs' makefiles"
)


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@needs_make
def test_the_run_target_gives_sources_flags_and_arguments(tmp_path: Path) -> None:
    names = ("main.cu", "parts/side.cpp", "extra.c", "other.cu")
    recipe = find_recipe(put(tmp_path / "one", {"Makefile": MAKEFILE, **dict.fromkeys(names, "\n")}))
    assert {str(source) for source in recipe.sources} == {"main.cu", "parts/side.cpp", "extra.c"}
    assert recipe.arguments == ("../shared/input.txt", "8192", "4096", "100")
    assert (recipe.std, recipe.level, recipe.defines, recipe.link) == ("c++17", "2", ("WIDTH=4",), ("-lm",))
    assert recipe.includes == (Path("../shared"),)
    assert recipe.flags == ("-ffast-math",)
    assert recipe.command == ""


def test_a_folder_without_makefile_gives_its_units(tmp_path: Path) -> None:
    recipe = find_recipe(put(tmp_path, {"a.hip": "\n", "b.h": "\n"}))
    assert (recipe.sources, recipe.arguments) == ((Path("a.hip"),), ())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("8192 4096 100", "256 256 1"),
        ("10000000 1000", "16384 1"),
        ("100", "1"),
        ("25 2", "25 2"),
        ("-n 64 input.txt", "-n 64 input.txt"),
        ("3 1024 100", "3 1024 1"),
        ("3 50000 100", "3 16384 1"),
        ("", ""),
    ],
)
def test_reduced_arguments(given: str, expected: str) -> None:
    assert " ".join(reduced(given.split())) == expected


STOPPED = {
    "faulted": True,
    "findings": [
        {
            "kind": "unknown-instruction",
            "text": "an instruction that the emulator does not know",
            "instruction": "v_dance_b32 v0, v1",
            "file": "main.cu",
            "line": 7,
        }
    ],
}

ASSERTED = {"faulted": True, "findings": [{"kind": "assert", "text": "an assertion failed", "file": "a.cu", "line": 1}]}


@pytest.mark.parametrize(
    ("code", "output", "launches", "own", "verdict", "cause"),
    [
        (0, "time 3 ms\nPASS\n", [], "", "pass", ""),
        (0, "0 mismatches, test passed", [], "", "pass", ""),
        (0, "Checking forward pass\n2 passes, pass 1", [], "", "silent", "no verdict printed"),
        (0, "Checking forward pass: pass", [], "", "pass", ""),
        (0, "all tests pass", [], "", "pass", ""),
        (0, "no mismatch: success", [], "", "pass", ""),
        (0, "PASS\nFAIL\n", [], "", "fail", "wrong results"),
        (0, "Number of incorrect items: 0\nPASS", [], "", "pass", ""),
        (0, "Verification: incorrect", [], "", "fail", "wrong results"),
        (0, "results do not match", [], "", "fail", "wrong results"),
        (0, "time 3 ms", [], "", "silent", "no verdict printed"),
        (0, "RMS error: 0.01", [], r"error: 0\.0", "pass", ""),
        (0, "RMS error: 7.01", [], r"error: 0\.0", "fail", "wrong results"),
        (None, "PASS", [], "", "timeout", "not finished in time"),
        (3, "PASS", [], "", "error", "ends with exit code 3"),
        (-11, "", [], "", "error", "ends with SIGSEGV"),
        (1, "File in.txt cannot be opened", [], "", "data", "its input is not there"),
        (1, "Failed to open the file in.txt", [], "", "data", "its input is not there"),
        (0, "mismatch at 3\nAverage 4", [], "Average", "fail", "wrong results"),
        (0, "porter: hipFoo is not supported\nPASS", [], "", "pass", ""),
        (1, "porter: hipFoo is not supported\n", [], "", "error", "porter: hipFoo is not supported"),
        (0, "PASS", [ASSERTED], "", "pass", ""),
        (1, "", [ASSERTED], "", "fault", "an assertion failed"),
        (0, "PASS", [STOPPED], "", "fault", "an instruction that the emulator does not know: v_dance_b32"),
    ],
)
def test_verdicts(
    code: int | None, output: str, launches: list[dict[str, object]], own: str, verdict: str, cause: str
) -> None:
    assert judge(code, output, launches, own)[:2] == (verdict, cause)


def test_only_strings_count_as_a_check_of_its_own(tmp_path: Path) -> None:
    assert not checks_itself(put(tmp_path / "a-hip", {"main.cu": '// prints PASS\n#include "pass.h"\nputs("time");\n'}))
    assert checks_itself(put(tmp_path / "b-hip", {"main.cu": 'puts(ok ? "PASS" : "FAIL");\n'}))
    assert not checks_itself(put(tmp_path / "d-hip", {"main.cu": 'puts("Checking forward pass");\n'}))
    put(tmp_path / "c-cuda", {"reference.h": 'puts("Verification failed");\n'})
    assert checks_itself(put(tmp_path / "c-hip", {"main.cu": '#include "reference.h"\n'}))


@needs_make
def test_programs_are_built_run_and_tabulated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "corpus"
    put(corpus / "good-hip", {"Makefile": PROGRAM_MAKEFILE, "main.cu": PROGRAM})
    header = {"main.cu": PROGRAM.replace("#define SCALE 3", '#include "../bad-cuda/scale.h"')}
    put(corpus / "bad-hip", {"Makefile": PROGRAM_MAKEFILE, **header})
    put(corpus / "bad-cuda", {"scale.h": "#define SCALE 3\n"})
    put(corpus / "broken-hip", {"Makefile": PROGRAM_MAKEFILE, "main.cu": PROGRAM.replace("int count)", "")})
    sizes = tmp_path / "sizes.toml"
    sizes.write_text(
        '[bad-hip]\narguments = "64"\nreplace = [["#define SCALE 3", "#define SCALE 4"]]\ncause = "scaled by four"\n'
    )
    words = [str(corpus), "--suffix=-hip", "--sizes", str(sizes), "--json", str(tmp_path / "out.json")]
    assert main(["run", *words]) == 0
    rows = {row.name: row for row in load_executed(tmp_path / "out.json")}
    assert (rows["good-hip"].verdict, rows["good-hip"].arguments) == ("pass", "16384 1")
    assert rows["good-hip"].instructions > 0
    assert (rows["bad-hip"].verdict, rows["bad-hip"].cause) == ("fail", "scaled by four")
    assert rows["broken-hip"].verdict == "build"
    printed = capsys.readouterr().out
    assert "2 of these build" in printed and "(50.0%)" in printed
    assert "| bad-hip | fail | 64 | scaled by four | FAIL |" in printed
    assert (corpus / "bad-cuda" / "scale.h").read_text() == "#define SCALE 3\n"


@needs_make
def test_an_absent_input_is_no_failure_of_the_program(tmp_path: Path) -> None:
    makefile = PROGRAM_MAKEFILE.replace("100000", "../data/absent.txt")
    put(tmp_path / "corpus" / "reads-hip", {"Makefile": makefile, "main.cu": PROGRAM})
    programs = find_programs(tmp_path / "corpus", source_suffix="-hip")
    (row,) = execute(programs, tmp_path / "work", sizes={})
    assert (row.verdict, row.cause) == ("data", "../data/absent.txt is not there")
    starts = PROGRAM_MAKEFILE.replace("\t./main", "\tcd data && ../main")
    put(tmp_path / "other" / "starts-hip", {"Makefile": starts, "main.cu": PROGRAM})
    (other,) = execute(find_programs(tmp_path / "other", source_suffix="-hip"), tmp_path / "work", sizes={})
    assert (other.verdict, other.cause) == ("data", "data is not there")
    (row,) = execute(programs, tmp_path / "work", sizes={"reads-hip": {"skip": True, "cause": "by hand"}})
    assert (row.verdict, row.cause) == ("skipped", "by hand")


def test_a_table_names_only_what_did_not_pass() -> None:
    table = executed_markdown(
        [Executed("a", "pass", True), Executed("b", "fail", False), Executed("c", "silent", True)]
    )
    assert "of 3 programs 2 check themselves" in table
    assert "| c | silent |" in table
    assert "| a |" not in table and "| b |" not in table


def cuda_of(text: str) -> str:
    return text.replace("hip/hip_runtime.h", "cuda_runtime.h").replace("hip", "cuda")


@pytest.mark.slow
def test_ports_are_held_to_their_twins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A port that succeeds where its twin fails is wrong too; where the twin cannot say, nothing is counted."""
    corpus = tmp_path / "corpus"
    makefile = PROGRAM_MAKEFILE.replace("hipcc", "nvcc")
    wrong = PROGRAM.replace("data[i] *= SCALE", "data[i] += SCALE")
    broken = PROGRAM.replace("int count)", "")
    pairs = {
        "right": (PROGRAM, PROGRAM),
        "lost": (PROGRAM, wrong),
        "lucky": (wrong, PROGRAM),
        "wrong": (wrong, wrong),
        "stops": (PROGRAM, broken),
        "unbuilt": (broken, PROGRAM),
    }
    for name, (twin, source) in pairs.items():
        put(corpus / f"{name}-hip", {"Makefile": PROGRAM_MAKEFILE, "main.cu": twin})
        put(corpus / f"{name}-cuda", {"Makefile": makefile, "main.cu": cuda_of(source)})
    put(corpus / "alone-cuda", {"Makefile": makefile, "main.cu": cuda_of(PROGRAM)})
    sizes = tmp_path / "sizes.toml"
    sizes.write_text('[right-hip]\narguments = "64"\nreplace = [["#define SCALE 3", "#define SCALE 3 // small"]]\n')
    words = [str(corpus), "--suffix=-hip", "--ported-from=-cuda", "--sizes", str(sizes)]
    assert main(["run", *words, "--json", str(tmp_path / "out.json"), "--out", str(tmp_path / "work")]) == 0
    rows = {pair.name: pair for pair in load_pairs(tmp_path / "out.json")}
    assert set(rows) == {f"{name}-cuda" for name in pairs}
    assert {name for name, pair in rows.items() if pair.counts} == set(rows) - {"unbuilt-cuda"}
    assert {name for name, pair in rows.items() if pair.same} == {"right-cuda", "wrong-cuda"}
    port = rows["right-cuda"].port
    assert port is not None and (port.verdict, port.arguments) == ("pass", "64")
    assert "// small" in (tmp_path / "work/ports/right-cuda/main.hip").read_text()
    printed = capsys.readouterr().out
    assert "| the port succeeds or fails as its twin does | 2 (40.0%) |" in printed
    assert "| stops-cuda | pass | build |" in printed and "| unbuilt-cuda | does not build |" in printed
