"""The command line: the options and texts of `porter convert`, `explain`, `rules` and `doctor`. The work is done elsewhere."""

from __future__ import annotations

import difflib
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Optional

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from porter import __version__
from porter.chip import CHIPS, DEFAULT_CHIP
from porter.cli import run as run_commands
from porter.cli import verify as verify_commands
from porter.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, PorterError, UsageError
from porter.frontend.unit import Options
from porter.model import FilePort, FileStatus, Safety

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
    context_settings={"help_option_names": ["-h", "--help"]},
)

_CONVERT_EXAMPLES = """Examples:

\b
  porter convert kernel.cu                 write kernel.hip beside it
  porter convert src/ -o src-hip --report port.md
  porter convert kernel.cu --diff          print the changes only
  porter convert src/ --check              for CI: write nothing
  porter convert gemm.cu --schedule native --resources

\b
Exit codes:
  0    ported in full
  1    ported, with places left for a person (review or left);
       with --check, a file would change
  2    could not port a file: missing, unreadable or not well-formed
  130  interrupted with Ctrl-C; files written so far are whole
"""

_EXPLAIN_EXAMPLES = """Examples:

\b
  porter explain warp-vote     a rule
  porter explain cudaMalloc    a CUDA name
"""

_RULES_EXAMPLES = """Example:

\b
  porter rules

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
        _complain(error)
        code = EXIT_FAILED
    except Exception as error:
        if os.environ.get("PORTER_DEBUG"):
            raise
        _complain(
            PorterError(
                f"internal error: {type(error).__name__}: {error}", "PORTER_DEBUG=1 shows where; please report it"
            )
        )
        code = EXIT_FAILED
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough: Python's own flush at exit must not complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = EXIT_LEFT
    if code == EXIT_INTERRUPTED:
        sys.stderr.flush()
        os._exit(code)  # Python would wait for results that a worker had begun to send as it was ended
    sys.exit(code if isinstance(code, int) else EXIT_OK)


def _interrupted() -> int:
    print("porter: interrupted; files written so far are whole", file=sys.stderr)
    return EXIT_INTERRUPTED


def _complain(error: PorterError) -> None:
    print(f"porter: {error.problem}" + (f"\n        {error.mend}" if error.mend else ""), file=sys.stderr)


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


@app.command(epilog=_CONVERT_EXAMPLES)
def convert(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="CUDA files or folders.", show_default=False)],
    out: Annotated[
        Optional[str],
        typer.Option(
            "-o",
            "--out",
            help="Output file for one input file, output folder for a folder. Default: NAME.hip beside NAME.cu, "
            "FOLDER-hip beside FOLDER.",
        ),
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Overwrite the inputs. Default: leave them unchanged.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the changes as a unified diff; write nothing.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change or a site is left.")
    ] = False,
    include: Annotated[Optional[list[str]], typer.Option("-I", help="Header search folder (repeatable).")] = None,
    define: Annotated[
        Optional[list[str]], typer.Option("-D", help="Define a macro for the parser: NAME or NAME=VALUE (repeatable).")
    ] = None,
    std: Annotated[
        str,
        typer.Option(
            "-std",
            "--std",
            help="C++ standard of the sources. A file with errors in c++17 is read as c++20 where that has fewer.",
        ),
    ] = "c++17",
    build_dir: Annotated[
        Optional[Path],
        typer.Option(
            "-p", help="Folder with compile_commands.json; porter takes -I, -D and -std of each file from it."
        ),
    ] = None,
    cuda_path: Annotated[
        Optional[Path],
        typer.Option(
            "--cuda-path", help="CUDA toolkit whose headers the parser reads. Default: porter's own stub headers."
        ),
    ] = None,
    target: Annotated[
        str, typer.Option("--target", help=f"AMD architecture of the port: {', '.join(CHIPS)}.")
    ] = DEFAULT_CHIP.target,
    warp: Annotated[
        int,
        typer.Option(
            "--warp",
            help="32: keep CUDA's 32-lane logical warps. 64: widen warp operations to the 64-lane wavefront where "
            "symbolic execution shows the same results.",
        ),
    ] = 32,
    schedule: Annotated[
        str,
        typer.Option(
            "--schedule",
            help="faithful: port construct by construct. native: replace kernels that porter recognises as matrix "
            "products by kernels written for CDNA3; the report gives the reason for every other kernel.",
        ),
    ] = "faithful",
    inline: Annotated[
        bool,
        typer.Option(
            "--inline",
            help="With --schedule native: write the schedule into the port, to be owned and tuned there. Default: the port includes porter/gemm.h.",
        ),
    ] = False,
    resources: Annotated[
        bool,
        typer.Option(
            "--resources",
            help="Compile each port, report kernels that spill vector registers, and propose tile sizes and launch "
            "bounds that do not.",
        ),
    ] = False,
    report: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--report", help="Write a report; the suffix .md, .html, .json or .sarif gives the format (repeatable)."
        ),
    ] = None,
    rules: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--rules",
            help="Folder with your own rules (repeatable), in addition to [tool.porter] rules in pyproject.toml.",
        ),
    ] = None,
    runtime: Annotated[
        str,
        typer.Option(
            "--runtime",
            help="copy: copy the porter/*.h headers that a port includes beside it. include: your build passes -I with "
            "the folder that porter doctor prints.",
        ),
    ] = "copy",
    jobs: Annotated[
        int,
        typer.Option(
            "-j", "--jobs", help="Files ported in parallel. Default: the number of processors.", show_default=False
        ),
    ] = 0,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Port CUDA sources to HIP.

    For a file, porter writes NAME.hip beside it. For a folder, it writes a copy of the tree with sources, headers and
    build files (CMake, make, setup.py) ported. Inputs stay unchanged unless --in-place is given.
    """
    from porter import settings
    from porter.port.pipeline import Conversion
    from porter.port.plan import plan
    from porter.port.run import make_report, run_jobs
    from porter.port.write import write_ports
    from porter.report import RuleText, check_suffix, print_terminal, write_report
    from porter.rules import load_rules

    started = time.perf_counter()
    if sum((in_place, diff, check)) > 1 or (in_place and out):
        raise UsageError("--in-place, --diff, --check and -o exclude each other", "give one of them")
    if target not in CHIPS:
        raise UsageError(f"--target {target}: porter ports to {' and '.join(CHIPS)} only", "leave --target out")
    if warp not in (32, 64):
        raise UsageError(f"--warp {warp}: a warp has 32 or 64 lanes", "give --warp 32 or --warp 64")
    if schedule not in ("faithful", "native"):
        raise UsageError(f"--schedule {schedule}: unknown", "give --schedule faithful or --schedule native")
    if inline and schedule != "native":
        raise UsageError(
            "--inline has no effect without --schedule native", "give --schedule native, or leave --inline out"
        )
    if runtime not in ("copy", "include"):
        raise UsageError(f"--runtime {runtime}: unknown", "give --runtime copy or --runtime include")
    for path in report or ():
        check_suffix(path)
    if resources:
        from porter.toolchain.compilers import compilers

        compilers()  # says what is missing
    folders = tuple(p.resolve() for p in (*settings.rule_folders(paths[0]), *(rules or ())))
    options = Options(
        includes=tuple(os.path.abspath(i) for i in include or ()),
        defines=tuple(define or ()),
        standard=std,
        cuda_path=settings.cuda_path(cuda_path),
        target=target,
        warp=warp,
        schedule=schedule,
        inline=inline,
        resources=resources,
        rules=folders,
        runtime=runtime,
    )
    commands = settings.compile_commands(build_dir) if build_dir else {}
    folder_named = bool(out) and str(out).endswith(("/", os.sep))
    target_path = Path(out) if out else None
    conversion = Conversion(options)
    todo = plan(paths, target_path, in_place, conversion, commands, diff or check, folder_named)
    console = Console(stderr=True, highlight=False)
    show = console.is_terminal and not quiet and len(todo.jobs) > 3
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console, transient=True, disable=not show,
    ) as progress:  # fmt: skip
        task = progress.add_task("porting", total=len(todo.jobs))
        try:
            ports = run_jobs(
                todo.jobs, conversion, jobs or os.cpu_count() or 1, lambda job, port: progress.advance(task)
            )
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
    if diff:
        for port in ports:
            _print_diff(port)
    elif not check:
        write_ports(todo.jobs, ports, runtime, todo.runtime_dirs)
    result = make_report(ports, todo.failed, options, started)
    texts = {r.id: RuleText(r.id, r.title, r.why) for r in load_rules(folders).rules.values()}
    for path in report or ():
        write_report(result, texts, path)
    if not quiet:
        print_terminal(result, texts, Console(stderr=diff, highlight=False))
    for port in result.failed:
        _complain(PorterError(f"{port.path}: {port.problem}", port.mend))
    return _exit_code(ports, bool(todo.failed), check)


