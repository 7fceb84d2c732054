// Functions on the state of a multiprocessor that need nothing else of it: idle cycles, phases of mbarriers, groups of
// copies and products. Private to the timing core.
#pragma once

#include <algorithm>
#include <utility>

#include "gpu/timing/state.hpp"

namespace foretell::timing {

// Attributes idle issue cycles to the dependence of this instruction.
inline void account(const Moment& ready, const Step& step, double now, double idle) {
    const double turns = std::clamp(now - ready.time + ready.why.turn, 0.0, idle);
    double* waiting = step.waiting + 2 * ready.why.resource;
    waiting[0] += idle - turns;
    waiting[1] += turns;
}

// Ends the phase of an mbarrier if nothing is missing.
inline void close(Object& object) {
    if (!object.complete()) return;
    object.arrived = object.announced = object.landed = 0;
    object.phases.push_back(object.last);
    object.last = {};
    for (const Seat& seat : std::exchange(object.waiting, {})) {
        Moment open = object.phases.back();
        latest(open, seat.warp->pending);
        wake(seat, open);
    }
}

// Commits groups of asynchronous copies, and waits for them.
inline void group(Warp& warp, Copies& copies, const Op& op, Moment& ready, Moment& done) {
    if (op.kind == Kind::commit) {
        copies.group[warp.groups++ % group_history] = done = copies.open;
        copies.open = {};
    } else if (warp.groups > op.groups && op.groups < group_history) {
        latest(ready, copies.group[(warp.groups - 1 - op.groups) % group_history]);
    }
}

// Ends a group of asynchronous products, and waits for such groups.
inline void products(Copies& of, const Op& op, double start, Moment& ready) {
    if (op.kind == Kind::product)
        of.product[of.products++ % group_history] = {start + op.gap + op.latency, {0, op.unit}};
    else if (of.products > op.groups && op.groups < group_history)
        latest(ready, of.product[(of.products - 1 - op.groups) % group_history]);
}

}  // namespace foretell::timing
