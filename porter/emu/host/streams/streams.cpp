// Streams: which operation comes after which (queue.cpp does them), time, callbacks, and captures, in which work becomes
// the nodes of a graph.
#include <algorithm>
#include <chrono>
#include <thread>

#include "graphs/graphs.h"
#include "host.h"
#include "memory/ipc.h"

namespace host {

namespace {

struct State {
  std::mutex lock;
  std::set<ihipStream_t *> streams;
  std::vector<ihipStream_t *> defaults;
  std::map<int, double> clocks;
  u64 ids = 0;
};

State &state() {
  static State &all = *new State;
  return all;
}

ihipStream_t *default_stream(int device) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  while ((int)s.defaults.size() <= device) {
    ihipStream_t *made = new ihipStream_t;
    made->device = (int)s.defaults.size();
    s.defaults.push_back(made);
  }
  return s.defaults[(size_t)device];
}

std::vector<ihipStream_t *> streams_of(int device) {
  const std::lock_guard guard(state().lock);
  std::vector<ihipStream_t *> found;
  for (ihipStream_t *stream : state().streams)
    if (stream->device == device) found.push_back(stream);
  if ((int)state().defaults.size() > device) found.push_back(state().defaults[(size_t)device]);
  return found;
}

// What comes before the next operation of a stream: its last one, and the last ones of those that wait for each other,
// which are the default stream and all that were not made with hipStreamNonBlocking.
std::vector<u64> tickets_before(ihipStream_t *stream) {
  std::vector<u64> tickets{stream->last};
  if (stream->flags & hipStreamNonBlocking) return tickets;
  const ihipStream_t *main = default_stream(stream->device);
  if (stream != main) {
    tickets.push_back(main->last);
    return tickets;
  }
  for (const ihipStream_t *other : streams_of(stream->device))
    if (!(other->flags & hipStreamNonBlocking)) tickets.push_back(other->last);
  return tickets;
}

// What a call that waits for a stream waits for: of the default stream also those that it waits for itself.
std::vector<u64> tickets_of(ihipStream_t *stream) {
  return stream == default_stream(stream->device) ? tickets_before(stream) : std::vector<u64>{stream->last};
}

bool is_idle(ihipStream_t *stream) {
  bool idle = true;
  for (const u64 ticket : tickets_of(stream)) idle = is_done(ticket) && idle;
  return idle;
}

}  // namespace

std::vector<ihipStream_t *> capturing(const ihipGraph *graph) {
  const std::lock_guard guard(state().lock);
  std::vector<ihipStream_t *> found;
  std::set<ihipStream_t *> all = state().streams;
  all.insert(state().defaults.begin(), state().defaults.end());
  for (ihipStream_t *stream : all)
    if (stream->capture && (!graph || stream->capture == graph)) found.push_back(stream);
  return found;
}

void end_capture(ihipGraph *graph) {
  for (ihipStream_t *stream : capturing(graph)) {
    stream->capture = nullptr;
    stream->capture_origin = false;
    stream->tail.clear();
  }
}

double device_clock(int device) {
  const std::lock_guard guard(state().lock);
  return state().clocks[device];
}
void advance_clock(int device, double seconds) {
  const std::lock_guard guard(state().lock);
  state().clocks[device] += seconds;
}

ihipStream_t *stream_of(hipStream_t handle) {
  if (!handle || handle == hipStreamLegacy || handle == hipStreamPerThread) return default_stream(current_device());
  const std::lock_guard guard(state().lock);
  return state().streams.count(handle) ? handle : nullptr;
}

bool any_capture() { return !capturing().empty(); }

hipError_t refuse_in_capture() {
  hipError_t error = hipSuccess;
  for (ihipStream_t *stream : capturing())
    if (stream->mode != hipStreamCaptureModeRelaxed) {
      stream->capture->invalid = true;
      error = hipErrorStreamCaptureUnsupported;
    }
  return error;
}

static thread_local std::vector<u64> *together = nullptr;
Together::Together() {
  if (!together) together = new std::vector<u64>;
}
Together::~Together() {
  const std::unique_ptr<std::vector<u64>> tickets(std::exchange(together, nullptr));
  if (tickets && !tickets->empty()) wait_for(*tickets);
}

