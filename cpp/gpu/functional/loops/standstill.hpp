// Warps that wait for what another block writes. Private to the functional core.
#pragma once

#include "gpu/functional/state.hpp"

namespace foretell::functional {

// Loads that see what others write (volatile, or with an order) come back to the same instruction with the same registers,
// and nothing was stored and no outcome assumed in between: what they wait for never comes, as one block runs at a time.
class Standstill {
public:
    void begin() { *this = {}; }
    void stored() { visits_ = 0; }
    // After a load; `assumed` outcomes of branches so far. True if the warp goes round for ever.
    bool reached(const Warp& warp, std::uint32_t pc, std::uint64_t assumed) {
        if (pc != pc_ || assumed != assumed_) visits_ = 0;
        pc_ = pc;
        assumed_ = assumed;
        ++visits_;
        if (visits_ < first_look) return false;
        if (std::has_single_bit(visits_)) {
            state_ = digest(warp);
            return false;
        }
        // lanes that diverged come by turns
        return visits_ - std::bit_floor(visits_) <= most_turns && digest(warp) == state_;
    }

private:
    static constexpr std::uint64_t first_look = 64, most_turns = 4;
    static std::uint64_t digest(const Warp& warp);
    std::uint64_t visits_ = 0, assumed_ = 0, state_ = 0;
    std::uint32_t pc_ = 0;
};

}  // namespace foretell::functional
