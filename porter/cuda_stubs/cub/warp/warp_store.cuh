// porter stub headers: CUB.
#pragma once

#include "../../porter_stubs/cub/warp.h"
