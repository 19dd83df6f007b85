// porter stub headers: Thrust, fill.
#pragma once

#include "../porter_stubs/thrust/transform.h"
