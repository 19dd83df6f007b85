"""A case: a Python file beside a kernel that says what goes in, what torch makes of it, and on which shapes.

    import torch
    ENTRY = "gemm"
    SHAPES = [dict(m=128, n=128, k=64), dict(m=100, n=72, k=40)]
    def inputs(m, n, k): return {"A": torch.randn(m, k), "B": torch.randn(n, k)}
    def reference(A, B): return {"C": A @ B.T}

`porter verify --help-cases` prints the whole format, which is `FORMAT` below.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from porter.chip import EMULATED
from porter.errors import InputError, PorterError

__all__ = [
    "FORMAT",
    "VALUES",
    "Case",
    "CaseError",
    "Published",
    "call_by_name",
    "collect",
    "is_case_file",
    "line_in",
    "load_case",
]

FORMAT = """\
A case is a file case.py or NAME_case.py beside the kernel. It needs:

  ENTRY       the function to call: "gemm", "ns::gemm", "gemm<float, 4>", or a __global__ kernel; of several
              functions of one name the one with these parameters: "gemm(const float *, float *, int)".
              Left out, it is the only extern "C" function of the source. "module:gemm" is a function of a
              pybind11 module in the source; ARGUMENTS then names what it takes: ("A", "B", "C", "m"). It gets torch
              tensors; those of the emulator say that they are on a cuda device.
              A function that takes or returns torch's tensors, "forward", is an entry as well, by the names of its
              parameters: the reference gives what it returns, in its order, under names that are no parameter's.
              Numbers that it returns are numbers there, and what is not to be compared, such as a buffer for another
              function, is None: the verdict names it. Floating-point tensors that it returns or writes have the element
              type of the first such input, unless DTYPES says another.
  SHAPES      a list of dicts, e.g. [dict(m=128, n=64), dict(m=1, n=7)]: small, odd and tail sizes.
  inputs      a function of a shape's values (and of `seed`, if it asks) that returns a dict of tensors and
              numbers. torch's generator has been seeded. float32 tensors are cast to the element type of the
              entry's parameter of the same name.
  reference   a function of any of the inputs and of the shape's values, by name; returns a dict of outputs
              (or one tensor, where the entry has one output). Floating-point inputs arrive as float64.

A shape with a value called `gpus` goes over that many GPUs, which the entry finds as devices 0, 1, ...: the emulator
has as many, and on a machine with fewer the run is NOT RUN. Tensors lie on device 0.

Parameters of the entry are found by name: among the inputs, the shape's values, the outputs. Structs that
are passed by value are filled by the names of their fields. A stream parameter gets the stream. An output that
is an input as well is in/out. An entry that returns a number or an error must return 0.

Files in the style of KernelBench (Model, get_inputs, get_init_inputs) and of GPU MODE (generate_input, ref_kernel)
are cases too: their tensors go to the entry's const pointers in order, numbers come from SHAPES or from the file's
own constants of the same name.

It may have:

  SOURCE      "gemm.cu"; left out, the only .cu (or .hip) file of the folder.
  UNITS       other sources that the entry's own calls into, compiled with it: ("forward.cu", "backward.cu")
  BENCH       shapes for --bench; left out, SHAPES.
  launch      for a __global__ kernel: a function of the shape's values that returns
              dict(grid=(x, y, z), block=256, shared=0)
  VALUES      which changes are made to the floating-point inputs; left out, all but "nan":
              normal, large, tiny, denormal, zeros, nan ("nan" and infinities, where the reference defines them)
  FIXED       names of inputs that VALUES leaves alone: ("cos", "sin")
  DTYPES      {"out": torch.float8_e4m3fn}: element types where the signature says void* or bytes
  TOLERANCE   {"out": dict(rtol=1e-2, atol=1e-3, norm=1e-2)}; left out, from the output's element type
  PRECISION   torch.float32: what the reference computes in, instead of float64
  VARIANTS    {"native": "gemm_native.hip"}: other ports of the same entry, held to the same case
  DEFINES, INCLUDES, FLAGS   for the compiler; a folder in INCLUDES may begin with a variable of the environment,
              "$THUNDERKITTENS/include": where there is no such folder the case is NOT RUN
  flops, bytes   functions of a shape's values, for TFLOP/s (useful work: nothing that is masked) and GB/s
  baseline    what torch runs beside it in --bench, by name like reference; left out, the reference
  PUBLISHED   times of others that predictions stand beside: [dict(m=4096, n=4096, board="BOARD", by="hipBLASLt",
              us=209.2)]: the shape, then on what, whose, and microseconds
