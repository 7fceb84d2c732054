// A CUDA driver and CUPTI of a few functions, for tests of the recorder without a GPU: device memory is memory of the
// process, kernels do nothing, and every call is told to the subscriber as CUPTI does. Two kernels are known: `first` with
// a pointer and a number, `second` with a structure of two pointers.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
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
std::vector<KernelActivity> done;
std::string cubin;
std::uint32_t correlation = 0;
char variable[8] = "counter";
int module_handle, functions[2];
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
    result = body();
    data.site = 1;
    if (subscriber) subscriber(nullptr, driver_domain, id, &data);
    return result;
}

void finished() {
    KernelActivity item{};
    item.kind = concurrent_kernel;
    item.start = 1000 * correlation;
    item.end = item.start + 2500;
    item.correlation = correlation;
    done.push_back(item);
}

}  // namespace

API int cuptiSubscribe(void** handle, Callback callback, void*) {
    if (getenv("FAKE_BUSY") != nullptr) return 39;
    *handle = &subscriber;
    subscriber = callback;
    return 0;
}
API int cuptiEnableCallback(std::uint32_t, void*, int, std::uint32_t) { return 0; }
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
    return told(alloc, parameters, [&] {
        *result = reinterpret_cast<Address>(calloc(bytes, 1));
        return 0;
    });
}
API int cuMemHostAlloc(Address* result, std::size_t bytes, unsigned) {
    AllocParameters parameters{result, bytes};
    return told(host_alloc, parameters, [&] {
        *result = reinterpret_cast<Address>(calloc(bytes, 1));
        return 0;
    });
}
API int cuMemFree_v2(Address address) {
    FreeParameters parameters{address, 0};
    return told(free_device, parameters, [&] {
        free(reinterpret_cast<void*>(address));
        return 0;
    });
}
API int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void* stream, void** single, void** packed) {
    LaunchParameters parameters{function, {gx, gy, gz}, {bx, by, bz}, shared, stream, single, packed};
    return told(launch, parameters, [] {
        finished();
        return 0;
    });
}
API int cuLaunchKernelEx(const LaunchConfiguration* how, void* function, void** single, void** packed) {
    LaunchExParameters parameters{how, function, single, packed};
    return told(launch_ex, parameters, [] {
        finished();
        return 0;
    });
}
API int cuGraphLaunch(void*, void*) {
    int parameters = 0;
    return told(graph_launch, parameters, [] { return 0; });
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
API int cuStreamCreate(void** stream, unsigned) {
    *stream = &capturing;
    return 0;
}
API int cuStreamSynchronize(void*) { return 0; }
API int cuStreamIsCapturing(void*, int* status) {
    *status = capturing;
    return 0;
}
API int cuStreamBeginCapture_v2(void*, int) {
    capturing = true;
    return 0;
}
API int cuCtxSynchronize() { return 0; }
API int cuThreadExchangeStreamCaptureMode(int*) { return 0; }
