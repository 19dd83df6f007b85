// porter stub headers: Thrust, errors.
#pragma once

#include "../../porter_stubs/thrust/system.h"
