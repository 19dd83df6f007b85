"""Units in which it matters which warp does what: each CUDA warp gets a wave of its own (porter/mirror.h).

A wave of 64 lanes that held two warps would run the roles of both one after the other: a warp that waits for its
neighbour would never see it arrive. And what a warp does as one (matrix products, copies) has all lanes this way.
What the header cannot do is done here: the macro that turns it on, the blocks of launches, blockDim.
"""

from __future__ import annotations

import re

from porter.comments import newline_of
from porter.frontend.lexer import Kind, launch_arguments
from porter.frontend.project import SourceFile
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety, encode
from porter.rules import RuleSet

__all__ = ["has_named_barriers", "needs_mirrors", "run", "waits_for_wgmma"]

HEADER = "porter/mirror.h"
RULE = "warp-roles"

# Instructions by which warps wait for each other or work as one; bar.sync with the number of threads is one of them.
_NAMED = rb"\bbar(?:rier)?\.(?:cta\.)?(?:sync|arrive|red)[\w.]*\s+[^;\"]*,"
_NAMED_BARRIER = re.compile(_NAMED)
_ROLES = re.compile(
    rb"\b(?:wgmma|setmaxnreg|ldmatrix|stmatrix|movmatrix|mbarrier)\.\w|\bmma\.sync\b|\bcp\.async\.bulk\b|" + _NAMED
)
_WGMMA = re.compile(rb"\bwgmma\.wait_group\b")
_HEADERS = ("<mma.h>", "<crt/mma.h>")  # nvcuda::wmma
_LAUNCH_CALLS = {"cudaLaunchKernel": 2, "cudaLaunchCooperativeKernel": 2}  # number of the block among the arguments


def needs_mirrors(source: SourceFile) -> bool:
    """Whether a string of the file, not a comment, has such an instruction, or it includes a header that stands for some."""
    if _ROLES.search(source.data) is None and b"mma.h>" not in source.data:
        return False
    headers = (t.text for t in source.tokens.tokens if t.kind == Kind.HEADER)
    return _in_a_string(_ROLES, source) or any(text in _HEADERS for text in headers)


def has_named_barriers(source: SourceFile) -> bool:
    """Barriers with a number of their own: memory of the block, which each kernel has to clear first."""
    return _in_a_string(_NAMED_BARRIER, source)


def waits_for_wgmma(source: SourceFile) -> bool:
    """Products are counted in memory of the block, which each kernel has to clear first."""
    return _in_a_string(_WGMMA, source)


def _in_a_string(pattern: re.Pattern[bytes], source: SourceFile) -> bool:
    """The bytes are searched first: most files are not worth their tokens."""
    return pattern.search(source.data) is not None and any(
        t.kind == Kind.STRING and pattern.search(encode(t.text)) for t in source.tokens.tokens
    )


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if not unit.mirrored:
        return []
    findings: list[Finding] = []
    if unit.is_main:
        findings.append(_switch(unit))
    if unit.named_barriers or unit.warpgroups:
        findings += [_begin(unit, f.body[0]) for f in unit.scopes.functions if f.kernel and f.body[0] >= 0]
    for index, token in enumerate(unit.tokens):
        if token.text == "<<<":
            findings += _launch(unit, index)
        elif token.kind != Kind.IDENT:
            continue
        elif token.text in _LAUNCH_CALLS and unit.is_call(index):
            arguments = unit.file.arguments(index + 1)
            if len(arguments) > _LAUNCH_CALLS[token.text]:
                findings.append(_wrapped(unit, *arguments[_LAUNCH_CALLS[token.text]]))
        elif token.text == "blockDim":
            findings += _block(unit, index)
    return findings


def _switch(unit: Unit) -> Finding:
    """Before anything is included: the headers ask for it."""
    place = next((d.start for d in unit.file.directives if d.name == "include"), 0)
    text = f"#define PORTER_MIRRORED 1{newline_of(unit.file.text)}"
    message = "warps have roles here: each gets a wave of its own, its 32 lanes are played by two lanes each"
    return Finding(RULE, place, place, Safety.SLOWER, message, (Edit(place, place, text),), (HEADER,))


def _begin(unit: Unit, opening: int) -> Finding:
    brace, following = unit.tokens[opening], unit.tokens[opening + 1]
    _, newline, indent = unit.file.text[brace.end : following.start].rpartition("\n")
    before = newline_of(unit.file.text) + indent if newline else " "
    calls, kinds, headers = [], [], [HEADER]
    if unit.named_barriers:
        calls.append("porter::begin_block();")
        kinds.append("the block's named barriers")
        headers.append("porter/named_barrier.h")
    if unit.warpgroups:
        calls.append("porter::begin_warpgroups();")
        kinds.append("the counts of its warpgroups' products")
        headers.append("porter/wgmma.h")
    message = f"{' and '.join(kinds)} are cleared before anybody uses them"
    edit = Edit(brace.end, brace.end, "".join(before + call for call in calls))
    return Finding(RULE, brace.start, brace.end, Safety.SLOWER, message, (edit,), tuple(headers))


def _launch(unit: Unit, index: int) -> list[Finding]:
    parts = launch_arguments(unit.file, index)
    return [_wrapped(unit, *parts[1])] if len(parts) > 1 else []


def _wrapped(unit: Unit, first: int, last: int) -> Finding:
    start, end = unit.tokens[first].start, unit.tokens[last - 1].end
    message = "the block has two lanes for each of CUDA's threads"
    edits = (Edit(start, start, "porter::mirrored("), Edit(end, end, ")"))
    return Finding(RULE, start, end, Safety.SLOWER, message, edits, (HEADER,))


def _block(unit: Unit, index: int) -> list[Finding]:
    """The built-in variable; or a member of a launch's configuration, where it is set."""
    token = unit.tokens[index]
    if unit.text(index - 1) not in (".", "->"):
        edit = Edit(token.start, token.end, "porter::block_dim()")
        return [Finding(RULE, token.start, token.end, Safety.EXACT, "CUDA's block, not the wave's", (edit,), (HEADER,))]
    if unit.text(index + 1) != "=":
        return []
    last = index + 2
    while last < len(unit.tokens) and unit.text(last) not in (";", ",", "}"):
        last = unit.file.partner(last) + 1 if unit.text(last) in ("(", "{", "[") else last + 1
    return [_wrapped(unit, index + 2, last)]
