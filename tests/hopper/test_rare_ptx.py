"""Instructions that few kernels use, converted and executed: a program that checks itself, all checks on."""

from __future__ import annotations

from pathlib import Path

from commands import porter
from test_clusters import KERNELS, left, port


def test_a_map_that_the_kernel_changes_and_other_rare_instructions(tmp_path: Path) -> None:
    to = tmp_path / "replaced_map.hip"
    assert left(port(KERNELS / "replaced_map.cu", to)) == []
    done = porter("run", to, "--emulate", "--check", "all")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


def test_addresses_made_of_null_and_sizes_asked_before_main(tmp_path: Path) -> None:
    to = tmp_path / "null_address.hip"
    assert left(port(KERNELS / "null_address.cu", to)) == []
    done = porter("run", to, "--emulate", "--check", "all")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


def test_generic_addresses_in_another_block_and_a_size_that_nothing_names(tmp_path: Path) -> None:
    to = tmp_path / "generic_cluster.hip"
    found = port(KERNELS / "generic_cluster.cu", to)
    assert left(found) == []
    done = porter("run", to, "--emulate", "--check", "all")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)
