#include "standin/memory.hpp"

#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace foretell::standin {

namespace {

// Alignment of cudaMalloc, and a gap behind each allocation, so that accesses beyond its end are in none.
constexpr std::uint64_t alignment = 512, gap = 512, page = 1 << 16;
// What the driver gives pages of its own begins with one: Taichi counts on it.
constexpr std::uint64_t own_page = 1 << 20, large_page = 1 << 21;

void drop_pages(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t first = (address + page - 1) / page * page, end = (address + bytes) / page * page;
    if (end > first) madvise(reinterpret_cast<void*>(first), end - first, MADV_REMOVE);
}

bool uses_device(Space space) { return space != Space::host; }

}  // namespace

bool Memory::map(int descriptor, std::uint64_t base, std::uint64_t bytes, std::uint64_t device_bytes) {
    void* wanted = reinterpret_cast<void*>(base);
    void* got =
        mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor, 0);
    if (got != wanted) return false;
    base_ = base;
    bytes_ = bytes;
    device_bytes_ = device_bytes;
    free_[base] = bytes;
    return true;
}

std::uint64_t Memory::rounded(std::uint64_t bytes) { return (bytes + gap + alignment - 1) / alignment * alignment; }

std::uint64_t Memory::allocate(std::uint64_t bytes, Space space, unsigned flags) {
    if (bytes > bytes_ || (uses_device(space) && bytes > device_bytes_ - used_)) return 0;
    std::uint64_t address = bytes >= own_page ? find_place(rounded(bytes), large_page) : 0;
    if (address == 0) address = find_place(rounded(bytes), alignment);
    if (address == 0) return 0;
    live_[address] = {address, bytes, space, flags};
    if (uses_device(space)) used_ += bytes;
    return address;
}

// Takes free addresses; 0: there are not as many in one piece.
std::uint64_t Memory::find_place(std::uint64_t taken, std::uint64_t wanted) {
    for (auto at = free_.begin(); at != free_.end(); ++at) {
        const auto [address, size] = *at;
        const std::uint64_t first = (address + wanted - 1) / wanted * wanted, before = first - address;
        if (size < before || size - before < taken) continue;
        free_.erase(at);
        if (before != 0) free_[address] = before;
        if (size - before > taken) free_[first + taken] = size - before - taken;
        return first;
    }
    return 0;
}

bool Memory::release(std::uint64_t address) {
    const auto at = live_.find(address);
    if (at == live_.end()) return false;
    if (uses_device(at->second.space)) used_ -= at->second.bytes;
    const std::uint64_t taken = rounded(at->second.bytes);
    live_.erase(at);
    add_free(address, taken);
    return true;
}

// Gives addresses back, and the pages behind them.
void Memory::add_free(std::uint64_t address, std::uint64_t taken) {
    drop_pages(address, taken);
    auto next = free_.emplace(address, taken).first;
    if (const auto after = std::next(next); after != free_.end() && next->first + next->second == after->first) {
        next->second += after->second;
        free_.erase(after);
    }
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == next->first) {
            before->second += next->second;
            free_.erase(next);
        }
    }
}

std::uint64_t Memory::reserve(std::uint64_t bytes, std::uint64_t alignment) {
    for (auto at = free_.begin(); at != free_.end(); ++at) {
        const auto [address, size] = *at;
        const std::uint64_t first = (address + alignment - 1) / alignment * alignment, before = first - address;
        if (before > size || size - before < bytes) continue;
        free_.erase(at);
        if (before != 0) free_[address] = before;
        if (size - before > bytes) free_[first + bytes] = size - before - bytes;
        reserved_[first] = bytes;
        return first;
    }
    return 0;
}

bool Memory::unreserve(std::uint64_t address, std::uint64_t bytes) {
    const auto at = reserved_.find(address);
    const auto inside = live_.lower_bound(address);
    if (at == reserved_.end() || at->second != bytes) return false;
    if (inside != live_.end() && inside->first < address + bytes) return false;
    reserved_.erase(at);
    add_free(address, bytes);
    return true;
}

bool Memory::take(std::uint64_t bytes) {
    if (bytes > device_bytes_ - used_) return false;
    used_ += bytes;
    return true;
}

bool Memory::place(std::uint64_t address, std::uint64_t bytes) {
    auto at = reserved_.upper_bound(address);
    if (at == reserved_.begin()) return false;
    --at;
    if (address + bytes > at->first + at->second) return false;
    const auto next = live_.lower_bound(address);
    if (next != live_.end() && next->first < address + bytes) return false;
    if (next != live_.begin()) {
        const Allocation& before = std::prev(next)->second;
        if (before.address + before.bytes > address) return false;
    }
    live_[address] = {address, bytes, Space::device, 0};
    return true;
}

void Memory::displace(std::uint64_t address) {
    drop_pages(address, live_[address].bytes);
    live_.erase(address);
}

namespace {

const Allocation* within(const std::map<std::uint64_t, Allocation>& items, std::uint64_t address) {
    auto at = items.upper_bound(address);
    if (at == items.begin()) return nullptr;
    --at;
    const bool in = address < at->second.address + at->second.bytes || address == at->second.address;
    return in ? &at->second : nullptr;
}

}  // namespace

const Allocation* Memory::find(std::uint64_t address) const {
    return inside(address) ? within(live_, address) : within(pinned_, address);
}

bool Memory::pin(std::uint64_t address, std::uint64_t bytes, unsigned flags) {
    if (within(pinned_, address) != nullptr) return false;
    pinned_[address] = {address, bytes, Space::host, flags};
    return true;
}

bool Memory::unpin(std::uint64_t address) { return pinned_.erase(address) == 1; }

}  // namespace foretell::standin
