// porter stub headers: makers for extents, positions and pitched pointers.
#pragma once
#include "driver_types.h"

cudaExtent make_cudaExtent(size_t, size_t, size_t);
cudaPitchedPtr make_cudaPitchedPtr(void *, size_t, size_t, size_t);
cudaPos make_cudaPos(size_t, size_t, size_t);
