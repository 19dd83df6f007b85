// porter stub headers: cuSOLVER, sparse.
#pragma once

#include "cusolverSp.h"
