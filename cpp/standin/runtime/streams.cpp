// Streams and events of the runtime.
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;

namespace {

int add_stream(void** result, unsigned flags, int priority) {
    return call([&](Device& gpu) -> int {
        if (result == nullptr || flags > 1) return invalid_value;  // there is one flag: cudaStreamNonBlocking
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

// ------------------------------------------------------------------------------------------ attributes

// Policies of waiting and windows of the caches: hints, which read as the usual values.
STANDIN_API int cudaStreamSetAttribute(void* stream, int, const void*) {
    return call([&](Device& gpu) { return static_cast<int>(gpu.stream(stream) ? success : invalid_handle); });
}
STANDIN_API int cudaStreamGetAttribute(void* stream, int, void* value) {
    return call([&](Device& gpu) -> int {
        constexpr std::size_t bytes = 64;  // cudaLaunchAttributeValue
        if (gpu.stream(stream) == nullptr || value == nullptr) return invalid_handle;
        memset(value, 0, bytes);
        return success;
    });
}
STANDIN_API int cudaStreamCopyAttributes(void* to, void* from) {
    return call(
        [&](Device& gpu) { return static_cast<int>(gpu.stream(to) && gpu.stream(from) ? success : invalid_handle); });
}
