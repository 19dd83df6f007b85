"""What all instantiations of a kernel in a file compute: one product, which may differ in elements and in values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product as choices
from typing import TypeVar

from porter.analysis.launched_blocks import block_shapes, most_threads
from porter.chip import Chip
from porter.frontend.lexer import TokenFile, template_end
from porter.frontend.scopes import Function, find_scopes
from porter.frontend.unit import Unit
from porter.native.ir.kernel_arguments import Given, given
from porter.native.ir.members import members
from porter.native.ir.module import Function as DeviceFunction
from porter.native.ir.module import Module
from porter.native.lift.attention import Attention, attention
from porter.native.lift.instances import Instances
from porter.native.machine.values import Refused
from porter.native.recognise.problem import Gemm
from porter.native.recognise.recognise import candidates, recognise
from porter.native.recognise.recognition_cache import gemm_of, remembered
from porter.native.recognise.traces import OF_VALUES
from porter.native.unit_files import parameter_name

__all__ = ["counted_by", "problem_of", "template_of"]

Shape = tuple[int, int, int]
_Problem = TypeVar("_Problem", Gemm, Attention)

_GROUP = re.compile(r'"amdgpu-flat-work-group-size"="\d+,(\d+)"')
_MOST_SHAPES = 6
_USUAL_THREADS = (128, 256, 384, 512, 64)  # of a block


def problem_of(
    unit: Unit,
    instances: Sequence[tuple[Module, str]],
    kernel: Function,
    ported: TokenFile,
    launches: Collection[int],
    clusters: Sequence[tuple[int, int, int]],
) -> Gemm | Instances:
    """instances: of the kernel, in the modules of all units that it is a part of; ported: the file's faithful port.

    launches: the <<< of the unit's file that launch it, where that is all of its launches; clusters: their sizes that
    launches may give."""
    other = next(
        (f for f in find_scopes(ported).functions if f.kernel and f.name == kernel.name and f.body[0] >= 0), None
    )
    if other is None or not instances:
        raise Refused("it is not instantiated in this file")
    text = ported.source(other.params[0] + 1, other.params[1])
    parameters = [parameter_name(ported, first, last) for first, last in ported.arguments(other.params[0])]
    shapes = _shapes(unit, launches)
    template = template_of(ported, other)
    problems: dict[str, Gemm] = {}
    attentions: dict[str, Attention] = {}
    names: list[str] = []
    for module, name in instances:
        function = module.functions[name]
        if len(function.parameters) != len(parameters):
            continue  # another file's
        if name not in {f.name for f in candidates(module)}:
            raise Refused("no matrices are among its parameters")
        knows = given(function, parameters, members(module, function))
        names = [one.name for one in knows]
        title = module.title(name)
        for size in clusters:
            about = (kernel.name, text, knows, shapes, size, unit.chip.target)
            find = partial(_recognised, module, function, knows, kernel.name, text, shapes, size, unit.chip)
            try:
                problem = remembered(module, function, about, find, gemm_of)
            except Refused as why:
                if size != (1, 1, 1) or not str(why).startswith(OF_VALUES):
                    raise
                try:
                    attentions[title] = _attention(module, function, knows, shapes, unit.chip, about)
                except Refused as other:
                    why.args = (f"{why}; nor is it attention: {other}",)
                    raise why from None
                continue
            if problems.setdefault(title, problem) != problem:
                raise Refused("what it computes depends on the size of its clusters")
    if not attentions:
        return _common(problems, template)
    if problems:
        raise Refused("its instantiations differ: some are matrix products, others attention")
    of_template = _template_parameters(template)
    alike = partial(_as_argument, parameters=of_template)
    return Instances(kernel.name, text, names, attentions, template, [name for name, _ in of_template], alike)


def _attention(
    module: Module, function: DeviceFunction, knows: Sequence[Given], shapes: Sequence[Shape], chip: Chip, about: object
) -> Attention:
    """Of an instantiation whose products have operands that it works out."""

    def find() -> Attention:
        return _first_of(_possible(function, shapes, chip), lambda shape: attention(module, function, knows, shape))

    return remembered(module, function, ("attention", about), find, Attention.from_data)


def _as_argument(texts: Mapping[str, str], parameters: Sequence[tuple[str, bool]]) -> str:
    """C++ for all instantiations: the parameter that has just these values, or a condition on parameters."""
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    for number, (name, _) in enumerate(parameters):
        if name and all(_arguments(title)[number : number + 1] == [text] for title, text in texts.items()):
            return name
    return _one_text(texts, parameters)


def _recognised(
    module: Module,
    function: DeviceFunction,
    knows: Sequence[Given],
    title: str,
    text: str,
    shapes: Sequence[Shape],
    cluster: tuple[int, int, int],
    chip: Chip,
) -> Gemm:
    return _first_of(
        _possible(function, shapes, chip),
        lambda shape: recognise(module, function, knows, title, text, shape, cluster),
    )


def _possible(function: DeviceFunction, shapes: Sequence[Shape], chip: Chip) -> list[Shape]:
    """Blocks that the kernel may be launched with."""
    group_size = _GROUP.search(function.attributes)
    any_block = most_threads(chip)
    most = min(int(group_size[1]) // 2 if group_size else any_block, any_block)
    # Without __launch_bounds__ the kernel does not say how many threads it is for.
    counts = (most,) if most < any_block else _USUAL_THREADS
    return [s for s in shapes if math.prod(s) <= most] or [(count, 1, 1) for count in counts]


def _first_of(shapes: Sequence[Shape], find: Callable[[Shape], _Problem]) -> _Problem:
    """What it is with the first block with which it is something."""
    reasons = []
    for shape in shapes:
        try:
            return find(shape)
        except Refused as why:
            reasons.append(why)
    raise reasons[0]


def _shapes(unit: Unit, launches: Collection[int]) -> list[Shape]:
    """Of blocks, as launches say them: the kernel's own, or the file's where threads have more than one index."""
    known = [(launch, _of_warps(extents)) for launch, extents in block_shapes(unit)]
    own = [shapes for launch, shapes in known if launch in launches]
    shapes_of_launches = own if launches and len(own) == len(launches) and all(own) else []
    if not shapes_of_launches and unit.facts.mirrored > 1:
        shapes_of_launches = [shapes for _, shapes in known]
    return list(dict.fromkeys(shape for shapes in shapes_of_launches for shape in shapes))[:_MOST_SHAPES]


def _of_warps(extents: Sequence[Iterable[int]]) -> list[Shape]:
    """The blocks of whole warps that these may be."""
    blocks = choices(*[*map(sorted, extents), (1,), (1,)][:3])
    return [(x, y, z) for x, y, z in blocks if x * y * z % 32 == 0]


def _common(problems: Mapping[str, Gemm], template: str) -> Gemm:
    """What all instantiations of a kernel are, which may differ in the elements of A, B and C and in the values."""
    a, b = (all(p.in_chunks for p in ps) for ps in zip(*((p.a, p.b) for p in problems.values())))
    halves = any(p.halves for p in problems.values())
    kinds: dict[str, dict[str, Gemm]] = {}
    for title, p in problems.items():
        aligned = replace(p, a=replace(p.a, in_chunks=a), b=replace(p.b, in_chunks=b), halves=halves)
        kinds.setdefault(_kind(p), {})[title] = aligned
    parameters = _template_parameters(template)
    first, *others = (_of_one_kind(alike, parameters) for alike in kinds.values())
    if any(_apart_from_elements(other) != _apart_from_elements(first) for other in others):
        raise Refused(f"its instantiations differ: {', '.join(sorted(set(map(_elements, problems.values()))))}")
    if not others:
        return first
    conditions = _conditions_for({title: kind for kind, titles in kinds.items() for title in titles}, parameters)
    return replace(first, others=tuple((condition, other) for (condition, _), other in zip(conditions[1:], others)))


def _kind(problem: Gemm) -> str:
    """Instantiations that one kernel's text is for: those of 16-bit floats are another instruction alone."""
    if problem.a.element == problem.b.element in ("f16", "bf16"):
        return "16" if problem.c.element == problem.a.element else f"16 to {problem.c.element}"
    return f"{problem.a.element} x {problem.b.element} to {problem.c.element}"


