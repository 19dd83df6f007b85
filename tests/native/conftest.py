"""The recogniser is asked about a kernel where the kernel or the recogniser has changed since remember.py was run."""

from __future__ import annotations

import pytest
import remember

from porter.cache_folder import cache_dir


@pytest.fixture(scope="session", autouse=True)
def recalled() -> None:
    remember.recall(cache_dir())
