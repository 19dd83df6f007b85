// What torch's build for CUDA writes, for the parser: see porter/toolchain/torch_headers.py.
#pragma once
#define C10_CUDA_BUILD_SHARED_LIBS
