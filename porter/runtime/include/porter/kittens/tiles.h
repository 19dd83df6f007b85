// porter kittens: tiles and vectors in registers and in shared memory.
//
// A register tile is made of base tiles of 16 x 16 (fp8: 16 x 32, two of them side by side), as the MFMA of 16 x 16 x 16
// takes its operands. In the row layout lane l holds row l % 16, columns 4 (l / 16) ... + 3: its quad. The column layout
// is that of the transposed tile. With exchanged operands the MFMA's results are rows again, so that a sum becomes an
// operand without moving anything.
//
// A shared tile lies as Hopper's tensor maps write it: rows of swizzle_bytes, chunks of 16 bytes xored with the row.
#ifndef PORTER_KITTENS_TILES_H
#define PORTER_KITTENS_TILES_H

#include "base.h"

namespace kittens {

namespace ducks {
#define PORTER_KITTENS_KIND(kind)                                                                      \
  namespace kind {                                                                                     \
  struct identifier {};                                                                                \
  template <class T>                                                                                   \
  concept all = requires { typename T::identifier; } && std::is_same_v<typename T::identifier, identifier>; \
  }
PORTER_KITTENS_KIND(rt_base)
PORTER_KITTENS_KIND(rt)
PORTER_KITTENS_KIND(rv)
PORTER_KITTENS_KIND(st)
PORTER_KITTENS_KIND(sv)
PORTER_KITTENS_KIND(crt)
PORTER_KITTENS_KIND(crv)
PORTER_KITTENS_KIND(cst)
PORTER_KITTENS_KIND(csv)
PORTER_KITTENS_KIND(gl)
PORTER_KITTENS_KIND(cgl)
PORTER_KITTENS_KIND(coord)
#undef PORTER_KITTENS_KIND

namespace rt_layout {
struct row {};
struct col {};
template <class T>
concept all = std::is_same_v<T, row> || std::is_same_v<T, col>;
template <all L>
struct transpose { using type = std::conditional_t<std::is_same_v<L, row>, col, row>; };
}  // namespace rt_layout

// align: a lane's quad of every 16 elements; ortho: one of every 16; naive: every 64th.
namespace rv_layout {
struct align { static constexpr int inner_dim = 2; };
struct ortho { static constexpr int inner_dim = 1; };
struct naive { static constexpr int inner_dim = 1; };
template <class T>
concept all = std::is_same_v<T, align> || std::is_same_v<T, ortho> || std::is_same_v<T, naive>;
}  // namespace rv_layout

namespace rt {
template <class T>
concept row_layout = all<T> && std::is_same_v<typename T::layout, rt_layout::row>;
template <class T>
concept col_layout = all<T> && std::is_same_v<typename T::layout, rt_layout::col>;
}  // namespace rt
namespace crt {
template <class T>
concept row_layout = all<T> && std::is_same_v<typename T::layout, rt_layout::row>;
template <class T>
concept col_layout = all<T> && std::is_same_v<typename T::layout, rt_layout::col>;
}  // namespace crt
namespace rv {
template <class T>
concept naive_layout = all<T> && std::is_same_v<typename T::layout, rv_layout::naive>;
template <class T>
concept align_layout = all<T> && std::is_same_v<typename T::layout, rv_layout::align>;
template <class T>
concept ortho_layout = all<T> && std::is_same_v<typename T::layout, rv_layout::ortho>;
template <class T>
concept tile_layout = align_layout<T> || ortho_layout<T>;
}  // namespace rv
}  // namespace ducks

using row_l = ducks::rt_layout::row;
using col_l = ducks::rt_layout::col;
using align_l = ducks::rv_layout::align;
using ortho_l = ducks::rv_layout::ortho;
using naive_l = ducks::rv_layout::naive;
template <class T>
using row_vec = typename T::row_vec;
template <class T>
using col_vec = typename T::col_vec;

namespace detail {
template <class T>
concept tile = ducks::st::all<T> || ducks::rt::all<T> || ducks::cst::all<T> || ducks::crt::all<T>;
template <class T>
concept vec = ducks::sv::all<T> || ducks::rv::all<T> || ducks::csv::all<T> || ducks::crv::all<T>;
template <class T>
concept shared_thing = ducks::st::all<T> || ducks::sv::all<T>;
template <class T>
concept thing = ducks::rt::all<T> || ducks::rv::all<T> || shared_thing<T>;
template <class T>
concept complex = ducks::crt::all<T> || ducks::cst::all<T> || ducks::crv::all<T> || ducks::csv::all<T>;
}  // namespace detail

// ---- registers ----

template <class Element, size_t Length, ducks::rv_layout::all Layout = naive_l>
struct rv {
  static_assert(ducks::base_types::T1<Element> && !detail::fp8<Element>, "no vectors of this type");
  static_assert(Length % BASE_TILE_DIM == 0, "the length must be a multiple of 16");
  using identifier = ducks::rv::identifier;
  using layout = Layout;
  using T = Element;
  using T2 = typename base_types::packing<T>::packed_type;
  using dtype = std::conditional_t<std::is_same_v<layout, align_l>, T2, T>;
  static constexpr bool is_naive = std::is_same_v<layout, naive_l>;
  static constexpr int length = Length, tiles = Length / BASE_TILE_DIM, inner_dim = layout::inner_dim;
  static constexpr int outer_dim = is_naive ? (length + WARP_THREADS - 1) / WARP_THREADS : tiles;
  static constexpr int own = inner_dim * base_types::packing<dtype>::num();  // elements of a lane in each of outer_dim

