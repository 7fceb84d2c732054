// Handles of graphs and nodes of the runtime.
#pragma once

#include "standin/device.hpp"

namespace foretell::standin::runtime {

struct GraphHandle {
    std::shared_ptr<Graph> graph;
};

using Node = Graph::Node;

// The handle of a graph: of one that has none yet, a new one.
void* handle_of(const std::shared_ptr<Graph>&);
// The graph that has a node; null where none has.
Graph* holder(void* node);

inline Graph& graph_of(void* handle) { return *static_cast<GraphHandle*>(handle)->graph; }
inline Node& node_of(void* handle) { return *static_cast<Node*>(handle); }
// A node, or its copy in an executable graph.
inline Node* node_in(void* executable, void* node) {
    return executable == nullptr ? &node_of(node) : graph_of(executable).find(node_of(node).number);
}

// Nodes that a program sees and that `wanted` chooses.
template <class Wanted>
std::vector<void*> chosen(const Graph& graph, Wanted&& wanted) {
    std::vector<void*> result;
    for (const auto& node : graph.nodes)
        if (!node->inner && wanted(*node)) result.push_back(node.get());
    return result;
}

struct KernelNode {  // cudaKernelNodeParams
    const void* host;
    Dim3 grid, block;
    unsigned shared_bytes;
    void** arguments;
    void** packed;
};

// Work of a node: what is submitted to the stream becomes the node; of several operations (planes of a copy) one.
using Body = std::function<int(Device&, Stream*)>;
int add_node(void** node, void* graph, void* const* after, std::size_t count, const Body&,
             std::shared_ptr<void> parameters = nullptr);
// Other work of a node, or of its copy in an executable graph.
int change_node(void* executable, void* node, const Body&, std::shared_ptr<void> parameters = nullptr);
int add_kernel(void** node, void* graph, void* const* after, std::size_t count, const KernelNode*);
int change_kernel(void* executable, void* node, const KernelNode*);

// Copies what was found to a program, as much as there is room for.
int list(const std::vector<void*>& found, void** nodes, std::size_t* count);

inline std::vector<void*> visible(const Graph& graph) {
    return chosen(graph, [](const Node&) { return true; });
}

}  // namespace foretell::standin::runtime
