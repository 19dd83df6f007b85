// Objects of the program that graphs keep alive, by references that are counted. What no reference is left to is unknown
// from then on, and a release of more than there is does nothing, as in AMD's runtime.
#include <climits>

#include "graphs/graphs.h"

struct hipUserObject {
  void *object;
  hipHostFn_t destroy;
  u64 references;
  std::set<ihipGraph *> graphs;  // that hold some of them
};

namespace host {

namespace {

struct State {
  std::mutex lock;
  std::set<hipUserObject_t> objects;
};

State &state() {
  static State &all = *new State;
  return all;
}

bool countable(unsigned count) { return count && count <= INT_MAX; }

// The program's function is called without the lock.
void release(hipUserObject_t object, u64 count) {
  {
    const std::lock_guard guard(state().lock);
    if (!state().objects.count(object) || object->references < count) return;
    if ((object->references -= count) != 0) return;
    state().objects.erase(object);
    for (ihipGraph *graph : object->graphs) graph->objects.erase(object);
  }
  object->destroy(object->object);
  delete object;
}

}  // namespace

void release_objects(ihipGraph *graph) {
  while (!graph->objects.empty()) {
    const auto [object, count] = *graph->objects.begin();
    graph->objects.erase(graph->objects.begin());
    object->graphs.erase(graph);
    release(object, std::min(count, object->references));
  }
}

}  // namespace host

using namespace host;

extern "C" {

hipError_t hipUserObjectCreate(hipUserObject_t *out, void *object, hipHostFn_t destroy, unsigned count, unsigned flags) {
  if (!out || !destroy || !countable(count) || flags != hipUserObjectNoDestructorSync) return done(hipErrorInvalidValue);
  *out = new hipUserObject{object, destroy, count, {}};
  const std::lock_guard guard(state().lock);
  state().objects.insert(*out);
  return done(hipSuccess);
}
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned count) {
  if (!object || !countable(count)) return done(hipErrorInvalidValue);
  release(object, count);
  return done(hipSuccess);
}
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned count) {
  if (!object || !countable(count)) return done(hipErrorInvalidValue);
  const std::lock_guard guard(state().lock);
  if (state().objects.count(object)) object->references += count;
  return done(hipSuccess);
}
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned count, unsigned flags) {
  if (!valid_graph(graph) || !object || !countable(count) || (flags && flags != hipGraphUserObjectMove))
    return done(hipErrorInvalidValue);
  const std::lock_guard guard(state().lock);
  if (!state().objects.count(object)) return done(hipSuccess);
  if (flags != hipGraphUserObjectMove) object->references += count;
  object->graphs.insert(graph);
  graph->objects[object] += count;
  return done(hipSuccess);
}
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned count) {
  if (!valid_graph(graph) || !object || !countable(count)) return done(hipErrorInvalidValue);
  {
    const std::lock_guard guard(state().lock);
    const auto held = graph->objects.find(object);
    if (held == graph->objects.end() || object->references < count) return done(hipSuccess);
    if ((held->second -= std::min<u64>(held->second, count)) == 0) {
      graph->objects.erase(held);
      object->graphs.erase(graph);
    }
  }
  release(object, count);
  return done(hipSuccess);
}

}
