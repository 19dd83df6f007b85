"""Makefiles: nvcc and its flags, the toolkit's folders and libraries, source names and suffix rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from porter.buildfiles.flags import LAYOUT, LITERAL_ROOT, FlagContext, port_flags
from porter.buildfiles.make_commands import c_files, doubled_folders
from porter.buildfiles.make_facts import (
    ARCH_WORD,
    NVCC_WORD,
    MakeFacts,
    command_starts,
    expand,
    gather,
    runs_host_compiler,
)
from porter.buildfiles.make_lexer import Line, lex_make
from porter.buildfiles.renames import Renames, source_words
from porter.buildfiles.tables import tables
from porter.buildfiles.words import Word, closing, findings_for, shell_words
from porter.findings import Edit, Finding, Safety

__all__ = ["port"]

# Make's functions and how many arguments they split at commas; the last one keeps its commas.
_FUNCTIONS = {
    "foreach": 3, "if": 3, "eval": 1, "shell": 1, "call": 99, "wildcard": 1, "patsubst": 3, "subst": 3, "filter": 2,
    "filter-out": 2, "strip": 1, "sort": 1, "addprefix": 2, "addsuffix": 2, "or": 99, "and": 99, "notdir": 1, "dir": 1,
    "basename": 1, "suffix": 1, "firstword": 1, "lastword": 1, "findstring": 2, "word": 2, "wordlist": 3, "join": 2,
    "abspath": 1, "realpath": 1, "info": 1, "warning": 1, "error": 1, "value": 1, "origin": 1, "words": 1,
}  # fmt: skip
_FUNCTION = re.compile(r"\$[({](" + "|".join(sorted(_FUNCTIONS, key=len, reverse=True)) + r")[ \t]+")
_NO_LINK = frozenset(
    {"-c", "-dc", "-dw", "--device-c", "--compile", "-ptx", "-cubin", "-fatbin", "-M", "-MM", "-E", "-S"}
)
_TEXT_FUNCTIONS = frozenset({"info", "warning", "error"})
_APPENDED_SUFFIX = re.compile(r"\$[({]\w+:=\.o|addsuffix \.o|:%=[^)]*%\.o")
_NVCC = re.compile(r"(?<![\w.$-])nvcc(?![\w-]|\.\w)")


def port(text: str, names: Renames) -> list[Finding]:
    """The findings of a Makefile, with their edits."""
    lines = lex_make(text)
    facts = gather(text, lines)
    findings: list[Finding] = []
    dual = _dual(text, lines)
    if dual is not None:
        findings.append(dual)
    else:
        findings.extend(c_files(text, lines, facts))
        findings.extend(doubled_folders(text, lines, facts))
    appends = _APPENDED_SUFFIX.search(text) is not None
    for line in lines:
        findings.extend(_sources(text, line, names, appends))
        if dual is None:
            findings.extend(_line(text, line, facts, names.target))
    if dual is None:
        findings.extend(_roots(text, lines, facts))
    once = dict.fromkeys(findings)  # a word within $(shell ...) is one of the line's, too
    return sorted(once, key=lambda f: (f.start, f.end))


def _dual(text: str, lines: Sequence[Line]) -> Finding | None:
    """A file with a HIP branch of its own: changing its CUDA branch would leave two HIP ones."""
    for line in lines:
        hipcc = re.compile(r"(?<![\w.-])hipcc(?![\w-])").search(text, line.start, line.end)
        if hipcc and any(_NVCC.search(text, other.start, other.end) for other in lines):
            message = (
                "this Makefile has a branch for hipcc already: select that one; the branch for nvcc is left as it is"
            )
            return Finding("build-dual", hipcc.start(), hipcc.end(), Safety.REVIEW, message)
    return None


def _line(text: str, line: Line, facts: MakeFacts, target: str) -> Iterator[Finding]:
    if line.kind == "assign":
        name = text[slice(*line.name)]
        if name in facts.gpu_names:
            yield from _gpu_names(text, line, target)
            return
        if name in facts.library_lists:
            yield from _library_list(text, line)
        context = FlagContext(target, name in facts.nvcc_flags or name in facts.compilers, _follows(facts))
        yield from _group(text, *line.value, context, facts, shell=line.op == "!=", free=name in facts.compilers)
    elif line.kind == "recipe":
        yield from _recipe(text, line, facts, target)
    elif line.kind == "conditional":
        yield from _conditional(text, line, facts)
    elif line.kind == "other":
        yield from _functions(text, line.start, line.end, FlagContext(target, False, _follows(facts)), facts)
    elif line.kind == "rule":
        yield from _functions(text, *line.value, FlagContext(target, False, _follows(facts)), facts)


def _follows(facts: MakeFacts) -> Callable[[str], bool]:
    return lambda name: name in facts.gpu_names or (name not in facts.values and facts.includes)


def _gpu_names(text: str, line: Line, target: str) -> Iterator[Finding]:
    words = [w for w in shell_words(text, *line.value, False) if all(ARCH_WORD.match(p) for p in w.value.split(","))]
    for number, word in enumerate(words):
        message = f"{word.value} is an NVIDIA GPU; {target} takes its place"
        edit = Edit(word.start, word.end, target) if not number else Edit(words[number - 1].end, word.end, "")
        yield Finding("build-nvcc-arch", word.start, word.end, Safety.EXACT, message, (edit,))


def _library_list(text: str, line: Line) -> Iterator[Finding]:
    """Bare names that another place turns into -l flags."""
    for word in shell_words(text, *line.value, False):
        row = tables().library(word.value)
        if row is None:
            continue
        edits = (Edit(word.start, word.end, row.hip),) if row.hip else ()
        safety = row.safety if row.hip else Safety.LEFT
        yield Finding("build-cuda-library", word.start, word.end, safety, f"lib{word.value}: {row.note}", edits)


def _recipe(text: str, line: Line, facts: MakeFacts, target: str) -> Iterator[Finding]:
    words = list(shell_words(text, line.start, line.end, True))
    starts = [*command_starts(text, line.start, line.end), len(words)]
    if not words:
        return
    if starts[0] > 0:
        starts.insert(0, 0)
    for first, last in pairwise(starts):
        part = words[first:last]
        while part and part[-1].operator:
            part.pop()
        if not part:
            continue
        command = part[0].value.lstrip("@-+")
        variable = re.fullmatch(r"\$[({](\w+)[)}]", command)
        is_nvcc = NVCC_WORD.match(command) is not None or bool(variable and variable[1] in facts.compilers)
        context = FlagContext(target, is_nvcc, _follows(facts))
        yield from _compiler_words(text, part, True)
        yield from _version(part, facts)
        if is_nvcc and facts.relocatable:
            yield from _device_link(text, part, facts)
        if command in ("echo", "printf"):
            continue
        yield from _tool(part[0], command)
        end = part[-1].end
        yield from findings_for(text, part, port_flags([w.value for w in part], context), part[0].start, end)
        for word in part:
            yield from _functions(text, word.start, word.end, context, facts)
            yield from _leftover_word(text, word)


def _device_link(text: str, part: Sequence[Word], facts: MakeFacts) -> Iterator[Finding]:
    """nvcc links relocatable device code unasked, hipcc does when it is told."""
    command = expand(" ".join(text[w.start : w.end] for w in part), facts.values)
    words = command.split()
    if not any(w.startswith("-o") for w in words) or _NO_LINK.intersection(words):
        return
    rdc = any(w.lstrip("-") in ("rdc=true", "relocatable-device-code=true") for w in words)
    new = " --hip-link" if rdc else " -fgpu-rdc --hip-link"
    message = "objects with relocatable device code are linked: hipcc wants to be told"
    edit = Edit(part[0].end, part[0].end, new)
    yield Finding("build-nvcc-flag", part[0].start, part[0].end, Safety.EXACT, message, (edit,))


def _group(
    text: str, start: int, end: int, context: FlagContext, facts: MakeFacts, shell: bool = False, free: bool = True
) -> Iterator[Finding]:
    """The words of a value or of a function's argument."""
    while end > start and text[end - 1] in " \t":
        end -= 1
    words = list(shell_words(text, start, end, shell))
    yield from findings_for(text, words, port_flags([w.value for w in words], context), start, end)
    yield from _compiler_words(text, words, shell, free)
    yield from _version(words, facts)
    for word in words:
        yield from _functions(text, word.start, word.end, context, facts)
        yield from _leftover_word(text, word)
        if shell or word is words[0]:
            yield from _tool(word, word.value)


