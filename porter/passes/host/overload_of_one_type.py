"""Overloads and specialisations for types that are one in HIP: `check(cudaError_t)` and `check(CUresult)`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Kind, TokenFile, newline_of, template_begin
from porter.frontend.once import once_per_file
from porter.frontend.scopes import Scopes, find_scopes
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

Words = tuple[str, ...]
_SAME = {"hipDeviceptr_t": ("void", "*"), "hipDevice_t": ("int",)}  # HIP's other names for a type
_TYPE_WORDS = frozenset("const volatile unsigned signed long short int char float double bool void auto".split())
_CLASSES = ("struct", "class", "union")
_SUCCESS = {"cudaSuccess", "CUDA_SUCCESS"}
_OPENING, _CLOSING = ("if", "ifdef", "ifndef"), "endif"


@dataclass(frozen=True, slots=True)
class _Definition:
    """A function or a specialisation of a class."""

    file: TokenFile
    first: int
    at: int  # its name
    body: tuple[int, int]
    name: tuple[Words, Words]  # of what it is in, its own
    types: Words  # of its parameters, and what it is a specialisation for

    @property
    def last(self) -> int:
        closing = self.body[1]
        return closing + 1 if self.name[1][0] in _CLASSES else closing  # a class's semicolon


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    own = _definitions(unit.file)
    if not any(_ported(one.types, rules) != one.types for one in own):
        return []
    seen: dict[tuple[object, Words], list[_Definition]] = {}
    findings: list[Finding] = []
    names = {one.name for one in own}
    included = [one for source in unit.included for one in _definitions(source.tokens) if one.name in names]
    for one in (*included, *own):
        before = seen.setdefault((one.name, _ported(one.types, rules)), [])
        others = [other for other in before if not _exclusive(other, one)]
        if not others:
            before.append(one)
        elif one.file is unit.file and all(other.types != one.types for other in others):
            findings.append(_dropped(unit, one, others[0], rules))
    return findings


@once_per_file
def _definitions(file: TokenFile) -> Sequence[_Definition]:
    return list(_read(file, find_scopes(file)))


def _read(file: TokenFile, scopes: Scopes) -> Iterator[_Definition]:
    tokens, parents = file.tokens, _braces(file)
    openings = list(parents)
    for function in scopes.functions:
        if function.body[0] < 0 or not function.name or scopes.at(function.first).function is not None:
            continue
        begin = template_begin(file, function.name_index)
        given = tuple(t.text for t in tokens[begin + 1 : function.params[0]])
        first = begin
        while first > 1 and tokens[first - 1].text == "::":
            first -= 2
        name = tuple(t.text for t in tokens[first : begin + 1])
        parameters = [_type_of(file, *span) for span in file.arguments(function.params[0])]
        types = (*given, *(word for one in parameters for word in (*one, ",")))
        tail = tuple(t.text for t in tokens[function.params[1] + 1 : function.body[0]])
        yield _Definition(
            file, function.first, begin, function.body, (_around(file, openings, parents, begin), (*name, *tail)), types
        )
    for index in file.places("template"):
        if [t.text for t in tokens[index + 1 : index + 3]] != ["<", ">"] or index + 6 >= len(tokens):
            continue
        if tokens[index + 3].text not in _CLASSES or tokens[index + 5].text != "<":
            continue
        opening = next((k for k in range(index + 5, len(tokens)) if tokens[k].text in ("{", ";", ":")), -1)
        closing = file.partner(opening) if opening >= 0 and tokens[opening].text == "{" else -1
        if closing > 0 and closing + 1 < len(tokens) and tokens[closing + 1].text == ";":
            name = (tokens[index + 3].text, tokens[index + 4].text)
            types = tuple(t.text for t in tokens[index + 5 : opening])
            yield _Definition(
                file, index, index + 4, (opening, closing), (_around(file, openings, parents, index), name), types
            )


def _type_of(file: TokenFile, first: int, last: int) -> Words:
    """A parameter's type, without its name and default."""
    words = [file.tokens[k] for k in range(first, last)]
    equals = next((n for n, t in enumerate(words) if t.text == "="), len(words))
    words = words[:equals]
    named = [
        n
        for n, t in enumerate(words)
        if t.kind == Kind.IDENT and t.text not in ("const", "volatile", *_CLASSES, "enum")
    ]
    if len(named) > 1 and words[named[-1]].text not in _TYPE_WORDS and words[named[-1] - 1].text != "::":
        del words[named[-1]]
    return tuple(t.text for t in words if t.text not in ("enum", *_CLASSES))


def _ported(words: Words, rules: RuleSet) -> Words:
    ported: list[str] = []
    for word in words:
        row = rules.names.get(word)
        hip = row.hip if row is not None and row.hip else word
        ported += _SAME.get(hip, (hip,))
    return tuple(ported)


