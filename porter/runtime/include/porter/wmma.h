// porter runtime: nvcuda::wmma on gfx942, for mirrored warps (mirror.h): a fragment lies over the 64 lanes of a wave.
//
// CUDA does not say which thread holds which element of a fragment, only that all of them are in x[0 .. num_elements)
// of the warp's threads. Here they lie as MFMA 16x16 has them, and larger or smaller shapes are made of such tiles:
//   a: row lane % 16, a share of k by lane / 16;  b: column lane % 16, the same share;  sums: rows 4 (lane / 16) + i,
//   column lane % 16; sums of double: rows 4 i + lane / 16.
// Rows and columns that a tile has and the shape has not (of 8) are zero and are not stored.
#ifndef PORTER_WMMA_H
#define PORTER_WMMA_H

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cstddef>
#include <type_traits>

#if !defined(PORTER_MIRRORED) && !defined(PORTER_MIRROR_LANES_H)
#define PORTER_MIRRORED 1
#endif
#include "mirror_lanes.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
// Names alone, for headers that list all types: fragments of these are refused where one is used.
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace detail {

typedef float sum4 __attribute__((ext_vector_type(4)));
typedef int count4 __attribute__((ext_vector_type(4)));
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef short short4_ __attribute__((ext_vector_type(4)));
typedef float float2_ __attribute__((ext_vector_type(2)));
typedef double double4_ __attribute__((ext_vector_type(4)));

template <class T> struct storage { using type = T; };
template <> struct storage<precision::tf32> { using type = float; };
template <class T> using storage_t = typename storage<T>::type;

// A conversion that half numbers need not have themselves: extensions of torch are compiled without it.
template <class To, class From>
__device__ inline To as(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (std::is_same_v<From, __half>)
    return as<To>(__half2float(value));
  else if constexpr (std::is_same_v<From, __hip_bfloat16>)
    return as<To>(__bfloat162float(value));
  else if constexpr (std::is_same_v<To, __half>)
    return __float2half(float(value));
  else if constexpr (std::is_same_v<To, __hip_bfloat16>)
    return __float2bfloat16(float(value));
  else
    return To(value);
}

constexpr int tiles(int size) { return (size + 15) / 16; }
// Of a tile's sums a lane has so many rows: of double only those that its shape, of eight rows, has.
template <class T> constexpr int rows = std::is_same_v<T, double> ? 2 : 4;

// A unit without mirrors may include this header, as long as it has no fragments.
#ifdef PORTER_MIRRORED
__device__ inline unsigned lane() { return porter::detail::hardware_lane(); }
#else
__attribute__((error("wmma: the unit must define PORTER_MIRRORED before its first #include, as porter convert does"))) __device__
    unsigned lane();
#endif
__device__ inline unsigned share() { return lane() / 16u; }  // which part of k, or which rows of the sums
__device__ inline unsigned line() { return lane() % 16u; }   // row of a, column of b and of the sums

template <class T, class V>
__device__ inline V packed(const T* x) {
  static_assert(sizeof(T) * 4 == sizeof(V) || sizeof(T) * 2 == sizeof(V), "one lane's share of k");
  V value;
  __builtin_memcpy(&value, x, sizeof value);
  return value;
}

// One tile's product. f16 and bf16: 16 of k, four a lane; tf32: 8 of k, two a lane; 8-bit integers: 16 of k, four a
// lane, in an instruction for 32 whose other half is zero.
template <class T>
__device__ inline sum4 product(const storage_t<T>* a, const storage_t<T>* b, sum4 c) {
  if constexpr (std::is_same_v<T, __half>)
    return __builtin_amdgcn_mfma_f32_16x16x16f16(packed<__half, half4>(a), packed<__half, half4>(b), c, 0, 0, 0);
  else if constexpr (std::is_same_v<T, __hip_bfloat16>)
    return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(packed<__hip_bfloat16, short4_>(a), packed<__hip_bfloat16, short4_>(b), c, 0, 0, 0);
  else
    return __builtin_amdgcn_mfma_f32_16x16x8_xf32(packed<float, float2_>(a), packed<float, float2_>(b), c, 0, 0, 0);
}
// The instruction takes signed numbers: an unsigned one is that, and 256 where its highest bit is set. The products of the
// two parts crosswise share an instruction, whose other half is free.
template <class T>
__device__ inline count4 product(const T* a, const T* b, count4 c) {
  static_assert(sizeof(T) == 1 && std::is_integral_v<T>, "wmma on gfx942: 8-bit integers");
  const unsigned long x = packed<T, unsigned>(a), y = packed<T, unsigned>(b);
  c = __builtin_amdgcn_mfma_i32_16x16x32_i8(long(x), long(y), c, 0, 0, 0);
  if constexpr (std::is_unsigned_v<T>) {
    const unsigned long high_x = x >> 7 & 0x01010101u, high_y = y >> 7 & 0x01010101u;
    const count4 none = {0, 0, 0, 0};
    const count4 cross = __builtin_amdgcn_mfma_i32_16x16x32_i8(long(high_x << 32 | x), long(y << 32 | high_y), none, 0, 0, 0);
    const count4 high = __builtin_amdgcn_mfma_i32_16x16x32_i8(long(high_x), long(high_y), none, 0, 0, 0);
    c += (cross << 8) + (high << 16);
  }
  return c;
}

}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  static constexpr bool sums = std::is_same_v<Use, accumulator>;
  static constexpr bool doubles = std::is_same_v<T, double>;
  static_assert((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32) || doubles,
                "wmma on gfx942: 16x16, 32x8 and 8x32; not the 8x8 of 4-bit and 1-bit types");
  static_assert(!doubles || (M == 8 && N == 8 && K == 4), "wmma of double is 8x8x4");
  static_assert(sums || doubles || K == 16 || (K == 8 && std::is_same_v<T, precision::tf32>), "k is 16, or 8 for tf32");

 public:
  using element_type = detail::storage_t<T>;
  using storage_element_type = element_type;
  static constexpr int tile_elements = sums ? detail::rows<T> : K / 4;
  static constexpr int num_tiles =
      sums ? detail::tiles(M) * detail::tiles(N) : detail::tiles(std::is_same_v<Use, matrix_a> ? M : N);
  static constexpr int num_elements = tile_elements * num_tiles;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout, class Value>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const Value& value) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = detail::as<detail::storage_t<T>>(value);
}