""".replace("BOARD", EMULATED.boards[0].name)

VALUES = ("normal", "large", "tiny", "denormal", "zeros", "nan")
_DEFAULT_VALUES = tuple(name for name in VALUES if name != "nan")


@dataclass(frozen=True, slots=True)
class Published:
    """A time that somebody published for the same work."""

    shape: Mapping[str, Any]
    board: str
    by: str
    microseconds: float


class CaseError(PorterError):
    """A case's file that cannot be used; its other cases and files can."""


@dataclass(frozen=True, slots=True)
class Case:
    path: Path
    name: str  # as it is shown
    title: str
    source: Path
    port: Path | None  # a port beside it, or the port that the user named
    entry: str
    shapes: tuple[Mapping[str, Any], ...]
    bench: tuple[Mapping[str, Any], ...]
    inputs: Callable[..., Any]
    reference: Callable[..., Any] | None
    launch: Callable[..., Any] | None = None
    values: tuple[str, ...] = _DEFAULT_VALUES
    fixed: frozenset[str] = frozenset()
    dtypes: Mapping[str, Any] = field(default_factory=dict)
    tolerance: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    precision: Any = None
    variants: Mapping[str, Path] = field(default_factory=dict)
    defines: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()  # one that is not on this machine begins with $ still
    flags: tuple[str, ...] = ()
    flops: Callable[..., float] | None = None
    bytes: Callable[..., float] | None = None
    baseline: Callable[..., Any] | None = None
    published: tuple[Published, ...] = ()
    arguments: tuple[str, ...] = ()  # of a Python entry
    units: tuple[Path, ...] = ()  # other sources that are compiled with it
    constants: Mapping[str, int | float] = field(default_factory=dict)  # numbers that the file defines
    positional: bool = False  # inputs come as a tuple and reference takes them as such

    @property
    def file_name(self) -> str:
        """The name as that of a file."""
        return self.name.replace("/", "-")


def is_case_file(path: Path) -> bool:
    """Whether the file is called case.py or NAME_case.py."""
    return path.suffix == ".py" and (path.stem == "case" or path.stem.endswith("_case"))


def collect(paths: Sequence[Path]) -> list[tuple[Path, Path | None]]:
    """Every case's file below the paths, with the source or port where a path names one; and each folder that cannot be
    read, which is then a case that cannot be loaded."""
    cases: dict[tuple[Path, Path | None], None] = {}
    for path in paths:
        if path.is_dir():
            files = _files_below(path)
            if not files:
                fix = "one is a file case.py or NAME_case.py beside the kernel: porter verify KERNEL --init FUNCTION begins it"
                raise InputError(f"{path}: holds no case", fix)
            cases.update(((file, None), None) for file in files)
        elif path.suffix == ".py" and path.is_file():
            cases[path, None] = None
        elif path.is_file():
            files = sorted(file for file in path.parent.glob("*.py") if is_case_file(file))
            own = [file for file in files if file.stem == f"{path.stem}_case"]
            if not files:
                fix = f"porter verify {path} --init FUNCTION begins one; porter verify --help-cases says how it goes on"
                raise InputError(f"{path}: no case beside it", fix)
            cases.update(((file, path), None) for file in own or files)
        else:
            raise InputError(f"{path}: no such file or folder", "check the path")
    return list(cases)


