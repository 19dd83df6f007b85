// porter stub headers: cuRAND, parameters of the Mersenne twister.
#pragma once

#include "curand_kernel.h"

struct mtgp32_params_fast_t {
  int mexp;
};
extern mtgp32_params_fast_t mtgp32dc_params_fast_11213[];