  dtype data[outer_dim][inner_dim];

  __device__ dtype* operator[](size_t i) { return data[i]; }
  __device__ const dtype* operator[](size_t i) const { return data[i]; }
  __device__ dtype& operator[](int2 at) { return data[at.x][at.y]; }
  __device__ const dtype& operator[](int2 at) const { return data[at.x][at.y]; }

  __device__ T& at(int i, int q) { return reinterpret_cast<T*>(data[i])[q]; }
  __device__ const T& at(int i, int q) const { return reinterpret_cast<const T*>(data[i])[q]; }
  // Which element of the vector that is, and whether there is one.
  __device__ static int index(int i, int q) {
    if constexpr (is_naive) return i * WARP_THREADS + laneid();
    else if constexpr (own == 1) return i * BASE_TILE_DIM + laneid() % 16;
    else return i * BASE_TILE_DIM + laneid() / 16 * 4 + q;
  }
  __device__ static bool has(int i) { return !is_naive || length % WARP_THREADS == 0 || i + 1 < outer_dim || index(i, 0) < length; }

  __device__ void operator=(const T& value) {
#pragma unroll
    for (int i = 0; i < outer_dim; ++i)
#pragma unroll
      for (int q = 0; q < own; ++q) at(i, q) = value;
  }
  template <class U>
  __device__ void operator=(const rv<U, Length, Layout>& other) {
#pragma unroll
    for (int i = 0; i < outer_dim; ++i)
#pragma unroll
      for (int q = 0; q < own; ++q) at(i, q) = base_types::convertor<T, U>::convert(other.at(i, q));
  }
};
template <int Length, ducks::rv_layout::all Layout = naive_l>
using rv_fl = rv<float, Length, Layout>;
template <int Length, ducks::rv_layout::all Layout = naive_l>
using rv_bf = rv<bf16, Length, Layout>;
template <int Length, ducks::rv_layout::all Layout = naive_l>
using rv_hf = rv<half, Length, Layout>;

// One of the two of CUDA's lanes that hold a lane's elements of 16 x 16: `half` pairs of a quad each. The pair is CUDA's
// data[k] for one k, of the four.
struct cuda_lane {
  int half = 0;
  __device__ int laneid() const { return kittens::laneid() % 8 * 4 + kittens::laneid() / 16 % 2 * 2 + half; }
  __device__ bool has(int k) const { return k == kittens::laneid() / 8 % 2 + kittens::laneid() / 32 * 2; }
};

template <class Element, ducks::rt_layout::all Layout>
struct rt_base {
  static_assert(ducks::base_types::T1<Element>, "no tiles of this type");
  using identifier = ducks::rt_base::identifier;
  using layout = Layout;
  using T = Element;
  using T2 = typename base_types::packing<T>::packed_type;
  using dtype = T2;
  static constexpr int tile_size_row = TILE_ROW_DIM<T>, tile_size_col = TILE_COL_DIM<T>;
  static constexpr int rows = tile_size_row, cols = tile_size_col, num_elements = rows * cols;
  static constexpr int elements_per_thread = num_elements / WARP_THREADS;
  static constexpr int packed_per_thread = elements_per_thread / base_types::packing<dtype>::num();
  static constexpr int registers_per_thread = packed_per_thread * sizeof(dtype) / 4;
  using row_vec_layout = std::conditional_t<std::is_same_v<layout, row_l>, align_l, ortho_l>;
  using col_vec_layout = std::conditional_t<std::is_same_v<layout, row_l>, ortho_l, align_l>;

