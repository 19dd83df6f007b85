// porter stub headers: common functions.
#pragma once

#include "cuda_runtime.h"
