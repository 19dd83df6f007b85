// porter/kittens/lcsc.h, executed: some blocks double tiles, the others add to numbers meanwhile.
#include <hip/hip_runtime.h>

#include "porter/kittens/lcsc.h"

using namespace kittens;
using namespace kittens::prototype;

#ifdef PORTER_DEVICE_SHARED
constexpr int more = 60 << 10;
#else
constexpr int more = 16;
#endif

struct config {
  static constexpr int NUM_WARPGROUPS = 2, NUM_THREADS = NUM_WARPGROUPS * WARPGROUP_THREADS, NUM_BLOCKS = 3;
  static constexpr int DYNAMIC_SHARED_MEMORY = MAX_SHARED_MEMORY - 1024, PRODUCER_REGISTERS = 40, CONSUMER_REGISTERS = 232;
};
struct arrays {
  using tile = st_bf<64, 64>;
  gl<bf16, 1, 1, -1, 64, tile> x, y;
  float* numbers;
  int count, num_comm_sms;
};
struct doubling {
  static constexpr int stages = 2;
  struct comm_smem { char rest[16]; };
  struct comm_sem {};
  struct comm_regs { int worker_id, comm_workers, comp_workers, task_id, task_offset, num_tasks, task_stride; };
  struct comp_smem { arrays::tile x[stages], y; char rest[more]; };
  struct comp_sem { semaphore loaded[stages], used[stages], computed, stored; };
  struct comp_regs { int worker_id, comm_workers, comp_workers, task_id, task_offset, num_tasks, task_stride, turn; };

  __device__ static void comm_setup(const arrays& g, comm_sem&, comm_smem&, comm_regs& regs) {
    regs.task_offset = regs.worker_id, regs.num_tasks = g.count / 256, regs.task_stride = regs.comm_workers;
  }
  __device__ static void communicator(const arrays& g, comm_sem&, comm_smem&, comm_regs& regs) {
    if (threadIdx.x < 256) g.numbers[regs.task_id * 256 + threadIdx.x] += 1;
  }
  __device__ static void comp_setup(const arrays& g, comp_sem& sem, comp_smem&, comp_regs& regs) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < stages; ++i) init_semaphore(sem.loaded[i], 0, 1), init_semaphore(sem.used[i], 0, 1);
      init_semaphore(sem.computed, 0, 1), init_semaphore(sem.stored, 0, 1);
    }
    regs.task_offset = regs.worker_id, regs.num_tasks = g.x.rows() / 64, regs.task_stride = regs.comp_workers;
    __syncthreads();
  }
  __device__ static void loader(const arrays& g, comp_sem& sem, comp_smem& smem, comp_regs& regs) {
    const int stage = regs.turn % stages, round = regs.turn++ / stages;
    wait(sem.used[stage], round + 1 & 1);
    tma::expect(sem.loaded[stage], smem.x[stage]);
    tma::load_async(smem.x[stage], g.x, {regs.task_id, 0}, sem.loaded[stage]);
  }
  __device__ static void consumer(const arrays& g, comp_sem& sem, comp_smem& smem, comp_regs& regs) {
    const int turn = regs.turn++, stage = turn % stages;
    rt_fl<16, 64> x;
    wait(sem.loaded[stage], turn / stages & 1);
    warpgroup::load(x, smem.x[stage]);
    warpgroup::sync(1);
    if (warpgroup::laneid() == 0) arrive(sem.used[stage]);
    warp::mul(x, x, 2.0f);
    wait(sem.stored, turn + 1 & 1);
    warpgroup::store(smem.y, x);
    warpgroup::sync(1);
    if (warpgroup::laneid() == 0) arrive(sem.computed);
  }
  __device__ static void storer(const arrays& g, comp_sem& sem, comp_smem& smem, comp_regs& regs) {
    const int turn = regs.turn++;
    wait(sem.computed, turn & 1);
    tma::store_async(g.y, smem.y, {regs.task_id, 0});
    tma::store_async_read_wait();
    arrive(sem.stored);
  }
};
template __global__ void lcsc::main_kernel<config, arrays, doubling>(const arrays);

void run(const arrays& g) { lcsc::launch_kernel<config, arrays, doubling>(g); }
