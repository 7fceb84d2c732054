// Nodes that are added to graphs of the runtime one by one, and their parameters.
#include <algorithm>
#include <cstring>
#include <utility>

#include "standin/runtime/copies.hpp"
#include "standin/runtime/graphs/graphs.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

extern "C" int cudaGetSymbolAddress(void**, const void*);
extern "C" int cudaGetSymbolSize(std::size_t*, const void*);

namespace foretell::standin::runtime {

namespace {

constexpr int no_work = 5;  // the kind of an empty node

// The work of `body` as one node: of several planes of a copy, the nodes are joined.
int made(Device& gpu, std::shared_ptr<Node>& result, const Body& body) {
    Stream writer;
    writer.id = explicit_graph;
    writer.capture = std::make_shared<Graph>();
    if (const int error = body(gpu, &writer); error != success) return error;
    const auto& parts = writer.capture->nodes;
    result = std::make_shared<Node>();
    result->stream = explicit_graph;
    result->number = gpu.next_node();
    result->kind = parts.empty() ? no_work : parts.front()->kind;
    if (!parts.empty()) result->kernel = parts.front()->kernel;
    std::vector<std::function<int(std::uint32_t)>> runs;
    for (const auto& part : parts) runs.push_back(part->run);
    result->run = [runs](std::uint32_t stream) {
        int error = success;
        for (std::size_t part = 0; part < runs.size() && error == success; ++part) error = runs[part](stream);
        return error;
    };
    return success;
}

}  // namespace

int add_node(void** node, void* graph, void* const* after, std::size_t count, const Body& body,
             std::shared_ptr<void> parameters) {
    return call([&](Device& gpu) -> int {
        if (node == nullptr || graph == nullptr || (after == nullptr && count != 0)) return invalid_value;
        std::shared_ptr<Node> item;
        if (const int error = made(gpu, item, body); error != success) return error;
        for (std::size_t place = 0; place < count; ++place) item->after.push_back(node_of(after[place]).number);
        item->parameters = std::move(parameters);
        *node = item.get();
        graph_of(graph).nodes.push_back(std::move(item));
        return success;
    });
}

int change_node(void* executable, void* node, const Body& body, std::shared_ptr<void> parameters) {
    return call([&](Device& gpu) -> int {
        if (node == nullptr) return invalid_value;
        Node* own = node_in(executable, node);
        if (own == nullptr) return invalid_value;
        std::shared_ptr<Node> item;
        if (const int error = made(gpu, item, body); error != success) return error;
        if (item->kind != own->kind) return invalid_value;
        own->run = item->run;
        own->kernel = item->kernel;
        own->parameters = std::move(parameters);
        return success;
    });
}

}  // namespace foretell::standin::runtime

