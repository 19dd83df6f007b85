// porter stub headers: cuSOLVER, several GPUs.
#pragma once
#include "cusolverDn.h"
#include "porter_stubs/cusolvermg/functions.h"
