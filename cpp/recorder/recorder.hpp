// Records what a CUDA program does beside a GPU: its launches with code, arguments and memory, into a file.
//
// CUDA's driver loads this library (CUDA_INJECTION64_PATH) and calls InitializeInjection. CUPTI then tells of each call
// of the driver interface, which is where the runtime, Triton and PyTorch launch kernels. Environment variables:
// FORETELL_RECORD (a folder), FORETELL_RECORD_CONTENTS (none, index, all), FORETELL_RECORD_LIMIT (bytes of memory
// contents), FORETELL_CUPTI and FORETELL_CUDA (libraries by path).
#pragma once

#include <deque>
#include <mutex>
#include <unordered_map>

#include "recorder/memory.hpp"
#include "recorder/steps.hpp"

namespace foretell::recorder {

struct Module {
    std::uint32_t number = 0;
    std::string cubin;
    bool written = false;
    std::deque<Allocation> variables;
};

struct Function {
    std::uint32_t number = 0;
    Module* module = nullptr;
    std::vector<std::pair<std::size_t, std::size_t>> parameters;  // offset and bytes
    std::uint32_t variants = 0;
    bool recordable = false;
};

struct Launch {
    void* function = nullptr;
    unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, cluster[3] = {1, 1, 1};
    unsigned shared = 0;
    bool cooperative = false;
    void* stream = nullptr;
    void** single = nullptr;
    void** packed = nullptr;
};

// A launch that was written, and how often it was made since.
struct Written {
    std::uint32_t number = 0, count = 0;
};

// A node of a graph; of a kernel its parameters are copied.
struct Node {
    int type = 0;
    Launch launch;
    std::string parameters;
    BoxCopy copy{};
    std::uint64_t set_bytes = 0;
};

class Recorder {
public:
    // False if this process is not to be recorded, or cannot be.
    bool start();
    void call(std::uint32_t id, const CallbackData&);
    void loaded(const ModuleData&);
    void activities(std::uint8_t* buffer, std::size_t valid);
    void finish();

    Cupti cupti;
    HostClock clock;

private:
    bool prepared();
    void entered(std::uint32_t id, const CallbackData&);
    void left(std::uint32_t id, const void* parameters);
    void kernel_called(const Launch&, const char* symbol, bool per_thread, std::uint32_t correlation);
    std::uint32_t launched(Function&, const Launch&, const std::string& parameters);
    void write_launch(Function&, const Launch&, const std::string& parameters);
    void add_nodes(void* graph, std::vector<Node>&);
    void graph_called(const GraphLaunchParameters&, bool per_thread, std::uint32_t correlation);
    Function& function(void* handle, const char* symbol);
    void describe(Function&, void* handle, void* module, const std::string& name);
    Module* module_of(void* handle, const std::string& name);
    void write_module(Module&, void* handle);
    // The bytes of a launch's parameters, until the next one.
    const std::string& gathered(const Function&, const Launch&);
    void waited(void* stream);

    std::recursive_mutex mutex_;  // what the recorder asks of the driver may load a module
    std::mutex times_mutex_;
    Packer times_;
    Log log_;
    Steps steps_{log_, clock};
    Memory memory_;
    Driver driver_;
    bool driver_known_ = false, driver_loaded_ = false;
    Contents contents_ = Contents::all;
    std::deque<Module> modules_;
    Module* last_loaded_ = nullptr;
    std::unordered_map<void*, Module*> handles_;
    std::unordered_map<void*, Function> functions_;
    std::unordered_map<Fingerprint, Written, Fingerprint::Hash> launches_;
    std::string parameters_;  // of the launch that is called, by what it is known, and what is written of it
    Packer key_, entry_;
    std::vector<Allocation*> variables_;
    std::uint32_t launch_count_ = 0;
    std::unordered_map<void*, std::vector<Node>> graphs_;  // by executable graph
};

}  // namespace foretell::recorder
