// porter runtime: HIP's half and bf16 types as bits. They are classes with constructors of their own, so
// their bytes are copied.
#ifndef PORTER_HALF_BITS_H
#define PORTER_HALF_BITS_H

#include "ptx_float.h"

namespace porter {

template <class H, class Bits>
PORTER_FN H half_from(Bits bits) {
  static_assert(sizeof(H) == sizeof(Bits), "same size");
  H out;
  __builtin_memcpy(static_cast<void*>(&out), &bits, sizeof(H));
  return out;
}

}  // namespace porter

#endif  // PORTER_HALF_BITS_H
