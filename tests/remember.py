"""What porter recognises in the reference kernels and in the kernels of tests/native: recognised.json, by the digest of what it
follows from.

    python tests/remember.py

Recognising all of them takes five minutes. The digest has the kernel's IR and the recogniser's own source, so an answer that is
kept is used only where porter would find the same again; after other changes it is found again, and this command keeps it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "native" / "recognised.json"
CHECKOUT = HERE.parent
TESTS = ("tests/native", "tests/port/test_reference_kernels.py")
EVERY = "not thunderkittens"  # the slow ones as well


def recall(cache: Path) -> None:
    """Puts the kept answers where porter looks for them."""
    if os.environ.get("PORTER_TESTS_ANEW"):
        return
    for name, answer in json.loads(KEPT.read_text()).items():
        target = cache / "recognised" / name[:2] / f"{name[2:]}.json"
        if not target.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            draft = target.with_suffix(f".{os.getpid()}")
            draft.write_text(json.dumps(answer))
            draft.replace(target)


def recognised(cache: Path) -> dict[str, object]:
    """The answers that are kept in a cache, by their digest."""
    files = sorted((cache / "recognised").glob("*/*.json"))
    return {f"{path.parent.name}{path.stem}": json.loads(path.read_text()) for path in files}


def main() -> None:
    """Runs all that recognises kernels anew, and keeps the answers."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", *TESTS, "-m", EVERY, "-n", "auto", "--dist", "worksteal"]
        environment = {**os.environ, "PORTER_CACHE": folder, "PORTER_TESTS_ANEW": "1"}
        done = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False)
        keep(recognised(Path(folder)))
    sys.exit(done.returncode)


def keep(answers: dict[str, object]) -> None:
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in sorted(answers.items()))
    KEPT.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
