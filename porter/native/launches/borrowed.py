"""A kernel of a header that other files include, too: what is written anew is put before the function that launches it."""

from __future__ import annotations

from porter.native.emit.token_edits import Change
from porter.native.launches.launches import Rewritten
from porter.native.launches.sites import Sites
from porter.native.machine.values import Refused
from porter.native.unit_files import Text

__all__ = ["guest", "named", "renamed", "written_in"]


def named(kernel: str) -> str:
    """The new kernel's name, beside the header's own."""
    return f"{kernel}_cdna"


def guest(sites: Sites) -> Text:
    """The file that names the kernel."""
    files = {text for text, _ in sites.mentions}
    if len(files) != 1 or sites.home in files:
        raise Refused("it is a matrix product, but a file that others may include launches it, too")
    return files.pop()


def renamed(sites: Sites, changed: Rewritten, text: Text) -> list[Change]:
    """The kernel's name where it is launched."""
    own = changed.changes.get(text, ())
    places = [index for _, index in sites.mentions if not any(c.first <= index <= c.last for c in own)]
    return [Change(index, index, named(sites.kernel.name)) for index in places]


def written_in(sites: Sites, text: Text, source: str) -> Change:
    """The kernel in the namespace of the header's, before all that names it."""
    first = min(index for _, index in sites.mentions)
    function = text.outermost(first)
    at = function.first if function is not None else text.statement(first)[0]
    opening = text.block(at)[0]
    while opening >= 0:  # out of the namespaces
        at = opening
        while at > 0 and text.text(at) not in ("namespace", "extern"):
            at -= 1
        if text.text(at - 1) == "inline":
            at -= 1
        opening = text.block(at)[0]
    spaces = sites.home.namespaces(sites.kernel.first)
    if spaces:
        space = "::".join(spaces)
        source = f"namespace {space} {{\n\n{source}\n\n}}  // namespace {space}"
    return Change(at, at, f"{source}\n\n{text.text(at)}")
