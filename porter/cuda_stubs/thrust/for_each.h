// porter stub headers: Thrust, for each.
#pragma once

#include "../porter_stubs/thrust/all.h"
