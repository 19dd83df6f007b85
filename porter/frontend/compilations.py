"""What a file's conditions may know of how it is compiled: by nvcc as CUDA, and as a port by hipcc.

A translation unit with kernels is compiled twice, for the device and for the host; a header may be read by a host
compiler alone as well. Each name has a value in each of the three.
"""

from __future__ import annotations

from collections.abc import Mapping

from porter.chip import CHIPS

__all__ = [
    "ARCH", "ARCH_FEATURE", "ARCH_LIST", "ARCH_NAMES", "COMPILATIONS", "CUDA_NAMES", "DEVICE", "GUARDS", "HIP_NAMES", "HOST_COMPILER", "PROJECTS_HIP", "VERSIONS", "Values",
    "values_of",
]  # fmt: skip

COMPILATIONS = ("device", "host", "host compiler")
DEVICE, HOST_COMPILER = 0, 2
Values = tuple[int | None, int | None, int | None]  # None: not defined

# A port uses what CUDA 12.4's API offers, so it takes the branches of that release,
VERSIONS = {
    "CUDART_VERSION": 12040, "CUDA_VERSION": 12040,
    "__CUDACC_VER_MAJOR__": 12, "__CUDACC_VER_MINOR__": 4, "__CUDACC_VER_BUILD__": 131,
    "__CUDA_API_VER_MAJOR__": 12, "__CUDA_API_VER_MINOR__": 4,
}  # fmt: skip
# and in device code the lines for compute capability 9.0, and for sm_90a where the build names it.
ARCH = 900
ARCH_NAMES = ("__CUDA_ARCH__", "__CUDA_ARCH_SPECIFIC__", "__CUDA_ARCH_FAMILY_SPECIFIC__")
ARCH_FEATURE, ARCH_LIST = "__CUDA_ARCH_FEAT_SM90_ALL", "__CUDA_ARCH_LIST__"

# Macros of nvcc that say that it compiles, and of the options that HIP's compiler always has.
GUARDS = ("__CUDACC__", "__NVCC__", "__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__")

_ONE: Values = (1, 1, 1)
_NONE: Values = (None, None, None)
_KERNELS: Values = (1, 1, None)  # a compiler of kernels, in both of its passes
_DEVICE: Values = (1, None, None)

CUDA_NAMES: Mapping[str, Values] = {
    **dict.fromkeys(GUARDS, _KERNELS),
    ARCH_LIST: (ARCH, ARCH, None),
    **dict.fromkeys(ARCH_NAMES, (ARCH, None, None)),
    ARCH_FEATURE: _DEVICE,
    **{name: (value, value, None if name.startswith("__") else value) for name, value in VERSIONS.items()},
}

HIP_NAMES: Mapping[str, Values] = {
    **dict.fromkeys(("__HIPCC__", "__HIP__", "__AMDGCN__", "__AMDGPU__"), _KERNELS),
    **dict.fromkeys(("__HIP_PLATFORM_AMD__", "HIP_VERSION", "TORCH_HIP_VERSION"), _ONE),
    **dict.fromkeys(("__HIP_DEVICE_COMPILE__", "__GFX9__"), _DEVICE),
    **dict.fromkeys(
        ("__HIP_PLATFORM_HCC__", "__HIP_PLATFORM_NVIDIA__", "__HIP_PLATFORM_NVCC__", "__HCC__", "__gfx906__", "__gfx908__",
         "__gfx90a__", "__gfx940__", "__gfx941__", "__gfx950__"), _NONE
    ),
    **{f"__{target}__": _DEVICE for target in CHIPS},
}  # fmt: skip

# The same in both: gfx942 runs under Linux on x86-64, and hipcc is clang.
_PLATFORM: Mapping[str, Values] = {
    **dict.fromkeys(("__linux__", "__linux", "__unix__", "__x86_64__", "__x86_64", "__LP64__", "__GNUC__"), _ONE),
    **dict.fromkeys(
        ("_WIN32", "_WIN64", "WIN32", "WIN64", "__WIN32__", "_MSC_VER", "__CYGWIN__", "__MINGW32__", "__MINGW64__",
         "__APPLE__", "__MACH__", "__ANDROID__", "__FreeBSD__", "__QNX__", "__aarch64__", "__arm__", "__ARM_ARCH",
         "__ARM_NEON", "__ARM_NEON__", "__powerpc__", "__powerpc64__", "__PPC64__", "__ppc64__", "__s390x__", "__riscv",
         "__i386__", "__i386", "_M_IX86", "_M_X64", "_M_ARM64", "__INTEL_COMPILER", "__PGI", "__NVCOMPILER", "_NVHPC_CUDA",
         "__ibmxl__", "__CUDABE__", "__CUDACC_DEBUG__", "__OPENCL_VERSION__", "__SYCL_DEVICE_ONLY__", "SYCL_LANGUAGE_VERSION",
         "__CUDA_ARCH_FEAT_SM100_ALL", "__CUDA_ARCH_FEAT_SM101_ALL", "__CUDA_ARCH_FEAT_SM103_ALL",
         "__CUDA_ARCH_FEAT_SM120_ALL", "__CUDA_ARCH_FEAT_SM121_ALL"), _NONE
    ),
}  # fmt: skip

# Macros that projects define for HIP alone; whether a port's build does is not known.
PROJECTS_HIP = frozenset({"USE_ROCM", "USE_HIP", "ENABLE_HIP"})

_CUDA_BUILD = {**_PLATFORM, **dict.fromkeys((*HIP_NAMES, *PROJECTS_HIP), _NONE), **CUDA_NAMES}
_HIP_BUILD = {**_PLATFORM, **dict.fromkeys(CUDA_NAMES, _NONE), **HIP_NAMES}


def values_of(compilation: int, hip: bool = False) -> Mapping[str, int | None]:
    """The names that have a known value in one of COMPILATIONS, None if they are not defined there; `hip`: of the port."""
    return _OF[hip][compilation]


_OF = tuple(
    tuple({name: values[c] for name, values in build.items()} for c in range(len(COMPILATIONS)))
    for build in (_CUDA_BUILD, _HIP_BUILD)
)
