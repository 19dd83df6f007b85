"""Several processes of one program, one for each rank, as mpirun and torchrun start them.

A program learns its rank from the environment: RANK, LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT as
torchrun sets them, and OMPI_COMM_WORLD_RANK and its kin as Open MPI does. All run on this machine.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence

__all__ = ["rank_environment", "run_ranks"]

_LOOK = 0.02  # seconds between two looks at who has ended
_GRACE = 2.0  # seconds for the others to end by themselves once a rank has failed


def rank_environment(rank: int, ranks: int, port: int) -> dict[str, str]:
    """What a rank finds in its environment."""
    names = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": ranks, "LOCAL_WORLD_SIZE": ranks, "MASTER_PORT": port}
    names |= {f"OMPI_COMM_WORLD_{name}": rank for name in ("RANK", "LOCAL_RANK")}
    names |= {f"OMPI_COMM_WORLD_{name}": ranks for name in ("SIZE", "LOCAL_SIZE")}
    return {"MASTER_ADDR": "127.0.0.1", **{name: str(value) for name, value in names.items()}}


def run_ranks(command: Sequence[str], environments: Sequence[Mapping[str, str]]) -> int:
    """Starts a process for each environment and waits for all. The code of the first one that fails, after which the others
    are ended; 0 where none does."""
    port = _free_port()
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for rank, environment in enumerate(environments):
            own = {**environment, **rank_environment(rank, len(environments), port)}
            given = None if rank == 0 else subprocess.DEVNULL
            processes.append(subprocess.Popen(command, env=own, stdin=given))
        return _wait_for_all(processes)
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()


def _wait_for_all(processes: Sequence[subprocess.Popen[bytes]]) -> int:
    failed = 0
    until = float("inf")
    while None in (codes := [process.poll() for process in processes]):
        if not failed and any(codes):
            failed = next(code for code in codes if code)
            until = time.monotonic() + _GRACE
        if time.monotonic() > until:
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
            until = float("inf")
        time.sleep(_LOOK)
    code = failed or next((code for code in codes if code), 0)
    return 128 - code if code < 0 else code


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
