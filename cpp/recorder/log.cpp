#include "recorder/log.hpp"

#include <unistd.h>

#include <cstring>

namespace foretell::recorder {

namespace {

// 128 bits in two lanes of multiplications and rotations: quick, and two blocks of a program do not meet by chance.
std::string fingerprint(const char* bytes, std::size_t count) {
    std::uint64_t lanes[2] = {0x9E3779B97F4A7C15U ^ count, 0xC2B2AE3D27D4EB4FU};
    std::size_t at = 0;
    auto mix = [&](std::uint64_t word, int lane) {
        lanes[lane] = (lanes[lane] ^ word) * 0x9FB21C651E98DF25U;
        lanes[lane] ^= lanes[lane] >> 29;
    };
    for (; at + 8 <= count; at += 8) {
        std::uint64_t word;
        memcpy(&word, bytes + at, 8);
        mix(word, 0);
        mix(word * 0xD6E8FEB86659FD93U + at, 1);
    }
    std::uint64_t rest = 0;
    memcpy(&rest, bytes + at, count - at);
    mix(rest, 0);
    mix(rest + 1, 1);
    return Packer().put(lanes[0]).put(lanes[1]).put(count).bytes();
}

}  // namespace

bool Log::open(const char* folder, std::uint64_t most_bytes) {
    const std::string path = std::string(folder) + "/" + std::to_string(getpid()) + ".launches";
    file_ = fopen(path.c_str(), "wbe");
    left_ = limit_ = most_bytes;
    if (file_ == nullptr) return false;
    setvbuf(file_, nullptr, _IOFBF, 1 << 20);
    write(Entry::begin, Packer().put(log_version));
    return true;
}

void Log::write(Entry kind, const Packer& content) {
    if (file_ == nullptr) return;
    const auto head =
        Packer().put(static_cast<std::uint32_t>(kind)).put(static_cast<std::uint64_t>(content.bytes().size()));
    fwrite(head.bytes().data(), 1, head.bytes().size(), file_);
    fwrite(content.bytes().data(), 1, content.bytes().size(), file_);
}

void Log::note(std::string_view text) {
    if (notes_.emplace(std::string(text), true).second) write(Entry::note, Packer().put(text));
}

std::uint32_t Log::block(const char* bytes, std::size_t count) {
    std::string key = fingerprint(bytes, count);
    if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
    if (count > left_) {
        full_ = true;
        return unknown;
    }
    left_ -= count;
    const auto number = static_cast<std::uint32_t>(numbers_.size());
    numbers_.emplace(std::move(key), number);
    write(Entry::block, Packer().put(number).put(std::string_view(bytes, count)));
    return number;
}

void Log::flush() {
    if (file_ != nullptr) fflush(file_);
}

void Log::close() {
    if (file_ == nullptr) return;
    write(Entry::end, Packer());
    fclose(file_);
    file_ = nullptr;
}

}  // namespace foretell::recorder
