"""The options of `porter convert`, in the groups that its help shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Optional

import typer

from porter.chip import CHIPS, DEFAULT_CHIP, SCHEDULED
from porter.cli.report_options import ReportLinks

__all__ = ["ConvertRequest"]


@dataclass(frozen=True, kw_only=True)
class _Output:
    panel: ClassVar = "Output"

    out: Annotated[
        Optional[str],
        typer.Option(
            "-o",
            "--out",
            metavar="PATH",
            help="Where to write: a file, or a folder (no suffix). Default: NAME.hip, FOLDER-hip beside the input.",
        ),
    ] = None
    in_place: Annotated[bool, typer.Option("--in-place", help="Overwrite the inputs.")] = False
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Overwrite changes made by hand, and files of others.",
        ),
    ] = False
    runtime: Annotated[
        str,
        typer.Option(
            "--runtime",
            metavar="copy|include",
            help="Copy porter/*.h beside the port, or let your build pass -I.",
        ),
    ] = "copy"
    exclude: Annotated[
        list[str],
        typer.Option("--exclude", metavar="NAME", help="Copy as it is: a name, or a path with * (repeatable)."),
    ] = field(default_factory=list)
    gitignore: Annotated[bool, typer.Option("--gitignore/--no-gitignore", help="Leave out files that git ignores.")] = (
        True
    )
    jobs: Annotated[
        int,
        typer.Option(
            "-j", "--jobs", metavar="N", help="Files ported in parallel. Default: one a processor.", show_default=False
        ),
    ] = 0


@dataclass(frozen=True, kw_only=True)
class _DeviceCode:
    panel: ClassVar = "Device code"

    target: Annotated[str, typer.Option("--target", metavar="CHIP", help=f"AMD architecture: {', '.join(CHIPS)}.")] = (
        DEFAULT_CHIP.target
    )
    warp: Annotated[
        int,
        typer.Option(
            "--warp",
            metavar="32|64",
            help="64: widen warp operations where porter proves equal results.",
        ),
    ] = 32
    schedule: Annotated[
        str,
        typer.Option(
            "--schedule",
            metavar="faithful|native",
            help="native: replace matrix products and attention by kernels for CDNA3.",
        ),
    ] = "faithful"
    board: Annotated[
        str,
        typer.Option(
            "--board",
            metavar="BOARD",
            help=f"With --schedule native: tune for {', '.join(board.name for chip in SCHEDULED for board in chip.boards)}.",
            show_default=False,
        ),
    ] = ""
    inline: Annotated[
        bool,
        typer.Option(
            "--inline",
            help="With --schedule native: write the kernel into the port.",
        ),
    ] = False
    kittens: Annotated[
        str,
        typer.Option(
            "--kittens",
            metavar="faithful|native",
            help="ThunderKittens. native: porter's library with 64-lane warps where possible.",
        ),
    ] = "faithful"
    oversize: Annotated[
        str,
        typer.Option(
            "--oversize",
            metavar="device-memory|refuse",
            help="Dynamic shared memory that nothing fits into LDS: use device memory, or leave the launch.",
        ),
    ] = "device-memory"


@dataclass(frozen=True, kw_only=True)
class _Headers:
    panel: ClassVar = "Headers and macros"

    include: Annotated[
        list[str],
        typer.Option(
            "-I", "--include", metavar="FOLDER", help="Find headers here, and port those in use (repeatable)."
        ),
    ] = field(default_factory=list)
    isystem: Annotated[
        list[str],
        typer.Option(
            "-isystem",
            "--isystem",
            metavar="FOLDER",
            help="Find headers here, and keep them as they are (repeatable).",
        ),
    ] = field(default_factory=list)
    define: Annotated[
        list[str],
        typer.Option("-D", "--define", metavar="MACRO", help="Define NAME or NAME=VALUE (repeatable)."),
    ] = field(default_factory=list)
    std: Annotated[
        str,
        typer.Option("-std", "--std", metavar="C++", help="C++ standard; c++20 where a file has fewer errors in it."),
    ] = "c++17"
    build_dir: Annotated[
        Optional[Path],
        typer.Option(
            "-p",
            "--build-dir",
            metavar="FOLDER",
            help="Take flags from compile_commands.json in this folder.",
        ),
    ] = None
    cuda_path: Annotated[
        Optional[Path],
        typer.Option(
            "--cuda-path",
            metavar="FOLDER",
            help="Read this CUDA toolkit's headers, not porter's stubs.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Checks:
    panel: ClassVar = "Checks"

    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change or a site is left.")
    ] = False
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if a file was parsed with errors.")] = False
    build: Annotated[
        bool,
        typer.Option(
            "--build",
            help="Compile the port for host and device; errors name lines of the source.",
        ),
    ] = False
    resources: Annotated[
        bool,
        typer.Option(
            "--resources",
            help="Compile the port, report spills, and propose tile sizes and launch bounds without them.",
        ),
    ] = False
    baseline: Annotated[
        Optional[Path],
        typer.Option("--baseline", metavar="FILE", help="Accept the sites in this file; fail on new ones only."),
    ] = None
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Write the sites that need a person to --baseline's file.")
    ] = False
    rules: Annotated[list[Path], typer.Option("--rules", metavar="FOLDER", help="Add your own rules (repeatable).")] = (
        field(default_factory=list)
    )
    select: Annotated[
        list[str],
        typer.Option("--select", metavar="RULE", help="Look at this rule's sites, accept others (repeatable)."),
    ] = field(default_factory=list)
    ignore: Annotated[
        list[str],
        typer.Option("--ignore", metavar="RULE", help="Port this rule's sites and accept them (repeatable)."),
    ] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _Reports:
    panel: ClassVar = "Reports"

    diff: Annotated[bool, typer.Option("--diff", help="Print a unified diff; write nothing.")] = False
    report: Annotated[
        list[Path],
        typer.Option("--report", metavar="FILE", help="Write .md, .html, .json or .sarif (repeatable)."),
    ] = field(default_factory=list)
    links: ReportLinks
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="Print full, concise (a line a site), github (annotations) or json.",
        ),
    ] = "full"
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False


@dataclass(frozen=True, kw_only=True)
class ConvertRequest:
    """What the command line asks for; `given` has the options that it names."""

    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="CUDA files or folders.", show_default=False)]
    output: _Output
    device: _DeviceCode
    headers: _Headers
    checks: _Checks
    reports: _Reports
    given: Mapping[str, Any]
