// porter stub headers: Thrust, mismatch.
#pragma once

#include "../porter_stubs/thrust/all.h"
