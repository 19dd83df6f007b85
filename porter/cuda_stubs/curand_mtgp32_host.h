// porter stub headers: cuRAND, parameters of the Mersenne twister.
#pragma once
#include "curand_mtgp32dc_p_11213.h"

curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t[], mtgp32_kernel_params_t *);
curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t *, mtgp32_params_fast_t[], mtgp32_kernel_params_t *, int,
    unsigned long long);
