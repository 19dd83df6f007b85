// porter runtime: wgmma of mirrored warps. Each of a warpgroup's four warps computes its own 16 rows, at once: what
// orders wgmma's asynchronous work (commit_group, wait_group) has only the other three warps to wait for.
//
// B, and A where it is not in registers, lie in shared memory as a 64-bit descriptor says, which is read at run time:
// bits 0-13 start, 16-29 leading and 32-45 stride byte offset, each in units of 16 bytes, 49-51 base offset,
// 62-63 swizzle: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32. With T elements in 16 bytes and S in the swizzled row:
//   K-major   8 rows of S elements each lie together, `stride` to the next 8 rows. Without swizzle S = T, and the next
//             T elements of k are `leading` away.
//   MN-major  8 rows of k, each of S elements of m or n, lie together; `stride` to the next 8 k, `leading` to the next
//             S elements. Without swizzle S = T and the two offsets change their roles.
// Bits 4-6 of an address are then xored with bits 7-9 (as many as the swizzle has).
// For mirrored warps alone (mma.h).
#ifndef PORTER_WGMMA_H
#define PORTER_WGMMA_H

#include "mma.h"
#include "ptx.h"
#include "warpgroup.h"

namespace porter {

// Loads of shared memory before and after stay there; no instruction.
__device__ inline void wgmma_order() { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); }
__device__ inline void wgmma_fence() {
  wgmma_order();
#ifdef PORTER_WARPGROUPS_MEET
  warpgroup_meet();
#endif
}
__device__ inline void wgmma_commit_group() {
  wgmma_order();
  warpgroup_commit();
}
template <int Pending>
__device__ inline void wgmma_wait_group() {
  wgmma_order();
  warpgroup_wait<Pending>();
}

namespace mma {

struct Descriptor {
  uint32_t start, leading, stride, pattern, mode;

