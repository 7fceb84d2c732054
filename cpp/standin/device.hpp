// The simulated device, which the runtime and the driver interface share: modules, streams, events, graphs, launches.
//
// Work is done when it is submitted; when it would have been done on the GPU, foretell works out on a timeline.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "standin/channel.hpp"
#include "standin/memory.hpp"

namespace foretell::standin {

// Numbers of errors, equal in the runtime and the driver.
enum Error : int {
    success = 0,
    invalid_value = 1,
    out_of_memory = 2,
    not_initialised = 3,
    invalid_pitch = 12,
    invalid_symbol = 13,
    invalid_format = 20,
    invalid_direction = 21,
    invalid_function = 98,
    no_device = 100,
    invalid_device = 101,
    invalid_context = 201,
    no_kernel_image = 209,
    unsupported_limit = 215,
    peer_access_unsupported = 217,
    invalid_handle = 400,
    not_found = 500,
    peer_access_not_enabled = 705,
    not_supported = 801,
    capture_unsupported = 900,
    capture_invalidated = 901,
    graph_update_failed = 910,
};

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
};

struct Module;

struct Function {
    Module* module = nullptr;
    std::string name;
    bool resolved = false;
    int status = 0;
    std::uint32_t id = 0;
    const void* host = nullptr;  // its stub in a program of the runtime
    std::int32_t registers = 0, shared_bytes = 0, constant_bytes = 0, local_bytes = 0, most_threads = 0, arch = 0;
    std::int32_t dynamic_limit = 0, ptx_version = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parameters;  // offset and size
    std::uint32_t parameter_bytes = 0;
};

struct Variable {
    std::uint64_t address = 0, bytes = 0;
};

// Machine code of the program. What the program registers at its start is loaded when it is used.
struct Module {
    const void* image = nullptr;
    std::string bytes;  // an own copy, or empty
    bool loaded = false;
    int status = 0;
    std::string problem;  // why it could not be loaded
    std::uint32_t id = 0;
    std::uint64_t globals = 0, constants = 0;
    std::vector<std::string> kernels;
    std::map<std::string, std::unique_ptr<Function>> functions;
    std::map<std::string, Variable> variables;
};

struct Graph;

struct Stream {
    std::uint32_t id = 0;
    unsigned flags = 0;
    int priority = 0;
    std::shared_ptr<Graph> capture;
    bool origin = false;
};

struct Event {
    std::uint32_t id = 0;
    unsigned flags = 0;
    bool recorded = false;
    std::shared_ptr<Graph> capture;
};

struct Launch {
    Dim3 grid, block, cluster;
    std::uint64_t shared_bytes = 0;
    bool cooperative = false;
};

// A launch of a graph's node, as a program may ask for it.
struct KernelCall {
    Function* function;
    Launch launch;
    std::string arguments;
    std::vector<void*> each;  // where each argument is in `arguments`
};

// The stream of nodes that are added one by one; they run in the stream of the graph.
constexpr std::uint32_t explicit_graph = 0xFFFFFFF0U;

// Operations of a graph in the order in which they were captured or added; each knows the stream that it was captured
// from, and what it comes after. Copies of a node, in clones and executable graphs, have its number.
struct Graph {
    struct Node {
        std::uint32_t stream = 0;
        int kind = 0;        // cudaGraphNodeType
        bool inner = false;  // an event of a capture: an edge in CUDA, not a node
        bool enabled = true;
        std::uint64_t number = 0;
        std::function<int(std::uint32_t)> run;
        std::vector<std::uint64_t> after;  // numbers of nodes
        std::shared_ptr<KernelCall> kernel;
        std::shared_ptr<void> parameters;  // of other nodes, as the program gave them, where it may ask for them
        std::shared_ptr<Graph> child;
    };
    // A word of the device that conditional nodes read, and what it is when the graph is launched.
    struct Condition {
        std::uint64_t address;
        std::uint32_t value;
    };
    using Nodes = std::vector<std::shared_ptr<Node>>;
    std::uint32_t origin = 0;
    Nodes nodes;
    std::vector<Condition> conditions;
    std::vector<std::shared_ptr<void>> objects;  // of the program, which live as long as the graph
    std::set<Stream*> joined;
    std::map<std::uint32_t, std::vector<std::uint64_t>> last;    // of each stream of a capture
    std::map<std::uint32_t, std::vector<std::uint64_t>> events;  // nodes that an event of a capture stands for

    Node* find(std::uint64_t number) const;
    std::shared_ptr<Graph> copied() const;
    // Puts nodes behind those that they come after; false where they wait for each other.
    bool sort();
    // Does what the nodes do, in their order; those of the graph's origin in `stream`.
    int run(std::uint32_t stream) const;
};

