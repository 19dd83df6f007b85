"""What porter recognises in the reference kernels, kept in recognised/ by the digest of what it follows from.

    python tests/port/remember.py

Recognising the six takes a minute. The digest has the kernel's IR and the recogniser's own source, so an answer that is kept
is used only where porter would find the same again; after other changes it is found again, and this command keeps it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "recognised"
sys.path.insert(0, str(HERE.parents[1]))


def recall(cache: Path) -> None:
    """Puts the kept answers where porter looks for them."""
    for path in KEPT.glob("*.json"):
        target = cache / "recognised" / path.name[:2] / path.name[2:]
        if not target.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def main() -> None:
    """Recognises every kernel that has a native port anew, and keeps the answers."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PORTER_CACHE"] = folder
        from porter.frontend.project import Project
        from porter.frontend.unit import Options
        from porter.port.pipeline import port_source

        for port in sorted((HERE.parents[1] / "reference_kernels").glob("*/*_native.hip")):
            original = port.with_name(port.name.replace("_native.hip", ".cu"))
            options = Options(runtime="include", schedule="native")
            port_source(Project(original.parent), original, str(port), options, {})
            print(original.stem)
        KEPT.mkdir(exist_ok=True)
        for path in KEPT.glob("*.json"):
            path.unlink()
        for path in sorted(Path(folder, "recognised").glob("*/*.json")):
            shutil.copyfile(path, KEPT / f"{path.parent.name}{path.name}")


if __name__ == "__main__":
    main()
