"""#include lines: CUDA's headers become HIP's, ported project files keep being found."""

from __future__ import annotations

from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.rules import RuleSet

__all__ = ["run"]

RUNTIME_HEADER = "hip/hip_runtime.h"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for directive in unit.file.directives:
        if directive.name not in ("include", "include_next", "import") or directive.last <= directive.first:
            continue
        token = unit.tokens[directive.first]
        if token.kind != Kind.HEADER:
            continue
        opening, name, closing = token.text[0], token.text[1:-1], token.text[-1]
        renamed = unit.renames.get(name) if opening == '"' or name in unit.renames else None
        if renamed is not None:
            if renamed != name:
                edit = Edit(token.start + 1, token.end - 1, renamed)
                findings.append(
                    Finding(
                        "include-project",
                        token.start,
                        token.end,
                        Safety.EXACT,
                        f"{name} is ported as {renamed}",
                        (edit,),
                    )
                )
            continue
        row = rules.headers.get(name)
        if row is None:
            continue
        if not row.hip:
            findings.append(
                Finding(row.rule, token.start, token.end, Safety.LEFT, f"{name} has no HIP counterpart: {row.note}")
            )
            continue
        if row.hip == name:
            continue
        message = f"{name} is {row.hip}" + (f": {row.note}" if row.note else "")
        edit = Edit(token.start, token.end, f"{opening}{row.hip}{closing}")
        findings.append(Finding(row.rule, token.start, token.end, row.safety, message, (edit,)))
    return findings
