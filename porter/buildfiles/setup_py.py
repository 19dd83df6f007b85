"""setup.py and other Python that builds extensions: source names, nvcc's flags, libraries.

Positions come from Python's own parser. Only string literals (and the commas around a dropped one)
are edited; what the program computes is named in a finding.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.buildfiles.flags import LITERAL_ROOT, Change, FlagContext, port_flags, port_path
from porter.buildfiles.renames import Renames, source_words
from porter.buildfiles.tables import tables
from porter.chip import CHIPS, Chip
from porter.findings import Edit, Finding, Safety

__all__ = ["port"]

_NVCC_KEYS = frozenset({"nvcc", "extra_cuda_cflags"})
_LIBRARY_KEYS = frozenset({"libraries"})
_HIP_NAMES = re.compile(r"torch\.version\.hip\Z|(?:\A|\.)IS_HIP_EXTENSION\Z")
_GPU = re.compile(r"(?:\d+\.\d+[a-z]?(?:\+PTX)?)(?:[; ]+\d+\.\d+[a-z]?(?:\+PTX)?)*\Z")
_TOOLS = re.compile(r"(?:\A|/)(nvcc|nvidia-smi|cuobjdump|ptxas|nvprof|nsys|ncu)\Z")


@dataclass(frozen=True, slots=True)
class Literal:
    """A string in the source: plain, or an f-string whose holes read `{}`."""

    value: str
    start: int
    end: int
    plain: bool
    quote: str  # what opens it, prefix included
    begin: int  # of what stands between the quotes
    stop: int

    def become(self, new: str) -> Edit:
        return Edit(self.begin, self.stop, new)


class _Source:
    """Offsets of nodes. Python counts columns in UTF-8 bytes; the text is latin-1, one character a byte.

    In a UTF-8 file the two agree. A file in latin-1 is parsed as it is, and its columns are counted back.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.skip = 3 if text.startswith("\xef\xbb\xbf") else 0
        self.lines = [self.skip, *(m.end() for m in re.finditer(r"\r\n|\n|\r", text))]
        self.utf8 = _utf8(text) is not None
        self.readable = (_utf8(text) if self.utf8 else text)[self.skip and (1 if self.utf8 else 3) :]  # type: ignore[index]

    def offset(self, line: int, column: int) -> int:
        start = self.lines[line - 1]
        if self.utf8:
            return start + column
        stop = self.lines[line] if line < len(self.lines) else len(self.text)
        return start + len(self.text[start:stop].encode("utf-8")[:column].decode("utf-8", "ignore"))

    def span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def literal(self, node: ast.AST) -> Literal | None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            value, is_constant = node.value, True
        elif isinstance(node, ast.JoinedStr):
            value = "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)
            is_constant = False
        else:
            return None
        start, end = self.span(node)
        raw = self.text[start:end]
        opening = re.match(r"[rRbBuUfF]*(?:\"\"\"|'''|\"|')", raw)
        if opening is None:
            return None
        begin, stop = start + opening.end(), end - len(opening.group().lstrip("rRbBuUfF"))
        held = _utf8(self.text[begin:stop]) if self.utf8 else self.text[begin:stop]
        return Literal(value, start, end, is_constant and held == value, opening.group(), begin, stop)


def _utf8(text: str) -> str | None:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return None


def port(text: str, names: Renames) -> list[Finding]:
    """The findings of a Python build script, with their edits; one finding where Python's parser refuses it."""
    source = _Source(text)
    try:
        tree = ast.parse(source.readable)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if not re.search(r"cuda|nvcc", text, re.I):
            return []
        line = getattr(error, "lineno", None) or 1
        at = source.lines[min(line, len(source.lines)) - 1]
        return [Finding("build-python-unread", at, at, Safety.LEFT, f"Python cannot read this file: {error}")]
    strings = list(_strings(tree, source))
    findings = list(_sources(text, strings, names))
    cuda = [
        *_extension(tree, source),
        *_flags(tree, source, names.target),
        *_libraries(tree, source),
        *_environment(tree, source, names.target),
        *_home(tree, source),
        *_left(tree, source, CHIPS[names.target]),
        *_paths(strings),
    ]
    dual = _dual(text, tree, source)
    findings.extend(cuda if dual is None else [dual] if cuda else [])
    return sorted(findings, key=lambda f: (f.start, f.end))