  dtype packs[packed_per_thread];

  // CUDA's data[k]: that of the lane, where the lane has it.
  static constexpr int cuda_elements_per_thread = 2 * elements_per_thread, cuda_packed_per_thread = 2 * packed_per_thread;
  __device__ dtype& of(cuda_lane lane) {
    static_assert(packed_per_thread == 2, "elements of fp8 tiles are not looked at by CUDA's lanes");
    return packs[lane.half];
  }
  __device__ const dtype& of(cuda_lane lane) const { return const_cast<rt_base*>(this)->of(lane); }
};
template <ducks::rt_layout::all L = row_l>
using rt_base_fl = rt_base<float, L>;
template <ducks::rt_layout::all L = row_l>
using rt_base_bf = rt_base<bf16, L>;
template <ducks::rt_layout::all L = row_l>
using rt_base_hf = rt_base<half, L>;

template <class Element, int Rows, int Cols, ducks::rt_layout::all Layout = row_l>
struct rt {
  using identifier = ducks::rt::identifier;
  using layout = Layout;
  using base = rt_base<Element, Layout>;
  using T = Element;
  using T2 = typename base::T2;
  using dtype = T2;
  static_assert(Rows % base::tile_size_row == 0, "rows must be a multiple of the base tile's");
  static_assert(Cols % base::tile_size_col == 0, "columns must be a multiple of the base tile's");
  static constexpr int rows = Rows, cols = Cols, tile_size_row = base::tile_size_row, tile_size_col = base::tile_size_col;
  static constexpr int height = rows / tile_size_row, width = cols / tile_size_col;
  static constexpr int num_elements = rows * cols, elements_per_thread = num_elements / WARP_THREADS;
  static constexpr int packed_per_tile = base::packed_per_thread, packed_per_thread = packed_per_tile * height * width;
  static constexpr int cuda_elements_per_thread = 2 * elements_per_thread, cuda_packed_per_tile = 2 * packed_per_tile,
                       cuda_packed_per_thread = 2 * packed_per_thread;
  static constexpr int groups = cols / 16;  // of 16 columns
  static constexpr bool is_row = std::is_same_v<layout, row_l>;

  base tiles[height][width];

  using row_vec = rv<std::conditional_t<detail::fp8<T>, float, T>, cols, typename base::row_vec_layout>;
  using col_vec = rv<std::conditional_t<detail::fp8<T>, float, T>, rows, typename base::col_vec_layout>;

  // Element q of the lane's quad in 16 rows and 16 columns.
  __device__ T& at(int i, int g, int q) {
    constexpr int wide = tile_size_col / 16;
    return reinterpret_cast<T*>(tiles[i][g / wide].packs)[g % wide * 4 + q];
  }
  __device__ const T& at(int i, int g, int q) const { return const_cast<rt*>(this)->at(i, g, q); }
  __device__ static int row(int i, int q) { return 16 * i + (is_row ? laneid() % 16 : laneid() / 16 * 4 + q); }
  __device__ static int col(int g, int q) { return 16 * g + (is_row ? laneid() / 16 * 4 + q : laneid() % 16); }

