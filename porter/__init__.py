"""porter: ports CUDA kernels to HIP for AMD's gfx942, and proves the ports."""

__all__ = ["__version__"]

__version__ = "0.1.0"
