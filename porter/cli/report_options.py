"""Options of every command that writes the porting report."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["DocsBase", "LinkBase", "SarifExact"]

DocsBase = Annotated[
    str,
    typer.Option(
        "--docs-base",
        help="Address of the pages that `porter rules --pages FOLDER` writes: reports link each rule to its page there.",
        show_default=False,
    ),
]
LinkBase = Annotated[
    str,
    typer.Option(
        "--link-base",
        help="Address of the working folder's files, such as https://github.com/OWNER/REPO/blob/COMMIT: Markdown and "
        "HTML reports link to lines there.",
        show_default=False,
    ),
]
SarifExact = Annotated[
    bool, typer.Option("--sarif-exact", help="List the sites that were ported exactly in SARIF reports, too.")
]
