"""Every format of the report, from reports made by hand that hold what breaks formats."""

from __future__ import annotations

import base64
import errno
import html.parser
import importlib.resources
import io
import json
import os
import re
import resource
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from porting import port
from rich.console import Console

from porter.errors import OutputError, UsageError
from porter.findings import Edit, FilePort, FileStatus, Finding, PortReport, Safety, hole
from porter.port.edits.rewrite import rewrite
from porter.report import (
    FORMATS,
    Choices,
    RuleText,
    check_addresses,
    check_place,
    check_suffix,
    print_terminal,
    write_report,
)
from porter.report.facts.edits import apart
from porter.report.facts.source import SourceLines, prose, show
from porter.report.facts.summary import summarize

RULES = {
    "rename": RuleText("rename", "A CUDA name with a HIP twin", "HIP has the same call under another name."),
    "ballot": RuleText("ballot", "Lane mask of 32 bits", "A wave of gfx942 has 64 lanes, so `__ballot` has 64 bits."),
    "ptx": RuleText("ptx", "Inline PTX | `asm`", "PTX is <b>not</b> an instruction set of AMD's; see #12, ask @alice."),
}
NASTY = '  asm("{ .reg .b32 %r; }"); // | ``` ````` </details></pre> <script>alert(1)</script> @bob #7 $x$ \x1b[31m'


def site(source: str, text: str, new: str | None, safety: Safety, rule: str = "rename", message: str = "") -> Finding:
    start = source.index(text)
    edits = () if new is None else (Edit(start, start + len(text), new),)
    return Finding(rule, start, start + len(text), safety, message or f"{text} -> {new}", edits)


def ported(source: str, *findings: Finding, path: str = "a.cu", **more: Any) -> FilePort:
    port = rewrite(source, findings).text
    return FilePort(path, Path(path).stem + ".hip", FileStatus.PORTED, source, port, findings, **more)


def nasty_report() -> PortReport:
    source = (
        "\xef\xbb\xbf#include <cuda_runtime.h>\r\n"  # a BOM and CRLF
        "void f() {\r\n"
        "\tcudaFree(\xc3\xa9t\xc3\xa9, \xf0\x9f\x98\x80, \xff); cudaDeviceReset();\r\n"
        f"{NASTY}\r\n"
        "  int m = __ballot_sync(~0u, p | q);\r\n"
        "}\r\n"
    )
    odd = "a|b `c` &amp; <d>.cu"
    first = ported(
        source,
        site(source, "cuda_runtime.h", "hip/hip_runtime.h", Safety.EXACT),
        site(source, "cudaFree", "hipFree", Safety.EXACT),
        site(
            source,
            "cudaDeviceReset",
            "hipDeviceReset",
            Safety.SLOWER,
            message="`cudaDeviceReset` | slower {0} [x](1)",
        ),
        site(
            source,
            "asm(",
            None,
            Safety.LEFT,
            "ptx",
            "inline PTX `{ .reg` | </details> <script> is not ported @bob #7",
        ),
        site(
            source,
            "__ballot_sync(~0u, p | q)",
            "porter::ballot(p | q)",
            Safety.REVIEW,
            "ballot",
            "mask of 32 lanes",
        ),
        path=odd,
        notes=("cuda|stuff.h was not found: `empty` <stand-in>", "caf\xc3\xa9.h stood in for"),
        parser="libclang with errors",
    )
    failed = FilePort(
        "sub dir/fa\udcffil.cu",
        "",
        FileStatus.FAILED,
        problem="fa|il.cu: is `binary` <x>",
        fix="give a text file",
    )
    return PortReport(
        (
            first,
            failed,
            FilePort("plain.cpp", "plain.cpp", FileStatus.UNCHANGED, "int x;", "int x;"),
            FilePort("done.hip", "done.hip", FileStatus.ALREADY_HIP, "int x;", "int x;"),
            ported(
                "cudaFree(0);",
                site("cudaFree(0);", "cudaFree", "hipFree", Safety.EXACT),
                path="t.cu",
                parser="tokens",
            ),
        ),
        seconds=1.25,
        version="0.1.0",
    )


def large_report(count: int = 5000) -> PortReport:
    kinds = [Safety.EXACT, Safety.SLOWER, Safety.REVIEW, Safety.LEFT]
    lines = [f"  cudaCall{i}(a, `b`, {i});\n" for i in range(count)]
    source, findings, at = "".join(lines), [], 0
    for i, line in enumerate(lines):
        name = f"cudaCall{i}"
        edits = () if kinds[i % 4] is Safety.LEFT else (Edit(at + 2, at + 2 + len(name), f"hipCall{i}"),)
        findings.append(Finding(f"rule-{i % 50}", at + 2, at + 2 + len(name), kinds[i % 4], f"{name} found", edits))
        at += len(line)
    return PortReport((FilePort("big.cu", "big.hip", FileStatus.PORTED, source, "", tuple(findings)),))


REPORTS: dict[str, Callable[[], PortReport]] = {
    "nasty": nasty_report,
    "empty": lambda: PortReport(()),
    "nothing found": lambda: PortReport((FilePort("a.cu", "a.hip", FileStatus.UNCHANGED),)),
    "failed": lambda: PortReport((FilePort("a.cu", "", FileStatus.FAILED, problem="cannot be read"),)),
    "large": large_report,
}


@pytest.fixture(params=REPORTS, scope="module")
def report(request: pytest.FixtureRequest) -> PortReport:
    return REPORTS[request.param]()


_WRITTEN: dict[tuple[int, str], tuple[PortReport, str]] = {}


def text_of(report: PortReport, suffix: str) -> str:
    key = id(report), suffix  # the report is kept, so that its id stays its own
    if key not in _WRITTEN:
        _WRITTEN[key] = report, FORMATS[suffix](summarize(report, RULES))
    return _WRITTEN[key][1]


