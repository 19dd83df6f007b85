// porter kittens: tensors in global memory and coordinates in them.
#ifndef PORTER_KITTENS_GLOBAL_H
#define PORTER_KITTENS_GLOBAL_H

#include <stdexcept>
#include <string>

#include "../tensor_map.h"
#include "tiles.h"

namespace kittens {

struct dim {
  static constexpr int BATCH = 0, DEPTH = 1, ROW = 2, COL = 3;
};
enum class cache_policy { NORMAL = 0, EVICT_FIRST = 1, EVICT_LAST = 2 };

// In units of a tile's or vector's size, or of elements.
template <class Unit = ducks::default_type>
struct coord {
  using identifier = ducks::coord::identifier;
  using BASE = Unit;
  static_assert(std::is_same_v<BASE, ducks::default_type> || detail::tile<BASE> || detail::vec<BASE>);
  int b, d, r, c;

  __device__ coord(int b, int d, int r, int c) : b(b), d(d), r(r), c(c) {}
  __device__ coord(int d, int r, int c) : b(0), d(d), r(r), c(c) {}
  __device__ coord(int r, int c) : b(0), d(0), r(r), c(c) {}
  __device__ coord(int c) : b(0), d(0), r(0), c(c) {}
  __device__ coord() : b(0), d(0), r(0), c(0) {}
  __device__ coord(const int4& at) : b(at.x), d(at.y), r(at.z), c(at.w) {}
  template <class U>
  __device__ coord(const coord<U>& other) : b(other.b), d(other.d), r(other.r), c(other.c) {}
  __device__ operator int4() const { return int4{b, d, r, c}; }

  template <int RowAxis, int ColAxis>
  __device__ coord<ducks::default_type> unit_coord() const {
    static_assert(ColAxis == 3, "columns are the last dimension");
    if constexpr (detail::tile<BASE>) {
      static_assert(RowAxis >= 0 && RowAxis < 3);
      return {RowAxis == 0 ? b * BASE::rows : b, RowAxis == 1 ? d * BASE::rows : d, RowAxis == 2 ? r * BASE::rows : r,
              c * BASE::cols};
    } else if constexpr (detail::vec<BASE>) {
      return {b, d, r, c * BASE::length};
    } else {
      return *this;
    }
  }
  template <int Axis>
  __device__ int dim() const { return Axis == 0 ? b : Axis == 1 ? d : Axis == 2 ? r : c; }
};
namespace ducks::coord {
template <class T>
concept tile = all<T> && (std::is_same_v<typename T::BASE, default_type> || detail::tile<typename T::BASE>);
template <class T>
concept vec = all<T> && (std::is_same_v<typename T::BASE, default_type> || detail::vec<typename T::BASE>);
}  // namespace ducks::coord

namespace ducks::gl {
template <int Size>
struct compiled_dim {
  static_assert(Size > 0, "a dimension is positive, or -1 if the host gives it");
  static constexpr size_t v = Size;
  __host__ __device__ compiled_dim(const std::nullptr_t&) {}
  __host__ __device__ constexpr operator size_t() const { return v; }
};
struct runtime_dim {
  size_t v;
  __host__ __device__ runtime_dim(const size_t& v) : v(v) {}
  __host__ __device__ operator size_t() const { return v; }
};
template <int Size>
using make_dim_t = std::conditional_t<Size == -1, runtime_dim, compiled_dim<Size>>;
template <int Size>
using make_arg_t = std::conditional_t<Size == -1, size_t, std::nullptr_t>;
}  // namespace ducks::gl

namespace tma {
// What a tensor is loaded as: kept for its name. Copies need no map here.
template <class Tile, int Axis = -9999>
struct descriptor {
  using T = Tile;
  static constexpr int axis = Axis;
};
}  // namespace tma

template <class Element, int B, int D, int R, int C, class... Tiles>
struct gl {
  using identifier = ducks::gl::identifier;
  using T = typename base_types::packing<Element>::unpacked_type;
  using T2 = typename base_types::packing<Element>::packed_type;
  using dtype = T;
  static constexpr int __b__ = B, __d__ = D, __r__ = R, __c__ = C;

