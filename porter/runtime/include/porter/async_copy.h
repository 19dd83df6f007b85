// porter runtime: PTX's bulk copies between global and shared memory.
//
// On Hopper one thread issues a copy and a unit of its own does it. Here the wave of the thread does it at once, with all its
// lanes, those too that the source has switched off: words go from global memory straight to LDS. The mbarrier learns of
// them when they have landed, so that who waits for it only looks. Any order of this is an order that Hopper may take.
//
// Where shared memory may lie in device memory (PORTER_DEVICE_SHARED), loads cannot land there. The issuing lane leaves a
// request, and waves that wait for the mbarrier do the copy (mbarrier.h calls `serve`), a piece each until none is left.
// The request lies in the first bytes of the copy's own destination, which nobody may touch until the copy is complete;
// the mbarrier's word has the first of the list. So there is nothing to set up and nothing that can be full. Copies that
// are smaller than a request, and all copies to global memory, are done at once by the lanes that issue them.
#ifndef PORTER_ASYNC_COPY_H
#define PORTER_ASYNC_COPY_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "mbarrier.h"

namespace porter {
namespace detail {

using quad = ptx_detail::bits<16>::whole;

constexpr uint32_t request_words = 32, request_bytes = 4 * request_words, piece_bytes = 4096;

// words: 0 the next of the list, 1 first chunk of 16 bytes, 2 chunks, 3 kind; 4... as the kind says
struct request {
  uint32_t words[request_words];
};
enum request_kind : uint32_t { rows_request, tensor_request };

#ifdef PORTER_DEVICE_SHARED
__device__ inline quad* shared_quad(uint32_t place) { return (quad*)lds(place); }
#else
__device__ inline PORTER_SHARED quad* shared_quad(uint32_t place) { return (PORTER_SHARED quad*)(uintptr_t(place)); }
#endif
__device__ inline PORTER_GLOBAL quad* global_quad(uint64_t place) { return (PORTER_GLOBAL quad*)(place); }

// f(lane) for each lane of the warp that issues a copy. All active lanes help with each.
template <class F>
__device__ inline void each_issuer(F f) {
  for (uint64_t lanes = active_lanes() & first_mirrors; lanes != 0; lanes &= lanes - 1) f(unsigned(__builtin_ctzll(lanes)));
}
__device__ inline uint64_t of_lane64(uint64_t value, unsigned lane) {
  return of_lane(uint32_t(value), lane) | uint64_t(of_lane(uint32_t(value >> 32), lane)) << 32;
}

#ifdef PORTER_DEVICE_SHARED
// Puts a copy of `chunks` times 16 bytes into the list of a barrier, in pieces. By one lane.
template <int Words>
__device__ inline void leave_request(uint32_t place, uint32_t to, uint32_t chunks, request r) {
  const shared_barrier bar = barrier_at(place);
  uint64_t old;
  while ((old = __hip_atomic_fetch_or(bar, bar_lock, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP)) & bar_lock)
    __builtin_amdgcn_s_sleep(1);
  const uint32_t head = uint32_t(old >> bar_head) & bar_heads;
  constexpr uint32_t piece = piece_bytes / 16;
  const uint32_t pieces = chunks > piece ? (chunks + piece / 2) / piece : 1;  // the last one has half a piece to one and a half
  for (uint32_t i = 0; i < pieces; ++i) {
    const uint32_t at = to + i * piece_bytes;
    r.words[0] = i + 1 < pieces ? (at + piece_bytes) / 16 + 1 : head;
    r.words[1] = i * piece;
    r.words[2] = i + 1 < pieces ? piece : chunks - i * piece;
#pragma unroll
    for (int w = 0; w < Words; w += 4)
      shared_quad(at)[w / 4] = quad{r.words[w], r.words[w + 1], r.words[w + 2], r.words[w + 3]};
  }
  ptx_detail::fence_release<cta>();
  bar_fetch_add(bar, ((uint64_t(to / 16 + 1) - head) << bar_head) - bar_lock);
}
#endif

// After a copy: its bytes are there.
__device__ inline void bytes_arrived(uint32_t place, uint32_t bytes) {
  ptx_detail::fence_release<cta>();
  if (first_active_lane()) bar_change(barrier_at(place), 0 - (uint64_t(bytes) << bar_bytes));
}

// chunks first ... first + chunks of 16 bytes, four on their way for each active lane
template <class Load, class Store>
__device__ inline void move_chunks(uint32_t first, uint32_t chunks, Load load, Store store) {
  const uint64_t active = active_lanes();
  const uint32_t lanes = uint32_t(__popcll(active)), last = first + chunks - 1;
  for (uint32_t k = first + lanes_before(active); k <= last; k += 4 * lanes) {
    quad values[4];
#pragma unroll
    for (uint32_t u = 0; u < 4; ++u) values[u] = load(k + u * lanes < last ? k + u * lanes : last);
#pragma unroll
    for (uint32_t u = 0; u < 4; ++u) store(k + u * lanes < last ? k + u * lanes : last, values[u], k + u * lanes <= last);
  }
}

// Rows of a power of two of chunks, all of them to be copied; one row where the copy is of bytes in a row.
struct rows {
  uint64_t from;
  uint32_t pitch;  // bytes from row to row, below 2^24
  uint32_t log_row, swizzle;

