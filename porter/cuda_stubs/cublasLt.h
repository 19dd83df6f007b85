// porter stub headers: cuBLASLt.
#pragma once
#include "cublas_v2.h"
#include "porter_stubs/cublaslt/functions.h"
#include "porter_stubs/cublaslt/init.h"
#include "porter_stubs/cublaslt/types.h"