def _around(file: TokenFile, openings: Sequence[int], parents: Mapping[int, int], index: int) -> Words:
    """The names of the namespaces and classes around a token."""
    tokens, names_around = file.tokens, []
    before = bisect_left(openings, index)
    at = openings[before - 1] if before else -1
    while at >= 0:
        if not 0 <= file.partner(at) < index:
            head = at - 1
            while head >= 0 and tokens[head].text not in (";", "{", "}") and tokens[head].directive < 0:
                head -= 1
            names_around += [t.text for t in tokens[head + 1 : at] if t.text not in ("extern", '"C"', "inline")]
        at = parents[at]
    return tuple(names_around)


def _braces(file: TokenFile) -> dict[int, int]:
    """Each opening brace outside directives, in order, with the one around it, or -1."""
    parents: dict[int, int] = {}
    around: list[int] = []
    for index in sorted((*file.places("{"), *file.places("}"))):
        if file.tokens[index].directive >= 0:
            continue
        if file.tokens[index].text == "{":
            parents[index] = around[-1] if around else -1
            around.append(index)
        elif (opening := file.partner(index)) >= 0:
            while around and around.pop() != opening:
                pass
    return parents


def _exclusive(one: _Definition, other: _Definition) -> bool:
    """Does the preprocessor take at most one of the two?"""
    if one.file is not other.file:
        return False
    first, second = (_branches(one.file, each.first) for each in (one, other))
    return any(second.get(group, branch) != branch for group, branch in first.items())


def _branches(file: TokenFile, index: int) -> dict[int, int]:
    """The #if directives around a token, and which branch of each it is in."""
    open_: list[tuple[int, int]] = []
    for number, directive in enumerate(file.directives):
        if directive.start > file.tokens[index].start:
            break
        if directive.name in _OPENING:
            open_.append((number, 0))
        elif directive.name == _CLOSING and open_:
            open_.pop()
        elif directive.name in ("else", "elif", "elifdef", "elifndef") and open_:
            open_[-1] = (open_[-1][0], number)
    return dict(open_)


def _dropped(unit: Unit, one: _Definition, other: _Definition, rules: RuleSet) -> Finding:
    """The later of the two, taken out of the port."""
    same = _ported(_words(one), rules) == _ported(_words(other), rules)
    alike = same or (_is_check(one) and _is_check(other))  # one tells of an error in other words
    changed = {w for w in one.types if _ported((w,), rules) != (w,)}
    changed |= {w for w in other.types if _ported((w,), rules) != (w,)}
    types = " and ".join(sorted(changed)) + (" are one type" if len(changed) > 1 else " is no type of its own")
    message = f"{types} in HIP: " + (
        "the earlier definition is the same"
        if same
        else "the earlier definition reports errors of both"
        if alike
        else "the earlier definition holds for both, this one is taken out"
    )
    text, end_of_line = unit.file.text, newline_of(unit.file.text)
    first, name, end = unit.tokens[one.first], unit.tokens[one.at], unit.tokens[one.last].end
    begun = text[: first.start].rstrip(" \t")
    rest = text[end:].lstrip(" \t")
    opening = (
        ("" if not begun or begun[-1] in "\r\n" else end_of_line)
        + "#if 0"
        + (f"  // {message}" if alike else "")
        + end_of_line
    )
    closing = f"{end_of_line}#endif" + ("" if not rest or rest[0] in "\r\n" else end_of_line)
    edits = (Edit(first.start, first.end, opening + hole(first.start, first.end)), Edit(end, end, closing))
    safety = Safety.EXACT if same else Safety.HINT if alike else Safety.REVIEW
    return Finding("overload-of-one-type", name.start, name.end, safety, message, edits)


def _is_check(one: _Definition) -> bool:
    """Is it nothing but `if (code != cudaSuccess) ...`?"""
    file, (opening, closing) = one.file, one.body
    words = [t.text for t in file.tokens[opening + 1 : opening + 6]]
    if words[:2] != ["if", "("] or words[3:4] != ["!="] or not {words[2], *words[4:]} & _SUCCESS:
        return False
    first = file.partner(opening + 2) + 1
    last = file.partner(first) if file.tokens[first].text == "{" else _end_of_statement(file, first)
    return file.partner(opening + 2) == opening + 6 and last + 1 == closing


def _end_of_statement(file: TokenFile, first: int) -> int:
    while file.tokens[first].text != ";" and first + 1 < len(file.tokens):
        first = max(file.partner(first), first) + 1
    return first


def _words(one: _Definition) -> Words:
    return tuple(t.text for t in one.file.tokens[one.body[0] : one.body[1]])
