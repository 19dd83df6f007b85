"""`porter convert`: its options and texts. The work is done in porter.port."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console

from porter import settings
from porter.chip import CHIPS, DEFAULT_CHIP
from porter.cli.complaint import complain
from porter.cli.convert_options import baseline_of, check_options, check_rules, given_options
from porter.cli.convert_run import (
    built_ports,
    exit_code,
    left_out,
    place_of_cases,
    ported,
    print_diff,
    without_source,
)
from porter.cli.report_options import DocsBase, LinkBase, SarifExact
from porter.configuration import configuration
from porter.errors import EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, PorterError, UsageError
from porter.findings import BUILDS, FilePort

if TYPE_CHECKING:
    pass

__all__ = ["convert", "register"]

_CONVERT_EXAMPLES = """Examples:

\b
  porter convert kernel.cu                 write kernel.hip beside it
  porter convert src/ -o src-hip --report port.md
  porter convert kernel.cu                 again, after changes: merge
  porter convert kernel.cu --force         anew, without changes by hand
  porter convert kernel.cu --diff          print the changes only
  porter convert src/ --check              for CI: write nothing
  porter convert gemm.cu --schedule native --resources
  porter convert src/ -p build/ --build    compile what was written
  porter convert src/ --check --build      for CI: and compile it

