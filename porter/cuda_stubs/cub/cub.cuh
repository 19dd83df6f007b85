// porter stub headers: CUB.
#pragma once
#include "../porter_stubs/cub/block.h"
#include "../porter_stubs/cub/config.h"
#include "../porter_stubs/cub/device.h"
#include "../porter_stubs/cub/warp.h"
