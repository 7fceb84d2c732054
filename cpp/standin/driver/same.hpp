// Functions of the driver interface that are those of the runtime under another name.
#pragma once

#include "standin/device.hpp"

namespace foretell::standin {

// Errors of the driver are not those that cudaGetLastError tells.
template <class Body>
int quietly_called(Body&& body) {
    const int before = Device::last_error;
    const bool without = Device::bound.empty(), used = Device::primary_used;
    const int error = body();
    Device::last_error = before;
    if (without) Device::bound.clear();  // nor is the context that the runtime would have used theirs
    Device::primary_used = used;
    return error;
}

}  // namespace foretell::standin

#define SAME(DRIVER, RUNTIME, PARAMETERS, ARGUMENTS) \
    extern "C" int RUNTIME PARAMETERS;               \
    STANDIN_API int DRIVER PARAMETERS {              \
        return foretell::standin::quietly_called([&] { return RUNTIME ARGUMENTS; }); \
    }
