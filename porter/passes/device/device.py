"""Device-side constructs that are neither a name nor a plain call: launch bounds, architecture
conditions, launches from device code."""

from __future__ import annotations

import operator
import re

from porter.frontend.lexer import Kind
from porter.frontend.releases import VERSIONS
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.rules import RuleSet

__all__ = ["run"]

_SIMDS, _WAVE = 4, 64
_PORTED_ARCH = 900  # a port takes the branches that compute capability 9.0 takes, and sm_90a where that is asked
_ARCH_NUMBERS = frozenset({"__CUDA_ARCH__", "__CUDA_ARCH_SPECIFIC__", "__CUDA_ARCH_FAMILY_SPECIFIC__"})
_ARCH_FEATURE, _HAS_FEATURE = "__CUDA_ARCH_FEAT_SM90_ALL", "__CUDA_ARCH_HAS_FEATURE__"
_ON_DEVICE = "__HIP_DEVICE_COMPILE__"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for index, token in enumerate(unit.tokens):
        if token.kind == Kind.IDENT:
            if token.text == "__launch_bounds__":
                findings += _launch_bounds(unit, index)
            elif token.text == "__grid_constant__" and not unit.is_user_symbol(index):
                findings.append(_grid_constant(unit, index))
            elif token.text in _CALLING_CONVENTIONS and not unit.is_user_symbol(index):
                findings.append(_calling_convention(unit, index))
            elif token.text in VERSIONS:
                findings += _version_condition(unit, index)
            elif token.text == "register":
                findings += _register(unit, index)
            elif token.text in ("__restrict__", "__restrict"):
                findings += _restrict(unit, index)
            elif token.text in _ARCH_NUMBERS:
                findings.append(_cuda_arch(unit, index))
            elif token.text in (_ARCH_FEATURE, _HAS_FEATURE):
                findings += _arch_feature(unit, index)
            elif token.text == "__maxnreg__":
                findings += _register_limit(unit, index)
        elif token.text == "<<<":
            findings += _device_launch(unit, index)
    return findings


def _register(unit: Unit, index: int) -> list[Finding]:
    """The storage class, which C++17 dropped: nvcc still takes it, clang does not."""
    token = unit.tokens[index]
    following = unit.tokens[index + 1] if index + 1 < len(unit.tokens) else None
    if following is None or following.kind != Kind.IDENT or following.start == token.end:
        return []
    at = index + 1
    while unit.text(at) not in (";", "=", "{", "}", ")", ",", ""):
        if unit.text(at) in ("asm", "__asm__", "__asm"):
            return []  # a variable bound to a machine register
        at += 1
    message = "C++17 has no register storage class; it had no effect"
    return [
        Finding(
            "register-keyword", token.start, token.end, Safety.EXACT, message, (Edit(token.start, following.start, ""),)
        )
    ]


def _restrict(unit: Unit, index: int) -> list[Finding]:
    """`half __restrict__ (*rows)[64]`, `half __restrict__ *x`: with the element, where nvcc takes no notice of it."""
    before = index - 1
    while before > 0 and unit.text(before) in ("const", "volatile"):
        before -= 1
    typed = unit.text(before) == ">" or (before >= 0 and unit.tokens[before].kind == Kind.IDENT)
    pointer = unit.text(index + 2 if unit.text(index + 1) == "(" else index + 1) in ("*", "&")
    array = unit.text(index + 2) == "[" and unit.tokens[index + 1].kind == Kind.IDENT
    if not typed or not (pointer or array):
        return []
    token, following = unit.tokens[index], unit.tokens[index + 1].start
    message = f"{token.text} stands with the element, which is no pointer; it had no effect"
    return [
        Finding("restrict-element", token.start, token.end, Safety.EXACT, message, (Edit(token.start, following, ""),))
    ]


_ATOM = re.compile(r"\w+(?:::\w+)*")


