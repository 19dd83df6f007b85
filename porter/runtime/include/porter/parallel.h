// porter runtime: the few kernels that the stand-ins for hipCUB and rocThrust are made of.
//
// Plain rather than quick: they are for the emulator, where ROCm's libraries cannot run. Order is kept
// everywhere, so operators need to be associative and nothing more.
#ifndef PORTER_PARALLEL_H
#define PORTER_PARALLEL_H

#include <hip/hip_runtime.h>

#include <cstddef>

namespace porter {
namespace parallel {

constexpr unsigned block = 256;
// These kernels are the same in all units: no mirrored warps (mirror.h).
__device__ inline unsigned thread() { return __builtin_amdgcn_workitem_id_x(); }

template <class F>
__global__ void each_kernel(size_t n, F f) {
  for (size_t i = blockIdx.x * size_t(block) + thread(); i < n; i += size_t(gridDim.x) * block) f(i);
}
// f(i) for every i below n.
template <class F>
hipError_t each(size_t n, F f, hipStream_t stream = nullptr) {
  if (n == 0) return hipSuccess;
  size_t blocks = (n + block - 1) / block;
  if (blocks > 1024) blocks = 1024;  // not in the launch: torch's hipify reads no `<` there
  each_kernel<<<dim3(unsigned(blocks)), dim3(block), 0, stream>>>(n, f);
  return hipGetLastError();
}

// Room in LDS for objects that may have constructors.
template <class T, unsigned N>
struct room {
  alignas(T) unsigned char bytes[N * sizeof(T)];
  __device__ T &operator[](unsigned i) { return reinterpret_cast<T *>(bytes)[i]; }
};

template <class In, class Done, class T, class Op>
__global__ void reduce_kernel(In in, size_t n, T init, Op op, Done done) {
  __shared__ room<T, block> parts;
  size_t chunk = (n + block - 1) / block, first = thread() * chunk, last = first + chunk < n ? first + chunk : n;
  if (first < n) {
    T sum = in(first);
    for (size_t i = first + 1; i < last; ++i) sum = op(sum, in(i));
    parts[thread()] = sum;
  }
  __syncthreads();
  if (thread() != 0) return;
  T total = init;
  for (unsigned t = 0; t < block && t * chunk < n; ++t) total = op(total, parts[t]);
  done(total);
}
// done(init op in(0) op in(1) ...), on the device.
template <class In, class Done, class T, class Op>
hipError_t reduce(In in, size_t n, T init, Op op, Done done, hipStream_t stream = nullptr) {
  reduce_kernel<<<dim3(1), dim3(block), 0, stream>>>(in, n, init, op, done);
  return hipGetLastError();
}

template <class In, class Put, class T, class Op>
__global__ void scan_kernel(In in, size_t n, bool inclusive, bool with_init, T init, Op op, Put put) {
  __shared__ room<T, block> parts;
  size_t chunk = (n + block - 1) / block, first = thread() * chunk, last = first + chunk < n ? first + chunk : n;
  if (first < n) {
    T sum = in(first);
    for (size_t i = first + 1; i < last; ++i) sum = op(sum, in(i));
    parts[thread()] = sum;
  }
  __syncthreads();
  if (first >= n) return;
  T before = init;
  bool has = with_init;
  for (unsigned t = 0; t < thread(); ++t) {
    before = has ? op(before, parts[t]) : parts[t];
    has = true;
  }
  for (size_t i = first; i < last; ++i) {
    T value = in(i);
    T after = has ? op(before, value) : value;
    put(i, inclusive ? after : before);
    before = after;
    has = true;
  }
}
// put(i, the sum up to i); in and put may be the same places. An exclusive scan needs an init.
template <class In, class Put, class T, class Op>
hipError_t scan(In in, size_t n, bool inclusive, bool with_init, T init, Op op, Put put, hipStream_t stream = nullptr) {
  if (n == 0) return hipSuccess;
  scan_kernel<<<dim3(1), dim3(block), 0, stream>>>(in, n, inclusive, with_init, init, op, put);
  return hipGetLastError();
}

}  // namespace parallel
}  // namespace porter

#endif  // PORTER_PARALLEL_H
