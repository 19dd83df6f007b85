"""What a Makefile's variables stand for: the compiler, nvcc's flags, a GPU, the root of the toolkit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from porter.buildfiles.flags import LITERAL_ROOT
from porter.buildfiles.make_lexer import Line
from porter.buildfiles.words import Word, shell_words

__all__ = [
    "ARCH_WORD",
    "MakeFacts",
    "command_starts",
    "commands",
    "expand",
    "gather",
    "references",
    "runs_host_compiler",
]

REFERENCE = re.compile(r"\$[({]([\w.-]+)")
NVCC_WORD = re.compile(r"(?:.*/)?nvcc(?:\.exe)?\Z|\$[({]\w+[)}]/bin/nvcc\Z")
ARCH_WORD = re.compile(r"(?:sm|compute)_\d+[a-z]?\Z")
_ROOT_NAME = re.compile(
    r"CUDA_?(?:HOME|PATH|ROOT|DIR|INSTALL_PATH|INSTALL_DIR|TOOLKIT\w*|TK\w*|SDK_PATH|PREFIX|BASE|LOC\w*)\Z", re.I
)
_IMPLICIT = {"CC": ("CFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS"), "CXX": ("CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS")}
# Commands whose use of a flags variable says nothing about the compiler behind it.
_NEUTRAL = frozenset({"echo", "rm", "mkdir", "cp", "mv", "printf", "cd", "cat", "touch", "test", "if", "true", "-rm"})
_RELOCATABLE = re.compile(r"(?<!\S)(?:-dc|--device-c|--?rdc=true|--relocatable-device-code=true)(?!\S)")
_DEVICE_LINK = re.compile(r"(?<!\S)--?(?:dlink|device-link)(?!\S)")
_LIBRARY_LIST = re.compile(
    r"\$[({](\w+):%=-l%[)}]|\$\(addprefix -l,[ \t]*\$[({](\w+)[)}]|\$\(patsubst %,-l%,[ \t]*\$[({](\w+)[)}]"
)
_SEPARATORS = frozenset({";", "&&", "||", "|", "&", "("})
_PREFIX_COMMANDS = frozenset(
    {"ccache", "time", "exec", "which", "env", "sccache", "nice", "then", "else", "do", "mpirun"}
)


@dataclass(frozen=True)
class MakeFacts:
    values: dict[str, list[str]]  # every value that the file gives a variable
    compilers: frozenset[str]  # variables that name nvcc
    nvcc_flags: frozenset[str]  # variables whose words reach nvcc and no other compiler
    gpu_names: frozenset[str]  # variables that hold sm_NN
    roots: frozenset[str]  # variables that hold the toolkit's folder
    renamed_roots: frozenset[str]  # those whose every use is a path, so that the name may change too
    includes: bool
    host_flags: frozenset[str]  # variables whose words reach another compiler
    library_lists: frozenset[str]  # variables whose words get a -l in front: $(LIBS:%=-l%)
    relocatable: bool  # device code is linked in a step of its own (-dc, -rdc=true)


def expand(text: str, values: dict[str, list[str]], depth: int = 6) -> str:
    """The text with every variable of this file replaced by all it may hold."""
    if not depth:
        return text

    def held(variable: re.Match[str]) -> str:
        return expand(" ".join(values.get(variable[1] or variable[2], ())), values, depth - 1)

    return re.sub(r"\$\(([\w.-]+)\)|\$\{([\w.-]+)\}", held, text)


def references(text: str) -> set[str]:
    """The names of the variables that a piece of a Makefile refers to."""
    return set(REFERENCE.findall(text))


def gather(text: str, lines: Sequence[Line]) -> MakeFacts:
    """The facts of a Makefile's variables: which hold the compiler, nvcc's flags, a GPU, the toolkit's folder."""
    values: dict[str, list[str]] = {}
    for line in lines:
        if line.kind == "assign":
            values.setdefault(text[slice(*line.name)], []).append(text[slice(*line.value)])
    compilers = _compilers(values)
    reached, other = _reach(text, lines, compilers)
    # make's own rules run $(CC) and $(CXX) with these, with no recipe to be seen
    implicit = {flags for name, used in _IMPLICIT.items() if name not in compilers for flags in used} - reached
    for name in compilers:
        reached.update(_IMPLICIT.get(name, ()))
        reached |= references(" ".join(values.get(name, ())))
    reached, other = _closure(reached, values), _closure(other, values)
    named = {v for v in values if re.search(r"NVCC|(?:\A|_)CU(?:DA)?_?(?:C|CC|CXX)?_?(?:FLAGS|OPTS)\Z", v)}
    gpu_names = frozenset(v for v, held in values.items() if _holds_gpus(v, held, text))
    live = "\n".join(text[line.start : line.end] for line in lines)
    roots = _roots(values, live)
    used_by_name = set(re.findall(r"^[ \t]*(?:ifn?def|export|unexport)[ \t]+(\w+)[ \t]*$", live, re.M))
    used_by_name |= set(re.findall(r"(?<![\w$({])(\w+)=\$[({]", live))
    renamed = frozenset(r for r in roots if _only_paths(r, live) and (r not in used_by_name or r not in values))
    return MakeFacts(
        values=values,
        compilers=frozenset(compilers),
        nvcc_flags=frozenset((reached - other) | named),
        gpu_names=gpu_names,
        roots=roots,
        renamed_roots=renamed,
        includes=any(line.kind == "include" for line in lines),
        host_flags=frozenset(other | implicit),
        library_lists=frozenset(name for lists in _LIBRARY_LIST.finditer(live) for name in lists.groups() if name),
        relocatable=_RELOCATABLE.search(live) is not None and _DEVICE_LINK.search(live) is None,
    )


