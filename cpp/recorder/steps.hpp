// What a recorded program does, in the order of its calls: launches, copies, sets, streams, events, and the host's time
// between the calls.
#pragma once

#include <initializer_list>
#include <mutex>
#include <unordered_map>

#include "recorder/library.hpp"
#include "recorder/log.hpp"

namespace foretell::recorder {

// Kinds of steps: numbers of the format, with what follows {kind, nanoseconds of the host before}.
enum class Step : std::uint32_t {
    launch = 1,       // launch, stream, correlation, which of the kernels with this correlation
    copy = 2,         // stream, space of source and target, bytes, whether asynchronous, correlation
    set = 3,          // stream, bytes, correlation
    stream = 4,       // stream, flags
    record = 5,       // event, stream
    wait = 6,         // stream, event
    synchronise = 7,  // stream, event
    graph = 8,        // whether one begins
};

// Kinds of memory, numbered as in cpp/standin/memory.hpp.
enum class Space : std::uint64_t { pageable = 0, pinned = 1, device = 2, managed = 3 };

// The time in which no thread of the program is inside of CUDA.
class HostClock {
public:
    void enter();
    void leave();
    std::uint64_t taken();  // what was counted since this was asked last
    void forget();          // what was counted was waiting

private:
    std::mutex mutex_;
    int depth_ = 0;
    std::uint64_t left_ns_ = 0, counted_ns_ = 0;
};

class Steps {
public:
    Steps(Log& log, HostClock& clock) : log_(log), clock_(clock) {}

    void write(Step, std::initializer_list<std::uint64_t> numbers);
    // Notes a call that copies, sets, or is about streams and events; false for any other call.
    bool entered(std::uint32_t id, const void* parameters, std::uint32_t correlation, const Driver&);
    void left(std::uint32_t id, const void* parameters, int result);
    // `per_thread`: the call is the variant for which no stream means the stream of the thread.
    std::uint64_t stream(void* handle, bool per_thread = false);
    void copied(const BoxCopy&, std::uint64_t stream, bool asynchronous, std::uint32_t correlation, const Driver&);

    int capturing = 0;  // streams that are captured into graphs

private:
    bool in_graph(void* stream, const Driver&) const;
    void copied(Address to, Address from, std::uint64_t bytes, std::uint64_t stream, bool asynchronous,
                std::uint32_t correlation, const Driver&);
    bool copy_call(std::uint32_t id, const void* parameters, std::uint32_t correlation, const Driver&);
    bool set_call(std::uint32_t id, const void* parameters, std::uint32_t correlation, const Driver&);
    bool stream_call(std::uint32_t id, const void* parameters, const Driver&);
    std::uint64_t event(void* handle);

    Log& log_;
    HostClock& clock_;
    std::unordered_map<void*, std::uint64_t> streams_, events_;
    std::uint64_t next_stream_ = 1, written_ = 0;
    bool polled_ = false;
    Packer entry_;  // of the step that is written
};

}  // namespace foretell::recorder
