// porter stub headers: cuRAND, device side.
#pragma once

#include "porter_stubs/curand/device.h"
