// porter's stand-in for hipCUB: all of it, with the standard headers that each of hipCUB's headers brings.
#ifndef PORTER_HIPCUB_ALL
#define PORTER_HIPCUB_ALL
#pragma clang system_header

#include "types.hpp"
#include "iterators.hpp"
#include "allocator.hpp"
#include "warp.hpp"
#include "block.hpp"
#include "block_scan.hpp"
#include "block_sort.hpp"
#include "raking.hpp"
#include "device_reduce.hpp"
#include "device_select.hpp"
#include "device_sort.hpp"
#include "device_histogram.hpp"

#undef PORTER_ROOM
#undef PORTER_D
#undef PORTER_HD

#endif
