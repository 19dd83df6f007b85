// porter stub headers: Thrust, transform.
#pragma once

#include "../porter_stubs/thrust/all.h"
