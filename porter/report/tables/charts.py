"""Charts of a sweep, by matplotlib: a roofline, speed over work, the best configuration by shape, use of units, scaling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porter.chip import CHIPS, EMULATED
from porter.errors import PorterError
from porter.harness.timing.throughput import peak_of
from porter.harness.verdict import shape_text
from porter.report.tables.sweep_table import MADE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["chart_places", "check_charts", "compute_units", "scaled", "utilisation", "write_charts"]

_SHORT = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32", "float64": "fp64"}
_STYLE: Any = {
    "svg.hashsalt": "porter",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "axes.axisbelow": True,
}
_SHOWN = 20  # configurations that have a colour of their own

Row = Mapping[str, Any]


def chart_places(folder: Path) -> list[Path]:
    """The files that charts are written to."""
    return [*_pictures(folder), folder / "charts.html"]


def _pictures(folder: Path) -> list[Path]:
    return [folder / f"{name}.svg" for name in ("roofline", "speed", "best", "units", "weak", "strong")]


def check_charts() -> None:
    """Fail before a long run where the library is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PorterError("charts need matplotlib, which is not installed", "pip install 'porter[charts]'") from None


def write_charts(rows: Sequence[Row], folder: Path) -> list[Path]:
    """The files, one for each chart that the rows have numbers for: roofline.svg, speed.svg, best.svg, units.svg,
    weak.svg, strong.svg; and charts.html, a page with all of them that needs nothing else."""
    check_charts()
    import matplotlib
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    timed = [row for row in rows if row["flops"]]
    spread = [row for row in rows if row.get("groups") and row.get("resident")]
    charts = (
        ([row for row in timed if row["bytes"]], _roofline), (timed, _speed), (rows, _best), (spread, _units),
        (scaled(spread, weak=True), _weak), (scaled(spread, weak=False), _strong),
    )  # fmt: skip
    written = []
    with matplotlib.rc_context(_STYLE):
        for path, (points, draw) in zip(_pictures(folder), charts, strict=True):
            if points:
                figure = Figure(figsize=(9, 5), layout="constrained")
                draw(figure.add_subplot(), points)
                figure.savefig(path, metadata={"Date": None, "Creator": MADE})
                written.append(path)
    page = chart_places(folder)[-1]
    page.write_text(_page(written), "utf-8")
    return [*written, page]


def _page(pictures: Sequence[Path]) -> str:
    """The pictures in one page. What is in front of an <svg> is of a file of its own."""
    parts = [text[text.index("<svg") :] for text in (path.read_text("utf-8") for path in pictures)]
    style = "body { font: 14px sans-serif; margin: 2em; } svg { max-width: 100%; height: auto; display: block; }"
    head = (
        f'<!doctype html>\n<html lang="en">\n<!-- {MADE} -->\n<meta charset="utf-8">\n<title>Charts of a sweep</title>'
    )
    return "\n".join([head, f"<style>{style}</style>", *parts, "</html>"]) + "\n"


def configuration(row: Row) -> str:
    """What differs from the case as it is: side, constants, flags."""
    return " ".join(word for word in (row["side"], shape_text(row["constants"]), row["flags"]) if word)


def _where(rows: Sequence[Row]) -> str:
    return f"{rows[0].get('gpu') or rows[0]['device']}, {rows[0]['kind']}"


