// porter stub headers: Thrust, tabulate.
#pragma once

#include "../porter_stubs/thrust/all.h"
