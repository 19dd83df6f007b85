// porter kittens: matrix products by MFMA, of register tiles and of shared ones.
#ifndef PORTER_KITTENS_PRODUCTS_H
#define PORTER_KITTENS_PRODUCTS_H

#include "../fp8.h"
#include "layouts.h"

namespace kittens::detail {

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef short s16x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

// fp8 numbers are halves without loss.
template <class T>
__device__ inline f16x4 halves(const elements<T, 4>& quad) {
#ifdef PORTER_FP8_BY_FNUZ
  const uint32_t codes = kittens::detail::bits_as<uint32_t>(quad);
  uint32_t words[2];
  if constexpr (std::is_same_v<T, fp8e5m2>)
    words[0] = __builtin_amdgcn_perm(codes, codes, 0x010c000cu), words[1] = __builtin_amdgcn_perm(codes, codes, 0x030c020cu);
  else
    words[0] = porter::fp8::decode_e4m3x2(codes), words[1] = porter::fp8::decode_e4m3x2(codes >> 16);
  return kittens::detail::bits_as<f16x4>(words);
#else
  return {};  // the host's pass
#endif
}
// 16 rows of a times 16 columns of b, added to c. With the operands exchanged a lane gets its quad of a row.
template <class T>
__device__ inline f32x4 multiply(const elements<T, 4>& a, const elements<T, 4>& b, f32x4 c) {
  if constexpr (std::is_same_v<T, bf16>) {
    return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(kittens::detail::bits_as<s16x4>(b), kittens::detail::bits_as<s16x4>(a), c, 0, 0, 0);
  } else if constexpr (std::is_same_v<T, half>) {
    return __builtin_amdgcn_mfma_f32_16x16x16f16(kittens::detail::bits_as<f16x4>(b), kittens::detail::bits_as<f16x4>(a), c, 0, 0, 0);
  } else if constexpr (std::is_same_v<T, float>) {  // TF32, as tensor cores see f32
    const auto bits = [](float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffffe000u); };
#pragma unroll
    for (int q = 0; q < 4; ++q) c = __builtin_amdgcn_mfma_f32_16x16x4f32(bits(b.values[q]), bits(a.values[q]), c, 0, 0, 0);
    return c;
  } else {
    return __builtin_amdgcn_mfma_f32_16x16x16f16(halves(b), halves(a), c, 0, 0, 0);
  }
}

// Operands: quads along k of the 16 rows (of B: columns) `line`, at the 16 of k `step`.
template <bool Transposed, ducks::rt::all T>
struct register_operand {
  static_assert(T::is_row != Transposed, "the operand has the other layout");
  static constexpr int lines = Transposed ? T::cols : T::rows, depth = Transposed ? T::rows : T::cols;
  using E = typename T::T;
  const T& tile;
  __device__ register_operand(const T& tile, int) : tile(tile) {}
  __device__ elements<E, 4> at(int line, int step) const { return Transposed ? quad_of(tile, step, line) : quad_of(tile, line, step); }
};
template <bool Transposed, ducks::st::all T>
struct shared_operand {
  static constexpr int lines = Transposed ? T::cols : T::rows, depth = Transposed ? T::rows : T::cols;
  using E = typename T::T;
  std::conditional_t<Transposed, col_quads<T>, row_quads<T>> quads;
  __device__ shared_operand(const T& tile, int first) : quads(tile, Transposed ? 0 : first, Transposed ? first : 0) {}
  __device__ elements<E, 4> at(int line, int step) const { return Transposed ? quads.load(step, line) : quads.load(line, step); }
};
template <bool Transposed, class T>
struct operand_of;
template <bool Transposed, ducks::rt::all T>
struct operand_of<Transposed, T> { using type = register_operand<Transposed, T>; };
template <bool Transposed, ducks::st::all T>
struct operand_of<Transposed, T> { using type = shared_operand<Transposed, T>; };

// d = a b + c for the rows from `first` on of a shared A; A and B transposed or not.
template <bool TransA, bool TransB, bool Accumulates, class D, class A, class B, class C>
__device__ inline void product(D& d, const A& a, const B& b, const C& c, int first) {
  using left = typename operand_of<TransA, A>::type;
  using right = typename operand_of<!TransB, B>::type;
  static_assert(std::is_same_v<typename A::T, typename B::T>, "both operands must have one type");
  static_assert(D::is_row && C::is_row, "results are rows");
  static_assert(left::depth == right::depth, "operands must agree in k");
  static_assert(right::lines == D::cols && D::rows == C::rows && D::cols == C::cols, "the result has B's columns");
  constexpr int height = D::height, groups = D::groups, steps = left::depth / 16;
  const left rows(a, first);
  const right columns(b, 0);
  f32x4 sums[height][groups];
#pragma unroll
  for (int i = 0; i < height; ++i)
#pragma unroll
    for (int g = 0; g < groups; ++g)
#pragma unroll
      for (int q = 0; q < 4; ++q) sums[i][g][q] = Accumulates ? to_float(c.at(i, g, q)) : 0.0f;
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    elements<typename A::T, 4> line[height];
#pragma unroll
    for (int i = 0; i < height; ++i) line[i] = rows.at(i, step);
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const auto column = columns.at(g, step);
#pragma unroll
      for (int i = 0; i < height; ++i) sums[i][g] = multiply(line[i], column, sums[i][g]);
    }
  }
  D::each([&](int i, int g, int q) { d.at(i, g, q) = from_float<typename D::T>(sums[i][g][q]); });
}
template <bool TransA, bool TransB, bool Accumulates, ducks::crt::all D, class A, class B, class C>
__device__ inline void complex_product(D& d, const A& a, const B& b, const C& c, int first) {
  typename D::component real, negative, imag;
  product<TransA, TransB, Accumulates>(real, a.real, b.real, c.real, first);
  product<TransA, TransB, false>(negative, a.imag, b.imag, real, first);
  product<TransA, TransB, Accumulates>(imag, a.real, b.imag, c.imag, first);
  product<TransA, TransB, true>(d.imag, a.imag, b.real, imag, first);
  map<base_ops::sub, 1>(d.real, real, negative);
}

}  // namespace kittens::detail

#endif  // PORTER_KITTENS_PRODUCTS_H
