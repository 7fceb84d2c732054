// Copies of boxes, between memory and arrays of the runtime.
#pragma once

#include "standin/device.hpp"

namespace foretell::standin::runtime {

struct Extent {
    std::size_t width, height, depth;
};
struct PitchedPointer {
    void* address;
    std::size_t pitch, width, height;
};
struct Position {
    std::size_t x, y, z;
};
struct Copy3D {
    void* from_array;
    Position from_position;
    PitchedPointer from;
    void* to_array;
    Position to_position;
    PitchedPointer to;
    Extent extent;
    int direction;
};

// Copies a box (cudaMemcpy3DParms); the caller is inside of a call.
int copied(Device&, const Copy3D&, Stream*, bool asynchronous);

}  // namespace foretell::standin::runtime
