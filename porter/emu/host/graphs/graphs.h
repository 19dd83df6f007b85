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
  std::map<hipUserObject_t, u64> objects;  // and how many references to them it holds
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
void will_record(hipEvent_t event, u64 launch);
u64 ticket_of(hipEvent_t event);
// The streams of one capture, or of all
std::vector<ihipStream_t *> capturing(const ihipGraph *graph = nullptr);
void end_capture(ihipGraph *graph);
// In a graph or an executable: the node's work is replaced where the new one is good.
hipError_t replace_work(hipGraphNode *node, hipError_t error, Work &&work);
// A launch has come to a node that allocates memory, or frees it.
void graph_allocates(const void *block, u64 size, int device);
void graph_frees(const void *block);
void release_objects(ihipGraph *graph);
// Whether two graphs have the same kinds of nodes in the same order and places; else the first one that has not.
hipGraphExecUpdateResult same_shape(const ihipGraph *graph, const ihipGraph *other, hipGraphNode_t *different);
bool valid_nodes(const hipGraphNode_t *nodes, size_t count);
hipError_t append_node(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *before, size_t count, Work &&work);
bool is_node(hipGraphNode_t node, hipGraphNodeType type);
// The node of the executable that was made from a graph's node; nullptr where the types differ.
// What is asked for is about to change: launches that have not run yet have the old one.
hipGraphNode *in_exec(hipGraphExec_t exec, hipGraphNode_t node, hipGraphNodeType type);

}  // namespace host
