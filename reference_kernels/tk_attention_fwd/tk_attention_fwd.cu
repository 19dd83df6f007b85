// Attention forward in bf16, written with ThunderKittens: a producer warpgroup loads blocks of keys and values by TMA, two
// consumer warpgroups of 64 queries each keep an online softmax in registers.

#include "kittens.cuh"

using namespace kittens;

constexpr int kConsumers = 2;
constexpr int kQueries = 64;  // of a consumer: wgmma's rows
constexpr int kKeys = 128;    // of a stage
constexpr int kStages = 2;

constexpr int kThreads = (kConsumers + 1) * WARPGROUP_THREADS;

template <int kDim> struct globals {
  using q_tile = st_bf<kQueries, kDim>;
  using k_tile = st_bf<kKeys, kDim>;
  using lse_vec = col_vec<st_fl<kQueries, kDim>>;
  using q_layout = gl<bf16, -1, -1, -1, kDim, q_tile>;
  using k_layout = gl<bf16, -1, -1, -1, kDim, k_tile>;
  using lse_layout = gl<float, -1, -1, 1, -1, lse_vec>;
  q_layout q;
  k_layout k, v;
  q_layout out;
  lse_layout lse;
  float scale;
};

template <int kDim, bool kCausal>
__global__ __launch_bounds__(kThreads, 1) void attention_kernel(const __grid_constant__ globals<kDim> g) {
  using q_tile = typename globals<kDim>::q_tile;
  using k_tile = typename globals<kDim>::k_tile;
  using lse_vec = typename globals<kDim>::lse_vec;
  extern __shared__ int shared[];
  tma_swizzle_allocator allocator(&shared[0]);
  q_tile(&q)[kConsumers] = allocator.template allocate<q_tile, kConsumers>();  // and the results, at the end
  k_tile(&k)[kStages] = allocator.template allocate<k_tile, kStages>();
  k_tile(&v)[kStages] = allocator.template allocate<k_tile, kStages>();
  lse_vec(&lse)[kConsumers] = allocator.template allocate<lse_vec, kConsumers>();
  __shared__ semaphore q_arrived, k_arrived[kStages], v_arrived[kStages], finished[kStages];

  const int batch = blockIdx.z, head = blockIdx.y, kv_head = head / (g.q.depth() / g.k.depth());
  const int first = blockIdx.x * kConsumers;  // tile of queries
  const int keys = kCausal ? min(int(g.k.rows()), (first + kConsumers) * kQueries) : int(g.k.rows());
  const int steps = cdiv(keys, kKeys);

  if (threadIdx.x == 0) {
    init_semaphore(q_arrived, 0, 1);
    for (int stage = 0; stage < kStages; ++stage) {
      init_semaphore(k_arrived[stage], 0, 1);
      init_semaphore(v_arrived[stage], 0, 1);
      init_semaphore(finished[stage], kConsumers, 0);
    }
  }
  __syncthreads();

  if (warpgroup::groupid() == kConsumers) {
    warpgroup::decrease_registers<40>();
    if (warpgroup::laneid() == 0) {
      tma::expect_bytes(q_arrived, sizeof(q));
      for (int consumer = 0; consumer < kConsumers; ++consumer)
        tma::load_async(q[consumer], g.q, {batch, head, first + consumer, 0}, q_arrived);
      for (int step = 0; step < steps; ++step) {
        const int stage = step % kStages;
        wait(finished[stage], (step / kStages + 1) % 2);  // the first wait of each stage passes
        tma::expect_bytes(k_arrived[stage], sizeof(k_tile));
        tma::load_async(k[stage], g.k, {batch, kv_head, step, 0}, k_arrived[stage]);
        tma::expect_bytes(v_arrived[stage], sizeof(k_tile));
        tma::load_async(v[stage], g.v, {batch, kv_head, step, 0}, v_arrived[stage]);
      }
    }
  } else {
    warpgroup::increase_registers<232>();
    const int consumer = warpgroup::groupid();
    const int row = (first + consumer) * kQueries + warpgroup::warpid() * 16;  // the warp's first query
    const float scale = g.scale * 1.44269504089f;                             // exp2 in place of exp
    rt_fl<16, kKeys> scores;
    rt_bf<16, kKeys> weights;
    rt_fl<16, kDim> sums;
    col_vec<rt_fl<16, kKeys>> highest, factor, total;
    warp::neg_infty(highest);
    warp::zero(total);
    warp::zero(sums);

    wait(q_arrived, 0);
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages, phase = step / kStages % 2, column = step * kKeys;
      wait(k_arrived[stage], phase);
      warpgroup::mm_ABt(scores, q[consumer], k[stage]);
      warp::copy(factor, highest);
      warpgroup::mma_async_wait();
      if (column + kKeys > g.k.rows())
        warp::right_fill(scores, scores, g.k.rows() - column, base_types::constants<float>::neg_infty());
      if (kCausal && column + kKeys > row)
        warp::tril(scores, scores, row - column, base_types::constants<float>::neg_infty());

      warp::row_max(highest, scores, highest);
      warp::sub_row(scores, scores, highest);  // before the scale: rounded after it, large scores would not cancel
      warp::mul(scores, scores, scale);
      warp::exp2(scores, scores);
      warp::sub(factor, factor, highest);
      warp::mul(factor, factor, scale);
      warp::exp2(factor, factor);
      warp::mul(total, total, factor);
      warp::row_sum(total, scores, total);
      warp::copy(weights, scores);
      warp::mul_row(sums, sums, factor);

      wait(v_arrived[stage], phase);
      warpgroup::mma_AB(sums, weights, v[stage]);
      warpgroup::mma_async_wait();
      if (warpgroup::laneid() == 0) arrive(finished[stage]);
    }

    warp::div_row(sums, sums, total);
    warp::log(total, total);
    warp::mul(highest, highest, g.scale);
    warp::add(total, total, highest);
    warpgroup::store(q[consumer], sums);
    warpgroup::store(lse[consumer], total);
    warpgroup::sync(consumer + 4);
    if (warpgroup::laneid() == 0) {
      tma::store_async(g.out, q[consumer], {batch, head, first + consumer, 0});
      tma::store_async(g.lse, lse[consumer], {batch, head, 0, first + consumer});
      tma::store_async_read_wait();
    }
  }
}

