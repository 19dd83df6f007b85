"""`--schedule native`: kernels that compute a matrix product are written anew, and the file is ported around them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from porter.cache import cache_dir, write_atomically
from porter.errors import CompileError, PorterError
from porter.frontend.lexer import Kind, TokenFile, launch_arguments, lex, template_end
from porter.frontend.project import SourceFile
from porter.frontend.scopes import Function, find_scopes
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety, encode
from porter.native.dead import unused
from porter.native.gemm import Emitted, emit
from porter.native.gemm_parts import FORMATS
from porter.native.given import Given, given
from porter.native.ir import Module, Unread, parse
from porter.native.problem import Gemm
from porter.native.recognise import candidates, recognise
from porter.native.values import Refused
from porter.passes.mirror import roles
from porter.rules import RuleSet
from porter.toolchain import build
from porter.toolchain.pip_clang import RUNTIME_INCLUDE
from porter.toolchain.store import digest

__all__ = ["Schedule", "Sources", "native_schedule"]

RULE = "native-schedule"
_GROUP = re.compile(r'"amdgpu-flat-work-group-size"="\d+,(\d+)"')
_HARMLESS = re.compile(r"cudaOccupancy\w*|cudaFuncGetAttributes|cudaFuncSetCacheConfig")
_RUNTIME = re.compile(r'"(?:\.\./)*porter/')  # an include of porter's headers, wherever they will lie
_MOST_THREADS, _USUAL_THREADS = 512, (128, 256, 384, 512, 64)  # of a block
_SETTING = "cudaFuncAttributeMaxDynamicSharedMemorySize"


@dataclass(frozen=True, slots=True)
class _Change:
    """Tokens `first` to `last` become `text`; without one they go."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """What takes part in the port: findings of this module, and the text whose other findings go."""

    findings: tuple[Finding, ...]
    spans: tuple[tuple[int, int], ...] = ()  # offsets
    native: bool = False  # no kernel needs mirrored warps any more


@dataclass(frozen=True, slots=True)
class Sources:
    """What is compiled to see what the kernels do: a translation unit and the project's files in it, ported faithfully."""

    main: Path
    root: Path
    texts: Mapping[Path, str]


def native_schedule(unit: Unit, faithful: str, sources: Sources, rules: RuleSet) -> Schedule:
    """faithful: the text of the port without native schedules."""
    kernels = [f for f in unit.scopes.functions if f.kernel and f.body[0] >= 0]
    if not unit.mirrored or not kernels:
        return Schedule(())
    try:
        return _scheduled(unit, faithful, sources, kernels, rules)
    except (Refused, Unread) as why:
        return Schedule(tuple(_refused(unit, kernel, str(why)) for kernel in kernels))


def _refused(unit: Unit, kernel: Function, why: str) -> Finding:
    token = unit.tokens[kernel.name_index]
    message = f"no native schedule for {kernel.name}: {why}. The faithful port stands"
    return Finding(RULE, token.start, token.end, Safety.SLOWER, message)


