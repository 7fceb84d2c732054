// Messages between a CUDA program and foretell, which executes and predicts its launches.
//
// The program sends {operation, bytes} and that many bytes; operations that ask are answered with {status, bytes} and that
// many bytes. Numbers are little-endian, of their own size, without padding; text and bytes follow a 32-bit length.
// The other end is src/foretell/uses/program_run/messages.py: the numbers of the operations are part of the protocol.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace foretell::standin {

constexpr std::uint32_t protocol_version = 2;

enum class Operation : std::uint32_t {
    hello = 1,     // asks for the device; the answer carries the descriptor of its memory
    module = 2,    // asks to load machine code
    place = 3,     // asks to write the variables of a module to their addresses
    function = 4,  // asks for a kernel of a module
    variable = 5,  // asks for a variable of a module
    launch = 6,    // asks to execute a kernel
    allocate = 7,
    release = 8,
    copy = 9,
    set = 10,
    stream = 11,
    record = 12,          // an event in a stream
    wait = 13,            // a stream waits for an event
    synchronise = 14,     // the host waits for streams
    elapsed = 15,         // asks for the predicted time between two events
    occupancy = 16,       // asks how many blocks fit a multiprocessor
    missing = 17,         // the program needs a function that is not here
    graph = 18,           // a graph of operations begins or ends
    function_limit = 19,  // dynamic shared memory that a kernel may have
    heap = 20,            // where malloc in kernels has its memory
    library = 21,         // a call of a closed library was computed
};

class Writer {
public:
    template <class T>
        requires std::is_trivially_copyable_v<T>
    Writer& put(T value) {
        const auto* first = reinterpret_cast<const char*>(&value);
        bytes_.insert(bytes_.end(), first, first + sizeof value);
        return *this;
    }
    Writer& put(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        return *this;
    }
    const std::vector<char>& bytes() const { return bytes_; }

private:
    std::vector<char> bytes_;
};

// An answer; what is beyond its end reads as zero.
class Answer {
public:
    int status = 0;
    std::vector<char> bytes;

    template <class T>
    T get() {
        T value{};
        if (next_ + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + next_, sizeof value);
        next_ += sizeof value;
        return value;
    }
    std::string text() {
        const auto size = get<std::uint32_t>();
        const std::size_t begin = next_;
        next_ += size;
        return next_ <= bytes.size() ? std::string(bytes.data() + begin, size) : std::string();
    }

private:
    std::size_t next_ = 0;
};

}  // namespace foretell::standin
