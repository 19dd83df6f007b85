"""From findings to a file's port: the edits, the includes that they need, and the comments for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from porter.findings import Edit, FilePort, FileStatus, Finding, Safety
from porter.frontend.unit import Unit
from porter.passes.host.runtime_header import add_includes, needed_headers
from porter.port.edits.accept import accept
from porter.port.edits.comments import comment_edits
from porter.port.edits.rewrite import Rewritten, breaks_structure, rewrite, same_structure

__all__ = ["assembled"]


def assembled(unit: Unit, findings: list[Finding]) -> FilePort:
    """The port that findings make of a file: their edits, the includes that these need, comments for a person."""
    result = _rewritten(unit, findings)
    broken = same_structure(unit.file, result.text)
    if broken:  # the sites that break it stay, the others are ported
        findings = [_left(f) if breaks_structure(unit.file.text, f) else f for f in findings]
        result = _rewritten(unit, findings)
        broken = same_structure(unit.file, result.text)
    if broken:
        return FilePort(
            str(unit.path),
            str(unit.path),
            FileStatus.FAILED,
            unit.file.text,
            unit.file.text,
            tuple(replace(f, edits=(), safety=Safety.LEFT) for f in result.findings if f.safety is not Safety.LEFT)
            + tuple(f for f in result.findings if f.safety is Safety.LEFT),
            problem=f"the port would not be well-formed: {broken}",
            fix="please report this file; it was left as it is",
        )
    status = FileStatus.PORTED if any(f.safety is not Safety.HINT for f in result.findings) else FileStatus.UNCHANGED
    hoisted = needed_headers(unit, result.findings) if unit.embedded else ()
    port = FilePort(str(unit.path), str(unit.path), status, unit.file.text, result.text, tuple(result.findings))
    return replace(port, notes=unit.notes, hoisted=hoisted)


def _rewritten(unit: Unit, findings: list[Finding]) -> Rewritten:
    """The edits, the includes they need and the comments for what a person must look at."""
    findings = [*findings, *add_includes(unit, findings, unit.runtime_prefix)]
    result = rewrite(unit.file.text, accept(unit.file, unit.path, findings, unit.options))
    comments = comment_edits(unit.file, result.findings)
    if not comments:
        return result
    marked = {id(finding): edit for finding, edit in comments}
    commented = _marked(unit, result.findings, marked)
    if len(commented.findings) == len(result.findings):
        return commented
    # The line above lies within what another port rewrites: there the comment stands beside its site.
    applied = {(f.rule, f.start, f.end) for f in commented.findings if f.edits}
    for finding, edit in comments:
        if (finding.rule, finding.start, finding.end) not in applied:
            text = edit.text.strip().removeprefix("//").removeprefix("/*").removesuffix("*/").strip()
            marked[id(finding)] = Edit(finding.start, finding.start, f"/* {text} */ ")
    return _marked(unit, result.findings, marked)


def _marked(unit: Unit, findings: list[Finding], marked: Mapping[int, Edit]) -> Rewritten:
    """The rewrite with a comment added to the edits of some findings, which are known by their id()."""
    return rewrite(
        unit.file.text, [replace(f, edits=(*f.edits, marked[id(f)])) if id(f) in marked else f for f in findings]
    )


def _left(finding: Finding) -> Finding:
    message = f"{finding.message} (not applied: the brackets or the #if lines in it have no partner there)"
    return replace(finding, safety=Safety.LEFT, edits=(), message=message)
