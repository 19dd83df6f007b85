// porter runtime: tensor maps and the copies that they describe (cp.async.bulk.tensor, tile mode).
//
// A map keeps CUDA's name, size and alignment; what it holds is porter's own. Layout in shared memory, swizzle included, is
// Hopper's, as are the results of encoding (both compared with an H200's: tests/hopper). Rows shorter than the swizzle's
// span are padded to it. TFLOAT32 rounds on loading; the FTZ types change nothing.
#ifndef PORTER_TENSOR_MAP_H
#define PORTER_TENSOR_MAP_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "async_copy.h"

#define CU_TENSOR_MAP_NUM_QWORDS 16

enum CUtensorMapDataType_enum : int {
  CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_UINT64, CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
  CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
};
enum CUtensorMapInterleave_enum : int { CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B };
enum CUtensorMapSwizzle_enum : int {
  CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
};
enum CUtensorMapL2promotion_enum : int {
  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill_enum : int { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA };

using CUtensorMapDataType = CUtensorMapDataType_enum;
using CUtensorMapInterleave = CUtensorMapInterleave_enum;
using CUtensorMapSwizzle = CUtensorMapSwizzle_enum;
using CUtensorMapL2promotion = CUtensorMapL2promotion_enum;
using CUtensorMapFloatOOBfill = CUtensorMapFloatOOBfill_enum;

struct alignas(64) CUtensorMap_st {
  uint64_t opaque[CU_TENSOR_MAP_NUM_QWORDS];
};
using CUtensorMap = CUtensorMap_st;
static_assert(sizeof(CUtensorMap) == 128, "as in CUDA");

namespace porter {
namespace detail {

// The words of a map: 0-1 address, 2-6 size of each dimension, 7-11 elements of the box and their stride (bits 16-), 12-15
// low words of the byte strides, 16 their high bytes, 17-20 reciprocals of what a chunk's number is divided by, 21 the rest:
// bits 0-2 rank, 4-6 log2 of an element's size, 8-9 swizzle, 10 rounds to TF32, 12-15 type
// What follows from them (find_rows): 24 bit 31 whether a box is rows of a power of two of chunks, bits 0-4 that power, 8-9
// swizzle, 12-14 log2 of an element's size; 25 chunks of a box; 26 bytes from row to row of it; 27 and 28 the last
// coordinates of a box inside of the tensor; 29 bytes from row to row of the tensor
constexpr uint32_t map_words = 22, all_map_words = 30;

// n / d is reciprocal_quotient(n, reciprocal(d)) for n < 65536, d <= 4096.
__host__ __device__ inline uint32_t reciprocal(uint32_t d) { return ((1u << 31) + d - 1) / d; }
__device__ inline uint32_t reciprocal_quotient(uint32_t n, uint32_t r) { return __umulhi(n << 1, r); }

// Of maps of one or two dimensions. Other boxes are copied by planes.
__host__ __device__ inline void find_rows(uint32_t* words) {
  const uint32_t rank = words[21] & 7u, shift = words[21] >> 4 & 7u, swizzle = words[21] >> 8 & 3u;
  const uint32_t columns = words[7] & 0xffffu, row = (columns << shift) / 16, count = rank > 1 ? words[8] & 0xffffu : 1u;
  const uint32_t step = rank > 1 ? words[8] >> 16 : 1u, extent = (count - 1) * step;
  const uint32_t pitch = rank > 1 ? words[12] * step : 0u;
  const bool near = rank == 1 || (rank == 2 && (words[16] & 0xffu) == 0 && words[12] < 1u << 21 && uint64_t(pitch) * count < 1ull << 31);
  const bool whole = row != 0 && (row & (row - 1)) == 0 && (row <= 64 || count == 1) && (swizzle == 0 || row >= 1u << swizzle);
  const bool fits = columns <= words[2] && (rank == 1 || extent < words[3]);
  const bool rounds = (words[21] >> 10 & 1u) != 0;
  uint32_t log_row = 0;
  while (row >> log_row > 1) ++log_row;
  words[24] = log_row | swizzle << 8 | shift << 12 | uint32_t(near && whole && fits && !rounds) << 31;
  words[25] = row * count, words[26] = pitch;
  words[27] = rank > 1 ? words[3] - 1 - extent : 0, words[28] = words[2] - columns, words[29] = rank > 1 ? words[12] : 0;
}

inline bool encode_tiled(uint32_t (&words)[all_map_words], uint32_t type, uint32_t rank, uint64_t base, const uint64_t* dims,
                         const uint64_t* strides, const uint32_t* box, const uint32_t* steps, uint32_t swizzle) {
  static const uint8_t log_size[] = {0, 1, 2, 2, 3, 3, 1, 2, 3, 1, 2, 2, 2};
  const uint32_t shift = log_size[type];
  uint64_t bytes = 1u << shift;
  for (uint32_t i = 0; i < rank; ++i) {
    if (dims[i] == 0 || dims[i] > 1ull << 32 || box[i] == 0 || box[i] > 256 || steps[i] == 0 || steps[i] > 8) return false;
    if (i + 1 < rank && (strides[i] % 16 != 0 || strides[i] >= 1ull << 40)) return false;
    const uint32_t count = i == 0 ? box[0] : (box[i] + steps[i] - 1) / steps[i];
    bytes *= count;
    words[2 + i] = dims[i] < 1ull << 31 ? uint32_t(dims[i]) : 1u << 31;  // coordinates are below that
    words[7 + i] = count | (i == 0 ? 1u : steps[i]) << 16;
    if (i > 0) words[17 + i] = reciprocal(count);
    if (i + 1 < rank) {
      words[12 + i] = uint32_t(strides[i]);
      words[16] |= uint32_t(strides[i] >> 32) << 8 * i;
    }
  }
  const uint32_t inner = box[0] << shift;
  if (inner % 16 != 0 || (swizzle != 0 && inner > 16u << swizzle) || bytes > 1u << 18) return false;
  words[0] = uint32_t(base), words[1] = uint32_t(base >> 32);
  words[17] = reciprocal(inner / 16);
  const bool rounds = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 || type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
  words[21] = rank | shift << 4 | swizzle << 8 | uint32_t(rounds) << 10 | type << 12;
  find_rows(words);
  return true;
}

}  // namespace detail
}  // namespace porter

// Results as an H200's driver gives them, but for what has no port: interleaved layouts and filling with NaN.
inline hipError_t cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, uint32_t rank, void* address,
                                         const uint64_t* dims, const uint64_t* strides, const uint32_t* box,
                                         const uint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                         CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  const bool integer = unsigned(type) <= CU_TENSOR_MAP_DATA_TYPE_INT64;
  const uint64_t base = reinterpret_cast<uint64_t>(address);
  if (map == nullptr || reinterpret_cast<uintptr_t>(map) % 64 != 0 || unsigned(type) > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
    return hipErrorInvalidValue;
  if (rank < 1 || rank > 5 || base % 16 != 0 || !dims || !box || !steps || (rank > 1 && !strides)) return hipErrorInvalidValue;
  if (unsigned(interleave) > 2 || (interleave != 0 && rank < 3) || unsigned(swizzle) > 3) return hipErrorInvalidValue;
  if (unsigned(promotion) > 3 || unsigned(fill) > 1 || (fill != 0 && integer)) return hipErrorInvalidValue;
  if (interleave != 0 || fill != 0) return hipErrorNotSupported;
  uint32_t words[porter::detail::all_map_words] = {};
  if (!porter::detail::encode_tiled(words, unsigned(type), rank, base, dims, strides, box, steps, unsigned(swizzle)))
    return hipErrorInvalidValue;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, words, sizeof words);
  return hipSuccess;
}

