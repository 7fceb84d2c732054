// What a program built by nvcc registers at its start: machine code, and its kernels and variables by their host addresses.
#pragma once

#include "standin/device.hpp"

namespace foretell::standin::runtime {

// The kernel of a host function, or of a handle of one; nullptr if there is none.
Function* kernel(const void* host);
// Makes a kernel of a module that the program loaded one that the runtime knows by its handle.
void adopt(Function*);
// The variable of a host variable.
int symbol(Device&, const void* host, Variable& result);
// Bytes of the parameters of a kernel in their places.
std::string gathered(const Function&, void* const* arguments);
// Tells the pool that memory came from, if it came from one, that it is free.
void given_back(std::uint64_t address);
// Memory that a node of a graph takes and gives back.
int taken_in_graph(std::uint64_t bytes);
int given_in_graph(std::uint64_t bytes);

}  // namespace foretell::standin::runtime
