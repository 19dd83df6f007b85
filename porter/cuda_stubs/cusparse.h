// porter stub headers: cuSPARSE.
#pragma once
#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#include "porter_stubs/cusparse/conversions.h"
#include "porter_stubs/cusparse/generic.h"
#include "porter_stubs/cusparse/helpers.h"
#include "porter_stubs/cusparse/removed.h"
#include "porter_stubs/cusparse/routines.h"
#include "porter_stubs/cusparse/types.h"
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 5
#define CUSPARSE_VER_PATCH 10
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)
