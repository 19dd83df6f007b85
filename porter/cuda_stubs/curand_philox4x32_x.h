// porter stub headers: cuRAND, device side.
#pragma once

#include "curand_kernel.h"
