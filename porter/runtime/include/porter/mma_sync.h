// porter runtime: mma.sync of mirrored warps, m16n8 and m8n8. Outputs come first, then A's, B's and C's registers in
// PTX's order. How many there are says which k it is: two words of B are one MFMA's whole depth, one is half of it.
//
// One MFMA has room for two tiles of eight columns, mma.sync has one: half of the result is not used, but where two products
// with one A can be made together (MmaPairs).
// For mirrored warps alone (mma.h).
#ifndef PORTER_MMA_SYNC_H
#define PORTER_MMA_SYNC_H

#include "mma.h"

namespace porter {

namespace mma {

template <class A, class B, class D>
__device__ inline void sync_f32(D& d0, D& d1, D& d2, D& d3, Words a, Words b, float c0, float c1, float c2, float c3) {
  const float low = __builtin_bit_cast(float, own(bits(c0), bits(c2)));
  const float high = __builtin_bit_cast(float, own(bits(c1), bits(c3)));
  const f32x4 d = multiply<A, B>(a, b, f32x4{low, high, 0, 0});
  share(bits(d.x), d0, d2);
  share(bits(d.y), d1, d3);
}
template <class A, class B, class D>
__device__ inline void sync_f16(D& d0, D& d1, Words a, Words b, uint32_t c0, uint32_t c1) {
  const f32x2 c = unpack_f16(own(c0, c1));
  const f32x4 d = multiply<A, B>(a, b, f32x4{c.x, c.y, 0, 0});
  share(pack_f16(d.x, d.y), d0, d1);
}
template <class A, class B, bool Saturate, class D>
__device__ inline void sync_s32(D& d0, D& d1, D& d2, D& d3, Words a, Words b, int c0, int c1, int c2, int c3) {
  const s32x4 c = {int(own(uint32_t(c0), uint32_t(c2))), int(own(uint32_t(c1), uint32_t(c3))), 0, 0};
  const s32x4 d = multiply<A, B, Saturate>(a, b, c);
  share(uint32_t(d.x), d0, d2);
  share(uint32_t(d.y), d1, d3);
}

}  // namespace mma

template <class A, class B, class D>
__device__ inline void mma_f32(D& d0, D& d1, D& d2, D& d3, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
                               uint32_t b0, uint32_t b1, float c0, float c1, float c2, float c3) {
  mma::sync_f32<A, B>(d0, d1, d2, d3, {mma::own(a0, a1), mma::own(a2, a3)}, {b0, b1}, c0, c1, c2, c3);
}
template <class A, class B, class D>
__device__ inline void mma_f32(D& d0, D& d1, D& d2, D& d3, uint32_t a0, uint32_t a1, uint32_t b0, float c0, float c1,
                               float c2, float c3) {
  mma::sync_f32<A, B>(d0, d1, d2, d3, {mma::own(a0, a1), 0}, {b0, 0}, c0, c1, c2, c3);
}
template <class A, class B, class D>
__device__ inline void mma_f16(D& d0, D& d1, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0,
                               uint32_t b1, uint32_t c0, uint32_t c1) {
  mma::sync_f16<A, B>(d0, d1, {mma::own(a0, a1), mma::own(a2, a3)}, {b0, b1}, c0, c1);
}
template <class A, class B, class D>
__device__ inline void mma_f16(D& d0, D& d1, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t c0, uint32_t c1) {
  mma::sync_f16<A, B>(d0, d1, {mma::own(a0, a1), 0}, {b0, 0}, c0, c1);
}
template <class A, class B, bool Saturate = false, class D>
__device__ inline void mma_s32(D& d0, D& d1, D& d2, D& d3, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
                               uint32_t b0, uint32_t b1, int c0, int c1, int c2, int c3) {
  mma::sync_s32<A, B, Saturate>(d0, d1, d2, d3, {mma::own(a0, a1), mma::own(a2, a3)}, {b0, b1}, c0, c1, c2, c3);
}
template <class A, class B, bool Saturate = false, class D>
__device__ inline void mma_s32(D& d0, D& d1, D& d2, D& d3, uint32_t a0, uint32_t a1, uint32_t b0, int c0, int c1,
                               int c2, int c3) {
  mma::sync_s32<A, B, Saturate>(d0, d1, d2, d3, {mma::own(a0, a1), 0}, {b0, 0}, c0, c1, c2, c3);
}
// m8n8k16: both mirrors compute row R.
template <class A, class B, bool Saturate = false, class D>
__device__ inline void mma_s32(D& d0, D& d1, uint32_t a, uint32_t b, int c0, int c1) {
  const mma::s32x4 d = mma::multiply<A, B, Saturate>({a, 0}, {b, 0}, mma::s32x4{c0, c1, 0, 0});
  mma::put(d0, uint32_t(d.x));
  mma::put(d1, uint32_t(d.y));
}

// Between keep() and present() (mma.h) nobody looks at accumulators, so that a product may wait for the next one. If that
// has the same A and other accumulators, both are one MFMA: the second's tile takes the half that one leaves unused. Whether
// it has must be plain to the compiler, as it is in loops that are unrolled; if not, the first is made alone.
class MmaPairs {
 public:
  __device__ ~MmaPairs() { flush(); }
  template <class A, class B, class D>
  __device__ inline void add(D& d0, D& d1, mma::Words a, mma::Words b) {
    constexpr int kind = number<A, B>();
    word* const d[] = {reinterpret_cast<word*>(&d0), reinterpret_cast<word*>(&d1)};
    const bool fits = waiting && kind == kind_ && a.low == a_.low && a.high == a_.high && d[0] != d_[0];
    if (kind >= 0 && __builtin_constant_p(fits) && fits) {
      const mma::Words both = {mma::own(b_.low, b.low), mma::own(b_.high, b.high)};
      multiply<A, B>(a, both, d_, d);
      waiting = false;
    } else {
      flush();
      if constexpr (kind >= 0) {
        waiting = true, kind_ = kind, a_ = a, b_ = b, d_[0] = d[0], d_[1] = d[1];
      } else {
        multiply<A, B>(a, b, d, nullptr);
      }
    }
  }
  __device__ inline void flush() {
    if (!waiting) return;
    waiting = false;
    switch (kind_) {
      case 0: return multiply<mma::f16, mma::f16>(a_, b_, d_, nullptr);
      case 1: return multiply<mma::bf16, mma::bf16>(a_, b_, d_, nullptr);
      case 2: return multiply<mma::tf32, mma::tf32>(a_, b_, d_, nullptr);
      case 3: return multiply<mma::e4m3, mma::e4m3>(a_, b_, d_, nullptr);
      case 4: return multiply<mma::s8, mma::s8>(a_, b_, d_, nullptr);
    }
  }

