// porter stub headers: warp matrix fragments.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#ifdef __CUDACC__
namespace nvcuda {
namespace wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
class u4;
class s4;
class b1;
class tf32;
}  // namespace precision

namespace experimental {
namespace precision {
using wmma::precision::b1;
using wmma::precision::s4;
using wmma::precision::u4;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

enum layout_t { mem_row_major, mem_col_major };

namespace porter_stubs {
template <class T>
struct storage {
  typedef T type;
};
template <>
struct storage<precision::tf32> {
  typedef float type;
};
template <>
struct storage<precision::u4> {
  typedef unsigned int type;
};
template <>
struct storage<precision::s4> {
  typedef int type;
};
template <>
struct storage<precision::b1> {
  typedef unsigned int type;
};
// Elements that one lane of a warp of 32 holds.
template <class Use, int m, int n, int k>
struct elements {
  static constexpr int value = m * n / 32;
};
template <int m, int n, int k>
struct elements<matrix_a, m, n, k> {
  static constexpr int value = m * k / 32 > 0 ? m * k / 32 : 1;
};
template <int m, int n, int k>
struct elements<matrix_b, m, n, k> {
  static constexpr int value = k * n / 32 > 0 ? k * n / 32 : 1;
};
}  // namespace porter_stubs

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
 public:
  typedef T element_type;
  typedef typename porter_stubs::storage<T>::type storage_element_type;
  enum : int { num_elements = porter_stubs::elements<Use, m, n, k>::value };
  enum : int { num_storage_elements = num_elements };
  storage_element_type x[num_storage_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class U>
__device__ void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &, const U *, unsigned int) PORTER_STUB_BODY
template <int m, int n, int k, class T, class U>
__device__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &, const U *, unsigned int,
    layout_t) PORTER_STUB_BODY
template <int m, int n, int k, class T, class U>
__device__ void store_matrix_sync(U *, const fragment<accumulator, m, n, k, T> &, unsigned int,
    layout_t) PORTER_STUB_BODY
template <int m, int n, int k, class T>
__device__ void store_matrix_sync(decltype(nullptr), const fragment<accumulator, m, n, k, T> &, unsigned int,
    layout_t) PORTER_STUB_BODY
template <class Use, int m, int n, int k, class T, class Layout, class U>
__device__ void fill_fragment(fragment<Use, m, n, k, T, Layout> &, const U &) PORTER_STUB_BODY
template <int m, int n, int k, class D, class A, class LayoutA, class B, class LayoutB, class C>
__device__ void mma_sync(fragment<accumulator, m, n, k, D> &, const fragment<matrix_a, m, n, k, A, LayoutA> &,
    const fragment<matrix_b, m, n, k, B, LayoutB> &, const fragment<accumulator, m, n, k, C> &,
    bool = false) PORTER_STUB_BODY
template <int m, int n, int k, class LayoutA, class LayoutB>
__device__ void bmma_sync(fragment<accumulator, m, n, k, int> &, const fragment<matrix_a, m, n, k, precision::b1,
    LayoutA> &, const fragment<matrix_b, m, n, k, precision::b1, LayoutB> &, const fragment<accumulator, m, n, k,
    int> &, experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) PORTER_STUB_BODY
__device__ float __float_to_tf32(float);
}  // namespace wmma
}  // namespace nvcuda
#endif
