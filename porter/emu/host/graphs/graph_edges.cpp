// Which nodes a graph has, and which comes before which.
#include <algorithm>

#include "graphs/graphs.h"

namespace host {

bool valid_nodes(const hipGraphNode_t *nodes, size_t count) {
  if (count && !nodes) return false;
  return std::all_of(nodes, nodes + count, valid_node);
}

}  // namespace host

using namespace host;

namespace {

hipError_t list(const std::vector<hipGraphNode *> &found, hipGraphNode_t *out, size_t *count) {
  if (!count) return done(hipErrorInvalidValue);
  if (!out) {
    *count = found.size();
    return done(hipSuccess);
  }
  for (size_t i = 0; i < *count; i++) out[i] = i < found.size() ? found[i] : nullptr;
  if (*count > found.size()) *count = found.size();
  return done(hipSuccess);
}

}  // namespace

extern "C" {

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to, size_t count) {
  if (!valid_graph(graph) || !valid_nodes(from, count) || !valid_nodes(to, count)) return done(hipErrorInvalidValue);
  for (size_t i = 0; i < count; i++) {
    std::vector<hipGraphNode *> &before = to[i]->before;
    if (from[i] == to[i] || from[i]->graph != graph || to[i]->graph != graph) return done(hipErrorInvalidValue);
    if (std::find(before.begin(), before.end(), from[i]) != before.end()) return done(hipErrorInvalidValue);
    before.push_back(from[i]);
  }
  return done(hipSuccess);
}
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to, size_t count) {
  if (!valid_graph(graph) || !valid_nodes(from, count) || !valid_nodes(to, count)) return done(hipErrorInvalidValue);
  for (size_t i = 0; i < count; i++) {
    std::vector<hipGraphNode *> &before = to[i]->before;
    const auto found = std::find(before.begin(), before.end(), from[i]);
    if (found == before.end()) return done(hipErrorInvalidValue);
    before.erase(found);
  }
  return done(hipSuccess);
}
hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to, size_t *count) {
  if (!valid_graph(graph) || !count || !from != !to) return done(hipErrorInvalidValue);
  std::vector<std::pair<hipGraphNode *, hipGraphNode *>> edges;
  for (const auto &node : graph->nodes)
    for (hipGraphNode *before : node->before) edges.push_back({before, node.get()});
  for (size_t i = 0; from && i < *count; i++) {
    from[i] = i < edges.size() ? edges[i].first : nullptr;
    to[i] = i < edges.size() ? edges[i].second : nullptr;
  }
  if (!from || *count > edges.size()) *count = edges.size();
  return done(hipSuccess);
}
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *out, size_t *count) {
  if (!valid_graph(graph)) return done(hipErrorInvalidValue);
  std::vector<hipGraphNode *> found;
  for (const auto &node : graph->nodes) found.push_back(node.get());
  return list(found, out, count);
}
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *out, size_t *count) {
  if (!valid_graph(graph)) return done(hipErrorInvalidValue);
  std::vector<hipGraphNode *> found;
  for (const auto &node : graph->nodes)
    if (node->before.empty()) found.push_back(node.get());
  return list(found, out, count);
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *out, size_t *count) {
  if (!valid_node(node)) return done(hipErrorInvalidValue);
  return list(node->before, out, count);
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *out, size_t *count) {
  if (!valid_node(node)) return done(hipErrorInvalidValue);
  std::vector<hipGraphNode *> found;
  for (const auto &other : node->graph->nodes)
    if (std::find(other->before.begin(), other->before.end(), node) != other->before.end()) found.push_back(other.get());
  return list(found, out, count);
}

}
