// Divergence and reconvergence of the lanes of a warp. Private to the functional core.
#pragma once

#include <algorithm>

#include "gpu/functional/state.hpp"

namespace foretell::functional {

// Divergent lanes run in groups, and reconverge only where the code says so (BSYNC, WARPSYNC), never by reaching
// the same PC. The group with the lowest PC runs first: others wait further on.
inline Mask runnable(Warp& warp, std::uint32_t& pc) {
    const Mask ready = warp.alive() & ~warp.at_barrier & ~warp.converging;
    if (!warp.apart) {
        pc = ready != 0 ? warp.pc[std::countr_zero(ready)] : ~0u;
        return ready;
    }
    if (warp.running != 0 && (pc = warp.pc[std::countr_zero(warp.running)]) < warp.until) return warp.running;
    std::array<std::uint32_t, lanes> at;
    pc = ~0u;
    for (int lane = 0; lane < lanes; ++lane) {
        at[lane] = ready >> lane & 1 ? warp.pc[lane] : ~0u;
        pc = std::min(pc, at[lane]);
    }
    if (pc == ~0u) return 0;
    Mask group = 0;
    for (int lane = 0; lane < lanes; ++lane) group |= static_cast<Mask>(at[lane] == pc) << lane;
    const std::int8_t name = warp.group[std::countr_zero(group)];
    each(group, [&](int lane) { group &= ~(static_cast<Mask>(warp.group[lane] != name) << lane); });
    warp.running = group;
    warp.until = ~0u;
    for (int lane = 0; lane < lanes; ++lane) warp.until = std::min(warp.until, group >> lane & 1 ? ~0u : at[lane]);
    return group;
}

// Groups lanes by PC; a group is named after its lowest lane.
inline void regroup(Warp& warp, Mask which) {
    while (which != 0) {
        const int first = std::countr_zero(which);
        Mask same = 0;
        each(which, [&](int lane) { same |= static_cast<Mask>(warp.pc[lane] == warp.pc[first]) << lane; });
        each(same, [&](int lane) { warp.group[lane] = static_cast<std::int8_t>(first); });
        warp.apart = (warp.alive() & ~same) != 0;
        which &= ~same;
    }
}

inline void advance(Warp& warp, Mask which) {
    if (which == all_lanes)
        for (std::uint32_t& pc : warp.pc) ++pc;
    else each(which, [&](int lane) { ++warp.pc[lane]; });
}

inline void release_if_complete(Warp& warp, int barrier) {
    Mask waiting = 0;
    each(warp.converging & warp.alive(),
         [&](int lane) { waiting |= static_cast<Mask>(warp.waits[lane] == barrier) << lane; });
    if (waiting == 0 || (warp.convergence[barrier] & warp.alive() & ~waiting) != 0) return;
    warp.converging &= ~waiting;
    advance(warp, waiting);
    regroup(warp, waiting);
}

inline void leave(Warp& warp, Mask which) {
    warp.exited |= which;
    for (int barrier = 0; barrier <= whole_warp && warp.converging != 0; ++barrier) release_if_complete(warp, barrier);
}

inline void converge(Warp& warp, int barrier, Mask active) {
    if ((warp.convergence[barrier] & warp.alive()) == active) return advance(warp, active);  // all have arrived
    each(active, [&](int lane) { warp.waits[lane] = static_cast<std::int8_t>(barrier); });
    warp.converging |= active;
    release_if_complete(warp, barrier);
}

// Lanes come to a barrier that counts those whose predicate holds (BAR.RED).
inline void say(Warp& warp, char combine, const Truth& what, Mask active) {
    warp.said.v = (warp.said.v & ~active) | (what.v & what.known & active);
    warp.said.known = (warp.said.known & ~active) | (what.known & active);
    warp.vote.combine = combine;
}

// Tells all warps at a barrier what their threads said there.
inline void count_votes(std::vector<Warp>& warps) {
    std::uint32_t least = 0, unknown = 0, all = 0;
    for (const Warp& warp : warps) {
        least += static_cast<std::uint32_t>(count_of(warp.at_barrier & warp.said.v));
        unknown += static_cast<std::uint32_t>(count_of(warp.at_barrier & ~warp.said.known));
        all += static_cast<std::uint32_t>(count_of(warp.at_barrier));
    }
    for (Warp& warp : warps) {
        warp.vote = {least, least + unknown, all, warp.vote.combine};
        warp.said = {0, 0};
    }
}

// The outcome of the last vote, in all lanes: a number, or a truth.
inline Value outcome(const Vote& vote) {
    Value result;
    const std::uint32_t all = vote.all;
    if (vote.combine == '+') {
        result.v.fill(vote.least);
        if (vote.least != vote.most) result.known = 0;
    } else {
        const bool least = vote.combine == '&' ? vote.least == all : vote.least != 0;
        const bool most = vote.combine == '&' ? vote.most == all : vote.most != 0;
        result.v.fill(least);
        if (least != most) result.known = 0;
    }
    return result;
}

}  // namespace foretell::functional
