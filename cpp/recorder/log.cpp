#include "recorder/log.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace foretell::recorder {

namespace {

constexpr std::uint64_t window_bytes = 64U << 20;
constexpr std::size_t head_bytes = 12;  // kind and size

}  // namespace

// 128 bits in eight lanes of multiplications: the lanes do not wait for each other, so that memory is the limit, and two
// blocks of a program do not meet by chance.
Fingerprint fingerprint(const char* bytes, std::size_t count) {
    constexpr std::size_t lanes = 8, row = 8 * lanes;
    std::uint64_t state[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) state[lane] = (0x9E3779B97F4A7C15U + 2 * lane) ^ (count << lane);
    auto mix = [](std::uint64_t& value, std::uint64_t word) {
        value = (value ^ word) * 0x9FB21C651E98DF25U;
        value ^= value >> 29;
    };
    auto add = [&](const char* from) {
        std::uint64_t words[lanes];
        memcpy(words, from, row);
        for (std::size_t lane = 0; lane < lanes; ++lane) mix(state[lane], words[lane]);
    };
    std::size_t at = 0;
    for (; at + row <= count; at += row) add(bytes + at);
    char rest[row] = {};
    memcpy(rest, bytes + at, count - at);
    add(rest);
    std::uint64_t sums[2] = {0xC2B2AE3D27D4EB4FU, 0xD6E8FEB86659FD93U};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        mix(sums[0], state[lane]);
        mix(sums[1], state[lanes - 1 - lane] * 0x165667B19E3779F9U);
    }
    return {sums[0], sums[1], count};
}

bool Log::open(const char* folder, std::uint64_t most_bytes) {
    process_ = getpid();
    const std::string path = std::string(folder) + "/" + std::to_string(process_) + ".launches";
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    left_ = limit_ = most_bytes;
    if (file_ < 0) return false;
    write(Entry::begin, Packer().put(log_version));
    return file_ >= 0;
}

// Makes room in the window; where the disk is full, the log ends here.
bool Log::reserve(std::size_t bytes) {
    if (file_ < 0) return false;
    if (at_ + bytes <= end_) return true;
    if (window_ != nullptr) munmap(window_, end_ - begin_);
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    begin_ = at_ / page * page;
    end_ = begin_ + (at_ - begin_ + std::max<std::uint64_t>(bytes, window_bytes) + page - 1) / page * page;
    void* made = MAP_FAILED;
    if (posix_fallocate(file_, static_cast<off_t>(begin_), static_cast<off_t>(end_ - begin_)) == 0)
        made = mmap(nullptr, end_ - begin_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(begin_));
    window_ = made == MAP_FAILED ? nullptr : static_cast<char*>(made);
    if (window_ != nullptr) return true;
    ::close(file_);
    file_ = -1;
    return false;
}

void Log::write(Entry kind, const Packer& content) { write(kind, content.bytes(), {}); }

void Log::write(Entry kind, std::string_view first, std::string_view second) {
    const std::uint64_t size = first.size() + second.size();
    if (!reserve(head_bytes + size)) return;
    char* entry = window_ + (at_ - begin_);
    if (!first.empty()) memcpy(entry + head_bytes, first.data(), first.size());
    if (!second.empty()) memcpy(entry + head_bytes + first.size(), second.data(), second.size());
    memcpy(entry + sizeof kind, &size, sizeof size);
    std::atomic_signal_fence(std::memory_order_release);  // the kind last: a program may be killed anywhere
    memcpy(entry, &kind, sizeof kind);
    at_ += head_bytes + size;
}

void Log::note(std::string_view text) {
    if (notes_.emplace(std::string(text), true).second) write(Entry::note, Packer().put(text));
}

std::uint32_t Log::block(const char* bytes, std::size_t count) {
    const Fingerprint key = fingerprint(bytes, count);
    if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
    if (count > left_) {
        full_ = true;
        return unknown;
    }
    left_ -= count;
    const auto number = static_cast<std::uint32_t>(numbers_.size());
    numbers_.emplace(key, number);
    write(Entry::block, Packer().put(number).put(static_cast<std::uint32_t>(count)).bytes(), {bytes, count});
    return number;
}

// A child of the program has the same file, and leaves it alone.
void Log::close() {
    if (file_ < 0 || getpid() != process_) return;
    write(Entry::end, Packer());
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(at_)) != 0) return;
    ::close(file_);
    file_ = -1;
}

}  // namespace foretell::recorder