  __device__ uint32_t offset(uint32_t k) const {
    return ((k >> log_row) & 0xffffu) * (pitch & 0xffffffu) + ((k & ((1u << log_row) - 1)) << 4);
  }
  __device__ quad load(uint32_t k) const { return *(PORTER_GLOBAL quad*)((PORTER_GLOBAL char*)(from) + offset(k)); }
  __device__ uint32_t place(uint32_t to, uint32_t k) const {
    const uint32_t at = to + k * 16;
    return at ^ (at >> 7 & ((1u << swizzle) - 1)) << 4;
  }
  // Words 4 to 7 of a request.
  __device__ static rows of(const request& r) {
    return {r.words[4] | uint64_t(r.words[5]) << 32, r.words[6], r.words[7] & 31u, r.words[7] >> 8};
  }
  __device__ void put(request& r) const {
    r.words[3] = rows_request;
    r.words[4] = uint32_t(from), r.words[5] = uint32_t(from >> 32), r.words[6] = pitch, r.words[7] = log_row | swizzle << 8;
  }
};
__device__ inline rows bytes_in_a_row(uint64_t from) { return {from, 0, 16, 0}; }

#ifdef PORTER_DEVICE_SHARED
__device__ inline void rows_to_shared(uint32_t to, rows source, uint32_t first, uint32_t chunks) {
  constexpr uint32_t wave = 64, turn = 4 * wave;
  if (active_lanes() == ~0ull && chunks % turn == 0) {
    for (uint32_t k = first + hardware_lane(); k < first + chunks; k += turn) {
      quad values[4];
#pragma unroll
      for (uint32_t u = 0; u < 4; ++u) values[u] = source.load(k + u * wave);
      const uint32_t at = source.place(to, k);  // a wave's chunks are a kilobyte, after which the swizzle repeats
#pragma unroll
      for (uint32_t u = 0; u < 4; ++u) *shared_quad(at + u * wave * 16) = values[u];
    }
  } else {
    move_chunks(first, chunks, [&](uint32_t k) { return source.load(k); },
                [&](uint32_t k, quad value, bool) { *shared_quad(source.place(to, k)) = value; });
  }
}
#endif

// Stores are issued by one thread, which has nobody to help it: whoever waits for them is the same thread. So all lanes of
// its wave are switched on for the copy, those that the source has switched off too. Nobody else may know: registers that
// the copy uses are kept in private memory, of all lanes, and come back.
__device__ inline void rows_from_shared(rows to, uint32_t from, uint32_t chunks) {
#ifdef PORTER_DEVICE_SHARED
  const bool in_lds = in_lds_alone();  // the lanes below read LDS
#else
  constexpr bool in_lds = true;
#endif
  if (!in_lds || chunks <= 4 * uint32_t(__popcll(active_lanes()))) {  // one turn of those that are on
    move_chunks(0, chunks, [&](uint32_t k) { return *shared_quad(to.place(from, k)); },
                [&](uint32_t k, quad value, bool) { *(PORTER_GLOBAL quad*)((PORTER_GLOBAL char*)(to.from) + to.offset(k)) = value; });
    return;
  }
  uint32_t kept[24];
  const uint32_t place = uniform(uint32_t(uintptr_t((__attribute__((address_space(5))) uint32_t*)kept)));
  // They are the same in all lanes that are on, which the compiler does not always see: it would pass vector registers.
  to = {uniform64(to.from), uniform(to.pitch), uniform(to.log_row), uniform(to.swizzle)};
  from = uniform(from), chunks = uniform(chunks);
  const uint32_t row_mask = (1u << to.log_row) - 1, swizzle_mask = (1u << to.swizzle) - 1;
  uint64_t lanes;
  uint32_t done = 0;
#define PORTER_EACH(f) f("0", "4", "8", "11") f("64", "5", "12", "15") f("128", "6", "16", "19") f("192", "7", "20", "23")
#define PORTER_READ(ahead, offset, first, last)                                                          \
  "v_mov_b32 v1, " ahead "\n v_add_u32 v1, v1, v0\n v_min_u32 v1, %[last], v1\n"                         \
  "v_lshlrev_b32 v2, 4, v1\n v_add_u32 v2, %[from], v2\n"                                                \
  "v_lshrrev_b32 v3, 7, v2\n v_and_b32 v3, %[swizzle], v3\n v_lshlrev_b32 v3, 4, v3\n v_xor_b32 v2, v2, v3\n" \
  "ds_read_b128 v[" first ":" last "], v2\n"                                                             \
  "v_lshrrev_b32 v3, %[log], v1\n v_mul_u32_u24 v3, %[pitch], v3\n v_and_b32 v1, %[row], v1\n"           \
  "v_lshl_add_u32 v" offset ", v1, 4, v3\n"
#define PORTER_WRITE(ahead, offset, first, last) "global_store_dwordx4 v" offset ", v[" first ":" last "], %[to]\n"
  asm volatile(
      "s_mov_b64 %[lanes], exec\n"
      "s_mov_b64 exec, -1\n"
      "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
      "s_nop 15\n s_nop 15\n"  // a matrix product may still write one of the registers
      "scratch_store_dwordx4 off, v[0:3], %[kept]\n"
      "scratch_store_dwordx4 off, v[4:7], %[kept] offset:16\n"
      "scratch_store_dwordx4 off, v[8:11], %[kept] offset:32\n"
      "scratch_store_dwordx4 off, v[12:15], %[kept] offset:48\n"
      "scratch_store_dwordx4 off, v[16:19], %[kept] offset:64\n"
      "scratch_store_dwordx4 off, v[20:23], %[kept] offset:80\n"
      "s_nop 1\n"
      "v_mbcnt_lo_u32_b32 v0, -1, 0\n"
      "v_mbcnt_hi_u32_b32 v0, -1, v0\n"
      ".Lporter_rows%=:\n" PORTER_EACH(PORTER_READ)
      "s_waitcnt lgkmcnt(0)\n" PORTER_EACH(PORTER_WRITE)
      "v_add_u32 v0, 0x100, v0\n"
      "s_addk_i32 %[done], 0x100\n"
      "s_cmp_lt_u32 %[done], %[chunks]\n"
      "s_cbranch_scc1 .Lporter_rows%=\n"
      "s_waitcnt vmcnt(0)\n"
      "scratch_load_dwordx4 v[0:3], off, %[kept]\n"
      "scratch_load_dwordx4 v[4:7], off, %[kept] offset:16\n"
      "scratch_load_dwordx4 v[8:11], off, %[kept] offset:32\n"
      "scratch_load_dwordx4 v[12:15], off, %[kept] offset:48\n"
      "scratch_load_dwordx4 v[16:19], off, %[kept] offset:64\n"
      "scratch_load_dwordx4 v[20:23], off, %[kept] offset:80\n"
      "s_waitcnt vmcnt(0)\n"
      "s_mov_b64 exec, %[lanes]\n"
      : [lanes] "=&s"(lanes), [done] "+&s"(done)
      : [kept] "s"(place), [last] "s"(chunks - 1), [chunks] "s"(chunks), [from] "s"(from), [swizzle] "s"(swizzle_mask),
        [log] "s"(to.log_row), [pitch] "s"(to.pitch), [row] "s"(row_mask), [to] "s"(to.from)
      : "memory", "scc", "v23");
#undef PORTER_EACH
#undef PORTER_READ
#undef PORTER_WRITE
}

// What the asm below has in common. It is the wave's, with all its lanes. Nobody else may know: registers that it uses are
// kept in private memory, of all lanes, and come back with what was loaded.
#define PORTER_ALL_LANES                                                        \
  "s_mov_b64 %[lanes], exec\n s_mov_b64 exec, -1\n"                             \
  "s_waitcnt vmcnt(0) lgkmcnt(0)\n"                                             \
  "s_nop 15\n s_nop 1\n" /* a matrix product may still write one of them */     \
  "scratch_store_dwordx4 off, v[0:3], %[kept]\n"                                \
  "scratch_store_dwordx4 off, v[4:7], %[kept] offset:16\n"                      \
  "s_nop 1\n"                                                                   \
  "v_mbcnt_lo_u32_b32 v0, -1, 0\n v_mbcnt_hi_u32_b32 v0, -1, v0\n"              \
  "v_lshlrev_b32 v0, 2, v0\n"
#define PORTER_LANES_AS_BEFORE                                                  \
  "scratch_load_dwordx4 v[0:3], off, %[kept]\n"                                 \
  "scratch_load_dwordx4 v[4:7], off, %[kept] offset:16\n"                       \
  "s_waitcnt vmcnt(0) lgkmcnt(0)\n"                                             \
  "s_mov_b64 exec, %[lanes]\n"
// The same in all lanes that are on, in a scalar register: the compiler drops a uniform() that it takes for needless, and may
// yet hold the value in a vector register.
__device__ inline uint32_t in_scalar(uint32_t value) {
  uint32_t result;
  asm("v_readfirstlane_b32 %0, %1" : "=s"(result) : "v"(value));
  return result;
}
__device__ inline uint64_t in_scalar64(uint64_t value) {
  return in_scalar(uint32_t(value)) | uint64_t(in_scalar(uint32_t(value >> 32))) << 32;
}
__device__ inline uint32_t private_place(uint32_t (&kept)[8]) {
  return in_scalar(uint32_t(uintptr_t((__attribute__((address_space(5))) uint32_t*)kept)));
}

// Rows to LDS. Four times 64 words are a kilobyte, after which the swizzle repeats.
__device__ inline void rows_land(uint32_t to, rows source, uint32_t chunks) {
  uint32_t kept[8];
  const uint32_t place = private_place(kept);
  const uint64_t from = in_scalar64(source.from - 1024);  // offsets, of which the instructions' own are taken, stay positive
  to = in_scalar(to);
  const uint32_t pitch = in_scalar(source.pitch), shift = in_scalar(source.log_row) + 4;
  const uint32_t row_mask = (1u << shift) - 1, swizzle_mask = (1u << in_scalar(source.swizzle)) - 1;
  const uint32_t step = shift <= 10 ? (1024u >> shift) * pitch : 1024u;  // bytes from a kilobyte to the next
  uint64_t lanes;
  uint32_t left, some;
#define PORTER_EACH(f) f("3", "0", "1024") f("4", "256", "768") f("5", "512", "512") f("6", "768", "256")
#define PORTER_PLACE(offset, ahead, rest)                                                   \
  "v_add_u32 v1, " ahead ", v0\n v_add_u32 v2, %[to], v1\n"                                 \
  "v_lshrrev_b32 v2, 7, v2\n v_and_b32 v2, %[swizzle], v2\n v_lshlrev_b32 v2, 4, v2\n"      \
  "v_xor_b32 v1, v1, v2\n v_lshrrev_b32 v2, %[shift], v1\n v_and_b32 v1, %[row], v1\n"      \
  "v_mul_u32_u24 v2, %[pitch], v2\n v_add_u32 v1, v1, v2\n v_add_u32 v" offset ", " rest ", v1\n"
#define PORTER_LAND(offset, ahead, rest) \
  "global_load_lds_dword v" offset ", %[from] offset:" ahead "\n v_add_u32 v" offset ", %[step], v" offset "\n"
#define PORTER_REST(offset, ahead, rest)                                                      \
  "s_min_u32 %[some], %[left], 16\n s_lshl_b32 %[some], %[some], 2\n"                         \
  "s_bfm_b64 exec, %[some], 0\n s_cmp_lt_u32 %[left], 16\n s_cselect_b64 exec, exec, -1\n"    \
  "global_load_lds_dword v" offset ", %[from] offset:" ahead "\n"                             \
  "s_sub_u32 %[left], %[left], 16\n s_cselect_b32 %[left], 0, %[left]\n"
  asm volatile(
      PORTER_ALL_LANES PORTER_EACH(PORTER_PLACE)
      "s_mov_b32 m0, %[to]\n s_mov_b32 %[left], %[chunks]\n"
      "s_cmp_lt_u32 %[left], 64\n"
      "s_cbranch_scc1 .Lporter_rest%=\n"
      ".Lporter_rows%=:\n" PORTER_EACH(PORTER_LAND)
      "s_add_u32 m0, m0, 0x400\n"
      "s_sub_u32 %[left], %[left], 64\n"
      "s_cmp_ge_u32 %[left], 64\n"
      "s_cbranch_scc1 .Lporter_rows%=\n"
      ".Lporter_rest%=:\n"
      "s_cmp_eq_u32 %[left], 0\n"
      "s_cbranch_scc1 .Lporter_end%=\n" PORTER_EACH(PORTER_REST)
      "s_mov_b64 exec, -1\n"
      ".Lporter_end%=:\n" PORTER_LANES_AS_BEFORE
      : [lanes] "=&s"(lanes), [left] "=&s"(left), [some] "=&s"(some)
      : [kept] "s"(place), [chunks] "s"(in_scalar(chunks)), [from] "s"(from), [to] "s"(to), [swizzle] "s"(swizzle_mask), [shift] "s"(shift),
        [pitch] "s"(pitch), [row] "s"(row_mask), [step] "s"(step)
      : "memory", "scc", "m0", "v7");
#undef PORTER_EACH
#undef PORTER_PLACE
#undef PORTER_LAND
#undef PORTER_REST
}

// Rows of any length, of which bytes may be missing: `first` and `bytes` say which there are, whole words; none before or
// after these is touched. LDS gets a row each `to_pitch` bytes.
struct parts_of_rows {
  uint64_t from, pitch;
  uint32_t to_pitch, swizzle, first, bytes;
};
__device__ inline void parts_land(uint32_t to, const parts_of_rows& source, uint32_t count) {
  if (count == 0 || source.bytes == 0) return;
  uint32_t kept[8];
  const uint32_t place = private_place(kept), swizzle_mask = (1u << in_scalar(source.swizzle)) - 1;
  to = in_scalar(to), count = in_scalar(count);
  const uint32_t first = in_scalar(source.first), bytes = in_scalar(source.bytes), to_pitch = in_scalar(source.to_pitch);
  const uint32_t low = in_scalar(uint32_t(source.from)), high = in_scalar(uint32_t(source.from >> 32));
  const uint32_t pitch_low = in_scalar(uint32_t(source.pitch)), pitch_high = in_scalar(uint32_t(source.pitch >> 32));
  uint64_t lanes;
  uint32_t left, at, start;
  asm volatile(
      PORTER_ALL_LANES
      "s_mov_b32 %[start], %[to]\n"
      ".Lporter_words%=:\n"  // 64 of each row, then the next 64
      "v_mov_b32 v2, %[low]\n v_mov_b32 v3, %[high]\n"
      "s_mov_b32 %[left], %[count]\n s_mov_b32 %[at], %[start]\n s_mov_b32 m0, %[start]\n"
      ".Lporter_row%=:\n"
      "v_add_u32 v1, %[at], v0\n v_subrev_u32 v1, %[start], v1\n v_add_u32 v1, %[to], v1\n"
      "v_lshrrev_b32 v1, 7, v1\n v_and_b32 v1, %[swizzle], v1\n v_lshlrev_b32 v1, 4, v1\n v_xor_b32 v1, v0, v1\n"
      "v_subrev_u32 v4, %[first], v1\n v_cmp_gt_u32 vcc, %[bytes], v4\n"
      "s_mov_b64 exec, vcc\n"
      "v_add_co_u32 v4, vcc, v2, v1\n v_addc_co_u32 v5, vcc, 0, v3, vcc\n"
      "global_load_lds_dword v[4:5], off\n"
      "s_mov_b64 exec, -1\n"
      "v_mov_b32 v6, %[pitch_high]\n"
      "v_add_co_u32 v2, vcc, %[pitch_low], v2\n v_addc_co_u32 v3, vcc, v6, v3, vcc\n"
      "s_add_u32 %[at], %[at], %[to_pitch]\n s_mov_b32 m0, %[at]\n"
      "s_sub_u32 %[left], %[left], 1\n"
      "s_cmp_lg_u32 %[left], 0\n"
      "s_cbranch_scc1 .Lporter_row%=\n"
      "v_add_u32 v0, 0x100, v0\n"
      "s_add_u32 %[start], %[start], 0x100\n"
      "s_sub_u32 %[left], %[start], %[to]\n"
      "s_cmp_lt_u32 %[left], %[to_pitch]\n"
      "s_cbranch_scc1 .Lporter_words%=\n" PORTER_LANES_AS_BEFORE
      : [lanes] "=&s"(lanes), [left] "=&s"(left), [at] "=&s"(at), [start] "=&s"(start)
      : [kept] "s"(place), [to] "s"(to), [low] "s"(low), [high] "s"(high), [count] "s"(count), [swizzle] "s"(swizzle_mask),
        [first] "s"(first), [bytes] "s"(bytes), [pitch_low] "s"(pitch_low), [pitch_high] "s"(pitch_high),
        [to_pitch] "s"(to_pitch)
      : "memory", "scc", "vcc", "m0", "v7");
}

// Zeros.
__device__ inline void zeros_land(uint32_t to, uint32_t bytes) {
  uint32_t kept[8];
  const uint32_t place = private_place(kept);
  to = in_scalar(to);
  uint64_t lanes;
  uint32_t left;
  asm volatile(
      PORTER_ALL_LANES
      "v_mov_b32 v4, 0\n v_mov_b32 v5, 0\n v_mov_b32 v6, 0\n v_mov_b32 v7, 0\n"
      "v_lshlrev_b32 v0, 2, v0\n v_add_u32 v1, %[to], v0\n s_mov_b32 %[left], %[bytes]\n"
      ".Lporter_zeros%=:\n"
      "v_cmp_gt_u32 vcc, %[left], v0\n s_mov_b64 exec, vcc\n"
      "ds_write_b128 v1, v[4:7]\n"
      "s_mov_b64 exec, -1\n"
      "v_add_u32 v1, 0x400, v1\n"
      "s_min_u32 m0, %[left], 0x400\n s_sub_u32 %[left], %[left], m0\n"
      "s_cmp_lg_u32 %[left], 0\n"
      "s_cbranch_scc1 .Lporter_zeros%=\n"
      "s_waitcnt lgkmcnt(0)\n" PORTER_LANES_AS_BEFORE
      : [lanes] "=&s"(lanes), [left] "=&s"(left)
      : [kept] "s"(place), [to] "s"(to), [bytes] "s"(in_scalar(bytes))
      : "memory", "scc", "vcc", "m0", "v7");
}
// Words there to the nearest TF32, as round_tf32 (tensor_map.h) does.
__device__ inline void round_landed(uint32_t to, uint32_t bytes) {
  uint32_t kept[8];
  const uint32_t place = private_place(kept);
  to = in_scalar(to);
  uint64_t lanes;
  uint32_t left;
  asm volatile(
      PORTER_ALL_LANES
      "v_add_u32 v1, %[to], v0\n s_mov_b32 %[left], %[bytes]\n"
      ".Lporter_words%=:\n"
      "v_cmp_gt_u32 vcc, %[left], v0\n s_mov_b64 exec, vcc\n"
      "ds_read_b32 v2, v1\n s_waitcnt lgkmcnt(0)\n"
      "v_and_b32 v3, 0x7f800000, v2\n v_mov_b32 v4, 0x7f800000\n v_cmp_ne_u32 vcc, v3, v4\n s_mov_b64 exec, vcc\n"
      "v_bfe_u32 v3, v2, 13, 1\n v_add_u32 v3, v3, v2\n v_add_u32 v3, 0xfff, v3\n v_and_b32 v3, 0xffffe000, v3\n"
      "ds_write_b32 v1, v3\n"
      "s_mov_b64 exec, -1\n"
      "v_add_u32 v1, 0x100, v1\n"
      "s_min_u32 m0, %[left], 0x100\n s_sub_u32 %[left], %[left], m0\n"
      "s_cmp_lg_u32 %[left], 0\n"
      "s_cbranch_scc1 .Lporter_words%=\n" PORTER_LANES_AS_BEFORE
      : [lanes] "=&s"(lanes), [left] "=&s"(left)
      : [kept] "s"(place), [to] "s"(to), [bytes] "s"(in_scalar(bytes))
      : "memory", "scc", "vcc", "m0", "v7");
}

#ifdef PORTER_DEVICE_SHARED
// tensor_map.h does the other kind.
template <class Kind>
struct tensor_copier {
  __device__ static inline void copy(uint32_t, const request&) {}
};

template <>
struct copier<copies> {
  template <class Kind = copies>  // so that tensor_map.h may still come
  __device__ static inline void serve(uint32_t place) {
    const shared_barrier bar = barrier_at(place);
    uint64_t old = 0;
    if (first_active_lane()) old = __hip_atomic_fetch_or(bar, bar_lock, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    old = uniform64(old);
    if (old & bar_lock) return;  // another wave is at the list
    const uint32_t head = uint32_t(old >> bar_head) & bar_heads;
    if (head == 0) {
      if (first_active_lane()) bar_fetch_add(bar, 0 - bar_lock);
      return;
    }
    ptx_detail::fence_acquire<cta>();
    const uint32_t at = (head - 1) * 16;
    request r;
#pragma unroll
    for (uint32_t w = 0; w < 8; w += 4) {
      const quad part = shared_quad(at)[w / 4];
      for (int i = 0; i < 4; ++i) r.words[w + i] = uniform(part[i]);
    }
    if (first_active_lane()) bar_fetch_add(bar, ((uint64_t(r.words[0]) - head) << bar_head) - bar_lock);
    const uint32_t to = at - r.words[1] * 16;
    if (r.words[3] == rows_request) {
      rows_to_shared(to, rows::of(r), r.words[1], r.words[2]);
    } else {
#pragma unroll
      for (uint32_t w = 8; w < request_words; w += 4) {
        const quad part = shared_quad(at)[w / 4];
        for (int i = 0; i < 4; ++i) r.words[w + i] = uniform(part[i]);
      }
      tensor_copier<Kind>::copy(to, r);
    }
    bytes_arrived(place, r.words[2] * 16);
  }
};
#endif

// By all active lanes: bytes for an mbarrier.
__device__ inline void copy_rows(uint32_t place, uint32_t to, const rows& source, uint32_t chunks) {
#ifdef PORTER_DEVICE_SHARED
  if (chunks * 16 < request_bytes) {
    rows_to_shared(to, source, 0, chunks);
    bytes_arrived(place, chunks * 16);
  } else if (first_active_lane()) {
    request r = {};
    source.put(r);
    leave_request<8>(place, to, chunks, r);
  }
#else
  rows_land(to, source, chunks);
  bytes_arrived(place, chunks * 16);
#endif
}

}  // namespace detail

// cp.async.bulk: sizes and addresses are multiples of 16.

template <class D, class S, class B>
__device__ inline void bulk_load(D to, S from, uint32_t bytes, B bar) {
  const uint32_t place = cvta_generic_to_shared(bar), destination = cvta_generic_to_shared(to);
  const uint64_t source = address(from);
  detail::each_issuer([=](unsigned lane) {
    const uint32_t b = detail::of_lane(place, lane), d = detail::of_lane(destination, lane), n = detail::of_lane(bytes, lane);
    const uint64_t s = detail::of_lane64(source, lane);
    if (n != 0) detail::copy_rows(b, d, detail::bytes_in_a_row(s), n / 16);
  });
}
// From shared to shared memory of the same block.
template <class D, class S, class B>
__device__ inline void bulk_share(D to, S from, uint32_t bytes, B bar) {
  const uint32_t place = cvta_generic_to_shared(bar), destination = cvta_generic_to_shared(to);
  const uint32_t source = cvta_generic_to_shared(from);
  detail::each_issuer([=](unsigned lane) {
    const uint32_t d = detail::of_lane(destination, lane), s = detail::of_lane(source, lane), n = detail::of_lane(bytes, lane);
    detail::move_chunks(0, n / 16, [=](uint32_t k) { return detail::shared_quad(s)[k]; },
                        [=](uint32_t k, detail::quad value, bool) { detail::shared_quad(d)[k] = value; });
    detail::bytes_arrived(detail::of_lane(place, lane), n);
  });
}
template <class D, class S>
__device__ inline void bulk_store(D to, S from, uint32_t bytes) {
  const uint64_t destination = address(to);
  const uint32_t source = cvta_generic_to_shared(from);
  detail::each_issuer([=](unsigned lane) {
    const uint64_t d = detail::of_lane64(destination, lane);
    const uint32_t s = detail::of_lane(source, lane), n = detail::of_lane(bytes, lane);
    if (n != 0) detail::rows_from_shared(detail::bytes_in_a_row(d), s, n / 16);
  });
}

// Reductions: what happens to one element in global memory.
namespace reduce {
#define PORTER_REDUCE(name, call)                                                       \
  struct name {                                                                        \
    template <class T>                                                                 \
    __device__ static inline void one(PORTER_GLOBAL T* to, T value) {                  \
      call(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                     \
    }                                                                                  \
  };
PORTER_REDUCE(add, __hip_atomic_fetch_add)
PORTER_REDUCE(min, __hip_atomic_fetch_min)
PORTER_REDUCE(max, __hip_atomic_fetch_max)
PORTER_REDUCE(bit_and, __hip_atomic_fetch_and)
PORTER_REDUCE(bit_or, __hip_atomic_fetch_or)
PORTER_REDUCE(bit_xor, __hip_atomic_fetch_xor)
#undef PORTER_REDUCE
// These are not what ptx_memory.h has: there mirrored lanes do one atomic, here every lane has an element of its own.
struct inc {
  __device__ static inline void one(PORTER_GLOBAL uint32_t* to, uint32_t value) {
    __builtin_amdgcn_atomic_inc32(to, value, __ATOMIC_RELAXED, "agent");
  }
};
struct dec {
  __device__ static inline void one(PORTER_GLOBAL uint32_t* to, uint32_t value) {
    __builtin_amdgcn_atomic_dec32(to, value, __ATOMIC_RELAXED, "agent");
  }
};
// Two halves of a word by a compare-and-swap loop.
struct add_f16 {
  static constexpr uint32_t nothing = 0x8000;  // -0
  __device__ static inline void one(PORTER_GLOBAL uint32_t* to, uint32_t value) {
    atom_update<uint32_t, gpu, relaxed>(to, [=](uint32_t old) { return add_f16x2(old, value); });
  }
};
struct add_bf16 {
  static constexpr uint32_t nothing = 0x8000;  // -0
  __device__ static inline void one(PORTER_GLOBAL uint32_t* to, uint32_t value) {
    atom_update<uint32_t, gpu, relaxed>(to, [=](uint32_t old) { return add_bf16x2(old, value); });
  }
};
#define PORTER_REDUCE_HALVES(name, infinity)                                                                         \
  struct name {                                                                                                      \
    static constexpr uint32_t nothing = infinity;                                                                    \
    __device__ static inline void one(PORTER_GLOBAL uint32_t* to, uint32_t value) {                                  \
      atom_update<uint32_t, gpu, relaxed>(to, [=](uint32_t old) { return name##x2(old, value); });                   \
    }                                                                                                                \
  };
PORTER_REDUCE_HALVES(min_f16, 0x7c00)
PORTER_REDUCE_HALVES(max_f16, 0xfc00)
PORTER_REDUCE_HALVES(min_bf16, 0x7f80)
PORTER_REDUCE_HALVES(max_bf16, 0xff80)
#undef PORTER_REDUCE_HALVES
}  // namespace reduce

namespace detail {
template <class Op, class T>
__device__ inline void reduce_bytes(uint64_t to, quad value, uint32_t bytes) {
  T each[16 / sizeof(T)];
  __builtin_memcpy(each, &value, 16);
#pragma unroll
  for (uint32_t i = 0; i < 16 / sizeof(T); ++i)
    if ((i + 1) * sizeof(T) <= bytes) Op::one((PORTER_GLOBAL T*)(to) + i, each[i]);
}
// Pairs of halves; one outside gets what changes nothing.
template <class Op>
__device__ inline void reduce_halves(uint64_t to, quad value, uint32_t bytes) {
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i)
    if (bytes == 4 * i + 2) value[i] = (value[i] & 0xffffu) | Op::nothing << 16;
  reduce_bytes<Op, uint32_t>(to, value, (bytes + 2) & ~3u);
}
}  // namespace detail

template <class Op, class T, class D, class S>
__device__ inline void bulk_reduce(D to, S from, uint32_t bytes) {
  const uint64_t destination = address(to);
  const uint32_t source = cvta_generic_to_shared(from);
  detail::each_issuer([=](unsigned lane) {
    const uint64_t d = detail::of_lane64(destination, lane);
    const uint32_t s = detail::of_lane(source, lane), n = detail::of_lane(bytes, lane);
    detail::move_chunks(0, n / 16, [=](uint32_t k) { return detail::shared_quad(s)[k]; },
                        [=](uint32_t k, detail::quad value, bool mine) { detail::reduce_bytes<Op, T>(d + 16 * k, value, mine ? 16 : 0); });
  });
}

// cp.async.mbarrier.arrive: the copies before it were made at once, so what is left is an arrival. Without .noinc the
// barrier first expects one more, so that the arrival changes nothing but may complete the phase.
template <class B>
__device__ inline void cp_async_arrive_noinc(B bar) {
  mbarrier_arrive(bar);
}
template <class B>
__device__ inline void cp_async_arrive([[maybe_unused]] B bar) {
  ptx_detail::fence_release<cta>();
}

}  // namespace porter

#endif  // PORTER_ASYNC_COPY_H
