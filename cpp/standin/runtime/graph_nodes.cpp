// Nodes that are added to graphs of the runtime one by one, and their parameters.
#include <algorithm>
#include <utility>

#include "standin/runtime/copies.hpp"
#include "standin/runtime/graphs.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace {

constexpr int child_node = 4, empty_node = 5;

struct KernelNode {  // cudaKernelNodeParams
    const void* host;
    Dim3 grid, block;
    unsigned shared_bytes;
    void** arguments;
    void** packed;
};

struct SetNode {  // cudaMemsetParams
    void* to;
    std::size_t pitch;
    unsigned value, element;
    std::size_t width, height;
};

struct HostNode {  // cudaHostNodeParams
    void (*body)(void*);
    void* data;
};

// What a node does, by its parameters. Work that is submitted to `writer` becomes a node.
int submit(Device& gpu, Stream* writer, const KernelNode& how) {
    Function* known = kernel(how.host);
    if (known == nullptr) return invalid_function;
    if (how.arguments == nullptr && how.packed != nullptr) missing("parameters of a graph's kernel in one buffer");
    if (const int error = gpu.resolve(*known); error != success) return error;
    const Launch launch{how.grid, how.block, {}, how.shared_bytes, false};
    return gpu.launch(*known, launch, gathered(*known, how.arguments), writer);
}
int submit(Device& gpu, Stream* writer, const SetNode& how) {
    const std::size_t pitch = std::max(how.pitch, how.width * how.element);
    return gpu.set_rows(how.to, pitch, how.value, how.element, how.width, how.height, writer, true);
}
int submit(Device& gpu, Stream* writer, const HostNode& how) {
    return gpu.call_host(writer, [body = how.body, data = how.data] { body(data); });
}
struct LineCopy {
    void* to;
    const void* from;
    std::size_t bytes;
    int direction;
};
int submit(Device& gpu, Stream* writer, const LineCopy& how) {
    return gpu.copy(how.to, how.from, how.bytes, how.direction, writer, true);
}
int submit(Device& gpu, Stream* writer, const Copy3D& how) { return copied(gpu, how, writer, true); }

// The work of `body` as one node: of several planes of a copy, the nodes are joined.
template <class Body>
int made(Device& gpu, std::shared_ptr<Node>& result, Body&& body) {
    Stream writer;
    writer.id = explicit_graph;
    writer.capture = std::make_shared<Graph>();
    if (const int error = body(gpu, &writer); error != success) return error;
    const auto& parts = writer.capture->nodes;
    result = std::make_shared<Node>();
    result->stream = explicit_graph;
    result->number = gpu.next_node();
    result->kind = parts.empty() ? empty_node : parts.front()->kind;
    std::vector<std::function<int(std::uint32_t)>> runs;
    for (const auto& part : parts) runs.push_back(part->run);
    result->run = [runs](std::uint32_t stream) {
        int error = success;
        for (std::size_t part = 0; part < runs.size() && error == success; ++part) error = runs[part](stream);
        return error;
    };
    return success;
}

template <class Body>
int add_node(void** node, void* graph, void* const* after, std::size_t count, Body&& body,
             std::shared_ptr<void> parameters = nullptr) {
    return call([&](Device& gpu) -> int {
        if (node == nullptr || graph == nullptr || (after == nullptr && count != 0)) return invalid_value;
        std::shared_ptr<Node> item;
        if (const int error = made(gpu, item, body); error != success) return error;
        item->after.clear();
        for (std::size_t place = 0; place < count; ++place) item->after.push_back(node_of(after[place]).number);
        item->parameters = std::move(parameters);
        *node = item.get();
        graph_of(graph).nodes.push_back(std::move(item));
        return success;
    });
}

template <class Parameters>
int add(void** node, void* graph, void* const* after, std::size_t count, const Parameters* how) {
    if (how == nullptr) return invalid_value;
    auto body = [&](Device& gpu, Stream* writer) { return submit(gpu, writer, *how); };
    return add_node(node, graph, after, count, body, std::make_shared<Parameters>(*how));
}

// Other parameters of a node, or of its copy in an executable graph.
template <class Parameters>
int change(void* executable, void* node, const Parameters* how) {
    return call([&](Device& gpu) -> int {
        if (node == nullptr || how == nullptr) return invalid_value;
        Node* own = executable == nullptr ? &node_of(node) : graph_of(executable).find(node_of(node).number);
        if (own == nullptr) return invalid_value;
        std::shared_ptr<Node> item;
        auto body = [&](Device& device, Stream* writer) { return submit(device, writer, *how); };
        if (const int error = made(gpu, item, body); error != success) return error;
        if (item->kind != own->kind) return invalid_value;
        own->run = item->run;
        own->parameters = std::make_shared<Parameters>(*how);
        return success;
    });
}

template <class Parameters>
int tell(void* node, Parameters* result) {
    return call([&](Device&) -> int {
        if (node == nullptr || result == nullptr) return invalid_value;
        const auto& kept = node_of(node).parameters;
        if (!kept) missing("parameters of a node that was captured");
        *result = *static_cast<Parameters*>(kept.get());
        return success;
    });
}

}  // namespace

