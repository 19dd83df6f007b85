"""Machine code of NVIDIA's that a program loads at run time: PTX in a string literal, files with PTX or a cubin."""

from __future__ import annotations

import re

from porter.findings import Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.literal_text import literal_text
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_PTX = re.compile(r"(?:^|[\n;])\s*\.version\s+\d+\.\d+\s.*?\.target\s+\w+", re.DOTALL)
_FILE = re.compile(r'\.(ptx|cubin|fatbin)"\Z')
_LOADS = ("cuModuleLoad", "cuLinkAddFile", "cuLibraryLoadFromFile", "cuModuleLoadFatBinary", "cuModuleLoadData")
_TEXT = (
    "the PTX in this string is not ported: hipModuleLoadData takes code objects for AMD's GPUs. Port the CUDA source that it "
    "was made from, and compile that with --genco or by hiprtc"
)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    tokens = unit.tokens
    loads = any(unit.file.places(*_LOADS))
    if not loads and ".target" not in unit.file.text:
        return []
    index = 0
    while index < len(tokens):
        last = index
        while last < len(tokens) and tokens[last].kind == Kind.STRING:
            last += 1
        if last > index:
            start, end = tokens[index].start, tokens[last - 1].end
            literal = literal_text(unit.file.text, [(t.start, t.end) for t in tokens[index:last]])
            file = _FILE.search(tokens[last - 1].text)
            if literal is not None and ".target" in literal.text and _PTX.search(literal.text):
                findings.append(Finding("ptx-text", start, end, Safety.LEFT, _TEXT))
            elif loads and file:
                message = (
                    f"a .{file[1]} file has NVIDIA's code: load the code object that hipcc --genco makes of the port"
                )
                findings.append(Finding("ptx-text", start, end, Safety.REVIEW, message))
        index = max(last, index + 1)
    return findings
