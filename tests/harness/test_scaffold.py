"""porter verify --init: a case that loads, with the names and types of the entry."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from porter.errors import InputError
from porter.harness.building.build import entry_of
from porter.harness.cases.case import call_by_name, load_case
from porter.harness.cases.entry import SignatureError
from porter.harness.cases.inputs import draw
from porter.harness.cases.scaffold import case_place, case_text

SOURCE = """
#include <cuda_bf16.h>
#include <cuda_runtime.h>
struct Params { const __nv_bfloat16 *a; float *sums; int rows, columns; float eps; };
template <class T> void scale(const T *x, void *y, int n, double by, cudaStream_t stream) {}
void sum(Params p) {}
extern "C" __global__ void add(const float *a, const float *b, float *c, unsigned n) {}
"""


@pytest.mark.parametrize(
    ("entry", "inputs", "outputs"),
    [
        ("scale<float>", {"x": torch.float32, "by": float}, ["y"]),
        ("sum", {"a": torch.bfloat16, "eps": float}, ["sums"]),
        ("add", {"a": torch.float32, "b": torch.float32}, ["c"]),
    ],
)
def test_the_beginning_of_a_case(tmp_path: Path, entry: str, inputs: dict[str, object], outputs: list[str]) -> None:
    source = tmp_path / "kernels.cu"
    source.write_text(SOURCE)
    drawn_entry = entry_of(source, entry)
    place = case_place(source)
    place.write_text(case_text(source, drawn_entry))
    case = load_case(place)
    assert (case.entry, case.source) == (entry, source)
    assert len(case.shapes) == 2
    drawn = draw(case, drawn_entry, case.shapes[1], "normal", 1)
    kinds = {name: value.dtype if isinstance(value, torch.Tensor) else type(value) for name, value in drawn.items()}
    assert kinds == inputs
    assert case.reference is not None
    assert list(call_by_name(place, "reference", case.reference, {**case.shapes[0], **drawn})) == outputs
    assert (case.launch is not None) == drawn_entry.kernel


def test_a_template_asks_for_its_arguments(tmp_path: Path) -> None:
    source = tmp_path / "kernels.cu"
    source.write_text(SOURCE)
    with pytest.raises(SignatureError, match="scale is a template") as caught:
        entry_of(source, "scale")
    assert caught.value.fix == "name its arguments: scale<T>"


def test_numbers_of_blocks_are_no_lengths_and_outputs_may_be_read(tmp_path: Path) -> None:
    source = tmp_path / "kernels.cu"
    source.write_text('extern "C" void gelu(float *out, const float *inp, int N, const int block_size) {}\n')
    text = case_text(source, entry_of(source, "gelu"))
    assert "    dict(N=37, block_size=128),\n" in text and '"inp": torch.randn(N),' in text
    assert "# TODO: out, where it is read as well\n" in text


def test_a_case_is_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "kernels.cu"
    source.write_text(SOURCE)
    assert case_place(source).name == "case.py"
    (tmp_path / "case.py").write_text("")
    with pytest.raises(InputError, match="exists"):
        case_place(source)
    (tmp_path / "other.cu").write_text("")
    assert case_place(source).name == "kernels_case.py"