STANDIN_API int cudaGraphAddKernelNode(void** node, void* graph, void* const* after, std::size_t count,
                                       const KernelNode* how) {
    return add(node, graph, after, count, how);
}
STANDIN_API int cudaGraphAddMemsetNode(void** node, void* graph, void* const* after, std::size_t count,
                                       const SetNode* how) {
    return add(node, graph, after, count, how);
}
STANDIN_API int cudaGraphAddHostNode(void** node, void* graph, void* const* after, std::size_t count,
                                     const HostNode* how) {
    return add(node, graph, after, count, how);
}
STANDIN_API int cudaGraphAddMemcpyNode(void** node, void* graph, void* const* after, std::size_t count,
                                       const Copy3D* how) {
    return add(node, graph, after, count, how);
}
STANDIN_API int cudaGraphAddMemcpyNode1D(void** node, void* graph, void* const* after, std::size_t count, void* to,
                                         const void* from, std::size_t bytes, int direction) {
    const LineCopy how{to, from, bytes, direction};
    return add(node, graph, after, count, &how);
}
STANDIN_API int cudaGraphAddEmptyNode(void** node, void* graph, void* const* after, std::size_t count) {
    return add_node(node, graph, after, count, [](Device& gpu, Stream* writer) {
        return gpu.submit(writer, empty_node, [](std::uint32_t) { return static_cast<int>(success); });
    });
}
STANDIN_API int cudaGraphAddEventRecordNode(void** node, void* graph, void* const* after, std::size_t count,
                                            void* event) {
    return add_node(node, graph, after, count,
                    [&](Device& gpu, Stream* writer) { return gpu.record(gpu.event(event), writer); });
}
STANDIN_API int cudaGraphAddEventWaitNode(void** node, void* graph, void* const* after, std::size_t count,
                                          void* event) {
    return add_node(node, graph, after, count, [&](Device& gpu, Stream* writer) -> int {
        Event* known = gpu.event(event);
        if (known == nullptr) return invalid_handle;
        known->recorded = true;
        return gpu.wait(writer, known);
    });
}
STANDIN_API int cudaGraphAddChildGraphNode(void** node, void* graph, void* const* after, std::size_t count,
                                           void* child) {
    if (child == nullptr) return invalid_value;
    auto copy = graph_of(child).copied();
    if (!copy->sort()) return invalid_value;
    const int error = add_node(node, graph, after, count, [&](Device& gpu, Stream* writer) {
        return gpu.submit(writer, child_node, [copy](std::uint32_t stream) {
            int result = success;
            for (const auto& item : copy->nodes)
                if (result == success && item->enabled)
                    result = item->run(item->stream == copy->origin ? stream : item->stream);
            return result;
        });
    });
    if (error == success) node_of(*node).child = copy;
    return error;
}
STANDIN_API int cudaGraphKernelNodeGetParams(void* node, KernelNode* result) { return tell(node, result); }
STANDIN_API int cudaGraphMemsetNodeGetParams(void* node, SetNode* result) { return tell(node, result); }
STANDIN_API int cudaGraphHostNodeGetParams(void* node, HostNode* result) { return tell(node, result); }
STANDIN_API int cudaGraphKernelNodeSetParams(void* node, const KernelNode* how) { return change(nullptr, node, how); }
STANDIN_API int cudaGraphMemsetNodeSetParams(void* node, const SetNode* how) { return change(nullptr, node, how); }
STANDIN_API int cudaGraphHostNodeSetParams(void* node, const HostNode* how) { return change(nullptr, node, how); }
STANDIN_API int cudaGraphMemcpyNodeSetParams(void* node, const Copy3D* how) { return change(nullptr, node, how); }
STANDIN_API int cudaGraphMemcpyNodeSetParams1D(void* node, void* to, const void* from, std::size_t bytes,
                                               int direction) {
    const LineCopy how{to, from, bytes, direction};
    return change(nullptr, node, &how);
}
STANDIN_API int cudaGraphExecKernelNodeSetParams(void* executable, void* node, const KernelNode* how) {
    return change(executable, node, how);
}
STANDIN_API int cudaGraphExecMemsetNodeSetParams(void* executable, void* node, const SetNode* how) {
    return change(executable, node, how);
}
STANDIN_API int cudaGraphExecHostNodeSetParams(void* executable, void* node, const HostNode* how) {
    return change(executable, node, how);
}
STANDIN_API int cudaGraphExecMemcpyNodeSetParams(void* executable, void* node, const Copy3D* how) {
    return change(executable, node, how);
}
STANDIN_API int cudaGraphExecMemcpyNodeSetParams1D(void* executable, void* node, void* to, const void* from,
                                                   std::size_t bytes, int direction) {
    const LineCopy how{to, from, bytes, direction};
    return change(executable, node, &how);
}
STANDIN_API int cudaGraphNodeSetEnabled(void* executable, void* node, unsigned enabled) {
    return call([&](Device&) -> int {
        Node* own = graph_of(executable).find(node_of(node).number);
        if (own == nullptr) return invalid_value;
        own->enabled = enabled != 0;
        return success;
    });
}
STANDIN_API int cudaGraphNodeGetEnabled(void* executable, void* node, unsigned* enabled) {
    return call([&](Device&) -> int {
        Node* own = graph_of(executable).find(node_of(node).number);
        if (own == nullptr) return invalid_value;
        *enabled = own->enabled;
        return success;
    });
}
STANDIN_API int cudaGraphNodeGetType(void* node, int* kind) {
    return call([&](Device&) -> int {
        if (node == nullptr || kind == nullptr) return invalid_value;
        *kind = node_of(node).kind;
        return success;
    });
}
STANDIN_API int cudaGraphNodeFindInClone(void** result, void* node, void* clone) {
    return call([&](Device&) -> int {
        *result = graph_of(clone).find(node_of(node).number);
        return *result == nullptr ? invalid_value : success;
    });
}
