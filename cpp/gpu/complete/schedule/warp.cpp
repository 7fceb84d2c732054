// Runs the groups of a warp: divergence, convergence and branches.
//
// Divergent lanes run in groups, and converge only where the code says so (BSYNC, WARPSYNC), never by reaching the same
// PC. The group with the lowest PC runs first; after its share of instructions, or a YIELD, another one does, so that a
// lane may wait for another one of its warp.
#include "gpu/complete/schedule/warp.hpp"

#include "gpu/complete/memory/mbarriers.hpp"
#include "gpu/complete/memory/races.hpp"

namespace foretell::complete {
namespace {

constexpr std::uint32_t group_share = 1024;

void add_group(Warp& warp, Mask mask, std::uint32_t pc) {
    Group& group = warp.groups[warp.group_count++];
    group = Group{};
    group.mask = mask;
    group.pc = pc;
}

void remove_group(Warp& warp, int index) { warp.groups[index] = warp.groups[--warp.group_count]; }

// Removes empty groups, and joins ready ones that a release brought to the same PC.
void tidy(Warp& warp, Mask released) {
    for (int a = 0; a < warp.group_count; ++a) {
        Group& group = warp.groups[a];
        if (group.mask == 0) {
            remove_group(warp, a--);
            continue;
        }
        if (group.state != State::ready || !(group.mask & released)) continue;
        for (int b = warp.group_count; --b > a;) {
            const Group& other = warp.groups[b];
            if (other.state != State::ready || other.pc != group.pc || !(other.mask & released)) continue;
            group.mask |= other.mask;
            remove_group(warp, b);
        }
    }
}

// Lanes that wait at a convergence barrier with a group: at its instruction, or for a warp sync anywhere.
bool waits_with(const Group& group, const Group& other) {
    return other.state == State::converging && other.barrier == group.barrier &&
           (group.barrier == whole_warp || other.pc == group.pc);
}

bool release(Warp& warp, int index) {
    const Group group = warp.groups[index];
    if (group.state != State::converging) return false;
    const Mask wanted = group.wanted & warp.alive;
    Mask arrived = 0;
    for (int k = 0; k < warp.group_count; ++k)
        if (waits_with(group, warp.groups[k])) arrived |= warp.groups[k].mask;
    if ((wanted & ~arrived) != 0) return false;
    Mask released = 0;
    for (int k = 0; k < warp.group_count; ++k) {
        Group& other = warp.groups[k];
        if (!waits_with(group, other) || !(other.mask & (wanted | group.mask))) continue;
        released |= other.mask;
    }
    for (int k = 0; k < warp.group_count; ++k) {
        Group& other = warp.groups[k];
        if (!(other.mask & released)) continue;
        other.state = State::ready;
        ++other.pc;
    }
    tidy(warp, released);
    return true;
}

void release_all(Warp& warp) {
    for (int k = 0; k < warp.group_count; ++k)
        if (release(warp, k)) k = -1;
}

void wait_to_converge(Warp& warp, int index, int barrier, Mask wanted) {
    Group& group = warp.groups[index];
    group.state = State::converging;
    group.barrier = static_cast<std::uint8_t>(barrier);
    group.wanted = wanted | group.mask;
    release(warp, index);
}

// Splits a group by the targets of its lanes.
void scatter(Worker& w, int index, const Dense& d, Mask m, const std::uint32_t* targets) {
    Warp& warp = *w.warp;
    Group& group = warp.groups[index];
    const Mask stays = group.mask & ~m;
    Mask rest = m;
    group.mask = stays;
    ++group.pc;
    while (rest != 0) {
        const std::uint32_t target = targets[std::countr_zero(rest)];
        Mask same = 0;
        each(rest, [&](int l) { same |= static_cast<Mask>(targets[l] == target) << l; });
        if (target % 16 != 0 || target / 16 >= w.text->text.size())
            w.fail(d, FaultKind::illegal, std::countr_zero(rest), "a jump out of the kernel's code");
        if (warp.groups[index].mask == 0) {
            warp.groups[index].mask = same;
            warp.groups[index].pc = target / 16;
        } else {
            add_group(warp, same, target / 16);
        }
        rest &= ~same;
    }
}

bool branch(Worker& w, int index, const Dense& d, Mask taken) {
    Group& group = w.warp->groups[index];
    if (taken == 0) {
        ++group.pc;
        return true;
    }
    if (taken == group.mask) {
        group.pc = d.target;
        return true;
    }
    group.mask &= ~taken;
    ++group.pc;
    add_group(*w.warp, taken, d.target);
    return false;
}

// To the address in a register pair: of this kernel's code, or of a function of the device's system.
bool call(Worker& w, int index, const Dense& d, Mask m) {
    if (m == 0) {
        ++w.warp->groups[index].pc;
        return true;
    }
    const std::uint32_t *low = w.source(d, 0), *high = w.source_row(d, 0, 1);
    const int first = std::countr_zero(m);
    const std::uint64_t address = std::uint64_t{high[first]} << 32 | low[first];
    if (d.flow == Flow::call && is_system_call(address)) {
        system_call(w, d, m, address);
        ++w.warp->groups[index].pc;
        return true;
    }
    scatter(w, index, d, m, low);
    return false;
}

bool exit_lanes(Worker& w, int index, Mask m) {
    Warp& warp = *w.warp;
    Group& group = warp.groups[index];
    ++group.pc;
    if (m == 0) return true;
    warp.alive &= ~m;
    group.mask &= ~m;
    tidy(warp, 0);
    release_all(warp);
    lanes_left(w, m);
    return false;
}

bool leave_barrier(Worker& w, int index, const Dense& d, Mask m) {
    Warp& warp = *w.warp;
    for (Mask& wanted : warp.convergence[d.immediate]) wanted &= ~m;
    ++warp.groups[index].pc;
    for (int k = 0; k < warp.group_count; ++k)
        if (warp.groups[k].state == State::converging && warp.groups[k].barrier == d.immediate)
            warp.groups[k].wanted &= ~m;
    release_all(warp);
    return false;
}

bool indexed(Worker& w, int index, const Dense& d, Mask m) {
    std::uint32_t targets[lanes];
    for (int l = 0; l < lanes; ++l) targets[l] = w.source(d, 0)[l] + static_cast<std::uint32_t>(d.offset);
    scatter(w, index, d, m, targets);
    return false;
}

// Lanes that name another mask than the first one of an exclusive sync run it by themselves: what follows is for the lanes
// of one mask alone (MATCH and REDUX of a tile or a labelled group have no mask of their own).
bool warp_sync(Worker& w, int index, const Dense& d) {
    Warp& warp = *w.warp;
    Group& group = warp.groups[index];
    const std::uint32_t* masks = w.source(d, 0);
    const Mask named = masks[std::countr_zero(group.mask)], wanted = named & warp.alive;
    Mask apart = 0;
    if (d.flag) each(group.mask, [&](int l) { apart |= static_cast<Mask>(masks[l] != named) << l; });
    if (apart != 0) {
        group.mask &= ~apart;
        add_group(warp, apart, group.pc);
        return false;
    }
    if ((wanted | group.mask) == group.mask) {
        ++group.pc;
        return true;
    }
    wait_to_converge(warp, index, whole_warp, wanted);
    return false;
}

// Where all groups of a warp wait, and lanes that a warp sync waits for wait in turn, at a convergence barrier, for lanes of
// the sync (__syncwarp() of all lanes in a branch that some take), the sync goes on with those that came: such code ends on
// a GPU (Numba's reduction).
bool pass_sync(Warp& warp) {
    for (int k = 0; k < warp.group_count; ++k) {
        Group& group = warp.groups[k];
        if (group.state != State::converging || group.barrier != whole_warp) continue;
        Mask together = 0, behind = 0;
        for (int other = 0; other < warp.group_count; ++other)
            if (waits_with(group, warp.groups[other])) together |= warp.groups[other].mask;
        for (int other = 0; other < warp.group_count; ++other) {
            const Group& later = warp.groups[other];
            const bool waits = later.state == State::converging && later.barrier != whole_warp;
            if (waits && (later.wanted & together) != 0) behind |= later.mask;
        }
        if ((group.wanted & warp.alive & ~together & ~behind) != 0) continue;
        for (int other = 0; other < warp.group_count; ++other)
            if (waits_with(group, warp.groups[other])) warp.groups[other].wanted &= together;
        return release(warp, k);
    }
    return false;
}

// A group that yields again and again may wait for lanes that wait for it at a convergence barrier (a lock in a loop): they
// go on without it.
constexpr int most_fruitless_yields = 16;

// A sleep of n nanoseconds takes 1.2 n in the mean (0.97 to 1.5), 46 at least and a millisecond at most (an H200,
// validation/h200/more-programs, clocks.csv).
void sleep(Worker& w, const Dense& d, Mask m) {
    constexpr double longer = 1.2, least = 46, most = 1.04e6;
    if ((d.waits != Wait::passes && d.waits != Wait::counted) || m == 0) return;
    const double wanted = longer * w.source(d, 0)[std::countr_zero(m)];
    const auto cycles = static_cast<std::uint64_t>(std::clamp(wanted, least, most) * w.launch->clock_ghz);
    w.ahead += cycles;
    if (d.waits == Wait::passes) w.warp->passed += cycles;
}

bool yield(Worker& w, int index) {
    Warp& warp = *w.warp;
    const Mask own = warp.groups[index].mask;
    ++warp.groups[index].pc;
    w.yields = true;
    bool all_wait = warp.group_count > 1;
    for (int k = 0; k < warp.group_count; ++k)
        all_wait = all_wait && (k == index || warp.groups[k].state == State::converging);
    if (!all_wait || ++warp.fruitless_yields < most_fruitless_yields) return false;
    warp.fruitless_yields = 0;
    for (int k = 0; k < warp.group_count; ++k) {
        Group& other = warp.groups[k];
        if (k == index || other.barrier == whole_warp) continue;  // a warp sync waits for its mask
        other.wanted &= ~own;
        each(own, [&](int l) { warp.convergence[other.barrier][l] &= ~other.mask; });
    }
    release_all(warp);
    return false;
}

// SYNCS.PHASECHK: where the phase has not ended, the lane reads false, and others run first. What the copies and the threads
// did before it ended is ordered.
bool await_phase(Worker& w, int index, const Dense& d, Mask m) {
    Group& group = w.warp->groups[index];
    std::uint64_t address[lanes];
    addresses(w, d, address);
    Mask ended = 0;
    each(m, [&](int l) {
        const std::uint64_t word = read_object(w, d, l, static_cast<std::uint32_t>(address[l]));
        ended |= static_cast<Mask>(has_phase_ended(word, w.source(d, 0)[l])) << l;
    });
    w.write(d.written[0], ended, m);
    if (ended != 0 && w.block->order != nullptr) w.block->order->acquire(w.warp->number);
    if (ended == m) return ++group.pc, true;
    w.awaits = true;
    return yield(w, index);
}

// True if the group goes on.
bool control(Worker& w, int index, const Dense& d, Mask m) {
    Warp& warp = *w.warp;
    Group& group = warp.groups[index];
    switch (d.flow) {
        case Flow::heavy:
            ++group.pc;
            if (m != 0) d.run(w, d, m);
            return true;
        case Flow::branch: {
            const Mask taken = m & w.truth(d.read[0]);
            return branch(w, index, d, d.flag && taken != 0 ? group.mask : taken);
        }
        case Flow::branch_apart: {
            const Mask wanted = w.source(d, 0)[std::countr_zero(group.mask)];
            return branch(w, index, d, (wanted & warp.alive & ~group.mask) != 0 ? m : 0);
        }
        case Flow::branch_indexed: return indexed(w, index, d, m);
        case Flow::call:
        case Flow::ret: return call(w, index, d, m);
        case Flow::exit: return exit_lanes(w, index, m & w.truth(d.read[0]));
        case Flow::mark:
            if (group.mask == all_lanes) std::ranges::fill(warp.convergence[d.immediate], all_lanes);
            else each(group.mask, [&](int l) { warp.convergence[d.immediate][l] = group.mask; });
            ++group.pc;
            return true;
        case Flow::synchronise: {
            if (group.mask == warp.alive) {  // there is nobody to wait for
                ++group.pc;
                return true;
            }
            Mask wanted = 0;
            each(group.mask, [&](int l) { wanted |= warp.convergence[d.immediate][l]; });
            if (((wanted | group.mask) & warp.alive) == group.mask) {
                ++group.pc;
                return true;
            }
            wait_to_converge(warp, index, static_cast<int>(d.immediate), wanted);
            return false;
        }
        case Flow::leave_barrier: return leave_barrier(w, index, d, m & w.truth(d.read[0]));
        case Flow::warp_sync: return warp_sync(w, index, d);
        case Flow::barrier: return arrive(w, index, d, m);
        case Flow::yield: sleep(w, d, m); return yield(w, index);
        case Flow::await_phase: return await_phase(w, index, d, m);
        case Flow::cluster_arrive: return arrive_at_cluster(w, index, m);
        case Flow::cluster_wait: return wait_for_cluster(w, index, m);
        case Flow::warpgroup: return join_warpgroup(w, index);
        case Flow::trap:
            if (m == 0) return ++group.pc, true;
            w.fail(d, FaultKind::trap, std::countr_zero(m));
        default: ++group.pc; return true;
    }
}

// The ready group with the lowest PC, or with `next` the one after the current; -1 if all wait.
int choose(Warp& warp, bool next) {
    int best = -1;
    for (int k = 1; k <= warp.group_count; ++k) {
        const int index = (warp.current + k) % warp.group_count;
        if (warp.groups[index].state != State::ready) continue;
        if (next) return index;
        if (best < 0 || warp.groups[index].pc < warp.groups[best].pc) best = index;
    }
    return best;
}

// Runs a group until it diverges, waits, ends, or `share` is used, by instructions and their work; returns what is left.
std::uint32_t run_group(Worker& w, int index, std::uint32_t share) {
    Group& group = w.warp->groups[index];
    const Dense* text = w.text->text.data();
    const auto size = static_cast<std::uint32_t>(w.text->text.size());
    std::uint64_t* executions = w.executions.data();
    w.active = group.mask;
    while (share != 0) {
        std::uint32_t pc = group.pc;
        const Mask active = group.mask;
        const Dense* d = text + pc;
        for (; share != 0 && pc < size && d->flow == Flow::none; ++pc, ++d, --share) {
            ++executions[pc];
            const Mask m = active & (w.p[d->guard] ^ d->guard_flip);
            if (m != 0) d->run(w, *d, d->uniform ? all_lanes : m);
        }
        w.clock += pc - group.pc;
        group.pc = pc;
        if (share == 0) return 0;
        if (pc >= size)
            w.fail(text[size - 1], FaultKind::illegal, std::countr_zero(active),
                   "execution ran past the end of the code");
        ++executions[pc];
        --share;
        ++w.clock;
        const std::uint64_t before = w.work;
        const bool goes_on = control(w, index, *d, active & (w.p[d->guard] ^ d->guard_flip));
        share -= static_cast<std::uint32_t>(std::min<std::uint64_t>(share, w.work - before));
        if (!goes_on) return share;
    }
    return 0;
}

}  // namespace

void release_groups(Warp& warp, int barrier) {
    Mask released = 0;
    for (int k = 0; k < warp.group_count; ++k) {
        Group& group = warp.groups[k];
        if (group.state != State::at_barrier || group.barrier != barrier) continue;
        group.state = State::ready;
        ++group.pc;
        released |= group.mask;
    }
    tidy(warp, released);
}

std::uint64_t run_warp(Worker& w, Warp& warp, std::uint64_t share) {
    w.warp = &warp;
    w.rows[0] = warp.rows.get();
    w.p = warp.p;
    const std::uint64_t before = share;
    bool next = false, only_awaits = true;
    while (share != 0 && warp.group_count != 0) {
        const int index = choose(warp, next);
        if (index < 0 && pass_sync(warp)) continue;
        if (index < 0) break;
        warp.current = index;
        const auto given = static_cast<std::uint32_t>(warp.group_count > 1 ? std::min<std::uint64_t>(share, group_share)
                                                                           : std::min<std::uint64_t>(share, 1u << 30));
        w.yields = w.awaits = false;
        const std::uint32_t left = run_group(w, index, given);
        share -= given - left;
        only_awaits = only_awaits && w.awaits;
        next = w.yields || left == 0;
        if (w.yields && warp.group_count != 0 && choose(warp, true) == index) break;  // to another warp
    }
    w.awaits = only_awaits;
    return before - share;
}

}  // namespace foretell::complete
