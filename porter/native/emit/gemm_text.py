"""The headers that a native matrix product includes, and their text for a port that has it of its own (--inline)."""

from __future__ import annotations

from collections.abc import Sequence

from porter.paths import RUNTIME_INCLUDE

__all__ = ["INLINED", "headers", "inlined"]

_RUNTIME = "hip/hip_runtime.h"
_FP8 = frozenset({"e4m3", "e5m2"})
_NEEDED = ("porter/tensor_map.h", "porter/tensor_view.h")  # by the headers below
_NAMESPACE = "porter::gemm"
INLINED = "// The schedule of porter/gemm.h as a text of this file, to be changed here."


def headers(elements: Sequence[str], inline: bool) -> tuple[str, ...]:
    """What a product of these elements includes."""
    is_fp8 = not _FP8.isdisjoint(elements)
    if inline:
        return (_RUNTIME, *_NEEDED, *(["porter/ptx_float.h"] if is_fp8 else []))
    return (_RUNTIME, "porter/gemm.h", *(["porter/gemm_fp8.h"] if is_fp8 else []))


def inlined(namespace: str, elements: Sequence[str]) -> str:
    """The headers' text in a namespace of the port's own."""
    names = ["gemm_elements.h", "gemm_loader.h", "gemm.h"]
    if not _FP8.isdisjoint(elements):
        names.insert(1, "gemm_fp8.h")
    bodies = (_body((RUNTIME_INCLUDE / "porter" / name).read_text(encoding="utf-8")) for name in names)
    text = "\n\n".join(bodies).replace(_NAMESPACE, namespace)
    return f"{INLINED}\nnamespace {namespace} {{\n\n{text}\n\n}}  // namespace {namespace}\n"


def _body(text: str) -> str:
    """A header's comment and what its namespace has, without guard and includes."""
    comment, _, rest = text.partition("#ifndef ")
    inner = rest.partition(f"namespace {_NAMESPACE} {{\n")[2].rpartition(f"}}  // namespace {_NAMESPACE}\n")[0]
    return comment.replace("// porter runtime: ", "// ", 1) + inner.strip("\n")
