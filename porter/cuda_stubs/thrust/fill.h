// porter stub headers: Thrust, fill.
#pragma once

#include "../porter_stubs/thrust/all.h"
