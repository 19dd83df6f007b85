"""The command line: every failure becomes a line and an exit code here; `explain`, `rules` and `doctor`, and the others."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter import __version__
from porter.chip import DEFAULT_CHIP
from porter.cli import asm as asm_command
from porter.cli import bench as bench_commands
from porter.cli import build as build_command
from porter.cli import convert as convert_command
from porter.cli import record as record_command
from porter.cli import run as run_commands
from porter.cli import trace as trace_command
from porter.cli import verify as verify_command
from porter.cli.complaint import complain
from porter.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, InputError, OutputError, PorterError

if TYPE_CHECKING:
    from porter.rules import RuleSet

__all__ = ["app", "main"]

# `\b` keeps the lines of a paragraph as they are.
_EXAMPLES = """Examples:

\b
  porter convert kernel.cu                  write kernel.hip beside it
  porter verify kernel.cu --report port.md  port, run the case, report
  porter run kernel.hip --check all         run a program with every check
  porter explain warp-vote                  what a rule finds, examples

`porter COMMAND --help` lists the options of a command, their defaults and examples.
"""

app = typer.Typer(
    name="porter",
    help=f"Port CUDA kernels to HIP for AMD's {DEFAULT_CHIP.target} "
    f"({', '.join(board.name for board in DEFAULT_CHIP.boards)}), and prove the ports against PyTorch. Needs no GPU.",
    epilog=_EXAMPLES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

convert_command.register(app)  # the first in the list of commands

_EXPLAIN_EXAMPLES = """Examples:

\b
  porter explain warp-vote              a rule
  porter explain cudaMalloc             a CUDA name
  porter explain cuda::atomic_ref       a C++ name
  porter explain mma.sync.m16n8k16      a PTX instruction, or how it begins
  porter explain kernel.cu:42           what porter convert found there
"""

_RULES_EXAMPLES = """Examples:

\b
  porter rules
  porter rules --pages pages        write a page for each into pages/

`porter explain RULE` shows one of them with examples.
"""

_DOCTOR_EXAMPLES = """Examples:

\b
  porter doctor
  porter doctor --json

\b
Exit codes:
  0  everything that porter requires is installed
  1  something is missing
"""


def main() -> None:
    """Entry point: every failure is one clear line and a documented exit code, never a traceback."""
    _end_as_by_ctrl_c()
    try:
        code = app(standalone_mode=False)
        if code == EXIT_INTERRUPTED:  # typer's own answer to Ctrl-C, and ours
            code = _interrupted()
    except typer.Abort:
        code = _interrupted()
    except KeyboardInterrupt:
        code = _interrupted()
    except typer.TyperException as error:
        show = getattr(error, "show", None)
        show() if show else print(f"porter: {error}", file=sys.stderr)
        code = EXIT_FAILED
    except PorterError as error:
        complain(error)
        code = EXIT_FAILED
    except Exception as error:
        if os.environ.get("PORTER_DEBUG"):
            raise
        complain(_unforeseen(error))
        code = EXIT_FAILED
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough: Python's own flush at exit must not complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = EXIT_LEFT
    if code == EXIT_INTERRUPTED:
        sys.stderr.flush()
        _remove_folder_of_processes()
        os._exit(code)  # Python would wait for results that a worker had begun to send as it was ended
    sys.exit(code if isinstance(code, int) else EXIT_OK)


def _unforeseen(error: Exception) -> PorterError:
    """What an exception comes to that nobody has caught: permissions are the user's, anything else is a fault of porter's."""
    if isinstance(error, PermissionError) and error.filename is not None:
        name = os.fsdecode(error.filename)
        return InputError(f"{name}: {error.strerror}", "check its permissions, and those of the folders above it")
    return PorterError(
        f"internal error: {type(error).__name__}: {error}", "PORTER_DEBUG=1 shows where; please report it"
    )


def _remove_folder_of_processes() -> None:
    """The temporary folder of multiprocessing, which it removes itself at any exit but the one by os._exit."""
    folder = getattr(multiprocessing.current_process(), "_config", {}).get("tempdir")
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def _end_as_by_ctrl_c() -> None:
    """On SIGTERM, a run removes its temporary folders; its workers have none and just end."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def mask(how: int) -> None:
        signal.pthread_sigmask(how, {signal.SIGTERM})

    def forked() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        mask(signal.SIG_UNBLOCK)

    signal.signal(signal.SIGTERM, stop)
    if hasattr(os, "register_at_fork"):  # blocked meanwhile: a worker that is ended as it begins must not miss it
        os.register_at_fork(
            before=lambda: mask(signal.SIG_BLOCK),
            after_in_parent=lambda: mask(signal.SIG_UNBLOCK),
            after_in_child=forked,
        )


def _interrupted() -> int:
    print("porter: interrupted; files written so far are whole", file=sys.stderr)
    return EXIT_INTERRUPTED


def _version(value: bool) -> None:
    if value:
        print(f"porter {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command(epilog=_EXPLAIN_EXAMPLES)
def explain(
    rule: Annotated[
        str,
        typer.Argument(metavar="RULE", help="A rule id, a CUDA name or a PTX instruction, in any case; or FILE:LINE."),
    ],
) -> int:
    """Explain a rule, a CUDA name, a PTX instruction or a site.

    For a rule: what it finds, why it matters on AMD hardware, how safe the port is, examples. For a CUDA name: its HIP
    counterpart and the safety of the change. For PTX: the C++ of each form. For a line of a source or its port: what the last conversion found there, and why.
    """
    from porter.cli.explain import explain as explain_rule

    return explain_rule(rule, Console(highlight=False))


@app.command("rules", epilog=_RULES_EXAMPLES)
def list_rules(
    pages: Annotated[
        Optional[Path],
        typer.Option("--pages", help="Write a page for each rule into this folder, in Markdown, with an index."),
    ] = None,
    rules: Annotated[
        Optional[list[Path]], typer.Option("--rules", help="Folder with your own rules (repeatable).")
    ] = None,
) -> int:
    """List the rules, with their safety levels."""
    from porter.rules import load_rules

    known = load_rules(tuple(folder.resolve() for folder in rules or ()))
    if pages is not None:
        return _write_pages(known, pages)

    table = Table(box=None, pad_edge=False)
    for column in ("rule", "safety", "finds"):
        table.add_column(column, no_wrap=column != "finds")
    for rule in sorted(known.rules.values(), key=lambda r: (r.group, r.id)):
        rows = f" ({len(rule.rows)} names)" if rule.rows else ""
        table.add_row(rule.id, rule.safety.value, escape(rule.title + rows))
    Console(highlight=False).print(table)
    return EXIT_OK


def _write_pages(rules: RuleSet, folder: Path) -> int:
    from porter.ptx.table import ptx_table
    from porter.report import write_text
    from porter.report.formats.rule_pages import rule_pages

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: {error.strerror}", "give --pages a folder that you may write to") from error
    pages = rule_pages(rules.rules, ptx_table(rules))
    for name, text in pages.items():
        write_text(folder / name, text)
    print(f"{len(pages) - 1:,} rules, a page each, and {folder / 'README.md'}")
    return EXIT_OK


@app.command(epilog=_DOCTOR_EXAMPLES)
def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> int:
    """Show what is installed, and how to install what is missing."""
    from porter.cli.doctor import examine, print_examination

    return print_examination(examine(), as_json, Console(highlight=False))


run_commands.register(app)
build_command.register(app)
asm_command.register(app)
verify_command.register(app)
record_command.register(app)
bench_commands.register(app)
trace_command.register(app)
