// porter stub headers: the C interface of the CUDA runtime.
#pragma once
#define __CUDA_RUNTIME_API_H__
#ifndef CUDART_VERSION
#define CUDART_VERSION 12090
#endif
#define __CUDART_API_VERSION CUDART_VERSION
#include "builtin_types.h"
#include "porter_stubs/runtime/device.h"
#include "porter_stubs/runtime/error.h"
#include "porter_stubs/runtime/graph.h"
#include "porter_stubs/runtime/interop.h"
#include "porter_stubs/runtime/launch.h"
#include "porter_stubs/runtime/memory.h"
#include "porter_stubs/runtime/stream.h"
#include "porter_stubs/runtime/texture.h"