def _files_below(root: Path) -> list[Path]:
    case_files: list[Path] = []

    def closed(error: OSError) -> None:
        case_files.append(Path(error.filename))

    for folder, subfolders, files in os.walk(root, onerror=closed):
        subfolders[:] = [name for name in subfolders if not name.startswith(".") and name != "__pycache__"]
        case_files += filter(is_case_file, (Path(folder, name) for name in files if not name.startswith(".")))
    return sorted(case_files)


def load_case(path: Path, named: Path | None = None) -> Case:
    """The case in a file. `named` is a .cu or a port that the user asked for in place of the case's own."""
    module = _run_file(path)

    def get(name: str, default: Any = None) -> Any:
        return getattr(module, name, default)

    source = _source(path, get("SOURCE"), named)
    port = source.with_suffix(".hip") if source.suffix != ".hip" else source
    if named is not None and named.suffix not in (".cu", ".cuh"):
        port = named.resolve()
    inputs, reference = get("inputs"), get("reference")
    foreign = inputs is None and _foreign(module)
    if foreign:
        inputs, reference = foreign
    if not callable(inputs):
        raise CaseError(f"{path}: has no function inputs", "def inputs(m, n): return {'x': torch.randn(m, n)}")
    if reference is not None and not callable(reference):
        raise CaseError(f"{path}: reference is not a function", "def reference(x): return {'out': ...}")
    shapes = _shapes(path, "SHAPES", get("SHAPES", [{}] if foreign else None))
    values = _values(path, get("VALUES", _DEFAULT_VALUES))
    variants = {str(name): _beside(path, text) for name, text in dict(get("VARIANTS", {})).items()}
    document = (inspect.getdoc(module) or "").strip().splitlines()
    return Case(
        path=path,
        name=_name(path),
        title=document[0].rstrip(".") if document else source.stem,
        source=source,
        port=port if port.is_file() and (named is None or named.suffix not in (".cu", ".cuh")) else None,
        entry=str(get("ENTRY", "")),
        shapes=shapes,
        bench=_shapes(path, "BENCH", get("BENCH")) if get("BENCH") is not None else shapes,
        inputs=inputs,
        reference=reference,
        launch=get("launch"),
        values=values,
        fixed=frozenset(get("FIXED", ())),
        dtypes=dict(get("DTYPES", {})),
        tolerance=dict(get("TOLERANCE", {})),
        precision=get("PRECISION"),
        variants=variants,
        defines=tuple(get("DEFINES", ())),
        includes=tuple(_headers(path, folder) for folder in get("INCLUDES", ())),
        flags=tuple(get("FLAGS", ())),
        flops=get("flops"),
        bytes=get("bytes"),
        baseline=get("baseline"),
        published=tuple(_published(path, row) for row in get("PUBLISHED", ())),
        arguments=tuple(get("ARGUMENTS", ())),
        units=tuple(_beside(path, text) for text in get("UNITS", ())),
        constants={
            name: value for name, value in vars(module).items()
            if type(value) in (int, float) and not name.startswith("_")
        },
        positional=bool(foreign),
    )  # fmt: skip


