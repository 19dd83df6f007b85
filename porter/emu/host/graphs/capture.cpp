// Captures: streams whose work becomes the nodes of a graph.
#include "graphs/graphs.h"
#include "host.h"

using namespace host;

extern "C" {

static hipError_t begin_capture(hipStream_t handle, ihipGraph *graph, hipStreamCaptureMode mode) {
  if (!handle || handle == hipStreamLegacy) return done(hipErrorStreamCaptureUnsupported);
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) return done(hipErrorInvalidValue);
  if (stream->capture) return done(hipErrorIllegalState);
  stream->capture = graph ? graph : new_graph();
  stream->capture_origin = true;
  stream->capture_thread = pthread_self();
  stream->mode = mode;
  stream->tail.clear();
  return done(hipSuccess);
}
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) { return begin_capture(stream, nullptr, mode); }
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *, size_t count, hipStreamCaptureMode mode) {
  if (!graph || (count && !dependencies)) return done(hipErrorInvalidValue);
  if (const hipError_t error = begin_capture(stream, graph, mode)) return error;
  stream->tail.assign(dependencies, dependencies + count);
  return done(hipSuccess);
}
hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t *out) {
  ihipStream_t *stream = stream_of(handle);
  if (!out) return done(hipErrorInvalidValue);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (!stream->capture) return done(hipErrorIllegalState);
  if (!stream->capture_origin) return done(hipErrorStreamCaptureUnmatched);
  if (stream->mode != hipStreamCaptureModeRelaxed && !pthread_equal(stream->capture_thread, pthread_self()))
    return done(hipErrorStreamCaptureWrongThread);
  ihipGraph *graph = stream->capture;
  hipError_t error = graph->invalid ? hipErrorStreamCaptureInvalidated : hipSuccess;
  for (ihipStream_t *other : capturing(graph))
    for (hipGraphNode *node : other->tail)
      if (error == hipSuccess && other != stream && !precedes(node, stream->tail)) error = hipErrorStreamCaptureUnjoined;
  end_capture(graph);
  *out = error == hipSuccess ? graph : nullptr;
  if (error != hipSuccess) delete_graph(graph);
  return done(error);
}
hipError_t hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus *status) {
  ihipStream_t *stream = stream_of(handle);
  if (!status) return done(hipErrorInvalidValue);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (!handle || handle == hipStreamLegacy)  // what it does would wait for the streams that are being captured
    for (const ihipStream_t *other : capturing())
      if (!(other->flags & hipStreamNonBlocking) && other->mode == hipStreamCaptureModeGlobal)
        return done(hipErrorStreamCaptureImplicit);
  *status = !stream->capture           ? hipStreamCaptureStatusNone
            : stream->capture->invalid ? hipStreamCaptureStatusInvalidated
                                       : hipStreamCaptureStatusActive;
  return done(hipSuccess);
}
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus *status, unsigned long long *id,
                                      hipGraph_t *graph, const hipGraphNode_t **nodes, size_t *count) {
  if (const hipError_t error = hipStreamIsCapturing(handle, status)) return error;
  ihipStream_t *stream = stream_of(handle);
  if (*status == hipStreamCaptureStatusNone) return done(hipSuccess);
  if (id) *id = stream->capture->id;
  if (graph) *graph = stream->capture;
  if (nodes) *nodes = stream->tail.data();
  if (count) *count = stream->tail.size();
  return done(hipSuccess);
}
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id) {
  return hipStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t *nodes, size_t count, unsigned flags) {
  ihipStream_t *stream = stream_of(handle);
  if (!stream) return done(hipErrorContextIsDestroyed);
  if (!stream->capture) return done(hipErrorIllegalState);
  if ((count && !nodes) || flags > hipStreamSetCaptureDependencies) return done(hipErrorInvalidValue);
  if (flags == hipStreamSetCaptureDependencies) stream->tail.clear();
  stream->tail.insert(stream->tail.end(), nodes, nodes + count);
  return done(hipSuccess);
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  static thread_local hipStreamCaptureMode mine = hipStreamCaptureModeGlobal;
  if (!mode || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed) return done(hipErrorInvalidValue);
  std::swap(*mode, mine);
  return done(hipSuccess);
}

}

