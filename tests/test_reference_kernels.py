"""The ports beside the reference kernels are what porter makes of the originals today, its headers included.

After a change that is meant: porter convert reference_kernels/NAME/NAME.cu, and look at the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.convert import plan, run_jobs, write_ports
from porter.frontend.unit import Options

KERNELS = Path(__file__).resolve().parent.parent / "reference_kernels"
ORIGINALS = sorted(KERNELS.glob("*/*.cu"))


def files(port: Path) -> dict[str, bytes]:
    """The port, and porter's headers beside it."""
    return {path.name: path.read_bytes() for path in (port, *sorted((port.parent / "porter").glob("*")))}


def test_there_are_originals() -> None:
    assert len(ORIGINALS) >= 5


@pytest.mark.parametrize("original", ORIGINALS, ids=lambda path: path.stem)
def test_port_is_up_to_date(original: Path, tmp_path: Path) -> None:
    port = tmp_path / f"{original.stem}.hip"
    todo = plan([original], port, False, Options())
    assert not todo.failed, todo.failed
    write_ports(todo.jobs, run_jobs(todo.jobs, Options(), 1), Options().runtime, todo.runtime_dirs)
    assert files(port) == files(original.with_suffix(".hip"))