def _launch_bounds(unit: Unit, index: int) -> list[Finding]:
    arguments = unit.file.arguments(index + 1) if unit.text(index + 1) == "(" else []
    if len(arguments) < 2:
        return []
    threads, blocks = (unit.file.source(*part) for part in arguments[:2])
    tokens = unit.tokens
    start, end = tokens[arguments[1][0]].start, tokens[arguments[-1][1] - 1].end
    if threads.isdigit() and blocks.isdigit():
        waves = str(max(1, -(-int(threads) * int(blocks) // (_SIMDS * _WAVE))))
    else:
        product = " * ".join(part if _ATOM.fullmatch(part) else f"({part})" for part in (threads, blocks))
        waves = f"({product} + {_SIMDS * _WAVE - 1}) / {_SIMDS * _WAVE}"
    if unit.facts.mirrored and unit.is_main:
        start = tokens[arguments[0][1] - 1].end
        message = f"the wish for {blocks} blocks a multiprocessor is dropped: each warp has a wave of its own here"
        edits: tuple[Edit, ...] = (Edit(start, end, ""),)
    else:
        message = f"{blocks} blocks a multiprocessor are {waves} waves a SIMD"
        edits = () if waves == unit.file.text[start:end] else (Edit(start, end, waves),)
    if len(arguments) > 2:
        message += "; the cluster size is dropped"
    return [Finding("launch-bounds", tokens[index].start, tokens[index + 1].end, Safety.EXACT, message, edits)]


_CALLING_CONVENTIONS = frozenset({"CUDART_CB", "CUDA_CB", "CUDARTAPI", "CUDAAPI", "CUBLASWINAPI", "CUFFTAPI"})


def _calling_convention(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    following = unit.tokens[index + 1].start if index + 1 < len(unit.tokens) else token.end
    end = (
        following
        if unit.file.text[token.end : following].isspace() and "\n" not in unit.file.text[token.end : following]
        else token.end
    )
    message = f"{token.text} names a calling convention of Windows; HIP has no such macro"
    return Finding("calling-convention", token.start, token.end, Safety.EXACT, message, (Edit(token.start, end, ""),))


def _grid_constant(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    following = unit.tokens[index + 1].start if index + 1 < len(unit.tokens) else token.end
    end = following if unit.file.text[token.end : following].strip(" \t") == "" else token.end
    message = "kernel arguments stay in constant memory on AMD anyway, one copy for the whole grid"
    return Finding("grid-constant", token.start, token.end, Safety.EXACT, message, (Edit(token.start, end, ""),))


def _version_condition(unit: Unit, index: int) -> list[Finding]:
    """`#if CUDART_VERSION >= 11000`; uses outside of conditions are left to the name tables, but for the compiler's own."""
    token = unit.tokens[index]
    value = f"{VERSIONS[token.text]} /* {token.text} */"
    if not _in_condition(unit, index):
        undefined = token.directive >= 0 and not _in_macro_body(unit, index)
        if not token.text.startswith("__") or undefined:
            return []
        return [_version(token.start, token.end, value)]
    compared = _comparison(unit, index)
    if compared is not None:
        start, end, symbol, number = compared
        holds = _COMPARE[symbol](VERSIONS[token.text], number)
        replacement = f"{int(holds)} /* {unit.file.text[start:end]} */"
    elif unit.text(index - 1) == "defined" or unit.text(index - 2) == "defined" or _names_macro(unit, index):
        start, end, replacement = token.start, token.end, "HIP_VERSION"
    else:  # a part of a sum, or compared with something that only the preprocessor knows
        start, end, replacement = token.start, token.end, value
    return [_version(start, end, replacement)]


def _version(start: int, end: int, replacement: str) -> Finding:
    message = "takes the branch of CUDA 12.4, whose API the port follows"
    return Finding("cuda-version", start, end, Safety.EXACT, message, (Edit(start, end, replacement),))


def _names_macro(unit: Unit, index: int) -> bool:
    return unit.file.directives[unit.tokens[index].directive].name in ("ifdef", "ifndef", "elifdef", "elifndef")


def _in_condition(unit: Unit, index: int) -> bool:
    directive = unit.tokens[index].directive
    return directive >= 0 and unit.file.directives[directive].name in _CONDITIONS


_CONDITIONS = ("if", "elif", "ifdef", "ifndef", "elifdef", "elifndef")
_COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _cuda_arch(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    if _in_condition(unit, index) or _in_macro_body(unit, index):
        return _arch_condition(unit, index)
    message = f"the value of {token.text} is used as a number; HIP has none of this kind"
    if token.directive >= 0 and unit.file.directives[token.directive].name in ("define", "undef"):
        message = f"{token.text} stands in a macro; HIP has no architecture number of this kind"
    return Finding("cuda-arch", token.start, token.end, Safety.LEFT, message)


def _arch_condition(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    compared = _comparison(unit, index)
    around = (_neighbour(unit, index, -1), _neighbour(unit, index, 1))
    asked = "defined" in (around[0], _neighbour(unit, index, -2))
    start, end, replacement = token.start, token.end, _ON_DEVICE
    if _in_macro_body(unit, index):
        # nobody knows whether a condition or code will use it
        replacement = _ON_DEVICE if asked else f"({_ON_DEVICE} * {_PORTED_ARCH})"
    elif compared is not None:
        start, end, symbol, number = compared
        replacement = _branch(symbol, number)
    elif any(text in _COMPARE for text in around) or around[1] in ("/", "*", "%", "-", "+"):
        # compared with something that only the preprocessor knows
        replacement = f"({_ON_DEVICE} * {_PORTED_ARCH})"
    message = "takes the branch of compute capability 9.0 in device code"
    return Finding("cuda-arch", start, end, Safety.EXACT, message, (Edit(start, end, replacement),))


def _arch_feature(unit: Unit, index: int) -> list[Finding]:
    """`#ifdef __CUDA_ARCH_FEAT_SM90_ALL`, `#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)`: what sm_90a adds is ported."""
    token = unit.tokens[index]
    if not _in_condition(unit, index) and not _in_macro_body(unit, index):
        return []
    start, end, replacement = token.start, token.end, _ON_DEVICE
    if token.text == _HAS_FEATURE and _neighbour(unit, index, 1) == "(":
        close = unit.file.partner(index + 1)
        if close != index + 3:
            return []
        end = unit.tokens[close].end
        replacement = _ON_DEVICE if unit.text(index + 2) == "SM90_ALL" else "0"
    message = "takes the branch of sm_90a in device code"
    return [Finding("cuda-arch", start, end, Safety.EXACT, message, (Edit(start, end, replacement),))]


def _in_macro_body(unit: Unit, index: int) -> bool:
    at = unit.tokens[index].directive
    directive = unit.file.directives[at] if at >= 0 else None
    return directive is not None and directive.name == "define" and index > directive.first


def _neighbour(unit: Unit, index: int, distance: int) -> str:
    """The token that far away, as long as it stands in the same directive."""
    at = index + distance
    same = 0 <= at < len(unit.tokens) and unit.tokens[at].directive == unit.tokens[index].directive
    return unit.text(at) if same else ""


def _comparison(unit: Unit, index: int) -> tuple[int, int, str, int] | None:
    """Start, end, operator and number of `X >= 700`; `700 <= X` is read as the same. Not of a part of `Y * 10 + X >= 700`."""
    number, symbol = _number(_neighbour(unit, index, 2)), _neighbour(unit, index, 1)
    if symbol in _COMPARE and number is not None and _stands_alone(unit, index, index + 2):
        return unit.tokens[index].start, unit.tokens[index + 2].end, symbol, number
    number, symbol = _number(_neighbour(unit, index, -2)), _neighbour(unit, index, -1)
    if symbol in _COMPARE and number is not None and _stands_alone(unit, index - 2, index):
        return unit.tokens[index - 2].start, unit.tokens[index].end, _MIRRORED[symbol], number
    return None


def _stands_alone(unit: Unit, first: int, last: int) -> bool:
    return _neighbour(unit, first, -1) in _BEFORE and _neighbour(unit, last, 1) in _AFTER


_BEFORE = frozenset({"", "#", "if", "elif", "(", "&&", "||", "?", ":"})
_AFTER = frozenset({"", ")", "&&", "||", "?", ":"})


def _branch(comparison: str, number: int) -> str:
    on_device = _COMPARE[comparison](_PORTED_ARCH, number)
    on_host = _COMPARE[comparison](0, number)
    if on_device == on_host:
        return "1" if on_device else "0"
    return "__HIP_DEVICE_COMPILE__" if on_device else "!__HIP_DEVICE_COMPILE__"


def _number(text: str) -> int | None:
    found = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*", text)
    return int(found[1], 0 if found[1][:2] in ("0x", "0X") else 10) if found else None


def _register_limit(unit: Unit, index: int) -> list[Finding]:
    if unit.text(index + 1) != "(" or unit.file.partner(index + 1) < 0:
        return []
    token = unit.tokens[index]
    end = unit.tokens[unit.file.partner(index + 1)].end
    message = "a register limit has no HIP attribute; give __launch_bounds__ the waves a SIMD instead"
    return [Finding("register-limit", token.start, end, Safety.REVIEW, message, (Edit(token.start, end, ""),))]


def _device_launch(unit: Unit, index: int) -> list[Finding]:
    token = unit.tokens[index]
    scope = unit.scope(index)
    if token.directive >= 0 or not scope.device or (scope.function and "__host__" in scope.function.marks):
        return []
    start = unit.tokens[index - 1].start if index else token.start
    message = "kernels cannot be launched from device code on AMD GPUs"
    return [Finding("device-launch", start, token.end, Safety.LEFT, message)]
