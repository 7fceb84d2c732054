// Streams, events and graphs of the runtime.
#include "standin/device.hpp"

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
        *result = new GraphHandle{static_cast<GraphHandle*>(graph)->graph};
        return success;
    });
}

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
