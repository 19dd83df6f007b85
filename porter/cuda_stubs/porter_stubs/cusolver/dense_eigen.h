// porter stub headers: cuSOLVER, dense eigenvalues and singular values
#pragma once
#include "types.h"

extern "C" {
#define PORTER_ROUTINES "cusolver/dense_eigen.inc"
#define PORTER_NAME(name) cusolverDn##name
#include "../each_type.inc"
#undef PORTER_NAME
#undef PORTER_ROUTINES
}
