"""libcu++ as a whole: what opens or renames namespace `cuda`, and names of it that no table has. Silence is never success."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "name-libcudacxx"
_FRIENDS = frozenset({"init"})  # found by what they are given, in porter's headers as in libcu++'s


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if not any(include.startswith("cuda/") for include in unit.includes):
        return []
    findings: list[Finding] = []
    opened = tuple(name for name in unit.opened if _is_libcudacxx(name) and name not in rules.names)
    for index, token in enumerate(unit.tokens):
        if token.kind != Kind.IDENT or unit.text(index - 1) in ("::", ".", "->"):
            continue
        if _is_libcudacxx(unit.aliases.get(token.text, token.text)) and not unit.is_user_symbol(index):
            findings += _declaration(unit, index) or _unknown(unit, rules, index)
        elif opened:
            findings += _opened(unit, rules, index, opened)
    return findings


def _is_libcudacxx(namespace: str) -> bool:
    return namespace.split("::")[0] == "cuda"


def _declaration(unit: Unit, index: int) -> list[Finding]:
    """`using namespace cuda;` and `namespace c = cuda;`: each name is ported where it stands."""
    first = index - 2 if unit.text(index - 1) == "namespace" else index - 3
    head = [unit.text(k) for k in range(first, index)]
    renames = len(head) == 3 and head[0] == "namespace" and head[2] == "="
    if unit.text(index) != "cuda" or unit.text(index + 1) != ";" or not (renames or head == ["using", "namespace"]):
        return []
    start, end = unit.tokens[first].start, unit.tokens[index + 1].end
    if not renames and unit.ast is None:
        message = "which names of cuda are used without it is not known without a parse: qualify them"
        return [Finding(RULE, start, end, Safety.LEFT, message)]
    message = "names of cuda are ported where they stand"
    return [Finding(RULE, start, end, Safety.EXACT, message, (Edit(start, end, ""),))]


def _unknown(unit: Unit, rules: RuleSet, index: int) -> list[Finding]:
    """`cuda::NAME`, where neither it nor a namespace in front of it has a row."""
    path = unit.aliases.get(unit.text(index), unit.text(index)).split("::")
    last = index
    while unit.text(last + 1) == "::" and unit.tokens[last + 2].kind == Kind.IDENT:
        last += 2
        path.append(unit.text(last))
    if last == index or any("::".join(path[:length]) in rules.names for length in range(2, len(path) + 1)):
        return []
    token = unit.tokens[last]
    elsewhere = unit.ast is not None and not unit.ast.owner(token.start, token.text)
    if elsewhere and any(namespace != "std" and not _is_libcudacxx(namespace) for namespace in unit.opened):
        return []  # cuda of a namespace that is opened here: at::cuda
    return [_finding("::".join(path[:2]), unit.tokens[index].start, token.end)]


def _opened(unit: Unit, rules: RuleSet, index: int, opened: tuple[str, ...]) -> list[Finding]:
    token = unit.tokens[index]
    if token.text in _FRIENDS:
        return []
    namespace = unit.ast.namespace_of(token.start, token.text) if unit.ast is not None else ""
    if namespace not in opened or rules.qualified_rows(token.text):
        return []
    return [] if unit.is_user_symbol(index) else [_finding(f"{namespace}::{token.text}", token.start, token.end)]


def _finding(name: str, start: int, end: int) -> Finding:
    return Finding(RULE, start, end, Safety.LEFT, f"{name} is a name of libcu++ that porter does not know")
