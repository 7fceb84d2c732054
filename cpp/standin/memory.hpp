// Memory of the simulated device: one range of addresses, which the program and foretell both map, so that an address of the
// device is also one of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace foretell::standin {

enum class Space : std::uint32_t { unregistered = 0, host = 1, device = 2, managed = 3, module = 4 };

struct Allocation {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    Space space = Space::unregistered;
    unsigned flags = 0;
};

class Memory {
public:
    // Maps the memory behind a descriptor; false where its addresses are taken.
    bool map(int descriptor, std::uint64_t base, std::uint64_t bytes, std::uint64_t device_bytes);
    // Returns a null address where it does not fit: in the device, or in the range of addresses.
    std::uint64_t allocate(std::uint64_t bytes, Space, unsigned flags);
    bool release(std::uint64_t address);
    // The allocation with an address in it; nullptr for memory of the program.
    const Allocation* find(std::uint64_t address) const;
    // Addresses without memory, and memory without addresses: what is placed at reserved addresses was taken before.
    std::uint64_t reserve(std::uint64_t bytes, std::uint64_t alignment);
    bool unreserve(std::uint64_t address, std::uint64_t bytes);
    bool take(std::uint64_t bytes);
    void give(std::uint64_t bytes) { used_ -= bytes; }
    bool place(std::uint64_t address, std::uint64_t bytes);
    void displace(std::uint64_t address);
    // Registers memory of the program as pinned.
    bool pin(std::uint64_t address, std::uint64_t bytes, unsigned flags);
    bool unpin(std::uint64_t address);

    bool inside(std::uint64_t address) const { return address >= base_ && address < base_ + bytes_; }
    std::uint64_t device_bytes() const { return device_bytes_; }
    std::uint64_t used() const { return used_; }

private:
    static std::uint64_t rounded(std::uint64_t bytes);
    std::uint64_t find_place(std::uint64_t taken, std::uint64_t wanted);
    void add_free(std::uint64_t address, std::uint64_t bytes);

    std::uint64_t base_ = 0, bytes_ = 0, device_bytes_ = 0, used_ = 0;
    std::map<std::uint64_t, std::uint64_t> free_, reserved_;  // address -> bytes
    std::map<std::uint64_t, Allocation> live_, pinned_;
};

}  // namespace foretell::standin
