// Events: the operation that records one, in a stream or a graph, in this process or another.
#include <algorithm>
#include <chrono>
#include <thread>

#include "graphs/graphs.h"
#include "host.h"
#include "memory/ipc.h"

struct ihipEvent_t {
  int device = 0;
  unsigned flags = 0;
  bool recorded = false;
  u64 ticket = 0;  // of the operation that records it
  const ihipStream_t *stream = nullptr;  // that records it
  double at = 0;
  ihipGraph *capture = nullptr;  // recorded in a capture: there, after these nodes
  std::vector<hipGraphNode *> nodes;
  std::shared_ptr<host::SharedEvent> shared;  // of hipEventInterprocess
};

using namespace host;

namespace {

struct State {
  std::mutex lock;
  std::set<ihipEvent_t *> events;
};

State &state() {
  static State &all = *new State;
  return all;
}

enum Patience { WAITS, ASKS };

bool valid(hipEvent_t event) {
  const std::lock_guard guard(state().lock);
  return state().events.count(event) != 0;
}

hipError_t make_event(hipEvent_t *out, unsigned flags) {
  const unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess | hipEventDisableSystemFence |
                         hipEventReleaseToDevice | hipEventReleaseToSystem;
  if (!out || (flags & ~known)) return done(hipErrorInvalidValue);
  if ((flags & hipEventReleaseToDevice) && (flags & hipEventReleaseToSystem)) return done(hipErrorInvalidValue);
  if ((flags & hipEventInterprocess) && !(flags & hipEventDisableTiming)) return done(hipErrorInvalidValue);
  ihipEvent_t *event = new ihipEvent_t;
  event->device = current_device();
  event->flags = flags;
  if (flags & hipEventInterprocess && !(event->shared = new_shared_event())) {
    delete event;
    return done(hipErrorOutOfMemory);
  }
  const std::lock_guard guard(state().lock);
  state().events.insert(event);
  *out = event;
  return done(hipSuccess);
}

// Until the record of an event that processes share, whichever of them made it, is done.
bool reached(const SharedEvent &event, u64 record) { return event.counts->done.load() >= record; }
void reach_record(SharedEvent &event, u64 record) {
  u64 before = event.counts->done.load();
  while (before < record && !event.counts->done.compare_exchange_weak(before, record)) {
  }
}
hipError_t wait_for_shared(const SharedEvent &event, Patience patience) {
  const u64 record = event.counts->asked.load();
  while (!reached(event, record)) {
    if (patience == ASKS) return hipErrorNotReady;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipEventCreate(hipEvent_t *event) { return make_event(event, 0); }
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) { return make_event(event, flags); }
hipError_t hipEventDestroy(hipEvent_t event) {
  if (!event) return done(hipErrorInvalidHandle);
  if (valid(event)) wait_for({event->ticket});
  {
    const std::lock_guard guard(state().lock);
    if (!state().events.erase(event)) return done(hipErrorContextIsDestroyed);
  }
  delete event;
  return done(hipSuccess);
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t handle) {
  if (!event || !valid(event)) return done(hipErrorInvalidHandle);
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (handle && stream->device != event->device) return done(hipErrorInvalidHandle);
  event->capture = stream->capture;
  event->nodes = stream->tail;
  if (stream->capture) return done(hipSuccess);
  Work work;
  work.type = hipGraphNodeTypeEventRecord;
  work.event = event;
  const u64 record = event->shared ? event->shared->counts->asked.fetch_add(1) + 1 : 0;
  work.action = std::make_shared<std::function<void()>>([event, record, shared = event->shared, device = stream->device] {
    event->at = device_clock(device);
    if (shared) reach_record(*shared, record);
  });
  if (const hipError_t error = submit(handle, std::move(work), &event->ticket)) return done(error);
  event->stream = stream_of(handle);
  event->recorded = true;
  return done(hipSuccess);
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  if (flags != hipEventRecordDefault && flags != hipEventRecordExternal) return done(hipErrorInvalidValue);
  if (flags == hipEventRecordExternal && event && valid(event)) {
    ihipStream_t *at = stream_of(stream);
    if (at && at->capture) {
      Work work;
      work.type = hipGraphNodeTypeEventRecord;
      work.event = event;
      return done(submit(stream, std::move(work)));
    }
  }
  return hipEventRecord(event, stream);
}
static hipError_t recorded(hipEvent_t event, Patience patience) {
  if (!event || !valid(event)) return done(hipErrorInvalidHandle);
  if (event->capture) return done(hipErrorCapturedEvent);
  if (patience == WAITS) wait_for({event->ticket});
  else if (!is_done(event->ticket)) return done(hipErrorNotReady);
  if (event->shared)
    if (const hipError_t error = wait_for_shared(*event->shared, patience)) return done(error);
  if (patience == WAITS) release_kept(event->device);
  return done(event->recorded ? device_fault(event->device) : hipSuccess);
}
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event) {
  if (!handle || !event) return done(hipErrorInvalidValue);
  if (!valid(event)) return done(hipErrorInvalidHandle);
  if (!event->shared) return done(hipErrorInvalidConfiguration);
  return done(export_event(*event->shared, handle));
}
hipError_t hipIpcOpenEventHandle(hipEvent_t *out, hipIpcEventHandle_t handle) {
  if (!out) return done(hipErrorInvalidValue);
  std::shared_ptr<SharedEvent> shared;
  if (const hipError_t error = open_event(handle, &shared)) return done(error);
  if (const hipError_t error = make_event(out, hipEventDisableTiming)) return error;
  (*out)->flags |= hipEventInterprocess;
  (*out)->shared = std::move(shared);
  return done(hipSuccess);
}
hipError_t hipEventSynchronize(hipEvent_t event) { return recorded(event, WAITS); }
hipError_t hipEventQuery(hipEvent_t event) { return recorded(event, ASKS); }
// Between two events lies the time that the emulator took for the work between them: no estimate of a GPU's.
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop) {
  if (!milliseconds) return done(hipErrorInvalidValue);
  if (!start || !stop || !valid(start) || !valid(stop) || !start->recorded || !stop->recorded ||
      ((start->flags | stop->flags) & hipEventDisableTiming))
    return done(hipErrorInvalidHandle);
  if (start->device != stop->device) return done(hipErrorInvalidHandle);
  if (!is_done(start->ticket) || !is_done(stop->ticket)) return done(hipErrorNotReady);
  *milliseconds = (float)((stop->at - start->at) * 1e3);
  return done(device_fault(start->device));
}
hipError_t hipStreamWaitEvent(hipStream_t handle, hipEvent_t event, unsigned flags) {
  if (flags > hipEventWaitExternal) return done(hipErrorInvalidValue);
  if (!event || !valid(event)) return done(hipErrorInvalidHandle);
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (!event->capture) {
    if (stream->capture) return done(flags == hipEventWaitDefault ? hipErrorStreamCaptureIsolation : hipSuccess);
    Work work;
    if (event->shared) {
      const u64 record = event->shared->counts->asked.load();
      work.type = hipGraphNodeTypeBatchMemOp;
      work.action = std::make_shared<std::function<void()>>([shared = event->shared, record, device = stream->device] {
        if (wait_until([&] { return reached(*shared, record); })) return;
        fprintf(stderr, "porter: a stream waits for an event of another process, which nobody will record\n");
        set_device_fault(device, hipErrorLaunchTimeOut);
      });
      return done(submit(handle, std::move(work), nullptr, {event->ticket}));
    }
    if (!event->ticket) return done(hipSuccess);
    work.type = hipGraphNodeTypeWaitEvent;
    u64 ticket = 0;
    const hipError_t error = submit(handle, std::move(work), &ticket, {event->ticket});
    if (!error) pools_follow(event->stream, event->ticket, stream, ticket);
    return done(error);
  }
  if (stream->capture && stream->capture != event->capture) {
    event->capture->invalid = stream->capture->invalid = true;
    return done(hipErrorStreamCaptureMerge);
  }
  if (!handle || handle == hipStreamLegacy) return done(hipErrorStreamCaptureImplicit);
  if (!stream->capture) {
    stream->capture = event->capture;
    stream->tail.clear();
    for (ihipStream_t *other : capturing(event->capture))
      if (other->capture_origin) stream->mode = other->mode;
  }
  for (hipGraphNode *node : event->nodes)
    if (std::find(stream->tail.begin(), stream->tail.end(), node) == stream->tail.end()) stream->tail.push_back(node);
  return done(hipSuccess);
}

}

namespace host {

void record_event(hipEvent_t event, int device) {
  if (!valid(event)) return;
  event->capture = nullptr;
  event->recorded = true;
  event->at = device_clock(device);
}
// A graph that is launched records it when it comes to that: whoever waits from now on waits for this launch.
void will_record(hipEvent_t event, u64 launch) {
  if (!valid(event)) return;
  event->capture = nullptr;
  event->recorded = true;
  event->ticket = launch;
  event->stream = nullptr;
}
u64 ticket_of(hipEvent_t event) { return valid(event) ? event->ticket : 0; }

}  // namespace host
