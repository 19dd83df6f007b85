"""Numbers that were chosen for NVIDIA's chips: the port keeps them, since they are right there, and says where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from porter.findings import Finding, Safety
from porter.frontend.lexer import Kind, Token
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "tuned-for-nvidia"
_MULTIPROCESSORS = {"108": "A100", "114": "H100 PCIe", "132": "H100 and H200", "144": "a whole H100", "148": "B200"}
_COUNT_NAME = re.compile(r"(?i)(?:.*_)?k?(?:num|n|max|total)?_?(?:sms?|multi_?processors?)(?:_?(?:count|num|number))?")
_COMPARES = frozenset({"<", ">", "<=", ">=", "==", "!="})
_OPT_IN = 48 << 10  # bytes of shared memory that a CUDA block gets without asking


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [
        Finding(RULE, token.start, token.end, Safety.HINT, message)
        for index, token in enumerate(unit.tokens)
        if token.kind == Kind.NUMBER and (message := _message(unit, index)) and not unit.scopes.at(index).device
    ]


def _message(unit: Unit, index: int) -> str:
    """What a number stands for on NVIDIA's chips, and what holds here; empty where it shows nothing."""
    tokens, chip = unit.tokens, unit.chip
    text = tokens[index].text.rstrip("uUlL")
    if text in _MULTIPROCESSORS and (_named_count(tokens, index) or _is_grid(tokens, index)):
        units = f"{chip.target} has {chip.compute_units} compute units, in {chip.xcds} dies"
        return f"{text} is the number of multiprocessors of {_MULTIPROCESSORS[text]}; {units}"
    if _bytes(tokens, index) == _OPT_IN and _compared(tokens, index):
        most = f"on {chip.target} a block gets {chip.lds_bytes:,} bytes at most, and all of them without asking"
        return f"{_OPT_IN:,} bytes is what a CUDA block gets without asking for more; {most}"
    return ""


def _named_count(tokens: Sequence[Token], index: int) -> bool:
    """Whether the number is what a name like NUM_SMS stands for."""
    before = index - 2 if index and tokens[index - 1].text in ("=", "{", "(") else index - 1
    if before < 0 or tokens[before].kind != Kind.IDENT or not _COUNT_NAME.fullmatch(tokens[before].text):
        return False
    return before != index - 1 or tokens[index].directive >= 0  # without a sign between: #define NUM_SMS 132


def _is_grid(tokens: Sequence[Token], index: int) -> bool:
    """Whether the number is in a launch's first argument."""
    for other in _before(tokens, index):
        if other.text == "<<<":
            return True
        if other.text in (",", ";", "{", "}"):
            return False
    return False


def _before(tokens: Sequence[Token], index: int) -> Iterator[Token]:
    return (tokens[at] for at in range(index - 1, max(-1, index - 12), -1))


def _text(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].text.rstrip("uUlL") if 0 <= index < len(tokens) else ""


def _bytes(tokens: Sequence[Token], index: int) -> int:
    """The value of `49152`, `48 * 1024` or `48 << 10` that begins here; -1 for other numbers."""
    first, sign, second = (_text(tokens, index + ahead) for ahead in range(3))
    if not first.isdigit():
        return -1
    return int(first) << (10 if (sign, second) in (("*", "1024"), ("<<", "10")) else 0)


def _compared(tokens: Sequence[Token], index: int) -> bool:
    """Whether what begins here stands beside a comparison, in parentheses of its own or not."""
    start, end = index - 1, index + (3 if _text(tokens, index + 1) in ("*", "<<") else 1)
    if _text(tokens, start) == "(" and _text(tokens, end) == ")":
        start, end = start - 1, end + 1
    return bool({_text(tokens, start), _text(tokens, end)} & _COMPARES)
