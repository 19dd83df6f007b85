// Graphs: nodes are pieces of work with the nodes that come before them.
#pragma once
#include "host.h"

struct hipGraphNode {
  host::Work work;
  std::vector<hipGraphNode *> before;
  ihipGraph *graph = nullptr;
  hipGraphNode *original = nullptr;  // of a clone: what it was made from
  bool enabled = true;
};

struct ihipGraph {
  std::vector<std::unique_ptr<hipGraphNode>> nodes;
  std::map<hipUserObject_t, unsigned> objects;
  u64 id = 0;
  bool invalid = false;  // its capture has failed
};

struct hipGraphExec {
  ihipGraph *graph = nullptr;  // a copy of its own
  std::vector<hipGraphNode *> order;
  u64 flags = 0;
};

namespace host {

ihipGraph *new_graph();
void delete_graph(ihipGraph *graph);
bool valid_graph(const ihipGraph *graph);
bool valid_node(const hipGraphNode *node);
hipGraphNode *add_node(ihipGraph *graph, Work &&work, const hipGraphNode_t *before, size_t count);
ihipGraph *clone(const ihipGraph *graph);
// Every node after those it depends on; empty for a graph with a cycle (and for one with no nodes).
std::vector<hipGraphNode *> in_order(const ihipGraph *graph);
// Whether `node` is one of `ends` or comes before one of them
bool precedes(const hipGraphNode *node, const std::vector<hipGraphNode *> &ends);
hipError_t run_graph(const std::vector<hipGraphNode *> &order, int device);
void record_event(hipEvent_t event, int device);
// The streams of one capture, or of all
std::vector<ihipStream_t *> capturing(const ihipGraph *graph = nullptr);
void end_capture(ihipGraph *graph);
bool valid_nodes(const hipGraphNode_t *nodes, size_t count);

}  // namespace host
