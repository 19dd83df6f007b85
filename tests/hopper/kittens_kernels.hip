// porter/kittens, executed: every operation of tiles and vectors, each result into a plane of its own.
#include <hip/hip_runtime.h>

#include "porter/kittens/kittens.h"

using namespace kittens;

template <class T>
using tensor = gl<T, -1, -1, -1, -1>;  // a pointer and four sizes: [1, planes, rows, columns]

template <class T, int R, int C, class L>
__device__ void tile_ops(const tensor<T>& a, const tensor<T>& b, const tensor<T>& out) {
  begin();
  using RT = rt<T, R, C, L>;
  using Square = rt<T, 32, 32, L>;
  __shared__ st<T, R, C> shared;
  __shared__ st<T, R, C> other;
  RT x, y, z;
  int plane = 0;
  const auto put = [&](const auto& tile) { warp::store(out, tile, {0, plane++, 0, 0}); };
  warp::load(x, a, {0, 0, 0, 0});
  warp::load(y, b, {0, 0, 0, 0});
  put(x);
  warp::load(shared, a, {0, 0, 0, 0});
  warp::load(z, shared);
  put(z);
  warp::store(shared, y);
  warp::store(out, shared, {0, plane++, 0, 0});
  warp::add(z, x, y), put(z);
  warp::sub(z, x, y), put(z);
  warp::mul(z, x, y), put(z);
  warp::div(z, x, y), put(z);
  warp::max(z, x, y), put(z);
  warp::min(z, x, y), put(z);
  put(x + y * 2.0f);
  warp::exp(z, x), put(z);
  warp::exp2(z, x), put(z);
  warp::abs(z, x), warp::log(z, z), put(z);
  warp::abs(z, x), warp::log2(z, z), put(z);
  warp::relu(z, x), put(z);
  warp::apply(z, x, [](int r, int c, T e) { return base_types::convertor<T, float>::convert(float(r * 64 + c)); }), put(z);
  warp::tril(z, x, 3), put(z);
  warp::triu(z, x, -2, base_types::constants<T>::one()), put(z);
  warp::right_fill(z, x, 5), put(z);
  warp::left_fill(z, x, 5), put(z);
  warp::upper_fill(z, x, 7), put(z);
  warp::lower_fill(z, x, 7), put(z);
  warp::upper_right_fill(z, x, 7, 9), put(z);
  // vectors beside tiles
  col_vec<RT> rows, rows2;
  row_vec<RT> cols, cols2;
  warp::row_sum(rows, x), warp::broadcast_row(z, rows), put(z);
  warp::col_sum(cols, x), warp::broadcast_col(z, cols), put(z);
  warp::row_max(rows, x), warp::add_row(z, y, rows), put(z);
  warp::col_min(cols, x), warp::mul_col(z, y, cols), put(z);
  warp::row_min(rows2, y, rows), warp::sub_row(z, y, rows2), put(z);
  warp::col_max(cols2, y, cols), warp::div_col(z, y, cols2), put(z);
  warp::template sum<axis::COL>(rows, y), warp::broadcast_row(z, rows), put(z);
  // other layouts
  rt<T, R, C, typename ducks::rt_layout::transpose<L>::type> swapped;
  warp::swap_layout(swapped, x), put(swapped);
  rt<T, C, R, L> turned;
  warp::transpose_sep(turned, x), warp::transpose_sep(z, turned), put(z);
  // a part of a shared tile: the last
  auto part = other.template subtile<16, 16>(int2{R / 16 - 1, C / 16 - 1});
  warp::load(other, b, {0, 0, 0, 0}), warp::store(part, reinterpret_cast<rt<T, 16, 16, L>&>(x.tiles[0][0]));
  warp::store(out, other, {0, plane++, 0, 0});
  // shared memory's own operations
  warp::load(other, b, {0, 0, 0, 0}), warp::load(shared, a, {0, 0, 0, 0});
  warp::add(shared, shared, other), warp::mul(shared, shared, base_types::constants<T>::one());
  warp::store(out, shared, {0, plane++, 0, 0});
  __shared__ sv<T, R> column;
  __shared__ sv<T, C> row;
  warp::row_sum(column, other), warp::col_max(row, other);
  warp::broadcast_row(shared, column), warp::add_col(shared, shared, row);
  warp::store(out, shared, {0, plane++, 0, 0});
}

