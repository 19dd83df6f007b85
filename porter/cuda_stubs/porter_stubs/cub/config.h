// porter stub headers: CUB, version, operators, iterators and allocators.
#pragma once
#include "../../cuda_runtime.h"
#include "../thrust/iterators.h"
#include <stdio.h>
#include <stdlib.h>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#define CUB_VERSION 200800
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 8
#define CUB_SUBMINOR_VERSION 0
#define CUB_PATCH_NUMBER 0
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_WARP_THREADS(arch) 32
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y)-1) / (y)) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_STATIC_ASSERT(condition, message) static_assert((condition), #message)
#define CUB_MAX_DEVICES 128
#define CUB_LOG_SMEM_BANKS(arch) 5
#define CUB_SMEM_BANKS(arch) 32
#define CUB_PTX_LOG_SMEM_BANKS 5
#define CUB_PTX_SMEM_BANKS 32
#define CUB_STDERR
#define CUB_IS_DEVICE_CODE 0
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e) \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) { \
    exit(1); \
  }

namespace cub {
__host__ __device__ cudaError_t Debug(cudaError_t, const char *, int);
struct NullType {};
template <int A>
struct Int2Type {
  enum { VALUE = A };
};
template <class T>
struct Uninitialized {
  T storage;
  __host__ __device__ T &Alias() { return storage; }
};

// Operators.
#define PORTER_STUB_CUB_OPERATOR(name, result, expression) \
  struct name { \
    template <class T, class U> \
    __host__ __device__ auto operator()(const T &a, const U &b) const -> result { \
      return expression; \
    } \
  };
PORTER_STUB_CUB_OPERATOR(Equality, bool, a == b)
PORTER_STUB_CUB_OPERATOR(Inequality, bool, a != b)
PORTER_STUB_CUB_OPERATOR(Sum, decltype(a + b), a + b)
PORTER_STUB_CUB_OPERATOR(Difference, decltype(a - b), a - b)
PORTER_STUB_CUB_OPERATOR(Division, decltype(a / b), a / b)
PORTER_STUB_CUB_OPERATOR(Mul, decltype(a * b), a * b)
PORTER_STUB_CUB_OPERATOR(Max, typename std::decay<decltype(a < b ? b : a)>::type, a < b ? b : a)
PORTER_STUB_CUB_OPERATOR(Min, typename std::decay<decltype(b < a ? b : a)>::type, b < a ? b : a)
PORTER_STUB_CUB_OPERATOR(ArgMax, T, a.value < b.value ? b : a)
PORTER_STUB_CUB_OPERATOR(ArgMin, T, b.value < a.value ? b : a)
#undef PORTER_STUB_CUB_OPERATOR
template <class Op>
struct InequalityWrapper {
  __host__ __device__ InequalityWrapper(Op) {}
  template <class T, class U>
  __host__ __device__ bool operator()(const T &, const U &) const PORTER_STUB_BODY
};
template <class Op>
struct ReduceBySegmentOp {
  __host__ __device__ ReduceBySegmentOp() {}
  __host__ __device__ ReduceBySegmentOp(Op) {}
  template <class P>
  __host__ __device__ P operator()(const P &, const P &) const PORTER_STUB_BODY
};
template <class T>
struct CastOp {
  template <class U>
  __host__ __device__ T operator()(U &&) const PORTER_STUB_BODY
};

template <class K, class V>
struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair &) PORTER_STUB_BODY
};

template <class T>
struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  DoubleBuffer() = default;
  __host__ __device__ DoubleBuffer(T *, T *) PORTER_STUB_BODY
  __host__ __device__ T *Current() PORTER_STUB_BODY
  __host__ __device__ T *Alternate() PORTER_STUB_BODY
};

