// A CUDA driver and CUPTI of a few functions, for tests of the recorder without a GPU: device memory is memory of the
// process, kernels do nothing, and every call is told to the subscriber as CUPTI does. Two kernels are known: `first` with
// a pointer and a number, `second` with a structure of two pointers.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "recorder/cupti.hpp"

using namespace foretell::recorder;
#define API extern "C" __attribute__((visibility("default")))

namespace {

using Callback = void (*)(void*, int, std::uint32_t, const void*);
using Request = void (*)(std::uint8_t**, std::size_t*, std::size_t*);
using Complete = void (*)(void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t);

Callback subscriber = nullptr;
Request request = nullptr;
Complete complete = nullptr;
std::vector<KernelActivity> done;                       // activities of copies and sets take the same room
std::map<Address, std::pair<std::size_t, int>> memory;  // bytes and CUmemorytype
std::string cubin;
std::uint32_t correlation = 0, current = 0;  // of the last call, and of the one that is done
char variable[8] = "counter";
int module_handle, functions[2], nodes[4];
const char* names[] = {"first", "second"};
bool capturing = false;

template <class P, class Body>
int told(std::uint32_t id, P& parameters, Body&& body) {
    CallbackData data{};
    int result = 0;
    data.parameters = &parameters;
    data.result = &result;
    data.correlation = ++correlation;
    if (subscriber) subscriber(nullptr, driver_domain, id, &data);
    current = data.correlation;
    result = body();
    data.site = 1;
    if (subscriber) subscriber(nullptr, driver_domain, id, &data);
    return result;
}

// Kernels take 2.5 us.
int finished() {
    KernelActivity item{};
    item.kind = concurrent_kernel;
    item.start = 1000 * current;
    item.end = item.start + 2500;
    item.correlation = current;
    done.push_back(item);
    return 0;
}

int made(Address* result, std::size_t bytes, int type) {
    *result = reinterpret_cast<Address>(calloc(bytes, 1));
    memory[*result] = {bytes, type};
    return 0;
}

}  // namespace

API int cuptiSubscribe(void** handle, Callback callback, void*) {
    if (getenv("FAKE_BUSY") != nullptr) return 39;
    *handle = &subscriber;
    subscriber = callback;
    return 0;
}
API int cuptiEnableCallback(std::uint32_t, void*, int, std::uint32_t) { return 0; }
API int cuptiEnableDomain(std::uint32_t, void*, int) { return 0; }
API int cuptiActivityRegisterCallbacks(Request first, Complete second) {
    request = first;
    complete = second;
    return 0;
}
API int cuptiActivityEnable(std::uint32_t) { return 0; }
API int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, void** item) {
    auto* next = *item == nullptr ? buffer : static_cast<std::uint8_t*>(*item) + sizeof(KernelActivity);
    if (next + sizeof(KernelActivity) > buffer + valid) return 12;
    *item = next;
    return 0;
}
API int cuptiActivityFlushAll(std::uint32_t) {
    std::uint8_t* buffer;
    std::size_t bytes, most;
    request(&buffer, &bytes, &most);
    memcpy(buffer, done.data(), done.size() * sizeof(KernelActivity));
    complete(nullptr, 0, buffer, bytes, done.size() * sizeof(KernelActivity));
    return 0;
}

