// What a launch reads and writes of memory of the host, over the link.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gpu/complete/complete.hpp"

namespace foretell::complete {

struct Worker;
struct Dense;
struct Block;

// One for each thread of the host. A block keeps what it read in L1: the others read it again, as L2 does not keep memory of
// the host.
class LinkUse {
public:
    LinkUse() : lines_(l1_lines, none) {}

    // An access of the lanes `m`; `is_update`: an atomic one.
    void note(Worker& w, const Dense& d, const std::uint64_t* address, std::uint32_t m, bool writes, bool is_update);
    void end_block(const Block& block);
    void add_to(LinkTraffic& sum);

private:
    static constexpr std::size_t l1_lines = 1024;
    static constexpr std::uint64_t none = ~0ull;

    bool keep(std::uint64_t sector);

    std::vector<std::uint64_t> lines_;  // of L1, by the lowest bits of the sector
    std::unordered_map<std::uint64_t, std::uint64_t> updates_;
    LinkTraffic own_;
};

}  // namespace foretell::complete
