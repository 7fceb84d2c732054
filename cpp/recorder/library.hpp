// Functions of the libraries that the computer has, looked up by name; one that is not there is a null pointer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "recorder/cupti.hpp"

namespace foretell::recorder {

struct Cupti {
    using Callback = void (*)(void* user, int domain, std::uint32_t id, const void* data);
    using Request = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most);
    using Complete = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                              std::size_t valid);

    int (*subscribe)(void** subscriber, Callback, void* user) = nullptr;
    int (*enable)(std::uint32_t on, void* subscriber, int domain, std::uint32_t id) = nullptr;
    int (*enable_domain)(std::uint32_t on, void* subscriber, int domain) = nullptr;
    int (*activity_callbacks)(Request, Complete) = nullptr;
    int (*activity_enable)(std::uint32_t kind) = nullptr;
    int (*activity_next)(std::uint8_t* buffer, std::size_t valid, void** record) = nullptr;
    int (*activity_flush)(std::uint32_t flags) = nullptr;

    // False where CUPTI is not installed.
    bool load();
};

struct Driver {
    int (*function_module)(void** module, void* function) = nullptr;
    int (*function_name)(const char** name, void* function) = nullptr;
    int (*function_parameter)(void* function, std::size_t place, std::size_t* offset, std::size_t* bytes) = nullptr;
    int (*function_load)(void* function) = nullptr;
    int (*kernel_function)(void** function, void* kernel) = nullptr;
    int (*global)(Address*, std::size_t*, void* module, const char* name) = nullptr;
    int (*copy)(void* to, Address from, std::size_t bytes, void* stream) = nullptr;
    int (*stream_create)(void** stream, unsigned flags) = nullptr;
    int (*stream_synchronise)(void* stream) = nullptr;
    int (*stream_capturing)(void* stream, int* status) = nullptr;
    int (*context_synchronise)() = nullptr;
    int (*capture_mode)(int* mode) = nullptr;
    int (*pointer_attribute)(void* result, int attribute, Address) = nullptr;
    int (*pinned)(void** result, std::size_t bytes, unsigned flags) = nullptr;
    int (*graph_nodes)(void* graph, void** nodes, std::size_t* count) = nullptr;
    int (*node_type)(void* node, int* type) = nullptr;
    int (*kernel_node)(void* node, KernelNode*) = nullptr;
    int (*copy_node)(void* node, BoxCopy*) = nullptr;
    int (*set_node)(void* node, SetNode*) = nullptr;
    int (*child_graph)(void* node, void** graph) = nullptr;

    // False if the driver lacks a function: it is older than CUDA 12.4.
    bool load();
};

// What the recorder asks of the driver is allowed while the program captures a graph.
class RelaxedCapture {
public:
    explicit RelaxedCapture(const Driver& driver) : driver_(driver) { driver_.capture_mode(&mode_); }
    ~RelaxedCapture() { driver_.capture_mode(&mode_); }
    RelaxedCapture(const RelaxedCapture&) = delete;

private:
    const Driver& driver_;
    int mode_ = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED
};

}  // namespace foretell::recorder
