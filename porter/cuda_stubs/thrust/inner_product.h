// porter stub headers: Thrust, inner product.
#pragma once

#include "../porter_stubs/thrust/all.h"
