// porter stub headers: Thrust, tuples and pairs are the host's.
#pragma once
#include "config.h"
#include <tuple>
#include <utility>

namespace thrust {
using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
struct null_type {};
}  // namespace thrust
