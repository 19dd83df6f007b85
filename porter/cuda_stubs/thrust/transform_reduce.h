// porter stub headers: Thrust, transform reduce.
#pragma once

#include "../porter_stubs/thrust/all.h"