def _scatter(axes: Axes, rows: Sequence[Row], across: Mapping[int, float]) -> None:
    """A point for each row, a colour for each configuration, the fastest ones first in the list."""
    names = list(dict.fromkeys(configuration(row) for row in sorted(rows, key=lambda row: -row["tflops"])))
    for name in names[:_SHOWN]:
        own = [row for row in rows if configuration(row) == name]
        axes.scatter([across[id(row)] for row in own], [row["tflops"] for row in own], s=18, label=name)
    rest = [row for row in rows if configuration(row) in names[_SHOWN:]]
    if rest:
        across_rest = [across[id(row)] for row in rest]
        axes.scatter(across_rest, [row["tflops"] for row in rest], s=8, color="#b0b0b0", label="others", zorder=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    axes.set_ylabel("TFLOP/s")
    axes.xaxis.set_minor_formatter("")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")


def _roofline(axes: Axes, rows: Sequence[Row]) -> None:
    peak = peak_of(str(rows[0].get("gpu") or rows[0]["device"]))
    axes.set(xscale="log", yscale="log", xlabel="operations a byte, by the case", title=f"Roofline: {_where(rows)}")
    _scatter(axes, rows, {id(row): row["flops"] / row["bytes"] for row in rows})
    if peak is None:
        return
    types = sorted({str(row["dtype"]) for row in rows} & set(peak.tflops))
    knees = [1000 * peak.tflops[dtype] / peak.gbs for dtype in types]
    first = min([row["flops"] / row["bytes"] for row in rows] + knees) / 4
    last = max([row["flops"] / row["bytes"] for row in rows] + knees) * 4
    for dtype, knee in zip(types, knees, strict=True):
        top = peak.tflops[dtype]
        axes.plot([first, knee, last], [first * peak.gbs / 1000, top, top], color="black", linewidth=0.8)
        axes.annotate(f"{_SHORT.get(dtype, dtype)} {top:g} TFLOP/s", (last, top), va="bottom", ha="right")
    if knees:
        axes.annotate(f"{peak.gbs / 1000:g} TB/s", (first * 2, first * 2 * peak.gbs / 1000), va="top", ha="left")


def _speed(axes: Axes, rows: Sequence[Row]) -> None:
    axes.set(xscale="log", xlabel="operations of a call", title=f"Speed over work: {_where(rows)}")
    _scatter(axes, rows, {id(row): row["flops"] for row in rows})
    axes.set_ylim(bottom=0)


def utilisation(groups: int, resident: int, units: int) -> float:
    """The share of the places for workgroups that have one, over all rounds: the last one may be half empty."""
    places = units * resident
    return groups / (-(-groups // places) * places)


def compute_units(device: str) -> int:
    """Those of the board that a device's name holds, else of the chip that the emulator is."""
    boards = ((chip, board) for chip in CHIPS.values() for board in chip.boards if board.name in device)
    return next((chip.units_of(board) for chip, board in boards), EMULATED.compute_units)


def _units(axes: Axes, rows: Sequence[Row]) -> None:
    """How many of the compute units' places have a workgroup, of the kernel that takes longest."""
    units = compute_units(str(rows[0].get("gpu") or rows[0]["device"]))
    _over_workgroups(axes)
    axes.set_ylabel(f"places of {units} compute units in use, all rounds, %")
    axes.set_title(f"Use of the compute units: {_where(rows)}")
    names = list(dict.fromkeys(configuration(row) for row in rows))
    for name in names[:_SHOWN]:
        own = sorted((row["groups"], row["resident"]) for row in rows if configuration(row) == name)
        shares = [100 * utilisation(groups, resident, units) for groups, resident in own]
        axes.plot([groups for groups, _ in own], shares, marker="o", markersize=4, linewidth=0.6, label=name)
    axes.set_ylim(0, 105)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _work(row: Row) -> tuple[str, str]:
    """What stays the same where a configuration gets more workgroups, each with as much to do."""
    return configuration(row), f"{row['flops'] / row['groups'] / 1e6:.4g} million operations a workgroup"


def _problem(row: Row) -> tuple[str, str]:
    """What stays the same where other configurations cut the same problem into more workgroups."""
    return str(row["case"]), shape_text(row["shape"])


def scaled(rows: Sequence[Row], *, weak: bool) -> list[Row]:
    """The rows that can be held to one with another number of workgroups: of as much work for each of them (weak), or of
    the same problem (strong)."""
    same = _work if weak else _problem
    numbers: dict[tuple[str, str], set[int]] = {}
    able = [row for row in rows if row["flops"] or not weak]
    for row in able:
        numbers.setdefault(same(row), set()).add(row["groups"])
    return [row for row in able if len(numbers[same(row)]) > 1]


def _weak(axes: Axes, rows: Sequence[Row]) -> None:
    """The time of the fewest workgroups over that of more."""
    axes.set_title(f"Weak scaling: {_where(rows)}")
    axes.set_ylabel("time of the fewest workgroups over that of more, %")
    _lines(axes, rows, _work, 100)


def _strong(axes: Axes, rows: Sequence[Row]) -> None:
    """How many times as fast a problem is that is cut into more workgroups."""
    axes.set_title(f"Strong scaling: {_where(rows)}")
    axes.set_ylabel("times as fast as with the fewest workgroups")
    _lines(axes, rows, _problem, 1)


def _lines(axes: Axes, rows: Sequence[Row], same: Callable[[Row], tuple[str, str]], one: float) -> None:
    _over_workgroups(axes)
    for name in list(dict.fromkeys(same(row) for row in rows))[:_SHOWN]:
        times: dict[int, float] = {}  # the best of each number of workgroups
        for row in rows:
            if same(row) == name:
                times[row["groups"]] = min(times.get(row["groups"], float("inf")), row["microseconds"][1])
        points = sorted(times.items())
        shares = [one * points[0][1] / time for _, time in points]
        axes.plot(
            [groups for groups, _ in points], shares, marker="o", markersize=4, linewidth=0.6, label=", ".join(name)
        )
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _over_workgroups(axes: Axes) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xlabel("workgroups of the launch")
    axes.xaxis.set_major_formatter("{x:g}")


def _best(axes: Axes, rows: Sequence[Row]) -> None:
    """Each configuration's time over the best one's of that shape, in the order of the sweep."""
    shapes = list(dict.fromkeys((row["case"], shape_text(row["shape"])) for row in rows))
    names = list(dict.fromkeys(configuration(row) for row in rows))
    times = {(configuration(row), (row["case"], shape_text(row["shape"]))): row["microseconds"][1] for row in rows}
    nothing = float("nan")
    least = {shape: min(times[name, shape] for name in names if (name, shape) in times) for shape in shapes}
    ratios = [[times.get((name, shape), nothing) / least[shape] for shape in shapes] for name in names]
    image = axes.imshow(ratios, aspect="auto", cmap="viridis_r", vmin=1, vmax=2)
    for y, line in enumerate(ratios):
        for x, ratio in enumerate(line):
            if ratio == ratio:
                axes.text(x, y, f"{ratio:.2f}", ha="center", va="center", color="white" if ratio > 1.5 else "black")
    several = len({case for case, _ in shapes}) > 1
    axes.set_xticks(
        range(len(shapes)), [f"{case}\n{text}" if several else text for case, text in shapes], rotation=30, ha="right"
    )
    axes.set_yticks(range(len(names)), names)
    axes.grid(visible=False)
    axes.set_title(f"Time over the best of its shape: {_where(rows)}")
    axes.figure.colorbar(image, ax=axes)