def _compilers(values: dict[str, list[str]]) -> set[str]:
    compilers: set[str] = set()
    while True:
        more = {
            name
            for name, held in values.items()
            if name not in compilers and any(_names_compiler(value, compilers) for value in held)
        }
        if not more:
            return compilers
        compilers |= more


def _names_compiler(value: str, known: set[str]) -> bool:
    words = [w.value for w in shell_words(value, 0, len(value), False)]
    if re.search(r"\$\(shell\s+(?:which|command -v)\s+nvcc\b", value):
        return len(words) == 1
    while words and words[0] in _PREFIX_COMMANDS:
        words = words[1:]
    if not words:
        return False
    plain = re.fullmatch(r"\$[({](\w+)[)}]", words[0])
    return bool(NVCC_WORD.match(words[0])) or bool(plain and plain[1] in known and len(words) < 3)


def command_starts(text: str, start: int, end: int) -> list[int]:
    """Indices into shell_words(...) of the words that name a command."""
    starts = []
    opens = True
    for index, word in enumerate(shell_words(text, start, end, True)):
        value = word.value.lstrip("@-+") if opens else word.value
        if word.operator:
            opens = word.value in _SEPARATORS
        elif opens and value and not re.match(r"\w+=", value):
            starts.append(index)
            opens = value in _PREFIX_COMMANDS
    return starts


def commands(text: str, start: int, end: int) -> Iterator[list[Word]]:
    """The words of each command, operators left out."""
    words = list(shell_words(text, start, end, True))
    for first, last in pairwise([*command_starts(text, start, end), len(words)]):
        yield [word for word in words[first:last] if not word.operator]


def _reach(text: str, lines: Sequence[Line], compilers: set[str]) -> tuple[set[str], set[str]]:
    """Variables used in commands that run nvcc, and in commands that run another compiler."""
    reached: set[str] = set()
    other: set[str] = set()
    for line in lines:
        for words in commands(text, line.start, line.end) if line.kind == "recipe" else ():
            command = words[0].value.lstrip("@-+")
            used = set().union(*(references(word.value) for word in words))
            if _runs_nvcc(command, compilers):
                reached |= used
            elif command not in _NEUTRAL:
                other |= used
    return reached - compilers, other - compilers


def _runs_nvcc(command: str, compilers: Collection[str]) -> bool:
    variable = re.fullmatch(r"\$[({](\w+)[)}]", command)
    return NVCC_WORD.match(command) is not None or bool(variable and variable[1] in compilers)


def runs_host_compiler(text: str, line: Line, offset: int, compilers: Collection[str]) -> bool:
    """Is the command of a recipe that `offset` belongs to something else than nvcc (and than echo and the like)?"""
    words = list(shell_words(text, line.start, line.end, True))
    starts = [i for i in command_starts(text, line.start, line.end) if words[i].start <= offset]
    if not starts:
        return False
    command = words[starts[-1]].value.lstrip("@-+")
    return command not in _NEUTRAL and not _runs_nvcc(command, compilers)


def _closure(names: set[str], values: dict[str, list[str]]) -> set[str]:
    done: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in done:
            done.add(name)
            todo.extend(references(" ".join(values.get(name, ()))))
    return done


def _holds_gpus(name: str, held: list[str], text: str) -> bool:
    words = [w for value in held for w in re.split(r"[\s,]+", value.strip()) if w]
    if not words or not any(ARCH_WORD.match(w) for w in words):
        return False
    referenced = re.search(rf"-(?:arch|gpu-architecture|code)[= ]\$[({{]{re.escape(name)}[)}}]", text) is not None
    return referenced or (
        all(ARCH_WORD.match(w) for w in words) and re.search(r"ARCH|SM|GPU|TARGET", name, re.I) is not None
    )


def _roots(values: dict[str, list[str]], live: str) -> frozenset[str]:
    roots = set()
    for name in set(values) | {r for r in references(live) if _ROOT_NAME.match(r)}:
        held = [v.strip() for v in values.get(name, ())]
        used_as_root = re.search(rf"\$[({{]{re.escape(name)}[)}}]/(?:bin/nvcc|lib64|targets/)", live) is not None
        if not held:
            ok = _ROOT_NAME.match(name) is not None
        elif any(LITERAL_ROOT.fullmatch(v.rstrip("/")) for v in held):
            ok = True
        elif _ROOT_NAME.match(name) or used_as_root:
            # A folder of the project may be called CUDA_PATH too; an installation is absolute or asked for.
            ok = all(
                not v or re.match(r"/.*cuda|\$\(shell .*nvcc|\$[({]\w*CUDA\w*[)}]/?\Z", v, re.I) for v in held
            ) and (any(held) or used_as_root)
        else:
            ok = False
        if ok:
            roots.add(name)
    return frozenset(roots)


def _only_paths(name: str, live: str) -> bool:
    """Every use is `$(X)/include`, `-I$(X)`, or a test whether X is set: nothing that another file must agree to."""
    for use in re.finditer(rf"\$[({{]{re.escape(name)}[)}}](?P<rest>\S*)", live):
        if not re.match(r"/(?:bin|include|lib64|lib|targets|nvvm|extras|samples)|[),\"']?\Z|[),]", use["rest"]):
            return False
    return True
