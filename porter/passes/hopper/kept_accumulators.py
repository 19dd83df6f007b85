"""Accumulators of matrix products that stay as the MFMAs have them, from `porter::keep` to `porter::present` (porter/mma.h).

A product gives each mirror its own half of a fragment; the source wants all of it. Where a local array is touched by
products alone, a loop of them for example, the two conversions go around the whole. Products are asm statements whose
accumulators are the elements of one array in order, and functions that use a parameter for nothing else; all of that
within one file, so that no caller is missed. In doubt an array is converted at each product, as the header does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from porter.findings import Edit, Finding, Safety
from porter.frontend.cpp.elementwise import elementwise
from porter.frontend.cpp.expressions import Name, walk
from porter.frontend.cpp.statements import Block, Declaration, Simple, Statement, Variable, read_body
from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.scopes import Function, Scopes
from porter.passes.hopper.kept_runs import RULE, Runs, every
from porter.passes.hopper.products import Product, find_products
from porter.ptx.table import PtxTable

__all__ = ["NOTHING_KEPT", "Kept", "kept_accumulators"]

_TYPES = frozenset({"float", "int", "int32_t", "uint32_t", "unsigned", "unsigned int"})


@dataclass(frozen=True, slots=True)
class Kept:
    statements: frozenset[int] = frozenset()  # where asm statements start whose accumulators are kept
    findings: tuple[Finding, ...] = ()


NOTHING_KEPT = Kept()


def kept_accumulators(file: TokenFile, scopes: Scopes, table: PtxTable, beside: Sequence[TokenFile] = ()) -> Kept:
    products = tuple(find_products(file, table, beside))
    return _Analysis(file, scopes, products).result() if products else NOTHING_KEPT


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    index: int
    dimensions: tuple[str, ...]
    array: bool  # a reference to an array: its size is known in the function


def _parameters(file: TokenFile, function: Function) -> list[_Parameter | None]:
    return [_parameter(file, first, last) for first, last in file.arguments(function.params[0])]


def _parameter(file: TokenFile, first: int, last: int) -> _Parameter | None:
    tokens = file.tokens
    stop = next((k for k in range(first, last) if tokens[k].text in ("[", "=")), last)
    name = stop - 2 if stop - 1 > first and tokens[stop - 1].text == ")" else stop - 1
    if name <= first or tokens[name].kind != Kind.IDENT:
        return None
    dimensions = []
    while stop < last and tokens[stop].text == "[":
        close = file.partner(stop)
        dimensions.append(file.source(stop + 1, close))
        stop = close + 1
    return _Parameter(tokens[name].text, name, tuple(dimensions), tokens[name - 1].text == "&" and bool(dimensions))


@dataclass(frozen=True, slots=True)
class _Call:
    index: int  # the function's name
    opening: int
    arguments: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Body:
    """An array in a function's body: where products use it, and where anything does."""

    function: Function
    array: str
    sites: set[int] = field(default_factory=set)
    pairs: set[int] = field(default_factory=set)  # sites of products that may be made two at a time
    wrappers: set[str] = field(default_factory=set)  # functions that are called there
    products: list[Product] = field(default_factory=list)


class _Impossible(Exception):
    """These products cannot be surrounded by conversions."""


