// porter stub headers: libcu++, cuda::std is the host's std.
#pragma once

#include "../../cuda_runtime.h"

#include <array>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda
