"""The ports beside the reference kernels are what porter makes of the originals today.

After a change that is meant: porter convert reference_kernels/NAME/NAME.cu --runtime include, and look at the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.convert import plan, run_jobs, write_ports
from porter.frontend.unit import Options

KERNELS = Path(__file__).resolve().parent.parent / "reference_kernels"
ORIGINALS = sorted(KERNELS.glob("*/*.cu"))


def test_there_are_originals() -> None:
    assert len(ORIGINALS) >= 5


@pytest.mark.parametrize("original", ORIGINALS, ids=lambda path: path.stem)
def test_port_is_up_to_date(original: Path, tmp_path: Path) -> None:
    port = tmp_path / f"{original.stem}.hip"
    options = Options(runtime="include")
    todo = plan([original], port, False, options)
    assert not todo.failed, todo.failed
    write_ports(todo.jobs, run_jobs(todo.jobs, options, 1), options.runtime, todo.runtime_dirs)
    assert port.read_bytes() == original.with_suffix(".hip").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [port.name]  # porter's headers are not copied


def test_the_index_names_every_kernel() -> None:
    index = (KERNELS / "README.md").read_text()
    assert [name for name in sorted(path.parent.name for path in ORIGINALS) if f"[{name}]({name})" not in index] == []
