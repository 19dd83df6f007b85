// porter stub headers: vector makers.
#pragma once

#include "vector_functions.h"
