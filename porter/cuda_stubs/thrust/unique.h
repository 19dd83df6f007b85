// porter stub headers: Thrust, unique.
#pragma once

#include "../porter_stubs/thrust/all.h"