def _elements(problem: Gemm) -> str:
    return f"{problem.a.element} to {problem.c.element}"


def _apart_from_elements(problem: Gemm) -> Gemm:
    """What hosts have to know, and what is the same for all elements."""
    a, b = (replace(one, element="") for one in (problem.a, problem.b))
    return replace(problem, a=a, b=b, c=replace(problem.c, element="", value=""), elements=())


def _of_one_kind(problems: Mapping[str, Gemm], parameters: Sequence[tuple[str, bool]]) -> Gemm:
    value = _one_text({title: p.c.value for title, p in problems.items()}, parameters)
    limits = [_one_text({t: p.limits[size] for t, p in problems.items()}, parameters) for size in range(3)]
    alike = {
        title: replace(p, c=replace(p.c, value=value), limits=(limits[0], limits[1], limits[2]))
        for title, p in problems.items()
    }
    first = next(iter(alike.values()))
    if len(set(alike.values())) == 1:
        return first
    if len(set(map(_apart_from_elements, alike.values()))) != 1:
        raise Refused("its instantiations differ")
    elements = _conditions_for({title: p.a.element for title, p in alike.items()}, parameters)
    return replace(first, elements=tuple(elements))


def _one_text(texts: Mapping[str, str], parameters: Sequence[tuple[str, bool]]) -> str:
    """C++ for all instantiations, with a condition on their arguments where they differ."""
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    choices = _conditions_for(texts, parameters)
    if "" in texts.values():
        raise Refused("its instantiations differ")
    text = choices[-1][1]
    for condition, other in reversed(choices[:-1]):
        text = f"({condition} ? {other} : {text})"
    return text


