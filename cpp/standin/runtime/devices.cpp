// Devices, versions and errors of the runtime.
#include <strings.h>
#include <unistd.h>

#include <cstdio>

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
    return call(
        [&](Device&) -> int {
            if (result == nullptr) return invalid_value;
            *result = value;
            return success;
        },
        Interface::runtime_alone);
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
STANDIN_API int cudaDeviceSetLimit(int limit, std::size_t value) {
    return call([&](Device& gpu) { return gpu.set_limit(limit, value); });
}
STANDIN_API int cudaDeviceGetLimit(std::size_t* result, int limit) {
    if (limit < 0 || limit >= Device::known_limits)
        return call([](Device&) { return static_cast<int>(invalid_value); });
    return told(result, device().limit(limit));
}
STANDIN_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (const int error = told(least, 0); error != success) return error;
    return told(greatest, -5);
}

// There is one device, so no peer.
STANDIN_API int cudaDeviceCanAccessPeer(int* result, int number, int peer) {
    return number == 0 && peer == 0 ? told(result, 0) : cudaSetDevice(1);
}
STANDIN_API int cudaDeviceEnablePeerAccess(int number, unsigned) {
    return call([&](Device&) { return static_cast<int>(number == 0 ? peer_access_unsupported : invalid_device); });
}
STANDIN_API int cudaDeviceDisablePeerAccess(int number) {
    return call([&](Device&) { return static_cast<int>(number == 0 ? peer_access_not_enabled : invalid_device); });
}
STANDIN_API int cudaDeviceGetP2PAttribute(int*, int, int, int) { return cudaSetDevice(1); }
STANDIN_API int cudaDeviceGetPCIBusId(char* text, int bytes, int number) {
    return call([&](Device& gpu) -> int {
        constexpr int bus = 33, place = 34, domain = 50;
        if (number != 0) return invalid_device;
        if (text == nullptr || bytes < 1) return invalid_value;
        snprintf(text, static_cast<std::size_t>(bytes), "%04llX:%02llX:%02llX.0",
                 static_cast<unsigned long long>(gpu.attributes[domain]),
                 static_cast<unsigned long long>(gpu.attributes[bus]),
                 static_cast<unsigned long long>(gpu.attributes[place]));
        return success;
    });
}
STANDIN_API int cudaDeviceGetByPCIBusId(int* number, const char* text) {
    char own[16];
    if (const int error = cudaDeviceGetPCIBusId(own, sizeof own, 0); error != success) return error;
    const bool same = number != nullptr && text != nullptr && strcasecmp(own, text) == 0;
    return same ? told(number, 0) : call([](Device&) { return static_cast<int>(invalid_value); });
}
STANDIN_API int cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* result, const void*, int) {
    return told(result, std::size_t{1} << 28);  // CUDA programming guide, technical specifications
}

// ------------------------------------------------------------------------------------------ other processes

namespace {

// What another process would open: the process, and the address there.
struct Shared {
    std::uint64_t mark, process, address, reserved[5];
};

int share(Shared* result, const void* what, bool known) {
    return call([&](Device&) -> int {
        if (result == nullptr || !known) return invalid_value;
        *result = {
            0x666f726574656c6cULL, static_cast<std::uint64_t>(getpid()), reinterpret_cast<std::uint64_t>(what), {}};
        return success;
    });
}

// The process that made a handle may not open it.
int open_shared(const Shared& handle, const char* name) {
    if (handle.process != static_cast<std::uint64_t>(getpid())) missing(name);
    return call([](Device&) { return static_cast<int>(invalid_context); });
}

}  // namespace

STANDIN_API int cudaIpcGetMemHandle(Shared* result, void* address) {
    return share(result, address, device().memory.find(reinterpret_cast<std::uint64_t>(address)) != nullptr);
}
STANDIN_API int cudaIpcOpenMemHandle(void**, Shared handle, unsigned) {
    return open_shared(handle, "cudaIpcOpenMemHandle of another process");
}
STANDIN_API int cudaIpcGetEventHandle(Shared* result, void* event) {
    constexpr unsigned between_processes = 4;
    const Event* known = device().event(event);
    return share(result, event, known != nullptr && (known->flags & between_processes) != 0);
}
STANDIN_API int cudaIpcOpenEventHandle(void**, Shared handle) {
    return open_shared(handle, "cudaIpcOpenEventHandle of another process");
}
STANDIN_API int cudaIpcCloseMemHandle(void*) {
    return call([](Device&) { return static_cast<int>(invalid_value); });
}

STANDIN_API int cudaCtxResetPersistingL2Cache() { return as_told(); }

// Functions of the driver by name; the status is 1 for one that is not known (cudaDriverEntryPointSymbolNotFound).
STANDIN_API int cuGetProcAddress_v2(const char* name, void** result, int, std::uint64_t, int* status);
STANDIN_API int cudaGetDriverEntryPointByVersion(const char* name, void** result, unsigned version, std::uint64_t flags,
                                                 int* status) {
    if (name == nullptr || result == nullptr) return invalid_value;
    return call([&](Device&) {
        cuGetProcAddress_v2(name, result, static_cast<int>(version), flags, status);
        return static_cast<int>(success);
    });
}
STANDIN_API int cudaGetDriverEntryPoint(const char* name, void** result, std::uint64_t flags, int* status) {
    return cudaGetDriverEntryPointByVersion(name, result, 0, flags, status);
}
STANDIN_API int cudaGetDriverEntryPoint_ptsz(const char* name, void** result, std::uint64_t flags, int* status) {
    return cudaGetDriverEntryPoint(name, result, flags, status);
}
STANDIN_API int cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** result, unsigned version,
                                                      std::uint64_t flags, int* status) {
    return cudaGetDriverEntryPointByVersion(name, result, version, flags, status);
}

// An error that stays is told once, too, as on an H200 (validation/h200/sample-programs, error_paths); later calls of other
// functions fail with it again.
STANDIN_API int cudaGetLastError() {
    const std::lock_guard lock(device().mutex);
    const int error = Device::last_error;
    Device::last_error = success;
    return error;
}
STANDIN_API int cudaPeekAtLastError() {
    const std::lock_guard lock(device().mutex);
    return Device::last_error;
}
STANDIN_API const char* cudaGetErrorString(int error) {
    const ErrorText* known = error_text(error);
    return known == nullptr ? "unrecognized error code" : known->text;
}
STANDIN_API const char* cudaGetErrorName(int error) {
    const ErrorText* known = error_text(error);
    return known == nullptr ? "unrecognized error code" : known->runtime;
}
