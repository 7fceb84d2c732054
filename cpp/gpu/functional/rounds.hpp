// Rounds of a loop that only count on: registers change by the same amounts each time. Private to the functional core.
#pragma once

#include "gpu/functional/memory.hpp"

namespace foretell::functional {

// Whether registers and predicates are known in the same lanes and have the same values there.
bool alike(const Warp& a, const Warp& b);

// The warp after further rounds, if each of them adds to every register what the round from `before` to `now` added.
Warp after(const Warp& now, const Warp& before, std::uint32_t rounds);

// The same of requests: what they are after further rounds, and whether those of two rounds are known and alike.
Request after(const Request& now, const Request& before, std::uint32_t rounds);
bool alike(const std::vector<Request>& a, const std::vector<Request>& b);

// Rounds until a comparison that holds stops holding, where its operands are `difference` apart and come closer by `step`
// each round; 0 if that cannot be told.
std::uint64_t rounds_left(Compare how, std::int64_t difference, std::int64_t step);

}  // namespace foretell::functional