def _scheduled(unit: Unit, faithful: str, sources: Sources, kernels: Sequence[Function], rules: RuleSet) -> Schedule:
    module = _module(unit, sources)
    by_title: dict[str, list[str]] = {}
    for name, function in module.functions.items():
        if function.kernel:
            by_title.setdefault(module.title(name).split("<")[0], []).append(name)
    ported = lex(faithful)
    ported_kernels = {f.name: f for f in find_scopes(ported).functions if f.kernel and f.body[0] >= 0}
    written: list[tuple[Function, Gemm, Emitted]] = []
    refusals: list[Finding] = []
    for kernel in kernels:
        try:
            problem = _problem(unit, module, by_title.get(kernel.name, []), kernel, ported, ported_kernels)
            if (problem.a.element, problem.b.element) not in FORMATS:
                raise Refused(f"no kernel is written for {problem.a.element} x {problem.b.element}")
            if problem.a.element == "tf32" and "TFLOAT32" in unit.file.text:
                raise Refused("tensor maps that round to TF32")
            written.append((kernel, problem, emit(problem)))
        except (Refused, Unread) as why:
            refusals.append(_refused(unit, kernel, str(why)))
    if not written:
        return Schedule(tuple(refusals))
    changes: list[_Change] = []
    for kernel, _, emitted in written:
        template = _template(ported, ported_kernels[kernel.name])
        changes.append(_Change(kernel.first, kernel.body[1], _with_template(emitted.kernel.strip(), template)))
        changes += dict.fromkeys(_uses(unit, kernel, emitted))
    needed = (
        " ".join(
            (
                _template(ported, ported_kernels[k.name]),
                p.parameters,
                p.c.pitch,
                p.c.value,
                *(condition for condition, _ in p.elements),
            )
        )
        for k, p, _ in written
    )
    used = frozenset(t.text for text in needed for t in lex(text).tokens if t.kind == Kind.IDENT)
    gone = [(c.first, c.last) for c in changes]
    changes += [_Change(first, last, "") for first, last in unused(unit.file, unit.scopes, gone, used)]
    edits = [_replaced(unit.file, c) for c in changes if c.text] + _cuts(unit.file, [c for c in changes if not c.text])
    edits += _needless_includes(unit, [(c.first, c.last) for c in changes])
    findings: list[Finding] = []
    if refusals and (
        unit.clusters or roles([SourceFile(unit.path, encode(_without(unit.file.text, edits)))], rules).mirrored
    ):
        reason = "another kernel of the file needs mirrored warps or clusters"
        return Schedule((*refusals, *(_refused(unit, kernel, reason) for kernel, _, _ in written)))
    for number, (kernel, problem, emitted) in enumerate(written):
        start, end = unit.tokens[kernel.first].start, unit.tokens[kernel.body[1]].end
        everything = tuple(edits) if number == 0 else ()
        headers = tuple(h for h in emitted.headers if h.startswith("porter/"))  # the source brings HIP's with its types
        findings.append(Finding(RULE, start, end, Safety.REVIEW, _message(problem), everything, headers))
    return Schedule((*findings, *refusals), tuple((e.start, e.end) for e in edits), True)


def _needless_includes(unit: Unit, gone: Sequence[tuple[int, int]]) -> list[Edit]:
    """<mma.h>, when nothing of nvcuda::wmma is left."""
    file = unit.file
    left = (k for k in range(len(file.tokens)) if not any(first <= k <= last for first, last in gone))
    if any(file.tokens[k].text == "nvcuda" for k in left):
        return []
    return [
        Edit(directive.start, directive.end + 1, "")
        for directive in file.directives
        if directive.name == "include"
        and re.search(r"[<\"](?:crt/)?mma\.h[>\"]", file.text[directive.start : directive.end])
    ]


def _message(problem: Gemm) -> str:
    a, b, c = problem.a, problem.b, problem.c
    made = "the sum" if c.value == "sum" else c.value
    if problem.elements:
        kinds = " or ".join(element for _, element in problem.elements)
        of, stored = kinds, kinds if c.element in ("f16", "bf16") else c.element
    else:
        of, stored = f"{a.element} x {b.element}", c.element
    halves = ". Sums stay f32, which the source rounds to f16 after each product" if problem.halves else ""
    return (
        f"{problem.kernel} multiplies {a.source} and {b.source} ({of}) and stores {made} as {stored} to "
        f"{c.parameter}: it was executed on two small problems to find that out, and is written anew for CDNA. "
        f"Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow{halves}"
    )


def _module(unit: Unit, sources: Sources) -> Module:
    """The device IR of the unit. Its files stand in a folder of their own, as in the project."""
    parts = [str(sources.main), *(part for path in sorted(sources.texts) for part in (str(path), sources.texts[path]))]
    folder = cache_dir() / "native" / digest(*parts)
    own = [
        folder / Path(i).relative_to(sources.root)
        for i in unit.options.includes
        if Path(i).is_relative_to(sources.root)
    ]
    folders: tuple[str | Path, ...] = (folder, *own, *unit.options.includes, sources.main.parent)
    options = build.Options(std=unit.options.standard, defines=unit.options.defines, includes=folders, flags=("-w",))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Beside the original there may be headers of an earlier port.
        with contextlib.suppress(FileExistsError):
            (folder / "porter").symlink_to(RUNTIME_INCLUDE / "porter", target_is_directory=True)
        for path, text in sources.texts.items():
            place = folder / path.relative_to(sources.root)
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(place, encode(_RUNTIME.sub('"porter/', text)))
        source = folder / sources.main.relative_to(sources.root)
        text = build.device_ir(source, options).read_text(encoding="utf-8", errors="replace")
    except CompileError as error:
        raise Refused(f"the faithful port does not compile ({error.problem.rpartition('error: ')[2]})") from None
    except PorterError as error:
        raise Refused(error.problem) from None
    except OSError as error:
        raise Refused(f"it could not be compiled ({error.strerror})") from None
    return parse(text)


