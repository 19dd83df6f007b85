// porter stub headers: cuSOLVER, sparse.
#pragma once
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "cusparse.h"
#include "porter_stubs/cusolver/sparse.h"
