// hipBLAS's header by the name it had beside its folder; ROCm 6 has only the folder, and CUDA sources are ported to this.
#pragma once

#include <hipblas/hipblas.h>
