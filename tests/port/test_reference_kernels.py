"""The ports beside the reference kernels are what porter makes of the originals today.

After a change that is meant: porter convert reference_kernels/NAME/NAME.cu --runtime include, and look at the difference;
for NAME_native.hip with --schedule native -o reference_kernels/NAME/NAME_native.hip.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import remember

from porter.cache_folder import cache_dir
from porter.frontend.unit import Options
from porter.native.recognise import recognition_cache
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

KERNELS = Path(__file__).resolve().parents[2] / "reference_kernels"
FOREIGN = sorted(path.parent for path in KERNELS.glob("*/case.py") if '("$' in path.read_text())  # headers are not here
ORIGINALS = [path for path in sorted(KERNELS.glob("*/*.cu")) if path.parent not in FOREIGN]
NATIVE = sorted(KERNELS.glob("*/*_native.hip"))


def test_there_are_originals() -> None:
    assert len(ORIGINALS) >= 5


@pytest.mark.parametrize("original", ORIGINALS, ids=lambda path: path.stem)
def test_port_is_up_to_date(original: Path, tmp_path: Path) -> None:
    ported(original, original.with_suffix(".hip"), Options(runtime="include"), tmp_path)


@pytest.mark.parametrize("port", NATIVE, ids=lambda path: path.stem)
def test_native_port_is_up_to_date(port: Path, tmp_path: Path) -> None:
    """Of what was recognised before, if neither the kernel's IR nor the recogniser has changed since (tests/remember.py)."""
    remember.recall(cache_dir())
    natively_ported(port, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("port", NATIVE, ids=lambda path: path.stem)
def test_native_port_is_recognised_anew(port: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition_cache, "cache_dir", lambda: tmp_path / "cache")
    monkeypatch.setattr("porter.port.runs.run.cached", lambda keys, job: None)
    natively_ported(port, tmp_path / "port")


def natively_ported(port: Path, folder: Path) -> None:
    original = port.with_name(port.name.replace("_native.hip", ".cu"))
    ported(original, port, Options(runtime="include", schedule="native"), folder)
    assert "PORTER_MIRRORED" not in port.read_text()


def test_matrix_products_and_attention_have_native_ports() -> None:
    kernels = {path.parent.name for path in NATIVE}
    products = {path.stem for path in ORIGINALS if path.stem.startswith("hopper_gemm")}
    assert kernels == products | {"ampere_gemm_mma_sync", "wmma_gemm", "flash_attention_fwd"}


def ported(original: Path, expected: Path, options: Options, folder: Path) -> None:
    port = folder / f"{original.stem}.hip"
    conversion = Conversion(options)
    todo = plan([original], port, False, conversion)
    assert not todo.failed, todo.failed
    write_ports(todo.jobs, run_jobs(todo.jobs, conversion, 1), options.runtime, todo.runtime_dirs)
    assert port.read_bytes() == expected.read_bytes()
    assert [path.name for path in folder.iterdir()] == [port.name]  # porter's headers are not copied


def test_kernels_of_libraries_that_are_not_here_have_no_ports_here() -> None:
    """Their ports come with ports of the library's headers, which belong to another project: porter verify makes both."""
    assert [folder.name for folder in FOREIGN] == ["tk_attention_fwd", "tk_layernorm", "tk_matmul"]
    assert [path for folder in FOREIGN for path in folder.rglob("*") if path.suffix in (".hip", ".h", ".cuh")] == []


def test_the_index_names_every_kernel() -> None:
    index = (KERNELS / "README.md").read_text()
    names = sorted({path.parent.name for path in KERNELS.glob("*/*.cu")})
    assert [name for name in names if f"[{name}]({name})" not in index] == []
