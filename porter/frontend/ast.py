"""libclang's view of one file: who declared the name at an offset, and how well the parse went.

A failed parse does not stop a port: an AST with errors is used for what it knows, and tokens serve for the rest.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.frontend.answers import Answers
from porter.frontend.braces import Braces, Elision
from porter.frontend.cursors import children, walk
from porter.frontend.handles import HandleUse, handle_uses
from porter.frontend.libclang import (
    KEEP_GOING,
    ParseOptions,
    arguments,
    index,
    precompiled_headers,
    resource_headers,
)
from porter.frontend.parsed import NARROWING, SHARED_VALUE, VARIABLE_ARRAY, Parsed, full_name, parsed_unit

__all__ = [
    "DECLARATIONS",
    "NARROWING",
    "Ast",
    "ParseOptions",
    "parse",
    "precompiled_headers",
    "resource_headers",
    "translation_unit",
]


def parse(main: Path, of_interest: Path, options: ParseOptions, together: Sequence[Path] = ()) -> Ast | None:
    """Parse the translation unit `main` and answer questions about `of_interest`, a file it includes; or the headers
    `together`, none of them with a unit.

    None where libclang gives up altogether (it recovers from its own crashes and says so this way).
    """
    parsed = parsed_unit(together or (main,), options)
    return Ast(parsed, of_interest, main, bool(together)) if parsed is not None else None


def translation_unit(
    main: Path,
    texts: Mapping[Path, str],
    options: ParseOptions,
    before: str = "",
    flags: Sequence[str] = (),
    wanted: int = KEEP_GOING,
) -> ci.TranslationUnit | None:
    """libclang's own, with texts that stand for the contents of files, after declarations that no file has."""
    files = [(str(path), text.encode("latin-1")) for path, text in texts.items()]
    given = [*arguments(options), "-include", DECLARATIONS, *flags]
    try:
        return index().parse(str(main), given, [*files, (DECLARATIONS, before)], wanted)
    except ci.TranslationUnitLoadError:
        return None


_NARROWED = re.compile(r" to (?:type )?'([^']+)'(?: \(aka '([^']+)'\))? in initializer list$")
DECLARATIONS = "/porter-declarations.h"  # in memory only: what stands before a unit


_WITH_BRACES = (ci.CursorKind.INIT_LIST_EXPR, ci.CursorKind.CALL_EXPR, ci.CursorKind.VAR_DECL)


