// porter stub headers: Thrust, logical.
#pragma once

#include "../porter_stubs/thrust/all.h"
