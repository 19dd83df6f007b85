// porter kittens: ThunderKittens' prototype lcsc. The last blocks of the grid communicate; in each of the others one thread
// loads, one stores, and the remaining warpgroups compute.
#ifndef PORTER_KITTENS_LCSC_H
#define PORTER_KITTENS_LCSC_H

#include "prototype.h"

namespace kittens::prototype::lcsc {

namespace detail {

template <class T>
constexpr int wanted = sizeof(typename T::comm_smem) > sizeof(typename T::comp_smem) ? sizeof(typename T::comm_smem)
                                                                                     : sizeof(typename T::comp_smem);
constexpr int room = kittens::MAX_SHARED_MEMORY - 2048;
template <class T>
constexpr bool in_lds = wanted<T> <= room;

template <class Regs>
__device__ inline Regs registers_of(int worker, int comm_workers, int comp_workers) {
  return {.worker_id = worker, .comm_workers = comm_workers, .comp_workers = comp_workers};
}
template <class Regs, class F>
__device__ inline void each_task(Regs& regs, F task) {
  for (regs.task_id = regs.task_offset; regs.task_id < regs.num_tasks; regs.task_id += regs.task_stride) task();
}

template <class T, class Globals>
__device__ inline void communicate(const Globals& globals, char* memory, int comp_workers) {
  __shared__ typename T::comm_sem sem;
  auto& smem = *reinterpret_cast<typename T::comm_smem*>(memory);
  auto regs = registers_of<typename T::comm_regs>(int(blockIdx.x) - comp_workers, globals.num_comm_sms, comp_workers);
  T::comm_setup(globals, sem, smem, regs);
  each_task(regs, [&] { T::communicator(globals, sem, smem, regs); });
}
template <class Config, class T, class Globals>
__device__ inline void compute(const Globals& globals, char* memory, int comp_workers) {
  __shared__ typename T::comp_sem sem;
  auto& smem = *reinterpret_cast<typename T::comp_smem*>(memory);
  auto regs = registers_of<typename T::comp_regs>(int(blockIdx.x), globals.num_comm_sms, comp_workers);
  T::comp_setup(globals, sem, smem, regs);
  if (warpgroup::groupid() < Config::NUM_WARPGROUPS - 1) {
    each_task(regs, [&] { T::consumer(globals, sem, smem, regs); });
  } else if (laneid() == 0) {
    if (warpgroup::warpid() == 0) each_task(regs, [&] { T::loader(globals, sem, smem, regs); });
    if (warpgroup::warpid() == 1) each_task(regs, [&] { T::storer(globals, sem, smem, regs); });
  }
}
template <class Config, class T, class Globals>
__device__ inline void run(const Globals& globals, char* memory) {
  const int comp_workers = int(gridDim.x) - globals.num_comm_sms;
  if (int(blockIdx.x) >= comp_workers) communicate<T>(globals, memory, comp_workers);
  else compute<Config, T>(globals, memory, comp_workers);
}

}  // namespace detail

template <class Config, class Globals, class T>
__global__ __launch_bounds__(Config::NUM_THREADS) void main_kernel(const Globals globals) {
  static_assert(Config::NUM_THREADS == Config::NUM_WARPGROUPS * WARPGROUP_THREADS,
                "a block has whole warpgroups: count its threads by WARP_THREADS or WARPGROUP_THREADS");
  static_assert(Config::NUM_THREADS <= 1024, "a block has at most 16 warps");
  extern __shared__ __align__(1024) char porter_prototype_memory[];
  begin();
#ifdef PORTER_DEVICE_SHARED
  if constexpr (!detail::in_lds<T>) {
    using slot = porter::block_with_slot<T, detail::wanted<T>>;
    detail::run<Config, T>(globals, slot::begin());
    return slot::end();
  }
  const porter::block_in_lds in_lds;
#else
  static_assert(prototype::detail::lds_for<T, detail::wanted<T>, detail::room>::fits,
                "the shared memory of a block does not fit into LDS: PORTER_DEVICE_SHARED puts it into device memory");
#endif
  detail::run<Config, T>(globals, porter_prototype_memory);
}

// Asks for what the blocks use, whatever the source asks for. As the original, it ends the program where that fails.
template <class Config, class Globals, class T>
inline void launch_kernel(const Globals& globals, hipStream_t stream = nullptr) {
  dim3 grid;
  if constexpr (requires { Config::NUM_BLOCKS; }) grid = dim3(Config::NUM_BLOCKS);
  else grid = globals.grid();
  constexpr int bytes = detail::in_lds<T> ? detail::wanted<T> : 0;
  main_kernel<Config, Globals, T><<<grid, Config::NUM_THREADS, bytes, stream>>>(globals);
  CUDACHECK(hipGetLastError());
}

}  // namespace kittens::prototype::lcsc

#endif  // PORTER_KITTENS_LCSC_H