def _functions(text: str, start: int, end: int, context: FlagContext, facts: MakeFacts) -> Iterator[Finding]:
    """The arguments of $(function ...) inside a word; other references are stepped into as well."""
    at = start
    while True:
        opening = text.find("$", at, end)
        if opening < 0 or opening + 1 >= end:
            return
        at = opening + 1
        if text[at] not in "({":
            at += 1
            continue
        close = closing(text, at, end)
        function = _FUNCTION.match(text, opening, close)
        if function is None:
            each = re.compile(r"[\w.-]+:%=(-Xcompiler[ \t=]+|--compiler-options[ \t=]+)%").match(text, at + 1, close)
            if each:  # `$(FLAGS:%=-Xcompiler %)`
                message = "clang is the host compiler too: its flags need no prefix"
                yield Finding("build-host-flag", opening, close, Safety.EXACT, message, (Edit(*each.span(1), ""),))
            at += 1
            continue
        at = close
        if function[1] in _TEXT_FUNCTIONS:
            continue
        for first, last in _arguments(text, function.end(), close - 1, _FUNCTIONS[function[1]]):
            yield from _group(text, first, last, context, facts, function[1] == "shell")


def _arguments(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    begin = at = start
    count = 1
    while at < end:
        if text[at] in "({":
            at = closing(text, at, end)
            continue
        if text[at] == "," and count < most:
            yield begin, at
            begin, count = at + 1, count + 1
        at += 1
    yield begin, end


def _compiler_words(text: str, words: Sequence[Word], shell: bool, free: bool = True) -> Iterator[Finding]:
    """nvcc as a command: `nvcc`, `/usr/local/cuda/bin/nvcc`, `$(CUDA_HOME)/bin/nvcc`, `CC=nvcc`."""
    opens = True
    only_version = any(w.value in ("--version", "-V", "--help") for w in words)
    for index, word in enumerate(words):
        if word.operator:
            opens = True
            continue
        value = word.value
        is_path = re.search(r"/nvcc\Z", value) is not None
        is_setting = re.match(r"[A-Za-z_]\w*=(?:\S*/)?nvcc\Z", value) is not None
        before = words[index - 1].value if index else ""
        named = value.lstrip("@-+") == "nvcc" and (
            opens or (free and not shell) or before in ("which", "-v", "ccache", "sccache", "time", "exec", "env")
        )
        if opens and not re.match(r"[A-Za-z_]\w*=", value):
            opens = False
        if not (is_path or is_setting or named):
            continue
        quote = 1 if text[word.end - 1] in "\"'" else 0
        at = word.end - quote - len("nvcc")
        literal = LITERAL_ROOT.search(text, word.start, at)
        edits = [Edit(at, at + 4, "hipcc")]
        if literal:
            edits.append(Edit(literal.start(), literal.end(), "/opt/rocm"))
        safety = Safety.REVIEW if only_version else Safety.EXACT
        message = "hipcc takes nvcc's place" + (
            ": what it prints about itself reads differently" if only_version else ""
        )
        yield Finding("build-nvcc", word.start, word.end, safety, message, tuple(edits))


def _version(words: Sequence[Word], facts: MakeFacts) -> Iterator[Finding]:
    for word, after in pairwise(words):
        variable = re.fullmatch(r"@?\$[({](\w+)[)}]", word.value)
        if variable and variable[1] in facts.compilers and after.value in ("--version", "-V"):
            message = "hipcc prints its version in another form, and versions of CUDA and of HIP cannot be compared"
            yield Finding("build-nvcc", word.start, after.end, Safety.LEFT, message)


def _tool(word: Word, command: str) -> Iterator[Finding]:
    name = command.rpartition("/")[2]
    if name in tables().tools:
        message = f"{name} is one of NVIDIA's tools; on AMD: {tables().tools[name]}"
        yield Finding("build-cuda-tool", word.start, word.end, Safety.LEFT, message)


def _conditional(text: str, line: Line, facts: MakeFacts) -> Iterator[Finding]:
    for word in _NVCC.finditer(text, line.start, line.end):
        known = any(f"$({name})" in text[line.start : line.end] for name in facts.compilers)
        edits = (Edit(word.start(), word.end(), "hipcc"),) if known else ()
        message = "compared with the compiler's name" + (
            "" if known else ", which is set elsewhere: decide which branch is meant"
        )
        yield Finding("build-nvcc", word.start(), word.end(), Safety.EXACT if known else Safety.LEFT, message, edits)
    for gpu in re.compile(r"(?<!\w)(?:sm|compute)_\d+[a-z]?(?!\w)").finditer(text, line.start, line.end):
        message = f"a choice made for {gpu.group()}: decide what {gpu.group()} stands for on AMD"
        yield Finding("build-nvcc-arch", gpu.start(), gpu.end(), Safety.LEFT, message)


def _leftover_word(text: str, word: Word) -> Iterator[Finding]:
    """What names CUDA and has no port: an image, a folder of the toolkit that ROCm lacks."""
    value = text[word.start : word.end]
    image = re.search(r"nvcr\.io/|nvidia/cuda\b", value)
    if image:
        yield Finding(
            "build-cuda-tool", word.start, word.end, Safety.LEFT, f"{value} is NVIDIA's container: name a ROCm one"
        )
    query = re.search(r"__nvcc_device_query", value)
    if query:
        at = word.start + query.start()
        message = "asks nvcc's helper for the GPU: rocm_agent_enumerator and offload-arch tell AMD's"
        yield Finding("build-cuda-tool", at, at + len(query.group()), Safety.LEFT, message)
    lacking = re.search(
        r"(?:[)}]|/cuda(?:-[\d.]+)?)/(?P<what>extras|samples|nvvm|libnvvp|nsight\w*|compute-sanitizer)\b", value
    )
    if lacking:
        message = f"ROCm has no counterpart of the toolkit's folder {lacking['what']}"
        yield Finding("build-cuda-path", word.start, word.end, Safety.LEFT, message)


def _sources(text: str, line: Line, names: Renames, appends: bool) -> Iterator[Finding]:
    """File names, patterns and suffix rules; comments are outside of the line's span."""
    if line.kind in ("define", "endef", "include"):
        return
    start, end = line.start, line.end
    if line.kind == "recipe":
        hash_mark = re.compile(r"(?<=\s)#").search(text, start, end)
        end = hash_mark.start() if hash_mark else end
    yield from source_words(text, start, end, names, "Makefile")
    new = names.suffix(".cu")
    if not new or new == ".cu":
        return
    suffix_rule = re.compile(r"[ \t]*(\.cu)\.\w+[ \t]*:").match(text, start, end) if line.kind == "rule" else None
    if suffix_rule:
        edit = Edit(suffix_rule.start(1), suffix_rule.end(1), new)
        message = f"the suffix rule follows the sources to {new}"
        yield Finding("build-renamed-source", suffix_rule.start(), suffix_rule.end(), Safety.EXACT, message, (edit,))
    for both in re.compile(r"%(\.cu)\.\w+").finditer(text, start, end) if appends else ():
        # `$(SRCS:=.o)` makes main.hip.o of main.hip, so the rule for objects must say so too.
        edit = Edit(both.start(1), both.end(1), new)
        message = f"objects are named after the sources, now {new}"
        yield Finding("build-renamed-source", both.start(), both.end(), Safety.EXACT, message, (edit,))
    if line.kind == "assign" and re.search(r"EXT|SUFFIX", text[slice(*line.name)]):
        ending = re.compile(r"[ \t]*(cu)[ \t]*\Z").match(text[slice(*line.value)])
        if ending:
            at = line.value[0] + ending.start(1)
            message = f"the suffix of the sources is now {new}"
            yield Finding(
                "build-renamed-source", at, at + 2, Safety.EXACT, message, (Edit(at, at + 2, new.lstrip(".")),)
            )


def _roots(text: str, lines: Sequence[Line], facts: MakeFacts) -> Iterator[Finding]:
    """The toolkit's folder: variables that hold it, and paths that begin with it."""
    defined_rocm = "ROCM_PATH" in facts.values
    first_use = 0
    again = _assigned_again(text, lines, facts)
    for line in lines:
        span = (line.start, line.end)
        if line.kind == "assign":
            yield from _root_assignment(text, line, facts, line in again)
            span = line.value
        if line.kind in ("define", "endef", "include"):
            continue
        for use in re.compile(r"\$[({](\w+)[)}]").finditer(text, *span):
            if use[1] not in facts.roots or _is_root_value(text, line, facts):
                continue
            edits = list(_layout(text, use.end(), line.end))
            if use[1] in facts.renamed_roots:
                edits.append(Edit(use.start(1), use.end(1), "ROCM_PATH"))
            if use[1] in facts.renamed_roots and use[1] not in facts.values and not defined_rocm and not first_use:
                first_use = 1
                at = _insertion_point(lines, line)
                edits.append(Edit(at, at, f"ROCM_PATH ?= /opt/rocm{_newline(text)}"))
            if _host_include(text, line, use.start(), use.end(), facts):
                at = use.end() + len("/include")
                edits.append(Edit(at, at, _PLATFORM))
            if edits:
                message = f"{use.group()} names the CUDA toolkit; ROCM_PATH names ROCm's folder"
                yield Finding("build-cuda-path", use.start(), use.end(), Safety.EXACT, message, tuple(edits))
        if line.kind == "conditional":
            for use in re.compile(r"(?:ifdef|ifndef)[ \t]+(\w+)").finditer(text, *span):
                if use[1] in facts.renamed_roots:
                    edit = Edit(use.start(1), use.end(1), "ROCM_PATH")
                    yield Finding("build-cuda-path", *use.span(1), Safety.EXACT, f"{use[1]} is now ROCM_PATH", (edit,))
        for literal in LITERAL_ROOT.finditer(text, *span):
            if _is_root_value(text, line, facts) or re.match(r"/bin/nvcc", text[literal.end() :]):
                continue
            layout = list(_layout(text, literal.end(), line.end))
            edit = Edit(
                literal.start(),
                layout[0].end if layout else literal.end(),
                "/opt/rocm" + (layout[0].text if layout else ""),
            )
            edits = [edit]
            if _host_include(text, line, literal.start(), literal.end(), facts):
                at = literal.end() + len("/include")
                edits.append(Edit(at, at, _PLATFORM))
            message = f"{literal.group()} is the CUDA toolkit; ROCm lies in /opt/rocm"
            yield Finding("build-cuda-path", literal.start(), literal.end(), Safety.EXACT, message, tuple(edits))


_PLATFORM = " -D__HIP_PLATFORM_AMD__"


def _host_include(text: str, line: Line, start: int, end: int, facts: MakeFacts) -> bool:
    """`-I$(CUDA_HOME)/include` for a compiler that is not hipcc: HIP's headers then want to know the platform."""
    if not re.search(r"(?<!\S)(?:-I|-isystem)[ \t]*\Z", text[line.start : start]) or "__HIP_PLATFORM_AMD__" in text:
        return False
    if not re.match(r"/include(?!\S)", text[end : line.end]):
        return False
    if line.kind == "assign":
        return text[slice(*line.name)] in facts.host_flags
    return line.kind == "recipe" and runs_host_compiler(text, line, start, facts.compilers)


def _layout(text: str, at: int, end: int) -> Iterator[Edit]:
    for pattern, new in LAYOUT:
        folder = pattern.match(text, at, end)
        if folder and new is not None and not folder.group().endswith("nvcc"):
            if folder.group() != new:
                yield Edit(folder.start(), folder.end(), new)
            return
        if folder:
            return


def _is_root_value(text: str, line: Line, facts: MakeFacts) -> bool:
    return line.kind == "assign" and text[slice(*line.name)] in facts.roots


def _assigned_again(text: str, lines: Sequence[Line], facts: MakeFacts) -> list[Line]:
    """Further assignments of what all becomes ROCM_PATH, such as `CUDA_HOME ?= $(CUDA_PATH)`, outside of conditions."""
    depth, aliases = 0, []
    for line in lines:
        if line.kind == "conditional":
            word = text[line.start : line.end].split(None, 1)[0]
            depth += word.startswith("if") - (word == "endif")
        elif line.kind == "assign" and not depth and text[slice(*line.name)] in facts.renamed_roots:
            aliases.append(line)
    return aliases[1:]


def _root_assignment(text: str, line: Line, facts: MakeFacts, again: bool) -> Iterator[Finding]:
    name = text[slice(*line.name)]
    if name not in facts.roots:
        return
    if again:
        newline = text.find("\n", line.end)
        edit = Edit(line.start, len(text) if newline < 0 else newline + 1, "")
        message = f"{name} held the CUDA toolkit, as another variable does that is ROCM_PATH now"
        yield Finding("build-cuda-path", line.start, line.end, Safety.EXACT, message, (edit,))
        return
    value = text[slice(*line.value)]
    start = line.value[0] + len(value) - len(value.lstrip())
    end = line.value[0] + len(value.rstrip())
    edits = [Edit(start, end, "/opt/rocm")] if start < end else []
    if name in facts.renamed_roots:
        edits.append(Edit(*line.name, "ROCM_PATH"))
        message = f"{name} held the CUDA toolkit; ROCM_PATH holds ROCm's folder"
        yield Finding("build-cuda-path", line.name[0], end, Safety.EXACT, message, tuple(edits))
    else:
        message = f"{name} now holds ROCm's folder and keeps its name, since it is used other than as a path here"
        yield Finding("build-cuda-path", line.name[0], max(end, line.name[1]), Safety.REVIEW, message, tuple(edits))


def _insertion_point(lines: Sequence[Line], line: Line) -> int:
    """Before the first logical line: a recipe cannot take an assignment."""
    return lines[0].start


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
