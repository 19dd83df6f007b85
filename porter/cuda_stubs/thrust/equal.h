// porter stub headers: Thrust, equal.
#pragma once

#include "../porter_stubs/thrust/all.h"