def _conditions_for(kinds: Mapping[str, str], parameters: Sequence[tuple[str, bool]]) -> list[tuple[str, str]]:
    """By which of its template's arguments (C++) an instantiation is the one thing or the other."""
    arguments = {title: _arguments(title) for title in kinds}
    conditions: list[tuple[str, str]] = []
    types_first = sorted(enumerate(parameters), key=lambda one: not one[1][1])
    for what in dict.fromkeys(kinds.values()):
        own = [arguments[title] for title, one in kinds.items() if one == what]
        others = [arguments[title] for title, one in kinds.items() if one != what]
        for number, (name, is_type) in types_first:
            mine = {one[number] for one in own if number < len(one)}
            if name and len(mine) == 1 and mine.isdisjoint(one[number] for one in others if number < len(one)):
                value = mine.pop()
                if "(anonymous" in value:  # which is no C++
                    continue
                whole = {"true": name, "false": f"!{name}"}.get(value, f"{name} == {value}")
                conditions.append((f"std::is_same_v<{name}, {value}>" if is_type else whole, what))
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
    return [(name, re.match(r"\s*(?:typename|class)\b", part) is not None) for name, part in _parameters(template)]


def _parameters(template: str) -> Iterator[tuple[str, str]]:
    """A template's: name and text; "" for packs and templates."""
    for part in re.split(r",(?![^<(]*[>)])", template.partition("<")[2].rpartition(">")[0]):
        words = re.fullmatch(r"\s*(?:(?:typename|class)|[\w:]+(?:\s+[\w:]+)*?)\s+(\w+)\s*(?:=.*)?", part, re.DOTALL)
        yield (words[1] if words else ""), part


def counted_by(template: str) -> frozenset[str]:
    """Its parameters that are numbers, which the faithful port may lower."""
    words = ((name, re.split(r"\W+", part)) for name, part in _parameters(template))
    return frozenset(name for name, before in words if not {"typename", "class", "bool"} & set(before))


def template_of(file: TokenFile, kernel: Function) -> str:
    if file.tokens[kernel.first].text != "template":
        return ""
    end = template_end(file, kernel.first + 1, kernel.params[0], parameters=True)
    return file.source(kernel.first, end) if end > 0 else ""