def _dual(text: str, tree: ast.Module, source: _Source) -> Finding | None:
    """A file that asks for ROCm already takes its own branch there."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)):
            start, end = source.span(node)
            shown = text[start:end]
            both = re.search(r"(?:\A|\.)ROCM_HOME\Z", shown) and re.search(r"\bCUDA_HOME\b", text)
            if _HIP_NAMES.search(shown) or both:
                message = "this file asks for ROCm already and has a branch for it; only file names are changed"
                return Finding("build-dual", start, end, Safety.REVIEW, message)
    return None


def _strings(tree: ast.Module, source: _Source) -> Iterator[Literal]:
    """String literals that are values: no docstrings, no parts of f-strings."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped.update(id(v) for v in node.values)
    for node in ast.walk(tree):
        literal = source.literal(node) if id(node) not in skipped else None
        if literal is not None:
            yield literal


def _sources(text: str, strings: Sequence[Literal], names: Renames) -> Iterator[Finding]:
    for literal in strings:
        if re.fullmatch(r"\S*\.\w+", literal.value):
            yield from source_words(text, literal.begin, literal.stop, names, "Python")


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _callee(call: ast.Call) -> str:
    return _name(call.func)


def _extension(tree: ast.Module, source: _Source) -> Iterator[Finding]:
    """torch translates the sources of an extension itself when it runs on ROCm."""
    imported = any(
        isinstance(n, (ast.Import, ast.ImportFrom))
        and ("cpp_extension" in (getattr(n, "module", "") or "") or any("cpp_extension" in a.name for a in n.names))
        for n in ast.walk(tree)
    )
    if not imported:
        return
    reported = False
    for node in ast.walk(tree):
        if not reported and isinstance(node, (ast.Name, ast.Attribute)) and _name(node) == "CUDAExtension":
            reported = True
            message = (
                "torch on ROCm runs its own hipify over this folder before it compiles; HIP's names pass through it, "
                "and .hip sources go to hipcc as they are"
            )
            yield Finding("build-torch-extension", *source.span(node), Safety.REVIEW, message)
        if not isinstance(node, ast.Call):
            continue
        name = _callee(node)
        start, end = source.span(node.func)
        if name == "load_inline" or (
            name == "load" and any(k.arg in ("cuda_sources", "sources") for k in node.keywords)
        ):
            inline = name == "load_inline"
            message = (
                "the CUDA source in this string is not ported: torch's hipify sees it when it is built"
                if inline
                else (
                    "torch on ROCm runs its own hipify over the sources before it compiles; HIP's names pass through it"
                )
            )
            safety = Safety.LEFT if inline and any(k.arg == "cuda_sources" for k in node.keywords) else Safety.REVIEW
            yield Finding("build-torch-extension", start, end, safety, message)


def _flags(tree: ast.Module, source: _Source, target: str) -> Iterator[Finding]:
    """Lists of strings: nvcc's own flags wherever they stand, all of them where the list is known to reach nvcc."""
    reach = _reach_nvcc(tree)
    for node in ast.walk(tree):
        items: list[ast.expr] = []
        if isinstance(node, (ast.List, ast.Tuple)):
            items = node.elts
        elif isinstance(node, ast.Call) and _callee(node) == "append" and len(node.args) == 1:
            items = node.args
        if not items:
            continue
        literals = [source.literal(item) for item in items]
        words = [lit.value if lit is not None else "\0" for lit in literals]
        if any(" " in w for w in words if w.startswith("-")):
            yield from _joined(items, literals, target, id(node) in reach)
            continue
        changes = port_flags(words, FlagContext(target, id(node) in reach))
        yield from _list_edits(source, node, items, literals, changes)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _callee(node) == "split" and isinstance(node.func, ast.Attribute):
            literal = source.literal(node.func.value)
            if literal is not None:
                yield from _joined([node.func.value], [literal], target, id(node) in reach)


