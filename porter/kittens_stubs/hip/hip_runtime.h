// HIP's names that porter's library has, for the parser: see README.md.
#pragma once
#include <cuda_runtime.h>
