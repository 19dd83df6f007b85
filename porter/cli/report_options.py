"""Options of every command that writes the porting report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import typer

__all__ = ["ReportLinks"]


@dataclass(frozen=True, kw_only=True)
class ReportLinks:
    panel: ClassVar = "Reports"

    docs_base: Annotated[
        str,
        typer.Option(
            "--docs-base",
            metavar="URL",
            help="Link rules to the pages of porter rules --pages at this address.",
            show_default=False,
        ),
    ] = ""
    link_base: Annotated[
        str,
        typer.Option(
            "--link-base", metavar="URL", help="Link lines to the source files at this address.", show_default=False
        ),
    ] = ""
    sarif_exact: Annotated[bool, typer.Option("--sarif-exact", help="List exact sites in SARIF, too.")] = False