class Device {
public:
    Channel channel;
    Memory memory;
    std::recursive_mutex mutex;
    std::map<int, std::int64_t> attributes;
    std::string name;
    std::int32_t arch = 0;
    int current = 0;
    static inline thread_local int last_error = 0;  // CUDA keeps one for each thread of the host
    // Contexts of the driver interface in this thread, the current one last; and whether the runtime has used its own.
    static inline thread_local std::vector<void*> bound;
    static inline std::atomic<bool> primary_used = false;
    bool broken = false;                // an error that stays: every later call fails with it
    std::map<int, std::size_t> limits;  // that the program set (cudaLimit)

    // Connects at the first call; an error where there is no foretell.
    int ready();

    // As the runtime does in a thread that has no context.
    void use_primary() {
        primary_used = true;
        if (bound.empty()) bound.push_back(this);
    }

    int allocate(void** result, std::uint64_t bytes, Space, unsigned flags = 0);
    int release(void* address, bool host);
    // Copies rows; directions are those of CUDA (0 to 4).
    int copy(void* to, const void* from, std::uint64_t bytes, int direction, Stream*, bool asynchronous);
    int copy_rows(void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch, std::uint64_t width,
                  std::uint64_t rows, int direction, Stream*, bool asynchronous);
    // Managed memory that comes to the device before a launch asks for it.
    int prefetch(const void* address, std::uint64_t bytes, Stream*);
    // Sets elements of 1, 2 or 4 bytes, in rows.
    int set_rows(void* to, std::uint64_t pitch, unsigned value, unsigned element, std::uint64_t count,
                 std::uint64_t rows, Stream*, bool asynchronous);

    Module* add_module(const void* image);
    int load(Module&);
    int resolve(Function&);
    int variable(Module&, const std::string& name, Variable&);
    int launch(Function&, const Launch&, std::string parameters, Stream*);
    int occupancy(Function&, int threads, std::uint64_t shared_bytes, int& blocks);
    void limit_dynamic(Function&, int bytes);

    Stream* stream(void* handle);
    Stream* new_stream(unsigned flags, int priority);
    int drop_stream(Stream*);
    Event* event(void* handle);
    Event* new_event(unsigned flags);
    int drop_event(Event*);
    int record(Event*, Stream*);
    int wait(Stream*, Event*);
    // Waits for one stream, or for all.
    int synchronise(Stream*);
    int synchronise(Event*);
    int elapsed(Event*, Event*, float& milliseconds);
    int call_host(Stream*, std::function<void()>);

    // Into a graph of its own, or into one that is there, after some of its nodes.
    int begin_capture(Stream*, std::shared_ptr<Graph> into = nullptr, std::vector<std::uint64_t> after = {});
    int end_capture(Stream*, std::shared_ptr<Graph>&);
    int run_graph(const Graph&, Stream*);
    int set_limit(int limit, std::size_t value);
    static constexpr int known_limits = 7;
    std::size_t limit(int limit) const;
    // Runs an operation now, or adds it to the graph that a stream captures.
    int submit(Stream*, int kind, std::function<int(std::uint32_t)>);
    std::uint64_t next_node() { return next_node_++; }

private:
    int sorted(std::uint64_t address, std::uint64_t bytes, Space&) const;
    int finished();
    int make_heap();

    bool tried_ = false, connected_ = false;
    int broken_with_ = 0;
    std::uint32_t next_stream_ = 3, next_event_ = 1;
    std::uint64_t next_node_ = 1, heap_ = 0;
    std::string printed_;
    std::deque<Module> modules_;
    std::map<void*, std::unique_ptr<Stream>> streams_;
    std::map<void*, std::unique_ptr<Event>> events_;
    Stream legacy_, per_thread_;
};

Device& device();

// Names a function that is not here, and ends the program.
[[noreturn]] void missing(const char* name);

// Around every call of the interface: one at a time, its time is not the program's. The runtime remembers its error, and
// has a context but for what it knows without one.
enum class Interface { runtime, runtime_alone, driver };
template <class Body>
int call(Body&& body, Interface from) {
    Device& gpu = device();
    const std::lock_guard lock(gpu.mutex);
    gpu.channel.enter();
    const bool remember = from != Interface::driver;
    if (from == Interface::runtime) gpu.use_primary();
    int error = gpu.ready();
    if (error == success) error = body(gpu);
    if (remember && error != success && error != 600) gpu.last_error = error;
    gpu.channel.leave();
    return error;
}
template <class Body>
int call(Body&& body, bool remember = true) {
    return call(std::forward<Body>(body), remember ? Interface::runtime : Interface::driver);
}

}  // namespace foretell::standin

#define STANDIN_API extern "C" __attribute__((visibility("default")))
