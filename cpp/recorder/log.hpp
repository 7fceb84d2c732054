// The file that a recorded program writes: {kind, bytes} and that many bytes, one after the other. Numbers are
// little-endian, of their own size; text and bytes follow a 32-bit length. The reader is
// src/foretell/uses/program_run/beside_gpu/launch_log.py: the numbers are part of the format.
//
// The file is mapped, so that what was written is there also if the program is killed; its kind is the last that is
// written of an entry, and what follows the last entry is zero.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace foretell::recorder {

constexpr std::uint32_t log_version = 2;

enum class Entry : std::uint32_t {
    begin = 1,     // version
    module = 2,    // number, cubin
    function = 3,  // number, module, name
    variable = 4,  // module, name, address, bytes
    block = 5,     // number, bytes of memory
    launch = 6,    // a launch with its memory, see Recorder::write_launch
    times = 8,     // of each kernel its correlation, start and end in nanoseconds
    note = 9,      // what is not recorded as it should be
    end = 11,
    step = 12,  // what the program did, see Steps
};

class Packer {
public:
    template <class T>
        requires std::is_trivially_copyable_v<T>
    Packer& put(T value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Packer& put(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        bytes_.append(text);
        return *this;
    }
    const std::string& bytes() const { return bytes_; }
    // Empty again, with the room that it had.
    Packer& clear() {
        bytes_.clear();
        return *this;
    }

private:
    std::string bytes_;
};

// Stands for bytes: two hashes and their count.
struct Fingerprint {
    std::uint64_t first, second, count;
    bool operator==(const Fingerprint&) const = default;
    struct Hash {
        std::size_t operator()(const Fingerprint& item) const { return item.first; }
    };
};
Fingerprint fingerprint(const char* bytes, std::size_t count);

class Log {
public:
    static constexpr std::size_t block_bytes = 1 << 18;
    static constexpr std::uint32_t unknown = 0xFFFFFFFFU;

    // A file of this process in a folder; false if it cannot be written.
    bool open(const char* folder, std::uint64_t most_bytes);
    void write(Entry, const Packer&);
    void note(std::string_view);
    // The number of a block of memory, written unless an equal one was; `unknown` beyond the limit.
    std::uint32_t block(const char* bytes, std::size_t count);
    bool full() const { return full_; }
    std::uint64_t limit() const { return limit_; }
    void close();

private:
    bool reserve(std::size_t bytes);
    void write(Entry, std::string_view first, std::string_view second);

    int file_ = -1;
    int process_ = 0;
    char* window_ = nullptr;                      // the mapped part of the file
    std::uint64_t begin_ = 0, at_ = 0, end_ = 0;  // of the window; where the next entry begins
    std::uint64_t left_ = 0, limit_ = 0;
    bool full_ = false;
    std::unordered_map<Fingerprint, std::uint32_t, Fingerprint::Hash> numbers_;
    std::unordered_map<std::string, bool> notes_;
};

}  // namespace foretell::recorder
