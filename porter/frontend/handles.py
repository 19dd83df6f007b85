"""Where a file uses values as numbers whose type is a number in CUDA and a pointer in HIP: device addresses, textures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import clang.cindex as ci

from porter.frontend.cursors import below, children

__all__ = ["HandleUse", "handle_uses"]

_K = ci.CursorKind
_T = ci.TypeKind
_FUNCTIONS = frozenset({_K.FUNCTION_DECL, _K.CXX_METHOD, _K.FUNCTION_TEMPLATE})
_RETURNING = _FUNCTIONS | {_K.LAMBDA_EXPR}
_CASTS = frozenset({_K.CSTYLE_CAST_EXPR, _K.CXX_STATIC_CAST_EXPR, _K.CXX_FUNCTIONAL_CAST_EXPR})
_USING = _CASTS | {
    _K.BINARY_OPERATOR, _K.COMPOUND_ASSIGNMENT_OPERATOR, _K.UNARY_OPERATOR, _K.VAR_DECL, _K.CALL_EXPR, _K.RETURN_STMT,
    _K.CONDITIONAL_OPERATOR,
}  # fmt: skip
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_OPERATOR = re.compile(r"\s*(<<|>>|[=!<>]=|&&|\|\||[-+*/%&|^<>=,])")
_INTEGERS = frozenset({_T.CHAR_U, _T.UCHAR, _T.USHORT, _T.UINT, _T.ULONG, _T.ULONGLONG})
_INTEGERS |= {_T.CHAR_S, _T.SCHAR, _T.SHORT, _T.INT, _T.LONG, _T.LONGLONG}
_FLOATS = frozenset({_T.FLOAT, _T.DOUBLE})


@dataclass(frozen=True, slots=True)
class HandleUse:
    """`read`: the value from `start` to `end` has to be a number; `made`: the number there has to be a `type`; `cast`: a
    static_cast there; `step`: a variable there is changed as a number. `start` is -1 in what a macro says."""

    kind: Literal["read", "made", "cast", "step"]
    start: int
    end: int
    type: str
    expansion: int


def handle_uses(
    declarations: Iterable[Any], types: frozenset[str], text: str, written: Callable[[Any], int]
) -> list[HandleUse]:
    """The uses below these declarations of the `types` as numbers; `written` says where in the file a place is."""
    walk = _Walk(types, text, written)
    return [use for declaration in declarations for use in walk.below(declaration, None)]


@dataclass(frozen=True, slots=True)
class _Walk:
    types: frozenset[str]
    text: str
    written: Callable[[Any], int]

    def below(self, node: Any, result: Any) -> Iterator[HandleUse]:
        """`result`: the type that the enclosing function returns."""
        kind = node.kind
        if kind in _FUNCTIONS:
            result = node.result_type
        yield from self._of(node, result)
        result = None if kind == _K.LAMBDA_EXPR else result
        for inner in below(node, _USING, _RETURNING):
            yield from self.below(inner, result) if inner.kind in _RETURNING else self._of(inner, result)

    def _of(self, node: Any, result: Any) -> Iterator[HandleUse]:
        kind = node.kind
        parts = children(node) if kind in _USING else []
        if kind == _K.BINARY_OPERATOR and len(parts) == 2:
            yield from self._binary(*parts)
        elif kind == _K.COMPOUND_ASSIGNMENT_OPERATOR and len(parts) == 2:
            yield from self._compound(node, *parts)
        elif kind == _K.UNARY_OPERATOR and self._is_handle(parts[0]):
            yield from self._unary(node, parts[0])
        elif kind == _K.VAR_DECL:
            yield from self._initialised(node.type, [child for child in parts if child.kind.is_expression()][-1:])
        elif kind == _K.CALL_EXPR:
            yield from self._call(node)
        elif kind == _K.RETURN_STMT and parts and result is not None:
            yield from self._given(result, parts[0])
        elif kind == _K.CONDITIONAL_OPERATOR:
            yield from (use for branch in parts[1:] for use in self._given(node.type, branch))
        elif kind in _CASTS and parts:
            yield from self._cast(node, parts[-1])

    def _binary(self, left: Any, right: Any) -> Iterator[HandleUse]:
        sign = self._sign(left, right)
        if sign == "=":
            yield from self._given(left.type, right)
        for one, other in ((left, right), (right, left)):
            compared = sign in _COMPARISONS and self._is_number(other)
            if self._is_handle(one) and (sign in _ARITHMETIC or compared or not sign):
                yield self._use("read", one, there=bool(sign))

    def _sign(self, left: Any, right: Any) -> str:
        """The operator between two operands; "" in a macro."""
        operator = _OPERATOR.match(self.text, left.extent.end.offset)
        return operator[1] if operator and left.extent.end.offset < right.extent.start.offset else ""

    def _compound(self, node: Any, left: Any, right: Any) -> Iterator[HandleUse]:
        if self._is_handle(left):
            yield self._use("step", node, left)
        elif self._is_handle(right):
            yield self._use("read", right)

    def _unary(self, node: Any, operand: Any) -> Iterator[HandleUse]:
        sign = self.text[node.extent.start.offset : node.extent.end.offset]
        if sign.startswith(("++", "--")) or sign.endswith(("++", "--")):
            yield self._use("step", node, operand)
        elif sign.startswith(("-", "~", "+")):
            yield self._use("read", operand)

    def _initialised(self, kind: Any, values: list[Any]) -> Iterator[HandleUse]:
        array = kind.kind in (_T.CONSTANTARRAY, _T.INCOMPLETEARRAY)
        for value in values:
            if value.kind == _K.INIT_LIST_EXPR:
                element = kind.element_type if array else kind
                yield from (use for inner in children(value) for use in self._given(element, inner))
            elif not array:
                yield from self._given(kind, value)

    def _call(self, node: Any) -> Iterator[HandleUse]:
        called = node.referenced
        if called is None or called.type.kind != _T.FUNCTIONPROTO:
            return
        for kind, value in zip(called.type.argument_types(), node.get_arguments(), strict=False):
            yield from self._given(kind, value)

    def _cast(self, node: Any, operand: Any) -> Iterator[HandleUse]:
        whole = node.type.get_canonical()
        to_number = not self._is_type(node.type) and whole.kind in _INTEGERS | _FLOATS and self._is_handle(operand)
        if node.kind == _K.CXX_STATIC_CAST_EXPR:
            if to_number or (self._is_type(node.type) and self._is_number(operand)):
                yield self._use("cast", node, kind=_inner(operand).type if to_number else node.type)
        elif to_number and (whole.kind in _FLOATS or whole.get_size() < 8):
            yield self._use("read", operand)

    def _given(self, kind: Any, value: Any) -> Iterator[HandleUse]:
        """An object of this type gets the value."""
        if self._is_type(kind):
            if self._is_number(value):
                yield self._use("made", value, kind=kind)
        elif kind.get_canonical().kind in _INTEGERS | _FLOATS and self._is_handle(value):
            yield self._use("read", value)

    def _is_type(self, kind: Any) -> bool:
        return _plain(kind) in self.types

    def _is_handle(self, value: Any) -> bool:
        inner = _inner(value)
        return self._is_type(inner.type) and not self._is_computed(inner)

    def _is_number(self, value: Any) -> bool:
        inner = _inner(value)
        if inner.kind == _K.INTEGER_LITERAL and self.text[inner.extent.start.offset : inner.extent.end.offset] == "0":
            return False
        number = inner.type.get_canonical().kind in _INTEGERS
        return number and (self._is_computed(inner) or not self._is_type(inner.type))

    def _is_computed(self, inner: Any) -> bool:
        if inner.kind == _K.BINARY_OPERATOR:
            return self._sign(*children(inner)) != "="
        return (
            inner.kind == _K.UNARY_OPERATOR and self.text[inner.extent.start.offset] in "-~+" and not self._steps(inner)
        )

    def _steps(self, inner: Any) -> bool:
        return self.text.startswith(("++", "--"), inner.extent.start.offset)

    def _use(self, what: Any, node: Any, changed: Any = None, *, kind: Any = None, there: bool = True) -> HandleUse:
        start, end = self.written(node.extent.start), self.written(node.extent.end)
        place = (start, end) if there and 0 <= start < end else (-1, -1)
        name = _plain(kind or _inner(changed or node).type)
        return HandleUse(what, *place, name, node.extent.start.offset)


def _plain(kind: Any) -> str:
    return re.sub(r"\b(?:const|volatile)\b ?", "", str(kind.spelling)).strip()


def _inner(value: Any) -> Any:
    """Without brackets and implicit conversions."""
    while value.kind in (_K.UNEXPOSED_EXPR, _K.PAREN_EXPR):
        inner = children(value)
        if len(inner) != 1:
            break
        value = inner[0]
    return value