hipError_t submit(hipStream_t handle, Work &&work, u64 *ticket, const std::vector<u64> &after) {
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return hipErrorContextIsDestroyed;
  if (stream->capture) {
    if (stream->capture->invalid) return hipErrorStreamCaptureInvalidated;
    return capture(stream, std::move(work));
  }
  if (!handle || handle == hipStreamLegacy)  // would have to wait for the streams that are being captured
    for (ihipStream_t *other : capturing())
      if (!(other->flags & hipStreamNonBlocking) && other->mode == hipStreamCaptureModeGlobal) {
        other->capture->invalid = true;
        return hipErrorStreamCaptureImplicit;
      }
  if (const hipError_t fault = device_fault(stream->device)) return fault;
  std::vector<u64> before = tickets_before(stream);
  before.insert(before.end(), after.begin(), after.end());
  const std::string name = operation_name(work, *stream);
  const u64 own = stream->last = ask(std::move(work), stream->device, stream, std::move(before), name);
  if (ticket) *ticket = own;
  if (options().synchronous && together) together->push_back(own);
  else if (options().synchronous) wait_for({own});
  return hipSuccess;
}

hipError_t submit_and_wait(hipStream_t handle, Work &&work) {
  u64 ticket = 0;
  if (const hipError_t error = submit(handle, std::move(work), &ticket)) return error;
  if (!ticket) return hipSuccess;
  wait_for({ticket});
  return device_fault(stream_of(handle)->device);
}

void wait_for_stream(ihipStream_t *stream) {
  wait_for(tickets_of(stream));
}

void wait_for_device(int device) {
  std::vector<u64> tickets;
  for (ihipStream_t *stream : streams_of(device)) tickets.push_back(stream->last);
  wait_for(tickets);
}

}  // namespace host

using namespace host;

namespace {

hipError_t make_stream(hipStream_t *out, unsigned flags, int priority) {
  if (!out || (flags & ~(unsigned)hipStreamNonBlocking)) return done(hipErrorInvalidValue);
  ihipStream_t *stream = new ihipStream_t;
  stream->device = current_device();
  stream->flags = flags;
  stream->priority = priority < -1 ? -1 : priority > 1 ? 1 : priority;
  const std::lock_guard guard(state().lock);
  stream->id = ++state().ids;
  state().streams.insert(stream);
  *out = stream;
  return done(hipSuccess);
}

enum Patience { WAITS, ASKS };

hipError_t idle(hipStream_t handle, Patience patience) {
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (stream->capture) {
    stream->capture->invalid = true;
    return done(hipErrorStreamCaptureUnsupported);
  }
  if (patience == WAITS) {
    wait_for_stream(stream);
    release_kept(stream->device);
  } else if (!is_idle(stream)) {
    return done(hipErrorNotReady);
  }
  return done(device_fault(stream->device));
}

template <class T>
bool holds(const T *address, T value, T mask, unsigned flags) {
  const T now = __atomic_load_n(address, __ATOMIC_ACQUIRE) & mask;
  switch (flags) {
    case hipStreamWaitValueGte: return now >= value;
    case hipStreamWaitValueEq: return now == value;
    case hipStreamWaitValueAnd: return (now & value) != 0;
    default: return (T) ~(now | value) != 0;
  }
}

template <class T>
hipError_t wait_value(hipStream_t handle, void *address, T value, unsigned flags, T mask) {
  if (!address || flags > hipStreamWaitValueNor) return done(hipErrorInvalidValue);
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorContextIsDestroyed);
  Work work;
  work.type = hipGraphNodeTypeBatchMemOp;
  work.action = std::make_shared<std::function<void()>>([=, device = stream->device] {
    if (wait_until([&] { return holds((const T *)address, value, mask, flags); })) return;
    fprintf(stderr, "porter: hipStreamWaitValue waits at %p for a value that nobody will write\n", address);
    set_device_fault(device, hipErrorLaunchTimeOut);
  });
  return done(submit(handle, std::move(work)));
}

