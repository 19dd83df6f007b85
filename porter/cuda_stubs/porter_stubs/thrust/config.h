// porter stub headers: Thrust, version and the traits that the other headers use.
#pragma once
#include "../../cuda_runtime.h"
#include <iterator>
#include <type_traits>
#define THRUST_VERSION 200800
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 8
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_NS_QUALIFIER ::thrust
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }
#define THRUST_DEVICE_SYSTEM_CUDA 1
#define THRUST_DEVICE_SYSTEM_OMP 2
#define THRUST_DEVICE_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_CPP 4
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CUDA
#endif

namespace thrust {
template <class It>
struct iterator_value {
  typedef typename std::iterator_traits<It>::value_type type;
};
template <class It>
struct iterator_reference {
  typedef typename std::iterator_traits<It>::reference type;
};
template <class It>
struct iterator_pointer {
  typedef typename std::iterator_traits<It>::pointer type;
};
template <class It>
struct iterator_difference {
  typedef typename std::iterator_traits<It>::difference_type type;
};
template <class It>
struct iterator_traits : public std::iterator_traits<It> {};
template <class It> using iterator_value_t = typename iterator_value<It>::type;
template <class It> using iterator_reference_t = typename iterator_reference<It>::type;
template <class It> using iterator_difference_t = typename iterator_difference<It>::type;
typedef struct host_system_tag {} host_space_tag;
typedef struct device_system_tag {} device_space_tag;
struct any_system_tag {};
template <class It>
struct iterator_system {
  typedef any_system_tag type;
};
using std::distance;
struct use_default {};
}  // namespace thrust
