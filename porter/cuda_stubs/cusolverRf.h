// porter stub headers: cuSOLVER, refactorisation.
#pragma once
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "porter_stubs/cusolver/refactor.h"
