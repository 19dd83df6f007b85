"""Compiler flags in CMake's arguments: lists, strings, generator expressions and `SHELL:` groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from porter.buildfiles.cmake_lexer import Argument, Command, genex_end
from porter.buildfiles.flags import Change, FlagContext, port_flags
from porter.buildfiles.words import Word
from porter.findings import Edit, Finding

__all__ = ["flag_findings", "ported_text"]

# A string that CMake splits at blanks, where a list is split at semicolons.
_SPLICE = re.compile(r"\\\r?\n")
_STRING_COMMANDS = frozenset({"set", "string"})


@dataclass
class Holder:
    """What words stand in: a whole argument, or the content of a generator expression in one."""

    start: int
    end: int
    kind: str  # bare, quoted or genex
    argument: Argument
    condition: str
    words: list[Word] = field(default_factory=list)


def holders(text: str, arguments: Sequence[Argument]) -> list[Holder]:
    parts: list[Holder] = []
    index = 0
    while index < len(arguments):
        argument = arguments[index]
        index += 1
        if argument.kind in ("(", ")", "bracket"):
            continue
        start, end = argument.inner, argument.inner_end
        if argument.kind == "bare":
            # `$<$<COMPILE_LANGUAGE:CUDA>:-a -b>` is two arguments that CMake joins again.
            while _open_genex(text, start, end) and index < len(arguments) and arguments[index].kind == "bare":
                end = arguments[index].inner_end
                index += 1
        parts.extend(_split(text, Holder(start, end, argument.kind, argument, "")))
    return parts


def _open_genex(text: str, start: int, end: int) -> bool:
    at = text.find("$<", start, end)
    return at >= 0 and genex_end(text, at, end)[1] < 0


def _split(text: str, holder: Holder) -> Iterator[Holder]:
    inner: list[Holder] = []
    blanks = holder.kind != "bare"
    at = begin = holder.start
    while at <= holder.end:
        splice = _SPLICE.match(text, at, holder.end) if blanks else None
        if at == holder.end or splice or _separates(text, begin, at, blanks, holder.kind == "genex"):
            if at > begin:
                holder.words.append(Word(text[begin:at], begin, at))
            at = begin = splice.end() if splice else at + 1
        elif text.startswith("$<", at):
            colon, close = genex_end(text, at, holder.end)
            if close < 0:
                at += 2
            elif colon > 0 and text.startswith("$<", at + 2) and at == begin:
                condition = text[at + 2 : colon]
                inner.extend(_split(text, Holder(colon + 1, close, "genex", holder.argument, condition)))
                at = begin = close + 1
            else:
                at = close + 1
        elif text.startswith("${", at):
            close = text.find("}", at, holder.end)
            at = holder.end if close < 0 else close + 1
        elif text.startswith("SHELL:", at) and at == begin:
            at = begin = at + 6
        else:
            at += 1
    yield holder
    yield from inner


def _separates(text: str, begin: int, at: int, blanks: bool, genex: bool) -> bool:
    char = text[at]
    if char == ";" or (blanks and char in " \t\r\n"):
        return True
    # A comma parts the arguments of $<IF:...>, but belongs to `-Wl,-rpath,x` and `arch=compute_80,code=sm_80`.
    return genex and char == "," and text[begin] != "-" and not text.startswith("arch=", begin)


def flag_findings(
    text: str, command: Command, arguments: Sequence[Argument], context: Callable[[bool], FlagContext], nvcc: bool
) -> list[Finding]:
    """`context(nvcc)` makes a FlagContext; a generator expression for CUDA implies nvcc."""
    held = holders(text, arguments)
    outside = [h for h in held if h.kind != "genex"]
    results = _group(text, command, outside, context(nvcc))
    for holder in held:
        if holder.kind == "genex":
            cuda = re.search(r"LANG\w*:[^>]*\b(?:CUDA|HIP)\b", holder.condition) is not None
            results.extend(_group(text, command, [holder], context(nvcc or cuda)))
    return results


def _group(text: str, command: Command, group: Sequence[Holder], context: FlagContext) -> list[Finding]:
    words = [word for holder in group for word in holder.words]
    owner = [holder for holder in group for _ in holder.words]
    changes = port_flags([w.value for w in words], context)
    removed: dict[int, Change] = {}
    edits: dict[Change, list[Edit]] = {change: [] for change in changes}
    for change in changes:
        if change.words is None:
            continue
        kept = change.first
        if change.words:
            joined = _joiner(text, command, owner[change.first]).join(change.words)
            last = change.last - 1
            together = owner[last] is owner[change.first]
            end = words[last].end if together else words[change.first].end
            edits[change].append(Edit(words[change.first].start, end, joined))
            kept = change.last if together else change.first + 1
        removed.update(dict.fromkeys(range(kept, change.last), change))
    for first, last, holder in _runs(removed, owner):
        edit = _deletion(text, command, holder, words, first, last, owner)
        for index in range(first, last):
            edits[removed[index]].append(edit)
    return [
        Finding(
            change.rule,
            min([words[change.first].start, *(e.start for e in edits[change] if not e.text)]),
            words[change.last - 1].end,
            change.safety,
            change.message,
            tuple(dict.fromkeys(edits[change])),
        )
        for change in changes
    ]


def _runs(removed: dict[int, Change], owner: Sequence[Holder]) -> Iterator[tuple[int, int, Holder]]:
    """Stretches of removed words within one holder."""
    at = 0
    while at < len(owner):
        if at not in removed:
            at += 1
            continue
        last = at + 1
        while last in removed and owner[last] is owner[at]:
            last += 1
        yield at, last, owner[at]
        at = last


def _deletion(
    text: str, command: Command, holder: Holder, words: Sequence[Word], first: int, last: int, owner: Sequence[Holder]
) -> Edit:
    has_before = first > 0 and owner[first - 1] is holder
    has_after = last < len(words) and owner[last] is holder
    if has_before:
        return Edit(words[first - 1].end, words[last - 1].end, "")
    if has_after:
        return Edit(words[first].start, words[last].start, "")
    if holder.kind == "genex":
        return _genex_deletion(text, holder, words[first].start, words[last - 1].end)
    argument = holder.argument
    whole = holder.kind == "bare" or (holder.kind == "quoted" and command.name not in ("set", "string", "list"))
    if not whole or text[holder.start : holder.end].count("$<"):
        return Edit(words[first].start, words[last - 1].end, "")
    start = argument.start
    place = command.arguments.index(argument)
    if command.name in _PAIRS and "PROPERTIES" in command.values[: place - 1]:
        start = command.arguments[place - 1].start  # the property has no value any more
    return Edit(_past_blanks(text, start), argument.end, "")


_PAIRS = frozenset({"set_target_properties", "set_source_files_properties"})


def _genex_deletion(text: str, holder: Holder, start: int, end: int) -> Edit:
    """Of all that a generator expression holds: it goes itself, and so does an argument that is nothing else."""
    begin, close = holder.start - len(f"$<{holder.condition}:"), holder.end + 1
    if text[begin : begin + 2] != "$<" or text[holder.end] != ">" or "$<" in text[holder.start : holder.end]:
        return Edit(start, end, "")
    argument = holder.argument
    if argument.kind == "bare" and argument.start == begin and re.match(r"[\s)]", text[close:]):
        return Edit(_past_blanks(text, begin), close, "")
    if argument.kind == "quoted" and (argument.inner, argument.inner_end) == (begin, close):
        return Edit(_past_blanks(text, argument.start), argument.end, "")
    return Edit(begin, close + (text[close] == ";"), "")


def _past_blanks(text: str, offset: int) -> int:
    """The end of what stands before; a comment there keeps its newline."""
    start = offset
    while text[start - 1] in " \t\r\n":
        start -= 1
    return offset if text.rfind("#", text.rfind("\n", 0, start) + 1, start) >= 0 else start


def _joiner(text: str, command: Command, holder: Holder) -> str:
    if holder.kind == "bare":
        return " "
    if command.name in _STRING_COMMANDS or "SHELL:" in holder.argument.value:
        return " " if holder.kind == "quoted" else ";"
    inside = text[holder.start : holder.end]
    return " " if holder.kind == "quoted" and re.search(r"\S\s+\S", inside) else ";"


def ported_text(text: str, arguments: Sequence[Argument], context: FlagContext) -> tuple[list[str], list[Change]]:
    """The words of the arguments after the port, for a command that must be written anew."""
    words = [word.value for holder in holders(text, arguments) for word in holder.words]
    changes = port_flags(words, context)
    new: list[str] = []
    at = 0
    for change in changes:
        new.extend(words[at : change.first])
        new.extend(words[change.first : change.last] if change.words is None else change.words)
        at = change.last
    return [*new, *words[at:]], changes
