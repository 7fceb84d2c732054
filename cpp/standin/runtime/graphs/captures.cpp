// Graphs that streams capture.
#include <utility>

#include "standin/runtime/graphs/graphs.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace {

std::vector<std::uint64_t> numbers(void* const* nodes, std::size_t count) {
    std::vector<std::uint64_t> result;
    for (std::size_t place = 0; place < count; ++place) result.push_back(node_of(nodes[place]).number);
    return result;
}

// What the next operation of a capturing stream comes after, until the next question.
const void* const* told_nodes(const Stream& stream, std::size_t& count) {
    thread_local std::vector<void*> told;
    told.clear();
    for (const std::uint64_t number : stream.capture->last[stream.id])
        if (Node* node = stream.capture->find(number); node != nullptr) told.push_back(node);
    count = told.size();
    return told.data();
}

}  // namespace

STANDIN_API int cudaStreamBeginCapture(void* stream, int) {
    return call([&](Device& gpu) { return gpu.begin_capture(gpu.stream(stream)); });
}
STANDIN_API int cudaStreamBeginCaptureToGraph(void* stream, void* graph, void* const* after, const void*,
                                              std::size_t count, int) {
    return call([&](Device& gpu) -> int {
        if (graph == nullptr || (after == nullptr && count != 0)) return invalid_value;
        auto into = static_cast<GraphHandle*>(graph)->graph;
        return gpu.begin_capture(gpu.stream(stream), std::move(into), numbers(after, count));
    });
}
STANDIN_API int cudaStreamEndCapture(void* stream, void** result) {
    return call([&](Device& gpu) {
        std::shared_ptr<Graph> graph;
        const int error = gpu.end_capture(gpu.stream(stream), graph);
        void* handle = error == success ? handle_of(graph) : nullptr;
        if (result != nullptr) *result = handle;
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
STANDIN_API int cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id, void** graph,
                                         const void* const** after, const void** edges, std::size_t* count) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr || status == nullptr) return invalid_handle;
        *status = known->capture ? 1 : 0;
        if (!known->capture) return success;
        if (id != nullptr) *id = known->capture->origin;
        if (graph != nullptr) *graph = handle_of(known->capture);
        std::size_t found = 0;
        const void* const* nodes = told_nodes(*known, found);
        if (after != nullptr) *after = nodes;
        if (edges != nullptr) *edges = nullptr;  // all are plain
        if (count != nullptr) *count = found;
        return success;
    });
}
STANDIN_API int cudaStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, void** graph,
                                            const void* const** after, std::size_t* count) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, after, nullptr, count);
}
STANDIN_API int cudaStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id, void** graph,
                                            const void* const** after, const void** edges, std::size_t* count) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, after, edges, count);
}
// CUDA 13 has data of the edges before the count, which CUDA 12 has not.
STANDIN_API int cudaStreamUpdateCaptureDependencies(void* stream, void** nodes, std::uintptr_t edges_or_count,
                                                    std::size_t count_or_flags, unsigned flags) {
    constexpr std::uintptr_t no_address = 4096;
    constexpr unsigned instead = 1;  // cudaStreamSetCaptureDependencies
    const bool is_12 = edges_or_count != 0 && edges_or_count < no_address;
    const std::size_t count = is_12 ? edges_or_count : count_or_flags;
    const std::size_t how = is_12 ? count_or_flags : flags;
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr || !known->capture) return invalid_value;
        auto& last = known->capture->last[known->id];
        if (how == instead) last.clear();
        for (const std::uint64_t number : numbers(nodes, count)) last.push_back(number);
        return success;
    });
}
STANDIN_API int cudaThreadExchangeStreamCaptureMode(int*) { return success; }