  template <class F>
  __device__ static void each(F f) {
#pragma unroll
    for (int i = 0; i < height; ++i)
#pragma unroll
      for (int g = 0; g < groups; ++g)
#pragma unroll
        for (int q = 0; q < 4; ++q) f(i, g, q);
  }
  template <class F>
  __device__ static void each_pack(F f) {
#pragma unroll
    for (int i = 0; i < height; ++i)
#pragma unroll
      for (int j = 0; j < width; ++j)
#pragma unroll
        for (int k = 0; k < packed_per_tile; ++k) f(i, j, k);
  }

  __device__ void operator=(const T& value) {
    const T2 pack = base_types::packing<T>::pack(value);
    each_pack([&](int i, int j, int k) { tiles[i][j].packs[k] = pack; });
  }
  template <class U>
  __device__ void operator=(const rt<U, Rows, Cols, Layout>& other) {
    each([&](int i, int g, int q) { at(i, g, q) = base_types::convertor<T, U>::convert(other.at(i, g, q)); });
  }
};
#define PORTER_KITTENS_RT(suffix, T)                              \
  template <int Rows, int Cols, ducks::rt_layout::all L = row_l>  \
  using rt_##suffix = rt<T, Rows, Cols, L>;
PORTER_KITTENS_RT(fl, float)
PORTER_KITTENS_RT(bf, bf16)
PORTER_KITTENS_RT(hf, half)
PORTER_KITTENS_RT(fp8e4m3, fp8e4m3)
PORTER_KITTENS_RT(fp8e5m2, fp8e5m2)
#undef PORTER_KITTENS_RT

// ---- shared memory ----

template <class Element, size_t Length>
struct KITTENS_DEFAULT_ALIGN sv {
  using identifier = ducks::sv::identifier;
  using T = typename base_types::packing<Element>::unpacked_type;
  using T2 = typename base_types::packing<Element>::packed_type;
  using dtype = T;
  static constexpr int length = Length, tiles = Length / BASE_TILE_DIM;
  static_assert(Length % BASE_TILE_DIM == 0, "the length must be a multiple of 16");
  static constexpr int num_alloc_elements = (length * sizeof(T) + 127) / 128 * 128 / sizeof(T);

  dtype data[num_alloc_elements];

