// What the driver interface knows without asking.
#pragma once

#include "standin/device.hpp"

namespace foretell::standin {

inline int as_told() {
    return call([](Device&) { return static_cast<int>(success); }, false);
}

template <class T>
int told(T* result, T value) {
    return call(
        [&](Device&) -> int {
            if (result == nullptr) return invalid_value;
            *result = value;
            return success;
        },
        false);
}

}  // namespace foretell::standin
