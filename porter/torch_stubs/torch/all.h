// torch's all.h without modules, optimisers, data sets and serialisation, for the parser: see porter/toolchain/torch_headers.py.
#pragma once
#include <torch/types.h>
#if __has_include(<torch/autograd.h>)
#include <torch/autograd.h>
#endif
#if __has_include(<torch/cuda.h>)
#include <torch/cuda.h>
#endif
#if __has_include(<torch/fft.h>)
#include <torch/fft.h>
#endif
#if __has_include(<torch/linalg.h>)
#include <torch/linalg.h>
#endif
#if __has_include(<torch/nested.h>)
#include <torch/nested.h>
#endif
#if __has_include(<torch/print.h>)
#include <torch/print.h>
#endif
#if __has_include(<torch/sparse.h>)
#include <torch/sparse.h>
#endif
#if __has_include(<torch/special.h>)
#include <torch/special.h>
#endif
#if __has_include(<torch/utils.h>)
#include <torch/utils.h>
#endif
#if __has_include(<torch/version.h>)
#include <torch/version.h>
#endif
#if __has_include(<torch/csrc/autograd/custom_function.h>)
#include <torch/csrc/autograd/custom_function.h>
#endif
