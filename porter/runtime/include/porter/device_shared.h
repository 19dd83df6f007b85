// porter runtime: dynamic shared memory that LDS is too small for lies in device memory, in a unit that defines
// PORTER_DEVICE_SHARED. The kernel is right, and slower: what was an access to LDS is one to the caches of global memory.
//
// A unit has slots in device memory, as many as blocks can be resident at once. A block takes one as it begins and gives
// it back when its last thread ends. What a block leaves there is undefined for the next, as in shared memory.
//
// 32-bit shared addresses stay. Below `window`, where dynamic LDS would begin, they are offsets into LDS, in which static
// variables stay; above they go on into the block's slot. A Hopper block has 227 KiB of both together, so that they fit
// into the 18 bits of a matrix descriptor. These are also the low bits of the generic address, of which some sources make
// descriptors: each slot has 256 KiB of addresses, and begins where the window does in them.
//
// Where PORTER_DEVICE_SHARED is 2, launches of some kernels decide when they know how much they ask for (block_in_either).
#ifndef PORTER_DEVICE_SHARED_H
#define PORTER_DEVICE_SHARED_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <type_traits>

namespace porter {

#ifndef PORTER_DEVICE_SHARED

// A header's kernels and launches in a unit whose dynamic shared memory fits.
template <class Array>
__device__ inline Array& dynamic_shared() {
  extern __shared__ __align__(1024) unsigned char dynamic_shared_memory[];
  return *reinterpret_cast<Array*>(dynamic_shared_memory);
}
template <class Array>
__device__ inline Array& dynamic_shared_of_block() {
  return dynamic_shared<Array>();
}
template <class Array>
__device__ inline Array& dynamic_shared_of_launch() {
  return dynamic_shared<Array>();
}
struct block_in_lds {
  __device__ block_in_lds() {}
};
struct block_in_device_memory {
  __device__ block_in_device_memory() {}
};
template <class Body>
__device__ inline __attribute__((always_inline)) void block_in_either(Body body) {
  body();
}
template <class Bytes>
inline Bytes device_shared(Bytes bytes) {
  return bytes;
}
template <size_t, class Bytes>
inline Bytes device_shared_over(Bytes bytes) {
  return bytes;
}
template <size_t>
inline size_t most_shared(size_t bytes) {
  return bytes;
}

#else

namespace detail {

constexpr uint32_t hopper_shared = 228 << 10, hopper_reserved = 1 << 10, lds_bytes = 64 << 10, slot_bytes = 256 << 10;

struct shared_pool {
  uint64_t taken, slots;  // a word for each slot, not 0 while a block has it; the slots
  uint32_t count;
};
struct shared_block {
  uint64_t taken, origin;   // the word of the block's slot; its slot, less the window
  uint32_t window, bytes;   // the first shared address in the slot; of a kernel without one behind all of them
  uint32_t threads, unused;  // that have not ended
};

namespace {  // each unit has its own
__device__ shared_pool pool_of_unit;
}

__device__ inline __attribute__((address_space(3))) shared_block* block_shared() {
  __shared__ shared_block block;
  auto place = (__attribute__((address_space(3))) shared_block*)(&block);
#if PORTER_DEVICE_SHARED > 1
  asm volatile("" : "+v"(place));  // nothing is read ahead of the branch on in_lds_alone(): there nobody has written it
#endif
  return place;
}
__device__ inline uint32_t same(uint32_t value) { return uint32_t(__builtin_amdgcn_readfirstlane(int(value))); }
__device__ inline uint64_t same64(uint64_t value) {
  return same(uint32_t(value)) | uint64_t(same(uint32_t(value >> 32))) << 32;
}
__device__ inline uint32_t block_window() { return same(block_shared()->window); }
__device__ inline uint64_t block_slot() { return same64(block_shared()->origin) + block_window(); }
__device__ inline bool first_thread() {
  return (__builtin_amdgcn_workitem_id_x() | __builtin_amdgcn_workitem_id_y() | __builtin_amdgcn_workitem_id_z()) == 0;
}

// What launches with slots ask for leaves this remainder, and no other launch of a kernel that decides does.
constexpr size_t slot_steps = 512, slot_rest = 1;

// Has the block no slot for sure? It is the same in a launch, and the compiler sees that: behind a branch on it, it knows.
__device__ inline bool in_lds_alone() {
#if PORTER_DEVICE_SHARED > 1
  const auto arguments = (const __attribute__((address_space(4))) uint32_t*)__builtin_amdgcn_implicitarg_ptr();
  constexpr int dynamic_lds_size = 30;  // its word
  return arguments[dynamic_lds_size] % slot_steps != slot_rest;
#else
  return false;
#endif
}

// Does a generic address lie in the block's slot?
__device__ inline bool in_slot(uint64_t address) {
  if (in_lds_alone()) return false;
  const auto block = block_shared();
  return address - block_slot() < same(block->bytes);
}
// The 32-bit shared address of a generic one, and the other way round.
__device__ inline uint32_t shared_place(uint64_t address) {
  if (in_lds_alone() || __builtin_amdgcn_is_shared(reinterpret_cast<const void*>(address))) return uint32_t(address);
  return uint32_t(address - same64(block_shared()->origin));
}
__device__ inline char* shared_generic(uint32_t place) {
  if (in_lds_alone() || place < block_window()) return (char*)(__attribute__((address_space(3))) char*)(uintptr_t(place));
  return (char*)(__attribute__((address_space(1))) char*)(same64(block_shared()->origin) + place);
}

// The number of a free slot, the first from `number` on, which one thread takes for its block; it waits for one.
__device__ inline uint32_t take_slot(uint32_t* words, uint32_t count, uint32_t number) {
  const auto taken = (__attribute__((address_space(1))) uint32_t*)(words);
  uint32_t at = number % count;
  while (__hip_atomic_exchange(taken + at, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != 0) {
    at = at + 1 < count ? at + 1 : 0;
    __builtin_amdgcn_s_sleep(1);
  }
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  block_shared()->taken = uint64_t(taken + at);
  return at;
}
__device__ inline void free_slot() {
  const auto taken = (__attribute__((address_space(1))) uint32_t*)(block_shared()->taken);
  __hip_atomic_store(taken, 0u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

}  // namespace detail

// First in a kernel of the unit that has all its shared memory in LDS.
struct block_in_lds {
  __device__ block_in_lds() {
    const auto block = detail::block_shared();
    if (detail::first_thread()) block->window = ~0u, block->bytes = 0, block->origin = 0;
    __syncthreads();
  }
};

// First in a kernel that has its dynamic shared memory in a slot.
struct block_in_device_memory {
  __device__ block_in_device_memory() {
    extern __shared__ __align__(1024) unsigned char dynamic_shared_memory[];
    if (detail::in_lds_alone()) __builtin_trap();  // launched by who did not ask device_shared()
    const auto block = detail::block_shared();
    if (detail::first_thread()) {
      const detail::shared_pool pool = detail::pool_of_unit;
      if (pool.count == 0) __builtin_trap();  // launched by who did not ask device_shared()
      const uint32_t number = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
      const uint32_t at = detail::take_slot((uint32_t*)pool.taken, pool.count, number);
      constexpr uint32_t slot = detail::slot_bytes;
      const uint32_t window = uint32_t(reinterpret_cast<uintptr_t>((__attribute__((address_space(3))) unsigned char*)dynamic_shared_memory));
      block->origin = pool.slots + uint64_t(at) * slot;
      block->window = window, block->bytes = slot - window;
      block->threads = blockDim.x * blockDim.y * blockDim.z;
    }
    __syncthreads();
  }
  // Threads end where they like.
  __device__ ~block_in_device_memory() {
    const auto block = detail::block_shared();
    if (__hip_atomic_fetch_sub(&block->threads, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP) == 1) detail::free_slot();
  }
  block_in_device_memory(const block_in_device_memory&) = delete;
  block_in_device_memory& operator=(const block_in_device_memory&) = delete;
};

// All of a kernel that has its dynamic shared memory in LDS if the launch asks for no more, else in a slot. The compiler
// makes the body twice; in the first one accesses are LDS's.
template <class Body>
__device__ inline __attribute__((always_inline)) void block_in_either(Body body) {
  extern __shared__ __align__(1024) unsigned char dynamic_shared_memory[];
  if (detail::in_lds_alone()) {
    asm volatile("" ::"v"(uint32_t(reinterpret_cast<uintptr_t>(
        (__attribute__((address_space(3))) unsigned char*)dynamic_shared_memory))));  // or its size is not passed
    body();
  } else {
    const block_in_device_memory porter_block;
    body();
  }
}

// First in a kernel that has a part of its shared memory in device memory, of a size that is known. The slots are the
// kernel's own, so that no launch has to ask for them; more blocks than there are slots wait for each other.
template <class Kernel, uint32_t Bytes>
struct block_with_slot {
  static constexpr uint32_t slots = 512;
  struct pool {
    alignas(1024) char memory[slots][Bytes];
    uint32_t taken[slots];
  };
  static __device__ pool pool_of_kernel;

  // The slot. Its shared addresses follow those of LDS.
  __device__ static char* begin() {
    const auto block = detail::block_shared();
    if (detail::first_thread()) {
      const uint32_t at = detail::take_slot(pool_of_kernel.taken, slots, blockIdx.x);
      block->origin = uint64_t(pool_of_kernel.memory[at]) - detail::lds_bytes;
      block->window = detail::lds_bytes, block->bytes = Bytes;
    }
    __syncthreads();
    return (char*)(__attribute__((address_space(1))) char*)(detail::block_slot());
  }
  // All threads come here.
  __device__ static void end() {
    __syncthreads();
    if (detail::first_thread()) detail::free_slot();
  }
};
template <class Kernel, uint32_t Bytes>
__device__ typename block_with_slot<Kernel, Bytes>::pool block_with_slot<Kernel, Bytes>::pool_of_kernel;

// The dynamic shared memory of a kernel that has it in a slot; Array has no size.
template <class Array>
__device__ inline Array& dynamic_shared() {
  return *reinterpret_cast<Array*>((char*)(__attribute__((address_space(1))) char*)(detail::block_slot()));
}

// The same of a kernel whose launch decides.
template <class Array>
__device__ inline Array& dynamic_shared_of_launch() {
  extern __shared__ __align__(1024) unsigned char dynamic_shared_memory[];
  if (detail::in_lds_alone()) return *reinterpret_cast<Array*>(dynamic_shared_memory);
  return dynamic_shared<Array>();
}

// The same in a function that kernels with theirs in LDS call, too.
template <class Array>
__device__ inline Array& dynamic_shared_of_block() {
  extern __shared__ __align__(1024) unsigned char dynamic_shared_memory[];
  if (detail::in_lds_alone() || detail::same(detail::block_shared()->bytes) == 0) return *reinterpret_cast<Array*>(dynamic_shared_memory);
  return dynamic_shared<Array>();
}

// What a launch, an attribute or a question about occupancy asks for in place of `bytes` of dynamic shared memory: as
// much LDS as leaves so many blocks to a compute unit as a Hopper SM holds. There are slots for these then. A launch fails
// if there is no device memory for them; it asks for more LDS than there is. Memory grows with the largest launch and
// lives as long as the program: before a stream is captured launch once.
namespace {
inline size_t device_shared(size_t bytes) {
  static size_t counts[64];  // of slots
  static std::mutex turn;
  constexpr size_t refused = size_t(1) << 30;
  const size_t hopper = detail::hopper_shared / (bytes + detail::hopper_reserved);
  if (hopper == 0) return refused;  // it is too much there, too
  const size_t resident = hopper < 8 ? hopper : 8;
  int device = 0, units = 0;
  if (hipGetDevice(&device) != hipSuccess) return refused;
  if (hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device) != hipSuccess) return refused;
  const std::lock_guard<std::mutex> lock(turn);
  const size_t count = resident * size_t(units);
  if (count > counts[device & 63]) {
    constexpr size_t slot = detail::slot_bytes;
    const size_t words = (count * sizeof(uint32_t) + 1023) / 1024 * 1024;
    char* fresh = nullptr;  // blocks that run keep the old one
    if (hipMalloc(reinterpret_cast<void**>(&fresh), words + slot * (count + 1)) != hipSuccess) return refused;
    const uint64_t taken = reinterpret_cast<uint64_t>(fresh), slots = (taken + words + slot - 1) / slot * slot;
    const detail::shared_pool pool = {taken, slots, uint32_t(count)};
    if (hipMemset(fresh, 0, words) != hipSuccess || hipDeviceSynchronize() != hipSuccess) return refused;
    if (hipMemcpyToSymbol(HIP_SYMBOL(detail::pool_of_unit), &pool, sizeof pool) != hipSuccess) return refused;
    counts[device & 63] = count;
  }
  constexpr size_t step = detail::slot_steps;
  return (detail::lds_bytes / (resident + 1) + step) / step * step + detail::slot_rest;
}

// The same for kernels that begin with block_in_either; Most is what fits into LDS beside what is static.
template <size_t Most>
inline size_t device_shared_over(size_t bytes) {
  if (bytes > Most) return device_shared(bytes);
  return bytes % detail::slot_steps == detail::slot_rest ? bytes + 1 : bytes;
}
// The same of functions that say how much a block of so many threads asks for.
template <class Bytes>
using function_of_block = std::enable_if_t<!std::is_convertible<Bytes, size_t>::value>;
template <class Bytes, class = function_of_block<Bytes>>
inline auto device_shared(Bytes bytes) {
  return [bytes](int threads) { return device_shared(size_t(bytes(threads))); };
}
template <size_t Most, class Bytes, class = function_of_block<Bytes>>
inline auto device_shared_over(Bytes bytes) {
  return [bytes](int threads) { return device_shared_over<Most>(size_t(bytes(threads))); };
}
// What an attribute allows such kernels.
template <size_t Most>
inline size_t most_shared(size_t bytes) {
  return bytes <= Most || bytes > detail::hopper_shared - detail::hopper_reserved ? bytes : Most;
}
}  // namespace

#endif  // PORTER_DEVICE_SHARED

}  // namespace porter

#endif  // PORTER_DEVICE_SHARED_H
