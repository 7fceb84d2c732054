// Properties of the device in the layouts of cudaDeviceProp.
#pragma once

#include "standin/device.hpp"

namespace foretell::standin {

// Fills the structure of CUDA 12 (with `older`) or 13; they differ in fields that 13 dropped.
void fill_properties(Device&, void* result, bool older);

}  // namespace foretell::standin