def data_of(report: PortReport, suffix: str) -> Any:
    return json.loads(text_of(report, suffix))


def whole_sarif(report: PortReport) -> Any:
    """SARIF with all sites, exact ones, too."""
    return json.loads(FORMATS[".sarif"](summarize(report, RULES, choices=Choices(exact_in_sarif=True))))


def terminal_of(report: PortReport, **options: Any) -> str:
    out = io.StringIO()
    more = {name: options.pop(name) for name in ("form", "written", "reports", "case") if name in options}
    print_terminal(report, RULES, Console(file=out, width=100, **options), **more)
    return out.getvalue()


class Page(html.parser.HTMLParser):
    """The text of a page, its tags in order, and whether they nest."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.tags, self.open = "", [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


# --- the same in all formats ---------------------------------------------------------------------


def test_headline_is_the_same_everywhere(report: PortReport) -> None:
    headline = summarize(report, RULES).headline
    assert f"**{headline}**" in text_of(report, ".md")
    assert headline in Page(text_of(report, ".html")).text
    assert data_of(report, ".json")["headline"] == headline
    assert data_of(report, ".sarif")["runs"][0]["properties"]["headline"] == headline
    assert terminal_of(report).splitlines()[-1] == headline


def test_counts_are_the_same_everywhere(report: PortReport) -> None:
    expected = {safety.value: report.count(safety) for safety in Safety}
    document = data_of(report, ".json")
    assert {k: v for k, v in document["counts"].items() if k != "sites"} == expected
    assert document["counts"]["sites"] == sum(expected.values())
    run = whole_sarif(report)["runs"][0]
    assert run["properties"]["counts"] == data_of(report, ".sarif")["runs"][0]["properties"]["counts"] == expected
    for safety in expected:
        assert sum(r["properties"]["safety"] == safety for r in run["results"]) == expected[safety]
    classes = [(a.get("class") or "").split() for tag, a in Page(text_of(report, ".html")).tags if tag == "article"]
    for safety in expected:
        assert sum(safety in c for c in classes) == expected[safety]
    total = [line for line in text_of(report, ".md").splitlines() if line.startswith("| **Total**")]
    shown = {word: count for word, count in expected.items() if count or word not in ("hint", "error")}
    cells = [sum(expected.values()), *shown.values()]
    assert total == ([f"| **Total** | | | {' | '.join(f'{n:,}' for n in cells)} |"] if report.files else [])


def test_the_same_finding_has_the_same_id_message_and_place() -> None:
    report = nasty_report()
    page, terminal = Page(text_of(report, ".html")).text, terminal_of(report)
    pairs = [(f, file) for file in data_of(report, ".json")["files"] for f in file["findings"]]
    results = whole_sarif(report)["runs"][0]["results"]
    assert len(pairs) == len(results) == 6
    for (finding, file), result in zip(pairs, results, strict=True):
        place = f"{file['path']}:{finding['line']}:{finding['column']}"
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (finding["line"], finding["column"])
        assert result["ruleId"] == finding["rule"]
        unescaped = result["message"]["text"].replace("{{", "{").replace("}}", "}").replace("\\[", "[")
        assert unescaped == finding["message"]
        assert result["partialFingerprints"] == {"porterFinding/v1": finding["fingerprint"]}
        assert place in page
        assert finding["rule"] in page
        assert finding["message"].replace("`", "") in page
        if finding["safety"] != "exact":
            assert place in terminal
            assert finding["message"] in terminal


def test_files_that_are_no_full_port_say_so_in_every_format() -> None:
    report = nasty_report()
    caveats = {f["path"]: f["caveat"] for f in data_of(report, ".json")["files"]}
    assert caveats["t.cu"].startswith("not parsed")
    assert caveats["plain.cpp"].startswith("unchanged")
    assert caveats["done.hip"].startswith("already HIP")
    assert caveats["sub dir/fa\ufffdil.cu"] == "not ported: fa|il.cu: is `binary` <x> (give a text file)"
    notes = data_of(report, ".sarif")["runs"][0]["invocations"][0]
    assert notes["executionSuccessful"] is False
    told = [n["message"]["text"] for n in notes["toolExecutionNotifications"]]
    page, terminal = Page(text_of(report, ".html")).text, terminal_of(report)
    for caveat in caveats.values():
        assert caveat in told
        assert caveat in terminal
        assert caveat.replace("`", "") in page
    assert "### Files without a full, parsed port" in text_of(report, ".md")
    for suffix in FORMATS:
        assert "100%" not in re.sub("width: 100%", "", text_of(report, suffix))


def test_sites_of_a_failed_file_are_not_ported() -> None:
    source = "cudaFree(0);"
    finding = site(source, "cudaFree", "hipFree", Safety.EXACT)
    report = PortReport((FilePort("a.cu", "", FileStatus.FAILED, source, "", (finding,), problem="disk full"),))
    assert data_of(report, ".json")["counts"] == {
        "sites": 1,
        "left": 1,
        **dict.fromkeys(("exact", "hint", "slower", "review", "error"), 0),
    }
    (result,) = data_of(report, ".sarif")["runs"][0]["results"]
    assert result["level"] == "error"
    assert "fixes" not in result
    assert "hipFree(0)" not in text_of(report, ".md")


def test_what_nobody_compiles_is_told_apart_in_every_format() -> None:
    source = "a(); b();\nc();\n"
    left = [site(source, name, None, Safety.LEFT, message=f"{name} is left") for name in "abc"]
    review = replace(site(source, "c", "d", Safety.REVIEW, "ballot", "c is doubtful"), compiled=False)
    findings = (replace(left[0], compiled=False), left[1], review)
    report = PortReport((ported(source, *findings), ported(source, *findings[1:], path="b.cu")))
    headline = "5 sites: 2 for review (2 in code that is not compiled), 3 left (1 in code that is not compiled)"
    assert summarize(report, RULES).headline == headline
    terminal = terminal_of(report)
    assert "left: in code that is not compiled: a is left [rename]" in terminal
    assert terminal.index("b is left") > terminal.rindex("c is doubtful")
    assert terminal.index("a is left") < terminal.index("b is left")  # what matters comes last, where it is seen
    assert "### Needs a person: 5 sites, 3 of them in code that is not compiled" in text_of(report, ".md")
    assert "**for review, in code that is not compiled** " in text_of(report, ".md")
    assert "left, in code that is not compiled" in Page(text_of(report, ".html")).text
    document = data_of(report, ".json")
    assert document["not_compiled"] == {"review": 2, "left": 1}
    assert [f["compiled"] for f in document["files"][0]["findings"]] == [False, True, False]
    levels = [r["level"] for r in data_of(report, ".sarif")["runs"][0]["results"]]
    assert levels == ["note", "error", "note", "error", "note"]


def test_what_nothing_calls_is_told_apart_in_every_format() -> None:
    source = "a(); b();\nc();\n"
    one, two = (site(source, name, None, Safety.LEFT, message=f"{name} is left") for name in "ab")
    review = replace(site(source, "c", "d", Safety.REVIEW, "ballot", "c is doubtful"), called=False)
    report = PortReport((ported(source, replace(one, called=False), two, review),))
    aside = "in headers' code that nothing here reaches"
    assert summarize(report, RULES).headline == f"3 sites: 1 for review (1 {aside}), 2 left (1 {aside})"
    terminal = terminal_of(report)
    assert f"left: 1 site {aside}: " in terminal and "a is left" not in terminal  # a line for each rule
    assert terminal.index("b is left") > terminal.rindex(aside, 0, terminal.rindex("3 sites"))
    assert f"### Needs a person: 3 sites, 2 of them {aside}" in text_of(report, ".md")
    assert f"**left, {aside}** " in text_of(report, ".md") and "a is left" in text_of(report, ".md")
    assert f"left, {aside}" in Page(text_of(report, ".html")).text
    document = data_of(report, ".json")
    assert document["not_called"] == {"review": 1, "left": 1} == document["files"][0]["not_called"]
    assert [f["called"] for f in document["files"][0]["findings"]] == [False, True, False]
    levels = [r["level"] for r in data_of(report, ".sarif")["runs"][0]["results"]]
    assert levels == ["note", "error", "note"]


def test_missing_headers_are_told_in_every_format() -> None:
    report = nasty_report()
    for text in (terminal_of(report), Page(text_of(report, ".html")).text, text_of(report, ".json")):
        assert "caf\u00e9.h stood in for" in text
    assert "caf\u00e9.h stood in for" in text_of(report, ".md")
    assert "caf\u00e9.h stood in for" in text_of(report, ".sarif")


# --- before and after ----------------------------------------------------------------------------


def changes(source: str, *findings: Finding) -> list[list[tuple[int, tuple[str, ...], tuple[str, ...] | None]]]:
    file = summarize(PortReport((ported(source, *findings),)), RULES).files[0]
    return [[(c.line, c.before, c.after) for c in s.changes] for s in file.sites]


def edit(source: str, *edits: Edit) -> Finding:
    return Finding("r", edits[0].start, edits[-1].end, Safety.EXACT, "m", edits)


def test_a_line_shows_the_edits_of_all_its_sites() -> None:
    source = "x;\ncudaA(cudaB());\ny;\n"
    both = [(2, ("cudaA(cudaB());",), ("hipA(hipB());",))]
    findings = [site(source, name, name.replace("cuda", "hip"), Safety.EXACT) for name in ("cudaA", "cudaB")]
    assert changes(source, *findings) == [both, both]


def test_holes_are_filled() -> None:
    source = "old(cudaA, b);"
    outer = edit(source, Edit(0, 13, f"new({hole(11, 12)}, {hole(4, 9)})"))
    inner = edit(source, Edit(4, 9, "hipA"))
    assert changes(source, outer, inner)[0] == [(1, ("old(cudaA, b);",), ("new(b, hipA);",))]
    document = data_of(PortReport((ported(source, outer, inner),)), ".json")
    assert [e["after"] for f in document["files"][0]["findings"] for e in f["edits"]] == [
        "new(b, cudaA)",
        "hipA",
    ]


def test_distant_edits_of_one_site_are_two_hunks() -> None:
    source = "a;\nb;\nc;\nd;\n"
    (hunks,) = changes(source, edit(source, Edit(0, 1, "A"), Edit(9, 10, "D")))
    assert hunks == [(1, ("a;",), ("A;",)), (4, ("d;",), ("D;",))]


@pytest.mark.parametrize(
    ("source", "start", "end", "text", "expected"),
    [
        ("a\nb\nc\n", 2, 4, "", (2, ("b",), ())),  # a whole line goes
        ("a\nb\nc\n", 2, 2, "new\n", (2, ("b",), ("new", "b"))),  # a line before another
        ("a\nb", 3, 3, "!", (2, ("b",), ("b!",))),  # at the end, without a newline there
        ("a\n", 2, 2, "end\n", (2, (), ("end",))),  # at the end, after one
        ("a\nb\nc\n", 1, 2, " ", (1, ("a", "b"), ("a b",))),  # lines that join
        ("a\r\nb\r\nc\r\n", 3, 4, "B\r\nB", (2, ("b",), ("B", "B"))),
        ("\xef\xbb\xbfa\n", 3, 4, "b", (1, ("a",), ("b",))),
        ("x\x85y\x0cz\n", 0, 1, "w", (1, ("x\ufffdy\u240cz",), ("w\ufffdy\u240cz",))),
        ("", 0, 0, "all\n", (1, (), ("all",))),
    ],
)
def test_lines_before_and_after(source: str, start: int, end: int, text: str, expected: object) -> None:
    assert changes(source, edit(source, Edit(start, end, text))) == [[expected]]


def test_only_a_part_of_a_very_long_line_is_shown() -> None:
    source = "\xc3\xa9" * 5000 + "cudaA();" + "\xc3\xa9" * 5000 + "\n"
    ((line, before, after),) = changes(source, site(source, "cudaA", "hipA", Safety.EXACT))[0]
    assert line == 1
    assert re.fullmatch("\u2026\u00e9.{0,400}\u00e9\u2026", before[0])
    assert after == (before[0].replace("cudaA", "hipA"),)
    assert "\ufffd" not in before[0]


def test_the_lines_shown_are_those_of_the_port() -> None:
    report = nasty_report()
    port = [show(line) for line in re.split(r"\r\n|\n", report.files[0].port.removeprefix("\xef\xbb\xbf"))]
    for s in summarize(report, RULES).files[0].sites:
        for change in s.changes:
            assert set(change.after or change.before) <= set(port)


def test_columns_are_utf16_without_the_bom() -> None:
    source = "\xef\xbb\xbfab\r\n\xc3\xa9\xf0\x9f\x98\x80\xff|x\rz"
    lines = SourceLines(source)
    at = lines.position(source.index("b"))
    assert (at.line, at.column) == (1, 2)
    at = lines.position(source.index("|"))
    assert (at.line, at.column) == (2, 1 + 1 + 2 + 1)
    at = lines.position(source.index("z"))
    assert (at.line, at.column) == (3, 1)
    at = lines.position(10**9)
    assert (at.line, at.column) == (3, 2)


def test_apart_keeps_insertions_beside_edits() -> None:
    edits = [Edit(2, 4, "B"), Edit(2, 2, "<"), Edit(4, 4, ">"), Edit(2, 2, "<")]
    assert apart("aabbcc", edits) == [Edit(2, 2, "<"), Edit(2, 4, "B"), Edit(4, 4, ">")]


def test_prose_reads_quoted_source_and_keeps_unicode() -> None:
    assert prose("caf\xc3\xa9\r\nx\x1b[1m") == "caf\u00e9 x\u241b[1m"
    assert prose("a \u2192 b \xd7 2") == "a \u2192 b \xd7 2"
    assert prose("fa\udcffil") == "fa\ufffdil"


def test_code_cannot_reorder_itself() -> None:
    assert "\u202e" not in show("\xe2\x80\xae x")


# --- fingerprints --------------------------------------------------------------------------------


def fingerprints(source: str, path: str = "a.cu") -> list[str]:
    starts = [m.start() for m in re.finditer("cuda", source)]
    findings = [Finding("r", at, at + 4, Safety.EXACT, "m") for at in starts]
    files = summarize(PortReport((ported(source, *findings, path=path),)), RULES).files
    return [s.fingerprint for s in files[0].sites]


def test_fingerprints_survive_moved_and_reindented_lines() -> None:
    before = fingerprints("cudaA();\ncudaB(); cudaB();\n")
    assert len(set(before)) == 3
    assert fingerprints("// new\n\n\tcudaA();\r\n  cudaB();  cudaB();\n") == before
    assert fingerprints("cudaA();\ncudaB(); cudaB();\n", "b.cu") != before
    assert fingerprints("cudaA();\ncudaB(); cudaB();\n", "./x/../a.cu") == before


def test_identical_lines_differ_by_occurrence() -> None:
    assert len(set(fingerprints("cudaA();\ncudaA();\n"))) == 2


# --- JSON ----------------------------------------------------------------------------------------


def json_schema() -> Any:
    folder = importlib.resources.files("porter.report") / "schema"
    return json.loads((folder / "porter-report-1.json").read_text("utf-8"))


def test_json_follows_its_schema(report: PortReport) -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(data_of(report, ".json"))


def test_the_schema_names_every_field_that_is_written() -> None:
    def closed(node: Any) -> Any:
        if isinstance(node, list):
            return [closed(item) for item in node]
        if not isinstance(node, dict):
            return node
        extra = {} if "properties" not in node else {"additionalProperties": False}
        return {key: closed(value) for key, value in node.items()} | extra

    jsonschema.Draft202012Validator(closed(json_schema())).validate(data_of(nasty_report(), ".json"))


def test_json_edits_are_exact_even_where_bytes_are_not_utf8() -> None:
    source = "f(\xff);"
    finding = edit(source, Edit(0, 4, "g(\xc3\xa9\xfe)"))
    document = data_of(PortReport((ported(source, finding),)), ".json")
    (written,) = document["files"][0]["findings"][0]["edits"]
    assert base64.b64decode(written["before_base64"]) == b"f(\xff)"
    assert base64.b64decode(written["after_base64"]) == b"g(\xc3\xa9\xfe)"
    assert written["after"] == "g(\u00e9\ufffd)"


# --- SARIF ---------------------------------------------------------------------------------------


def thing(required: str, optional: str = "", **properties: Any) -> dict[str, Any]:
    names = [*required.split(), *optional.split()]
    return {
        "type": "object",
        "required": required.split(),
        "properties": {name: properties.get(name, {}) for name in names},
        "additionalProperties": False,
    }


def many(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


TEXT = {"type": "string"}
POSITIVE = {"type": "integer", "minimum": 1}
BAG = {"type": "object"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = thing("text", text=TEXT)
# A relative URI reference without characters that must be encoded, or an absolute file URI.
URI = {"type": "string", "pattern": r"^(file:///)?(?!/)([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"}
ARTIFACT = thing("uri", "index", uri=URI, index={"type": "integer", "minimum": 0})
REGION = thing(
    "startLine startColumn endLine endColumn",
    startLine=POSITIVE,
    startColumn=POSITIVE,
    endLine=POSITIVE,
    endColumn=POSITIVE,
)
LOCATION = thing(
    "physicalLocation",
    physicalLocation=thing("artifactLocation", "region", artifactLocation=ARTIFACT, region=REGION),
)
CONTENT = {"oneOf": [thing("text", text=TEXT), thing("binary", binary=TEXT)]}
REPLACEMENT = thing("deletedRegion", "insertedContent", deletedRegion=REGION, insertedContent=CONTENT)
CHANGE = thing("artifactLocation replacements", artifactLocation=ARTIFACT, replacements=many(REPLACEMENT, minItems=1))
RESULT = thing(
    "ruleId ruleIndex level message locations partialFingerprints properties",
    "fixes",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=many(LOCATION, minItems=1),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    properties=BAG,
    fixes=many(
        thing("artifactChanges", "description", artifactChanges=many(CHANGE, minItems=1), description=MESSAGE),
        uniqueItems=True,
    ),
)
RULE = thing(
    "id shortDescription fullDescription help",
    "helpUri",
    id=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=thing("text", "markdown", text=TEXT, markdown=TEXT),
    helpUri={"type": "string", "format": "uri"},
)
NOTIFICATION = thing("message", "level locations", message=MESSAGE, level=LEVEL, locations=many(LOCATION))
RUN = thing(
    "tool invocations columnKind newlineSequences defaultEncoding artifacts results properties",
    tool=thing(
        "driver",
        driver=thing("name rules", "version", name=TEXT, version=TEXT, rules=many(RULE, uniqueItems=True)),
    ),
    invocations=many(
        thing(
            "executionSuccessful",
            "toolExecutionNotifications",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=many(NOTIFICATION),
        )
    ),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    newlineSequences=many(TEXT, minItems=1, uniqueItems=True),
    defaultEncoding=TEXT,
    artifacts=many(thing("location", "properties", location=ARTIFACT, properties=BAG), uniqueItems=True),
    results=many(RESULT),
    properties=BAG,
)
# What porter writes, as the OASIS schema has it: the same names, types and required fields, and
# stricter in that nothing else may be there.
SARIF = thing("$schema version runs", version={"const": "2.1.0"}, runs=many(RUN, minItems=1, maxItems=1))


def test_sarif_has_the_structure_of_the_standard(report: PortReport) -> None:
    document = data_of(report, ".sarif")
    jsonschema.Draft202012Validator(SARIF).validate(document)
    run = document["runs"][0]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]["physicalLocation"]
        artifact = run["artifacts"][location["artifactLocation"]["index"]]
        assert artifact["location"]["uri"] == location["artifactLocation"]["uri"]
        region = location["region"]
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    keys = [(r["ruleId"], r["partialFingerprints"]["porterFinding/v1"]) for r in run["results"]]
    assert len(keys) == len(set(keys))


def test_a_port_that_no_edits_explain_is_one_edit() -> None:
    file = FilePort("a.cu", "a.hip", FileStatus.PORTED, "int cuda; int b;", "int hip; int b;")
    (data,) = data_of(PortReport((file,)), ".json")["files"]
    assert [(e["start"], e["end"], e["after"]) for e in data["edits"]] == [(4, 8, "hip")]


def test_sarif_fixes_give_the_port() -> None:
    source = "\tcudaFree(\xc3\xa9); cudaReset();\r\nx = cudaY;\r\n"
    findings = [site(source, n, n.replace("cuda", "hip"), Safety.EXACT) for n in ("cudaFree", "cudaReset", "cudaY")]
    file = ported(source, *findings)
    run = whole_sarif(PortReport((file,)))["runs"][0]
    lines = re.split("(?<=\n)", source.encode("latin-1").decode())
    fixes = [r["fixes"][0]["artifactChanges"][0]["replacements"][0] for r in run["results"]]
    for fix in reversed(fixes):
        region = fix["deletedRegion"]
        assert region["startLine"] == region["endLine"]
        line = lines[region["startLine"] - 1]
        new = fix["insertedContent"]["text"]
        lines[region["startLine"] - 1] = line[: region["startColumn"] - 1] + new + line[region["endColumn"] - 1 :]
    assert "".join(lines) == file.port.encode("latin-1").decode()


def test_sarif_uris() -> None:
    uris = [a["location"]["uri"] for a in data_of(nasty_report(), ".sarif")["runs"][0]["artifacts"]]
    assert uris[:2] == ["a%7Cb%20%60c%60%20%26amp%3B%20%3Cd%3E.cu", "sub%20dir/fa%FFil.cu"]
    here = str(Path("sub/a.cu").resolve())
    assert summarize(PortReport((FilePort(here, "", FileStatus.UNCHANGED),)), RULES).files[0].uri == "sub/a.cu"
    assert summarize(PortReport((FilePort("/no/a b.cu", "", FileStatus.UNCHANGED),)), RULES).files[0].uri == (
        "file:///no/a%20b.cu"
    )


def test_sarif_lists_exact_sites_on_demand(report: PortReport) -> None:
    short, long = data_of(report, ".sarif")["runs"][0], whole_sarif(report)["runs"][0]
    assert "exact" not in {r["properties"]["safety"] for r in short["results"]}
    rest = [r for r in long["results"] if r["properties"]["safety"] != "exact"]
    assert len(long["results"]) - len(rest) == short["properties"]["counts"]["exact"]
    assert [{**r, "ruleIndex": 0} for r in rest] == [{**r, "ruleIndex": 0} for r in short["results"]]
    assert {rule["id"] for rule in short["tool"]["driver"]["rules"]} == {r["ruleId"] for r in short["results"]}
    assert (short["properties"]["exactListed"], long["properties"]["exactListed"]) == (False, True)


def test_sarif_levels() -> None:
    results = whole_sarif(nasty_report())["runs"][0]["results"]
    levels = {r["properties"]["safety"]: r["level"] for r in results}
    assert levels == {"exact": "note", "slower": "note", "review": "warning", "left": "error"}


# --- Markdown ------------------------------------------------------------------------------------


def outside_fences(text: str) -> Iterator[str]:
    fence = ""
    for line in text.splitlines():
        if fence:
            fence = "" if line.lstrip(" ") == fence else fence
        elif opened := re.match(" *(`{3,})diff$", line):
            fence = opened[1]
        else:
            yield line
    assert not fence


def test_markdown_fits_a_comment(report: PortReport) -> None:
    text = text_of(report, ".md")
    assert len(text) < 60_000
    outside = list(outside_fences(text))
    assert outside.count("<details>") == outside.count("</details>")


def test_markdown_tells_what_is_not_shown() -> None:
    text = text_of(large_report(), ".md")
    shown = len(re.findall(r"^\*\*(?:left|for review)\*\* ", text, re.M))
    assert 50 < shown < 2500
    assert f"*{2500 - shown:,} of these 2,500 sites not shown here: the JSON report" in text
    assert text.index("### Needs a person") < text.index("Ported slower") < text.index("Ported exactly")
    hidden = [int(n.replace(",", "")) for n in re.findall(r"\*([\d,]+) sites? not shown here", text)]
    listed = len(re.findall(r"^  - 1: ", text, re.M))
    assert sum(hidden) + listed == 2500


def test_markdown_escapes() -> None:
    text = text_of(nasty_report(), ".md")
    outside = "\n".join(outside_fences(text))
    rows = [line for line in outside.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {9}
    plain = re.sub(r"`[^`\n]+`", "", outside)
    assert set(re.findall(r"<(/?\w+)", plain)) <= {
        "details",
        "/details",
        "summary",
        "/summary",
        "code",
        "/code",
        "br",
        "sub",
        "/sub",
    }
    assert not re.search(r"(?<![&\w])[@#]\w", plain.replace(".cu#L", ""))  # nobody is notified, no issue linked
    assert "\x1b" not in text
    fences = re.findall(r"^(`{3,})diff$", text, re.M)
    assert "``````" in fences  # longer than the run of five in the source


def test_markdown_many_files_keep_the_total() -> None:
    files = tuple(FilePort(f"{'d' * 50}/{i}.cu", "", FileStatus.FAILED, problem="p " * 900) for i in range(3000))
    text = text_of(PortReport(files), ".md")
    assert len(text) < 60_000
    assert "more files not shown" in text
    assert "and 2,980 more: not ported: p p" in text
    assert "| **Total** |" in text


def test_markdown_cuts_one_huge_change() -> None:
    source = "cudaA();\n"
    finding = site(source, "cudaA", "\n".join("`" * 90 + "\xc3\xa9" * 9000 for _ in range(900)), Safety.REVIEW, "ptx")
    text = text_of(PortReport((ported(source, finding),)), ".md")
    assert len(text) < 15_000
    assert "more lines)" in text
    list(outside_fences(text))


CUDA = """__global__ void k(int *x, int *y) {
  asm volatile("{\\n\\t.reg .pred p;\\n\\t"
               "setp.ne.b32 p, %0, 0;\\n\\t"
               "@p st.global.u32 [%1], %2;\\n\\t}" :: "r"(y[0]), "l"(y + 3), "r"(y[1]));
  cudaFrobnicate(LONG); x[0] = __any_sync(~0u, x[1]);
}
""".replace("LONG", "1, " * 200 + "2")


def test_markdown_shows_statements_of_several_lines_and_the_changed_words_of_long_ones(tmp_path: Path) -> None:
    text = text_of(PortReport((port(CUDA, tmp_path),)), ".md")
    blocks = re.findall(r"^    ```diff\n(.*?)^    ```$", text, re.M | re.S)
    (block,) = (block for block in blocks if block.startswith('    @@ line 2 @@\n    -   asm volatile("{'))
    assert "    +     if (p) porter::st<uint32_t>(porter::global(y + 3), y[1]);\n" in block
    (example,) = re.findall(r"<br>`(.*)` \u2192 `(.*)`<br>", text)
    assert all(len(side) <= 90 and side.startswith("\u2026") for side in example)
    assert "__any_sync(~0u" in example[0] and "porter::any_sync(~0u" in example[1]


def test_markdown_puts_carets_under_changed_words() -> None:
    source = "\tcudaFree(a); cudaY(" + "b, " * 150 + "c);\n"
    text = text_of(PortReport((ported(source, site(source, "cudaFree", "hipFree", Safety.REVIEW)),)), ".md")
    assert "\n+ \thipFree(a); cudaY(b, " in text and "\n  \t^^^^^^^\n" in text
    assert "\u2026\n" in text and max(map(len, text.splitlines())) < 250


# --- HTML ----------------------------------------------------------------------------------------


def test_html_is_one_well_formed_file_without_scripts(report: PortReport) -> None:
    text = text_of(report, ".html")
    page = Page(text)
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "link", "img", "iframe", "object", "base"}
    for _, attributes in page.tags:
        assert not [a for a in attributes if a.startswith("on") or a == "src"]
    targets = [a["href"] for tag, a in page.tags if tag == "a"]
    ids = [a["id"] for tag, a in page.tags if tag == "article"]
    assert (
        targets == [f"#{name}" for name in ids] and len(ids) == len(set(ids)) == summarize(report, RULES).counts.sites
    )
    assert "\x1b" not in text


def test_html_shows_both_sides_and_filters() -> None:
    page = Page(text_of(nasty_report(), ".html"))
    assert "int m = __ballot_sync(~0u, p | q);" in page.text
    assert "int m = porter::ballot(p | q);" in page.text
    boxes = {a["id"] for tag, a in page.tags if tag == "input"}
    assert boxes == {f"show-{safety.value}" for safety in (Safety.EXACT, Safety.SLOWER, Safety.REVIEW, Safety.LEFT)}
    assert any(tag == "svg" for tag, _ in page.tags)
    text = text_of(nasty_report(), ".html")
    assert "int m = <del>__ballot_sync</del>(" in text and "int m = <ins>porter::ballot</ins>(" in text
    assert "<script>alert(1)</script>" in page.text  # as text


def test_places_link_to_an_address() -> None:
    summary = summarize(nasty_report(), RULES, choices=Choices(link_base="https://a.example/blob/1f2e/"))
    address = "https://a.example/blob/1f2e/a%7Cb%20%60c%60%20%26amp%3B%20%3Cd%3E.cu#L"
    markdown, page = FORMATS[".md"](summary), Page(FORMATS[".html"](summary))
    links = {a["href"] for tag, a in page.tags if tag == "a" and (a["href"] or "").startswith("https:")}
    expected = {f"{address}{line}" for line in (1, 3, 4, 5)} | {"https://a.example/blob/1f2e/t.cu#L1"}
    assert links == expected
    assert all(f"]({link})" in markdown for link in expected)
    assert "](a%7Cb%20%60c%60%20%26amp%3B%20%3Cd%3E.cu#L4)" in text_of(nasty_report(), ".md")
    choices = Choices(link_base="https://a.example")
    assert choices.link("file:///else/a.cu", 3) == choices.link("../a.cu", 3) == Choices().link("a.cu", 3) == ""
    with pytest.raises(UsageError, match="no address"):
        check_addresses("", 'https://a.example/"onclick=x')


# --- terminal ------------------------------------------------------------------------------------


def test_terminal_is_plain_lines_when_it_is_a_file() -> None:
    text = terminal_of(nasty_report())
    assert "\x1b" not in text
    assert "a|b `c` &amp; <d>.cu:4:3: left: inline PTX" in text
    assert "        5 -   int m = __ballot_sync(~0u, p | q);\n          +   int m = porter::ballot(p | q);" in text
    places = [text.index(f"{word}: ") for word in ("exact", "slower", "for review", "left")]
    assert places == sorted(places)  # what needs a person is what is read last
    assert "exact: 3 sites: A CUDA name with a HIP twin [rename]" in text


def test_the_terminal_marks_changed_words_and_reasons_are_cut_at_a_sentence() -> None:
    source = "int m = __ballot_sync(p);\n"
    report = PortReport((ported(source, site(source, "__ballot_sync", "porter::ballot", Safety.REVIEW, "ballot")),))
    text = terminal_of(report, force_terminal=True, color_system="standard")
    assert re.search(r"- int m = \x1b\[0m\x1b\[1;4;31m__ballot_sync\x1b", text)
    assert re.search(r"\+ int m = \x1b\[0m\x1b\[1;4;32mporter::ballot\x1b", text)
    long = {"ballot": RuleText("ballot", "a title", "A sentence of\n\ntwo lines. " * 80)}
    markdown = FORMATS[".md"](summarize(report, long))
    assert re.search(r"^Why: (A sentence of two lines\. )+`porter explain ballot` says the rest\.$", markdown, re.M)


def test_formats_of_the_terminal() -> None:
    source = "a(); b();\nc();\nd();\n"
    one, two = (site(source, name, None, Safety.LEFT, message=f"{name}: 5% is left") for name in "ab")
    review = site(source, "c", "x", Safety.REVIEW, "ballot", "c is doubtful")
    accepted = replace(site(source, "d", None, Safety.LEFT), accepted="reason")
    failed = FilePort("f.cu", "f.hip", FileStatus.FAILED, "x", "x", problem="no, it is cut")
    report = PortReport((ported(source, one, replace(two, compiled=False), review, accepted, path="s,a.cu"), failed))
    headline = "4 sites: 1 for review, 3 left (1 in code that is not compiled, 1 accepted)"
    assert terminal_of(report, form="concise").splitlines() == [
        "s,a.cu:1:1: left: a: 5% is left [rename]",
        "s,a.cu:2:1: for review: c is doubtful [ballot]",
        "f.cu: not ported: no, it is cut",
        "2 files: 1 ported, 1 failed",
        headline,
    ]
    assert terminal_of(report, form="github").splitlines()[:3] == [
        "::error file=s%2Ca.cu,line=1,col=1,endLine=1,title=porter rename::a: 5%25 is left",
        "::warning file=s%2Ca.cu,line=2,col=1,endLine=2,title=porter ballot::c is doubtful",
        "::error file=f.cu,title=porter::not ported: no, it is cut",
    ]
    assert terminal_of(report, form="json") == text_of(report, ".json")


def test_the_terminal_says_where_the_port_is_and_what_comes_next() -> None:
    left = site("a();", "a", None, Safety.LEFT)
    one = PortReport((ported("a();", left, path="x/a.cu"),))
    assert terminal_of(one, written=True).splitlines()[-3:] == [
        "1 file: 1 ported; written to a.hip",
        "next: fix or accept the site above, then porter verify a.hip",
        "1 site: 1 left",
    ]
    aside = PortReport((ported("a();", replace(left, called=False), path="x/a.cu"),))
    assert "\nnothing to do; next: porter verify a.hip\n" in terminal_of(aside, written=True)
    here = (FilePort("a.cu", "a.hip", FileStatus.UNCHANGED), FilePort("lib/b.h", "lib-hip/b.h", FileStatus.UNCHANGED))
    assert "; written to .\nnext: porter verify .\n" in terminal_of(PortReport(here), written=True)
    files = (FilePort(f"s/{n}.cu", f"out/s/{n}.hip", FileStatus.UNCHANGED) for n in "ab")
    assert "; written to out/s\nnext: porter verify out/s\n" in terminal_of(PortReport(tuple(files)), written=True)


def test_the_terminal_names_reports_and_where_the_case_is() -> None:
    one = PortReport((ported("a();", path="x/a.cu"),))
    said = terminal_of(one, written=True, reports=(Path("r.md"), Path("r.sarif")), case=None)
    assert "1 file: 1 ported; written to a.hip; report: r.md, r.sarif\n" in said
    assert "next: write a case: porter verify a.hip --init FUNCTION\n" in said
    assert "next: porter verify x/a.cu\n" in terminal_of(one, written=True, case="x/a.cu")
    assert "next:" not in terminal_of(one, reports=(Path("r.md"),))


def test_the_terminal_says_nothing_twice() -> None:
    """A file alone has no line of its own beside the headline, and no table."""
    left = site("a();", "a", None, Safety.LEFT)
    for options in ({}, {"force_terminal": True}):
        assert terminal_of(PortReport((ported("a();", left),)), **options).count("1 left") == 1


def test_the_table_of_files_has_what_differs() -> None:
    source = "a();\nb();\n"
    left, exact = site(source, "a", None, Safety.LEFT), site(source, "b", "c", Safety.EXACT)
    files = [ported(source, left, exact, path="top/s/a.cu"), ported(source, exact, path="top/b.cu")]
    idle = FilePort("top/h.h", "h.h", FileStatus.UNCHANGED)
    options = {"force_terminal": True, "color_system": None}
    lines = [line.split() for line in terminal_of(PortReport((*files, idle)), **options).splitlines()]
    assert ["file", "in", "top", "exact", "left"] in lines  # not how they were parsed, which is alike
    assert ["s/a.cu", "1", "1"] in lines and ["b.cu", "1"] in lines
    assert not any(line and line[0] == "h.h" for line in lines)
    failed = FilePort("/far/f.cu", "f.hip", FileStatus.FAILED, problem="no, it is cut")
    lines = [line.split() for line in terminal_of(PortReport((*files, failed)), **options).splitlines()]
    assert ["file", "result", "exact", "left"] in lines and ["/far/f.cu", "failed"] in lines


def test_words_stay_whole_on_a_terminal() -> None:
    left = site("a();", "a", None, Safety.LEFT, message="antidisestablishmentarianism " * 8)
    text = terminal_of(PortReport((ported("a();", left),)), force_terminal=True, color_system=None)
    assert text.count("antidisestablishmentarianism") == 8
    assert all(len(line) <= 100 for line in text.splitlines())


def test_terminal_honours_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    colour = re.compile("\x1b\\[[0-9;]*3[0-9]m")
    assert colour.search(terminal_of(nasty_report(), force_terminal=True, color_system="standard"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colour.search(terminal_of(nasty_report(), force_terminal=True, color_system="standard"))


def test_terminal_survives_an_ascii_log() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    print_terminal(nasty_report(), RULES, Console(file=out, width=60, force_terminal=True))
    out.flush()
    assert b"6 sites" in raw.getvalue()


def test_rule_without_text_is_named_by_its_id() -> None:
    finding = site("cudaA", "cudaA", "hipA", Safety.LEFT, "user-rule")
    report = PortReport((ported("cudaA", finding),))
    for suffix in FORMATS:
        assert "user-rule" in text_of(report, suffix)


# --- writing -------------------------------------------------------------------------------------


def test_only_reports_are_overwritten(tmp_path: Path) -> None:
    for suffix in FORMATS:
        path = tmp_path / f"out{suffix}"
        for report in REPORTS.values():
            write_report(report(), RULES, path)
            check_place(path)
        path.write_text(path.read_text("utf-8").replace("porter", "other"))
        with pytest.raises(UsageError, match="exists, and is no report") as raised:
            check_place(path)
        assert "--force" in raised.value.fix
        check_place(path, force=True)
        path.write_text("")  # as mktemp makes it
        check_place(path)
    check_place(tmp_path / "new.md")
    check_place(tmp_path)  # what is no file is told where it is written


def test_suffix_chooses_the_format(tmp_path: Path) -> None:
    for suffix in FORMATS:
        path = tmp_path / f"out{suffix.upper()}"
        write_report(nasty_report(), RULES, path)
        assert path.read_bytes().decode("utf-8") == text_of(nasty_report(), suffix)
    assert len(list(tmp_path.iterdir())) == len(FORMATS)


@pytest.mark.parametrize("name", ["out.txt", "out", "out.md.gz"])
def test_other_suffixes_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as error:
        write_report(nasty_report(), RULES, tmp_path / name)
    assert all(suffix in error.value.fix for suffix in FORMATS)
    with pytest.raises(UsageError):
        check_suffix(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_mode_follows_the_umask_and_links_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.md").symlink_to(tmp_path / "real" / "out.md")
    previous = os.umask(0o027)
    try:
        write_report(nasty_report(), RULES, tmp_path / "link.md")
    finally:
        os.umask(previous)
    assert (tmp_path / "link.md").is_symlink()
    assert stat.S_IMODE((tmp_path / "real" / "out.md").stat().st_mode) == 0o640


def refused(folder: Path, path: Path) -> str:
    before = sorted(folder.rglob("*"))
    with pytest.raises(OutputError) as error:
        write_report(large_report(100), RULES, path)
    assert str(path) in error.value.problem
    assert "\n" not in error.value.problem
    assert error.value.fix
    assert sorted(folder.rglob("*")) == before
    return error.value.problem


def test_a_full_disk_leaves_the_old_report(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))  # a write that really fails half-way
    try:
        refused(tmp_path, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "old"


@pytest.mark.parametrize("call", ["open", "replace"])
def test_errors_of_the_system_become_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "out.md"
    path.write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    assert "No space left on device" in refused(tmp_path, path)
    assert path.read_text() == "old"


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_report(nasty_report(), RULES, tmp_path / "out.html")
    assert not list(tmp_path.iterdir())


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.md").mkdir()
    refused(tmp_path, tmp_path / "file" / "out.md")
    refused(tmp_path, tmp_path / "missing" / "out.md")
    assert "folder" in refused(tmp_path, tmp_path / "folder.md")


@pytest.mark.slow
def test_time_grows_with_the_number_of_findings_only() -> None:
    begin = time.process_time()
    report = large_report(10_000)
    for suffix in FORMATS:
        text_of(report, suffix)
    assert time.process_time() - begin < 20
