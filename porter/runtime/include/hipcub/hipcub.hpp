// porter's stand-in for the parts of hipCUB that programs commonly use; hipCUB's own is taken where it is found.
//
// In porter/: operators and iterators (types), collectives of a warp and of a block, algorithms of the device. Names,
// parameters and the types that sums are made in are hipCUB's; what is missing is an error by name where it is used.
#ifndef PORTER_HIPCUB
#pragma clang system_header

#if __has_include_next(<hipcub/hipcub.hpp>)
#include_next <hipcub/hipcub.hpp>
#else
#define PORTER_HIPCUB

#include "porter/types.hpp"
#include "porter/iterators.hpp"
#include "porter/allocator.hpp"
#include "porter/warp.hpp"
#include "porter/block.hpp"
#include "porter/block_scan.hpp"
#include "porter/block_sort.hpp"
#include "porter/device_reduce.hpp"
#include "porter/device_select.hpp"
#include "porter/device_sort.hpp"
#include "porter/device_histogram.hpp"

#undef PORTER_ROOM
#undef PORTER_D
#undef PORTER_HD

#endif
#endif