API int cuInit(unsigned) {
    const char* path = getenv("CUDA_INJECTION64_PATH");
    void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW);
    if (library == nullptr) return 0;
    reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))();
    return 0;
}
API int cuModuleLoadData(void** result, const void* image, std::size_t bytes) {  // the size is an argument here
    struct {
        void** result;
    } parameters{result};
    return told(module_load_data, parameters, [&] {
        cubin.assign(static_cast<const char*>(image), bytes);
        const ModuleData module{1, cubin.size(), cubin.data()};
        const ResourceData data{nullptr, nullptr, &module};
        if (subscriber) subscriber(nullptr, resource_domain, module_loaded, &data);
        *result = &module_handle;
        return 0;
    });
}
API int cuModuleGetFunction(void** result, void*, const char* name) {
    *result = &functions[strcmp(name, "second") == 0];
    return 0;
}
API int cuMemAlloc_v2(Address* result, std::size_t bytes) {
    AllocParameters parameters{result, bytes};
    return told(alloc, parameters, [&] { return made(result, bytes, 2); });
}
API int cuMemHostAlloc(Address* result, std::size_t bytes, unsigned) {
    AllocParameters parameters{result, bytes};
    return told(host_alloc, parameters, [&] { return made(result, bytes, 1); });
}
API int cuMemFree_v2(Address address) {
    FreeParameters parameters{address, 0};
    return told(free_device, parameters, [&] {
        free(reinterpret_cast<void*>(address));
        memory.erase(address);
        return 0;
    });
}
API int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void* stream, void** single, void** packed) {
    LaunchParameters parameters{function, {gx, gy, gz}, {bx, by, bz}, shared, stream, single, packed};
    return told(launch, parameters, finished);
}
API int cuLaunchKernelEx(const LaunchConfiguration* how, void* function, void** single, void** packed) {
    LaunchExParameters parameters{how, function, single, packed};
    return told(launch_ex, parameters, finished);
}
// A graph of a launch of `first` with the number 7, a copy of 64 bytes, a set of 32, and itself once more as a child.
API int cuGraphInstantiateWithFlags(void** result, void* graph, unsigned long long) {
    GraphInstantiateParameters parameters{result, graph};
    return told(graph_instantiate_flags, parameters, [&] {
        *result = &nodes;
        return 0;
    });
}
API int cuGraphGetNodes(void* graph, void** result, std::size_t* count) {
    *count = graph == nullptr ? 3 : 4;
    for (std::size_t place = 0; result != nullptr && place < *count; ++place) result[place] = &nodes[place];
    return 0;
}
API int cuGraphNodeGetType(void* node, int* type) {
    constexpr int types[] = {kernel_node, copy_node, set_node, child_node};
    *type = types[static_cast<int*>(node) - nodes];
    return 0;
}
API int cuGraphKernelNodeGetParams_v2(void*, KernelNode* result) {
    static Address pointer = 0;
    static int number = 7;
    static void* single[] = {&pointer, &number};
    *result = {&functions[0], {3, 1, 1}, {32, 1, 1}, 0, single, nullptr, nullptr, nullptr};
    return 0;
}
API int cuGraphMemcpyNodeGetParams(void*, BoxCopy* result) {
    *result = {};
    result->from.type = 1;
    result->to.type = 3;
    result->width = 64, result->height = result->depth = 1;
    return 0;
}
API int cuGraphMemsetNodeGetParams(void*, SetNode* result) {
    *result = {0, 0, 0, 4, 8, 1};
    return 0;
}
API int cuGraphChildGraphNodeGetGraph(void*, void** graph) {
    *graph = nullptr;
    return 0;
}
API int cuGraphLaunch(void* executable, void* stream) {
    GraphLaunchParameters parameters{executable, stream};
    return told(graph_launch, parameters, [] { return finished() + finished(); });
}
API int cuPointerGetAttribute(void* result, int attribute, Address address) {
    const auto after = memory.upper_bound(address);
    if (after == memory.begin()) return 1;
    const auto& [begin, item] = *std::prev(after);
    if (address - begin >= item.first) return 1;
    *static_cast<int*>(result) = attribute == 2 ? item.second : 0;
    return 0;
}
API int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    CopyParameters parameters{to, reinterpret_cast<Address>(from), bytes, nullptr};
    return told(copy_to_device, parameters, [] { return 0; });
}
API int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void* stream) {
    CopyParameters parameters{to, reinterpret_cast<Address>(from), bytes, stream};
    return told(copy_to_device_async, parameters, [] { return 0; });
}
API int cuMemcpy2D_v2(const RowsCopy* copy) {
    ShapedCopyParameters<RowsCopy> parameters{copy, nullptr};
    return told(copy_2d, parameters, [] { return 0; });
}
API int cuMemcpy3DAsync_v2(const BoxCopy* copy, void* stream) {
    ShapedCopyParameters<BoxCopy> parameters{copy, stream};
    return told(copy_3d_async, parameters, [] { return 0; });
}
API int cuMemsetD32Async(Address to, unsigned value, std::size_t count, void* stream) {
    SetParameters parameters{to, value, count, stream};
    return told(set_32_async, parameters, [] { return 0; });
}
API int cuMemsetD2D8_v2(Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
    SetRowsParameters parameters{to, pitch, value, width, height, nullptr};
    return told(set_rows_8, parameters, [] { return 0; });
}
API int cuEventRecord(void* event, void* stream) {
    EventParameters parameters{event, stream};
    return told(event_record, parameters, [] { return 0; });
}
API int cuEventSynchronize(void* event) {
    EventParameters parameters{event, nullptr};
    return told(event_synchronise, parameters, [] { return 0; });
}
API int cuEventQuery(void* event) {  // every third query finds it done
    static int asked = 0;
    EventParameters parameters{event, nullptr};
    return told(event_query, parameters, [] { return ++asked % 3 == 0 ? 0 : 600; });
}
API int cuStreamQuery(void* stream) {
    StreamParameters parameters{stream};
    return told(stream_query, parameters, [] { return 0; });
}
API int cuStreamWaitEvent(void* stream, void* event, unsigned) {
    WaitParameters parameters{stream, event};
    return told(stream_wait, parameters, [] { return 0; });
}
API int cuStreamDestroy_v2(void* stream) {
    StreamParameters parameters{stream};
    return told(stream_destroy, parameters, [] { return 0; });
}
API int cuFuncGetModule(void** module, void*) {
    *module = &module_handle;
    return 0;
}
API int cuFuncGetName(const char** name, void* function) {
    *name = names[function == &functions[1]];
    return 0;
}
API int cuFuncGetParamInfo(void* function, std::size_t place, std::size_t* offset, std::size_t* bytes) {
    const bool second = function == &functions[1];
    if (place >= (second ? 1U : 2U)) return 1;
    *offset = 8 * place;
    *bytes = second ? 16 : place == 0 ? 8 : 4;
    return 0;
}
API int cuKernelGetFunction(void**, void*) { return 400; }
API int cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, void*, const char* name) {
    if (strcmp(name, "counter") != 0) return 500;
    *address = reinterpret_cast<Address>(variable);
    *bytes = sizeof variable;
    return 0;
}
API int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void*) {
    memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return 0;
}
API int cuStreamCreate(void** stream, unsigned flags) {
    static char streams[16];
    static int count = 0;
    StreamCreateParameters parameters{stream, flags};
    return told(stream_create, parameters, [&] {
        *stream = &streams[count++];
        return 0;
    });
}
API int cuStreamSynchronize(void* stream) {
    StreamParameters parameters{stream};
    return told(stream_synchronise, parameters, [] { return 0; });
}
API int cuStreamIsCapturing(void*, int* status) {
    *status = capturing;
    return 0;
}
API int cuStreamBeginCapture_v2(void* stream, int) {
    StreamParameters parameters{stream};
    capturing = true;
    return told(begin_capture_2, parameters, [] { return 0; });
}
API int cuStreamEndCapture(void* stream, void** graph) {
    StreamParameters parameters{stream};
    capturing = false;
    *graph = &capturing;
    return told(end_capture, parameters, [] { return 0; });
}
API int cuCtxSynchronize() {
    int parameters = 0;
    return told(context_synchronise, parameters, [] { return 0; });
}
API int cuThreadExchangeStreamCaptureMode(int*) { return 0; }
