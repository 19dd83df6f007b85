// porter runtime: the sorts of the stand-ins for hipCUB and rocThrust (parallel.h). All are stable.
#ifndef PORTER_PARALLEL_SORT_H
#define PORTER_PARALLEL_SORT_H

#include "parallel.h"

#include <type_traits>

namespace porter {
namespace parallel {

// A value where there is none.
struct nothing {};

// Where item i goes when the sorted runs of `width` are merged by twos: found by halving.
template <class Keys, class Less>
__device__ inline size_t merged_place(Keys keys, size_t i, size_t n, size_t width, Less less) {
  size_t run = i / (2 * width) * (2 * width), mid = run + width < n ? run + width : n;
  size_t end = run + 2 * width < n ? run + 2 * width : n;
  bool left = i < mid;
  size_t low = left ? mid : run, high = left ? end : mid, start = low;
  while (low < high) {
    size_t at = low + (high - low) / 2;
    if (left ? less(keys[at], keys[i]) : !less(keys[i], keys[at]))
      low = at + 1;
    else
      high = at;
  }
  return left ? i + (low - start) : run + (i - mid) + (low - start);
}
template <class K, class V, class Less>
hipError_t merge_pass(const K *keys, K *keys_out, const V *values, V *values_out, size_t n, size_t width, Less less, hipStream_t stream) {
  return each(
      n,
      [=] __device__(size_t i) {
        size_t place = merged_place(keys, i, n, width, less);
        keys_out[place] = keys[i];
        if constexpr (sizeof(V) > 1 || !__is_empty(V)) values_out[place] = values[i];
      },
      stream);
}
template <class K, class V>
hipError_t copy_pairs(const K *keys, K *keys_out, const V *values, V *values_out, size_t n, hipStream_t stream) {
  return each(
      n,
      [=] __device__(size_t i) {
        keys_out[i] = keys[i];
        if constexpr (sizeof(V) > 1 || !__is_empty(V)) values_out[i] = values[i];
      },
      stream);
}
// Sorts in place, with as much room again.
template <class K, class V, class Less>
hipError_t merge_sort(K *keys, K *more_keys, V *values, V *more_values, size_t n, Less less, hipStream_t stream = nullptr) {
  K *from = keys, *to = more_keys;
  V *values_from = values, *values_to = more_values;
  for (size_t width = 1; width < n; width *= 2) {
    hipError_t error = merge_pass(from, to, values_from, values_to, n, width, less, stream);
    if (error != hipSuccess) return error;
    K *k = from;
    from = to;
    to = k;
    V *v = values_from;
    values_from = values_to;
    values_to = v;
  }
  return from == keys ? hipSuccess : copy_pairs(from, keys, values_from, values, n, stream);
}

// The order of the bits from begin to end, the sign bit turned so that all numbers come in order; the zeros are equal.
template <class K>
struct RadixLess {
  int begin, end;
  bool down;
  __device__ unsigned long long bits(const K &k) const {
    unsigned long long b = 0, top = 1ull << (sizeof(K) * 8 - 1);
    __builtin_memcpy(&b, &k, sizeof(K));
    if (std::is_floating_point<K>::value || !std::is_arithmetic<K>::value) {
      if (b == top) b = 0;
      b = b & top ? ~b : b | top;
    } else if (std::is_signed<K>::value) {
      b ^= top;
    }
    if (down) b = ~b;
    b >>= begin;
    return end - begin >= 64 ? b : b & ((1ull << (end - begin)) - 1);
  }
  __device__ bool operator()(const K &a, const K &b) const { return bits(a) < bits(b); }
  // Four bits, the lowest first.
  __device__ unsigned digit(const K &k, int pass) const { return unsigned(bits(k) >> (4 * pass)) & 15u; }
};

constexpr unsigned digits = 16, own_items = 8, tile = block * own_items;

// counts[digit * gridDim.x + block]: how often the digit comes in the part of a block.
template <class K>
__global__ void count_digits(const K *keys, size_t n, size_t part, RadixLess<K> less, int pass, unsigned *counts) {
  __shared__ unsigned found[digits];
  if (thread() < digits) found[thread()] = 0;
  __syncthreads();
  size_t first = blockIdx.x * part, last = first + part < n ? first + part : n;
  for (size_t i = first + thread(); i < last; i += block) {
    // an addition that no unit of mirrored warps gives another meaning
    __hip_atomic_fetch_add(&found[less.digit(keys[i], pass)], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  __syncthreads();
  if (thread() < digits) counts[thread() * gridDim.x + blockIdx.x] = found[thread()];
}
// A tile at a time: each thread has some items that follow one another, and counts its digits before all place theirs.
template <class K, class V>
__global__ void place_digits(const K *keys, K *keys_out, const V *values, V *values_out, size_t n, size_t part, RadixLess<K> less,
                             int pass, const unsigned *starts) {
  __shared__ unsigned short places[digits * block];
  __shared__ unsigned sums[block], next[digits];
  if (thread() < digits) next[thread()] = starts[thread() * gridDim.x + blockIdx.x];
  size_t end = (blockIdx.x + 1) * part < n ? (blockIdx.x + 1) * part : n;
  for (size_t start = blockIdx.x * part; start < end; start += tile) {
    for (unsigned d = 0; d < digits; ++d) places[d * block + thread()] = 0;
    size_t first = start + thread() * own_items, last = first + own_items < end ? first + own_items : end;
    for (size_t i = first; i < last; ++i) ++places[less.digit(keys[i], pass) * block + thread()];
    __syncthreads();
    unsigned sum = 0;
    for (unsigned k = thread() * digits; k < (thread() + 1) * digits; ++k) {
      unsigned count = places[k];
      places[k] = static_cast<unsigned short>(sum);
      sum += count;
    }
    sums[thread()] = sum;
    __syncthreads();
    for (unsigned step = 1; step < block; step *= 2) {
      unsigned other = thread() >= step ? sums[thread() - step] : 0;
      __syncthreads();
      sums[thread()] += other;
      __syncthreads();
    }
    unsigned before = sums[thread()] - sum;
    for (unsigned k = thread() * digits; k < (thread() + 1) * digits; ++k) places[k] = static_cast<unsigned short>(places[k] + before);
    __syncthreads();
    unsigned begins[2] = {};  // of this thread's digit within the tile, and of the one after it
    if (thread() < digits) {
      begins[0] = places[thread() * block];
      begins[1] = thread() + 1 < digits ? places[(thread() + 1) * block] : sums[block - 1];
      next[thread()] -= begins[0];
    }
    __syncthreads();
    for (size_t i = first; i < last; ++i) {
      unsigned d = less.digit(keys[i], pass), place = next[d] + places[d * block + thread()]++;
      keys_out[place] = keys[i];
      if constexpr (sizeof(V) > 1 || !__is_empty(V)) values_out[place] = values[i];
    }
    __syncthreads();
    if (thread() < digits) next[thread()] += begins[1];
    __syncthreads();
  }
}

constexpr size_t radix_blocks(size_t n) {
  size_t tiles = (n + tile - 1) / tile;
  return tiles < 1 ? 1 : tiles < 64 ? tiles : 64;
}
// The bytes of room that radix_sort wants.
template <class K, class V>
size_t radix_room(size_t n) {
  return (radix_blocks(n) * digits * sizeof(unsigned) + 255) / 256 * 256 + (n * sizeof(K) + 255) / 256 * 256 + n * sizeof(V) + 256;
}
template <class K, class V>
hipError_t radix_sort(void *room, const K *keys, K *keys_out, const V *values, V *values_out, size_t n, RadixLess<K> less,
                      hipStream_t stream = nullptr) {
  size_t blocks = radix_blocks(n), part = ((n + blocks - 1) / blocks + tile - 1) / tile * tile;
  char *bytes = static_cast<char *>(room);
  unsigned *counts = reinterpret_cast<unsigned *>(bytes);
  bytes += (blocks * digits * sizeof(unsigned) + 255) / 256 * 256;
  K *more = reinterpret_cast<K *>(bytes);
  V *more_values = reinterpret_cast<V *>(bytes + (n * sizeof(K) + 255) / 256 * 256);
  int passes = (less.end - less.begin + 3) / 4;
  if (n == 0 || passes == 0) return copy_pairs(keys, keys_out, values, values_out, n, stream);
  for (int pass = 0; pass < passes; ++pass) {
    bool out = (passes - pass) % 2 == 1;  // the last one fills keys_out
    K *to = out ? keys_out : more;
    V *values_to = out ? values_out : more_values;
    count_digits<<<dim3(unsigned(blocks)), dim3(block), 0, stream>>>(keys, n, part, less, pass, counts);
    hipError_t error = scan([=] __device__(size_t i) { return counts[i]; }, blocks * digits, false, true, 0u,
                            [] __device__(unsigned a, unsigned b) { return a + b; },
                            [=] __device__(size_t i, unsigned sum) { counts[i] = sum; }, stream);
    if (error != hipSuccess) return error;
    place_digits<<<dim3(unsigned(blocks)), dim3(block), 0, stream>>>(keys, to, values, values_to, n, part, less, pass, counts);
    keys = to;
    values = values_to;
  }
  return hipGetLastError();
}

}  // namespace parallel
}  // namespace porter

#endif  // PORTER_PARALLEL_SORT_H
