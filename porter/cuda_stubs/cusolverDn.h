// porter stub headers: cuSOLVER, dense.
#pragma once
#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "porter_stubs/cusolver/dense.h"
#include "porter_stubs/cusolver/dense_eigen.h"
#include "porter_stubs/cusolver/dense_generic.h"
