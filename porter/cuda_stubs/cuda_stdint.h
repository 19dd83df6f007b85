// porter stub headers: fixed-width integers.
#pragma once
#include <stdint.h>
