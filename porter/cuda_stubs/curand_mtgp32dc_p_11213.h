// porter stub headers: cuRAND, parameters of the Mersenne twister.
#pragma once
#include "porter_stubs/curand/device.h"

struct mtgp32_params_fast_t { int mexp; };
extern mtgp32_params_fast_t mtgp32dc_params_fast_11213[];
