// porter stub headers: cuRAND, Mersenne twister.
#pragma once

#include "curand_kernel.h"
