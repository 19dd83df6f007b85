// porter stub headers: cooperative groups, the operators of reductions and scans.
#pragma once
#include "tiles.h"

namespace cooperative_groups {
template <class T>
struct plus {
  __device__ T operator()(T, T) const PORTER_STUB_BODY
};
template <class T>
struct less {
  __device__ T operator()(T, T) const PORTER_STUB_BODY
};
template <class T>
struct greater {
  __device__ T operator()(T, T) const PORTER_STUB_BODY
};
template <class T>
struct bit_and {
  __device__ T operator()(T, T) const PORTER_STUB_BODY
};
template <class T>
struct bit_or {
  __device__ T operator()(T, T) const PORTER_STUB_BODY
};
template <class T>
struct bit_xor {
  __device__ T operator()(T, T) const PORTER_STUB_BODY
};
}  // namespace cooperative_groups