def _reach_nvcc(tree: ast.Module) -> set[int]:
    """Ids of the lists that become nvcc's flags: under 'nvcc', as extra_cuda_cflags, or in a variable so used."""
    values: list[ast.expr] = []
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            values.extend(
                v
                for k, v in zip(node.keys, node.values, strict=True)
                if isinstance(k, ast.Constant) and k.value in _NVCC_KEYS
            )
        elif isinstance(node, ast.keyword) and node.arg in _NVCC_KEYS:
            values.append(node.value)
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_is_nvcc_item(t) for t in targets):
                values.append(node.value)
            names.update(
                t.id for t in targets if isinstance(t, ast.Name) and re.search(r"nvcc|cuda_?c?flags", t.id, re.I)
            )
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_nvcc_item(node.func.value):
            values.extend([node, *node.args])
    names.update(n.id for v in values for n in ast.walk(v) if isinstance(n, ast.Name))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name) and t.id in names for t in targets):
                values.append(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in names and node.func.attr in ("append", "extend", "insert"):
                values.extend([node, *node.args])
    return {id(n) for v in values for n in ast.walk(v)}


def _is_nvcc_item(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value in _NVCC_KEYS


def _list_edits(
    source: _Source,
    node: ast.AST,
    items: Sequence[ast.expr],
    literals: Sequence[Literal | None],
    changes: Sequence[Change],
) -> Iterator[Finding]:
    spans = [source.span(item) for item in items]
    cursor = 0
    for change in changes:
        parts = literals[change.first : change.last]
        first = parts[0]
        start, end = spans[change.first][0], spans[change.last - 1][1]
        if change.words is None or first is None or any(p is None for p in parts):
            yield Finding(change.rule, start, end, Safety.LEFT, change.message)
            continue
        if "{}" in " ".join(change.words):
            yield Finding(change.rule, start, end, Safety.LEFT, f"{change.message}; the flag is computed here")
            continue
        quote = first.quote[-1]
        quoted = ", ".join(f"{quote}{word}{quote}" for word in change.words)
        if isinstance(node, ast.Call) and len(change.words) != 1:
            # append() adds exactly one flag; extend() any number.
            at = source.span(node.func)[1]
            edits = (Edit(at - len("append"), at, "extend"), Edit(start, end, f"[{quoted}]"))
            yield Finding(change.rule, start, end, change.safety, change.message, edits)
            continue
        if change.words:
            edit = Edit(start, end, quoted)
        elif change.first > 0:
            edit = Edit(max(spans[change.first - 1][1], cursor), end, "")
        elif change.last < len(items):
            edit = Edit(start, spans[change.last][0], "")
        else:
            trailing = re.compile(r"\s*,").match(source.text, end)
            edit = Edit(start, trailing.end() if trailing else end, "")
        cursor = edit.end
        yield Finding(change.rule, start, end, change.safety, change.message, (edit,))


def _joined(
    items: Sequence[ast.expr], literals: Sequence[Literal | None], target: str, nvcc: bool
) -> Iterator[Finding]:
    """A literal that holds several flags: `'-O3 -gencode arch=compute_80,code=sm_80'`."""
    for literal in literals:
        if literal is None or not literal.value.startswith("-"):
            continue
        words = literal.value.split()
        changes = port_flags(words, FlagContext(target, nvcc))
        new: list[str] = []
        at = 0
        for change in changes:
            new.extend(words[at : change.first])
            new.extend(words[change.first : change.last] if change.words is None else change.words)
            at = change.last
        new.extend(words[at:])
        body = literal.become(" ".join(new))
        for change in changes:
            edits = (body,) if literal.plain and change.words is not None else ()
            safety = change.safety if literal.plain else Safety.LEFT
            yield Finding(change.rule, literal.start, literal.end, safety, change.message, edits)


def _libraries(tree: ast.Module, source: _Source) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if not (
            isinstance(node, ast.keyword)
            and node.arg in _LIBRARY_KEYS
            and isinstance(node.value, (ast.List, ast.Tuple))
        ):
            continue
        seen: set[str] = set()
        for item in node.value.elts:
            literal = source.literal(item)
            row = tables().library(literal.value) if literal is not None else None
            if literal is None or row is None:
                continue
            if not row.hip or row.hip in seen:
                safety = Safety.REVIEW if row.hip or row.safety is not Safety.LEFT else Safety.LEFT
                yield Finding("build-cuda-library", literal.start, literal.end, safety, f"{literal.value}: {row.note}")
                continue
            seen.add(row.hip)
            edit = literal.become(row.hip)
            message = f"{literal.value} becomes {row.hip}: {row.note}"
            yield Finding("build-cuda-library", literal.start, literal.end, row.safety, message, (edit,))


def _environment(tree: ast.Module, source: _Source, target: str) -> Iterator[Finding]:
    """TORCH_CUDA_ARCH_LIST names NVIDIA GPUs; PYTORCH_ROCM_ARCH names AMD's."""
    values: dict[int, ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            values[id(node.targets[0].slice)] = node.value
        elif isinstance(node, ast.Call) and len(node.args) > 1 and _callee(node) in ("setdefault", "getenv", "get"):
            values[id(node.args[0])] = node.args[1]
    for node in ast.walk(tree):
        literal = source.literal(node)
        if literal is None or not literal.plain or literal.value != "TORCH_CUDA_ARCH_LIST":
            continue
        value = values.get(id(node))
        named = source.literal(value) if value is not None else None
        edits = [literal.become("PYTORCH_ROCM_ARCH")]
        safety, message = (
            Safety.REVIEW,
            "PYTORCH_ROCM_ARCH names the GPUs under ROCm; check what is done with its value",
        )
        if named is not None and _GPU.match(named.value):
            edits.append(named.become(target))
            safety, message = Safety.EXACT, f"PYTORCH_ROCM_ARCH names the GPU under ROCm: {target}"
        yield Finding("build-nvcc-arch", literal.start, literal.end, safety, message, tuple(edits))


def _home(tree: ast.Module, source: _Source) -> Iterator[Finding]:
    """torch's CUDA_HOME is None under ROCm; ROCM_HOME is its counterpart."""
    message = "CUDA_HOME is None under ROCm; torch offers ROCM_HOME there"
    imported = False
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("cpp_extension"):
            for alias in node.names:
                if alias.name == "CUDA_HOME":
                    imported = imported or alias.asname is None
                    start = source.offset(alias.lineno, alias.col_offset)
                    edit = Edit(start, start + len("CUDA"), "ROCM")
                    yield Finding("build-python-cuda", start, start + len("CUDA_HOME"), Safety.EXACT, message, (edit,))
    for node in ast.walk(tree):
        is_name = isinstance(node, ast.Name) and node.id == "CUDA_HOME" and imported
        if is_name or (isinstance(node, ast.Attribute) and node.attr == "CUDA_HOME"):
            assert isinstance(node, (ast.Name, ast.Attribute))
            start, end = source.span(node)
            edit = Edit(end - len("CUDA_HOME"), end - len("_HOME"), "ROCM")
            yield Finding("build-python-cuda", start, end, Safety.EXACT, message, (edit,))


def _left(tree: ast.Module, source: _Source, chip: Chip) -> Iterator[Finding]:
    reported: set[str] = set()
    keys = _keys(tree)
    # Names of torch and of the environment that say something else, or nothing, under ROCm
    notes = {
        "get_device_capability": f"{chip.capability} on {chip.target}, which no comparison with an NVIDIA capability has in mind",
        "get_cuda_arch": "asks for NVIDIA GPUs",
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = node.id if isinstance(node, ast.Name) else node.attr
            is_version = isinstance(node, ast.Attribute) and ast.unparse(node) == "torch.version.cuda"
            note = "None under ROCm, where torch.version.hip is set" if is_version else notes.get(name)
            if note is None or (isinstance(node.ctx, ast.Store)) or name in reported:
                continue
            reported.add(name)
            start, end = source.span(node)
            yield Finding("build-python-cuda", start, end, Safety.LEFT, f"{name} is {note}")
        literal = source.literal(node)
        if literal is None:
            continue
        tool = _TOOLS.search(literal.value)
        called = re.match(r"(nvcc)\s+-", literal.value)
        if literal.value in ("CUDA_HOME", "CUDA_PATH"):
            message = f"the environment's {literal.value} is not set for ROCm: ROCM_PATH is"
            yield Finding("build-python-cuda", literal.start, literal.end, Safety.LEFT, message)
        elif (tool and id(node) not in keys) or called:
            name = tool[1] if tool else "nvcc"
            message = f"a call of {name}: on AMD {tables().tools.get(name, 'hipcc')}, with flags of its own"
            yield Finding("build-nvcc", literal.start, literal.end, Safety.LEFT, message)


def _keys(tree: ast.Module) -> set[int]:
    """Ids of strings that are keys: 'nvcc' in extra_compile_args keeps its name under ROCm."""
    keys: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys.update(id(key) for key in node.keys)
        elif isinstance(node, ast.Subscript):
            keys.add(id(node.slice))
        elif isinstance(node, ast.Compare):
            keys.update(id(side) for side in (node.left, *node.comparators))
        elif isinstance(node, ast.Call) and _callee(node) in ("get", "setdefault", "pop"):
            keys.update(id(argument) for argument in node.args)
    return keys


def _paths(strings: Sequence[Literal]) -> Iterator[Finding]:
    for literal in strings:
        root = LITERAL_ROOT.match(literal.value)
        if root is None or not literal.plain:
            continue
        edit = literal.become(port_path(literal.value))
        message = f"{root.group()} is the CUDA toolkit; ROCm lies in /opt/rocm"
        yield Finding("build-cuda-path", literal.start, literal.end, Safety.EXACT, message, (edit,))
