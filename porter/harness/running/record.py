"""`porter record`: what an original did on an NVIDIA GPU goes beside its case, with how long it took."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from porter.errors import OutputError, UsageError
from porter.harness.cases.case import Case
from porter.harness.running.golden import golden_text, read_golden

__all__ = ["check_names", "golden_place", "keep_recordings"]


def check_names(cases: Sequence[Case]) -> None:
    """Two cases of one name would write to one recording."""
    paths: dict[str, Path] = {}
    for case in cases:
        if paths.setdefault(case.name, case.path) != case.path:
            raise UsageError(
                f"{paths[case.name]} and {case.path} are both called {case.name}", "record them one by one"
            )


def golden_place(case: Case, out: Path | None) -> Path:
    """The recording's path without suffix: beside the case, or in a folder that the user named."""
    if out is not None:
        return out / case.file_name
    return case.path.parent / ("golden" if case.path.stem == "case" else f"{case.path.stem[:-5]}_golden")


def keep_recordings(
    cases: Sequence[Case], drafts: Path, rows: Sequence[Mapping[str, Any]], out: Path | None
) -> list[tuple[Path, int, int]]:
    """Move each draft to its place, in place of the last recording: its JSON file, number of runs and of timings."""
    kept = []
    for case in cases:
        draft = drafts / case.file_name
        facts_path, tensors_path = draft.with_suffix(".json"), draft.with_suffix(".safetensors")
        if not facts_path.is_file():
            continue
        place = golden_place(case, out)
        facts = json.loads(facts_path.read_text())
        facts["timings"] = [row for row in rows if row["case"] == case.name]
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            for suffix, data in ((".safetensors", tensors_path.read_bytes()), (".json", golden_text(facts).encode())):
                beside = place.with_suffix(f".{os.getpid()}{suffix}")
                beside.write_bytes(data)
                os.replace(beside, place.with_suffix(suffix))
        except OSError as error:
            raise OutputError(f"{place}: {error.strerror or error}", "name another folder with -o") from error
        kept.append((place.with_suffix(".json"), len(read_golden(place)), len(facts["timings"])))
    return kept
