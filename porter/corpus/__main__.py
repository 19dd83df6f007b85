"""The command line of the runner: python -m porter.corpus [checks|run|tabulate] ..."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porter.corpus.converters import find_converter
from porter.corpus.program import find_programs
from porter.corpus.runner import ProgramResult, measure
from porter.corpus.scoring import score_checks
from porter.corpus.tables import load_run, run_json, runs_markdown, runs_table, score_json, score_markdown
from porter.errors import EXIT_FAILED, EXIT_OK, InputError, PorterError, UsageError

if TYPE_CHECKING:
    from porter.corpus.executing import Executed

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that the arguments name and returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    commands = {"checks": _checks, "run": _run, "tabulate": _tabulate, "programs": _programs}
    name = words.pop(0) if words and words[0] in commands else "programs"
    try:
        return commands[name](words)
    except PorterError as error:
        print(f"porter.corpus: {error.problem}", file=sys.stderr)
        if error.fix:
            print(f"  {error.fix}", file=sys.stderr)
        return EXIT_FAILED
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python complains again at its end
        return EXIT_OK
    except KeyboardInterrupt:
        print("porter.corpus: stopped", file=sys.stderr)
        return 130


def _programs(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m porter.corpus",
        description="Convert every program of a folder and check that the result passes the HIP compiler.",
        epilog="More commands: `checks FOLDER` scores CHECK lines, `tabulate JSON...` compares results, "
        "`run FOLDER` runs HIP programs in the emulator.",
    )
    parser.add_argument("folder", type=Path, help="one program for each sub-folder, or one program")
    parser.add_argument("--match", default="*", help="only the programs whose folder's name matches, e.g. '[a-m]*'")
    parser.add_argument("--source-suffix", default="", help="how the name of a CUDA program ends, e.g. -cuda")
    parser.add_argument("--twin-suffix", default="", help="how the name of its hand-made port ends, e.g. -hip")
    parser.add_argument("--only-assessable", action="store_true", help="skip programs whose twin lacks a library here")
    parser.add_argument(
        "--runtime-headers",
        action="store_true",
        help="check everything with porter's runtime headers, the twins too: fewer library headers are missing",
    )
    parser.add_argument("-j", "--jobs", type=int, default=1)
    _common(parser)
    args = parser.parse_args(words)
    if args.twin_suffix and not args.source_suffix:
        raise UsageError("--twin-suffix needs --source-suffix", "e.g. --source-suffix -cuda --twin-suffix -hip")
    folder = _folder(args.folder)
    options = {"source_suffix": args.source_suffix, "twin_suffix": args.twin_suffix}
    programs = find_programs(folder, match=args.match, **options)
    if not programs:
        raise InputError(f"{folder} holds no program that matches {args.match!r}", "see --match and --source-suffix")
    base = programs[0].folder.parent
    everyone = find_programs(folder, **options) if base == folder else ()
    done = 0

    def progress(result: ProgramResult) -> None:
        nonlocal done
        done += 1
        first = result.outcome.first
        state = "pass" if result.outcome.passed else first.cause if first else "skipped"
        print(f"[{done}/{len(programs)}] {result.name}: {state}", file=sys.stderr, flush=True)

    with _work(args.out) as work:
        run = measure(
            programs,
            find_converter(args.converter),
            work,
            base=base,
            siblings=everyone,
            jobs=args.jobs,
            only_assessable=args.only_assessable,
            runtime=args.runtime_headers,
            progress=progress,
        )
    _write(args.json, run_json(run))
    _write(args.markdown, runs_markdown([run]))
    print(runs_table([run]), end="")
    return EXIT_OK


def _checks(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m porter.corpus checks",
        description="Score a converter on test files that hold `// CHECK:` lines.",
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--exclude-option",
        action="append",
        default=[],
        metavar="OPTION",
        help="leave out the tests whose RUN line has this option (--exclude-option=-roc)",
    )
    _common(parser)
    args = parser.parse_args(words)
    with _work(args.out) as work:
        score = score_checks(_folder(args.folder), find_converter(args.converter), work, excluded=args.exclude_option)
    if not score.total:
        raise InputError(f"{args.folder} holds no file with CHECK lines", "")
    _write(args.json, score_json(score))
    _write(args.markdown, score_markdown(score))
    share = f"{score.hits} of {score.total} CHECK lines ({score.percent:.1f}%)"
    print(f"{score.converter}: {share} in {len(score.files)} files")
    for cause, count in score.by_cause.items():
        print(f"  {count:5d}  {cause}")
    return EXIT_OK


def _tabulate(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m porter.corpus tabulate", description="Put results of several converters side by side."
    )
    parser.add_argument("results", type=Path, nargs="+", help="files written with --json")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    args = parser.parse_args(words)
    runs = [load_run(path) for path in args.results]
    print(runs_table(runs), end="")
    _write(args.markdown, runs_markdown(runs))
    return EXIT_OK


def _run(words: Sequence[str]) -> int:
    from porter.corpus.executing import execute, executed_json, executed_markdown, load_executed, load_sizes

    parser = argparse.ArgumentParser(
        prog="python -m porter.corpus run",
        description="Run every HIP program of a folder in the emulator, at a reduced size, and read its own verdict.",
    )
    parser.add_argument("folder", type=Path, help="one program for each sub-folder, or one program")
    parser.add_argument("--match", default="*", help="only the programs whose folder's name matches, e.g. '[a-m]*'")
    parser.add_argument("--suffix", default="", help="how the name of a HIP program ends, e.g. --suffix=-hip")
    parser.add_argument(
        "--ported-from",
        default="",
        metavar="SUFFIX",
        help="run the ports of the CUDA programs beside them too, e.g. --ported-from=-cuda, and compare the verdicts",
    )
    parser.add_argument(
        "--sizes", type=Path, metavar="TOML", help="arguments by program; see porter/corpus/executing.py"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="of a processor, for each program's run")
    parser.add_argument("--only-build", action="store_true")
    parser.add_argument("--only-checked", action="store_true", help="leave out programs with no words of a verdict")
    parser.add_argument("--retry", type=Path, metavar="JSON", help="keep what passed in this result, run the others")
    parser.add_argument("--converter", default="porter", help="for --ported-from: porter, torch, hipify-perl[:PATH]")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the programs' copies and what they wrote there")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    args = parser.parse_args(words)
    if args.ported_from:
        return _compare(args)
    programs = find_programs(_folder(args.folder), match=args.match, source_suffix=args.suffix)
    if not programs:
        raise InputError(f"{args.folder} holds no program that matches {args.match!r}", "see --match and --suffix")
    kept = {one.name: one for one in load_executed(args.retry) if one.verdict == "pass"} if args.retry else {}
    left = [program for program in programs if program.name not in kept]
    results = list(kept.values())

    def progress(result: Executed) -> None:
        results.append(result)
        results.sort(key=lambda one: one.name)
        _write(args.json, executed_json(results))  # each time: a run of hours may be stopped
        line = f"[{len(results)}/{len(programs)}] {result.name}: {result.verdict} {result.cause}"
        print(f"{line} ({result.build_seconds:.0f} + {result.run_seconds:.1f} s)", file=sys.stderr, flush=True)

    with _work(args.out) as work:
        execute(
            left,
            work,
            sizes=load_sizes(args.sizes) if args.sizes else {},
            seconds=args.seconds,
            jobs=args.jobs,
            only_build=args.only_build,
            only_checked=args.only_checked,
            progress=progress,
        )
    table = executed_markdown(results)
    _write(args.markdown, table)
    print(table, end="")
    return EXIT_OK


def _compare(args: argparse.Namespace) -> int:
    from porter.corpus.comparing import Pair, compare, load_pairs, pairs_json, pairs_markdown
    from porter.corpus.executing import load_sizes

    if not args.suffix:
        raise UsageError("--ported-from needs --suffix", "e.g. --suffix=-hip --ported-from=-cuda")
    options = {"source_suffix": args.ported_from, "twin_suffix": args.suffix}
    programs = [one for one in find_programs(_folder(args.folder), match=args.match, **options) if one.twin]
    if not programs:
        raise InputError(f"{args.folder} holds no program with a twin that matches {args.match!r}", "see --match")
    kept = {pair.name: pair for pair in load_pairs(args.retry) if pair.same} if args.retry else {}
    pairs = list(kept.values())

    def progress(pair: Pair) -> None:
        pairs.append(pair)
        pairs.sort(key=lambda one: one.name)
        _write(args.json, pairs_json(pairs))  # each time: a run of hours may be stopped
        port = f"{pair.port.verdict} {pair.port.cause}" if pair.port else "not made"
        print(f"[{len(pairs)}/{len(programs)}] {pair.name}: twin {pair.twin.verdict}, port {port}", file=sys.stderr)

    with _work(args.out) as work:
        compare(
            [program for program in programs if program.name not in kept],
            find_converter(args.converter),
            work,
            sizes=load_sizes(args.sizes) if args.sizes else {},
            seconds=args.seconds,
            jobs=args.jobs,
            progress=progress,
        )
    table = pairs_markdown(pairs)
    _write(args.markdown, table)
    print(table, end="")
    return EXIT_OK


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--converter", default="porter", help="porter, torch, hipify-perl[:PATH] or none")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the converted programs there")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE")


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise InputError(f"{path} is no folder", "")
    return path.resolve()


class _work:
    """The work folder: the one given, kept, or a temporary one."""

    def __init__(self, out: Path | None) -> None:
        self.out = out
        self.temporary: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Path:
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)
            return self.out.resolve()
        self.temporary = tempfile.TemporaryDirectory(prefix="porter-corpus-")
        return Path(self.temporary.name).resolve()

    def __exit__(self, *exc: object) -> None:
        if self.temporary is not None:
            self.temporary.cleanup()


def _write(path: Path | None, text: str) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    sys.exit(main())
