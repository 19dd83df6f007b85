"""Triton's and Gluon's kernels as assembly for the chip, without a GPU, as `triton.tools.compile` takes a signature.

    triton_assembly(module, how)  -> the text that Triton's AMD backend writes

Triton compiles what a module of Python makes, so the module is executed in a process of its own. `--triton` of the
command may give that process another Triton than porter's compiler has.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from porter.chip import EMULATED
from porter.errors import PorterError, UsageError
from porter.paths import PACKAGE

__all__ = ["triton_assembly"]

_KEYS = {"module", "function", "signature", "options", "paths", "environment", "version", "requires"}


def triton_assembly(root: Path, how: Mapping[str, Any], triton: Path | None = None) -> str:
    """The assembly of one kernel. `how` has `module`, a path in the root, `function`, `signature` (types, ":16" behind those
    that 16 divides, and constants, separated by commas), and optionally `options` of the compiler, `paths` for imports,
    `environment`, the `version` of Triton that it is for, and what must be set in the environment (`requires`). `triton`: a folder with that Triton."""
    if unknown := set(how) - _KEYS:
        raise UsageError(f"unknown keys of triton: {', '.join(sorted(unknown))}")
    if missing := [name for name in how.get("requires", ()) if not os.environ.get(name)]:
        raise PorterError(f"{how['function']}: {', '.join(missing)} is not set")
    if not (root / how["module"]).is_file():
        raise PorterError(f"{root / how['module']} is not there")
    paths = [str(root / folder) for folder in how.get("paths", ())]
    search = [*([str(triton)] if triton else []), str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    names = {**os.environ, **how.get("environment", {}), "PYTHONPATH": os.pathsep.join(search)}
    request = json.dumps(
        {**how, "module": str(root / how["module"]), "paths": paths, "options": how.get("options", {})}
    )
    done = subprocess.run(
        [sys.executable, "-m", __name__], input=request, capture_output=True, text=True, env=names, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason"])[-1]
        raise PorterError(f"{how['function']}: Triton does not compile it: {last}")
    return done.stdout


def _compile(request: Mapping[str, Any]) -> str:
    import triton
    from triton.backends.compiler import GPUTarget

    wanted = request.get("version", "")
    if wanted and not f"{triton.__version__}.".startswith(f"{wanted}."):
        raise SystemExit(
            f"it is for Triton {wanted}, this is {triton.__version__}: --triton names a folder with another"
        )
    sys.path[:0] = request["paths"]
    spec = importlib.util.spec_from_file_location("described", request["module"])
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["described"] = module
    spec.loader.exec_module(module)
    kernel = getattr(module, request["function"])
    signature: dict[str, str] = {}
    constants: dict[str, int] = {}
    attributes: dict[tuple[int], list[list[Any]]] = {}
    for number, word in enumerate(part.strip() for part in request["signature"].split(",")):
        kind, _, hint = word.partition(":")
        name = kernel.arg_names[number]
        signature[name] = "constexpr" if kind.isdecimal() else kind
        if kind.isdecimal():
            constants[name] = int(kind)
        elif hint:
            attributes[(number,)] = [["tt.divisibility", int(hint)]]
    if kernel.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource as Source
    else:
        from triton.compiler import ASTSource as Source
    source = Source(kernel, signature, constants, attributes)
    options = dict(request["options"])
    if "llvm_fn_attrs" in options:
        options["llvm_fn_attrs"] = tuple(map(tuple, options["llvm_fn_attrs"]))
    made = triton.compile(source, target=GPUTarget("hip", EMULATED.target, EMULATED.wave), options=options)
    return str(made.asm["amdgcn"])


if __name__ == "__main__":
    print(_compile(json.loads(sys.stdin.read())))
