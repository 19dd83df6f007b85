// porter runtime: cp.async in a loop that the compiler unrolls. What is loaded stays in registers and goes to shared memory
// behind the loop: a copy does not wait for the one before, and what threads store there meanwhile comes first, as it does
// on Hopper, where a copy takes hundreds of cycles.
#ifndef PORTER_LATE_COPIES_H
#define PORTER_LATE_COPIES_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "ptx_memory.h"

namespace porter {
namespace detail {

#define PORTER_WITHIN __device__ __attribute__((always_inline)) inline

// The copy of this round, and those of rounds before. Without an array, so that each member is a register at any -O.
template <int Bytes, int Slots>
struct copies_under_way {
  using whole = typename ptx_detail::bits<Bytes>::whole;

  // Past this many rounds the oldest is stored.
  PORTER_WITHIN void round() {
    older.take(value, place, pending);
    forget();
  }
  PORTER_WITHIN void take(whole loaded, uint32_t to, bool is) {
    older.take(value, place, pending);
    value = loaded, place = to, pending = is;
  }
  PORTER_WITHIN void begin(whole loaded, uint32_t to) {
    if (pending) land();
    value = loaded, place = to, pending = true;
  }
  PORTER_WITHIN void land() {
    older.land();
    if (pending) *ptx_detail::at<whole>(lds(place)) = value;
    forget();
  }
  // The registers hold anything: else a copy under a condition would keep what they held, and wait for it.
  PORTER_WITHIN void forget() {
    asm("" : "=v"(value), "=v"(place));
    pending = false;
  }

  whole value;
  uint32_t place;
  bool pending = false;
  copies_under_way<Bytes, Slots - 1> older;
};
template <int Bytes>
struct copies_under_way<Bytes, 0> {
  using whole = typename ptx_detail::bits<Bytes>::whole;

  PORTER_WITHIN void round() {}
  PORTER_WITHIN void take(whole loaded, uint32_t to, bool is) {
    if (is) begin(loaded, to);
  }
  PORTER_WITHIN void begin(whole loaded, uint32_t to) { *ptx_detail::at<whole>(lds(to)) = loaded; }
  PORTER_WITHIN void land() {}
};

}  // namespace detail

// The copies of one statement of a loop that is unrolled `Rounds` times; 0: that is not known, and copies are made at once.
template <int Bytes, int Rounds>
class late_copies {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  static constexpr int slots = Rounds < 2 ? 0 : Rounds > 8 ? 8 : Rounds;  // 8 times 16 bytes are 40 registers
  using whole = typename ptx_detail::bits<Bytes>::whole;

 public:
  PORTER_WITHIN late_copies() {}
  PORTER_WITHIN ~late_copies() { land(); }
  late_copies(const late_copies&) = delete;
  late_copies& operator=(const late_copies&) = delete;

  PORTER_WITHIN void round() { under_way_.round(); }
  template <class D, class S>
  PORTER_WITHIN void copy(D to, S from) {
    under_way_.begin(*ptx_detail::at<whole>(global(from)), offset(to));
  }
  // Past `size` bytes there are zeros.
  template <class D, class S>
  PORTER_WITHIN void copy(D to, S from, uint32_t size) {
    if constexpr (slots == 0) {
      cp_async<Bytes>(to, from, size);
    } else {
      under_way_.begin(ptx_detail::first_bytes<Bytes>(from, size), offset(to));
    }
  }
  template <class D, class S>
  PORTER_WITHIN void copy_unless(bool ignore, D to, S from) {
    copy(to, from, ignore ? 0u : uint32_t(Bytes));
  }
  PORTER_WITHIN void land() {
    if constexpr (slots != 0) asm volatile("" ::: "memory");  // no store to the same place moves behind them
    under_way_.land();
  }

 private:
  template <class D>
  PORTER_WITHIN static uint32_t offset(D to) {
    if constexpr (std::is_integral_v<D>) return uint32_t(to);
    else return cvta_generic_to_shared(to);
  }
  detail::copies_under_way<Bytes, slots> under_way_;
};

#undef PORTER_WITHIN

}  // namespace porter

#endif  // PORTER_LATE_COPIES_H