  __device__ explicit Descriptor(uint64_t bits) {
    const uint32_t low = uint32_t(__builtin_amdgcn_readfirstlane(int(uint32_t(bits))));
    const uint32_t high = uint32_t(__builtin_amdgcn_readfirstlane(int(uint32_t(bits >> 32))));
    start = (low & 0x3fffu) << 4;
    leading = (low >> 16 & 0x3fffu) << 4;
    stride = (high & 0x3fffu) << 4;
    pattern = (high >> 17 & 7u) << 7;  // where the swizzle's pattern begins, when not at a multiple of its size
    mode = high >> 30;
  }
  __device__ uint32_t row_bytes() const { return mode == 0 ? 16u : 256u >> mode; }
  __device__ uint32_t swizzled(uint32_t address) const {
    const uint32_t mask = mode == 0 ? 0u : 7u >> (mode - 1) << 4;
    return address ^ ((address - pattern) >> 3 & mask);
  }
  // Rows come in groups of eight: row `row` of group `group`, 16-byte chunk `chunk` of k, of which one call has two.
  __device__ uint32_t k_major(uint32_t group, uint32_t row, uint32_t chunk, uint32_t byte) const {
    return swizzled(start + group * stride + row * row_bytes() + chunk * (mode == 0 ? leading : 16u) + byte);
  }
  // Do groups lie `stride` apart in the swizzle too? Where they begin at multiples of the pattern they do.
  __device__ bool even_groups() const { return mode == 0 || stride % (8u * row_bytes()) == 0; }
  // 16-bit elements.
  __device__ uint32_t mn_major(uint32_t group, uint32_t row, uint32_t k) const {
    const uint32_t shift = mode == 0 ? 0u : 4u - mode;  // groups in a row of the pattern, as a power of two
    const uint32_t far = mode == 0 ? stride : leading, deep = mode == 0 ? leading : stride;
    const uint32_t inside = (group & ((1u << shift) - 1u)) * 16u + row * 2u;
    return swizzled(start + (group >> shift) * far + inside + (k >> 3) * deep + (k & 7u) * row_bytes());
  }
};

// How the elements of k lie in a mirror's two words. Register: as in the fragments of A in registers, word p of both
// 16-byte chunks. Straight: eight bytes in a row.
enum class Order { straight, as_registers };

__device__ inline uint32_t from_lane_xor_1(uint32_t word) {  // quad_perm: 1 0 3 2
  return uint32_t(__builtin_amdgcn_update_dpp(0, int(word), 1 | 0 << 2 | 3 << 4 | 2 << 6, 0xf, 0xf, true));
}
__device__ inline uint32_t from_lane_xor_8(uint32_t word) {  // row_ror: 8
  return uint32_t(__builtin_amdgcn_update_dpp(0, int(word), 0x120 | 8, 0xf, 0xf, true));
}
// MN-major: what lies together in memory is for different lanes. Each lane reads columns of one k that belong to the
// four lanes that differ in bits 3 and 0 (R2 and R0 of the row), which then exchange words, and halves of words.
template <Order O>
__device__ inline Words transposed(const Descriptor& matrix, uint32_t group, uint32_t p) {
  const unsigned lane = wave_lane();
  const bool upper = lane & 8u, odd = lane & 1u;
  const uint32_t k = O == Order::straight ? 4 * p + (upper ? 2 : 0) + odd : 2 * p + (upper ? 8 : 0) + odd;
  const uint32_t at = matrix.mn_major(group, lane >> 1 & 2u, k);
  // rows 2 R1 and the next, 2 R1 + 4 and the next
  const uint32_t low = *shared_word<uint32_t>(at), high = *shared_word<uint32_t>(at + 8);
  const uint32_t other = from_lane_xor_8(upper ? low : high);
  const uint32_t first = upper ? other : low, second = upper ? high : other;
  const uint32_t halves = odd ? 0x03020706u : 0x05040100u;
  return {__builtin_amdgcn_perm(from_lane_xor_1(first), first, halves),
          __builtin_amdgcn_perm(from_lane_xor_1(second), second, halves)};
}

// Where a mirror's words of row `row` of a group lie: one place, or two where the order is that of registers.
struct Places {
  uint32_t first, second;
  __device__ Places operator+(uint32_t bytes) const { return {first + bytes, second + bytes}; }
};
template <Order O>
__device__ inline Places places(const Descriptor& matrix, uint32_t group, uint32_t row, uint32_t p) {
  if constexpr (O == Order::straight) return {matrix.k_major(group, row, p >> 1, (p & 1u) * 8u), 0};
  return {matrix.k_major(group, row, 0, 4 * p), matrix.k_major(group, row, 1, 4 * p)};
}
template <Order O>
__device__ inline Words load(Places at) {
  if constexpr (O == Order::straight) {
    const uint64_t both = *shared_word<uint64_t>(at.first);
    return {uint32_t(both), uint32_t(both >> 32)};
  } else {
    return {*shared_word<uint32_t>(at.first), *shared_word<uint32_t>(at.second)};
  }
}

// A mirror's words of row `row` of group `group` of a matrix in shared memory.
template <Order O, bool MnMajor>
__device__ inline Words operand(const Descriptor& matrix, uint32_t group, uint32_t row, uint32_t p) {
  if constexpr (MnMajor) return transposed<O>(matrix, group, p);
  return load<O>(places<O>(matrix, group, row, p));
}

// Of each pair of groups the one of this mirror; a single one is read by both. Where groups are evenly apart the places differ by what a load's
// own offset can hold.
template <Order O, bool MnMajor, int Pairs, int Single>
__device__ inline void operands(const Descriptor& matrix, Words (&words)[Pairs + Single]) {
  const unsigned lane = lane_id(), row = lane >> 2, p = lane & 3u, h = mirror();
  if constexpr (MnMajor) {
#pragma unroll
    for (int i = 0; i < Pairs + Single; ++i) words[i] = transposed<O>(matrix, 2 * i + (i < Pairs ? h : 0u), p);
  } else {
    Places at[Pairs + Single];
    if (matrix.even_groups()) {
      const Places first = places<O>(matrix, 0, row, p), own = first + h * matrix.stride;
#pragma unroll
      for (int i = 0; i < Pairs + Single; ++i) at[i] = (i < Pairs ? own : first) + 2 * i * matrix.stride;
    } else {
#pragma unroll
      for (int i = 0; i < Pairs + Single; ++i) at[i] = places<O>(matrix, 2 * i + (i < Pairs ? h : 0u), row, p);
    }
#pragma unroll
    for (int i = 0; i < Pairs + Single; ++i) words[i] = load<O>(at[i]);
  }
}

// The accumulators: what a mirror holds of two tiles of eight columns is one MFMA's result. `tile` counts such pairs.
// The last pair of an odd number of tiles has only its first half.
struct AccF32 {
  using Vector = f32x4;
  static constexpr int per_tile = 4;  // registers of the fragment
  template <int Tiles, bool Kept>
  __device__ static f32x4 get(const uint32_t* d) {
    const auto one = [&](int i) { return __builtin_bit_cast(float, Kept ? d[i] : own(d[i], d[i + 2])); };
    if constexpr (Tiles == 2) return {one(0), one(1), one(4), one(5)};
    return {one(0), one(1), 0, 0};
  }
  template <int Tiles, bool Kept>
  __device__ static void set(uint32_t* d, f32x4 sum) {
    const auto one = [&](int i, float x) { Kept ? (void)(d[i] = bits(x)) : share(bits(x), d[i], d[i + 2]); };
    one(0, sum.x), one(1, sum.y);
    if constexpr (Tiles == 2) one(4, sum.z), one(5, sum.w);
  }
};
struct AccS32 {
  using Vector = s32x4;
  static constexpr int per_tile = 4;
  template <int Tiles, bool Kept>
  __device__ static s32x4 get(const uint32_t* d) {
    return __builtin_bit_cast(s32x4, AccF32::get<Tiles, Kept>(d));
  }
  template <int Tiles, bool Kept>
  __device__ static void set(uint32_t* d, s32x4 sum) {
    AccF32::set<Tiles, Kept>(d, __builtin_bit_cast(f32x4, sum));
  }
};
struct AccF16 {
  using Vector = f32x4;
  static constexpr int per_tile = 2;
  template <int Tiles, bool Kept>
  __device__ static f32x4 get(const uint32_t* d) {
    static_assert(!Kept, "a register holds both columns of a row");
    const f32x2 first = unpack_f16(own(d[0], d[1]));
    if constexpr (Tiles == 1) return {first.x, first.y, 0, 0};
    const f32x2 second = unpack_f16(own(d[2], d[3]));
    return {first.x, first.y, second.x, second.y};
  }
  template <int Tiles, bool Kept>
  __device__ static void set(uint32_t* d, f32x4 sum) {
    share(pack_f16(sum.x, sum.y), d[0], d[1]);
    if constexpr (Tiles == 2) share(pack_f16(sum.z, sum.w), d[2], d[3]);
  }
};

// Which product: types of A, B and the accumulator; integers may saturate.
template <class A_, class B_, class Acc_, bool Saturate_ = false>
struct Kind {
  using A = A_;
  using B = B_;
  using Acc = Acc_;
  static constexpr bool saturate = Saturate_;
};

// All accumulators of a mirror, as the MFMAs have them: half of the fragment.
template <class K, int N>
struct Accumulators {
  using Acc = typename K::Acc;
  static constexpr int pairs = N / 16, single = N % 16 / 8;  // tiles of eight columns
  static constexpr int count = N / 8 * Acc::per_tile;       // registers of the fragment
  typename Acc::Vector sum[pairs + single];