inline hipError_t cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  if (map == nullptr || reinterpret_cast<uint64_t>(address) % 16 != 0) return hipErrorInvalidValue;
  map->opaque[0] = reinterpret_cast<uint64_t>(address);
  return hipSuccess;
}

// Maps for im2col are not encoded.
inline hipError_t cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, uint32_t, void*, const uint64_t*, const uint64_t*,
                                          const int*, const int*, uint32_t, uint32_t, const uint32_t*, CUtensorMapInterleave,
                                          CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return hipErrorNotSupported;
}

using PFN_cuTensorMapEncodeTiled = decltype(&cuTensorMapEncodeTiled);
using PFN_cuTensorMapEncodeTiled_v12000 = PFN_cuTensorMapEncodeTiled;
using PFN_cuTensorMapEncodeIm2col = decltype(&cuTensorMapEncodeIm2col);
using PFN_cuTensorMapEncodeIm2col_v12000 = PFN_cuTensorMapEncodeIm2col;

namespace porter {
namespace detail {

inline void* own_entry(const char* name) {
  if (std::strcmp(name, "cuTensorMapEncodeTiled") == 0) return reinterpret_cast<void*>(&cuTensorMapEncodeTiled);
  if (std::strcmp(name, "cuTensorMapReplaceAddress") == 0) return reinterpret_cast<void*>(&cuTensorMapReplaceAddress);
  return std::strcmp(name, "cuTensorMapEncodeIm2col") == 0 ? reinterpret_cast<void*>(&cuTensorMapEncodeIm2col) : nullptr;
}
template <class Status>
inline void tell(Status status, hipError_t error) {
  if constexpr (std::is_pointer_v<Status>)
    if (status) *status = std::remove_pointer_t<Status>(error == hipSuccess ? 0 : 1);  // success, symbol not found
}

}  // namespace detail

// The driver's functions by name: the encoder is porter's, the others are HIP's. Status: the query's result, or nothing.
template <class... Status>
inline hipError_t get_driver_entry_point(const char* name, void** function, unsigned long long flags, Status... status) {
  void* const own = detail::own_entry(name);
  const hipError_t error = own ? hipSuccess : hipGetDriverEntryPoint(name, function, flags, nullptr);
  if (own) *function = own;
  (detail::tell(status, error), ...);
  return error;
}
template <class... Status>
inline hipError_t get_driver_entry_point_by_version(const char* name, void** function, unsigned, unsigned long long flags,
                                                    Status... status) {
  return get_driver_entry_point(name, function, flags, status...);
}
template <class... Status>
inline hipError_t get_proc_address(const char* name, void** function, int, uint64_t flags, Status... status) {
  return get_driver_entry_point(name, function, flags, status...);
}


namespace detail {

// The part of a tensor that a box at some coordinates covers; the same in all lanes.
struct box_view {
  uint64_t base;
  uint32_t dims[5], counts[5], steps[5], reciprocals[4];
  uint64_t strides[4];
  int at[5];
  uint32_t rank, shift, swizzle, rounds;

