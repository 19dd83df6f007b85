// porter stub headers: Thrust, iterators.
#pragma once

#include "../../porter_stubs/thrust/iterators.h"