\b
Exit codes:
  0    ported in full, but for places in code that is not compiled
       (#if 0, #ifdef _WIN32, __CUDA_ARCH__ >= 1000), and in
       functions of headers behind -I that nothing here calls
  1    ported, with places left for a person (review, left, or a
       conflict with changes by hand), or without a parse;
       with --strict, a file was parsed with errors;
       with --build, a file does not compile or lacks headers, or
       there was none to compile;
       with --check, a file would change
  2    could not port a file: missing, unreadable or not well-formed
  130  interrupted with Ctrl-C; files written so far are whole
"""


def convert(
    context: typer.Context,
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
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Overwrite files that porter did not write, reports too, and changes that were made by hand in ports. "
            "Default: leave the former, and merge the latter with the new port.",
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 if a file was parsed with errors, which may hide sites.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the changes as a unified diff; write nothing.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change or a site is left.")
    ] = False,
    include: Annotated[
        Optional[list[str]],
        typer.Option(
            "-I",
            "--include",
            help="Header search folder (repeatable). Headers of it that a file includes are ported, too, into FOLDER-hip "
            "beside the port.",
        ),
    ] = None,
    isystem: Annotated[
        Optional[list[str]],
        typer.Option(
            "-isystem",
            "--isystem",
            help="Header search folder whose headers stay as they are (repeatable). So do those of CUDA, of the system "
            "and of installed Python packages behind -I.",
        ),
    ] = None,
    define: Annotated[
        Optional[list[str]],
        typer.Option("-D", "--define", help="Define a macro for the parser: NAME or NAME=VALUE (repeatable)."),
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
            "-p",
            "--build-dir",
            help="Folder with compile_commands.json; porter takes -I, -D and -std of each file from it.",
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
    kittens: Annotated[
        str,
        typer.Option(
            "--kittens",
            help="faithful: port ThunderKittens' headers with the kernel, 32 lanes to a warp. native: one warp is one "
            "wavefront of 64 lanes, by porter's own library of ThunderKittens' operations, where the file asks for nothing "
            "else; the report says where it does.",
        ),
    ] = "faithful",
    oversize: Annotated[
        str,
        typer.Option(
            "--oversize",
            help="Dynamic shared memory that is more than LDS has, where no constants make it fit. left: the launch is left. "
            "device-memory: it lies in device memory, and the kernel is slower.",
        ),
    ] = "left",
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
    build: Annotated[
        bool,
        typer.Option(
            "--build",
            help="Compile each translation unit of the port for the target and for the host, with the flags of "
            "compile_commands.json where -p gives it; errors are shown at their sites, and the exit code is 1. With --check: what "
            "would be written, in a temporary folder.",
        ),
    ] = False,
    report: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--report", help="Write a report; the suffix .md, .html, .json or .sarif gives the format (repeatable)."
        ),
    ] = None,
    docs_base: DocsBase = "",
    link_base: LinkBase = "",
    sarif_exact: SarifExact = False,
    rules: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--rules",
            help="Folder with your own rules (repeatable), in addition to those of pyproject.toml.",
        ),
    ] = None,
    select: Annotated[
        Optional[list[str]],
        typer.Option("--select", help="Look at the sites of this rule only; others are accepted (repeatable)."),
    ] = None,
    ignore: Annotated[
        Optional[list[str]],
        typer.Option("--ignore", help="Accept the sites of this rule: ported, and no failure (repeatable)."),
    ] = None,
    baseline: Annotated[
        Optional[Path],
        typer.Option(
            "--baseline",
            help="Accept the sites that this file lists: fail on new ones only. With it, --check does not fail because a "
            "file would change.",
        ),
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Write the sites that need a person to the file of --baseline.")
    ] = False,
    exclude: Annotated[
        Optional[list[str]],
        typer.Option(
            "--exclude", help="Files or folders of a tree that stay as they are: a name or a path with * (repeatable)."
        ),
    ] = None,
    gitignore: Annotated[
        bool, typer.Option("--gitignore/--no-gitignore", help="Leave out the files of a tree that git ignores.")
    ] = True,
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
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="What is printed: full; concise: a line for each site that needs a person; github: annotations for "
            "GitHub Actions; json: the JSON report.",
        ),
    ] = "full",
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")] = False,
) -> int:
    """Port CUDA sources to HIP.

    For a file, porter writes NAME.hip beside it. For a folder, it writes a copy of the tree with sources, headers and
    build files (CMake, make, setup.py) ported. Inputs stay unchanged unless --in-place is given.

    What you change in a port stays: the next conversion merges its port with your changes, by what it wrote before (kept in
    .porter beside the port), and marks conflicts. Other files are overwritten with --force only.
    """
    from porter.port.building.staged import stage
    from porter.port.files.headers import told
    from porter.port.files.keep import write_kept
    from porter.port.files.orphans import orphans
    from porter.port.pipeline import Conversion
    from porter.port.runs.configured import FIELDS, configured_options, with_includes
    from porter.port.runs.last import keep_last
    from porter.port.runs.plan import plan
    from porter.port.runs.run import make_report
    from porter.report import (
        TERMINAL_FORMATS,
        Choices,
        check_addresses,
        check_place,
        check_suffix,
        print_terminal,
        write_report,
        write_text,
    )
    from porter.report.facts.baseline import baseline_text, read_baseline, with_baseline
    from porter.report.formats.rule_pages import own_pages, rule_texts

    started = time.perf_counter()
    if build and diff:
        raise UsageError("--diff compiles nothing", "give --check --build, or leave --diff out")
    if sum((in_place, diff, check)) > 1 or (in_place and out):
        raise UsageError("--in-place, --diff, --check and -o exclude each other", "give one of them")
    found = configuration(paths[0])
    given = given_options(context)
    options = replace(
        with_includes(configured_options(found), include or (), isystem or ()),
        **{field: context.params[name] for name, field in FIELDS.items() if name in given},
    )
    options = replace(
        options,
        defines=(*options.defines, *(define or ())),
        cuda_path=settings.cuda_path(cuda_path) if cuda_path else options.cuda_path,
        rules=(*options.rules, *(p.resolve() for p in rules or ())),
        exclude=(*options.exclude, *(exclude or ())),
        gitignore=gitignore if "gitignore" in given else found.of("gitignore", True),
        select=tuple(select or options.select),
        ignore=(*options.ignore, *(ignore or ())),
    )
    jobs = jobs if "jobs" in given else found.of("jobs", 0)
    pages = docs_base or found.of("docs-base", "")
    links = link_base or found.of("link-base", "")
    check_addresses(pages, links)
    report = report or [Path(path) for path in found.of("report", ())]
    form = form if "form" in given else found.of("format", form)
    if form not in TERMINAL_FORMATS:
        raise UsageError(f"--format {form}: unknown", f"one of {', '.join(TERMINAL_FORMATS)}")
    check_options(options, jobs)
    for path in report:
        check_suffix(path)
        check_place(path, force)
    listed = baseline_of(baseline or found.of("baseline", None), update_baseline)
    if listed is not None and update_baseline:
        check_place(listed[0], force)
    commands_in = build_dir or found.of("build-dir", None)
    commands = settings.compile_commands(Path(commands_in)) if commands_in else {}
    if build:
        from porter.toolchain.compilers import compilers

        compilers()  # says what is missing
    folder_named = bool(out) and str(out).endswith(("/", os.sep))
    conversion = Conversion(options)
    check_rules(conversion)
    todo = plan(paths, Path(out) if out else None, in_place, conversion, commands, diff or check, folder_named)
    try:
        ports = ported(todo.jobs, conversion, jobs or os.cpu_count() or 1, quiet)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    refused: list[FilePort] = []
    if todo.left_out and not quiet:
        print(left_out(todo.left_out), file=sys.stderr)
    if not quiet and (gone := orphans(todo)):
        print(without_source(gone), file=sys.stderr)
    if diff:
        for port in ports:
            print_diff(port)
    elif not check:
        ports, refused = write_kept(todo, ports, options.runtime, force)
    if build and check:
        with stage(todo) as staged:
            ports, refused = write_kept(staged.plan, ports, options.runtime, force)
            ports = built_ports(staged.plan, ports, conversion, commands, jobs or os.cpu_count() or 1, quiet)
        ports, refused = staged.as_planned(ports), staged.as_planned(refused)
    elif build:
        ports = built_ports(todo, ports, conversion, commands, jobs or os.cpu_count() or 1, quiet)
    ports = told(todo, ports, conversion)
    failed = (*todo.failed, *refused)
    result = replace(make_report(ports, failed, options, started), built=build)
    if listed is not None:
        place, sites = listed
        if update_baseline:
            text = baseline_text(result, place)
            write_text(place, text)
            sites = read_baseline(place)
        result = with_baseline(result, place, sites)
    choices = Choices(sarif_exact or found.of("sarif-exact", False), links)
    keep_last(result.files)
    for path in report:
        write_report(result, rule_texts(conversion.rules.rules, pages), path, choices=choices)
    if not quiet:
        console = Console(stderr=diff, highlight=False)
        texts = rule_texts(conversion.rules.rules, pages or (own_pages() if console.is_terminal else ""))
        print_terminal(result, texts, console, form, not (diff or check), report, place_of_cases(todo))
    seen = sys.stdout.isatty() and sys.stderr.isatty() and not quiet  # then the report has said it
    for port in () if seen else result.failed:
        complain(PorterError(f"{port.path}: {port.problem}", port.mend))
    code = exit_code(result.files, check and listed is None)
    if build and not any(port.build in BUILDS[:2] for port in result.files):
        code = max(code, EXIT_LEFT)  # nothing was compiled
    unsure = (strict or found.of("strict", False)) and any(p.parser == "libclang with errors" for p in result.files)
    return EXIT_LEFT if code == EXIT_OK and unsure else code


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(epilog=_CONVERT_EXAMPLES)(convert)
