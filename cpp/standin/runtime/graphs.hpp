// Handles of graphs and nodes of the runtime.
#pragma once

#include "standin/device.hpp"

namespace foretell::standin::runtime {

struct GraphHandle {
    std::shared_ptr<Graph> graph;
};

using Node = Graph::Node;
// The stream of nodes that are added one by one.
constexpr std::uint32_t explicit_graph = 0xFFFFFFF0U;

inline Graph& graph_of(void* handle) { return *static_cast<GraphHandle*>(handle)->graph; }
inline Node& node_of(void* handle) { return *static_cast<Node*>(handle); }

// Nodes that a program sees and that `wanted` chooses.
template <class Wanted>
std::vector<void*> chosen(const Graph& graph, Wanted&& wanted) {
    std::vector<void*> result;
    for (const auto& node : graph.nodes)
        if (!node->inner && wanted(*node)) result.push_back(node.get());
    return result;
}

inline std::vector<void*> visible(const Graph& graph) {
    return chosen(graph, [](const Node&) { return true; });
}

}  // namespace foretell::standin::runtime
