// porter stub headers: CUDA driver, all types
#pragma once
#include "handles.h"
#include "error_types.h"
#include "device_types.h"
#include "stream_types.h"
#include "texture_types.h"
#include "memory_types.h"
#include "launch_types.h"
#include "interop_types.h"
#include "graph_types.h"
#include "tensor_map_types.h"
#include "special_values.h"