template <class Offset>
struct GridEvenShare {
  Offset num_items;
  int grid_size;
  Offset block_offset;
  Offset block_end;
  Offset block_stride;
  template <class... A>
  __host__ __device__ void DispatchInit(A &&...) PORTER_STUB_BODY
  template <int Tile, class... A>
  __device__ void BlockInit(A &&...) PORTER_STUB_BODY
};
class GridBarrier {
 public:
  GridBarrier() = default;
  __device__ void Sync() const;
};
template <class Offset>
class GridQueue {
 public:
  __host__ __device__ GridQueue() {}
  __host__ __device__ GridQueue(void *) {}
  __device__ Offset Drain(Offset) PORTER_STUB_BODY
};
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <class T>
struct Traits {
  typedef typename std::conditional<
      sizeof(T) == 1, unsigned char,
      typename std::conditional<sizeof(T) == 2, unsigned short,
                                typename std::conditional<sizeof(T) == 4, unsigned int,
                                                          unsigned long long>::type>::type>::type UnsignedBits;
  static const Category CATEGORY = std::is_floating_point<T>::value ? FLOATING_POINT
                                   : std::is_unsigned<T>::value     ? UNSIGNED_INTEGER
                                                                    : SIGNED_INTEGER;
  __host__ __device__ static UnsignedBits TwiddleIn(UnsignedBits) PORTER_STUB_BODY
  __host__ __device__ static UnsignedBits TwiddleOut(UnsignedBits) PORTER_STUB_BODY
};
template <class T>
struct NumericTraits : public Traits<T> {
  __host__ __device__ static T Max() PORTER_STUB_BODY
  __host__ __device__ static T Lowest() PORTER_STUB_BODY
};
template <class T>
struct FpLimits {
  __host__ __device__ static T Max() PORTER_STUB_BODY
  __host__ __device__ static T Lowest() PORTER_STUB_BODY
};
template <int N, int Current = N, int Count = 0>
struct Log2 {
  enum { VALUE = Log2<N, (Current >> 1), Count + 1>::VALUE };
};
template <int N, int Count>
struct Log2<N, 0, Count> {
  enum { VALUE = (1 << (Count - 1) < N) ? Count : Count - 1 };
};
template <int N>
struct PowerOfTwo {
  enum { VALUE = ((N & (N - 1)) == 0) };
};
template <bool Condition, class Then, class Else>
struct If {
  typedef typename std::conditional<Condition, Then, Else>::type Type;
};
template <class A, class B>
struct Equals {
  enum { VALUE = std::is_same<A, B>::value };
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier Modifier, class It>
__device__ typename std::iterator_traits<It>::value_type ThreadLoad(It) PORTER_STUB_BODY
template <CacheStoreModifier Modifier, class It, class T> __device__ void ThreadStore(It, T) PORTER_STUB_BODY
template <class Array, class Op>
__device__ auto ThreadReduce(Array &a, Op) -> typename std::decay<decltype(a[0])>::type PORTER_STUB_BODY
template <class Array, class Op, class T> __device__ T ThreadReduce(Array &, Op, T) PORTER_STUB_BODY
template <class It, class Offset, class T> __device__ Offset LowerBound(It, Offset, T) PORTER_STUB_BODY
template <class It, class Offset, class T> __device__ Offset UpperBound(It, Offset, T) PORTER_STUB_BODY
template <class It1, class It2, class Offset, class Coordinate>
__host__ __device__ void MergePathSearch(Offset, It1, It2, Offset, Offset, Coordinate &) PORTER_STUB_BODY

__device__ unsigned int LaneId();
__device__ unsigned int WarpId();
__device__ unsigned int LaneMaskLt();
__device__ unsigned int LaneMaskLe();
__device__ unsigned int LaneMaskGt();
__device__ unsigned int LaneMaskGe();
template <int Threads> __host__ __device__ unsigned int WarpMask(unsigned int) PORTER_STUB_BODY
__device__ int RowMajorTid(int, int, int);
__device__ void CTA_SYNC();
__device__ int CTA_SYNC_AND(int);
__device__ void WARP_SYNC(unsigned int);
__device__ int WARP_ANY(int, unsigned int);
__device__ int WARP_ALL(int, unsigned int);
__device__ int WARP_BALLOT(int, unsigned int);
__device__ void ThreadTrap();
__device__ unsigned int SHL_ADD(unsigned int, unsigned int, unsigned int);
__device__ unsigned int PRMT(unsigned int, unsigned int, unsigned int);
template <class T> __device__ unsigned int BFE(T, unsigned int, unsigned int) PORTER_STUB_BODY
template <int Threads, class T> __device__ T ShuffleUp(T, int, int, unsigned int) PORTER_STUB_BODY
template <int Threads, class T> __device__ T ShuffleDown(T, int, int, unsigned int) PORTER_STUB_BODY
template <int Threads, class T> __device__ T ShuffleIndex(T, int, unsigned int) PORTER_STUB_BODY
template <int Bits> __device__ unsigned int MatchAny(unsigned int) PORTER_STUB_BODY

__host__ __device__ cudaError_t PtxVersion(int &);
__host__ __device__ cudaError_t SmVersion(int &, int = 0);
__host__ __device__ cudaError_t SyncStream(cudaStream_t);
__host__ __device__ cudaError_t DeviceCountUncached();
int CurrentDevice();
int DeviceCount();
template <class Kernel> __host__ __device__ cudaError_t MaxSmOccupancy(int &, Kernel, int, int = 0) PORTER_STUB_BODY

// Iterators.
template <class T, class Offset = ptrdiff_t> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class Offset = ptrdiff_t> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T, class F, class It, class Offset = ptrdiff_t>
class TransformInputIterator
    : public thrust::random_access<TransformInputIterator<T, F, It, Offset>, T, T, Offset> {
 public:
  __host__ __device__ TransformInputIterator(It, F) {}
};
template <class It, class Offset = ptrdiff_t, class T = typename std::iterator_traits<It>::value_type>
class ArgIndexInputIterator
    : public thrust::random_access<ArgIndexInputIterator<It, Offset, T>, KeyValuePair<Offset, T>,
                                   KeyValuePair<Offset, T>, Offset> {
 public:
  __host__ __device__ ArgIndexInputIterator(It, Offset = 0) {}
};
template <CacheLoadModifier Modifier, class T, class Offset = ptrdiff_t>
class CacheModifiedInputIterator
    : public thrust::random_access<CacheModifiedInputIterator<Modifier, T, Offset>, T, T, Offset> {
 public:
  template <class U>
  __host__ __device__ CacheModifiedInputIterator(U *) {}
};
template <CacheStoreModifier Modifier, class T, class Offset = ptrdiff_t>
class CacheModifiedOutputIterator
    : public thrust::random_access<CacheModifiedOutputIterator<Modifier, T, Offset>, T, T &, Offset> {
 public:
  template <class U>
  __host__ __device__ CacheModifiedOutputIterator(U *) {}
};
template <class T, class Offset = ptrdiff_t>
class TexObjInputIterator : public thrust::random_access<TexObjInputIterator<T, Offset>, T, T, Offset> {
 public:
  __host__ __device__ TexObjInputIterator() {}
  template <class U>
  cudaError_t BindTexture(U *, size_t, size_t = 0) PORTER_STUB_BODY
  cudaError_t UnbindTexture() PORTER_STUB_BODY
};
template <class Offset = ptrdiff_t> using DiscardOutputIterator = thrust::discard_iterator<>;

// A caching allocator of device memory.
struct CachingDeviceAllocator {
  static const unsigned int INVALID_BIN = ~0u;
  static const size_t INVALID_SIZE = ~size_t(0);
  CachingDeviceAllocator(unsigned int, unsigned int = 1, unsigned int = INVALID_BIN, size_t = INVALID_SIZE,
                         bool = false, bool = false);
  CachingDeviceAllocator(bool = false, bool = false);
  cudaError_t SetMaxCachedBytes(size_t);
  template <class T>
  cudaError_t DeviceAllocate(int, T **, size_t, cudaStream_t = 0) PORTER_STUB_BODY
  template <class T>
  cudaError_t DeviceAllocate(T **, size_t, cudaStream_t = 0) PORTER_STUB_BODY
  cudaError_t DeviceFree(int, void *);
  cudaError_t DeviceFree(void *);
  cudaError_t FreeAllCached();
};
}  // namespace cub
