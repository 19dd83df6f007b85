// porter stub headers: CUB.
#pragma once

#include "../../porter_stubs/cub/config.h"