struct Problem {
  const bf16 *q, *k, *v;
  bf16 *out;
  float *lse;
  int batch, heads, kv_heads, seq;
  float scale;
  cudaStream_t stream;
};

template <int kDim, bool kCausal> cudaError_t launch(const Problem &p) {
  using G = globals<kDim>;
  const size_t batch = p.batch, heads = p.heads, kv_heads = p.kv_heads, seq = p.seq;
  const G g{
      typename G::q_layout(const_cast<bf16 *>(p.q), batch, heads, seq, nullptr),
      typename G::k_layout(const_cast<bf16 *>(p.k), batch, kv_heads, seq, nullptr),
      typename G::k_layout(const_cast<bf16 *>(p.v), batch, kv_heads, seq, nullptr),
      typename G::q_layout(p.out, batch, heads, seq, nullptr),
      typename G::lse_layout(p.lse, batch, heads, nullptr, seq),
      p.scale,
  };
  constexpr int kShared = sizeof(typename G::q_tile) * kConsumers + sizeof(typename G::k_tile) * 2 * kStages +
                          1024 * (kConsumers + 1);  // rows of sums, and the allocator's alignment
  const cudaError_t error =
      cudaFuncSetAttribute(attention_kernel<kDim, kCausal>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  if (error != cudaSuccess) return error;
  const dim3 grid(cdiv(p.seq, kConsumers * kQueries), p.heads, p.batch);
  attention_kernel<kDim, kCausal><<<grid, kThreads, kShared, p.stream>>>(g);
  return cudaGetLastError();
}

// dim is 64 or 128; seq is a multiple of 4, which TMA's strides of lse ask for.
extern "C" cudaError_t tk_attention_fwd(const bf16 *q, const bf16 *k, const bf16 *v, bf16 *out, float *lse, int batch,
                                        int heads, int kv_heads, int seq, int dim, int causal, float scale,
                                        cudaStream_t stream) {
  if (batch <= 0 || kv_heads <= 0 || heads % kv_heads || seq <= 0 || seq % 4) return cudaErrorInvalidValue;
  const Problem problem{q, k, v, out, lse, batch, heads, kv_heads, seq, scale, stream};
  if (dim == 64) return causal ? launch<64, true>(problem) : launch<64, false>(problem);
  if (dim == 128) return causal ? launch<128, true>(problem) : launch<128, false>(problem);
  return cudaErrorInvalidValue;
}