  T* raw_ptr;
  ducks::gl::make_dim_t<B> batch_internal;
  ducks::gl::make_dim_t<D> depth_internal;
  ducks::gl::make_dim_t<R> rows_internal;
  ducks::gl::make_dim_t<C> cols_internal;

  gl() = delete;
  __host__ gl(T* data, ducks::gl::make_arg_t<B> batch, ducks::gl::make_arg_t<D> depth, ducks::gl::make_arg_t<R> rows,
              ducks::gl::make_arg_t<C> cols)
      : raw_ptr(data), batch_internal(batch), depth_internal(depth), rows_internal(rows), cols_internal(cols) {}
  __host__ __device__ gl(const gl&) = default;

#define PORTER_KITTENS_SIZE(name, Size, member)                                                  \
  template <int S = Size>                                                                        \
  __host__ __device__ static constexpr std::enable_if_t<(S > 0), int> name() { return S; }       \
  template <int S = Size>                                                                        \
  __host__ __device__ std::enable_if_t<S == -1, int> name() const { return int(size_t(member)); }
  PORTER_KITTENS_SIZE(batch, B, batch_internal)
  PORTER_KITTENS_SIZE(depth, D, depth_internal)
  PORTER_KITTENS_SIZE(rows, R, rows_internal)
  PORTER_KITTENS_SIZE(cols, C, cols_internal)
#undef PORTER_KITTENS_SIZE
  __host__ __device__ size_t numel() const { return size_t(batch()) * depth() * rows() * cols(); }

  __device__ T& operator[](const coord<ducks::default_type>& at) const {
    return raw_ptr[((size_t(at.b) * depth() + at.d) * rows() + at.r) * cols() + at.c];
  }
  template <int Axis>
  __host__ __device__ size_t shape() const {
    static_assert(Axis >= 0 && Axis <= 3);
    return Axis == 0 ? batch() : Axis == 1 ? depth() : Axis == 2 ? rows() : cols();
  }
  template <int Axis>
  __host__ __device__ size_t stride() const {
    static_assert(Axis >= 0 && Axis <= 3);
    if constexpr (Axis == 0) return size_t(depth()) * rows() * cols();
    else if constexpr (Axis == 1) return size_t(rows()) * cols();
    else if constexpr (Axis == 2) return size_t(cols());
    else return 1;
  }
  template <class U, int Axis = 2>
  __device__ void prefetch_tma() const {}
};
template <class T, int D, int R, int C, class... Tiles>
using gl3 = gl<T, 1, D, R, C, Tiles...>;
template <class T, int R, int C, class... Tiles>
using gl2 = gl<T, 1, 1, R, C, Tiles...>;
template <class T, int C, class... Tiles>
using gl1 = gl<T, 1, 1, 1, C, Tiles...>;

template <class GL>
struct cgl {
  using identifier = ducks::cgl::identifier;
  using component = GL;
  using T = typename GL::T;
  using T2 = typename GL::T2;
  using dtype = typename GL::dtype;
  GL real, imag;
};

template <int N>
auto make_unsafe_gl_arg(int size) {
  if constexpr (N > 0) return nullptr;
  else return size;
}
template <ducks::gl::all GL, bool Safe = true>
GL make_gl(uint64_t data, int b, int d, int r, int c) {
  const auto same = [](const char* name, int wanted, int given) {
    if (Safe && wanted > 0 && wanted != given)
      throw std::runtime_error(std::string(name) + " is " + std::to_string(given) + ", not " + std::to_string(wanted));
  };
  same("batch", GL::__b__, b), same("depth", GL::__d__, d), same("rows", GL::__r__, r), same("columns", GL::__c__, c);
  return GL(reinterpret_cast<typename GL::dtype*>(data), make_unsafe_gl_arg<GL::__b__>(b), make_unsafe_gl_arg<GL::__d__>(d),
            make_unsafe_gl_arg<GL::__r__>(r), make_unsafe_gl_arg<GL::__c__>(c));
}

}  // namespace kittens

#endif  // PORTER_KITTENS_GLOBAL_H
