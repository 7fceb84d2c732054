// Streams, events and graphs of the runtime.
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;

namespace {

struct GraphHandle {
    std::shared_ptr<Graph> graph;
};

int add_stream(void** result, unsigned flags, int priority) {
    return call([&](Device& gpu) -> int {
        if (result == nullptr) return invalid_value;
        *result = gpu.new_stream(flags, priority);
        return success;
    });
}

// A question whether work has ended: it has, and the host learns of it when it would have ended on the GPU.
int asked(void* stream) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        return known == nullptr ? static_cast<int>(invalid_handle) : gpu.synchronise(known);
    });
}

int instantiate(void** result, void* graph) {
    return call([&](Device&) -> int {
        if (graph == nullptr || result == nullptr) return invalid_value;
        *result = new GraphHandle{std::make_shared<Graph>(*static_cast<GraphHandle*>(graph)->graph)};
        return success;
    });
}

// Nodes that are added one by one. Each depends on nodes that were added before, so their order is one that CUDA permits.
constexpr std::uint32_t explicit_graph = 0xFFFFFFF0U;

template <class Body>
int add_node(void** node, void* graph, Body&& body) {
    return call([&](Device& gpu) -> int {
        if (node == nullptr || graph == nullptr) return invalid_value;
        Stream writer;  // work that is submitted to it becomes a node
        writer.id = explicit_graph;
        writer.capture = static_cast<GraphHandle*>(graph)->graph;
        const int error = body(gpu, &writer);
        *node = reinterpret_cast<void*>(writer.capture->nodes.size());
        return error;
    });
}

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

int forget(void* graph) {
    return call([&](Device&) -> int {
        delete static_cast<GraphHandle*>(graph);
        return success;
    });
}

}  // namespace

STANDIN_API int cudaStreamCreate(void** result) { return add_stream(result, 0, 0); }
STANDIN_API int cudaStreamCreateWithFlags(void** result, unsigned flags) { return add_stream(result, flags, 0); }
STANDIN_API int cudaStreamCreateWithPriority(void** result, unsigned flags, int priority) {
    return add_stream(result, flags, priority);
}
STANDIN_API int cudaStreamDestroy(void* stream) {
    return call([&](Device& gpu) { return gpu.drop_stream(static_cast<Stream*>(stream)); });
}
STANDIN_API int cudaStreamSynchronize(void* stream) { return asked(stream); }
STANDIN_API int cudaStreamQuery(void* stream) { return asked(stream); }
STANDIN_API int cudaStreamWaitEvent(void* stream, void* event, unsigned) {
    return call([&](Device& gpu) { return gpu.wait(gpu.stream(stream), gpu.event(event)); });
}
STANDIN_API int cudaStreamGetFlags(void* stream, unsigned* flags) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr) return invalid_handle;
        *flags = known->flags;
        return success;
    });
}
STANDIN_API int cudaStreamGetPriority(void* stream, int* priority) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr) return invalid_handle;
        *priority = known->priority;
        return success;
    });
}
STANDIN_API int cudaStreamGetId(void* stream, unsigned long long* id) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr) return invalid_handle;
        *id = known->id;
        return success;
    });
}
STANDIN_API int cudaStreamGetDevice(void*, int* number) {
    return call([&](Device& gpu) {
        *number = gpu.current;
        return static_cast<int>(success);
    });
}

// ------------------------------------------------------------------------------------------ events

STANDIN_API int cudaEventCreateWithFlags(void** result, unsigned flags) {
    return call([&](Device& gpu) -> int {
        if (result == nullptr) return invalid_value;
        *result = gpu.new_event(flags);
        return success;
    });
}
STANDIN_API int cudaEventCreate(void** result) { return cudaEventCreateWithFlags(result, 0); }
STANDIN_API int cudaEventDestroy(void* event) {
    return call([&](Device& gpu) { return gpu.drop_event(static_cast<Event*>(event)); });
}
STANDIN_API int cudaEventRecord(void* event, void* stream) {
    return call([&](Device& gpu) { return gpu.record(gpu.event(event), gpu.stream(stream)); });
}
STANDIN_API int cudaEventRecordWithFlags(void* event, void* stream, unsigned) { return cudaEventRecord(event, stream); }
STANDIN_API int cudaEventSynchronize(void* event) {
    return call([&](Device& gpu) { return gpu.synchronise(gpu.event(event)); });
}
STANDIN_API int cudaEventQuery(void* event) { return cudaEventSynchronize(event); }
STANDIN_API int cudaEventElapsedTime(float* milliseconds, void* first, void* last) {
    return call([&](Device& gpu) { return gpu.elapsed(gpu.event(first), gpu.event(last), *milliseconds); });
}
STANDIN_API int cudaEventElapsedTime_v2(float* milliseconds, void* first, void* last) {
    return cudaEventElapsedTime(milliseconds, first, last);
}

