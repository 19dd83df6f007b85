"""The device IR of a translation unit's faithful port."""

from __future__ import annotations

from dataclasses import replace

from porter.errors import CompileError, PorterError
from porter.frontend.unit import Options
from porter.native.ir.module import Module, parse
from porter.native.machine.values import Refused
from porter.toolchain import build
from porter.toolchain.port_sources import Sources, placed

__all__ = ["compiled"]


def compiled(options: Options, sources: Sources) -> Module:
    try:
        source, how = placed(sources, options)
        how = replace(how, defines=(*how.defines, "PORTER_RECOGNISED=1"))
        text = build.device_ir(source, how).read_text(encoding="utf-8", errors="replace")
    except CompileError as error:
        raise Refused(f"the faithful port does not compile ({error.problem.rpartition('error: ')[2]})") from None
    except PorterError as error:
        raise Refused(error.problem) from None
    except OSError as error:
        raise Refused(f"it could not be compiled ({error.strerror})") from None
    return parse(text)
