// porter stub headers: NVTX, the C++ interface.
#pragma once
#include "nvToolsExt.h"
#include <string>

namespace nvtx3 {
struct rgb {
  constexpr rgb(uint8_t, uint8_t, uint8_t) {}
};
struct argb {
  constexpr argb(uint8_t, uint8_t, uint8_t, uint8_t) {}
};
class color {
 public:
  constexpr color(rgb) {}
  constexpr color(argb) {}
};
class category {
 public:
  constexpr explicit category(uint32_t) {}
};
class payload {
 public:
  template <class T>
  constexpr explicit payload(T) {}
};
class message {
 public:
  message(const char *) {}
  message(const std::string &) {}
};
struct domain { struct global {}; };
class event_attributes {
 public:
  template <class... A>
  explicit event_attributes(const A &...) {}
};
template <class Domain>
class scoped_range_in {
 public:
  template <class... A>
  explicit scoped_range_in(const A &...) {}
};
typedef scoped_range_in<domain::global> scoped_range;
typedef scoped_range thread_range;
template <class Domain>
class unique_range_in {
 public:
  template <class... A>
  explicit unique_range_in(const A &...) {}
};
typedef unique_range_in<domain::global> unique_range;
template <class... A>
void mark(const A &...) {}
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() ::nvtx3::scoped_range nvtx3_range(__func__)
#define NVTX3_FUNC_RANGE_IN(D) ::nvtx3::scoped_range_in<D> nvtx3_range(__func__)
