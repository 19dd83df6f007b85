// torch's extension.h, for the parser: see porter/toolchain/torch_headers.py.
#pragma once
#include <torch/all.h>
#include <torch/library.h>
#include <torch/python.h>
