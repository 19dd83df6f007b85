"""What a Makefile's command lines as a whole want: C files without flags for C++, and no folder twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from porter.buildfiles.flags import LAYOUT, LITERAL_ROOT
from porter.buildfiles.make_facts import NVCC_WORD, MakeFacts, commands, expand
from porter.buildfiles.make_lexer import Line
from porter.buildfiles.words import Word, shell_words
from porter.findings import Edit, Finding, Safety

__all__ = ["c_files", "doubled_folders"]

_STANDARD = re.compile(r"--?std(?:=|\s+)(?:c|gnu)\+\+\w+")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]\Z")
_OTHER_SOURCE = re.compile(r"\.(?:cu|cpp|cc|cxx|C|c\+\+)\Z")


def c_files(text: str, lines: Sequence[Line], facts: MakeFacts) -> Iterator[Finding]:
    """Commands that compile C: nvcc hands a C file to the host compiler, which ignores -std=c++17; clang refuses it."""
    rule: Line | None = None
    for line in lines:
        if line.kind == "rule":
            rule = line
        elif line.kind == "recipe":
            for command in commands(text, line.start, line.end):
                yield from _c_command(text, command, rule, facts)


def _c_command(text: str, command: Sequence[Word], rule: Line | None, facts: MakeFacts) -> Iterator[Finding]:
    name = command[0].value.lstrip("@-+")
    variable = _REFERENCE.match(name)
    if not NVCC_WORD.match(name) and not (variable and variable[1] in facts.compilers):
        return
    sources = [source for word in command[1:] for source in _sources(text, word, rule)]
    mine = [source for source in sources if source.endswith(".c")]
    if not mine:
        return
    mixed = any(_OTHER_SOURCE.search(source) for source in sources)
    for word in command:
        shown = text[word.start : word.end]
        standard = _STANDARD.search(expand(shown, facts.values))
        if standard is None:
            continue
        message = f"hipcc compiles {mine[0]} as C, where clang refuses {standard.group()}"
        if mixed:
            message += ": compile it by a command of its own"
            yield Finding("build-nvcc-flag", word.start, word.end, Safety.LEFT, message)
            continue
        reference = _REFERENCE.match(shown)
        if reference:
            edit = Edit(word.start, word.end, f"$(filter-out -std=%,$({reference[1]}))")
        elif _STANDARD.fullmatch(shown):
            edit = Edit(_before(text, word.start), word.end, "")
        else:
            yield Finding("build-nvcc-flag", word.start, word.end, Safety.LEFT, message)
            continue
        yield Finding("build-nvcc-flag", edit.start, word.end, Safety.EXACT, message, (edit,))


def _sources(text: str, word: Word, rule: Line | None) -> Iterator[str]:
    """The source files that a word names: itself, or prerequisites of the rule."""
    prerequisites = word.value if word.value != "$" else text[word.start : word.end + 1]  # `<` is a shell's operator
    if rule is not None and prerequisites in ("$<", "$^", "$+"):
        target = text[rule.start : rule.value[0]].strip()
        suffixes = re.match(r"(\.\w+)\.o\s*:", target)
        named = text[slice(*rule.value)].split() or ([f"%{suffixes[1]}"] if suffixes else [])
        yield from named[:1] if prerequisites == "$<" else named
    else:
        yield word.value


def doubled_folders(text: str, lines: Sequence[Line], facts: MakeFacts) -> Iterator[Finding]:
    """`-L$(CUDA_PATH)/lib64 -L$(CUDA_PATH)/lib`: two folders of the toolkit that are one of ROCm's."""
    for line in lines:
        if line.kind not in ("assign", "recipe"):
            continue
        span = line.value if line.kind == "assign" else (line.start, line.end)
        seen: dict[str, str] = {}
        for word in shell_words(text, *span, line.kind == "recipe"):
            if word.operator:
                seen.clear()
                continue
            shown = text[word.start : word.end]
            folder = _folder(shown, facts)
            if folder and seen.setdefault(folder, shown) != shown:
                message = f"{shown} is the same folder of ROCm's as {seen[folder]}"
                edit = Edit(_before(text, word.start), word.end, "")
                yield Finding("build-cuda-path", edit.start, word.end, Safety.EXACT, message, (edit,))


def _folder(word: str, facts: MakeFacts) -> str:
    """The option with the folder of ROCm's that it will name; "" for others."""
    option = re.match(r"-L|-I|-isystem|-Wl,-rpath[,=]", word)
    if option is None:
        return ""
    path = word[option.end() :]
    root = re.match(r"\$[({](\w+)[)}]", path)
    if root is not None:
        if root[1] not in facts.renamed_roots:
            return ""
    else:
        root = LITERAL_ROOT.match(path)
    if root is None:
        return ""
    rest = path[root.end() :]
    for pattern, new in LAYOUT:
        folder = pattern.match(rest)
        if folder:
            return f"{option.group()}{'' if root.re is LITERAL_ROOT else 'ROCM_PATH'}{new or folder.group()}{rest[folder.end() :]}"
    return ""


def _before(text: str, start: int) -> int:
    while text[start - 1] in " \t":
        start -= 1
    return start
