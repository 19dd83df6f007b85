// porter runtime: what CUB has and hipCUB has not, or has with another meaning.
#ifndef PORTER_CUB_H
#define PORTER_CUB_H

#include <hipcub/hipcub.hpp>

#include <cstdio>
#include <cstdlib>

namespace porter {

// hipCUB's classes for a warp, for CUDA's 32 lanes unless another width is written.
template <class T, int Width = 32, int... Arch>
using WarpReduce = hipcub::WarpReduce<T, Width>;
template <class T, int Width = 32, int... Arch>
using WarpScan = hipcub::WarpScan<T, Width>;
template <class T, int Items, int Width = 32>
using WarpExchange = hipcub::WarpExchange<T, Items, Width>;
template <class T, int Items, hipcub::WarpLoadAlgorithm Algorithm = hipcub::WARP_LOAD_DIRECT, int Width = 32>
using WarpLoad = hipcub::WarpLoad<T, Items, Algorithm, Width>;
template <class T, int Items, hipcub::WarpStoreAlgorithm Algorithm = hipcub::WARP_STORE_DIRECT, int Width = 32>
using WarpStore = hipcub::WarpStore<T, Items, Algorithm, Width>;
template <class Key, int Items, int Width = 32, class Value = hipcub::NullType>
using WarpMergeSort = hipcub::WarpMergeSort<Key, Items, Width, Value>;

}  // namespace porter

// Macros of CUB, which hipCUB lacks.
#ifndef CubDebugExit
#define CubDebugExit(e)          \
  if (HipcubDebug(e)) {          \
    std::exit(1);                \
  }
#endif
#ifndef _CubLog
#define _CubLog(format, ...) std::printf(format, __VA_ARGS__)
#endif
#ifndef CUB_QUOTIENT_FLOOR
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#endif
#ifndef CUB_MAX
#define CUB_MAX(a, b) (((a) < (b)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#endif
#ifndef CUB_STATIC_ASSERT
#define CUB_STATIC_ASSERT(condition, message) static_assert((condition), #message)
#endif
#ifndef CUB_ALIGN
#define CUB_ALIGN(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef CUB_CAT
#define CUB_CAT_(a, b) a##b
#define CUB_CAT(a, b) CUB_CAT_(a, b)
#endif

#endif  // PORTER_CUB_H