  template <bool Kept, class... D>
  __device__ void take(const D&... d) {
    static_assert(sizeof...(D) == count, "as many accumulators as the shape has");
    const uint32_t words[count] = {bits(d)...};
#pragma unroll
    for (int i = 0; i < pairs; ++i) sum[i] = Acc::template get<2, Kept>(words + 2 * i * Acc::per_tile);
    if constexpr (single == 1) sum[pairs] = Acc::template get<1, Kept>(words + 2 * pairs * Acc::per_tile);
  }
  template <bool Kept, class... D>
  __device__ void give(D&... d) const {
    static_assert(sizeof...(D) == count, "as many accumulators as the shape has");
    uint32_t words[count] = {};
#pragma unroll
    for (int i = 0; i < pairs; ++i) Acc::template set<2, Kept>(words + 2 * i * Acc::per_tile, sum[i]);
    if constexpr (single == 1) Acc::template set<1, Kept>(words + 2 * pairs * Acc::per_tile, sum[pairs]);
    int i = 0;
    (put(d, words[i++]), ...);
  }

  template <Order O, bool TransposedB>
  __device__ void add_product(Words a, uint64_t descriptor, bool add) {
    constexpr bool both_e4m3 = std::is_same_v<typename K::A, e4m3> && std::is_same_v<typename K::B, e4m3>;
    using A = std::conditional_t<both_e4m3, half_e4m3, typename K::A>;
    using B = std::conditional_t<both_e4m3, half_e4m3, typename K::B>;
    Words words[pairs + single];
    operands<O, TransposedB, pairs, single>(Descriptor(descriptor), words);
    if constexpr (both_e4m3) a = fnuz_half(a), fnuz_half(words);
#pragma unroll
    for (int i = 0; i < pairs + single; ++i) {
      const typename Acc::Vector before = add ? sum[i] : typename Acc::Vector{};
      if constexpr (std::is_same_v<Acc, AccS32>)
        sum[i] = multiply<A, B, K::saturate>(a, words[i], before);
      else
        sum[i] = multiply<A, B>(a, words[i], before);
      if constexpr (std::is_same_v<Acc, AccF16>) sum[i] = rounded(sum[i]);
    }
  }
  __device__ static f32x4 rounded(f32x4 sum) {
    return __builtin_convertvector(__builtin_convertvector(sum, f16x4), f32x4);
  }
};

// Negated A is as good as a negated B; both negated are neither.
template <class K, int ScaleA, int ScaleB>
__device__ inline Words scaled(Words a) {
  static_assert((ScaleA == 1 || ScaleA == -1) && (ScaleB == 1 || ScaleB == -1), "operands are scaled by 1 or -1");
  if constexpr (ScaleA * ScaleB == -1) return {a.low ^ K::A::sign, a.high ^ K::A::sign};
  return a;
}

// How the accumulators lie in the source's registers: as PTX has them, or `Kept`: as between keep() and present().
template <class K, int N, bool Kept, Order O, bool TransposedB, class... D>
__device__ inline void wgmma(Words a, uint64_t b, bool add, D&... d) {
  static_assert(N % 8 == 0 && N >= 8 && N <= 256, "wgmma has 8 to 256 columns");
  Accumulators<K, N> sums;
  if (add) sums.template take<Kept>(d...);  // else they need not have been set
  sums.template add_product<O, TransposedB>(a, b, add);
  sums.template give<Kept>(d...);
}

// The row of this warp's first eight in the descriptor of A: which warp of the warpgroup this is.
__device__ inline uint32_t warpgroup_rows() {
  return uint32_t(__builtin_amdgcn_readfirstlane(int(warpid() % 4u))) * 2u;
}

}  // namespace mma

