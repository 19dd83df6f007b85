// porter runtime: copies of cp.async that are loaded where they are issued, and stored where they are waited for, or at the
// first copy after a wait. A kernel that asks for its next tile before it computes gets it meanwhile, as on Hopper.
//
// A kernel has one HeldCopies; functions that copy, commit or wait are handed it. It is registers once all is inlined.
#ifndef PORTER_HELD_COPIES_H
#define PORTER_HELD_COPIES_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "mirror_lanes.h"
#include "ptx_memory.h"

namespace porter {

// Whether the two mirrors of a thread make its copies by turns: in kernels whose blocks are whole warps.
enum class copying : bool { alike, by_turns };

#define PORTER_WITHIN __device__ __attribute__((always_inline)) inline

#ifdef PORTER_RECOGNISED  // the recogniser looks at copies, not at when they are made
template <int... Bytes>
struct HeldCopies {
  PORTER_WITHIN explicit HeldCopies(copying = copying::alike) {}
  PORTER_WITHIN void commit() {}
  PORTER_WITHIN void wait(unsigned) {}
  PORTER_WITHIN void wait_all() {}
};
#else

namespace detail {

// Without an array, so that each member is a register at any -O.
template <int Bytes, int Slots>
struct copy_slots {
  using whole = typename ptx_detail::bits<Bytes>::whole;

  PORTER_WITHIN void take(unsigned at, whole loaded, uint32_t to) {
    const bool here = at == 0;  // the compiler knows where copies are unrolled
    value = here ? loaded : value, place = here ? to : place;
    next.take(at - 1, loaded, to);
  }
  PORTER_WITHIN void land(unsigned count) const {
    if (count == 0) return;
    *ptx_detail::at<whole>(lds(place)) = value;
    next.land(count - 1);
  }
  // The registers hold anything: else copies under a condition would keep what they held, and wait for it.
  PORTER_WITHIN void forget() {
    asm("" : "=v"(value), "=v"(place));
    next.forget();
  }

  whole value;
  uint32_t place;
  copy_slots<Bytes, Slots - 1> next;
};
template <int Bytes>
struct copy_slots<Bytes, 0> {
  using whole = typename ptx_detail::bits<Bytes>::whole;
  PORTER_WITHIN void take(unsigned, whole, uint32_t) {}
  PORTER_WITHIN void land(unsigned) const {}
  PORTER_WITHIN void forget() {}
};

// Copies of one size.
template <int Bytes>
class copies_of {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  using whole = typename ptx_detail::bits<Bytes>::whole;
  using Source = PORTER_GLOBAL const char*;
  static constexpr unsigned slots = 8;  // of 16 bytes they are 40 registers

 public:
  PORTER_WITHIN void begin(uint32_t to, Source from, [[maybe_unused]] copying how) {
#ifdef PORTER_MIRRORED
    if (how == copying::by_turns) {
      half_ = !half_;
      if (half_) {
        half_to_ = to, half_from_ = from;
        return;
      }
      const bool second = mirror() != 0;
      to = second ? to : half_to_, from = second ? from : half_from_;
    }
#endif
    load(to, from);
  }
  // What waits for its other half begins.
  PORTER_WITHIN void complete() {
#ifdef PORTER_MIRRORED
    if (half_) load(half_to_, half_from_);
    half_ = false;
#endif
  }
  PORTER_WITHIN void land() {
    slots_.land(count_);
    slots_.forget();
    count_ = 0;
  }
  PORTER_WITHIN bool known() const { return __builtin_constant_p(count_); }

 private:
  PORTER_WITHIN void load(uint32_t to, Source from) {
    const whole value = *ptx_detail::at<const whole>(from);
    if (count_ < slots) {
      slots_.take(count_, value, to);
      ++count_;
    } else {
      *ptx_detail::at<whole>(lds(to)) = value;
    }
  }

