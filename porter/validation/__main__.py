"""`python -m porter.validation FOLDER... [--set NAME]... [--runs N] [--json FILE] [--markdown FILE]`

Holds the model of time to everything that is measured and public. The folders hold clones of public repositories, however
deep; `--list` says which. What is found runs in the emulator, is predicted, and stands beside what was measured: figures,
errors, rank orders, and goals met or missed. What is not found is named.

Exit codes: 0 if everything that was found ran and met its goals; 1 if something did not run or missed a goal, if a set of
`--set` was not found, or none was; 2 if options cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from porter.cache_folder import write_atomically
from porter.errors import EXIT_FAILED, EXIT_LEFT, EXIT_OK, PorterError, UsageError
from porter.perf.model.identity import model_digest
from porter.validation.description import Described, described_sets
from porter.validation.goals import Figure
from porter.validation.running import How, Outcome, run_set
from porter.validation.writing import as_json, figure_lines, goal_lines, head, markdown, not_found

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code."""
    given = _options(argv)
    try:
        chosen = _chosen(described_sets(*filter(None, [given.sets])), given.set)
        if given.list:
            print("\n".join(f"{head(one)}\n  {one.repository}\n  measured: {one.figures}" for one in chosen))
            return EXIT_OK
        if not given.folders:
            raise UsageError("no folder", "name one that holds the repositories; --list says which")
        for folder in given.folders:
            if not folder.is_dir():
                raise UsageError(f"{folder}: no such folder", "name one that holds the repositories; --list says which")
        outcomes = [_ran(one, given.folders, How(given.runs, given.triton, given.objects)) for one in chosen]
    except PorterError as error:
        print(f"porter.validation: {error.line}", file=sys.stderr)
        return EXIT_FAILED
    if given.json:
        write_atomically(given.json, (json.dumps(as_json(outcomes, model_digest()), indent=1) + "\n").encode())
    if given.markdown:
        write_atomically(given.markdown, markdown(outcomes).encode())
    return _code(outcomes, bool(given.set))


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m porter.validation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", type=Path, nargs="*", help="folders that hold the repositories")
    parser.add_argument("--set", action="append", default=[], help="only this set; again for more")
    parser.add_argument("--runs", type=int, default=5, help="of a table of programs: runs of each benchmark (5)")
    parser.add_argument("--list", action="store_true", help="say which sets there are, and what to clone")
    parser.add_argument("--sets", type=Path, help="a folder of other descriptions")
    parser.add_argument("--triton", type=Path, help="a folder with another Triton, for the kernels that need one")
    parser.add_argument(
        "--objects", type=Path, help="a folder with device code of a table's programs by another compiler"
    )
    parser.add_argument("--json", type=Path, help="write everything to this file")
    parser.add_argument("--markdown", type=Path, help="write tables to this file")
    return parser.parse_args(argv)


def _chosen(sets: Sequence[Described], names: Sequence[str]) -> list[Described]:
    known = [one.name for one in sets]
    for name in names:
        if name not in known:
            raise UsageError(f"unknown set {name}", f"one of {', '.join(known)}")
    return [one for one in sets if one.name in names or not names]


def _ran(described: Described, folders: Sequence[Path], how: How) -> Outcome:
    def tell(case: str, figures: Sequence[Figure] | str) -> None:
        lines = [f"  {case}: NOT RUN: {figures}"] if isinstance(figures, str) else figure_lines(case, figures)
        print("\n".join(lines), flush=True)

    print(head(described), flush=True)
    outcome = run_set(described, folders, how, tell)
    print(f"  {not_found(described)}" if outcome.root is None else "\n".join(goal_lines(outcome)), flush=True)
    return outcome


def _code(outcomes: Sequence[Outcome], named: bool) -> int:
    chosen = [one for one in outcomes if one.root is not None or named]
    return EXIT_OK if chosen and all(one.good for one in chosen) else EXIT_LEFT


if __name__ == "__main__":
    raise SystemExit(main())
