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

// Programs rely on these: hipCUB's headers of the device's algorithms bring them, those of blocks alone do not.
#include <chrono>
#include <cmath>
#include <cstring>
#include <iostream>

#include "porter/all.hpp"

#endif
#endif
