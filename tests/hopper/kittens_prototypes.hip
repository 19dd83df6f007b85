// porter/kittens/prototype.h, executed: a product in which blocks take turns at tasks (lcf), and a scaling of rows (lcsf).
#include <hip/hip_runtime.h>

#include "porter/kittens/prototype.h"

using namespace kittens;
using namespace kittens::prototype;

// More bytes than LDS has room for, where the unit lets them lie in device memory.
#ifdef PORTER_DEVICE_SHARED
constexpr int more = 40 << 10;
#else
constexpr int more = 16;
#endif

struct product_layout {
  using tile = st_bf<64, 64>;
  using sums = st_fl<64, 64>;
  using operands = gl<bf16, 1, 1, -1, -1, tile>;
  using results = gl<float, 1, 1, -1, -1, sums>;
  struct globals { operands a, b; results c; };
  struct input_block { tile a[2], b; };
  struct finish_block { sums c[2]; char rest[more]; };
  struct common_state { int row, col; };
  struct consumer_state { rt_fl<16, 64> sum; };
};
// c = a b^T, 128 x 64 to a task: a warpgroup of consumers has 64 rows.
struct product {
  using layout = product_layout;
  static constexpr int NUM_CONSUMER_WARPS = 8, INPUT_PIPE_STAGES = 4, PRODUCER_BARRIER_ARRIVALS = 1;
  __device__ static void common_setup(lcf::common_setup_args<layout> args) {
    const int columns = args.globals.c.cols() / 64, task = get_task_iter(args.task_iter);
    if (task >= args.globals.c.rows() / 128 * columns) return;
    args.common = {task / columns * 2, task % columns};
    args.num_iters = args.globals.a.cols() / 64;
  }
  struct producer {
    __device__ static void setup(lcf::producer_setup_args<layout>) { warpgroup::decrease_registers<40>(); }
    __device__ static void load(lcf::producer_load_args<layout> args) {
      if (warpgroup::laneid() != 0) return;
      tma::expect(args.inputs_arrived, args.input.a[0], args.input.a[1], args.input.b);
      for (int i = 0; i < 2; ++i)
        tma::load_async(args.input.a[i], args.globals.a, {args.common.row + i, args.iter}, args.inputs_arrived);
      tma::load_async(args.input.b, args.globals.b, {args.common.col, args.iter}, args.inputs_arrived);
    }
  };
  struct consumer {
    __device__ static void setup(lcf::consumer_setup_args<layout> args) {
      warpgroup::increase_registers<232>();
      warp::zero(args.state.sum);
    }
    __device__ static void compute(lcf::consumer_compute_args<layout> args) {
      warpgroup::mma_ABt(args.state.sum, args.input.a[warpgroup::groupid()], args.input.b);
      warpgroup::mma_async_wait();
      if (laneid() == 0) arrive(args.inputs_finished);
    }
    __device__ static void finish(lcf::consumer_finish_args<layout> args) {
      const int group = warpgroup::groupid();
      warpgroup::store(args.finish.c[group], args.state.sum);
      warpgroup::sync(group + 4);
      if (warpgroup::laneid() == 0) {
        tma::store_async(args.globals.c, args.finish.c[group], {args.common.row + group, args.common.col});
        tma::store_async_read_wait();
      }
      if (laneid() == 0) arrive(args.finish_finished);
    }
  };
};
template __global__ void lcf::kernel<product>(const product_layout::globals);

struct scaling_layout {
  using tile = st_bf<16, 128>;
  using rows = gl<bf16, 1, 1, -1, 128, tile>;
  struct globals { rows x, y; gl<float, 1, 1, 1, -1> factors; };
  struct input_block { tile x[4]; };
  struct output_block { tile y[4]; char rest[more]; };
  struct scratch_block { sv_fl<128> factors; char rest[more]; };
  struct producer_state { int first; };
  struct consumer_state { rv_fl<128, align_l> factors; };
};
// y = x times a factor of its column: each of four consumers has 16 rows of an iteration, a producer of its own each iteration.
struct scaling {
  using layout = scaling_layout;
  static constexpr int NUM_CONSUMER_WARPS = 4, INPUT_PIPE_STAGES = 3, OUTPUT_PIPE_STAGES = 3;
  __device__ static void common_setup(lcsf::common_setup_args<layout> args) {
    args.num_iters = args.task_iter == 0 ? args.globals.x.rows() / 64 / int(gridDim.x) : -1;
  }
  struct producer {
    __device__ static void setup(lcsf::producer_setup_args<layout> args) { args.state.first = blockIdx.x * args.num_iters; }
    __device__ static void load(lcsf::producer_load_args<layout> args) {
      if (warpgroup::warpid() != args.iter % 4) return;
      warp::tma::expect_bytes(args.inputs_arrived, sizeof(args.input));
      for (int i = 0; i < 4; ++i)
        warp::tma::load_async(args.input.x[i], args.globals.x, {(args.state.first + args.iter) * 4 + i, 0}, args.inputs_arrived);
      if (laneid() == 0) arrive(args.inputs_arrived, 3);
    }
    __device__ static void store(lcsf::producer_store_args<layout> args) {
      if (warpgroup::warpid() != args.iter % 4) return;
      for (int i = 0; i < 4; ++i)
        warp::tma::store_async(args.globals.y, args.output.y[i], {(args.state.first + args.iter) * 4 + i, 0});
      warp::tma::store_async_read_wait();
      if (laneid() == 0) arrive(args.outputs_finished, 4);
    }
  };
  struct consumer {
    __device__ static void setup(lcsf::consumer_setup_args<layout> args) {
      warpgroup::load(args.scratch.factors, args.globals.factors, {0});
      warpgroup::sync(1);
      warp::load(args.state.factors, args.scratch.factors);
    }
    __device__ static void compute(lcsf::consumer_compute_args<layout> args) {
      rt_fl<16, 128> x;
      warp::load(x, args.input.x[warpid()]);
      if (laneid() == 0) arrive(args.inputs_finished);
      warp::mul_col(x, x, args.state.factors);
      warp::store(args.output.y[warpid()], x);
      if (laneid() == 0) arrive(args.outputs_arrived);
    }
    __device__ static void finish(lcsf::consumer_finish_args<layout> args) {
      if (laneid() == 0) arrive(args.finish_finished);
    }
  };
};
template __global__ void lcsf::kernel<scaling>(const scaling_layout::globals);

constexpr prototype::detail::placement product_places = prototype::detail::placed<product, false>();
constexpr prototype::detail::placement scaling_places = prototype::detail::placed<scaling, true>();
#ifdef PORTER_DEVICE_SHARED
static_assert(product_places.inputs == 2 && !product_places.finish_in_lds() && product_places.safe_inputs() == 2);
static_assert(scaling_places.inputs == 1 && scaling_places.outputs == 3 && !scaling_places.outputs_in_lds);
#else
static_assert(product_places.inputs == 2 && product_places.safe_inputs() == 1, "four stages do not fit; the finish block lies over one");
static_assert(scaling_places.inputs == 2 && scaling_places.outputs == 1);
#endif
