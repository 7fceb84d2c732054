// Graphs of the runtime: whole graphs, and what their nodes come after.
#include "standin/runtime/graphs/graphs.hpp"

#include <algorithm>
#include <utility>

using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace {

// Graphs that live, for a node is asked for its graph.
std::set<GraphHandle*>& graphs() {
    static auto* live = new std::set<GraphHandle*>;
    return *live;
}

void* handed(std::shared_ptr<Graph> graph) {
    auto* handle = new GraphHandle{std::move(graph)};
    graphs().insert(handle);
    return handle;
}

int instantiate(void** result, void* graph) {
    return call([&](Device&) -> int {
        if (graph == nullptr || result == nullptr) return invalid_value;
        auto copy = graph_of(graph).copied();
        if (!copy->sort()) return invalid_value;
        *result = handed(std::move(copy));
        return success;
    });
}

int forget(void* graph) {
    return call([&](Device&) -> int {
        auto* handle = static_cast<GraphHandle*>(graph);
        if (graphs().erase(handle) == 0) return invalid_value;
        delete handle;
        return success;
    });
}

bool follows(const Node& later, const Node& earlier) {
    return std::find(later.after.begin(), later.after.end(), earlier.number) != later.after.end();
}

// CUDA 13 has data of the edges before the count, which CUDA 12 has not: their pointer is null, or they are asked for.
std::size_t* counted(void* edges_or_count, std::size_t* count) {
    return edges_or_count == nullptr ? count : static_cast<std::size_t*>(edges_or_count);
}
std::size_t counted(const void* edges_or_count, std::size_t count) {
    const auto number = reinterpret_cast<std::uintptr_t>(edges_or_count);
    constexpr std::uintptr_t no_address = 4096;
    return number != 0 && number < no_address ? number : count;
}

}  // namespace

namespace foretell::standin::runtime {

void* handle_of(const std::shared_ptr<Graph>& graph) {
    for (GraphHandle* handle : graphs())
        if (handle->graph == graph) return handle;
    return handed(graph);
}

Graph* holder(void* node) {
    for (const GraphHandle* handle : graphs())
        for (const auto& item : handle->graph->nodes)
            if (item.get() == node) return handle->graph.get();
    return nullptr;
}

int list(const std::vector<void*>& found, void** nodes, std::size_t* count) {
    if (count == nullptr) return invalid_value;
    const std::size_t room = nodes == nullptr ? 0 : std::min(*count, found.size());
    std::copy_n(found.begin(), room, nodes);
    *count = nodes == nullptr ? found.size() : room;
    return success;
}

}  // namespace foretell::standin::runtime

// ------------------------------------------------------------------------------------------ whole graphs

STANDIN_API int cudaGraphCreate(void** result, unsigned) {
    return call([&](Device&) -> int {
        if (result == nullptr) return invalid_value;
        auto made = std::make_shared<Graph>();
        made->origin = explicit_graph;
        *result = handed(std::move(made));
        return success;
    });
}
STANDIN_API int cudaGraphClone(void** result, void* graph) {
    return call([&](Device&) -> int {
        if (result == nullptr || graph == nullptr) return invalid_value;
        *result = handed(graph_of(graph).copied());
        return success;
    });
}
STANDIN_API int cudaGraphInstantiate(void** result, void* graph, unsigned long long) {
    return instantiate(result, graph);
}
STANDIN_API int cudaGraphInstantiateWithFlags(void** result, void* graph, unsigned long long) {
    return instantiate(result, graph);
}
STANDIN_API int cudaGraphInstantiateWithParams(void** result, void* graph, void*) { return instantiate(result, graph); }
STANDIN_API int cudaGraphUpload(void*, void*) { return success; }
STANDIN_API int cudaGraphLaunch(void* graph, void* stream) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr || graph == nullptr) return invalid_handle;
        return gpu.run_graph(graph_of(graph), known);
    });
}
STANDIN_API int cudaGraphDestroy(void* graph) { return forget(graph); }
STANDIN_API int cudaGraphExecDestroy(void* graph) { return forget(graph); }
STANDIN_API int cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
    return call([&](Device&) { return list(visible(graph_of(graph)), nodes, count); });
}
STANDIN_API int cudaGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
    return call([&](Device&) {
        return list(chosen(graph_of(graph), [](const Node& node) { return node.after.empty(); }), nodes, count);
    });
}
// A graph whose nodes are of the same kinds, in the same order, takes the place of the one before.
STANDIN_API int cudaGraphExecUpdate(void* executable, void* graph, void* result) {
    struct Result {
        int kind;
        void *node, *from;
    };
    constexpr int updated = 0, other_shape = 2;
    return call([&](Device&) -> int {
        if (executable == nullptr || graph == nullptr) return invalid_value;
        auto copy = graph_of(graph).copied();
        Graph& old = graph_of(executable);
        const bool sorted = copy->sort();
        const auto before = visible(old), after = visible(*copy);
        const bool alike = sorted && std::equal(before.begin(), before.end(), after.begin(), after.end(),
                                                [](void* a, void* b) { return node_of(a).kind == node_of(b).kind; });
        if (result != nullptr) *static_cast<Result*>(result) = {alike ? updated : other_shape, nullptr, nullptr};
        if (!alike) return graph_update_failed;
        for (std::size_t place = 0; place < before.size(); ++place)
            node_of(after[place]).number = node_of(before[place]).number;
        static_cast<GraphHandle*>(executable)->graph = std::move(copy);
        return success;
    });
}

