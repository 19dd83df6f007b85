// porter stub headers: Thrust, casts.
#pragma once

#include "../../porter_stubs/thrust/pointer.h"