def _published(path: Path, row: Any) -> Published:
    try:
        shape = {name: value for name, value in dict(row).items() if name not in ("board", "by", "us")}
        return Published(shape, str(row["board"]), str(row["by"]), float(row["us"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CaseError(
            f"{path}: PUBLISHED has {row!r}",
            f'write dict(m=4096, n=4096, board="{EMULATED.boards[0].name}", by="hipBLASLt", us=209.2)',
        ) from error


def _foreign(module: ModuleType) -> tuple[Callable[..., Any], Callable[..., Any]] | None:
    """inputs and reference of a file in the style of KernelBench or GPU MODE."""
    model, get_inputs = getattr(module, "Model", None), getattr(module, "get_inputs", None)
    if callable(model) and callable(get_inputs):
        initial = getattr(module, "get_init_inputs", list)

        def reference(*tensors: Any) -> Any:
            return model(*initial()).double()(*tensors)

        return get_inputs, reference
    generate, kernel = getattr(module, "generate_input", None), getattr(module, "ref_kernel", None)
    if callable(generate) and callable(kernel):
        return generate, lambda *tensors: kernel(tensors if len(tensors) != 1 else tensors[0])
    return None


def _name(path: Path) -> str:
    """The folder's name for case.py, the file's otherwise."""
    return path.resolve().parent.name if path.stem == "case" else f"{path.resolve().parent.name}/{path.stem[:-5]}"


def _run_file(path: Path) -> ModuleType:
    try:
        path.open("rb").close()
    except OSError as error:
        raise CaseError(f"{path}: cannot be read: {error.strerror}", "check its permissions") from error
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    name = f"porter_case_{digest}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    kept = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # a user's folder is not the place for ours
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # anything may happen in a user's file
        line = line_in(error, path)
        raise CaseError(f"{path}{line}: {type(error).__name__}: {error}", "fix the case's file") from error
    finally:
        sys.dont_write_bytecode = kept
    return module


def line_in(error: BaseException, path: Path) -> str:
    """ ":12" for the innermost line of the file that the error passed through."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f":{error.lineno}"
    line, trace = "", error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path:
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line


def _beside(path: Path, text: str) -> Path:
    beside = (path.parent / text).resolve()
    if not beside.exists():
        raise CaseError(f"{path}: names {text}, which does not exist", f"it would be {beside}")
    return beside


def _headers(path: Path, text: str) -> str:
    """A folder of headers; one behind a variable of the environment may be missing, and is named as the case names it."""
    if not text.startswith("$"):
        return str(_beside(path, text))
    folder = Path(os.path.expandvars(text))
    return str(folder.resolve()) if folder.is_dir() else text


def _source(path: Path, text: str | None, named: Path | None) -> Path:
    if named is not None and named.suffix in (".cu", ".cuh"):
        return named.resolve()
    if text:
        port = (path.parent / text).with_suffix(".hip")  # in a folder that holds ports alone
        original = text.endswith((".cu", ".cuh")) and (path.parent / text).exists()
        return port.resolve() if port.is_file() and not original else _beside(path, text)
    folder = path.resolve().parent
    for suffix in ("*.cu", "*.hip"):
        files = sorted(folder.glob(suffix))
        own = [file for file in files if path.stem == f"{file.stem}_case"]
        if len(own or files) == 1:
            return (own or files)[0]
        if files and named is not None:
            return named.resolve()  # a port of its own, with no original beside it
        if files:
            names = ", ".join(file.name for file in files)
            raise CaseError(f"{path}: which of {names} is it for?", f'say SOURCE = "{files[0].name}" in it')
    raise CaseError(f"{path}: no .cu and no .hip file beside it", 'say SOURCE = "path/to/kernel.cu" in it')


def _shapes(path: Path, name: str, given: Any) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(given, (list, tuple)) or not given or not all(isinstance(shape, Mapping) for shape in given):
        raise CaseError(f"{path}: {name} is not a list of dicts", f"{name} = [dict(m=128, n=64), dict(m=1, n=7)]")
    return tuple(dict(shape) for shape in given)


def _values(path: Path, given: Iterable[str]) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if name not in VALUES:
            raise CaseError(f"{path}: VALUES: {name!r} is unknown", f"one of {', '.join(VALUES)}")
    return names


def call_by_name(path: Path, what: str, function: Callable[..., Any], available: Mapping[str, Any]) -> Any:
    """Call a case's function with the available values that its parameters name."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return function(**available)
    missing = [p.name for p in parameters if p.name not in available and p.default is p.empty]
    if missing:
        raise CaseError(
            f"{path}: {what} asks for {', '.join(missing)}, which there is not",
            f"there is: {', '.join(sorted(available)) or 'nothing'}",
        )
    return function(**{p.name: available[p.name] for p in parameters if p.name in available})