  __device__ static T* idx(T* ptr, int i) { return ptr + i; }
  __device__ dtype& operator[](size_t i) { return data[i]; }
  __device__ const dtype& operator[](size_t i) const { return data[i]; }
  template <int Sub>
  __device__ sv<Element, Sub>& subvec(int i) { return *reinterpret_cast<sv<Element, Sub>*>(&data[i * Sub]); }
  template <int Sub>
  __device__ const sv<Element, Sub>& subvec(int i) const { return *reinterpret_cast<const sv<Element, Sub>*>(&data[i * Sub]); }
  __device__ void operator=(const dtype& value) {
    for (int i = laneid(); i < length; i += WARP_THREADS) data[i] = value;
  }
};
template <size_t Length>
using sv_bf = sv<bf16, Length>;
template <size_t Length>
using sv_hf = sv<half, Length>;
template <size_t Length>
using sv_fl = sv<float, Length>;
template <size_t Length>
using sv_fp8e4m3 = sv<fp8e4m3, Length>;
template <size_t Length>
using sv_fp8e5m2 = sv<fp8e5m2, Length>;

namespace detail {

constexpr int default_swizzle(int row_bytes) { return row_bytes % 128 == 0 ? 128 : row_bytes % 64 == 0 ? 64 : 32; }

// Where row r, column c of a shared tile of so many rows is, from the tile's start in LDS.
template <class T, int Rows, int Cols, bool Swizzle, int SwizzleBytes>
__device__ inline uint32_t place(uint32_t start, int r, int c) {
  if constexpr (!Swizzle) {
    return start + (r * Cols + c) * sizeof(T);
  } else {
    const uint32_t bytes = c * sizeof(T), at = start + bytes / SwizzleBytes * (Rows * SwizzleBytes) + r * SwizzleBytes + bytes % SwizzleBytes;
    return at ^ (at >> 7 & (SwizzleBytes / 16 - 1)) << 4;
  }
}

}  // namespace detail

template <class ST, int Rows, int Cols>
struct st_subtile;

template <class Element, int Rows, int Cols, bool Swizzle = true, int SwizzleBytes = 0>
struct KITTENS_DEFAULT_ALIGN st {
  using identifier = ducks::st::identifier;
  using T = typename base_types::packing<Element>::unpacked_type;
  using T2 = typename base_types::packing<Element>::packed_type;
  using dtype = T;
  static constexpr bool swizzle = Swizzle;
  static constexpr int rows = Rows, cols = Cols, num_elements = rows * cols;
  static constexpr int underlying_rows = rows, underlying_cols = cols, underlying_num_elements = num_elements;
  static_assert(SwizzleBytes == 0 || SwizzleBytes == 32 || SwizzleBytes == 64 || SwizzleBytes == 128);
  static_assert(!swizzle || rows % TILE_ROW_DIM<T> == 0, "rows must be a multiple of the base tile's");
  static_assert(cols % (swizzle ? TILE_COL_DIM<T> : BASE_TILE_DIM) == 0, "columns must be a multiple of the base tile's");
  static constexpr int swizzle_bytes = SwizzleBytes > 0 ? SwizzleBytes : detail::default_swizzle(cols * sizeof(T));
  static constexpr int row_offset = 0, col_offset = 0;

  dtype data[rows * cols];

  __device__ static uint32_t idx(uint32_t start, int2 at) {
    return detail::place<T, underlying_rows, underlying_cols, swizzle, swizzle_bytes>(start, at.x, at.y);
  }
  __device__ static T* idx(T* start, int2 at) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(start) + (idx(detail::shared_offset(start), at) - detail::shared_offset(start)));
  }
  __device__ dtype& operator[](const int2& at) { return *idx(data, at); }
  __device__ const dtype& operator[](const int2& at) const { return *idx(const_cast<T*>(data), at); }
  __device__ dtype& operator[](int i) { return data[i]; }
  __device__ const dtype& operator[](int i) const { return data[i]; }

  template <int SubRows, int SubCols>
  __device__ st_subtile<st, SubRows, SubCols> subtile(int2 at) { return {*this, at}; }
  // A tile in its own right: whole columns of the swizzle.
  template <int SubCols>
  __device__ st<Element, Rows, SubCols, Swizzle, swizzle_bytes>& subtile(int i) {
    static_assert(SubCols * sizeof(T) % swizzle_bytes == 0, "a part of a tile begins where the swizzle does");
    return *reinterpret_cast<st<Element, Rows, SubCols, Swizzle, swizzle_bytes>*>(&data[Rows * SubCols * i]);
  }

  using col_vec = sv<dtype, rows>;
  using row_vec = sv<dtype, cols>;
};

// A part of a shared tile.
template <class Tile, int Rows, int Cols>
struct st_subtile {
  using identifier = ducks::st::identifier;
  using ST = Tile;
  using T = typename ST::T;
  using T2 = typename ST::T2;
  using dtype = T;
  static constexpr bool swizzle = ST::swizzle;
  static constexpr int rows = Rows, cols = Cols, num_elements = rows * cols, swizzle_bytes = ST::swizzle_bytes;
  static constexpr int underlying_rows = ST::underlying_rows, underlying_cols = ST::underlying_cols;
  static constexpr int underlying_num_elements = ST::underlying_num_elements;
  static_assert(rows % TILE_ROW_DIM<T> == 0 && cols % TILE_COL_DIM<T> == 0, "a part must be made of base tiles");
  static_assert(underlying_rows % rows == 0 && underlying_cols % cols == 0, "parts must divide the tile");

  dtype* data;
  int row_offset, col_offset;

