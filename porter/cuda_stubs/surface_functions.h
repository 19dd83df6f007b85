// porter stub headers: surface access.
#pragma once

#include "cuda_runtime.h"
