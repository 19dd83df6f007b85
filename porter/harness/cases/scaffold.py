"""The beginning of a case, written from the entry's signature: names and types are right, sizes and mathematics are not."""

from __future__ import annotations

import re
from pathlib import Path

from porter.errors import InputError
from porter.harness.cases.entry import Entry, Parameter

__all__ = ["case_place", "case_text"]

# Numbers that are no length of a tensor, with what they may be.
_OTHERS = {
    re.compile(r"block|thread|grid", re.IGNORECASE): 128,
    re.compile(r"mode|flag|repeat|iter|step", re.IGNORECASE): 1,
}


def case_place(source: Path) -> Path:
    """Where the case of a source goes; an error where there is one already."""
    place = source.parent / "case.py"
    others = [file for file in source.parent.iterdir() if file.suffix == source.suffix and file != source]
    if others:
        place = source.parent / f"{source.stem}_case.py"
    if place.exists():
        raise InputError(f"{place} exists", "porter verify runs it; remove it to begin again")
    return place


def case_text(source: Path, entry: Entry) -> str:
    """A file that loads and runs once its three TODOs are done."""
    numbers = [p for p in entry.parameters if p.kind == "scalar"]
    sizes = [p.name for p in numbers if p.code and p.code not in ("e", "f", "d", "bf16", "?")]
    given = [p for p in entry.pointers if p.constant]
    made = [p for p in entry.pointers if not p.constant]
    others = [p for p in numbers if p.name not in sizes]
    if not sizes and not entry.kernel and entry.module:
        sizes = ["n"]  # a tensor knows its lengths, so the function need not be told one
    arguments = ", ".join(sizes)
    fixed = {name: value for name in sizes for form, value in _OTHERS.items() if form.search(name)}
    lengths = [name for name in sizes if name not in fixed]
    odd = iter((37, 77, 51, 19, 3, 5, 7))
    first = ", ".join(f"{name}={fixed.get(name, 64)}" for name in sizes)
    second = ", ".join(f"{name}={fixed.get(name) or next(odd, 3)}" for name in sizes)
    extent = ", ".join(lengths) or "64"
    lines = [f'"""TODO: what {entry.name} computes."""', "", "import torch", "", f'SOURCE = "{source.name}"']
    lines += [f'ENTRY = "{entry.name}"', "SHAPES = [  # TODO: the sizes that matter, odd ones too"]
    lines += [f"    dict({first}),", f"    dict({second}),", "]"]
    open_types = [p.name for p in entry.pointers if not p.dtype and not entry.module]
    if open_types:
        pairs = ", ".join(f'"{name}": torch.bfloat16' for name in open_types)
        lines.append(f"DTYPES = {{{pairs}}}  # TODO: the signature leaves these open")
    if entry.kernel:
        lines += ["", "", f"def launch({arguments}):", "    return dict(grid=(1, 1, 1), block=256, shared=0)  # TODO"]
    lines += ["", "", f"def inputs({arguments}):", "    return {"]
    for parameter in given:
        lines.append(f'        "{parameter.name}": torch.randn({extent}),  # {parameter.type}; TODO: its shape')
    lines += [f'        "{parameter.name}": {_value(parameter)},  # {parameter.type}' for parameter in others]
    lines += [f"        # TODO: {', '.join(p.name for p in made)}, where it is read as well"] if made else []
    wanted = ", ".join(dict.fromkeys([*(p.name for p in given), *(p.name for p in others), *sizes]))
    lines += [
        "    }",
        "",
        "",
        "# Floating-point inputs come as float64.",
        f"def reference({wanted}):",
        "    return {  # TODO: in torch",
    ]
    lines += [f'        "{p.name}": torch.zeros({extent}, dtype=torch.float64),' for p in made]
    if entry.module and entry.returns:
        lines.append(
            f'        "result": torch.zeros({extent}, dtype=torch.float64),  # one name for each that it returns'
        )
    lines.append("    }")
    return "\n".join(lines) + "\n"


def _value(parameter: Parameter) -> str:
    return {"": "None", "?": "False"}.get(parameter.code, "1.0")
