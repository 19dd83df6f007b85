// torch's python.h without modules, for the parser: see porter/toolchain/torch_headers.py.
#pragma once
#include <torch/types.h>
#if __has_include(<torch/csrc/Device.h>)
#include <torch/csrc/Device.h>
#endif
#if __has_include(<torch/csrc/Dtype.h>)
#include <torch/csrc/Dtype.h>
#endif
#if __has_include(<torch/csrc/DynamicTypes.h>)
#include <torch/csrc/DynamicTypes.h>
#endif
#if __has_include(<torch/csrc/Exceptions.h>)
#include <torch/csrc/Exceptions.h>
#endif
#if __has_include(<torch/csrc/autograd/python_variable.h>)
#include <torch/csrc/autograd/python_variable.h>
#endif
#if __has_include(<torch/csrc/utils/pybind.h>)
#include <torch/csrc/utils/pybind.h>
#endif