class _Analysis:
    def __init__(self, file: TokenFile, scopes: Scopes, products: Sequence[Product]) -> None:
        self.file, self.scopes, self.products = file, scopes, products
        self.named: dict[str, list[int]] = {}
        for index, token in enumerate(file.tokens):
            if token.kind == Kind.IDENT:
                self.named.setdefault(token.text, []).append(index)
        self.definitions: dict[str, list[Function]] = {}
        self.names = {f.name_index for f in scopes.functions if f.name}
        for function in scopes.functions:
            if function.name in self.named and function.body[0] >= 0 and not function.kernel:
                self.definitions.setdefault(function.name, []).append(function)
        self.dropped: set[str] = set()

    def result(self) -> Kept:
        while True:
            wrappers = self.find_wrappers()
            before = len(self.dropped)
            edits: list[Finding] = []
            kept = {p.asm.start for p in self.products if self.in_wrapper(p.asm.first, p.array, wrappers)}
            paired = self.paired(wrappers)
            bodies = self.bodies(wrappers, paired)
            for body in bodies:
                beside = {b.array: b for b in bodies if b.function is body.function}
                try:
                    edits += self.surrounded(body, beside)
                except _Impossible:
                    self.dropped |= body.wrappers
                else:
                    kept |= {p.asm.start for p in body.products}
            if len(self.dropped) == before:
                if not edits:
                    return NOTHING_KEPT
                return Kept(frozenset(kept), (*edits, *self.passing(paired)))

    def uses(self, name: str, first: int, last: int) -> list[int]:
        tokens = self.file.tokens
        return [
            k for k in self.named.get(name, ()) if first <= k < last and tokens[k - 1].text not in (".", "->", "::")
        ]

    # Functions that use a parameter as accumulators and for nothing else: name -> position of the parameter.

    def find_wrappers(self) -> dict[str, int]:
        wrappers: dict[str, int] = {}
        changed = True
        while changed:
            changed = False
            for name, functions in self.definitions.items():
                if name in wrappers or name in self.dropped or self.named_otherwise(name):
                    continue
                positions = {self.kept_parameter(f, wrappers) for f in functions}
                if len(positions) == 1 and (position := positions.pop()) >= 0:
                    wrappers[name] = position
                    changed = True
        return wrappers

    def paired(self, wrappers: dict[str, int]) -> set[str]:
        """The wrappers of mma.sync, by whatever way."""
        names: set[str] = set()
        while True:
            before = len(names)
            for name in wrappers:
                for inside in (range(*function.body) for function in self.definitions[name]):
                    direct = any(p.warp and p.asm.first in inside for p in self.products)
                    if direct or any(call.index in inside for other in names for call in self.calls(other)):
                        names.add(name)
            if len(names) == before:
                return names

    def passing(self, paired: set[str]) -> Iterator[Finding]:
        """The product that waits is handed on to the functions that make the next."""
        tokens = self.file.tokens
        edits = [Edit(end, end, "porter_pairs, ") for name in paired for call in self.calls(name)
                 if (end := tokens[call.opening].end)]  # fmt: skip
        for function in self.scopes.functions:
            if function.name in paired:
                end = tokens[function.params[0]].end
                edits.append(Edit(end, end, "porter::MmaPairs& porter_pairs, "))
        if edits:
            message = "products of one A are made two at a time"
            yield Finding(
                RULE, edits[0].start, edits[0].end, Safety.EXACT, message, tuple(edits), ("porter/mma_sync.h",)
            )

    def named_otherwise(self, name: str) -> bool:
        """Is a function named where it is not called, or in a macro?"""
        called = {call.index for call in self.calls(name)}
        return any(k not in called and k not in self.names for k in self.named[name])

    def calls(self, name: str) -> Iterator[_Call]:
        tokens = self.file.tokens
        for k in self.named.get(name, ()):
            opening = k + 1
            if k in self.names or tokens[k].directive >= 0 or opening >= len(tokens):
                continue
            if tokens[opening].text == "<":
                opening = template_end(self.file, opening, len(tokens))
            if 0 < opening < len(tokens) and tokens[opening].text == "(":
                yield _Call(k, opening, tuple(self.file.arguments(opening)))

    def kept_parameter(self, function: Function, wrappers: dict[str, int]) -> int:
        for position, parameter in enumerate(_parameters(self.file, function)):
            if parameter is None:
                continue
            uses = self.uses(parameter.name, function.body[0], function.body[1])
            allowed = self.allowed(function, parameter.name, parameter.dimensions, wrappers)
            if uses and allowed.issuperset(uses):
                return position
        return -1

    def allowed(self, function: Function, name: str, dimensions: Sequence[str], wrappers: dict[str, int]) -> set[int]:
        """Tokens of a body that name an array as accumulators."""
        inside = range(*function.body)
        tokens_allowed: set[int] = set()
        for product in self.products:
            if product.array == name and product.asm.first in inside:
                if product.fits(dimensions):
                    tokens_allowed |= product.uses
        for wrapper, position in wrappers.items():
            for call in self.calls(wrapper):
                if call.index in inside and len(call.arguments) > position:
                    root = self.root(*call.arguments[position])
                    tokens_allowed |= {root} if root >= 0 and self.file.tokens[root].text == name else set()
        return tokens_allowed

    def root(self, first: int, last: int) -> int:
        """The name in `name` or `name[i][j]`; -1 for any other expression."""
        at = first + 1
        while at < last and self.file.tokens[at].text == "[":
            at = self.file.partner(at) + 1
        return first if at == last and self.file.tokens[first].kind == Kind.IDENT else -1

    def in_wrapper(self, index: int, array: str, wrappers: Mapping[str, int]) -> bool:
        """Is a place in a function that uses this parameter for nothing but products?"""
        for name, position in wrappers.items():
            for function in self.definitions[name]:
                if function.body[0] < index < function.body[1]:
                    parameter = _parameters(self.file, function)[position]
                    if parameter is not None and parameter.name == array:
                        return True
        return False

    # Everybody else who makes products: the conversions go there.

    def bodies(self, wrappers: dict[str, int], paired: set[str]) -> list[_Body]:
        by_array: dict[tuple[int, str], _Body] = {}

        def body(index: int, array: str) -> _Body | None:
            function = self.scopes.at(index).function
            if function is None or self.in_wrapper(index, array, wrappers):
                return None
            return by_array.setdefault((function.body[0], array), _Body(function, array))

        for product in self.products:
            one = body(product.asm.first, product.array)
            if one is not None:
                one.sites |= product.uses
                one.pairs |= product.uses if product.warp else set()
                one.products.append(product)
        for wrapper, position in wrappers.items():
            for call in self.calls(wrapper):
                if self.scopes.at(call.index).function is None:
                    self.dropped.add(wrapper)  # a specialisation, or something else that is no call
                    continue
                root = self.root(*call.arguments[position]) if len(call.arguments) > position else -1
                one = body(call.index, self.file.tokens[root].text if root >= 0 else "")
                if one is not None:
                    one.wrappers.add(wrapper)
                    one.sites.add(root)
                    one.pairs |= {root} if wrapper in paired else set()
        return list(by_array.values())

    def surrounded(self, body: _Body, beside: Mapping[str, _Body]) -> list[Finding]:
        """The conversions around the products of a body. `beside`: all arrays of the function that have products."""
        if -1 in body.sites:
            raise _Impossible
        tree = read_body(self.file, body.function.body)
        declared = [v for s in every(tree) if isinstance(s, Declaration) for v in s.variables if v.name == body.array]
        alone = self.alone(body, tree, declared)
        dimensions = (
            [self.file.source(k + 1, self.file.partner(k)) for k in self.brackets(declared[0])] if declared else []
        )
        for product in body.products:
            if not declared or not product.fits(dimensions):
                raise _Impossible
        if not alone:
            arrays, loops = self.together(body, tree)
            products = frozenset().union(*(beside[array].sites for array in arrays if array in beside))
            pairs = frozenset().union(*(beside[array].pairs for array in arrays if array in beside))
            runs = Runs(self.file, self.scopes, body.function, arrays, products, loops, pairs=pairs)
            runs.visit(tree.statements)
            if len(arrays) > 1 and runs.worth_it and runs.covered.issuperset(products):
                return runs.findings if body.array == min(a for a in arrays if a in beside) else []
        array, own = frozenset({body.array}), frozenset(body.sites)
        runs = Runs(self.file, self.scopes, body.function, array, own, alone=alone, pairs=frozenset(body.pairs))
        runs.visit(tree.statements)
        if not runs.covered.issuperset(body.sites):
            raise _Impossible
        return runs.findings

    def together(self, body: _Body, tree: Block) -> tuple[frozenset[str], frozenset[int]]:
        """The array and the arrays that share loops over elements with it; and where these loops name them."""
        plain = {v.name: v for s in every(tree) if isinstance(s, Declaration) for v in s.variables
                 if self.plain(_Body(body.function, v.name), tree)}  # fmt: skip
        nest = [loop for s in every(tree) if (loop := elementwise(self.file, s, plain)) is not None]
        arrays = frozenset({body.array})
        while any(loop.arrays & arrays and not loop.arrays <= arrays for loop in nest):
            arrays = arrays.union(*(loop.arrays for loop in nest if loop.arrays & arrays))
        return arrays, frozenset().union(*(loop.uses for loop in nest if loop.arrays <= arrays))

    def plain(self, body: _Body, tree: Block) -> bool:
        declared = [v for s in every(tree) if isinstance(s, Declaration) for v in s.variables if v.name == body.array]
        try:
            return bool(declared) and not self.alone(body, tree, declared)
        except _Impossible:
            return False

    def brackets(self, variable: Variable) -> Iterator[int]:
        at = variable.index + 1
        while self.file.tokens[at].text == "[":
            yield at
            at = self.file.partner(at) + 1

    def alone(self, body: _Body, tree: Block, declared: Sequence[Variable]) -> bool:
        """Must each statement be surrounded by itself? Raises where not even that is right."""
        if not declared:
            arrays = [p for p in _parameters(self.file, body.function) if p is not None and p.name == body.array]
            if not arrays:
                arrays = self.outer(body)
            if len(arrays) != 1 or not arrays[0].array:
                raise _Impossible
            return True
        if len(declared) != 1:
            raise _Impossible
        (variable,) = declared
        owner = next(s for s in every(tree) if isinstance(s, Declaration) and variable in s.variables)
        if variable.pointer or variable.reference or not variable.dimensions or owner.shared or owner.static:
            raise _Impossible
        if variable.type.removeprefix("volatile ") not in _TYPES:
            raise _Impossible
        first, last = body.function.body
        if any(self.scopes.at(k).function is not body.function for k in self.uses(body.array, first, last)):
            return True  # a lambda has it too: who calls that, and when?
        return any(self.aliased(s, body.array) for s in every(tree))

    def aliased(self, statement: Statement, array: str) -> bool:
        """Does something else come to name the array?"""
        tokens = self.file.tokens
        if isinstance(statement, Declaration):
            return any(
                isinstance(part, Name) and part.name == array and (v.pointer or v.reference or v.type == "auto"
                                                                   or tokens[part.index + 1].text != "[")
                for v in statement.variables if v.value is not None for part in walk(v.value)
            )  # fmt: skip
        if isinstance(statement, Simple):
            return any(tokens[k - 1].text == "&" for k in self.uses(array, statement.first, statement.last))
        return False

    def outer(self, body: _Body) -> list[_Parameter]:
        """The array of the function around a lambda, as a parameter would be."""
        first, last = body.function.body
        parameters = []
        for function in self.scopes.functions:
            if function.body[0] < first and last < function.body[1]:
                for statement in every(read_body(self.file, function.body)):
                    for v in statement.variables if isinstance(statement, Declaration) else ():
                        if v.name == body.array:
                            plain = bool(v.dimensions) and not v.pointer and not v.reference and v.type in _TYPES
                            parameters.append(_Parameter(v.name, v.index, (), plain))
        return parameters
