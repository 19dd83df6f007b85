// porter's stand-in for hipCUB: macros, operators, traits of types, and numbers of threads.
#ifndef PORTER_HIPCUB_TYPES
#define PORTER_HIPCUB_TYPES
#pragma clang system_header

#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

// Programs rely on these: hipCUB's own headers bring them.
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include <porter/invoked.h>

#define PORTER_D __device__ inline
#define PORTER_HD __host__ __device__ inline

#define HIPCUB_NAMESPACE hipcub
#define BEGIN_HIPCUB_NAMESPACE namespace hipcub {
#define END_HIPCUB_NAMESPACE }
#define HIPCUB_VERSION 400100
#define HIPCUB_WARP_THREADS 64
#define HIPCUB_DEVICE_WARP_THREADS 64
#define HIPCUB_ARCH 1
#define HIPCUB_DEVICE __device__
#define HIPCUB_HOST __host__
#define HIPCUB_HOST_DEVICE __host__ __device__
#define HIPCUB_SHARED_MEMORY __shared__
#define HIPCUB_RUNTIME_FUNCTION __host__
#define HIPCUB_STDERR
#define HIPCUB_IF_CONSTEXPR constexpr
#define HIPCUB_PRAGMA_TO_STR(x) _Pragma(#x)
#define HIPCUB_CLANG_SUPPRESS_WARNING_PUSH _Pragma("clang diagnostic push")
#define HIPCUB_CLANG_SUPPRESS_WARNING(w) HIPCUB_PRAGMA_TO_STR(clang diagnostic ignored w)
#define HIPCUB_CLANG_SUPPRESS_WARNING_POP _Pragma("clang diagnostic pop")
#define HIPCUB_CLANG_SUPPRESS_WARNING_WITH_PUSH(w) HIPCUB_CLANG_SUPPRESS_WARNING_PUSH HIPCUB_CLANG_SUPPRESS_WARNING(w)
#define HipcubDebug(e) ::hipcub::Debug((hipError_t)(e), __FILE__, __LINE__)
#define HipcubLog(message) ::hipcub::Log(message, __FILE__, __LINE__)

namespace hipcub {

inline hipError_t Debug(hipError_t error, const char *file, int line) {
  if (error != hipSuccess) std::fprintf(stderr, "HIP error %d [%s, %d]: %s\n", error, file, line, hipGetErrorString(error));
  return error;
}
inline void Log(const char *message, const char *file, int line) { std::printf("hipcub: %s [%s:%d]\n", message, file, line); }

// Operators. The type of a sum is the operands' as C++ has it: that of two bools is int.
struct Sum {
  template <class A, class B>
  PORTER_HD constexpr auto operator()(A &&a, B &&b) const -> decltype(auto) { return std::forward<A>(a) + std::forward<B>(b); }
};
struct Difference {
  template <class A, class B>
  PORTER_HD constexpr auto operator()(A &&a, B &&b) const -> decltype(auto) { return std::forward<A>(a) - std::forward<B>(b); }
};
struct Division {
  template <class A, class B>
  PORTER_HD constexpr auto operator()(A &&a, B &&b) const -> decltype(auto) { return std::forward<A>(a) / std::forward<B>(b); }
};
struct Max {
  template <class A, class B>
  PORTER_HD constexpr std::common_type_t<A, B> operator()(A &&a, B &&b) const { return a < b ? b : a; }
};
struct Min {
  template <class A, class B>
  PORTER_HD constexpr std::common_type_t<A, B> operator()(A &&a, B &&b) const { return a < b ? a : b; }
};
struct Equality {
  template <class A, class B>
  PORTER_HD constexpr bool operator()(A &&a, B &&b) const { return a == b; }
};
struct Inequality {
  template <class A, class B>
  PORTER_HD constexpr bool operator()(A &&a, B &&b) const { return a != b; }
};
template <class Op>
struct InequalityWrapper {
  Op op;
  PORTER_HD InequalityWrapper(Op a) : op(a) {}
  template <class A, class B>
  PORTER_HD bool operator()(A &&a, B &&b) { return !op(std::forward<A>(a), std::forward<B>(b)); }
};
template <class T>
struct CastOp {
  template <class A>
  PORTER_HD T operator()(A &&a) const { return T(a); }
};
template <class K, class V>
struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  typedef K key_type;
  typedef V value_type;
  K key;
  V value;
  KeyValuePair() = default;
  PORTER_HD KeyValuePair(K k, V v) : key(k), value(v) {}
  PORTER_HD bool operator!=(const KeyValuePair &b) { return value != b.value || key != b.key; }
};
// Of equal values the lower key.
struct ArgMax {
  template <class K, class V>
  PORTER_HD constexpr KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  PORTER_HD constexpr KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

struct NullType {};
template <int A>
struct Int2Type {
  enum { VALUE = A };
};
template <int N>
struct PowerOfTwo {
  static constexpr bool VALUE = (N & (N - 1)) == 0;
};
template <int N>
struct Log2 {
  static constexpr int VALUE = N <= 1 ? 0 : 1 + Log2<(N + 1) / 2>::VALUE;
};
template <>
struct Log2<1> {
  static constexpr int VALUE = 0;
};
template <class N, class D>
PORTER_HD constexpr N DivideAndRoundUp(N n, D d) {
  static_assert(std::is_integral<N>::value || std::is_enum<N>::value);
  return static_cast<N>(n / d + (n % d != 0 ? 1 : 0));
}
template <class T>
struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  PORTER_HD DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  PORTER_HD DoubleBuffer(T *current, T *other) : d_buffers{current, other}, selector(0) {}
  PORTER_HD T *Current() { return d_buffers[selector]; }
  PORTER_HD T *Alternate() { return d_buffers[selector ^ 1]; }
};

