// porter stub headers: Thrust, partition.
#pragma once

#include "../porter_stubs/thrust/all.h"
