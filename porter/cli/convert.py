"""`porter convert`: its texts. The options are in convert_request.py, the work is in porter.port."""

from __future__ import annotations

import typer

from porter.cli.convert_request import ConvertRequest
from porter.cli.request import add_command

__all__ = ["register"]

_EPILOG = """Examples:

\b
  porter convert kernel.cu                 write kernel.hip, or merge it
  porter convert src/ -o src-hip --report port.md
  porter convert kernel.cu --force         anew, without changes by hand
  porter convert kernel.cu --diff          print the changes only
  porter convert src/ --check              for CI: write nothing
  porter convert gemm.cu --schedule native --resources
  porter convert src/ -p build/ --build    compile what was written
  porter convert src/ --check --build      for CI: and compile it

\b
Exit codes:
  0    ported in full; code that nothing compiles or reaches does not count
  1    ported, with places left for a person, with conflicts or unparsed;
       or --check, --strict or --build has something to say
  2    could not port a file: missing, unreadable or not well-formed
  130  interrupted with Ctrl-C; files written so far are whole
"""


def convert(request: ConvertRequest) -> int:
    """Port CUDA sources to HIP.

    For a file, porter writes NAME.hip beside it. For a folder, it writes a copy of the tree with sources, headers and
    build files (CMake, make, setup.py) ported. The next conversion merges its port with your changes and marks conflicts.
    """
    from porter.cli.convert_run import run
    from porter.cli.convert_settings import settings_of

    return run(request, settings_of(request))


def register(app: typer.Typer) -> None:
    """Adds the command."""
    add_command(app, convert, _EPILOG)
