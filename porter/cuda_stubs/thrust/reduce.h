// porter stub headers: Thrust, reduce.
#pragma once

#include "../porter_stubs/thrust/all.h"
