"""What the server that tests fork porter from has read before (tests/commands.py): porter's modules, and its rules."""

from __future__ import annotations

import gc
from contextlib import suppress

import porter.cli.app
import porter.harness.sessions.worker
import porter.port.building.staged
import porter.port.edits.assemble
import porter.port.files.orphans
import porter.port.files.write
import porter.port.runs.configured
import porter.port.runs.last
import porter.port.runs.plan
import porter.port.runs.run
import porter.port.sources.faithful_ports
import porter.report.facts.baseline
import porter.report.formats.markdown
import porter.report.formats.rule_pages
import porter.report.formats.terminal  # noqa: F401
from porter.rules import load_rules

with suppress(ImportError):  # typer has it imported by the first command that is parsed
    import typer._adapters  # noqa: F401

load_rules()
gc.freeze()  # what stays need not be looked through, and thereby copied, in each process
