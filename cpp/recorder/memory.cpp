#include "recorder/memory.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace foretell::recorder {

namespace {

// Words of 32 bits below this are indices or counts (the rule of src/foretell/uses/program_run/recording.py).
constexpr std::uint32_t index_limit = 1U << 28;
constexpr unsigned not_blocking = 1;

bool is_index(std::uint32_t word) { return word < index_limit; }

}  // namespace

void Memory::allocate(Address address, std::size_t bytes, bool host) {
    if (address == 0 || bytes == 0) return;
    Allocation& made = allocations_[address] = Allocation{};
    made.address = address;
    made.bytes = bytes;
    made.host = host;
    made.number = ++count_;
}

void Memory::release(Address address) { allocations_.erase(address); }

Allocation* Memory::at(Address address) {
    auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin()) return nullptr;
    Allocation& item = std::prev(after)->second;
    return address - item.address < item.bytes ? &item : nullptr;
}

// Whether memory holds nothing but indices, counts, and addresses of the program's own memory.
bool Memory::steers(const std::vector<char>& bytes) {
    const std::size_t whole = bytes.size() / 8 * 8;
    for (std::size_t at = 0; at < whole; at += 8) {
        std::uint32_t halves[2];
        Address word;
        memcpy(halves, bytes.data() + at, 8);
        memcpy(&word, bytes.data() + at, 8);
        if (!(is_index(halves[0]) && is_index(halves[1])) && this->at(word) == nullptr) return false;
    }
    std::uint32_t last = 0;
    if (bytes.size() - whole >= 4) memcpy(&last, bytes.data() + whole, 4);
    return bytes.size() >= 4 && is_index(last);
}

void Memory::follow(const char* bytes, std::size_t count, std::vector<Allocation*>& waiting) {
    for (std::size_t at = 0; at + 8 <= count; at += 8) {
        Address word;
        memcpy(&word, bytes + at, 8);
        if (word < (1U << 20)) continue;  // no address of a device: the first pages are never mapped
        if (Allocation* item = this->at(word)) waiting.push_back(item);
    }
}

std::vector<Allocation*> Memory::reached(const std::string& parameters, const std::vector<Allocation*>& variables,
                                         bool fresh, Contents contents, const Driver& driver, Log& log) {
    std::vector<Allocation*> waiting = variables, result;
    std::set<Allocation*> seen;
    follow(parameters.data(), parameters.size(), waiting);
    while (!waiting.empty()) {
        Allocation* item = waiting.back();
        waiting.pop_back();
        if (!seen.insert(item).second) continue;
        result.push_back(item);
        if (contents == Contents::none || log.full() || !(fresh || !item->read)) continue;
        read(*item, contents, driver, log);
        follow(buffer_.data(), buffer_.size(), waiting);
    }
    return result;
}

void Memory::read(Allocation& item, Contents contents, const Driver& driver, Log& log) {
    if (stream_ == nullptr && driver.stream_create(&stream_, not_blocking) != 0) stream_ = nullptr;
    item.read = true;
    item.blocks.clear();
    if (item.bytes > log.limit()) {
        buffer_.clear();
        return log.note("contents beyond the limit were left out");
    }
    buffer_.resize(item.bytes);
    if (item.host) memcpy(buffer_.data(), reinterpret_cast<const void*>(item.address), item.bytes);
    else if (driver.copy(buffer_.data(), item.address, item.bytes, stream_) != 0 ||
             driver.stream_synchronise(stream_) != 0) {
        log.note("some memory of the device could not be read");
        buffer_.clear();
        return;
    }
    if (contents == Contents::index && !steers(buffer_)) return;
    for (std::size_t at = 0; at < item.bytes; at += Log::block_bytes)
        item.blocks.push_back(log.block(buffer_.data() + at, std::min(Log::block_bytes, item.bytes - at)));
    if (log.full()) log.note("contents beyond the limit were left out");
}

}  // namespace foretell::recorder