def _exit_code(ports: list[FilePort], failed: bool, check: bool) -> int:
    if failed or any(p.status is FileStatus.FAILED for p in ports):
        return EXIT_FAILED
    left = any(f.safety is Safety.LEFT or f.safety is Safety.REVIEW for p in ports for f in p.findings)
    changes = check and any(p.port != p.source for p in ports)
    return EXIT_LEFT if left or changes else EXIT_OK


def _print_diff(port: FilePort) -> None:
    if port.source == port.port:
        return
    before, after = (
        t.encode("latin-1").decode("utf-8", "replace").splitlines(keepends=True) for t in (port.source, port.port)
    )
    for line in difflib.unified_diff(before, after, port.path, port.output):
        sys.stdout.write(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")


@app.command(epilog=_EXPLAIN_EXAMPLES)
def explain(rule: Annotated[str, typer.Argument(metavar="RULE", help="A rule id or a CUDA name.")]) -> int:
    """Explain a rule or a CUDA name.

    For a rule: what it finds, why it matters on AMD hardware, how safe the port is, examples. For a CUDA name: its HIP
    counterpart and the safety of the change.
    """
    from porter.cli.explain import explain as explain_rule

    return explain_rule(rule, Console(highlight=False))


@app.command("rules", epilog=_RULES_EXAMPLES)
def list_rules() -> int:
    """List the rules, with their safety levels."""
    from porter.rules import load_rules

    table = Table(box=None, pad_edge=False)
    for column in ("rule", "safety", "finds"):
        table.add_column(column, no_wrap=column != "finds")
    for rule in sorted(load_rules().rules.values(), key=lambda r: (r.group, r.id)):
        rows = f" ({len(rule.rows)} names)" if rule.rows else ""
        table.add_row(rule.id, rule.safety.value, escape(rule.title + rows))
    Console(highlight=False).print(table)
    return EXIT_OK


@app.command(epilog=_DOCTOR_EXAMPLES)
def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> int:
    """Show what is installed, and how to install what is missing."""
    from porter.cli.doctor import examine, print_examination

    return print_examination(examine(), as_json, Console(highlight=False))


run_commands.register(app)
verify_commands.register(app)