def _problem(
    unit: Unit,
    module: Module,
    names: Sequence[str],
    kernel: Function,
    ported: TokenFile,
    ported_kernels: dict[str, Function],
) -> Gemm:
    if kernel.name not in ported_kernels or not names:
        raise Refused("it is not instantiated in this file")
    known = {f.name for f in candidates(module)}
    other = ported_kernels[kernel.name]
    text = ported.source(other.params[0] + 1, other.params[1])
    parameters = [_parameter_name(ported, first, last) for first, last in ported.arguments(other.params[0])]
    members = _members(unit, kernel)
    problems: dict[str, Gemm] = {}
    for name in names:
        function = module.functions[name]
        if len(function.parameters) != len(parameters):
            continue  # another file's
        if name not in known:
            raise Refused("no matrices are among its parameters")
        knows = given(function, parameters, members)
        problems[module.title(name)] = _recognised(module, function, knows, kernel.name, text)
    return _common(problems, _template(ported, other))


def _members(unit: Unit, kernel: Function) -> dict[int, list[tuple[str, int]]]:
    """By parameter: the members of structures, and where they are."""
    found = {}
    for number, (first, last) in enumerate(unit.file.arguments(kernel.params[0])):
        name = _parameter_token(unit.file, first, last)
        if name >= 0 and unit.ast is not None:
            found[number] = unit.ast.members(unit.tokens[name].start)
    return found