  copy_slots<Bytes, slots> slots_;
  unsigned count_ = 0;
#ifdef PORTER_MIRRORED
  bool half_ = false;
  uint32_t half_to_;
  Source half_from_;
#endif
};

}  // namespace detail

// Copies of these sizes. What a kernel does not wait for before it ends need not be there.
template <int... Bytes>
class HeldCopies : detail::copies_of<Bytes>... {
  template <int N>
  using Of = detail::copies_of<N>;

 public:
  PORTER_WITHIN explicit HeldCopies(copying how = copying::alike) : how_(how) {}
  HeldCopies(const HeldCopies&) = delete;
  HeldCopies& operator=(const HeldCopies&) = delete;

  template <int N>
  PORTER_WITHIN void begin(uint32_t to, PORTER_GLOBAL const char* from) {
    if (waited_ || (committed_ && !(... && Of<Bytes>::known()))) land();
    waited_ = committed_ = false;
    Of<N>::begin(to, from, how_);
  }
  PORTER_WITHIN void commit() {
    (Of<Bytes>::complete(), ...);
    committed_ = true;
    ++age_;
  }
  // All groups but the last ones are there.
  PORTER_WITHIN void wait(unsigned groups) {
    waited_ = true;
    if (age_ > groups) land();
  }
  PORTER_WITHIN void wait_all() {
    (Of<Bytes>::complete(), ...);
    land();
  }

 private:
  PORTER_WITHIN void land() {
    (Of<Bytes>::land(), ...);
    age_ = 0;
  }

  copying how_;
  unsigned age_ = 0;  // groups that were committed since the oldest copy began
  bool waited_ = false, committed_ = false;
};

#endif  // PORTER_RECOGNISED

// cp.async of a kernel that holds its copies. Past `size` bytes there are zeros.
template <int Bytes, int... All, class D, class S>
PORTER_WITHIN void cp_async([[maybe_unused]] HeldCopies<All...>& copies, D to, S from, uint32_t size = Bytes) {
#ifdef PORTER_RECOGNISED
  cp_async<Bytes>(to, from, size);
#else
  if (size - 1 < Bytes - 1u) return cp_async<Bytes>(to, from, size);
  const auto* source = (PORTER_GLOBAL const char*)global(from);
  if (size == 0) source = (PORTER_GLOBAL const char*)global(&ptx_detail::no_bytes);
  copies.template begin<Bytes>(cvta_generic_to_shared(to), source);
#endif
}
template <int Bytes, int... All, class D, class S>
PORTER_WITHIN void cp_async_unless(HeldCopies<All...>& copies, bool ignore, D to, S from) {
  cp_async<Bytes>(copies, to, from, ignore ? 0u : uint32_t(Bytes));
}
template <int... All>
PORTER_WITHIN void cp_async_commit(HeldCopies<All...>& copies) {
  copies.commit();
}
template <unsigned Groups, int... All>
PORTER_WITHIN void cp_async_wait(HeldCopies<All...>& copies) {
  copies.wait(Groups);
}
template <int... All>
PORTER_WITHIN void cp_async_wait_all(HeldCopies<All...>& copies) {
  copies.wait_all();
}

}  // namespace porter

// <cuda_pipeline.h> in such a kernel.
template <int... All>
PORTER_WITHIN void __pipeline_memcpy_async(porter::HeldCopies<All...>& copies, void* to, const void* from, size_t bytes,
                                           size_t zeros = 0) {
  const uint32_t size = uint32_t(bytes - zeros);
  if (bytes == 4) porter::cp_async<4>(copies, to, from, size);
  if (bytes == 8) porter::cp_async<8>(copies, to, from, size);
  if (bytes == 16) porter::cp_async<16>(copies, to, from, size);
}
template <int... All>
PORTER_WITHIN void __pipeline_commit(porter::HeldCopies<All...>& copies) {
  copies.commit();
}
template <int... All>
PORTER_WITHIN void __pipeline_wait_prior(porter::HeldCopies<All...>& copies, size_t groups) {
  copies.wait(unsigned(groups));
}

#undef PORTER_WITHIN

#endif  // PORTER_HELD_COPIES_H
