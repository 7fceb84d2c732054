// Devices, contexts and entry points of the driver interface.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "standin/driver/told.hpp"
#include "standin/errors.hpp"
#include "standin/static_runtime/object.hpp"

using namespace foretell::standin;

namespace {

constexpr int version = 13000;

}  // namespace

STANDIN_API int cuInit(unsigned) { return as_told(); }
STANDIN_API int cuDriverGetVersion(int* result) { return told(result, version); }
STANDIN_API int cuDeviceGetCount(int* count) { return told(count, 1); }
STANDIN_API int cuDeviceGet(int* result, int number) { return number == 0 ? told(result, 0) : invalid_device; }
STANDIN_API int cuDeviceGetName(char* text, int bytes, int) {
    return call(
        [&](Device& gpu) {
            snprintf(text, static_cast<std::size_t>(bytes), "%s", gpu.name.c_str());
            return static_cast<int>(success);
        },
        false);
}
STANDIN_API int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    return call(
        [&](Device& gpu) {
            *bytes = gpu.memory.device_bytes();
            return static_cast<int>(success);
        },
        false);
}
STANDIN_API int cuDeviceGetAttribute(int* result, int attribute, int) {
    return call(
        [&](Device& gpu) {
            *result = static_cast<int>(gpu.attributes[attribute]);
            return static_cast<int>(success);
        },
        false);
}
STANDIN_API int cuDeviceComputeCapability(int* major, int* minor, int) {
    return call(
        [&](Device& gpu) {
            *major = gpu.arch / 10;
            *minor = gpu.arch % 10;
            return static_cast<int>(success);
        },
        false);
}
STANDIN_API int cuDeviceGetUuid_v2(char* bytes, int) {
    memset(bytes, 0, 16);
    return success;
}
STANDIN_API int cuDeviceGetUuid(char* bytes, int) { return cuDeviceGetUuid_v2(bytes, 0); }
STANDIN_API int cuDeviceCanAccessPeer(int* result, int number, int peer) {
    return number == 0 && peer == 0 ? told(result, 0) : invalid_device;
}
STANDIN_API int cuDeviceGetP2PAttribute(int*, int, int, int) { return invalid_device; }

STANDIN_API int cuCtxSetCacheConfig(int) { return as_told(); }
STANDIN_API int cuCtxSetLimit(int limit, std::size_t value) {
    return call([&](Device& gpu) { return gpu.set_limit(limit, value); }, false);
}
STANDIN_API int cuCtxGetLimit(std::size_t* result, int limit) { return told(result, device().limit(limit)); }
STANDIN_API int cuCtxEnablePeerAccess(void*, unsigned) { return peer_access_unsupported; }
STANDIN_API int cuCtxDisablePeerAccess(void*) { return peer_access_not_enabled; }
STANDIN_API int cuCtxGetCacheConfig(int* result) { return told(result, 0); }
STANDIN_API int cuCtxGetSharedMemConfig(int* result) { return told(result, 0); }
STANDIN_API int cuCtxSetSharedMemConfig(int) { return as_told(); }
STANDIN_API int cuFuncSetSharedMemConfig(void*, int) { return as_told(); }
STANDIN_API int cuKernelSetCacheConfig(void*, int, int) { return as_told(); }
STANDIN_API int cuDeviceGetExecAffinitySupport(int* result, int, int) { return told(result, 0); }
STANDIN_API int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    return told(greatest, -5);
}

STANDIN_API int cuGetErrorString(int error, const char** text) {
    const ErrorText* known = error_text(error);
    *text = known == nullptr ? nullptr : known->text;
    return known == nullptr ? invalid_value : success;
}
STANDIN_API int cuGetErrorName(int error, const char** text) {
    const ErrorText* known = error_text(error);
    *text = known == nullptr ? nullptr : known->driver;
    return known == nullptr ? invalid_value : success;
}