// What radix sorts know of a type.
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
namespace detail {
template <int Bytes>
struct bits_of_size {
  typedef unsigned type;
};
template <>
struct bits_of_size<1> {
  typedef unsigned char type;
};
template <>
struct bits_of_size<2> {
  typedef unsigned short type;
};
template <>
struct bits_of_size<8> {
  typedef unsigned long long type;
};
template <class T>
constexpr Category category =
    std::is_floating_point<T>::value || std::is_same<T, __half>::value
        ? FLOATING_POINT
        : !std::is_integral<T>::value ? NOT_A_NUMBER : std::is_signed<T>::value ? SIGNED_INTEGER : UNSIGNED_INTEGER;
template <class T>
PORTER_HD T largest() {
  if constexpr (std::is_same<T, __half>::value) return __half(__half_raw{0x7bff});
  else return std::numeric_limits<T>::max();
}
template <class To, class From>
PORTER_HD To same_bits(const From &from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
}  // namespace detail

// Traits of what is no number have no UnsignedBits, and no members but these two.
template <class T, Category = detail::category<T>>
struct NumericTraits {
  using UnsignedBits = typename detail::bits_of_size<sizeof(T)>::type;
  static constexpr Category CATEGORY = detail::category<T>;
  static constexpr bool PRIMITIVE = true, NULL_TYPE = false;
  static constexpr UnsignedBits HIGH_BIT = UnsignedBits(UnsignedBits(1) << (sizeof(T) * 8 - 1));
  static constexpr UnsignedBits LOWEST_KEY = CATEGORY == FLOATING_POINT ? UnsignedBits(-1) : CATEGORY == SIGNED_INTEGER ? HIGH_BIT : UnsignedBits(0);
  static constexpr UnsignedBits MAX_KEY = CATEGORY == UNSIGNED_INTEGER ? UnsignedBits(-1) : UnsignedBits(UnsignedBits(-1) ^ HIGH_BIT);
  // To bits whose order as unsigned numbers is that of the values, and back.
  PORTER_HD static UnsignedBits TwiddleIn(UnsignedBits key) {
    if (CATEGORY == UNSIGNED_INTEGER) return key;
    return CATEGORY == FLOATING_POINT && (key & HIGH_BIT) ? UnsignedBits(~key) : UnsignedBits(key ^ HIGH_BIT);
  }
  PORTER_HD static UnsignedBits TwiddleOut(UnsignedBits key) {
    if (CATEGORY == UNSIGNED_INTEGER) return key;
    return CATEGORY == FLOATING_POINT && !(key & HIGH_BIT) ? UnsignedBits(~key) : UnsignedBits(key ^ HIGH_BIT);
  }
  PORTER_HD static T Max() { return CATEGORY == FLOATING_POINT ? detail::largest<T>() : detail::same_bits<T>(MAX_KEY); }
  PORTER_HD static T Lowest() { return CATEGORY == FLOATING_POINT ? T(-detail::largest<T>()) : detail::same_bits<T>(LOWEST_KEY); }
};
template <class T>
struct NumericTraits<T, NOT_A_NUMBER> {
  static constexpr Category CATEGORY = NOT_A_NUMBER;
  static constexpr bool PRIMITIVE = false, NULL_TYPE = std::is_same<T, NullType>::value;
};
template <class T>
struct Traits : NumericTraits<std::remove_cv_t<T>> {};

// Numbers of threads: of the wave's lanes, 64 to a warp.
PORTER_D int RowMajorTid(int x, int y, int z) {
  return (z == 1 ? 0 : int(threadIdx.z) * x * y) + (y == 1 ? 0 : int(threadIdx.y) * x) + int(threadIdx.x);
}
PORTER_D unsigned LaneId() { return __lane_id(); }
PORTER_D unsigned WarpId() { return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 64; }
PORTER_D void CTA_SYNC() { __syncthreads(); }
namespace detail {
// Any trivially copyable value, a word at a time.
template <class T, class F>
PORTER_D T by_words(T value, F moved) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned &word : words) word = moved(word);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
}  // namespace detail
template <int Width, class T>
PORTER_D T ShuffleUp(T value, int distance, int, unsigned) {
  return detail::by_words(value, [=](unsigned word) { return __shfl_up(word, distance, Width); });
}
template <int Width, class T>
PORTER_D T ShuffleDown(T value, int distance, int, unsigned) {
  return detail::by_words(value, [=](unsigned word) { return __shfl_down(word, distance, Width); });
}
template <int Width, class T>
PORTER_D T ShuffleIndex(T value, int lane, unsigned) {
  return detail::by_words(value, [=](unsigned word) { return __shfl(word, lane, Width); });
}

// Loads and stores with a word for the cache, which does not change what they do.
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier Modifier = LOAD_DEFAULT, class It>
PORTER_D typename std::iterator_traits<It>::value_type ThreadLoad(It it) { return *it; }
template <CacheStoreModifier Modifier = STORE_DEFAULT, class It, class T>
PORTER_D void ThreadStore(It it, T value) { *it = value; }

namespace detail {
PORTER_D unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
template <class It>
using value_of = typename std::iterator_traits<It>::value_type;
// What an output is made of: its own type, or the input's where it has none.
template <class Out, class In>
using output_of = std::conditional_t<std::is_void<value_of<Out>>::value, value_of<In>, value_of<Out>>;
template <class Op, class Init, class T>
using accumulator = std::decay_t<porter::invoked_t<Op, Init, T>>;
}  // namespace detail

}  // namespace hipcub

#endif