template <class T>
hipError_t write_value(hipStream_t handle, void *address, T value) {
  if (!address) return done(hipErrorInvalidValue);
  if (!stream_of(handle)) return done(hipErrorContextIsDestroyed);
  Work work;
  work.type = hipGraphNodeTypeBatchMemOp;
  work.action = std::make_shared<std::function<void()>>([=] { __atomic_store_n((T *)address, value, __ATOMIC_RELEASE); });
  return done(submit(handle, std::move(work)));
}

}  // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t *stream) { return make_stream(stream, 0, 0); }
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) { return make_stream(stream, flags, 0); }
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority) {
  return make_stream(stream, flags, priority);
}
hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t size, const uint32_t *mask) {
  if (!size || !mask) return done(hipErrorInvalidValue);
  if (const hipError_t error = make_stream(stream, 0, 0)) return error;
  (*stream)->cu_mask.assign(mask, mask + size);
  return done(hipSuccess);
}
hipError_t hipExtStreamGetCUMask(hipStream_t handle, uint32_t size, uint32_t *mask) {
  ihipStream_t *stream = stream_of(handle);
  if (!stream || !mask || size < (COMPUTE_UNITS + 31) / 32) return done(hipErrorInvalidValue);
  for (uint32_t i = 0; i < size; i++) {
    const uint32_t all = i < COMPUTE_UNITS / 32 ? ~0u : i == COMPUTE_UNITS / 32 ? (1u << COMPUTE_UNITS % 32) - 1 : 0;
    mask[i] = stream->cu_mask.empty() ? all : i < stream->cu_mask.size() ? stream->cu_mask[i] : 0;
  }
  return done(hipSuccess);
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  if (!stream || stream == hipStreamLegacy || stream == hipStreamPerThread) return done(hipErrorInvalidHandle);
  if (!stream_of(stream)) return done(hipErrorContextIsDestroyed);
  if (stream->capture) end_capture(stream->capture);
  wait_for({stream->last});
  {
    const std::lock_guard guard(state().lock);
    state().streams.erase(stream);
  }
  delete stream;
  return done(hipSuccess);
}
hipError_t hipStreamSynchronize(hipStream_t stream) { return idle(stream, WAITS); }
hipError_t hipStreamQuery(hipStream_t stream) { return idle(stream, ASKS); }
hipError_t hipStreamGetFlags(hipStream_t handle, unsigned *flags) {
  ihipStream_t *stream = stream_of(handle);
  if (!flags) return done(hipErrorInvalidValue);
  if (!stream) return done(hipErrorContextIsDestroyed);
  *flags = stream->flags;
  return done(hipSuccess);
}
hipError_t hipStreamGetPriority(hipStream_t handle, int *priority) {
  ihipStream_t *stream = stream_of(handle);
  if (!priority) return done(hipErrorInvalidValue);
  if (!stream) return done(hipErrorContextIsDestroyed);
  *priority = stream->priority;
  return done(hipSuccess);
}
hipError_t hipStreamGetDevice(hipStream_t handle, hipDevice_t *device) {
  ihipStream_t *stream = stream_of(handle);
  if (!device) return done(hipErrorInvalidValue);
  if (!stream) return done(hipErrorContextIsDestroyed);
  *device = stream->device;
  return done(hipSuccess);
}
int hipGetStreamDeviceId(hipStream_t handle) {
  ihipStream_t *stream = stream_of(handle);
  return stream ? stream->device : -1;
}
hipError_t hipStreamGetId(hipStream_t handle, unsigned long long *id) {
  ihipStream_t *stream = stream_of(handle);
  if (!id) return done(hipErrorInvalidValue);
  if (!stream) return done(hipErrorContextIsDestroyed);
  *id = stream->id;
  return done(hipSuccess);
}
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *data, unsigned flags) {
  if (!callback || flags) return done(hipErrorInvalidValue);
  Work work;
  work.type = hipGraphNodeTypeHost;
  work.action = std::make_shared<std::function<void()>>([=] { callback(stream, hipSuccess, data); });
  return done(submit(stream, std::move(work)));
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void *address, uint32_t value, unsigned flags, uint32_t mask) {
  return wait_value<u32>(stream, address, value, flags, mask);
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void *address, uint64_t value, unsigned flags, uint64_t mask) {
  return wait_value<u64>(stream, address, value, flags, mask);
}
hipError_t hipStreamWriteValue32(hipStream_t stream, void *address, uint32_t value, unsigned) {
  return write_value<u32>(stream, address, value);
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void *address, uint64_t value, unsigned) {
  return write_value<u64>(stream, address, value);
}

}