template <int M, int N, int K, class T, class Layout, class P>
__device__ inline void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout>& f, const P* from, unsigned pitch) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) {
    const unsigned row = i / f.tile_elements * 16 + detail::line(), k = detail::share() * (K / 4) + i % f.tile_elements;
    const size_t place = std::is_same_v<Layout, row_major> ? size_t(row) * pitch + k : size_t(k) * pitch + row;
    f.x[i] = row < M ? detail::as<detail::storage_t<T>>(from[place]) : detail::as<detail::storage_t<T>>(0.0f);
  }
}
template <int M, int N, int K, class T, class Layout, class P>
__device__ inline void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout>& f, const P* from, unsigned pitch) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) {
    const unsigned column = i / f.tile_elements * 16 + detail::line(), k = detail::share() * (K / 4) + i % f.tile_elements;
    const size_t place = std::is_same_v<Layout, row_major> ? size_t(k) * pitch + column : size_t(column) * pitch + k;
    f.x[i] = column < N ? detail::as<detail::storage_t<T>>(from[place]) : detail::as<detail::storage_t<T>>(0.0f);
  }
}

namespace detail {
// Calls f(element, row, column) for each element of the sums that the shape has.
template <int M, int N, class T, class F>
__device__ inline void each_sum(F f) {
#pragma unroll
  for (int i = 0; i < tiles(M) * tiles(N) * rows<T>; ++i) {
    const unsigned tile = i / rows<T>, within = i % rows<T>, column = tile % tiles(N) * 16 + line();
    const unsigned row = tile / tiles(N) * 16 + (std::is_same_v<T, double> ? 4 * within + share() : share() * 4 + within);
    if (row < M && column < N) f(i, row, column);
  }
}
}  // namespace detail

template <int M, int N, int K, class T, class P>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const P* from, unsigned pitch, layout_t layout) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = detail::as<T>(0.0f);
  detail::each_sum<M, N, T>([&](int i, unsigned row, unsigned column) {
    f.x[i] = detail::as<T>(from[layout == mem_row_major ? size_t(row) * pitch + column : size_t(column) * pitch + row]);
  });
}
template <int M, int N, int K, class T, class P>
__device__ inline void store_matrix_sync(P* to, const fragment<accumulator, M, N, K, T>& f, unsigned pitch, layout_t layout) {
  detail::each_sum<M, N, T>([&](int i, unsigned row, unsigned column) {
    to[layout == mem_row_major ? size_t(row) * pitch + column : size_t(column) * pitch + row] = detail::as<P>(f.x[i]);
  });
}
template <int M, int N, int K, class T>  // never made: a use that keeps the compiler from leaving out products
__device__ inline void store_matrix_sync(std::nullptr_t, const fragment<accumulator, M, N, K, T>& f, unsigned pitch, layout_t layout) {
  store_matrix_sync(static_cast<T*>(nullptr), f, pitch, layout);
}

template <int M, int N, int K, class D, class T, class A, class B, class C>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, A>& a,
                                const fragment<matrix_b, M, N, K, T, B>& b, const fragment<accumulator, M, N, K, C>& c,
                                bool = false) {
  constexpr bool whole = std::is_integral_v<T>;
  using four = std::conditional_t<whole, detail::count4, detail::sum4>;
  constexpr int columns = detail::tiles(N), part = fragment<matrix_a, M, N, K, T, A>::tile_elements;
#pragma unroll
  for (int tile = 0; tile < c.num_tiles; ++tile) {
    four sum;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] = detail::as<std::conditional_t<whole, int, float>>(c.x[tile * 4 + i]);
    if constexpr (whole)
      sum = detail::product<T>(a.x + tile / columns * part, b.x + tile % columns * part, sum);
    else
      sum = detail::product<T>(a.x + tile / columns * part, b.x + tile % columns * part, sum);
#pragma unroll
    for (int i = 0; i < 4; ++i) d.x[tile * 4 + i] = detail::as<D>(sum[i]);
  }
}

template <class A, class B>
__device__ inline void mma_sync(fragment<accumulator, 8, 8, 4, double>& d, const fragment<matrix_a, 8, 8, 4, double, A>& a,
                                const fragment<matrix_b, 8, 8, 4, double, B>& b, const fragment<accumulator, 8, 8, 4, double>& c) {
  const detail::double4_ sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a.x[0], b.x[0], detail::double4_{c.x[0], c.x[1], 0, 0}, 0, 0, 0);
  d.x[0] = sum[0];
  d.x[1] = sum[1];
}

// There are no fragments of single bits: rule wmma::bmma_sync says so where it is called.
template <class D, class A, class B, class C>
__device__ inline void bmma_sync(D&, const A&, const B&, const C&, experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                                 experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  __builtin_trap();
}

// cvt.rna.tf32.f32: ties away from zero.
__device__ inline float __float_to_tf32(float value) {
  const unsigned bits = __float_as_uint(value);
  return __uint_as_float(((bits & 0x7f800000u) == 0x7f800000u ? bits : bits + 0x1000u) & ~0x1fffu);
}

}  // namespace wmma
}  // namespace nvcuda

#endif  // PORTER_WMMA_H