class Ast:
    """Answers by offset; every answer may be "" or None, which means: ask the tokens."""

    def __init__(self, parsed: Parsed, path: Path, main: Path, alone: bool = False) -> None:
        """`main`: the translation unit, which may be the file itself or include it; `alone`: other files' errors are none
        of its own."""
        self.main = main
        self._parsed, self._unit = parsed, parsed.unit
        self._name = full_name(str(path))
        self._file = parsed.unit.get_file(str(path))
        self._owners: dict[int, str] = {}
        self._functions: list[tuple[int, int, Any]] | None = None  # this file's, and other declarations: start, end
        self._calls: dict[int, Any] = {}  # by offset, of the declarations that somebody asked about
        files = [self._name] if alone else [*{**parsed.missing_headers, **parsed.errors}]
        self.missing_headers = tuple(dict.fromkeys(name for f in files for name in parsed.missing_headers.get(f, ())))
        self.errors = sum(parsed.errors[f] for f in files)
        self.errors_of_unit = parsed.errors.total()
        self.first_error = next((parsed.first_error[f] for f in (self._name, *files) if f in parsed.first_error), None)

    def declarations(self) -> list[Any]:
        """libclang's cursors at the top of the translation unit, those of headers included."""
        return children(self._unit.cursor)

    def includes(self, path: Path) -> bool:
        """Whether the parse included a file, and not only a branch that is not taken does."""
        return full_name(str(path)) in self._parsed.files

    @property
    def probed(self) -> Answers:
        """What porter.frontend.probes found out about the translation unit, by what it was asked."""
        return self._parsed.probed

    def narrowed(self) -> Mapping[tuple[int, int], Collection[tuple[str, str]]]:
        """The values of this file that narrow in braces, by (start, end): the types that instances of templates want, each as
        the source names it and as plain C++ does. No length where a macro has the value in its body."""
        found: dict[tuple[int, int], set[tuple[str, str]]] = {}
        numbers = self._parsed.optional.get((self._name, NARROWING), ())
        diagnostics = self._unit.diagnostics
        # libclang's diagnostics point into its own list, which moves where it reads a header that has changed since it was
        # precompiled: asked for their number, it makes them anew.
        len(diagnostics)
        for number in numbers:
            diagnostic = diagnostics[number]
            types = _NARROWED.search(diagnostic.spelling)
            fixes = [fix.range for note in diagnostic.children for fix in note.fixits]
            around = next(iter(diagnostic.ranges), None)
            if types is None or around is None:
                continue
            if len(fixes) > 1:  # the value is plain text, or all that a macro says
                start, end = fixes[0].start.offset, fixes[-1].end.offset
            else:
                start, end = _argument(around, self._name)
            place = (start, end) if 0 <= start < end else (diagnostic.location.offset,) * 2
            found.setdefault(place, set()).add((types[1], types[2] or types[1]))
        return found

    def begins_dependent(self, offset: int) -> bool:
        """Whether the variable that the value at `offset` begins is of a type that depends on a template's parameters."""
        innermost = max((span for span in self._variables if span[0] <= offset < span[1]), default=(0, 0, False))
        return innermost[2]

    @cached_property
    def _variables(self) -> Sequence[tuple[int, int, bool]]:
        """Start and end of each definition of a variable in this file; whether its type depends on a template's parameters."""
        found = ((one.extent, one.type.get_canonical().spelling) for one in self._own_cursors(ci.CursorKind.VAR_DECL))
        return [(at.start.offset, at.end.offset, "type-parameter-" in kind) for at, kind in found]

    def names_global_type(self, name: str) -> bool:
        """Whether a type has that name outside of all namespaces and classes."""
        return name in self._parsed.global_types

    def unread(self) -> frozenset[int]:
        """Where the grammar of this file breaks, and the brackets that have no partner for the parser."""
        return frozenset(self._parsed.syntax.get(self._name, ()))

    def endless(self) -> list[int]:
        """Where this file opens comments, #if, macros' arguments and raw strings that do not end."""
        return sorted(self._parsed.endless.get(self._name, ()))

    def _own_declarations(self) -> Sequence[Any]:
        """The cursors at the top of the translation unit that stand in this file."""
        return self._parsed.declarations.get(self._name, ())

    def _own_cursors(self, *kinds: ci.CursorKind) -> Iterator[Any]:
        """All cursors of this file that are of these kinds, outer ones first."""
        for declaration in self._own_declarations():
            yield from walk(declaration, kinds)

    def marked(self, what: str) -> list[int]:
        """Where this file uses what the stub headers mark so (PORTER_SAID), in instances of templates too."""
        return sorted(self._parsed.warned.get((self._name, what), ()))

    def cast_operand(self, offset: int) -> tuple[int, int] | None:
        """From where to where the operand of the C cast at `offset` reaches; None if that was not made out."""
        cursor = self.cursor(offset)
        if cursor is None or not cursor.kind.is_expression() or cursor.extent.start.offset != offset:
            return None
        operand = [child.extent for child in children(cursor)][-1:]
        return (operand[0].start.offset, operand[0].end.offset) if operand else None

    def cursor(self, offset: int) -> Any:
        location = ci.SourceLocation.from_offset(self._unit, self._file, offset)
        return ci.Cursor.from_location(self._unit, location)

    def is_local(self, path: Path, offset: int, name: str) -> bool | None:
        """Whether what the name means that stands at `offset` of a file of the unit is declared in a function or a class;
        None if that was not resolved."""
        location = ci.SourceLocation.from_offset(self._unit, self._unit.get_file(str(path)), offset)
        cursor = ci.Cursor.from_location(self._unit, location)
        target = None if cursor is None or cursor.kind.is_invalid() else cursor.referenced
        if target is None or target.spelling != name or target.semantic_parent is None:
            return None
        return target.semantic_parent.kind not in (ci.CursorKind.TRANSLATION_UNIT, ci.CursorKind.NAMESPACE)

    def owner(self, offset: int, name: str) -> str:
        """ "project" or "system": where `name`, which stands at `offset`, is declared; "" if it was not resolved."""
        known = self._owners.get(offset)
        if known is None:
            known = self._owners[offset] = self._owner(offset, name)
        return known

    def namespace_of(self, offset: int, name: str) -> str:
        """`cuda::ptx` for a function of it that is named at `offset`; "" if that was not resolved."""
        cursor = self.cursor(offset)
        target = None if cursor is None or cursor.kind.is_invalid() else cursor.referenced
        if target is None or target.spelling != name:
            return ""
        if target.kind == ci.CursorKind.OVERLOADED_DECL_REF:
            target = ci.conf.lib.clang_getOverloadedDecl(target, 0)
        path: list[str] = []
        parent = target.semantic_parent
        enumerator = parent is not None and parent.kind == ci.CursorKind.ENUM_DECL and not parent.is_scoped_enum()
        if enumerator or (parent is not None and parent.spelling == name):  # a constructor
            parent = parent.semantic_parent
        while parent is not None and parent.kind == ci.CursorKind.NAMESPACE:
            if not parent.spelling.startswith("__"):  # an inline namespace for a version
                path.insert(0, parent.spelling)
            parent = parent.semantic_parent
        return "::".join(path) if parent is not None and parent.kind == ci.CursorKind.TRANSLATION_UNIT else ""

    def argument_type(self, call: int, number: int) -> str:
        """The type, as written after promotions are undone, of an argument of the call whose name is at `call`.

        Without qualifiers; a template's parameter is "T", whatever it is called.
        """
        found = self._call(call)
        arguments = list(found.get_arguments()) if found is not None else []
        if number >= len(arguments):
            return ""
        expression = arguments[number]
        while expression.kind == ci.CursorKind.UNEXPOSED_EXPR:
            below = children(expression)
            if len(below) != 1:
                break
            expression = below[0]
        kind = expression.type.get_canonical()
        plain = re.sub(r"\b(?:const|volatile|__restrict)\b *", "", str(kind.spelling)).strip()
        return re.sub(r"type-parameter-\d+-\d+", "T", plain)

    def conversions(self, names: Mapping[str, str]) -> list[tuple[int, int, str]]:
        """The arguments of this file's conversions, (start, end, name): `names` has the constructor or operator, and the
        class that it converts from. (-1, -1) for a place that no file has."""
        found: dict[tuple[int, int, str], None] = {}
        for call in self._own_cursors(ci.CursorKind.CALL_EXPR):
            if call.spelling not in names:
                continue
            given = next(iter(children(call)), None)
            if given is None:
                continue
            source = call if call.spelling.startswith("operator ") else given
            kind = given.type.get_canonical().spelling.removeprefix("const ")
            if source is call or kind == names[call.spelling]:
                place = tuple(_written_at(at, self._name) for at in (source.extent.start, source.extent.end))
                found[(*place, call.spelling) if 0 <= place[0] < place[1] else (-1, -1, call.spelling)] = None
        return list(found)

    def braced(self) -> list[Braces]:
        """Where this file assigns braces to an object of a class, or begins one with them."""
        known = self._parsed.braced
        if self._name not in known:
            known[self._name] = self._braced()
        return known[self._name]

    def _braced(self) -> list[Braces]:
        found: dict[tuple[int, str], Braces] = {}
        elision = Elision()
        for inner in self._own_cursors(*_WITH_BRACES):
            if inner.kind == ci.CursorKind.INIT_LIST_EXPR:
                list_, kind, values = inner, inner.type, children(inner)
            elif (
                inner.kind == ci.CursorKind.VAR_DECL
            ):  # its values may depend on a template's parameters: they have no type
                parts = children(inner)
                if not parts or parts[-1].kind != ci.CursorKind.INIT_LIST_EXPR:
                    continue
                list_, kind, values = parts[-1], inner.type, children(parts[-1])
            elif inner.spelling == "operator=":
                parts = children(inner)
                if len(parts) != 3:
                    continue
                list_, kind, values = parts[2], parts[0].type, None
            else:
                continue
            place = _written_at(list_.extent.start, self._name)
            if place >= 0:
                one = place, kind.get_canonical().spelling.removeprefix("const ")
                if one not in found or found[one].values < 0:
                    elided = elision.of(values or [], kind)
                    dependent = inner.kind == ci.CursorKind.VAR_DECL and elision.of_dependent(inner)
                    found[one] = Braces(*one, -1 if values is None else len(values), *elided, dependent)
        return list(found.values())

    def handle_uses(self, types: frozenset[str], text: str) -> list[HandleUse]:
        """Where this file, whose text is given, uses values of these types as numbers."""
        return handle_uses(self._own_declarations(), types, text, lambda at: _written_at(at, self._name))

    def _call(self, offset: int) -> Any:
        """The call whose name is at that offset, the outermost first; None if there is none."""
        if self._functions is None:
            self._functions = [(c.extent.start.offset, c.extent.end.offset, c) for c in self._own_declarations()]
        for function in [f for f in self._functions if f[0] <= offset < f[1]]:
            self._functions.remove(function)
            for inner in walk(function[2], (ci.CursorKind.CALL_EXPR,)):
                self._calls.setdefault(_written_at(inner.location, self._name), inner)
        return self._calls.get(offset)

    def member_of(self, offset: int) -> str:
        """The class whose member stands at `offset`; "" if that was not resolved."""
        cursor = self.cursor(offset)
        target = None if cursor is None or cursor.kind.is_invalid() else cursor.referenced
        if target is None or target.kind != ci.CursorKind.FIELD_DECL or target.semantic_parent is None:
            return ""
        return str(target.semantic_parent.spelling)

    def is_dependent(self, offset: int, name: str) -> bool:
        """Does the `name` that stands at `offset` name nothing yet, as a member of what a template's parameter decides?"""
        cursor = self.cursor(offset)
        if cursor is None or cursor.kind.is_invalid():
            return False
        return cursor.referenced is None or cursor.referenced.spelling != name

    def member_templates(self) -> frozenset[str]:
        """Names that only member templates of the project's classes have, no other member of them."""
        return self._parsed.member_templates

    def member_class_templates(self) -> frozenset[str]:
        """Names that only class templates have that are members of the project's classes, no other member of them."""
        return self._parsed.member_class_templates

    def member_types(self) -> frozenset[str]:
        """Names that only types have that are members of the project's classes, no other member of them."""
        return self._parsed.member_types

    def sized_types(self) -> frozenset[str]:
        """The same, where other members may be numbers too."""
        return self._parsed.sized_types

    def missing_typename(self) -> frozenset[int]:
        """Offsets of this file where instances of templates need `typename`."""
        return frozenset(self._parsed.missing_typename.get(self._name, ()))

    def missing_template(self) -> frozenset[int]:
        """Offsets of this file where the parser wants `template` before a name."""
        return frozenset(self._parsed.missing_template.get(self._name, ()))

    def missing_class_template(self) -> frozenset[int]:
        """Offsets of this file where arguments begin that are class templates and that the parser takes for none."""
        return frozenset(self._parsed.missing_class_template.get(self._name, ()))

    def unit_misses_class_templates(self) -> bool:
        """Whether there are such arguments anywhere: those in a macro's text are named where the macro is used."""
        return bool(self._parsed.missing_class_template)

    def ambiguous_consts(self) -> frozenset[tuple[int, int]]:
        """The `const` of parameters of this file by which calls were ambiguous: start, end."""
        return self._parsed.consts_left_out.get(self._name, frozenset())

    def has_initializer(self, offset: int) -> bool:
        """Does clang refuse the initialiser of the __shared__ variable whose name stands at `offset`, or is it of a project's
        class with default member initialisers?"""
        if offset in self._parsed.warned.get((self._name, SHARED_VALUE), ()):
            return True
        cursor = self.cursor(offset)
        if cursor is None or cursor.kind != ci.CursorKind.VAR_DECL:
            return False
        kind = cursor.type.get_canonical()
        while kind.kind in _ARRAYS:
            kind = kind.element_type.get_canonical()
        declared = kind.get_declaration()
        if declared.kind.is_invalid():  # of a template whose parameters are not known yet
            used = [c.referenced for c in children(cursor) if c.kind == ci.CursorKind.TEMPLATE_REF]
            declared = next((c for c in used if c is not None), declared)
        return _initializes(declared)

    def initialized_variable_arrays(self) -> list[int]:
        """Where the lengths of arrays stand that have an initialiser, and are no constants."""
        return sorted(self._parsed.warned.get((self._name, VARIABLE_ARRAY), ()))

    def is_plain_data(self, offset: int) -> bool:
        """Is the variable whose name stands at `offset` of a type of C, or an array of one?"""
        cursor = self.cursor(offset)
        kind = cursor.type.get_canonical() if cursor is not None else None
        while kind is not None and kind.kind in (*_ARRAYS, ci.TypeKind.VARIABLEARRAY):
            kind = kind.element_type.get_canonical()
        return kind is not None and kind.is_pod()

    def is_template(self, offset: int) -> bool:
        """Is the function whose name stands at `offset` a template, or a member of one?"""
        cursor = self.cursor(offset)
        while cursor is not None and not cursor.kind.is_invalid():
            if cursor.kind in _TEMPLATES or _is_valid(ci.conf.lib.clang_getSpecializedCursorTemplate(cursor)):
                return True
            cursor = cursor.semantic_parent
        return False

    def _owner(self, offset: int, name: str) -> str:
        cursor = self.cursor(offset)
        if cursor is None or cursor.kind.is_invalid() or cursor.kind == ci.CursorKind.TRANSLATION_UNIT:
            return ""
        if cursor.kind.is_statement() or cursor.kind.is_attribute():
            return ""
        target = cursor.referenced
        if target is None or target.spelling != name:
            return ""  # what encloses a place that did not parse
        if target.kind == ci.CursorKind.OVERLOADED_DECL_REF:
            # A call that was not resolved; one candidate of CUDA's own is enough to call the name CUDA's.
            count = ci.conf.lib.clang_getNumOverloadedDecls(target)
            owners = {_declared_in(ci.conf.lib.clang_getOverloadedDecl(target, i)) for i in range(count)}
            return "system" if "system" in owners else "project" if owners else ""
        if target.kind in (
            ci.CursorKind.STRUCT_DECL,
            ci.CursorKind.CLASS_DECL,
        ):  # perhaps declared in front of CUDA's header
            target = target.get_definition() or target
        return _declared_in(target)