// ------------------------------------------------------------------------------------------ edges

STANDIN_API int cudaGraphGetEdges(void* graph, void** from, void** to, void* edges, std::size_t* counts) {
    return call([&](Device&) -> int {
        std::size_t* count = counted(edges, counts);
        std::vector<void*> first, second;
        for (void* later : visible(graph_of(graph)))
            for (const std::uint64_t number : node_of(later).after) {
                first.push_back(graph_of(graph).find(number));
                second.push_back(later);
            }
        std::size_t again = *count;
        list(second, to, &again);
        return list(first, from, count);
    });
}
STANDIN_API int cudaGraphNodeGetDependencies(void* node, void** nodes, void* edges, std::size_t* counts) {
    return call([&](Device&) -> int {
        Graph* graph = holder(node);
        if (graph == nullptr) return invalid_value;
        const auto wanted = [&](const Node& item) { return follows(node_of(node), item); };
        return list(chosen(*graph, wanted), nodes, counted(edges, counts));
    });
}
STANDIN_API int cudaGraphNodeGetDependentNodes(void* node, void** nodes, void* edges, std::size_t* counts) {
    return call([&](Device&) -> int {
        Graph* graph = holder(node);
        if (graph == nullptr) return invalid_value;
        const auto wanted = [&](const Node& item) { return follows(item, node_of(node)); };
        return list(chosen(*graph, wanted), nodes, counted(edges, counts));
    });
}
STANDIN_API int cudaGraphAddDependencies(void*, void* const* from, void* const* to, const void* edges,
                                         std::size_t counts) {
    return call([&](Device&) -> int {
        const std::size_t count = counted(edges, counts);
        if (count != 0 && (from == nullptr || to == nullptr)) return invalid_value;
        for (std::size_t place = 0; place < count; ++place) {
            Node& later = node_of(to[place]);
            if (follows(later, node_of(from[place]))) return invalid_value;
            later.after.push_back(node_of(from[place]).number);
        }
        return success;
    });
}
STANDIN_API int cudaGraphRemoveDependencies(void*, void* const* from, void* const* to, const void* edges,
                                            std::size_t counts) {
    return call([&](Device&) -> int {
        const std::size_t count = counted(edges, counts);
        for (std::size_t place = 0; place < count; ++place)
            std::erase(node_of(to[place]).after, node_of(from[place]).number);
        return success;
    });
}
STANDIN_API int cudaGraphDestroyNode(void* node) {
    return call([&](Device&) -> int {
        Graph* graph = holder(node);
        if (graph == nullptr) return invalid_value;
        for (const auto& item : graph->nodes) std::erase(item->after, node_of(node).number);
        std::erase_if(graph->nodes, [&](const auto& item) { return item.get() == node; });
        return success;
    });
}
