// Pages of managed memory that come to the device because a launch accesses them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "gpu/complete/complete.hpp"

namespace foretell::complete {

struct Worker;
struct Dense;
struct Block;

// One for each thread of the host. Blocks run at the same time on a GPU: each meets all pages that were away at the start, and
// faults that follow each other are those of one warp.
class PageFaults {
public:
    // An access of the lanes `m`.
    void note(Worker& w, const Dense& d, const std::uint64_t* address, std::uint32_t m);
    void end_block(const Block& block);
    std::uint64_t longest() const { return longest_; }

private:
    bool is_first(std::uint64_t page);

    std::unordered_map<std::uint64_t, std::uint32_t> here_;  // pages that the block has, by their large page
    std::uint64_t last_ = ~0ull;                             // a page that it has
    std::uint64_t longest_ = 0;
};

}  // namespace foretell::complete