  // From the words of a request: coordinates at 4, the map at 10.
  __device__ explicit box_view(const request& r) {
    const uint32_t* map = r.words + 10;
    base = map[0] | uint64_t(map[1]) << 32;
#pragma unroll
    for (int i = 0; i < 5; ++i) dims[i] = map[2 + i], counts[i] = map[7 + i] & 0xffffu, steps[i] = map[7 + i] >> 16, at[i] = int(r.words[4 + i]);
#pragma unroll
    for (int i = 0; i < 4; ++i) strides[i] = map[12 + i] | uint64_t(map[16] >> 8 * i & 0xffu) << 32, reciprocals[i] = map[17 + i];
    rank = map[21] & 7u, shift = map[21] >> 4 & 7u, swizzle = map[21] >> 8 & 3u, rounds = map[21] >> 10 & 1u;
  }
  __device__ uint32_t row_chunks() const { return (counts[0] << shift) / 16; }
  __device__ uint32_t chunks() const {
    uint32_t n = row_chunks();
#pragma unroll
    for (uint32_t i = 1; i < 5; ++i) n *= i < rank ? counts[i] : 1;
    return n;
  }
  __device__ bool padded() const { return swizzle != 0 && row_chunks() < 1u << swizzle; }

  // For a box whose rows do not start at 16 bytes in global memory the instruction is an illegal one, on an H200 too.
  __device__ void check() const {
    if ((uint32_t(at[0]) << shift) % 16 != 0) __builtin_trap();  // the box begins off 16 bytes: an illegal instruction
  }