namespace mma {
template <class K, int N, bool Kept, int ScaleA, int ScaleB, int TransposedA, int TransposedB, class... D>
__device__ inline void from_descriptors(uint64_t a, uint64_t b, bool add, D&... d) {
  const unsigned lane = lane_id();
  const Words words = operand<Order::straight, TransposedA != 0>(Descriptor(a), warpgroup_rows() + mirror(), lane >> 2, lane & 3u);
  wgmma<K, N, Kept, Order::straight, TransposedB != 0>(scaled<K, ScaleA, ScaleB>(words), b, add, d...);
}
template <class K, int N, bool Kept, int ScaleA, int ScaleB, int TransposedB, class... D>
__device__ inline void from_registers(Words a, uint64_t b, bool add, D&... d) {
  wgmma<K, N, Kept, Order::as_registers, TransposedB != 0>(scaled<K, ScaleA, ScaleB>(a), b, add, d...);
}
}  // namespace mma

// wgmma.mma_async. The accumulators, which are read and written, come last. A and B by descriptors:
template <class K, int N, int ScaleA = 1, int ScaleB = 1, int TransposedA = 0, int TransposedB = 0, class... D>
__device__ inline void wgmma(uint64_t a, uint64_t b, bool add, D&... d) {
  mma::from_descriptors<K, N, false, ScaleA, ScaleB, TransposedA, TransposedB>(a, b, add, d...);
}
template <class K, int N, int ScaleA = 1, int ScaleB = 1, int TransposedA = 0, int TransposedB = 0, class... D>
__device__ inline void wgmma_kept(uint64_t a, uint64_t b, bool add, D&... d) {
  mma::from_descriptors<K, N, true, ScaleA, ScaleB, TransposedA, TransposedB>(a, b, add, d...);
}
// A in registers:
template <class K, int N, int ScaleA = 1, int ScaleB = 1, int TransposedB = 0, class... D>
__device__ inline void wgmma_a(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, bool add, D&... d) {
  mma::from_registers<K, N, false, ScaleA, ScaleB, TransposedB>({mma::own(a0, a1), mma::own(a2, a3)}, b, add, d...);
}
template <class K, int N, int ScaleA = 1, int ScaleB = 1, int TransposedB = 0, class... D>
__device__ inline void wgmma_a_kept(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, bool add, D&... d) {
  mma::from_registers<K, N, true, ScaleA, ScaleB, TransposedB>({mma::own(a0, a1), mma::own(a2, a3)}, b, add, d...);
}

// Products by the names that the table uses.
using wgmma_f32_f16 = mma::Kind<mma::f16, mma::f16, mma::AccF32>;
using wgmma_f16_f16 = mma::Kind<mma::f16, mma::f16, mma::AccF16>;
using wgmma_f32_bf16 = mma::Kind<mma::bf16, mma::bf16, mma::AccF32>;
using wgmma_f32_tf32 = mma::Kind<mma::tf32, mma::tf32, mma::AccF32>;
template <class A, class B>
using wgmma_f32_fp8 = mma::Kind<A, B, mma::AccF32>;
template <class A, class B>
using wgmma_f16_fp8 = mma::Kind<A, B, mma::AccF16>;
template <class A, class B, bool Saturate = false>
using wgmma_s32 = mma::Kind<A, B, mma::AccS32, Saturate>;

}  // namespace porter

#endif  // PORTER_WGMMA_H
