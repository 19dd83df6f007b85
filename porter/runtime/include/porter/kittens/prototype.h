// porter kittens: ThunderKittens' prototypes. A template's producers load blocks of input, its consumers compute (lcf), and
// hand blocks of output back to the producers to store (lcsf).
//
// A template gives the most stages that it wants: there are as many as fit into LDS.
#ifndef PORTER_KITTENS_PROTOTYPE_H
#define PORTER_KITTENS_PROTOTYPE_H

#include "kittens.h"

namespace kittens::prototype {

struct empty {
  __device__ empty& operator*() { return *this; }
  __device__ const empty& operator*() const { return *this; }
};
template <class T, int Alignment = 1024>
struct alignas(Alignment) padder {
  T val;
  __device__ T& operator*() { return val; }
  __device__ const T& operator*() const { return val; }
};

template <class T>
concept kittens_layout = requires {
  typename T::globals;
  typename T::input_block;
};
template <class T>
concept store_kittens_layout = kittens_layout<T> && requires { typename T::output_block; };

// The number of a task if all blocks of the grid take turns.
__device__ inline int get_task_iter(int turn) {
  return ((turn * gridDim.z + blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

namespace detail {

#define PORTER_KITTENS_FLAG(name, standard)      \
  template <class T>                             \
  constexpr int name##_v = standard;             \
  template <class T>                             \
    requires requires { T::name; }               \
  constexpr int name##_v<T> = T::name;
PORTER_KITTENS_FLAG(FORCE_ALIGN, 1024)
PORTER_KITTENS_FLAG(DEBUG, 0)
PORTER_KITTENS_FLAG(NUM_BLOCKS, 1)
PORTER_KITTENS_FLAG(NUM_CONSUMER_WARPS, 8)
PORTER_KITTENS_FLAG(NUM_PRODUCER_WARPS, 4)
// For a launch to ask for: what the library itself keeps in LDS fits beside it.
PORTER_KITTENS_FLAG(MAX_SHARED_MEMORY, kittens::MAX_SHARED_MEMORY / NUM_BLOCKS_v<T> - 1024)
PORTER_KITTENS_FLAG(INPUT_PIPE_STAGES, 1)
PORTER_KITTENS_FLAG(OUTPUT_PIPE_STAGES, 1)
PORTER_KITTENS_FLAG(CONSUMER_BARRIER_ARRIVALS, NUM_CONSUMER_WARPS_v<T>)
PORTER_KITTENS_FLAG(PRODUCER_BARRIER_ARRIVALS, NUM_PRODUCER_WARPS_v<T>)
PORTER_KITTENS_FLAG(CLUSTER_BLOCKS, 1)
#undef PORTER_KITTENS_FLAG
template <class T>
constexpr int NUM_WARPS_v = NUM_CONSUMER_WARPS_v<T> + NUM_PRODUCER_WARPS_v<T>;
template <class T>
constexpr int NUM_THREADS_v = NUM_WARPS_v<T> * WARP_THREADS;
template <class T>
constexpr int NUM_CONSUMER_WARPGROUPS_v = NUM_CONSUMER_WARPS_v<T> / WARPGROUP_WARPS;

#define PORTER_KITTENS_PART(name)                                     \
  template <class T>                                                  \
  struct name##_of { using type = empty; };                           \
  template <class T>                                                  \
    requires requires { typename T::name; }                           \
  struct name##_of<T> { using type = typename T::name; };             \
  template <class T>                                                  \
  using name##_t = typename name##_of<T>::type;
PORTER_KITTENS_PART(input_block)
PORTER_KITTENS_PART(output_block)
PORTER_KITTENS_PART(scratch_block)
PORTER_KITTENS_PART(finish_block)
PORTER_KITTENS_PART(common_state)
PORTER_KITTENS_PART(producer_state)
PORTER_KITTENS_PART(consumer_state)
#undef PORTER_KITTENS_PART

}  // namespace detail

// A layout with all its parts.
template <kittens_layout T>
struct complete_kittens_layout : T {
  using globals_t = typename T::globals;
  using input_block_t = detail::input_block_t<T>;
  using output_block_t = detail::output_block_t<T>;
  using scratch_block_t = detail::scratch_block_t<T>;
  using finish_block_t = detail::finish_block_t<T>;
  using common_state_t = detail::common_state_t<T>;
  using producer_state_t = detail::producer_state_t<T>;
  using consumer_state_t = detail::consumer_state_t<T>;
  static constexpr int FORCE_ALIGN = detail::FORCE_ALIGN_v<T>;
  using input_alloc_block_t = padder<input_block_t, FORCE_ALIGN>;
  using output_alloc_block_t = padder<output_block_t, FORCE_ALIGN>;
  using scratch_alloc_block_t = padder<scratch_block_t, FORCE_ALIGN>;
};

namespace detail {

// ---- what a template's functions get; Stores: of lcsf ----

template <class L, bool Stores>
struct uniform_args {
  using CKL = complete_kittens_layout<L>;
  typename CKL::common_state_t& common;
  std::conditional_t<Stores, int&, int> task_iter;
  int& num_iters;
  const typename CKL::globals_t& globals;
  typename CKL::scratch_block_t& scratch;
};
template <class L, bool Stores>
struct producer_setup_args : uniform_args<L, Stores> {
  producer_state_t<L>& state;
};
template <class L, bool Stores>
struct producer_load_args : uniform_args<L, Stores> {
  producer_state_t<L>& state;
  input_block_t<L>& input;
  semaphore& inputs_arrived;
  int iter;
};
template <class L>
struct producer_store_args : uniform_args<L, true> {
  producer_state_t<L>& state;
  output_block_t<L>& output;
  semaphore& outputs_finished;
  int iter;
};
template <class L, bool Stores>
struct consumer_setup_args : uniform_args<L, Stores> {
  consumer_state_t<L>& state;
};
template <class L, bool Stores>
struct consumer_compute_args;
template <class L>
struct consumer_compute_args<L, false> : uniform_args<L, false> {
  consumer_state_t<L>& state;
  input_block_t<L>& input;
  semaphore& inputs_finished;
  int iter;
};
template <class L>
struct consumer_compute_args<L, true> : uniform_args<L, true> {
  consumer_state_t<L>& state;
  input_block_t<L>& input;
  output_block_t<L>& output;
  semaphore &inputs_finished, &outputs_arrived;
  int iter;
};
template <class L, bool Stores>
struct consumer_finish_args : uniform_args<L, Stores> {
  consumer_state_t<L>& state;
  finish_block_t<L>& finish;
  semaphore& finish_finished;
};

// ---- a block's shared memory ----

// Where its parts lie: scratch, inputs, outputs in LDS, the finish block at its end, over stages that are not used by then.
// Parts for which LDS is too small with one stage of each lie in device memory (../device_shared.h).
struct placement {
  int scratch, input, output, finish;  // bytes of each
  int inputs, outputs;                 // stages
  int room;                            // of LDS
  bool scratch_in_lds = true, inputs_in_lds = true, outputs_in_lds = true;

  // What it takes with one stage of each.
  constexpr int least() const { return scratch + (input + output > finish ? input + output : finish); }
  constexpr int in_lds() const {
    return scratch_in_lds * scratch + inputs_in_lds * inputs * input + outputs_in_lds * outputs * output;
  }
  constexpr bool finish_in_lds() const { return finish + scratch_in_lds * scratch <= room; }
  // With so many stages as fit.
  constexpr placement fitted() const {
    placement p = *this;
    while (p.in_lds() > room && (p.inputs > 1 || (outputs_in_lds && p.outputs > 1)))
      --(outputs_in_lds && p.outputs > 1 && p.outputs >= p.inputs ? p.outputs : p.inputs);
    return p;
  }
  constexpr placement without(bool scratch, bool inputs, bool outputs) const {
    placement p = *this;
    p.scratch_in_lds = !scratch, p.inputs_in_lds = !inputs, p.outputs_in_lds = !outputs;
    return p.fitted();
  }
  constexpr int finish_at() const { return finish_in_lds() ? (room - finish) / 1024 * 1024 : 0; }
  // Stages that the finish block leaves alone.
  constexpr int safe_inputs() const {
    if (!finish_in_lds() || !inputs_in_lds) return inputs;
    const int stages = (finish_at() - scratch_in_lds * scratch) / input;
    return stages < inputs ? stages : inputs;
  }
  // From where on a part lies, in LDS or in device memory: behind the parts before it that lie there, too.
  constexpr int inputs_at() const { return scratch_in_lds == inputs_in_lds ? scratch : 0; }
  constexpr int outputs_at() const {
    return (scratch_in_lds == outputs_in_lds ? scratch : 0) + (inputs_in_lds == outputs_in_lds ? inputs * input : 0);
  }
  constexpr int finish_in_device_memory_at() const {
    return (scratch_in_lds ? 0 : scratch) + (inputs_in_lds ? 0 : inputs * input) + (outputs_in_lds ? 0 : outputs * output);
  }
  constexpr int in_device_memory() const { return finish_in_device_memory_at() + (finish_in_lds() ? 0 : finish); }
};
template <class T, bool Stores>
consteval placement placed() {
  using L = complete_kittens_layout<typename T::layout>;
  constexpr int room = kittens::MAX_SHARED_MEMORY / NUM_BLOCKS_v<T> - 2048, wanted = MAX_SHARED_MEMORY_v<T>;
  const placement all{sizeof(typename L::scratch_alloc_block_t), sizeof(typename L::input_alloc_block_t),
                      Stores ? int(sizeof(typename L::output_alloc_block_t)) : 0, sizeof(typename L::finish_block_t),
                      INPUT_PIPE_STAGES_v<T>, Stores ? OUTPUT_PIPE_STAGES_v<T> : 0, (wanted < room ? wanted : room) / 1024 * 1024};
  const placement choices[] = {all.fitted(), all.without(false, false, Stores), all.without(true, false, false),
                               all.without(true, false, Stores)};
  for (const placement& one : choices)
    if (one.in_lds() <= one.room) return one;
  return all.without(true, true, Stores);
}
// Of a template: the bytes that it wants with one stage, and those of LDS.
template <class T, int Wanted, int Room>
struct lds_for {
  static constexpr bool fits = Wanted <= Room;
};

template <class T, bool Stores>
struct shared_parts {
  using L = complete_kittens_layout<typename T::layout>;
  static constexpr placement places = placed<T, Stores>();
  char *lds, *device_memory;

  template <class Part>
  __device__ Part& at(bool in_lds, int offset) const { return *reinterpret_cast<Part*>((in_lds ? lds : device_memory) + offset); }
  __device__ auto& scratch() const { return at<scratch_block_t<L>>(places.scratch_in_lds, 0); }
  __device__ auto& finish() const {
    constexpr bool in_lds = places.finish_in_lds();
    return at<finish_block_t<L>>(in_lds, in_lds ? places.finish_at() : places.finish_in_device_memory_at());
  }
  __device__ auto& input(int stage) const {
    return at<input_block_t<L>>(places.inputs_in_lds, places.inputs_at() + stage * places.input);
  }
  __device__ auto& output(int stage) const {
    return at<output_block_t<L>>(places.outputs_in_lds, places.outputs_at() + stage * places.output);
  }
};

struct semaphores {
  semaphore arrived, finished;
};

// A ring's next stage, and its parity.
template <int Stages>
struct ring {
  int stage = 0;
  uint32_t parities;
  __device__ explicit ring(bool parity) : parities(parity ? ~0u : 0u) {}
  __device__ int parity() const { return parities >> stage & 1; }
  __device__ int parity(int of) const { return parities >> of & 1; }
  __device__ void advance() {
    parities ^= 1u << stage;
    stage = stage + 1 < Stages ? stage + 1 : 0;
  }
  __device__ void restart() { stage = 0; }
};

// ---- the roles ----

template <class T, bool Stores, class Parts, class Uniform>
__device__ inline void produce(const Parts& parts, semaphores* inputs, semaphores* outputs, semaphore& finish_finished, Uniform uniform) {
  using L = typename T::layout;
  constexpr placement places = Parts::places;
  producer_state_t<L> state;
  ring<places.inputs> in(true);
  ring<Stores ? places.outputs : 1> out(false);
  for (int task = 0;; ++task) {
    int iterations = Stores ? 0 : -1;
    auto args = uniform(task, iterations);
    T::common_setup(args);
    if (iterations < 0) break;
    in.restart(), out.restart();
    T::producer::setup(producer_setup_args<L, Stores>{args, state});
    int loaded = 0, stored = 0;
    const auto load = [&] {
      T::producer::load(producer_load_args<L, Stores>{args, state, parts.input(in.stage), inputs[in.stage].arrived, loaded++});
      in.advance();
    };
    const auto wait_and_load = [&] {
      wait(inputs[in.stage].finished, in.parity());
      load();
    };
    while (loaded < places.safe_inputs() && loaded < iterations) wait_and_load();
    wait(finish_finished, task % 2 ^ 1);
    if constexpr (Stores) {
      while (loaded < iterations || stored < loaded) {
        if (stored < loaded && test_wait(outputs[out.stage].arrived, out.parity())) {
          T::producer::store(producer_store_args<L>{args, state, parts.output(out.stage), outputs[out.stage].finished, stored++});
          out.advance();
        }
        if (loaded < iterations && test_wait(inputs[in.stage].finished, in.parity())) load();
        __builtin_amdgcn_s_sleep(1);
      }
    } else {
      while (loaded < iterations) wait_and_load();
    }
    group<NUM_PRODUCER_WARPS_v<T>>::sync(13);
  }
}

template <class T, bool Stores, class Parts, class Uniform>
__device__ inline void consume(const Parts& parts, semaphores* inputs, semaphores* outputs, semaphore& finish_finished, Uniform uniform) {
  using L = typename T::layout;
  constexpr placement places = Parts::places;
  consumer_state_t<L> state;
  ring<places.inputs> in(false);
  ring<Stores ? places.outputs : 1> out(true);
  for (int task = 0;; ++task) {
    int iterations = Stores ? 0 : -1;
    auto args = uniform(task, iterations);
    T::common_setup(args);
    if (iterations < 0) break;
    in.restart(), out.restart();
    T::consumer::setup(consumer_setup_args<L, Stores>{args, state});
    for (int i = 0; i < iterations; ++i) {
      if constexpr (Stores) wait(outputs[out.stage].finished, out.parity());
      wait(inputs[in.stage].arrived, in.parity());
      if constexpr (Stores) {
        T::consumer::compute(consumer_compute_args<L, true>{args, state, parts.input(in.stage), parts.output(out.stage),
                                                            inputs[in.stage].finished, outputs[out.stage].arrived, i});
        out.advance();
      } else {
        T::consumer::compute(consumer_compute_args<L, false>{args, state, parts.input(in.stage), inputs[in.stage].finished, i});
      }
      in.advance();
    }
    // The finish block lies over outputs.
    if constexpr (Stores)
      for (int stage = 0; stage < places.outputs; ++stage) wait(outputs[stage].finished, out.parity(stage));
    group<NUM_CONSUMER_WARPS_v<T>>::sync(14);
    T::consumer::finish(consumer_finish_args<L, Stores>{args, state, parts.finish(), finish_finished});
    group<NUM_CONSUMER_WARPS_v<T>>::sync(14);
  }
}

template <class T, bool Stores>
__device__ inline void run_in(const typename T::layout::globals& globals, const shared_parts<T, Stores>& parts) {
  constexpr placement places = shared_parts<T, Stores>::places;
  __shared__ semaphores inputs[places.inputs], outputs[Stores ? places.outputs : 1];
  __shared__ semaphore finish_finished;
  if (threadIdx.x == 0) {
    const auto set_up = [](semaphores& of, int arrivals, int departures) {
      init_semaphore(of.arrived, arrivals);
      init_semaphore(of.finished, departures);
    };
    for (semaphores& of : inputs) set_up(of, PRODUCER_BARRIER_ARRIVALS_v<T>, CONSUMER_BARRIER_ARRIVALS_v<T>);
    for (semaphores& of : outputs) set_up(of, CONSUMER_BARRIER_ARRIVALS_v<T>, PRODUCER_BARRIER_ARRIVALS_v<T>);
    init_semaphore(finish_finished, CONSUMER_BARRIER_ARRIVALS_v<T>);
  }
  __syncthreads();
  common_state_t<typename T::layout> common;
  const auto uniform = [&](int& task, int& iterations) {
    return uniform_args<typename T::layout, Stores>{common, task, iterations, globals, parts.scratch()};
  };
  if (warpid() >= NUM_CONSUMER_WARPS_v<T>) produce<T, Stores>(parts, inputs, outputs, finish_finished, uniform);
  else consume<T, Stores>(parts, inputs, outputs, finish_finished, uniform);
}
template <class T, bool Stores>
__device__ inline void run(const typename T::layout::globals& globals, char* memory) {
  static_assert(CLUSTER_BLOCKS_v<T> == 1, "the library at wave width has no clusters");
  static_assert(NUM_WARPS_v<T> <= 16, "a block has at most 16 warps");
  begin();
  constexpr placement places = shared_parts<T, Stores>::places;
#ifdef PORTER_DEVICE_SHARED
  constexpr int bytes = places.in_device_memory();
  if constexpr (bytes > 0) {
    using slot = porter::block_with_slot<T, bytes>;
    run_in<T, Stores>(globals, {memory, slot::begin()});
    return slot::end();
  }
  const porter::block_in_lds in_lds;
#else
  static_assert(lds_for<T, places.least(), places.room>::fits,
                "a stage of input and output, scratch and finish block do not fit into LDS: PORTER_DEVICE_SHARED puts some of "
                "them into device memory");
#endif
  run_in<T, Stores>(globals, {memory, nullptr});
}

}  // namespace detail

#define PORTER_KITTENS_PROTOTYPE(Stores)                                                                  \
  template <kittens_layout L>                                                                             \
  using uniform_args = detail::uniform_args<L, Stores>;                                                   \
  template <kittens_layout L>                                                                             \
  using common_setup_args = detail::uniform_args<L, Stores>;                                              \
  template <kittens_layout L>                                                                             \
  using producer_setup_args = detail::producer_setup_args<L, Stores>;                                     \
  template <kittens_layout L>                                                                             \
  using producer_load_args = detail::producer_load_args<L, Stores>;                                       \
  template <kittens_layout L>                                                                             \
  using consumer_setup_args = detail::consumer_setup_args<L, Stores>;                                     \
  template <kittens_layout L>                                                                             \
  using consumer_compute_args = detail::consumer_compute_args<L, Stores>;                                 \
  template <kittens_layout L>                                                                             \
  using consumer_finish_args = detail::consumer_finish_args<L, Stores>;                                   \
  template <class T>                                                                                      \
  __global__ __launch_bounds__(detail::NUM_THREADS_v<T>) void kernel(const typename T::layout::globals globals) { \
    extern __shared__ __align__(1024) char porter_prototype_memory[];                                     \
    detail::run<T, Stores>(globals, porter_prototype_memory);                                             \
  }
namespace lcf {
PORTER_KITTENS_PROTOTYPE(false)
}
namespace lcsf {
PORTER_KITTENS_PROTOTYPE(true)
template <kittens_layout L>
using producer_store_args = detail::producer_store_args<L>;
}
#undef PORTER_KITTENS_PROTOTYPE

}  // namespace kittens::prototype

#include "lcsc.h"

#endif  // PORTER_KITTENS_PROTOTYPE_H