namespace {

// cudaGraphNodeType
constexpr int kernel_node = 0, copy_node = 1, set_node = 2, host_node = 3, child_node = 4, empty_node = 5,
              wait_node = 6, record_node = 7, take_node = 10, give_node = 11, conditional_node = 13;

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

struct MemoryNode {  // cudaMemAllocNodeParams
    char pool[88];
    const void* accesses;
    std::size_t access_count, bytes;
    void* address;
};

enum class Choice : int { if_, while_, switch_ };  // cudaGraphConditionalNodeType
struct ConditionalNode {                           // cudaConditionalNodeParams
    std::uint64_t condition;
    Choice choice;
    unsigned count;
    void** graphs;
};

struct NodeParameters {  // cudaGraphNodeParams
    int kind, reserved[3];
    union {
        long long words[29];
        KernelNode kernel;
        struct {
            int flags[4];
            Copy3D how;
        } copy;
        SetNode set;
        HostNode host;
        void* handle;  // of an event, a child graph, or memory
        MemoryNode memory;
        ConditionalNode conditional;
    };
};

// What a node does, by its parameters. Work that is submitted to `writer` becomes a node.
int submit(Device& gpu, Stream* writer, const SetNode& how) {
    const std::size_t pitch = std::max(how.pitch, how.width * how.element);
    return gpu.set_rows(how.to, pitch, how.value, how.element, how.width, how.height, writer, true);
}
int submit(Device& gpu, Stream* writer, const HostNode& how) {
    return gpu.call_host(writer, [body = how.body, data = how.data] { body(data); });
}
int submit(Device& gpu, Stream* writer, const Copy3D& how) { return copied(gpu, how, writer, true); }

Copy3D line_copy(void* to, const void* from, std::size_t bytes, int direction) {
    Copy3D how{};
    how.from = {const_cast<void*>(from), bytes, bytes, 1};
    how.to = {to, bytes, bytes, 1};
    how.extent = {bytes, 1, 1};
    how.direction = direction;
    return how;
}
// The place of a symbol, if so many bytes are there; null otherwise, with the error.
char* in_symbol(const void* host, std::size_t offset, std::size_t bytes, int& error) {
    void* address = nullptr;
    std::size_t size = 0;
    error = cudaGetSymbolAddress(&address, host);
    if (error == success) error = cudaGetSymbolSize(&size, host);
    if (error == success && (offset > size || bytes > size - offset)) error = invalid_value;
    return error == success ? static_cast<char*>(address) + offset : nullptr;
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
    if (how == nullptr) return invalid_value;
    auto body = [&](Device& gpu, Stream* writer) { return submit(gpu, writer, *how); };
    return change_node(executable, node, body, std::make_shared<Parameters>(*how));
}

// A word in device memory is the handle of a condition: cudaGraphSetConditional writes it.
int condition_made(Device& gpu, std::uint64_t* handle, Graph& graph, unsigned value, bool at_launch) {
    void* word = nullptr;
    if (const int error = gpu.allocate(&word, sizeof value, Space::device); error != success) return error;
    std::memcpy(word, &value, sizeof value);
    *handle = reinterpret_cast<std::uint64_t>(word);
    if (at_launch) graph.conditions.push_back({*handle, value});
    return success;
}

// Runs the bodies that a condition chooses; what they are is known when the graph is launched.
int choose(const ConditionalNode& how, const std::vector<std::shared_ptr<Graph>>& bodies, std::uint32_t stream) {
    const auto* word = reinterpret_cast<const volatile std::uint32_t*>(how.condition);
    const auto run = [&](std::size_t which) -> int {
        if (which >= bodies.size()) return success;
        const auto body = bodies[which]->copied();
        return body->sort() ? body->run(stream) : invalid_value;
    };
    if (how.choice == Choice::if_) return run(*word != 0 ? 0 : 1);
    if (how.choice == Choice::switch_) return run(*word);
    int error = success;
    while (error == success && *word != 0) error = run(0);
    return error;
}

int add_conditional(void** node, void* graph, void* const* after, std::size_t count, ConditionalNode* how) {
    if (how->count == 0 || how->choice > Choice::switch_ || how->condition == 0) return invalid_value;
    auto** handles = new void*[how->count];  // lives as long as the node, which the program may keep
    std::vector<std::shared_ptr<Graph>> bodies;
    for (unsigned which = 0; which < how->count; ++which) {
        auto body = std::make_shared<Graph>();
        body->origin = explicit_graph;
        bodies.push_back(body);
        handles[which] = new GraphHandle{body};
    }
    how->graphs = handles;
    return add_node(node, graph, after, count, [how = *how, bodies](Device& gpu, Stream* writer) {
        return gpu.submit(writer, conditional_node,
                          [how, bodies](std::uint32_t stream) { return choose(how, bodies, stream); });
    });
}

// Memory of a graph has its address from the start, and is taken for as long as the program runs.
int add_memory(void** node, void* graph, void* const* after, std::size_t count, MemoryNode* how) {
    const int error = call([&](Device& gpu) -> int { return gpu.allocate(&how->address, how->bytes, Space::device); });
    if (error != success) return error;
    return add_node(
        node, graph, after, count,
        [bytes = how->bytes](Device& gpu, Stream* writer) {
            return gpu.submit(writer, take_node, [bytes](std::uint32_t) { return runtime::taken_in_graph(bytes); });
        },
        std::make_shared<MemoryNode>(*how));
}

int add_release(void** node, void* graph, void* const* after, std::size_t count, void* address) {
    const auto body = [=](Device& gpu, Stream* writer) -> int {
        const Allocation* known = gpu.memory.find(reinterpret_cast<std::uint64_t>(address));
        if (known == nullptr) return invalid_value;
        return gpu.submit(writer, give_node,
                          [bytes = known->bytes](std::uint32_t) { return runtime::given_in_graph(bytes); });
    };
    return add_node(node, graph, after, count, body, std::make_shared<void*>(address));
}

int change_any(void* executable, void* node, const NodeParameters* how) {
    if (how == nullptr) return invalid_value;
    switch (how->kind) {
        case kernel_node: return change_kernel(executable, node, &how->kernel);
        case copy_node: return change(executable, node, &how->copy.how);
        case set_node: return change(executable, node, &how->set);
        case host_node: return change(executable, node, &how->host);
        default: missing("cudaGraphNodeSetParams of a node that is no kernel, copy, set or call of the host");
    }
}

// The parameters of a node of a kind.
template <class Parameters>
int tell(void* node, int kind, Parameters* result) {
    return call([&](Device&) -> int {
        if (node == nullptr || result == nullptr || node_of(node).kind != kind) return invalid_value;
        const auto& kept = node_of(node).parameters;
        if (!kept) missing("parameters of a node that was captured");
        *result = *static_cast<Parameters*>(kept.get());
        return success;
    });
}

}  // namespace

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
    const Copy3D how = line_copy(to, from, bytes, direction);
    return add(node, graph, after, count, &how);
}
STANDIN_API int cudaGraphAddMemcpyNodeToSymbol(void** node, void* graph, void* const* after, std::size_t count,
                                               const void* symbol, const void* from, std::size_t bytes,
                                               std::size_t offset, int direction) {
    int error = success;
    char* to = in_symbol(symbol, offset, bytes, error);
    return to == nullptr ? error : cudaGraphAddMemcpyNode1D(node, graph, after, count, to, from, bytes, direction);
}
STANDIN_API int cudaGraphAddMemcpyNodeFromSymbol(void** node, void* graph, void* const* after, std::size_t count,
                                                 void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                                 int direction) {
    int error = success;
    const char* from = in_symbol(symbol, offset, bytes, error);
    return from == nullptr ? error : cudaGraphAddMemcpyNode1D(node, graph, after, count, to, from, bytes, direction);
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
        return gpu.submit(writer, child_node, [copy](std::uint32_t stream) { return copy->run(stream); });
    });
    if (error == success) node_of(*node).child = copy;
    return error;
}
STANDIN_API int cudaGraphAddMemAllocNode(void** node, void* graph, void* const* after, std::size_t count,
                                         MemoryNode* how) {
    return how == nullptr ? static_cast<int>(invalid_value) : add_memory(node, graph, after, count, how);
}
STANDIN_API int cudaGraphAddMemFreeNode(void** node, void* graph, void* const* after, std::size_t count,
                                        void* address) {
    return add_release(node, graph, after, count, address);
}
STANDIN_API int cudaGraphMemAllocNodeGetParams(void* node, MemoryNode* result) { return tell(node, take_node, result); }
STANDIN_API int cudaGraphMemFreeNodeGetParams(void* node, void** result) { return tell(node, give_node, result); }
STANDIN_API int cudaGraphConditionalHandleCreate(std::uint64_t* handle, void* graph, unsigned value, unsigned flags) {
    return call([&](Device& gpu) -> int {
        if (handle == nullptr || graph == nullptr || flags > 1) return invalid_value;
        return condition_made(gpu, handle, graph_of(graph), value, flags == 1);
    });
}
// CUDA 13 has data of the edges before the count, CUDA 12 has not.
STANDIN_API int cudaGraphAddNode(void** node, void* graph, void* const* after, std::uintptr_t edges_or_count,
                                 std::uintptr_t count_or_how, NodeParameters* last) {
    constexpr std::uintptr_t no_address = 4096;
    const bool is_13 = count_or_how < no_address;
    const std::size_t count = is_13 ? count_or_how : edges_or_count;
    auto* how = is_13 ? last : reinterpret_cast<NodeParameters*>(count_or_how);
    if (how == nullptr) return invalid_value;
    switch (how->kind) {
        case kernel_node: return add_kernel(node, graph, after, count, &how->kernel);
        case copy_node: return add(node, graph, after, count, &how->copy.how);
        case set_node: return add(node, graph, after, count, &how->set);
        case host_node: return add(node, graph, after, count, &how->host);
        case child_node: return cudaGraphAddChildGraphNode(node, graph, after, count, how->handle);
        case empty_node: return cudaGraphAddEmptyNode(node, graph, after, count);
        case wait_node: return cudaGraphAddEventWaitNode(node, graph, after, count, how->handle);
        case record_node: return cudaGraphAddEventRecordNode(node, graph, after, count, how->handle);
        case take_node: return add_memory(node, graph, after, count, &how->memory);
        case give_node: return add_release(node, graph, after, count, how->handle);
        case conditional_node: return add_conditional(node, graph, after, count, &how->conditional);
        default: missing("cudaGraphAddNode of a semaphore");
    }
}
STANDIN_API int cudaGraphNodeSetParams(void* node, const NodeParameters* how) { return change_any(nullptr, node, how); }
STANDIN_API int cudaGraphExecNodeSetParams(void* executable, void* node, const NodeParameters* how) {
    return change_any(executable, node, how);
}
STANDIN_API int cudaGraphMemsetNodeGetParams(void* node, SetNode* result) { return tell(node, set_node, result); }
STANDIN_API int cudaGraphHostNodeGetParams(void* node, HostNode* result) { return tell(node, host_node, result); }
STANDIN_API int cudaGraphMemcpyNodeGetParams(void* node, Copy3D* result) { return tell(node, copy_node, result); }
STANDIN_API int cudaGraphMemsetNodeSetParams(void* node, const SetNode* how) { return change(nullptr, node, how); }
STANDIN_API int cudaGraphHostNodeSetParams(void* node, const HostNode* how) { return change(nullptr, node, how); }
STANDIN_API int cudaGraphMemcpyNodeSetParams(void* node, const Copy3D* how) { return change(nullptr, node, how); }
STANDIN_API int cudaGraphMemcpyNodeSetParams1D(void* node, void* to, const void* from, std::size_t bytes,
                                               int direction) {
    const Copy3D how = line_copy(to, from, bytes, direction);
    return change(nullptr, node, &how);
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
    const Copy3D how = line_copy(to, from, bytes, direction);
    return change(executable, node, &how);
}
STANDIN_API int cudaGraphNodeSetEnabled(void* executable, void* node, unsigned enabled) {
    return call([&](Device&) -> int {
        Node* own = node_in(executable, node);
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
