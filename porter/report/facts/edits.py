"""The edits of a file's findings as tools apply them: in order, apart from each other, without holes."""

from __future__ import annotations

from collections.abc import Sequence

from porter.findings import Edit, FilePort, FileStatus, Finding, Safety
from porter.port.edits.rewrite import rewrite

__all__ = ["apart", "applied", "edits_of_file", "joined"]


def joined(source: str, findings: Sequence[Finding]) -> list[tuple[Edit, Finding]]:
    """The rewrite of all findings as edits that have nothing in common, not even where they begin, in order; each with the
    finding that it belongs to, which of nested ones is the outer one."""
    owners: dict[Edit, Finding] = {}
    for finding in sorted(findings, key=lambda f: (f.start, -f.end)):  # as rewrite() applies them
        for edit in finding.edits:
            owners.setdefault(edit, finding)
    groups = _nested([*owners])
    result: list[tuple[Edit, Finding]] = []
    for outer, inner in groups:
        edit = _filled(source, outer, inner)
        if result and result[-1][0].start == edit.start:  # an insertion before it
            before = result.pop()[0]
            edit = Edit(edit.start, edit.end, before.text + edit.text)
        result.append((edit, owners[outer]))
    return result


def edits_of_file(port: FilePort) -> list[Edit]:
    """The edits that make the port of the source, in order and apart; none where nothing was ported."""
    if port.status is FileStatus.FAILED or port.port == port.source:
        return []
    edits = [edit for edit, _ in joined(port.source, port.findings)]
    return edits if applied(port.source, edits) == port.port else [_only(port.source, port.port)]


def apart(source: str, edits: Sequence[Edit]) -> list[Edit]:
    """The same rewrite as edits that do not nest in each other's holes (see rewrite.py)."""
    return [_filled(source, outer, inner) for outer, inner in _nested(edits)]


def applied(source: str, edits: Sequence[Edit]) -> str:
    """The source after edits that are in order and apart."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [source[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, source[at:]])


def _nested(edits: Sequence[Edit]) -> list[tuple[Edit, list[Edit]]]:
    """Each edit that lies in no other one, with those in it."""
    groups: list[tuple[Edit, list[Edit]]] = []
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.start, e.end > e.start, -e.end)):
        if groups and edit.start < groups[-1][0].end:
            groups[-1][1].append(edit)
        else:
            groups.append((edit, []))
    return groups


def _filled(source: str, edit: Edit, nested: Sequence[Edit]) -> Edit:
    if "\u27e6" not in edit.text:
        return edit
    parts = [Finding("", e.start, e.end, Safety.EXACT, "", (e,)) for e in (edit, *nested)]
    return Edit(edit.start, edit.end, rewrite(source[: edit.end], parts).text[edit.start :])


def _only(source: str, port: str) -> Edit:
    """What changes, as one edit."""
    most = min(len(source), len(port))
    first = next((at for at in range(most) if source[at] != port[at]), most)
    behind = next((n for n in range(most - first) if source[-1 - n] != port[-1 - n]), most - first)
    return Edit(first, len(source) - behind, port[first : len(port) - behind])