  __device__ st_subtile(ST& from, int2 at) : data(from.data), row_offset(at.x * rows), col_offset(at.y * cols) {}
  __device__ uint32_t idx(uint32_t start, int2 at) const { return ST::idx(start, {at.x + row_offset, at.y + col_offset}); }
  __device__ T* idx(T* start, int2 at) const { return ST::idx(start, {at.x + row_offset, at.y + col_offset}); }
  __device__ dtype& operator[](const int2& at) { return *idx(data, at); }
  __device__ const dtype& operator[](const int2& at) const { return *idx(const_cast<T*>(data), at); }

  using col_vec = sv<dtype, rows>;
  using row_vec = sv<dtype, cols>;
};

#define PORTER_KITTENS_ST(suffix, T)                                            \
  template <int Rows, int Cols, bool Swizzle = true, int SwizzleBytes = 0>      \
  using st_##suffix = st<T, Rows, Cols, Swizzle, SwizzleBytes>;
PORTER_KITTENS_ST(fl, float)
PORTER_KITTENS_ST(bf, bf16)
PORTER_KITTENS_ST(hf, half)
PORTER_KITTENS_ST(fp8e4m3, fp8e4m3)
PORTER_KITTENS_ST(fp8e5m2, fp8e5m2)
#undef PORTER_KITTENS_ST

// ---- complex: two of a kind ----

template <class Element, size_t Length, ducks::rv_layout::all Layout = naive_l>
struct crv {
  using identifier = ducks::crv::identifier;
  using component = rv<Element, Length, Layout>;
  using layout = Layout;
  using T = typename component::T;
  using T2 = typename component::T2;
  using dtype = typename component::dtype;
  static constexpr int length = component::length, tiles = component::tiles;
  component real, imag;
};
template <class Element, size_t Length>
struct csv {
  using identifier = ducks::csv::identifier;
  using component = sv<Element, Length>;
  using T = typename component::T;
  using T2 = typename component::T2;
  using dtype = typename component::dtype;
  static constexpr int length = component::length, tiles = component::tiles;
  component real, imag;
};
template <class Element, int Rows, int Cols, ducks::rt_layout::all Layout = row_l>
struct crt {
  using identifier = ducks::crt::identifier;
  using component = rt<Element, Rows, Cols, Layout>;
  using layout = Layout;
  using T = typename component::T;
  using T2 = typename component::T2;
  using dtype = typename component::dtype;
  static constexpr int rows = Rows, cols = Cols, height = component::height, width = component::width;
  component real, imag;
  using row_vec = crv<T, cols, typename component::row_vec::layout>;
  using col_vec = crv<T, rows, typename component::col_vec::layout>;
};
template <class Element, int Rows, int Cols>
struct cst {
  using identifier = ducks::cst::identifier;
  using component = st<Element, Rows, Cols>;
  using T = typename component::T;
  using T2 = typename component::T2;
  using dtype = typename component::dtype;
  static constexpr int rows = Rows, cols = Cols;
  component real, imag;
  using col_vec = csv<dtype, rows>;
  using row_vec = csv<dtype, cols>;
};
#define PORTER_KITTENS_COMPLEX(suffix, T)                            \
  template <int Rows, int Cols, ducks::rt_layout::all L = row_l>     \
  using crt_##suffix = crt<T, Rows, Cols, L>;                        \
  template <int Rows, int Cols>                                      \
  using cst_##suffix = cst<T, Rows, Cols>;                           \
  template <int Length, ducks::rv_layout::all L = naive_l>           \
  using crv_##suffix = crv<T, Length, L>;                            \
  template <int Length>                                              \
  using csv_##suffix = csv<T, Length>;
PORTER_KITTENS_COMPLEX(fl, float)
PORTER_KITTENS_COMPLEX(bf, bf16)
PORTER_KITTENS_COMPLEX(hf, half)
#undef PORTER_KITTENS_COMPLEX

}  // namespace kittens

#endif  // PORTER_KITTENS_TILES_H
