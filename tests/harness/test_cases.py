"""Case files: what is read from them, and what is said of those that cannot be used."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

from porter.errors import InputError
from porter.harness.building.build import header_of_cuda
from porter.harness.cases.case import VALUES, CaseError, collect, load_case
from porter.harness.sessions.session import VerifyOptions, matches, plan_tasks

GOOD = """
'''A good case.'''
SHAPES = [dict(n=4)]
def inputs(n): return {}
def reference(): return {}
"""


def write(folder: Path, text: str = GOOD, name: str = "case.py", source: str = "kernel.cu") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / source).write_text("")
    path = folder / name
    path.write_text(textwrap.dedent(text))
    return path


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    case = load_case(write(tmp_path / "scale"))
    assert (case.name, case.title, case.entry) == ("scale", "A good case", "")
    assert case.source == tmp_path / "scale" / "kernel.cu"
    assert case.port is None
    assert case.bench == case.shapes == ({"n": 4},)
    assert set(case.values) == set(VALUES) - {"nan"}


def test_the_port_beside_the_source_is_the_one_to_verify(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "kernel.hip").write_text("")
    assert load_case(path).port == tmp_path / "kernel.hip"
    assert load_case(path, tmp_path / "kernel.cu").port is None  # asked for: a fresh port of it
    (tmp_path / "other.hip").write_text("")
    assert load_case(path, tmp_path / "other.hip").port == tmp_path / "other.hip"


@pytest.mark.parametrize(
    ("text", "problem", "fix"),
    [
        ("SHAPES = [", "case.py:1: SyntaxError", "fix"),
        ("import nothing_of_that_name", "case.py:1: ModuleNotFoundError", "fix"),
        ("x = 1\nraise ValueError('no')", "case.py:2: ValueError: no", "fix"),
        ("SHAPES = [dict(n=1)]", "no function inputs", "def inputs"),
        (GOOD.replace("[dict(n=4)]", "dict(n=4)"), "SHAPES is not a list of dicts", "SHAPES = ["),
        (GOOD.replace("[dict(n=4)]", "[]"), "SHAPES is not a list of dicts", "SHAPES = ["),
        (GOOD + "VALUES = ['huge']", "'huge' is unknown", "large"),
        (GOOD + "SOURCE = 'gone.cu'", "gone.cu, which does not exist", "gone.cu"),
        (GOOD + "VARIANTS = {'a': 'gone.hip'}", "gone.hip, which does not exist", "gone.hip"),
        (GOOD + "reference = 3", "reference is not a function", "def reference"),
    ],
)
def test_a_file_that_cannot_be_used_says_why_and_how_to_fix_it(
    tmp_path: Path, text: str, problem: str, fix: str
) -> None:
    with pytest.raises(CaseError) as caught:
        load_case(write(tmp_path, text))
    assert problem in caught.value.problem
    assert fix in caught.value.fix


def test_two_sources_need_a_choice(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "other.cu").write_text("")
    with pytest.raises(CaseError, match=r"which of kernel\.cu, other\.cu"):
        load_case(path)
    named = write(tmp_path, GOOD, "other_case.py", "other.cu")
    assert load_case(named).source == tmp_path / "other.cu"


def test_a_case_beside_ports_alone_may_name_the_original(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD + 'SOURCE = "kernel.cu"\n')
    (tmp_path / "kernel.hip").write_text("")
    assert (load_case(path).source.name, load_case(path).port) == ("kernel.cu", tmp_path / "kernel.hip")
    (tmp_path / "kernel.cu").unlink()
    assert (load_case(path).source.name, load_case(path).port) == ("kernel.hip", tmp_path / "kernel.hip")
    (tmp_path / "kernel.hip").unlink()
    with pytest.raises(CaseError, match=r"names kernel\.cu, which does not exist"):
        load_case(path)


def test_a_folder_of_cuda_that_a_case_of_a_port_names_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    said = f"{folder}/scale.h:2:10: fatal error: '{{}}' file not found\n    2 | #include <{{}}>\n"
    told = header_of_cuda(said.format("cuda_runtime.h", "cuda_runtime.h"), ("/elsewhere", str(folder)))
    assert f"INCLUDES names {os.path.relpath(folder)}, where scale.h is CUDA" in told and "NAME-hip" in told
    assert header_of_cuda(said.format("own.h", "own.h"), (str(folder),)) == ""
    assert header_of_cuda(said.format("cuda_runtime.h", "cuda_runtime.h"), ("/elsewhere",)) == ""


def test_collecting(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a"), write(tmp_path / "b", GOOD, "kernel_case.py")
    write(tmp_path / ".hidden")
    assert collect([tmp_path]) == [(one, None), (two, None)]
    assert collect([tmp_path / "a" / "kernel.cu"]) == [(one, tmp_path / "a" / "kernel.cu")]
    assert collect([one, tmp_path]) == [(one, None), (two, None)]
    with pytest.raises(InputError, match="no such file"):
        collect([tmp_path / "gone"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no case"):
        collect([tmp_path / "empty"])
    (tmp_path / "empty" / "lonely.cu").write_text("")
    with pytest.raises(InputError, match="no case beside it"):
        collect([tmp_path / "empty" / "lonely.cu"])


def test_a_broken_file_costs_only_itself(tmp_path: Path) -> None:
    write(tmp_path / "a", "SHAPES = [")
    write(tmp_path / "b")
    tasks, broken = plan_tasks([tmp_path], VerifyOptions())
    assert [task.case.name for task in tasks] == ["b"]
    assert [verdict.status.value for verdict in broken] == ["FAIL"]
    assert "SyntaxError" in broken[0].reason


def test_the_first_shape_gets_the_adversarial_values(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace("[dict(n=4)]", "[dict(n=4), dict(n=5)]"))
    (task,), _ = plan_tasks([path], VerifyOptions())
    runs = [(run.shape["n"], run.values) for run in task.runs]
    assert runs == [(4, "normal"), (4, "large"), (4, "tiny"), (4, "denormal"), (4, "zeros"), (5, "normal")]
    (task,), _ = plan_tasks([path], VerifyOptions(shapes=({"n": 9},), values=("nan",)))
    assert [(run.shape["n"], run.values) for run in task.runs] == [(9, "nan")]
    assert len({run.seed for run in task.runs}) == len(task.runs)


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("", True), ("soft", True), ("rows=3", True), ("soft rows=3", True), ("soft and rows=4", False),
        ("gemm", False), ("gemm or soft", True), ("not soft", False), ("soft and not large", True), ("not gemm", True),
    ],
)  # fmt: skip
def test_selection(expression: str, chosen: bool) -> None:
    assert matches(expression, "softmax[rows=3,columns=7]") is chosen


def test_selecting_nothing_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="no run has such a name"):
        plan_tasks([write(tmp_path)], VerifyOptions(select="gone"))


def test_files_in_other_styles(tmp_path: Path) -> None:
    bench = """
    import torch
    class Model(torch.nn.Module):
        def forward(self, x): return torch.relu(x)
    batch_size = 16
    def get_inputs(): return [torch.randn(batch_size, 4)]
    def get_init_inputs(): return []
    """
    case = load_case(write(tmp_path / "a", bench))
    assert case.positional and case.shapes == ({},) and case.constants == {"batch_size": 16}
    mode = """
    import torch
    SHAPES = [{"size": 3}]
    def generate_input(size, seed): return torch.ones(size)
    def ref_kernel(data): return data + 1
    """
    case = load_case(write(tmp_path / "b", mode))
    assert case.reference is not None
    assert case.reference(case.inputs(size=3, seed=0)).tolist() == [2, 2, 2]