  // Is the box inside of the tensor, of two dimensions at most, its rows a power of two of chunks? Then the copy is one
  // of rows.
  __device__ bool plain(rows& found) const {
    const uint32_t row = row_chunks();
    bool is = at[0] >= 0 && uint32_t(at[0]) + counts[0] <= dims[0] && (row & (row - 1)) == 0 && rounds == 0;
    uint64_t from = base + (uint64_t(int64_t(at[0])) << shift);
#pragma unroll
    for (uint32_t i = 1; i < 5; ++i) {
      if (i >= rank) break;
      is = is && at[i] >= 0 && uint32_t(at[i]) + (counts[i] - 1) * steps[i] < dims[i] && (i == 1 || counts[i] == 1);
      from += uint64_t(int64_t(at[i])) * strides[i - 1];
    }
    const uint64_t pitch = rank > 1 ? strides[0] * steps[1] : 0;
    found = {from, uint32_t(pitch), 31u - uint32_t(__builtin_clz(row)), swizzle};
    return is && pitch < 1u << 24 && pitch * (rank > 1 ? counts[1] : 1u) < 1ull << 31;
  }

  // Where a chunk is in global memory, and how many of its bytes are in the tensor. Rows start at multiples of 16 bytes,
  // as do boxes, so that a chunk may only end outside.
  __device__ uint64_t place(uint32_t chunk, uint32_t& bytes) const {
    uint32_t row = reciprocal_quotient(chunk, reciprocals[0]);
    const int first = at[0] + int((chunk - row * row_chunks()) << (4 - shift));
    const uint32_t left = uint32_t(first) < dims[0] ? dims[0] - uint32_t(first) : 0;
    bytes = left < 16u >> shift ? left << shift : 16;
    uint64_t where = base + (uint64_t(int64_t(first)) << shift);
#pragma unroll
    for (uint32_t i = 1; i < 5; ++i) {
      if (i >= rank) break;
      const uint32_t rest = i + 1 < rank ? reciprocal_quotient(row, reciprocals[i < 4 ? i : 3]) : 0;
      const int x = at[i] + int((row - rest * counts[i]) * steps[i]);
      row = rest;
      if (uint32_t(x) >= dims[i]) bytes = 0;
      where += uint64_t(int64_t(x)) * strides[i - 1];
    }
    return where;
  }
  // Where it is in the box, which starts at `to`.
  __device__ uint32_t shared(uint32_t to, uint32_t chunk) const {
    uint32_t offset = chunk * 16;
    if (padded()) {
      const uint32_t row = reciprocal_quotient(chunk, reciprocals[0]);
      offset = (row << (4 + swizzle)) + (chunk - row * row_chunks()) * 16;
    }
    const uint32_t place = to + offset;
    return place ^ (place >> 7 & ((1u << swizzle) - 1)) << 4;
  }
};

// The first bytes of a chunk, the others 0. Only at an edge that is not at 16 bytes, so the code is short, not fast.
__device__ inline quad load_part(uint64_t where, uint32_t bytes) {
  uint64_t low = 0, high = 0;
#pragma unroll 1
  for (uint32_t b = 0; b < bytes; ++b) {
    const uint64_t byte = uint64_t(((PORTER_GLOBAL uint8_t*)(where))[b]) << 8 * (b & 7);
    if (b < 8) low |= byte;
    else high |= byte;
  }
  return {uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)};
}
__device__ inline void store_part(uint64_t where, quad value, uint32_t bytes) {
  const uint64_t low = value[0] | uint64_t(value[1]) << 32, high = value[2] | uint64_t(value[3]) << 32;
#pragma unroll 1
  for (uint32_t b = 0; b < bytes; ++b) ((PORTER_GLOBAL uint8_t*)(where))[b] = uint8_t((b < 8 ? low : high) >> 8 * (b & 7));
}
__device__ inline uint32_t round_tf32(uint32_t x) {
  return (x & 0x7f800000u) == 0x7f800000u ? x : (x + 0xfffu + (x >> 13 & 1u)) & ~0x1fffu;
}

#ifdef PORTER_DEVICE_SHARED
template <>
struct tensor_copier<copies> {
  __device__ static inline void copy(uint32_t to, const request& r) {
    const box_view box(r);
    move_chunks(r.words[1], r.words[2],
                [&](uint32_t k) {
                  uint32_t bytes;
                  const uint64_t where = box.place(k, bytes);
                  quad value = {};
                  if (bytes == 16) value = *global_quad(where);
                  else if (bytes != 0) value = load_part(where, bytes);
                  return value;
                },
                [&](uint32_t k, quad value, bool) {
                  if (box.rounds)
                    for (int i = 0; i < 4; ++i) value[i] = round_tf32(value[i]);
                  *shared_quad(box.shared(to, k)) = value;
                });
  }
};

#else

// What of the rows of a plane of the box (its first two dimensions) is in the tensor: `rows` of them from `row` on.
struct plane {
  parts_of_rows parts;
  uint32_t row, rows;
  bool whole;

