// porter stub headers: Thrust, version.
#pragma once

#include "../../porter_stubs/thrust/config.h"