// Functions of which a version of CUDA brought another form; asked for by an older program, they are those before it.
struct Newer {
    std::string_view name;
    int since;
    const char *before, *symbol;
};
constexpr Newer newer[] = {
    {"cuCtxCreate", 12050, "cuCtxCreate_v3", "cuCtxCreate_v4"},
    {"cuCtxCreate", 11040, "cuCtxCreate_v2", "cuCtxCreate_v3"},
    {"cuCtxGetDevice", 13000, "cuCtxGetDevice", "cuCtxGetDevice_v2"},
    {"cuCtxSynchronize", 13000, "cuCtxSynchronize", "cuCtxSynchronize_v2"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress", "cuGetProcAddress_v2"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies", "cuGraphAddDependencies_v2"},
    {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode", "cuGraphAddKernelNode_v2"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode", "cuGraphAddNode_v2"},
    {"cuGraphExecKernelNodeSetParams", 12000, "cuGraphExecKernelNodeSetParams", "cuGraphExecKernelNodeSetParams_v2"},
    {"cuGraphExecUpdate", 12000, "cuGraphExecUpdate", "cuGraphExecUpdate_v2"},
    {"cuGraphGetEdges", 12030, "cuGraphGetEdges", "cuGraphGetEdges_v2"},
    {"cuGraphInstantiate", 12000, "cuGraphInstantiate_v2", "cuGraphInstantiateWithFlags"},
    {"cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams", "cuGraphKernelNodeGetParams_v2"},
    {"cuGraphKernelNodeSetParams", 12000, "cuGraphKernelNodeSetParams", "cuGraphKernelNodeSetParams_v2"},
    {"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies", "cuGraphNodeGetDependencies_v2"},
    {"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes", "cuGraphNodeGetDependentNodes_v2"},
    {"cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies", "cuGraphRemoveDependencies_v2"},
    {"cuMemAdvise", 12020, "cuMemAdvise", "cuMemAdvise_v2"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync", "cuMemPrefetchAsync_v2"},
    {"cuMemcpy3DBatchAsync", 13000, "cuMemcpy3DBatchAsync", "cuMemcpy3DBatchAsync_v2"},
    {"cuMemcpyBatchAsync", 13000, "cuMemcpyBatchAsync", "cuMemcpyBatchAsync_v2"},
    {"cuStreamBatchMemOp", 11070, "cuStreamBatchMemOp", "cuStreamBatchMemOp_v2"},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v2", "cuStreamGetCaptureInfo_v3"},
    {"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo", "cuStreamGetCaptureInfo_v2"},
    {"cuStreamGetCtx", 12050, "cuStreamGetCtx", "cuStreamGetCtx_v2"},
    {"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies",
     "cuStreamUpdateCaptureDependencies_v2"},
};

// The name under which the library has the form that a version knows (0: the newest); of all others the last one.
std::string symbol_for(std::string_view name, int version) {
    const Newer* oldest = nullptr;
    for (const Newer& item : newer) {
        if (item.name != name) continue;
        if (version == 0 || version >= item.since) return item.symbol;
        oldest = &item;
    }
    return oldest == nullptr ? std::string() : oldest->before;
}

// Entry points by name and version. A function that is not here names itself when it is called.
STANDIN_API int cuGetProcAddress_v2(const char* name, void** result, int version, std::uint64_t, int* status) {
    if (name == nullptr || result == nullptr) return invalid_value;
    void* self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (self == nullptr) self = RTLD_DEFAULT;
    const std::string known = symbol_for(name, version);
    *result = known.empty() ? nullptr : dlsym(self, known.c_str());
    for (const char* ending : {"_v3", "_v2", ""})
        if (*result == nullptr) *result = dlsym(self, (std::string(name) + ending).c_str());
    if (status != nullptr) *status = *result == nullptr ? 1 : 0;
    return *result == nullptr ? not_found : success;
}
STANDIN_API int cuGetProcAddress(const char* name, void** result, int wanted, std::uint64_t flags) {
    return cuGetProcAddress_v2(name, result, wanted, flags, nullptr);
}
// NVRTC, also where it is linked into a library, asks the driver, where there is one, for what it can do without. Otherwise
// only closed libraries come here, and a runtime that is linked into the program and could not be recognised.
STANDIN_API int cuGetExportTable(const void**, const void*) {
    Dl_info caller{};
    const bool known = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr;
    if (known && std::strstr(caller.dli_fname, "libnvrtc") != nullptr) return not_found;
    const char* file = known ? std::strrchr(caller.dli_fname, '/') : nullptr;
    const std::string_view name = file == nullptr ? std::string_view() : std::string_view(file + 1);
    if (name.starts_with("libcu") || name.starts_with("libn"))  // cuBLAS and others, which have a runtime of their own
        missing(("cuGetExportTable for " + std::string(name) + ", a library whose code is closed").c_str());
    if (known && has_redirected_runtime(caller.dli_fbase)) return not_found;
    missing(
        "cuGetExportTable (the CUDA runtime is linked into the program, and its functions are not recognised: "
        "link with -cudart shared, or do not strip)");
}
