"""What holds for every input: sources cut up, doubled, swapped and filled with rubbish are ported without a crash,
nothing outside the edits changes, and porting twice is porting once."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from invariants import RUBBISH, SOURCES, check, pieces_of, text_of

from porter.findings import FilePort, FileStatus, encode
from porter.frontend.lexer import lex
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source


def port(text: str, folder: Path, parse: bool = False, name: str = "mutant.cu", warp: int = 32) -> FilePort:
    path = folder / name
    path.write_bytes(encode(text))
    begin = time.process_time()
    result = port_source(Project(folder), path, "mutant.hip", Options(parse=parse, warp=warp), {})
    assert time.process_time() - begin < 20, "took too long"
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    request.getfixturevalue("cache")
    return tmp_path_factory.mktemp("mutants")


@st.composite
def mutants(draw: st.DrawFn, window: int = 160) -> str:
    """Part of a golden source with a few tokens removed, doubled, swapped or replaced by rubbish."""
    pieces = pieces_of(draw(st.sampled_from(SOURCES)))
    if window:
        begin = draw(st.integers(0, max(0, len(pieces) - window)))
        pieces = pieces[begin : begin + window]
    pieces = list(pieces)
    for _ in range(draw(st.integers(0, 6))):
        if not pieces:
            break
        at = draw(st.integers(0, len(pieces) - 1))
        how = draw(st.sampled_from(["drop", "double", "swap", "rubbish", "cut"]))
        if how == "drop":
            del pieces[at]
        elif how == "double":
            pieces.insert(at, pieces[at])
        elif how == "swap":
            other = draw(st.integers(0, len(pieces) - 1))
            pieces[at], pieces[other] = pieces[other], pieces[at]
        elif how == "rubbish":
            pieces.insert(at, draw(st.sampled_from(RUBBISH)))
        elif len(pieces) > 20 and draw(st.booleans()):
            del pieces[at:]
    return "".join(pieces)


@given(mutants())
@settings(max_examples=150)
@example("__launch_bounds__(")
@example("cudaMemcpyToSymbol(a, b")
@example("#define F(x) cudaMalloc(x\nF(1))")
@example("__shfl_sync(m, v,, l)")
@example("#include")
@example("#include <cuda_runtime.h")
@example("\xef\xbb\xbf__any_sync(1, 2)")
@example("asm(")
@example('asm volatile("mov.u32 %0, %laneid;" : "=r"(x')
@example("cudaLaunchKernel(__shfl_sync(a, b, c), cudaFuncSetAttribute(k, 1, 2))")
def test_mutants_from_tokens(folder: Path, text: str) -> None:
    check(port(text, folder), text)


@given(mutants(window=0))
@settings(max_examples=12)
def test_mutants_with_the_parser(folder: Path, text: str) -> None:
    check(port(text, folder, parse=True), text)


@given(st.text(alphabet=st.characters(max_codepoint=0xFF), max_size=200))
@settings(max_examples=100)
def test_any_bytes(folder: Path, text: str) -> None:
    result = port("cudaFree(0); " + text, folder)
    if "\0" in text:
        assert result.status is FileStatus.FAILED and result.problem
    else:
        check(result, "cudaFree(0); " + text)


@given(mutants())
@settings(max_examples=60)
def test_porting_twice_is_porting_once(folder: Path, text: str) -> None:
    first = port(text, folder)
    again = port(first.port, folder)
    assert again.port == first.port


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_porting_a_golden_twice_in_place(folder: Path, path: Path) -> None:
    first = port(text_of(path), folder, name=path.name)
    assert port(first.port, folder, name=path.name).port == first.port


def without_returns(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@given(mutants())
@settings(max_examples=60)
def test_line_ends_are_kept(folder: Path, text: str) -> None:
    plain = without_returns(text) + "\n"  # without any, a port with a line of its own has to choose
    windows = plain.replace("\n", "\r\n")
    a, b = port(plain, folder), port(windows, folder)
    assert b.port == a.port.replace("\n", "\r\n")
    assert [(f.rule, f.safety) for f in a.findings] == [(f.rule, f.safety) for f in b.findings]


@given(mutants())
@settings(max_examples=60)
def test_comments_and_space_between_tokens_mean_nothing(folder: Path, text: str) -> None:
    """What is found does not depend on how the source is laid out."""
    # each gap that is white space only may become a comment; directives keep their lines
    file = lex(text)
    chance = random.Random(len(text))
    parts, at = [], 0
    for token in file.tokens:
        gap = text[at : token.start]
        parts.append(" /* x */ " if gap and gap.strip(" \t") == "" and chance.random() < 0.3 and at else gap)
        parts.append(text[token.start : token.end])
        at = token.end
    parts.append(text[at:])
    padded = "".join(parts)
    if [t.text for t in lex(padded).tokens] != [t.text for t in file.tokens]:
        return  # the source was so broken that white space meant something
    a, b = port(text, folder), port(padded, folder)
    assert [(f.rule, f.safety) for f in a.findings] == [(f.rule, f.safety) for f in b.findings]


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_every_prefix_of_a_line(folder: Path, path: Path) -> None:
    """A file cut off anywhere is still a file: a download that broke, an editor that saved half."""
    text = text_of(path)
    for cut in random.Random(path.name).sample(range(len(text)), 4):
        check(port(text[:cut], folder), text[:cut])


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000,
        "f(" * 5_000 + "cudaFree(p)" + ")" * 5_000,
        "__shfl_sync(m, " * 300 + "v" + ", 0)" * 300,
        "a<" * 20_000,
        "#if 1\n" * 5_000 + "cudaFree(p);",
        "/*" * 20_000,
        '"' + "\\" * 20_001,
        "template <" * 3_000 + "class T" + ">" * 3_000 + " void f() { cudaFree(p); }",
        "\\\n" * 20_000 + "cudaFree(p);",
        "{" * 20_000 + "cudaFree(p);" + "}" * 20_000,
        "__global__ void k(" + "int a, " * 5_000 + "int b) { __any_sync(1, b); }",
        "typedef " + "struct { int x; } " * 3_000 + "T;",
        "#define A cudaFree\\\n" * 5_000,
        "asm(" * 2_000,
        "x = y ? cudaFree(a) : " * 3_000 + "0;",
        "cuda" + "a" * 100_000 + "(1);",
        "1" + "'1" * 30_000,
        "__device__ " * 10_000 + "void f();",
        "operator()(" * 3_000,
        "]" * 5_000 + "(int x) {" * 2_000,
    ],
    ids=lambda t: t[:12].strip(),
)
def test_deep_and_long_things_take_no_time(folder: Path, text: str) -> None:
    begin = time.process_time()
    result = port(text, folder)
    assert time.process_time() - begin < 10
    assert result.status is not FileStatus.FAILED, result.problem


@pytest.mark.parametrize(
    "text",
    [
        "x = __any_sync( // all lanes take part\n  mask, p);\n",
        "cudaMemcpyToSymbol(table /* in constant memory */, host, n);\n",
        "cudaFuncSetCacheConfig(k, /* more L1 */ cudaFuncCachePreferL1);\n",
        "v = __shfl_sync(mask, /* value */ v, /* from */ 0);\n",
        "x = __match_any_sync(/* mask */ m, /* value */ v);\n",
    ],
)
def test_comments_between_arguments_stay(folder: Path, text: str) -> None:
    file = lex(text)
    port_text = port(text, folder).port
    for start, end in file.comments:
        assert text[start:end] in port_text