def _written_at(location: ci.SourceLocation, file: str) -> int:
    """The offset in the file, of what stands in a macro's arguments too; -1 for what a macro of another file says."""
    found, offset = ci.c_object_p(), ctypes.c_uint()
    ci.conf.lib.clang_getSpellingLocation(location, ctypes.byref(found), None, None, ctypes.byref(offset))
    if offset.value == location.offset:
        return offset.value
    return offset.value if found and full_name(ci.File(found).name) == file else -1


def _argument(around: ci.SourceRange, file: str) -> tuple[int, int]:
    """From where to where the argument of a macro reaches in the file; (-1, -1) where the macro's body has a part of it."""
    start, end = (_written_at(at, file) for at in (around.start, around.end))
    return (start, end) if start != around.start.offset and end != around.end.offset else (-1, -1)


_TEMPLATES = (ci.CursorKind.FUNCTION_TEMPLATE, ci.CursorKind.CLASS_TEMPLATE)
_ARRAYS = frozenset({ci.TypeKind.CONSTANTARRAY, ci.TypeKind.INCOMPLETEARRAY, ci.TypeKind.DEPENDENTSIZEDARRAY})


def _is_valid(cursor: Any) -> bool:
    return cursor is not None and not cursor.kind.is_invalid()


def _initializes(record: Any) -> bool:
    """Has this class, a base or a member of it, a member with an initialiser? Headers of the system do not count."""
    if record is None or record.kind.is_invalid() or record.location.is_in_system_header:
        return False
    template = ci.conf.lib.clang_getSpecializedCursorTemplate(record)
    if _is_valid(template) and not children(record):
        record = template  # of a specialisation that nobody needed yet
    for child in children(record):
        if child.kind == ci.CursorKind.CXX_BASE_SPECIFIER:
            if _initializes(child.type.get_canonical().get_declaration()):
                return True
        elif child.kind == ci.CursorKind.FIELD_DECL:
            words = [token.spelling for token in child.get_tokens()]
            after = words[words.index(child.spelling) + 1 :] if child.spelling in words else []
            kind = child.type.get_canonical()
            while kind.kind in _ARRAYS:
                kind = kind.element_type.get_canonical()
            if "=" in after or "{" in after or _initializes(kind.get_declaration()):
                return True
    return False


def _declared_in(cursor: Any) -> str:
    location = cursor.location
    if location.file is None:
        return ""
    return "system" if location.is_in_system_header else "project"