 private:
  typedef uint32_t word __attribute__((may_alias));

  template <class A, class B>
  static constexpr int number() {
    if (!std::is_same_v<A, B>) return -1;
    return std::is_same_v<A, mma::f16>    ? 0
           : std::is_same_v<A, mma::bf16> ? 1
           : std::is_same_v<A, mma::tf32> ? 2
           : std::is_same_v<A, mma::e4m3> ? 3
           : std::is_same_v<A, mma::s8>   ? 4
                                          : -1;
  }
  template <class A, class B>
  __device__ static inline void multiply(mma::Words a, mma::Words b, word* const* first, word* const* second) {
    using Vector = std::conditional_t<mma::is_integer<A>, mma::s32x4, mma::f32x4>;
    mma::u32x4 c = {*first[0], *first[1], 0, 0};
    if (second) c.z = *second[0], c.w = *second[1];
    c = __builtin_bit_cast(mma::u32x4, mma::multiply<A, B>(a, b, __builtin_bit_cast(Vector, c)));
    *first[0] = c.x, *first[1] = c.y;
    if (second) *second[0] = c.z, *second[1] = c.w;
  }

  bool waiting = false;
  int kind_ = -1;
  mma::Words a_ = {}, b_ = {};
  word* d_[2] = {};
};

template <class A, class B, class D>
__device__ inline void mma_f32_kept(MmaPairs& pairs, D& d0, D& d1, D&, D&, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
                                    uint32_t b0, uint32_t b1, float, float, float, float) {
  pairs.add<A, B>(d0, d1, {mma::own(a0, a1), mma::own(a2, a3)}, {b0, b1});
}
template <class A, class B, class D>
__device__ inline void mma_f32_kept(MmaPairs& pairs, D& d0, D& d1, D&, D&, uint32_t a0, uint32_t a1, uint32_t b0, float, float,
                                    float, float) {
  pairs.add<A, B>(d0, d1, {mma::own(a0, a1), 0}, {b0, 0});
}
template <class A, class B, class D>
__device__ inline void mma_s32_kept(MmaPairs& pairs, D& d0, D& d1, D&, D&, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
                                    uint32_t b0, uint32_t b1, int, int, int, int) {
  pairs.add<A, B>(d0, d1, {mma::own(a0, a1), mma::own(a2, a3)}, {b0, b1});
}
template <class A, class B, class D>
__device__ inline void mma_s32_kept(MmaPairs& pairs, D& d0, D& d1, D&, D&, uint32_t a0, uint32_t a1, uint32_t b0, int, int,
                                    int, int) {
  pairs.add<A, B>(d0, d1, {mma::own(a0, a1), 0}, {b0, 0});
}

// Doubles. MFMA's result has its rows four apart: register r of lane p holds row 4 r + p, of which PTX wants column
// 2 p + r. So lane b3 b2 b1 b0 of sixteen gives column b1 b0 b2, which another lane of the warp holds.
namespace mma {

__device__ inline double column_f64(double b) {
  const unsigned lane = wave_lane(), column = (lane & 3u) << 1 | (lane >> 2 & 1u);
  const int from = int(wave_lane_of(4u * column + (lane >> 4))) * 4;
  const uint64_t word = __builtin_bit_cast(uint64_t, b);
  const uint32_t low = uint32_t(__builtin_amdgcn_ds_bpermute(from, int(uint32_t(word))));
  const uint32_t high = uint32_t(__builtin_amdgcn_ds_bpermute(from, int(uint32_t(word >> 32))));
  return __builtin_bit_cast(double, uint64_t(low) | uint64_t(high) << 32);
}
__device__ inline double own(double low, double high) { return mirror() ? high : low; }
__device__ inline void share(double mine, double& low, double& high) {
  const uint64_t word = __builtin_bit_cast(uint64_t, mine);
  const uint32_t first = uint32_t(from_mirror(int(uint32_t(word))));
  const uint32_t last = uint32_t(from_mirror(int(uint32_t(word >> 32))));
  const double other = __builtin_bit_cast(double, uint64_t(first) | uint64_t(last) << 32);
  const bool second = mirror();
  low = second ? other : mine;
  high = second ? mine : other;
}
template <int Steps>
__device__ inline void sync_f64(double (&d)[4], const double (&a)[2 * Steps], const double (&b)[Steps]) {
  f64x4 sum = {own(d[0], d[2]), own(d[1], d[3]), 0, 0};
#pragma unroll
  for (int k = 0; k < Steps; ++k)
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(column_f64(b[k]), own(a[2 * k], a[2 * k + 1]), sum, 0, 0, 0);
  share(sum.x, d[0], d[2]);
  share(sum.y, d[1], d[3]);
}

}  // namespace mma

__device__ inline void mma_f64(double& d0, double& d1, double a, double b, double c0, double c1) {
  const mma::f64x4 d = __builtin_amdgcn_mfma_f64_16x16x4f64(mma::column_f64(b), a, mma::f64x4{c0, c1, 0, 0}, 0, 0, 0);
  d0 = d.x;
  d1 = d.y;
}
__device__ inline void mma_f64(double& d0, double& d1, double& d2, double& d3, double a0, double a1, double b0,
                               double c0, double c1, double c2, double c3) {
  double d[] = {c0, c1, c2, c3};
  mma::sync_f64<1>(d, {a0, a1}, {b0});
  d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
}
__device__ inline void mma_f64(double& d0, double& d1, double& d2, double& d3, double a0, double a1, double a2,
                               double a3, double b0, double b1, double c0, double c1, double c2, double c3) {
  double d[] = {c0, c1, c2, c3};
  mma::sync_f64<2>(d, {a0, a1, a2, a3}, {b0, b1});
  d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
}
__device__ inline void mma_f64(double& d0, double& d1, double& d2, double& d3, double a0, double a1, double a2,
                               double a3, double a4, double a5, double a6, double a7, double b0, double b1, double b2,
                               double b3, double c0, double c1, double c2, double c3) {
  double d[] = {c0, c1, c2, c3};
  mma::sync_f64<4>(d, {a0, a1, a2, a3, a4, a5, a6, a7}, {b0, b1, b2, b3});
  d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
}

}  // namespace porter

#endif  // PORTER_MMA_SYNC_H