  __device__ plane(const box_view& box, uint64_t base) {
    const uint32_t row_bytes = box.row_chunks() * 16, step = box.rank > 1 ? box.steps[1] : 1;
    const uint32_t count = box.rank > 1 ? box.counts[1] : 1;
    const int before = box.at[0] < 0 ? 0 - box.at[0] : 0, after = int(box.dims[0]) - box.at[0];
    const uint32_t first = uint32_t(before) << box.shift, last = after < 0 ? 0 : uint32_t(after) << box.shift;
    const uint32_t end = after > int(box.counts[0]) ? row_bytes : last, begin = before > int(box.counts[0]) ? row_bytes : first;
    const int y = box.rank > 1 ? box.at[1] : 0, height = box.rank > 1 ? int(box.dims[1]) : 1;
    row = y < 0 ? (uint32_t(0 - y) + step - 1) / step : 0;
    const uint32_t until = y >= height ? 0 : (uint32_t(height - y) + step - 1) / step;
    const uint32_t stop = until < count ? until : count;
    rows = row < stop ? stop - row : 0;
    const uint64_t stride = box.rank > 1 ? box.strides[0] : 0;
    parts.pitch = stride * step;
    parts.from = base + (uint64_t(int64_t(box.at[0])) << box.shift) + uint64_t(int64_t(y)) * stride + row * parts.pitch;
    parts.to_pitch = box.padded() ? 16u << box.swizzle : row_bytes;
    parts.swizzle = box.swizzle;
    parts.first = begin, parts.bytes = begin < end ? end - begin : 0;
    whole = rows == count && parts.bytes == row_bytes;
  }
};

// A row ends in the middle of a word: the bytes of that word. By one lane; the code is short, not fast.
__device__ inline void ends_land(uint32_t to, const parts_of_rows& parts, uint32_t rows) {
  const uint32_t column = parts.first + (parts.bytes & ~3u), count = parts.bytes & 3u;
#pragma unroll 1
  for (uint32_t row = 0; row < rows; ++row) {
    const uint32_t at = to + row * parts.to_pitch + column;
    const uint32_t place = at ^ (at >> 7 & ((1u << parts.swizzle) - 1)) << 4;
    *(PORTER_SHARED uint32_t*)lds(place) = load_part(parts.from + row * parts.pitch + column, count)[0];
  }
}

// A box by planes. All lanes are on for each; what is outside of the tensor is 0.
__device__ inline void box_lands(uint32_t to, const box_view& box) {
  uint32_t planes = 1, at[3] = {};
  for (uint32_t i = 2; i < box.rank; ++i) planes *= box.counts[i];
  const uint32_t plane_bytes = (box.padded() ? 16u << box.swizzle : box.row_chunks() * 16) * (box.rank > 1 ? box.counts[1] : 1);
#pragma unroll 1
  for (uint32_t n = 0; n < planes; ++n, to += plane_bytes) {
    uint64_t base = box.base;
    bool inside = true;
#pragma unroll
    for (uint32_t i = 2; i < 5; ++i) {
      const int x = i < box.rank ? box.at[i] + int(at[i - 2] * box.steps[i]) : 0;
      inside = inside && (i >= box.rank || uint32_t(x) < box.dims[i]);
      base += i < box.rank ? uint64_t(int64_t(x)) * box.strides[i - 1] : 0;
    }
    const plane part(box, base);
    const bool whole = inside && part.whole;
    if (!whole) zeros_land(to, plane_bytes);
    if (inside) {
      parts_of_rows words = part.parts;
      words.bytes &= ~3u;
      const uint32_t first = to + part.row * words.to_pitch;
      parts_land(first, words, part.rows);
      if (part.parts.bytes % 4 != 0 && first_active_lane()) ends_land(first, part.parts, part.rows);
    }
    bool carry = true;
#pragma unroll
    for (uint32_t i = 2; i < 5; ++i)
      if (i < box.rank && carry) {
        carry = ++at[i - 2] == box.counts[i];
        if (carry) at[i - 2] = 0;
      }
  }
  if (box.rounds) round_landed(to - planes * plane_bytes, planes * plane_bytes);
}
#endif

// Is the box at these coordinates inside of the tensor, and its copy one of rows, as the map says? For the lane's own copy.
template <class M, class... C>
__device__ inline bool rows_of_box(M map, rows& found, uint32_t& chunks, C... at) {
  const auto words = reinterpret_cast<const quad*>(address(map));
  const quad first = words[0], kind = words[6], last = words[7];
  const uint32_t coordinates[] = {uint32_t(at)..., 0, 0};
  const uint32_t x = coordinates[0], y = sizeof...(C) > 1 ? coordinates[1] : 0, shift = kind[0] >> 12 & 7u;
  if ((x << shift) % 16 != 0) __builtin_trap();  // as box_view::check
  found = {(first[0] | uint64_t(first[1]) << 32) + (uint64_t(x) << shift) + uint64_t(y) * last[1], kind[2], kind[0] & 31u, kind[0] >> 8 & 3u};
  chunks = kind[1];
  return kind[0] >> 31 != 0 && x <= last[0] && y <= kind[3];
}

// What a lane's copy needs to know, and the same of another lane.
template <class M, class... C>
__device__ inline request tensor_copy(M map, C... at) {
  static_assert(sizeof...(C) >= 1 && sizeof...(C) <= 5, "a tensor has one to five dimensions");
  request r = {};
  r.words[3] = tensor_request;
  const uint32_t coordinates[] = {uint32_t(at)...};
#pragma unroll
  for (uint32_t i = 0; i < sizeof...(C); ++i) r.words[4 + i] = coordinates[i];
  const auto words = reinterpret_cast<const uint32_t*>(address(map));
#pragma unroll
  for (uint32_t i = 0; i < map_words; ++i) r.words[10 + i] = words[i];
  return r;
}
__device__ inline request of_lane(const request& r, unsigned lane) {
  request other;
#pragma unroll
  for (uint32_t i = 0; i < request_words; ++i) other.words[i] = of_lane(r.words[i], lane);
  return other;
}

// A map that the kernel changes, in shared or global memory (tensormap.replace). Boxes are replaced where the traversal's
// stride is 1; a map of another type or swizzle has to be encoded on the host.
enum map_field { map_address, map_rank, map_box, map_dim, map_stride };

}  // namespace detail

