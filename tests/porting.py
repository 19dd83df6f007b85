"""Ports of short sources, for the tests of all passes."""

from __future__ import annotations

from pathlib import Path

from porter.findings import FilePort
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

__all__ = ["port"]


def port(source: str, folder: Path, name: str = "a.cu", parse: bool = False) -> FilePort:
    """The port of one file with this text; from its tokens alone, unless it is to be parsed."""
    path = folder / name
    path.write_text(source)
    return port_source(Project(folder), path, "a.hip", Options(runtime="include", parse=parse), {})
