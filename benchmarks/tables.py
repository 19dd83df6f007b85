"""Draws the tables of the documents from benchmarks/results/*.csv, and those of originals from the recordings beside the cases.

    python benchmarks/tables.py            # writes the tables between their markers in docs/
    python benchmarks/tables.py --check    # writes nothing; exits with 1 if a page does not have today's tables

A result is a CSV file whose first lines say what it is: title, kind (measured, counted, emulated, predicted), date, commit,
command, source and note. A page asks for one, or for some of its columns and rows:

    <!-- table reach; columns: case | shape | time; where: side = native -->
    <!-- end of table -->
"""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
_MARKED = re.compile(
    r"(<!-- table ([\w-]+)(?:; columns: ([^;]*?))?(?:; where: ([^=]*?) = (.*?))? -->\n).*?(<!-- end of table -->)",
    re.DOTALL,
)


class Result(NamedTuple):
    facts: dict[str, str]
    head: list[str]
    rows: list[list[str]]


def read(name: str) -> Result:
    lines = (RESULTS / f"{name}.csv").read_text("utf-8").splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    head, *rows = csv.reader(line for line in lines if not line.startswith("# "))
    return Result(facts, head, rows)


def originals() -> Result:
    """What `porter record` measured of the reference kernels: for each case the shape with the most work."""
    rows = []
    recordings = sorted((ROOT / "reference_kernels").rglob("*golden.json"))
    timings = [row for path in recordings for row in json.loads(path.read_text())["timings"]]
    for case in dict.fromkeys(row["case"] for row in timings):
        own = [row for row in timings if row["case"] == case and row["mode"] in ("warm", "graph")]
        best = max(own, key=lambda row: (row["flops"] or row["bytes"], row["mode"] == "graph"))
        torch = min((other["median_ms"] for other in best["beside"].values()), default=math.nan)
        shape = ", ".join(f"{name}={value}" for name, value in best["shape"].items())
        speed = f"{best['tflops']:.0f} TFLOP/s" if best["tflops"] >= 20 else f"{best['gbs']:,.0f} GB/s"
        times = "" if math.isnan(torch) else f"{torch / best['median_ms']:.2f}"
        rows.append([case, shape, f"{1000 * best['median_ms']:.1f}", speed, times])
    days = sorted(row["time"][:10] for row in timings)
    facts = {
        "title": "The reference kernels' originals",
        "kind": f"measured on an {timings[0]['device']}",
        "date": f"{days[0]} to {days[-1]}",
        "command": "porter record reference_kernels",
        "note": "The recordings beside the cases have all shapes and modes. Below 1, torch is faster",
    }
    return Result(facts, ["case", "shape", "time, us", "speed", "times torch"], rows)


def drawn(name: str, columns: str | None, column: str | None, value: str | None) -> str:
    """The table in Markdown, with a line that says where it is from."""
    result = originals() if name == "originals" else read(name)
    names = [part.strip() for part in columns.split(" | ")] if columns else result.head
    places = [result.head.index(part) for part in names]
    rows = [row for row in result.rows if not column or re.search(value or "", row[result.head.index(column)])]
    cells = [[row[place].replace("|", "\\|") for place in places] for row in rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in (names, ["---"] * len(names), *cells))
    facts = result.facts
    where = f"{facts['kind'][0].upper() + facts['kind'][1:]}, {facts['date']}" + (
        f", commit {facts['commit']}" if "commit" in facts else ""
    )
    more = "".join(f" {facts[key]}." for key in ("source", "note") if key in facts)
    data = "" if name == "originals" else f" [Data]({{path}}/{name}.csv)."
    return f"**{facts['title']}**\n\n{table}\n\n*{where}: `{facts['command']}`.{more}*{data}\n"


def redrawn(page: Path) -> str:
    """The page's text with the tables of today."""
    path = "/".join([*[".."] * (len(page.relative_to(ROOT).parts) - 1), "benchmarks", "results"])
    return _MARKED.sub(
        lambda found: found[1] + drawn(*found.group(2, 3, 4, 5)).replace("{path}", path) + found[6],
        page.read_text("utf-8"),
    )


def main() -> None:
    pages = sorted((ROOT / "docs").rglob("*.md"))
    stale = [page for page in pages if redrawn(page) != page.read_text("utf-8")]
    for page in stale:
        print(f"{page.relative_to(ROOT)}: {'stale' if '--check' in sys.argv else 'written'}")
        if "--check" not in sys.argv:
            page.write_text(redrawn(page), "utf-8")
    sys.exit(1 if stale and "--check" in sys.argv else 0)


if __name__ == "__main__":
    main()