template <detail::map_field Field, class M>
__device__ inline void tensormap_replace(M map, uint64_t value, [[maybe_unused]] uint32_t i = 0) {
  const auto words = reinterpret_cast<uint32_t*>(address(map));
  const uint32_t low = uint32_t(value);
  if constexpr (Field == detail::map_address) words[0] = low, words[1] = uint32_t(value >> 32);
  if constexpr (Field == detail::map_rank) words[21] = (words[21] & ~7u) | (low + 1);  // PTX counts from 0
  if constexpr (Field == detail::map_dim) words[2 + i] = low == 0 || low >> 31 ? 1u << 31 : low;
  if constexpr (Field == detail::map_stride) {
    words[12 + i] = low;
    words[16] = (words[16] & ~(0xffu << 8 * i)) | (uint32_t(value >> 32) & 0xffu) << 8 * i;
  }
  if constexpr (Field == detail::map_box) {
    if (words[7 + i] >> 16 != 1) __builtin_trap();
    words[7 + i] = low | 1u << 16;
    words[17 + i] = detail::reciprocal(i > 0 ? low : (low << (words[21] >> 4 & 7u)) / 16);
  }
  if constexpr (Field != detail::map_address) words[24] = 0;  // until tensormap_copy: other threads may replace more of it
}
// tensormap.cp_fenceproxy: the warp copies the map, whoever acquires it later sees it.
template <class D, class S>
__device__ inline void tensormap_copy(D to, S from) {
  const unsigned lane = logical_lane(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)));
  auto* const out = reinterpret_cast<uint32_t*>(address(to));
  const auto word = [place = cvta_generic_to_shared(from)](uint32_t i) { return *ptx_detail::at<uint32_t>(lds(place) + 4 * i); };
  if (lane < detail::map_words || lane >= detail::all_map_words) out[lane] = word(lane);
  if (lane == detail::map_words) {
    uint32_t words[detail::all_map_words] = {};
#pragma unroll
    for (uint32_t i = 0; i < detail::map_words; ++i) words[i] = word(i);
    detail::find_rows(words);
#pragma unroll
    for (uint32_t i = detail::map_words; i < detail::all_map_words; ++i) out[i] = words[i];
  }
  __threadfence();
}

