// porter stub headers: the CUDA driver API.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#define CUDA_VERSION 12090
#define __CUDA_API_VERSION CUDA_VERSION
#include "porter_stubs/driver/types.h"
#include "porter_stubs/driver/checkpoint.h"
#include "porter_stubs/driver/device.h"
#include "porter_stubs/driver/error.h"
#include "porter_stubs/driver/graph.h"
#include "porter_stubs/driver/interop.h"
#include "porter_stubs/driver/launch.h"
#include "porter_stubs/driver/memory.h"
#include "porter_stubs/driver/stream.h"
#include "porter_stubs/driver/tensor_map.h"
#include "porter_stubs/driver/texture.h"