// [rows of 64]: one vector each.
template <class T, int N, class L>
__device__ void vector_ops(const tensor<T>& a, const tensor<T>& b, const tensor<T>& out) {
  begin();
  rv<T, N, L> x, y, z;
  __shared__ sv<T, N> shared, other;
  int line = 0;
  const auto put = [&](const auto& v) { warp::store(const_cast<tensor<T>&>(out), v, {0, 0, line++, 0}); };
  warp::load(x, a, {0, 0, 0, 0});
  warp::load(shared, b, {0, 0, 0, 0});
  warp::load(y, shared);
  put(x), put(y);
  warp::mul(z, x, y), put(z);
  warp::add(z, x, 1.0f), put(z);
  warp::max(z, x, y), put(z);
  rv<T, N, naive_l> naive;
  rv<T, N, ortho_l> ortho;
  rv<T, N, align_l> align;
  warp::copy(naive, x), put(naive);
  warp::copy(ortho, x), put(ortho);
  warp::copy(align, x), put(align);
  warp::store(other, x), warp::add(other, other, shared), warp::store(out, other, {0, 0, line++, 0});
  z = warp::sum(x), put(z);
  z = warp::max(x), put(z);
  z = warp::min(x, base_types::constants<T>::zero()), put(z);
  z = warp::sum(shared), put(z);
  z = warp::max(shared), put(z);
}

template <class T, class U, int M, int N, int K>
__device__ void products(const tensor<T>& a, const tensor<T>& b, const tensor<U>& out) {
  begin();
  rt<T, M, K> rows;
  rt<T, N, K> b_rows;
  rt<T, M, K, col_l> at;  // of [m, k]: its columns
  rt<T, N, K, col_l> bt;
  rt<U, M, N> d;
  warp::load(rows, a, {0, 0, 0, 0}), warp::load(b_rows, b, {0, 0, 0, 0});
  warp::zero(d), warp::mma_ABt(d, rows, b_rows, d), warp::store(out, d, {0, 0, 0, 0});
  rt<T, K, N, col_l> b_cols;
  rt<T, K, M, col_l> a_cols;
  rt<T, K, N> kn;
  rt<T, K, M> km;
  warp::transpose_sep(kn, b_rows), warp::swap_layout(b_cols, kn);
  warp::transpose_sep(km, rows), warp::swap_layout(a_cols, km);
  warp::mma_AB(d, rows, b_cols, d), warp::store(out, d, {0, 1, 0, 0});
  warp::zero(d), warp::mma_AtB(d, a_cols, b_cols, d), warp::store(out, d, {0, 2, 0, 0});
  warp::zero(d), warp::mma_AtBt(d, a_cols, b_rows, d), warp::store(out, d, {0, 3, 0, 0});
}

// A warpgroup: B, and A, in shared memory.
template <class T, int N, int K>
__device__ void shared_products(const tensor<T>& a, const tensor<T>& at, const tensor<T>& b, const tensor<T>& bt, const tensor<float>& out) {
  begin();
  __shared__ st<T, 64, K> left;
  __shared__ st<T, N, K> right;
  rt_fl<16, N> d;
  const auto put = [&](int plane) { warpgroup::mma_async_wait(), warpgroup::store(out, d, {0, plane, 0, 0}), __syncthreads(); };
  warpgroup::load(left, a, {0, 0, 0, 0}), warpgroup::load(right, b, {0, 0, 0, 0}), __syncthreads();
  warpgroup::mm_ABt(d, left, right), put(0);
  rt<T, 16, K> own;
  warpgroup::load(own, left);
  warpgroup::mma_ABt(d, own, right), put(1);
  if constexpr (sizeof(T) == 2) {
    auto& left_t = reinterpret_cast<st<T, K, 64>&>(left);
    auto& right_t = reinterpret_cast<st<T, K, N>&>(right);
    warpgroup::load(right_t, bt, {0, 0, 0, 0}), __syncthreads();
    warpgroup::mm_AB(d, left, right_t), put(2);
    warpgroup::mm_AB(d, own, right_t), put(3);
    warpgroup::load(left_t, at, {0, 0, 0, 0}), __syncthreads();
    warpgroup::mm_AtB(d, left_t, right_t), put(4);
    warpgroup::load(right, b, {0, 0, 0, 0}), __syncthreads();
    warpgroup::mm_AtBt(d, left_t, right), put(5);
  }
}

