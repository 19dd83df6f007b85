"""The report of a run: on the terminal, and as Markdown, HTML, JSON, SARIF or JUnit XML.

facts/ derives the facts once, each module of formats/ writes them in one format, tables/ has timings. The same finding
has the same rule id, message, place and safety in all of them.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import os
import re
import secrets
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from porter.errors import OutputError, UsageError
from porter.findings import PortReport
from porter.report.facts.proof import Proof
from porter.report.facts.summary import Choices, RuleText, Summary, summarize
from porter.report.formats.terminal import TERMINAL_FORMATS, print_terminal

__all__ = [
    "FORMATS",
    "PROOF_FORMATS",
    "TERMINAL_FORMATS",
    "Choices",
    "RuleText",
    "check_addresses",
    "check_place",
    "check_suffix",
    "print_terminal",
    "write_report",
    "write_text",
]


def _format(name: str) -> Callable[[Summary], str]:
    """The function of this name of the module of this name, which is loaded where a report is written."""

    def text(summary: Summary) -> str:
        written: str = getattr(import_module(f"porter.report.formats.{name}"), name)(summary)
        return written

    return text


FORMATS: Mapping[str, Callable[[Summary], str]] = {
    ".md": _format("markdown"),
    ".html": _format("html"),
    ".json": _format("json_report"),
    ".sarif": _format("sarif"),
}
_MARKS = (  # one of them stands near the start of every file that porter writes about a run
    "## porter: ",
    "<title>porter: ",
    "<title>Timeline: ",
    '{"displayTimeUnit":"ns","otherData":{"kernel":',
    '"schema": "porter-',
    '"name": "porter"',  # SARIF's tool
    '<testsuites name="porter verify"',
    "By porter verify, from a sweep",
)
PROOF_FORMATS: Mapping[str, Callable[[Summary], str]] = {**FORMATS, ".xml": _format("junit")}  # of porter verify


def check_suffix(path: Path, proof: bool = False) -> None:
    """Fail on a name that no format belongs to: worth knowing before a long run, not after it."""
    formats = PROOF_FORMATS if proof else FORMATS
    if path.suffix.lower() in formats:
        return
    if path.suffix.lower() in PROOF_FORMATS:
        raise UsageError(
            f"{path}: JUnit XML is a report of runs, and nothing was run",
            f"porter verify --report {path.name} writes it; here, end it in one of {', '.join(formats)}",
        )
    raise UsageError(
        f"{path}: no format of the report has a name that ends like this",
        f"end it in one of {', '.join(formats)}",
    )


def check_place(path: Path, force: bool = False) -> None:
    """Fail where a report would overwrite a file that porter did not write."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            head = file.read(4096).decode("utf-8", "replace")
    except (gzip.BadGzipFile, EOFError, zlib.error):
        head = "no text"
    except OSError:  # there is none, or writing it says why it cannot be read
        return
    if head and not force and not any(mark in head for mark in _MARKS):
        raise UsageError(
            f"{path}: exists, and is no report of porter's", "give another name, or overwrite it with --force"
        )


def check_addresses(*bases: str) -> None:
    """Fail on what would break the links that it begins."""
    for base in bases:
        if re.search(r"[\s()<>\"\\]", base):
            raise UsageError(f"{base}: no address", "give one as it stands in a browser, with %20 for blanks")


def write_report(
    report: PortReport,
    rules: Mapping[str, RuleText],
    path: Path,
    proof: Proof | None = None,
    choices: Choices | None = None,
) -> None:
    """In the format that the suffix names: the whole report, or OutputError and nothing changed."""
    check_suffix(path, proof is not None)
    write_text(path, PROOF_FORMATS[path.suffix.lower()](summarize(report, rules, proof, choices)))


def write_text(path: Path, text: str) -> None:
    """The whole text, or OutputError and nothing changed."""
    try:
        _replace(path, text.encode("utf-8"))
    except OSError as error:
        raise OutputError(
            f"{path}: the report could not be written: {error.strerror or error}",
            "check that the folder exists, that you may write to it and that the disk has room",
        ) from error


def _replace(path: Path, data: bytes) -> None:
    target = Path(os.path.realpath(path))  # a symbolic link stays one
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    temporary = target.parent / f".{secrets.token_hex(8)}.porter-tmp"
    # Mode 0666 less the umask, as for any file that a user writes; tempfile would make it private.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, target)
    except BaseException:  # Ctrl-C included
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
