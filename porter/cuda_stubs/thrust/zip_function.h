// porter stub headers: Thrust, function objects.
#pragma once

#include "../porter_stubs/thrust/functional.h"