namespace detail {
// A copy that is not one of rows inside of the tensor.
template <class Kind = copies>
__device__ __attribute__((noinline, cold)) void load_box(uint32_t to, uint32_t bar, request r) {
  const box_view box(r);
  box.check();
  const uint32_t chunks = box.chunks();
#ifdef PORTER_DEVICE_SHARED
  rows simple;
  if (box.plain(simple) && !box.padded()) return copy_rows(bar, to, simple, chunks);
  if (!box.padded() && chunks * 16 >= request_bytes) {
    if (first_active_lane()) leave_request<request_words>(bar, to, chunks, r);
    return;
  }
  r.words[1] = 0, r.words[2] = chunks;
  tensor_copier<Kind>::copy(to, r);
#else
  box_lands(to, box);
#endif
  bytes_arrived(bar, chunks * 16);
}
}  // namespace detail

template <class D, class M, class B, class... C>
__device__ inline void tensor_load(D to, M map, B bar, C... at) {
  const uint32_t place = cvta_generic_to_shared(bar), destination = cvta_generic_to_shared(to);
  detail::rows own;
  uint32_t own_chunks;
  const bool plain = detail::rows_of_box(map, own, own_chunks, at...);
  detail::each_issuer([&](unsigned lane) {
    const uint32_t b = detail::of_lane(place, lane), d = detail::of_lane(destination, lane);
    if (__builtin_expect(detail::of_lane(plain, lane) == 0, 0))
      return detail::load_box(d, b, detail::of_lane(detail::tensor_copy(map, at...), lane));
    const detail::rows source = {detail::of_lane64(own.from, lane), detail::of_lane(own.pitch, lane),
                                 detail::of_lane(own.log_row, lane), detail::of_lane(own.swizzle, lane)};
    detail::copy_rows(b, d, source, detail::of_lane(own_chunks, lane));
  });
}

