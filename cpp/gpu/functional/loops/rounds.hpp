// Extrapolation of loop iterations that change registers by constant increments. Private to the functional core.
#pragma once

#include "gpu/functional/memory.hpp"

namespace foretell::functional {

// States of a warp at the last two iterations of one loop, and the requests of the iterations before them. States
// are large: they are copied from the second iteration on, and swapped instead of moved.
struct Compared {
    const Decoded* comparison = nullptr;
    std::array<std::int64_t, lanes> difference{};  // of its operands, where `known`
    Mask known = 0;
};

struct Iterations {
    const Decoded* branch = nullptr;
    std::size_t at = 0;                            // shapes so far
    std::size_t length = 0;                        // shapes of an iteration
    std::size_t requests_at = 0, compared_at = 0;  // of loops with branches: where this iteration's begin in the logs
    std::uint64_t opens = 0;
    std::vector<Compared> compared[2];  // of the last iteration, and of the one before
    int count = 0;
    Warp states[2];
    std::vector<Request> requests[2];
    int newest = 0;
    Warp& last() { return states[newest]; }
    const std::vector<Request>& last_requests() const { return requests[newest]; }
    const Warp& earlier() const { return states[1 - newest]; }
    void add(const Warp& warp, std::vector<Request> asked) {
        newest = 1 - newest;
        states[newest] = warp;
        requests[newest] = std::move(asked);
    }
};

// Whether registers and predicates are known in the same lanes and have the same values there.
bool alike(const Warp& a, const Warp& b);

// The warp after further iterations, each of which adds the increments between `before` and `now`.
Warp after(const Warp& now, const Warp& before, std::uint32_t rounds);

// The same for requests: extrapolation, and whether those of two iterations are known and equal.
Request after(const Request& now, const Request& before, std::uint32_t rounds);
std::vector<Request> after(const std::vector<Request>& now, const std::vector<Request>& before, std::uint32_t rounds);
bool alike(const std::vector<Request>& a, const std::vector<Request>& b);

// Difference of the operands of an integer comparison.
inline std::int64_t difference_of(const Decoded& comparison, std::uint32_t a, std::uint32_t b) {
    if (comparison.is_unsigned) return static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b);
    return std::int64_t{static_cast<std::int32_t>(a)} - std::int64_t{static_cast<std::int32_t>(b)};
}

// The comparisons of a loop beside the one that controls it, in the last two iterations of a warp.
class Comparisons {
public:
    void keep(const Decoded& comparison, const Alu& alu);

    // Iterations until one of them comes out otherwise in one of the lanes: `k == n ? 0 : k` jumps once.
    std::uint64_t alike(const Decoded& branch, Mask among) const;

    struct Kept {  // differences of the operands, where `known`
        std::array<std::int64_t, lanes> now{}, before{};
        Mask known = 0, known_before = 0;
    };
    static std::uint64_t alike(Compare how, const Kept& kept, Mask among);

private:
    std::unordered_map<std::uint32_t, Kept> kept_;  // by instruction
};

// The comparison that holds where this one does not.
inline constexpr Compare opposite(Compare how) {
    constexpr Compare others[] = {Compare::ge, Compare::ne, Compare::gt, Compare::le, Compare::eq, Compare::lt};
    return how > Compare::ge ? Compare::never : others[static_cast<int>(how)];
}

// Iterations until a comparison that holds becomes false, given the `difference` of its operands and its `step` per
// iteration; 0 if that cannot be determined.
std::uint64_t rounds_left(Compare how, std::int64_t difference, std::int64_t step);

}  // namespace foretell::functional