// ------------------------------------------------------------------------------------------ graphs

STANDIN_API int cudaStreamBeginCapture(void* stream, int) {
    return call([&](Device& gpu) { return gpu.begin_capture(gpu.stream(stream)); });
}
STANDIN_API int cudaStreamEndCapture(void* stream, void** result) {
    return call([&](Device& gpu) {
        std::shared_ptr<Graph> graph;
        const int error = gpu.end_capture(gpu.stream(stream), graph);
        *result = error == success ? new GraphHandle{std::move(graph)} : nullptr;
        return error;
    });
}
STANDIN_API int cudaStreamIsCapturing(void* stream, int* status) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr) return invalid_handle;
        *status = known->capture ? 1 : 0;
        return success;
    });
}
STANDIN_API int cudaThreadExchangeStreamCaptureMode(int*) { return success; }
STANDIN_API int cudaGraphInstantiate(void** result, void* graph, unsigned long long) {
    return instantiate(result, graph);
}
STANDIN_API int cudaGraphInstantiateWithFlags(void** result, void* graph, unsigned long long) {
    return instantiate(result, graph);
}
STANDIN_API int cudaGraphUpload(void*, void*) { return success; }
STANDIN_API int cudaGraphLaunch(void* graph, void* stream) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr || graph == nullptr) return invalid_handle;
        return gpu.run_graph(*static_cast<GraphHandle*>(graph)->graph, known);
    });
}
STANDIN_API int cudaGraphDestroy(void* graph) { return forget(graph); }
STANDIN_API int cudaGraphExecDestroy(void* graph) { return forget(graph); }
STANDIN_API int cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
    return call([&](Device&) -> int {
        auto& all = static_cast<GraphHandle*>(graph)->graph->nodes;
        const std::size_t room = nodes == nullptr ? 0 : *count;
        for (std::size_t place = 0; place < std::min(room, all.size()); ++place) nodes[place] = &all[place];
        *count = nodes == nullptr ? all.size() : std::min(room, all.size());
        return success;
    });
}

// ------------------------------------------------------------------------------------------ nodes of graphs

STANDIN_API int cudaGraphCreate(void** result, unsigned) {
    return call([&](Device&) -> int {
        if (result == nullptr) return invalid_value;
        auto made = std::make_shared<Graph>();
        made->origin = explicit_graph;
        *result = new GraphHandle{std::move(made)};
        return success;
    });
}
STANDIN_API int cudaGraphAddKernelNode(void** node, void* graph, void* const*, std::size_t, const KernelNode* how) {
    return add_node(node, graph, [&](Device& gpu, Stream* writer) -> int {
        Function* known = how == nullptr ? nullptr : runtime::kernel(how->host);
        if (known == nullptr) return invalid_function;
        if (how->arguments == nullptr && how->packed != nullptr) return not_supported;
        if (const int error = gpu.resolve(*known); error != success) return error;
        const Launch launch{how->grid, how->block, {}, how->shared_bytes, false};
        return gpu.launch(*known, launch, runtime::gathered(*known, how->arguments), writer);
    });
}
STANDIN_API int cudaGraphAddMemcpyNode1D(void** node, void* graph, void* const*, std::size_t, void* to,
                                         const void* from, std::size_t bytes, int direction) {
    return add_node(node, graph,
                    [&](Device& gpu, Stream* writer) { return gpu.copy(to, from, bytes, direction, writer, true); });
}
STANDIN_API int cudaGraphAddMemsetNode(void** node, void* graph, void* const*, std::size_t, const SetNode* how) {
    return add_node(node, graph, [&](Device& gpu, Stream* writer) -> int {
        if (how == nullptr) return invalid_value;
        const std::size_t pitch = std::max(how->pitch, how->width * how->element);
        return gpu.set_rows(how->to, pitch, how->value, how->element, how->width, how->height, writer, true);
    });
}
STANDIN_API int cudaGraphAddHostNode(void** node, void* graph, void* const*, std::size_t, const HostNode* how) {
    return add_node(node, graph, [&](Device& gpu, Stream* writer) -> int {
        if (how == nullptr) return invalid_value;
        return gpu.call_host(writer, [body = how->body, data = how->data] { body(data); });
    });
}
STANDIN_API int cudaGraphAddEmptyNode(void** node, void* graph, void* const*, std::size_t) {
    return add_node(node, graph, [](Device& gpu, Stream* writer) {
        constexpr int empty_node = 5;
        return gpu.submit(writer, empty_node, [](std::uint32_t) { return static_cast<int>(success); });
    });
}
