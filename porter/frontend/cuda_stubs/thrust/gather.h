// porter stub headers: Thrust, gather.
#pragma once

#include "../porter_stubs/thrust/copy.h"
