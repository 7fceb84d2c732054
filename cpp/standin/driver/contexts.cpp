// Contexts of the driver interface: each thread of the host has a stack of them, and all are of one device. The runtime makes
// the primary one current in a thread that has none and uses the device.
#include <map>
#include <memory>

#include "standin/driver/told.hpp"

using namespace foretell::standin;

namespace {

using Id = unsigned long long;

constexpr unsigned newest_interface = 3020;

struct Context {
    Id id;
};

// The contexts that the program made, by what it knows of them.
struct Contexts {
    std::map<void*, std::unique_ptr<Context>> made;
    Id next = 2;  // the primary one is the first
    int retained = 0;
    unsigned primary_flags = 0;
};
Contexts& contexts() {
    static Contexts all;
    return all;
}

void* primary() { return &device(); }
bool is_known(void* context) { return context == primary() || contexts().made.contains(context); }
void* current() { return Device::bound.empty() ? nullptr : Device::bound.back(); }

// What needs a current context.
template <class Body>
int in_context(Body&& body) {
    return call([&](Device& gpu) -> int { return current() == nullptr ? invalid_context : body(gpu); }, false);
}
template <class T>
int told_in_context(T* result, T value) {
    return in_context([&](Device&) -> int {
        if (result == nullptr) return invalid_value;
        *result = value;
        return success;
    });
}

int made_current(void** context) {
    return call(
        [&](Device&) -> int {
            if (context == nullptr) return invalid_value;
            auto own = std::make_unique<Context>(Context{contexts().next++});
            *context = own.get();
            contexts().made[*context] = std::move(own);
            Device::bound.push_back(*context);
            return success;
        },
        false);
}

}  // namespace

STANDIN_API int cuCtxCreate_v2(void** context, unsigned, int) { return made_current(context); }
STANDIN_API int cuCtxCreate_v3(void** context, void*, int, unsigned, int) { return made_current(context); }
STANDIN_API int cuCtxCreate_v4(void** context, void*, unsigned, int) { return made_current(context); }
STANDIN_API int cuCtxDestroy_v2(void* context) {
    return call(
        [&](Device& gpu) -> int {
            if (!contexts().made.contains(context)) return invalid_context;
            if (const int error = gpu.synchronise(static_cast<Stream*>(nullptr)); error != success) return error;
            if (current() == context) Device::bound.pop_back();
            contexts().made.erase(context);
            return success;
        },
        false);
}
STANDIN_API int cuDevicePrimaryCtxRetain(void** context, int number) {
    if (number != 0) return invalid_device;
    return call(
        [&](Device&) -> int {
            if (context == nullptr) return invalid_value;
            ++contexts().retained;
            *context = primary();
            return success;
        },
        false);
}
STANDIN_API int cuDevicePrimaryCtxRelease_v2(int number) {
    if (number != 0) return invalid_device;
    return call(
        [](Device&) -> int {
            if (contexts().retained == 0) return invalid_context;
            --contexts().retained;
            return success;
        },
        false);
}
STANDIN_API int cuDevicePrimaryCtxSetFlags_v2(int, unsigned flags) {
    contexts().primary_flags = flags;
    return as_told();
}
STANDIN_API int cuDevicePrimaryCtxReset_v2(int) { return as_told(); }
STANDIN_API int cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) {
    if (flags != nullptr) *flags = contexts().primary_flags;
    return told(active, Device::primary_used || contexts().retained > 0 ? 1 : 0);
}

STANDIN_API int cuCtxGetCurrent(void** context) { return told<void*>(context, current()); }
STANDIN_API int cuCtxSetCurrent(void* context) {
    return call(
        [&](Device&) -> int {
            if (context != nullptr && !is_known(context)) return invalid_context;
            if (!Device::bound.empty()) Device::bound.pop_back();
            if (context != nullptr) Device::bound.push_back(context);
            return success;
        },
        false);
}
STANDIN_API int cuCtxPushCurrent_v2(void* context) {
    return call(
        [&](Device&) -> int {
            if (context == nullptr || !is_known(context)) return invalid_context;
            Device::bound.push_back(context);
            return success;
        },
        false);
}
STANDIN_API int cuCtxPopCurrent_v2(void** context) {
    return in_context([&](Device&) -> int {
        if (context != nullptr) *context = current();
        Device::bound.pop_back();
        return success;
    });
}
STANDIN_API int cuCtxGetDevice(int* number) { return told_in_context(number, 0); }
STANDIN_API int cuCtxGetDevice_v2(int* number, void* context) {
    return call(
        [&](Device&) -> int {
            if (number == nullptr) return invalid_value;
            if (context == nullptr ? current() == nullptr : !is_known(context)) return invalid_context;
            *number = 0;
            return success;
        },
        false);
}
STANDIN_API int cuCtxGetId(void* context, Id* result) {
    return call(
        [&](Device&) -> int {
            void* own = context == nullptr ? current() : context;
            if (own == nullptr || !is_known(own)) return invalid_context;
            if (result == nullptr) return invalid_value;
            *result = own == primary() ? 1 : static_cast<Context*>(own)->id;
            return success;
        },
        false);
}
STANDIN_API int cuStreamGetCtx(void*, void** context) {
    return told<void*>(context, current() == nullptr ? primary() : current());
}
STANDIN_API int cuCtxGetFlags(unsigned* flags) { return told_in_context(flags, 0U); }
STANDIN_API int cuCtxSetFlags(unsigned) { return as_told(); }
STANDIN_API int cuCtxGetApiVersion(void*, unsigned* result) { return told(result, newest_interface); }
STANDIN_API int cuCtxSynchronize() {
    return in_context([](Device& gpu) { return gpu.synchronise(static_cast<Stream*>(nullptr)); });
}
STANDIN_API int cuCtxSynchronize_v2(void* context) {
    return call(
        [&](Device& gpu) -> int {
            if (context == nullptr ? current() == nullptr : !is_known(context)) return invalid_context;
            return gpu.synchronise(static_cast<Stream*>(nullptr));
        },
        false);
}
