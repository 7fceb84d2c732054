// Devices, versions and errors of the runtime.
#include "standin/errors.hpp"
#include "standin/properties.hpp"

using namespace foretell::standin;

namespace {

constexpr int version = 13000;

int as_told() {
    return call([](Device&) { return static_cast<int>(success); });
}

template <class T>
int told(T* result, T value) {
    return call([&](Device&) -> int {
        if (result == nullptr) return invalid_value;
        *result = value;
        return success;
    });
}

}  // namespace

STANDIN_API int cudaGetDeviceCount(int* count) { return told(count, 1); }
STANDIN_API int cudaGetDevice(int* number) { return told(number, 0); }
STANDIN_API int cudaSetDevice(int number) {
    return call([&](Device&) { return static_cast<int>(number == 0 ? success : invalid_device); });
}
STANDIN_API int cudaInitDevice(int number, unsigned, unsigned) { return cudaSetDevice(number); }
STANDIN_API int cudaSetValidDevices(int*, int) { return as_told(); }
STANDIN_API int cudaChooseDevice(int* number, const void*) { return told(number, 0); }
STANDIN_API int cudaSetDeviceFlags(unsigned) { return as_told(); }
STANDIN_API int cudaGetDeviceFlags(unsigned* flags) { return told(flags, 0U); }
STANDIN_API int cudaDriverGetVersion(int* result) { return told(result, version); }
STANDIN_API int cudaRuntimeGetVersion(int* result) { return told(result, version); }
STANDIN_API int cudaProfilerStart() { return as_told(); }
STANDIN_API int cudaProfilerStop() { return as_told(); }

STANDIN_API int cudaGetDeviceProperties(void* result, int number) {
    return call([&](Device& gpu) -> int {
        if (number != 0) return invalid_device;
        fill_properties(gpu, result, false);
        return success;
    });
}
STANDIN_API int cudaGetDeviceProperties_v2(void* result, int number) {
    return call([&](Device& gpu) -> int {
        if (number != 0) return invalid_device;
        fill_properties(gpu, result, true);
        return success;
    });
}
STANDIN_API int cudaDeviceGetAttribute(int* result, int attribute, int number) {
    return call([&](Device& gpu) -> int {
        if (number != 0) return invalid_device;
        const auto known = gpu.attributes.find(attribute);
        if (known == gpu.attributes.end() && (attribute < 1 || attribute > 150)) return invalid_value;
        *result = known == gpu.attributes.end() ? 0 : static_cast<int>(known->second);
        return success;
    });
}
STANDIN_API int cudaDeviceSynchronize() {
    return call([](Device& gpu) { return gpu.synchronise(static_cast<Stream*>(nullptr)); });
}
STANDIN_API int cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
STANDIN_API int cudaDeviceReset() { return cudaDeviceSynchronize(); }
STANDIN_API int cudaDeviceSetCacheConfig(int) { return as_told(); }
STANDIN_API int cudaDeviceGetCacheConfig(int* result) { return told(result, 0); }
STANDIN_API int cudaDeviceSetSharedMemConfig(int) { return as_told(); }
STANDIN_API int cudaDeviceGetSharedMemConfig(int* result) { return told(result, 1); }
STANDIN_API int cudaDeviceSetLimit(int, std::size_t) { return as_told(); }
STANDIN_API int cudaDeviceGetLimit(std::size_t* result, int limit) {
    constexpr std::size_t defaults[] = {1024, 1 << 20, 8 << 20};  // stack, printf, heap
    return told(result, limit >= 0 && limit < 3 ? defaults[limit] : 0);
}
STANDIN_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (const int error = told(least, 0); error != success) return error;
    return told(greatest, -5);
}
STANDIN_API int cudaDeviceCanAccessPeer(int* result, int, int) { return told(result, 0); }
STANDIN_API int cudaDeviceEnablePeerAccess(int, unsigned) {
    return call([](Device&) { return static_cast<int>(peer_access_unsupported); });
}
STANDIN_API int cudaCtxResetPersistingL2Cache() { return as_told(); }

// Functions of the driver by name; the status is 1 for one that is not known (cudaDriverEntryPointSymbolNotFound).
STANDIN_API int cuGetProcAddress_v2(const char* name, void** result, int, std::uint64_t, int* status);
STANDIN_API int cudaGetDriverEntryPoint(const char* name, void** result, std::uint64_t flags, int* status) {
    if (name == nullptr || result == nullptr) return invalid_value;
    return call([&](Device&) {
        cuGetProcAddress_v2(name, result, 0, flags, status);
        return static_cast<int>(success);
    });
}
STANDIN_API int cudaGetDriverEntryPointByVersion(const char* name, void** result, unsigned, std::uint64_t flags,
                                                 int* status) {
    return cudaGetDriverEntryPoint(name, result, flags, status);
}
STANDIN_API int cudaGetDriverEntryPoint_ptsz(const char* name, void** result, std::uint64_t flags, int* status) {
    return cudaGetDriverEntryPoint(name, result, flags, status);
}
STANDIN_API int cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** result, unsigned, std::uint64_t flags,
                                                      int* status) {
    return cudaGetDriverEntryPoint(name, result, flags, status);
}

STANDIN_API int cudaGetLastError() {
    Device& gpu = device();
    const std::lock_guard lock(gpu.mutex);
    const int error = gpu.last_error;
    if (!gpu.broken) gpu.last_error = success;
    return error;
}
STANDIN_API int cudaPeekAtLastError() {
    const std::lock_guard lock(device().mutex);
    return device().last_error;
}
STANDIN_API const char* cudaGetErrorString(int error) {
    const ErrorText* known = error_text(error);
    return known == nullptr ? "unrecognized error code" : known->text;
}
STANDIN_API const char* cudaGetErrorName(int error) {
    const ErrorText* known = error_text(error);
    return known == nullptr ? "unrecognized error code" : known->runtime;
}
