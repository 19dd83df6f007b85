"""Where a port adds lines of its own: before a file's includes, as a function's first statements, around a definition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porter.findings import Edit
from porter.frontend.lexer import TokenFile, newline_of
from porter.frontend.scopes import Function

__all__ = ["before_includes", "first_in_body", "first_kernel", "neighbours", "outside_hip"]

_INCLUDES = frozenset({"include", "import"})


def before_includes(file: TokenFile) -> int:
    """The offset of a macro that headers read: before anything is included, and before what decides whether it is."""
    if not any(d.name in _INCLUDES for d in file.directives):
        return 0
    return next(d.start for d in file.directives if d.name in _INCLUDES | {"if", "ifdef", "ifndef"})


def first_kernel(file: TokenFile, functions: Iterable[Function]) -> int | None:
    """The end of the name of the first kernel that has a body: what a whole unit gets is reported there, behind the name,
    which other passes may port."""
    names = (f.name_index for f in functions if f.kernel and f.body[0] >= 0)
    first = min(names, default=None)
    return None if first is None else file.tokens[first].end


def first_in_body(file: TokenFile, opening: int, *statements: str) -> Edit:
    """Statements after the brace tokens[opening], each on a line of its own if the function's first one has that."""
    brace, following = file.tokens[opening], file.tokens[opening + 1]
    first = next((t for t in file.tokens[opening + 1 :] if t.directive < 0), following)  # a #if has no indent of use
    _, newline, indent = file.text[brace.end : first.start].rpartition("\n")
    before = newline_of(file.text) + indent if newline else " "
    return Edit(brace.end, brace.end, "".join(before + statement for statement in statements))


def neighbours(file: TokenFile, definitions: Iterable[Function]) -> list[list[Function]]:
    """Definitions in their order, together where nothing but comments is between them."""
    groups: list[list[Function]] = []
    for one in sorted(definitions, key=lambda f: f.first):
        before = groups[-1][-1] if groups else None
        if before is not None and before.body[1] + 1 == one.first and not _directive_between(file, before, one):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _directive_between(file: TokenFile, before: Function, after: Function) -> bool:
    start, end = file.tokens[before.body[1]].end, file.tokens[after.first].start
    return any(start <= directive.start < end for directive in file.directives)


def outside_hip(file: TokenFile, definitions: Sequence[Function]) -> tuple[Edit, ...]:
    """One #if around definitions that follow each other, which HIP has itself and the port keeps for other platforms."""
    newline = newline_of(file.text)
    text = file.text
    start, end = file.tokens[definitions[0].first].start, file.tokens[definitions[-1].body[1]].end
    these = "these" if len(definitions) > 1 else "this"
    before = text.rfind("\n", 0, start) + 1
    alone = text[before:start].strip() == ""
    place, lead = (before, "") if alone else (start, newline)
    head = Edit(place, place, f"{lead}#if !defined(__HIP_PLATFORM_AMD__) // HIP defines {these} itself{newline}")
    after = text.find("\n", end)
    rest = text[end : after if after >= 0 else len(text)]
    if after >= 0 and (not rest.strip() or rest.lstrip().startswith("//")):
        return head, Edit(after + 1, after + 1, f"#endif{newline}")
    return head, Edit(end, end, f"{newline}#endif{newline}")