def _recognised(module: Module, function: Any, knows: Sequence[Given], title: str, text: str) -> Gemm:
    found = _GROUP.search(function.attributes)
    most = min(int(found[1]) // 2 if found else _MOST_THREADS, _MOST_THREADS)
    reasons = []
    # Without __launch_bounds__ the kernel does not say how many threads it is for.
    for threads in (most,) if most < _MOST_THREADS else _USUAL_THREADS:
        try:
            return recognise(module, function, knows, title, text, threads)
        except Refused as why:
            reasons.append(why)
    raise reasons[0]


def _common(problems: Mapping[str, Gemm], template: str) -> Gemm:
    """What all instantiations of a kernel are, which may differ in the elements of A, B and C and in the values."""
    a, b = (all(p.in_chunks for p in ps) for ps in zip(*((p.a, p.b) for p in problems.values())))
    aligned = {
        title: replace(p, a=replace(p.a, in_chunks=a), b=replace(p.b, in_chunks=b)) for title, p in problems.items()
    }
    first = next(iter(aligned.values()))
    parameters = _template_parameters(template)
    values = {title: p.c.value for title, p in aligned.items()}
    if len(set(values.values())) > 1:
        choices = _told_apart(values, parameters)
        value = values[next(reversed(values))] if not choices else choices[-1][1]
        for condition, other in reversed(choices[:-1]):
            value = f"({condition} ? {other} : {value})"
        aligned = {title: replace(p, c=replace(p.c, value=value)) for title, p in aligned.items()}
        first = next(iter(aligned.values()))
    if len(set(aligned.values())) == 1:
        return first
    for problem in aligned.values():
        own = problem.a.element
        stored = own if first.c.element == first.a.element else first.c.element
        same = replace(
            first,
            a=replace(first.a, element=own),
            b=replace(first.b, element=own),
            c=replace(first.c, element=stored),
        )
        if own not in ("f16", "bf16") or same != problem:
            raise Refused("its instantiations differ")
    elements = _told_apart({title: p.a.element for title, p in aligned.items()}, parameters)
    return replace(first, elements=tuple(elements))


def _told_apart(found: Mapping[str, str], parameters: Sequence[tuple[str, bool]]) -> list[tuple[str, str]]:
    """By which of its template's arguments (C++) an instantiation is the one thing or the other."""
    arguments = {title: _arguments(title) for title in found}
    conditions: list[tuple[str, str]] = []
    for what in dict.fromkeys(found.values()):
        own = [arguments[title] for title, one in found.items() if one == what]
        others = [arguments[title] for title, one in found.items() if one != what]
        for number, (name, is_type) in enumerate(parameters):
            mine = {one[number] for one in own if number < len(one)}
            if name and len(mine) == 1 and mine.isdisjoint(one[number] for one in others if number < len(one)):
                value = mine.pop()
                conditions.append((f"std::is_same_v<{name}, {value}>" if is_type else f"{name} == {value}", what))
                break
        else:
            raise Refused("its instantiations differ")
    return conditions


def _arguments(title: str) -> list[str]:
    """Of a template, from the name of an instantiation."""
    inner = title.partition("<")[2].rpartition(">")[0]
    return [part.strip() for part in re.split(r",(?![^<(]*[>)])", inner)]


def _template_parameters(template: str) -> list[tuple[str, bool]]:
    """Their names, and whether they are types; "" for packs and templates."""
    found = []
    for part in re.split(r",(?![^<(]*[>)])", template.partition("<")[2].rpartition(">")[0]):
        words = re.fullmatch(r"\s*(?:(typename|class)|[\w:]+(?:\s+[\w:]+)*?)\s+(\w+)\s*(?:=.*)?", part, re.DOTALL)
        found.append((words[2], bool(words[1])) if words else ("", False))
    return found


def _parameter_name(file: TokenFile, first: int, last: int) -> str:
    index = _parameter_token(file, first, last)
    return file.tokens[index].text if index >= 0 else ""


def _parameter_token(file: TokenFile, first: int, last: int) -> int:
    end = next((k for k in range(first, last) if file.tokens[k].text in ("=", "[")), last)
    return next((k for k in range(end - 1, first - 1, -1) if file.tokens[k].kind == Kind.IDENT), -1)


def _template(file: TokenFile, kernel: Function) -> str:
    if file.tokens[kernel.first].text != "template":
        return ""
    end = template_end(file, kernel.first + 1, kernel.params[0], parameters=True)
    return file.source(kernel.first, end) if end > 0 else ""


def _with_template(text: str, template: str) -> str:
    if not template:
        return text
    at = text.rfind("__global__")
    begin = text.rfind("\n", 0, at) + 1
    return f"{text[:begin]}{template}\n{text[begin:]}"


def _uses(
    unit: Unit, kernel: Function, emitted: Emitted, variable: str = "", places: range | None = None
) -> Iterator[_Change]:
    """Changes of the launches and of what else names the kernel, or a variable which stands for it.

    Refused where that is not understood.
    """
    file = unit.file
    name = variable or kernel.name
    for index in range(len(file.tokens)) if places is None else places:
        token = file.tokens[index]
        if token.text != name or token.kind != Kind.IDENT or kernel.first <= index <= kernel.body[1]:
            continue
        after = index + 1
        if unit.text(after) == "<":
            after = max(after, template_end(file, after, len(file.tokens), parameters=True))
        if unit.text(index - 1) == "*" and unit.text(index - 2) == "(" and unit.text(after) == ")":
            after += 1  # (*kernel)<<<...>>>
        if unit.text(after) == "<<<":
            scope = "" if variable else _qualifier(unit, index)
            qualified = replace(emitted, grid=scope + emitted.grid, block=scope + emitted.block)
            yield from _launch(unit, after, qualified, kernel)
            continue
        call = _enclosing_call(file, index)
        called = file.tokens[call - 1].text if call > 0 else ""
        if called == "cudaFuncSetAttribute":
            parts = file.arguments(call)
            if len(parts) == 3 and file.source(*parts[1]).endswith(_SETTING):
                yield _Change(parts[2][0], parts[2][1] - 1, emitted.shared)
            continue
        if _HARMLESS.fullmatch(called) or (unit.text(after) == "=" and variable):
            continue
        function = unit.scope(index).function
        before = index - 1
        while unit.text(before) in ("&", "::"):
            before -= 1 if unit.text(before) == "&" else 2
        held = "" if variable else _variable(unit, before, after, kernel)
        if held and function is not None:
            yield from _uses(unit, kernel, emitted, held, range(index, function.body[1]))
        elif unit.text(after) != ";" or unit.text(before) != ">":  # an explicit instantiation
            raise Refused("it is launched in a way that is not rewritten yet")


def _variable(unit: Unit, before: int, after: int, kernel: Function) -> str:
    """The variable that the kernel, or one of its instantiations by a condition, is the value of."""
    if unit.text(before) not in ("=", "?", ":") or unit.text(after) not in (";", ":"):
        return ""
    first = before
    while first > 0 and unit.text(first) not in ("=", ";", "{", "}"):
        first -= 1
    last = next((k for k in range(after, len(unit.tokens)) if unit.text(k) == ";"), after)
    kernels = {f.name for f in unit.scopes.functions if f.kernel}
    if unit.text(first) != "=" or {unit.text(k) for k in range(first, last)} & kernels != {kernel.name}:
        return ""
    return unit.text(first - 1)


def _qualifier(unit: Unit, index: int) -> str:
    """The namespaces before a name: what is written beside the kernel has them too."""
    first = index
    while unit.text(first - 1) == "::":
        first -= 2 if unit.tokens[first - 2].kind == Kind.IDENT else 1
    return unit.file.source(first, index)


def _enclosing_call(file: TokenFile, index: int) -> int:
    depth = 0
    for at in range(index - 1, max(0, index - 200), -1):
        text = file.tokens[at].text
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return at
        if text in (";", "{", "}"):
            return -1
    return -1


def _launch(unit: Unit, opening: int, emitted: Emitted, kernel: Function) -> Iterator[_Change]:
    file = unit.file
    parts = launch_arguments(file, opening)
    closing = next(i for i in range(opening, len(file.tokens)) if file.tokens[i].text == ">>>")
    given = [file.source(*part) for part in file.arguments(closing + 1)]
    names = [_parameter_name(file, *part) for part in file.arguments(kernel.params[0])]
    arguments = dict(zip(names, given))
    grid = emitted.grid.format(**arguments)
    texts = [grid, emitted.block, emitted.shared]
    if len(parts) == 2 and emitted.shared != "0":
        texts[1] += f", {emitted.shared}"
    for part, text in zip(parts, texts):
        yield _Change(part[0], part[1] - 1, text)
    yield from _unneeded(unit, opening, [file.source(*part) for part in parts[:3]])


def _unneeded(unit: Unit, index: int, texts: Sequence[str]) -> Iterator[_Change]:
    """Declarations of variables that only the launch's configuration used."""
    function = unit.scope(index).function
    if function is None:
        return
    tokens = unit.tokens
    for text in texts:
        if not text.isidentifier():
            continue
        places = [k for k in range(*function.body) if tokens[k].text == text]
        if len(places) < 2 or _configures(unit, places[0]) or not all(_configures(unit, k) for k in places[1:]):
            continue
        if unit.text(places[0] + 1) not in ("(", "=", "{", ";") or unit.text(places[0] - 1) in (",", "("):
            continue
        first = places[0]
        while unit.text(first - 1) not in (";", "{", "}", ")"):
            first -= 1
        last = places[0]
        while unit.text(last) not in (";", ""):
            last = unit.file.partner(last) + 1 if unit.text(last) in ("(", "{") else last + 1
        if unit.text(first) in ("const", "constexpr", "dim3", "int", "auto", "size_t", "unsigned", "uint32_t"):
            yield _Change(first, last, "")


def _configures(unit: Unit, index: int) -> bool:
    """Is this a part of a launch's configuration?"""
    while index > 0 and unit.text(index) not in ("<<<", ">>>", ";", "{", "}"):
        index -= 1
    return unit.text(index) == "<<<"


def _replaced(file: TokenFile, change: _Change) -> Edit:
    return Edit(file.tokens[change.first].start, file.tokens[change.last].end, change.text)


def _cuts(file: TokenFile, changes: Sequence[_Change]) -> list[Edit]:
    """Removes tokens with the comments above them and the lines that they leave empty; neighbours as one."""
    text = file.text
    spans: list[list[int]] = []
    for start, end in sorted(_lines(file, c.first, c.last) for c in changes):
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([start, end])
    for span in spans:
        if text[: span[0]].endswith(("\n\n", "{\n")):
            while text[span[1] : span[1] + 1] == "\n":
                span[1] += 1
    return [Edit(start, end, "") for start, end in spans]


def _lines(file: TokenFile, first: int, last: int) -> tuple[int, int]:
    text = file.text
    start, end = file.tokens[first].start, file.tokens[last].end
    if file.tokens[first].directive >= 0:
        directive = file.directives[file.tokens[first].directive]
        return directive.start, directive.end + 1
    if last + 1 < len(file.tokens) and file.tokens[last + 1].text == ";" and file.tokens[last].text == "}":
        end = file.tokens[last + 1].end
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        return start, end
    start = line
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("//"):
            break
        start = above
    rest = text.find("\n", end)
    if rest >= 0 and (not text[end:rest].strip() or text[end:rest].lstrip().startswith("//")):
        end = rest + 1
    return start, end


def _without(text: str, edits: Sequence[Edit]) -> str:
    for edit in sorted(edits, key=lambda e: -e.start):
        text = text[: edit.start] + text[edit.end :]
    return text
