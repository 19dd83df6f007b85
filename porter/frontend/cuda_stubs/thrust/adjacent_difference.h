// porter stub headers: Thrust, adjacent difference.
#pragma once

#include "../porter_stubs/thrust/transform.h"