namespace detail {
// `Whole`: chunks are written as they are, so that the copy may be one of rows.
template <bool Whole, class M, class S, class Put, class... C>
__device__ inline void tensor_out(M map, S from, Put put, C... at) {
  const request mine = tensor_copy(map, at...);
  const uint32_t source = cvta_generic_to_shared(from);
  each_issuer([&](unsigned lane) {
    const request r = of_lane(mine, lane);
    const uint32_t s = of_lane(source, lane);
    const box_view box(r);
    box.check();
    rows simple;
    if (Whole && box.plain(simple) && !box.padded()) return rows_from_shared(simple, s, box.chunks());
    move_chunks(0, box.chunks(), [&](uint32_t k) { return *shared_quad(box.shared(s, k)); },
                [&](uint32_t k, quad value, bool wanted) {
                  uint32_t bytes;
                  const uint64_t where = box.place(k, bytes);
                  if (wanted) put(where, value, bytes, r.words[10 + 21] >> 12 & 15u);
                });
  });
}

template <class Op>
__device__ inline void reduce_typed(uint64_t where, quad value, uint32_t bytes, uint32_t type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_INT32: return reduce_bytes<Op, int32_t>(where, value, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_UINT64: return reduce_bytes<Op, uint64_t>(where, value, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_INT64: return reduce_bytes<Op, int64_t>(where, value, bytes);
    default: return reduce_bytes<Op, uint32_t>(where, value, bytes);
  }
}
}  // namespace detail

// Elements outside the tensor are not written. (An H200 writes the rest of the 16 bytes at the edge of a row, too.)
template <class M, class S, class... C>
__device__ inline void tensor_store(M map, S from, C... at) {
  detail::tensor_out<true>(map, from,
                     [](uint64_t where, detail::quad value, uint32_t bytes, uint32_t) {
                       if (bytes == 16) *detail::global_quad(where) = value;
                       else detail::store_part(where, value, bytes);
                     },
                     at...);
}
template <class Op, class M, class S, class... C>
__device__ inline void tensor_reduce(M map, S from, C... at) {
  detail::tensor_out<false>(map, from,
                     [](uint64_t where, detail::quad value, uint32_t bytes, uint32_t type) {
                       if constexpr (std::is_same_v<Op, reduce::add>) {
                         if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16) return detail::reduce_halves<reduce::add_f16>(where, value, bytes);
                         if (type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16) return detail::reduce_halves<reduce::add_bf16>(where, value, bytes);
                         if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT64) return detail::reduce_bytes<Op, double>(where, value, bytes);
                         if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 || type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ)
                           return detail::reduce_bytes<Op, float>(where, value, bytes);
                       }
                       constexpr bool low = std::is_same_v<Op, reduce::min>;
                       if constexpr (low || std::is_same_v<Op, reduce::max>) {
                         using f16 = std::conditional_t<low, reduce::min_f16, reduce::max_f16>;
                         using bf16 = std::conditional_t<low, reduce::min_bf16, reduce::max_bf16>;
                         if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16) return detail::reduce_halves<f16>(where, value, bytes);
                         if (type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16) return detail::reduce_halves<bf16>(where, value, bytes);
                         if (type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT32) __builtin_trap();  // not of wider ones
                       }
                       if constexpr (std::is_same_v<Op, reduce::inc> || std::is_same_v<Op, reduce::dec>)
                         detail::reduce_bytes<Op, uint32_t>(where, value, bytes);
                       else
                         detail::reduce_typed<Op>(where, value, bytes, type);
                     },
                     at...);
}

}  // namespace porter

#endif  // PORTER_TENSOR_MAP_H
