"""What was said of a kernel is remembered as long as what it reaches stays the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.native.ir.module import Module, parse
from porter.native.machine.values import Refused
from porter.native.recognise.problem import Gemm, Operand, Result
from porter.native.recognise.recognition_cache import _WORDS, gemm_of, remembered, source_files

IR = """\
%struct.Pair = type { i32, i32 }
@table = internal addrspace(4) constant [2 x i32] [i32 1, i32 2], align 4
@unrelated = internal addrspace(4) constant i32 5, align 4
define amdgpu_kernel void @kernel(i32 %0) #0 !dbg !10 {
  %2 = alloca %struct.Pair, align 4, !dbg !12
  call void @inner(i32 %0) #7, !dbg !13
  ret void, !dbg !14
}
define void @inner(i32 %0) #1 !dbg !11 {
  %2 = load i32, ptr addrspace(4) @table, align 4, !dbg !15
  ret void, !dbg !16
}
define void @elsewhere() #1 {
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }
attributes #1 = { nounwind }
!10 = distinct !DISubprogram(name: "kernel<1>", line: 4)
!11 = distinct !DISubprogram(name: "inner<(lambda at /one/a.h:9:4)>", scope: !17, line: 9)
!15 = !DILocation(line: 11, column: 3, scope: !11)
!17 = !DIFile(filename: "a.h", directory: "/one")
"""
GEMM = Gemm(
    "kernel", "int a", Operand("a", "f16"), Operand("b", "f16", pitch="k"), Result("c", False, "f32", bounds=("m", "")),
    ("m", "n", "k"), elements=(("T == 1", "f16"),), halves=True,
)  # fmt: skip


def asked(text: str, find: Callable[[], Gemm], given: object = ()) -> Gemm:
    module: Module = parse(text)
    return remembered(module, module.functions["@kernel"], given, find, gemm_of)


def never() -> Gemm:
    raise AssertionError("it was asked again")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porter.native.recognise.recognition_cache.cache_dir", lambda: tmp_path)


@pytest.mark.parametrize(
    "edit",
    [
        ("i32 5", "i32 6"),
        ("define void @elsewhere() #1 {\n", "define void @elsewhere() #1 {\n  call void @inner(i32 1)\n"),
        ("!13", "!113"),
        ("!11", "!111"),
        ("#1", "#3"),
        ("line: 4", "line: 44"),
        ("/one/a.h:9:4", "/another/a.h:19:4"),
    ],
)
def test_edits_elsewhere(edit: tuple[str, str]) -> None:
    assert asked(IR, lambda: GEMM) == GEMM
    assert edit[0] in IR
    assert asked(IR.replace(*edit), never) == GEMM


@pytest.mark.parametrize(
    "edit",
    [
        ("i32 2]", "i32 3]"),
        ("load i32", "load i64"),
        ("type { i32, i32 }", "type { i32, i64 }"),
        ('"1,256"', '"1,512"'),
        ("kernel<1>", "kernel<2>"),
        ("kernel(i32 %0)", "kernel(i64 %0)"),
        ("@inner(i32 %0) #7", "@inner(i32 1) #7"),
    ],
)
def test_edits_of_what_it_reaches(edit: tuple[str, str]) -> None:
    asked(IR, lambda: GEMM)
    assert edit[0] in IR
    with pytest.raises(AssertionError, match="asked again"):
        asked(IR.replace(*edit), never)


def test_refusals_and_what_else_it_depends_on() -> None:
    def refused() -> Gemm:
        raise Refused("it is none")

    for find in (refused, never):
        with pytest.raises(Refused, match="it is none"):
            asked(IR, find, given=("kernel", (1, 1, 1)))
    assert asked(IR, lambda: GEMM, given=("kernel", (2, 1, 1))) == GEMM


def test_the_lines_of_a_refusal_move_with_the_file() -> None:
    def refused() -> Gemm:
        why = Refused("it is none")
        why.at.append(("@inner", 0))
        raise why

    for find, line in ((refused, 11), (never, 12)):
        with pytest.raises(Refused) as why:
            asked(IR.replace("line: 11", f"line: {line}"), find)
        assert why.value.places == [("a.h", line)]


def test_what_is_remembered_follows_from_all_of_the_sources_but_their_words() -> None:
    """No string that is data is taken for a docstring."""
    files = source_files()
    assert len(files) > 10
    for path in files:
        text = path.read_bytes()
        bare = _WORDS.sub(lambda m: b"" if m[0].lstrip()[:1] == b"#" else re.sub(rb'(?s)""".*"""', b'""', m[0]), text)
        assert _without_docstrings(bare) == _without_docstrings(text), path


def _without_docstrings(text: bytes) -> list[str]:
    texts = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    kept = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)]
    words = [n.value.value for n in kept]
    strings = [n.value for n in texts]
    for word in words:
        strings.remove(word)
    return sorted(strings)
