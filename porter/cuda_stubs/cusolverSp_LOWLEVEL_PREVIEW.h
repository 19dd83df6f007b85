// porter stub headers: cuSOLVER, low-level sparse.
#pragma once
#include "cusolverSp.h"
#include "porter_stubs/cusolver/low_level.h"
