"""Hopper through CUDA's C++ library: programs in CUDA are ported, run, and say themselves what is wrong."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from porter.execute import RunOptions, run_program
from porter.frontend.unit import Options as PortOptions
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain import Options

PROGRAMS = Path(__file__).parent / "library"
# Whether warps have roles there.
MIRRORED = {
    "atomics": True,
    "barriers": False,
    "beside_cublas": True,
    "instructions": True,
    "ordered_atomics": False,
    "pipeline_roles": True,
    "pipelines": True,  # a lambda waits
    "tensor_tiles": True,
    "ptx_values": True,
    "plain_kernels": True,  # one of its kernels has them
    "thread_pipeline": False,
    "wide_blocks": False,
}


@functools.cache
def port(name: str, folder: Path) -> Path:
    """For all seeds: the program is built once."""
    out = folder / f"{name}.hip"
    options = PortOptions(runtime="include")
    conversion = Conversion(options)
    todo = plan([PROGRAMS / f"{name}.cu"], out, False, conversion)
    assert not todo.failed
    ports = run_jobs(todo.jobs, conversion, 1)
    assert [f.message for p in ports for f in p.findings if f.safety.value == "left"] == []
    write_ports(todo.jobs, ports, options.runtime, todo.runtime_dirs)
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library")


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", MIRRORED)
@pytest.mark.sample(8)
def test_program(name: str, seed: int, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = port(name, folder)
    assert ("PORTER_MIRRORED" in program.read_text()) == MIRRORED[name]
    # Loops around a compare-and-swap begin with an atomic load, in which the race check sees a plain one.
    checks = ("bounds", "lds-race", "wait", "uninit") if name.endswith("atomics") else ("bounds", "all")
    outcome = run_program([program], [], Options(), RunOptions(emulate=True, checks=checks, seed=seed))
    printed = capfd.readouterr().out.splitlines()
    assert (outcome.code, outcome.findings) == (0, []), printed
    kernels = (PROGRAMS / f"{name}.cu").read_text().count("__global__ void") - (name == "barriers")  # one prepares
    assert len([line for line in printed if ": 0 wrong" in line]) == kernels
    if name == "instructions":  # once a thread
        lines = sorted(line for line in printed if line.startswith("thread"))
        assert lines == sorted(f"thread {t} of 128" for t in (5, 37, 69, 101) for _ in range(3))


def test_every_program_is_run() -> None:
    assert sorted(path.stem for path in PROGRAMS.glob("*.cu")) == sorted(MIRRORED)
