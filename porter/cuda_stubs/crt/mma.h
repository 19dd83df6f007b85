// porter stub headers: warp matrix fragments.
#pragma once

#include "../mma.h"
