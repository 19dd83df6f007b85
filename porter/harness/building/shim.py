"""The few lines of C++ by which Python calls an entry: every argument is the address of its bytes, or what torch makes of a
tensor.

The types come from the entry itself, in the compiler, so a template, a struct passed by value or a kernel needs
nothing of its own here; the source is included, so functions that are static can be called as well.
"""

from __future__ import annotations

from pathlib import Path

from porter.harness.building.python_functions import BOUND, FUNCTION
from porter.harness.building.signature import CHOICE, address
from porter.harness.cases.entry import Entry

__all__ = ["shim_text"]

_CALL = """\
extern "C" __attribute__((visibility("default"))) int porter_call(
    void **arguments, const unsigned *, size_t, void *) {{
  return porter_entry::call({address}, arguments);
}}
"""

_LAUNCH = """\
extern "C" __attribute__((visibility("default"))) int porter_call(
    void **arguments, const unsigned *dims, size_t shared, void *stream) {{
  return porter_entry::launch({address}, arguments, dims, shared, static_cast<{api}Stream_t>(stream));
}}
"""

_TEXT = """\
// Written by porter: calls {entry} with arguments that are given as bytes.
#include "{source}"

#include <cstddef>
#include <type_traits>
#include <utility>

{choice}
namespace porter_entry {{

template <class T> std::remove_cv_t<std::remove_reference_t<T>> &at(void *place) {{
  return *static_cast<std::remove_cv_t<std::remove_reference_t<T>> *>(place);
}}

template <class R, class... P, size_t... I>
int call(R (*function)(P...), void **arguments, std::index_sequence<I...>) {{
  if constexpr (std::is_void_v<R>) {{
    function(at<P>(arguments[I])...);
    return 0;
  }} else {{
    return static_cast<int>(function(at<P>(arguments[I])...));
  }}
}}
template <class R, class... P> int call(R (*function)(P...), void **arguments) {{
  return call(function, arguments, std::index_sequence_for<P...>());
}}
{launch}
}}  // namespace porter_entry

{function}"""

_BINDING = """\
// Written by porter: {entry} as a function of a Python module.
#include <torch/extension.h>  // first: names that the source uses without their namespaces are not for torch

#include "{source}"

{choice}
PYBIND11_MODULE({module}, module) {{ module.def("{function}", {address}); }}
"""

_LAUNCHER = """
template <class... P, size_t... I>
int launch(void (*kernel)(P...), void **arguments, const unsigned *dims, size_t shared, {api}Stream_t stream,
           std::index_sequence<I...>) {{
  if (shared > 48 * 1024) {{
    const {api}Error_t error = {api}FuncSetAttribute(
        reinterpret_cast<const void *>(kernel), {api}FuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    if (error != {api}Success) return static_cast<int>(error);
  }}
  dim3 block(dims[3], dims[4], dims[5]);
#ifdef PORTER_MIRRORED
  block = porter::mirrored(block);
#endif
  kernel<<<dim3(dims[0], dims[1], dims[2]), block, shared, stream>>>(at<P>(arguments[I])...);
  return static_cast<int>({api}GetLastError());
}}
template <class... P>
int launch(void (*kernel)(P...), void **arguments, const unsigned *dims, size_t shared, {api}Stream_t stream) {{
  return launch(kernel, arguments, dims, shared, stream, std::index_sequence_for<P...>());
}}
"""


def shim_text(source: Path, entry: Entry, api: str) -> str:
    """C++ for `source`; `api` is "hip" or "cuda"."""
    if entry.module and entry.module != BOUND:
        return f'#include "{source}"\n'
    if entry.module == BOUND:
        return _BINDING.format(
            entry=entry.name, source=source, choice=CHOICE, module=BOUND, function=FUNCTION, address=address(entry.name)
        )
    launch = _LAUNCHER.format(api=api) if entry.kernel else ""
    function = (_LAUNCH if entry.kernel else _CALL).format(address=address(entry.name), api=api)
    return _TEXT.format(entry=entry.name, source=source, choice=CHOICE, launch=launch, function=function)