// TMA and semaphores: warp 0 copies, warp 1 waits, adds 1 and stores back; by a whole warp and by one thread.
template <class T, int R, int C>
__device__ void copies(const tensor<T>& a, const tensor<T>& out, const tensor<float>& sums, int first) {
  begin();
  __shared__ st<T, R, C> tile[2];
  __shared__ sv<T, C> row;
  __shared__ st_fl<16, 16> ones;
  __shared__ semaphore arrived;
  if (threadIdx.x == 0) init_semaphore(arrived, 0, 1);
  __syncthreads();
  if (warpid() == 0) {
    warp::tma::expect(arrived, tile[0], tile[1], row);
    warp::tma::load_async(tile[0], a, {0, 0, first, 0}, arrived);
    if (laneid() == 0) {
      tma::load_async(tile[1], a, {0, 0, first + 1, 1}, arrived);
      tma::load_async(row, a, {0, 0, 2, 1}, arrived);
    }
  } else if (warpid() == 1) {
    warp::one(ones);
    wait(arrived, 0);
    warp::add_col(tile[0], tile[0], row);
    warp::tma::store_async(out, tile[0], {0, 0, first, 0});
    if (laneid() == 0) tma::store_async(out, tile[1], {0, 0, first + 1, 1});
    warp::tma::store_add_async(sums, ones, {0, 0, 0, 0});
    warp::tma::store_add_async(sums, ones, {0, 0, 0, 0});
    warp::tma::store_async_wait();
  }
}

// Groups of warps: rows by warp; named barriers; conversions through shared memory.
template <class T, class U, int W>
__device__ void groups(const tensor<T>& a, const tensor<U>& out) {
  begin();
  using G = group<W>;
  __shared__ st<T, 16 * W, 64> tile;
  __shared__ st<U, 16 * W, 64> converted;
  G::load(tile, a, {0, 0, 0, 0});
  G::sync(3);
  rt<U, 16, 64> mine;
  G::load(mine, tile);
  G::store(converted, mine);
  G::sync(4);
  G::store(out, converted, {0, 0, 0, 0});
  G::store(out, mine, {0, 1, 0, 0});
}

#define TILES(name, T, R, C, L) \
  extern "C" __global__ void name(const tensor<T> a, const tensor<T> b, const tensor<T> out) { tile_ops<T, R, C, L>(a, b, out); }
TILES(tile_f32_row, float, 32, 64, row_l)
TILES(tile_f32_col, float, 16, 32, col_l)
TILES(tile_bf16_row, bf16, 32, 64, row_l)
TILES(tile_bf16_col, bf16, 32, 48, col_l)
TILES(tile_f16_row, half, 16, 16, row_l)
TILES(tile_f16_col, half, 48, 32, col_l)
#define VECTORS(name, T, N, L) \
  extern "C" __global__ void name(const tensor<T> a, const tensor<T> b, const tensor<T> out) { vector_ops<T, N, L>(a, b, out); }
VECTORS(vector_f32_naive, float, 80, naive_l)
VECTORS(vector_f32_ortho, float, 48, ortho_l)
VECTORS(vector_bf16_align, bf16, 64, align_l)
VECTORS(vector_bf16_naive, bf16, 512, naive_l)
VECTORS(vector_f16_ortho, half, 16, ortho_l)
#define PRODUCTS(name, T, U, M, N, K) \
  extern "C" __global__ void name(const tensor<T> a, const tensor<T> b, const tensor<U> out) { products<T, U, M, N, K>(a, b, out); }
PRODUCTS(product_bf16, bf16, float, 32, 48, 32)
PRODUCTS(product_f16, half, half, 16, 32, 64)
#define SHARED(name, T, N, K)                                                                                       \
  extern "C" __global__ void name(const tensor<T> a, const tensor<T> at, const tensor<T> b, const tensor<T> bt,     \
                                  const tensor<float> out) {                                                        \
    shared_products<T, N, K>(a, at, b, bt, out);                                                                    \
  }
SHARED(shared_bf16, bf16, 64, 64)
SHARED(shared_f16, half, 32, 128)
SHARED(shared_e4m3, fp8e4m3, 32, 64)
SHARED(shared_e5m2, fp8e5m2, 32, 128)
#define COPIES(name, T, R, C)                                                                                         \
  extern "C" __global__ void name(const tensor<T> a, const tensor<T> out, const tensor<float> sums, int first) {      \
    copies<T, R, C>(a, out, sums, first);                                                                             \
  }
COPIES(copies_bf16, bf16, 32, 64)
COPIES(copies_f32, float, 16, 64)
#define GROUPS(name, T, U, W) \
  extern "C" __global__ void name(const tensor<T> a, const tensor<U> out) { groups<T, U, W>(a, out); }
GROUPS(groups_2, bf16, float, 2)
GROUPS(groups_4, float, half, 4)
GROUPS(groups_8, half, fp8e4m3, 8)
