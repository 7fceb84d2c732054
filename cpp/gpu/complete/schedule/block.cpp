// A block: its warps in turn, and its barriers.
#include "gpu/complete/memory/races.hpp"
#include "gpu/complete/schedule/warp.hpp"

namespace foretell::complete {
namespace {

constexpr std::uint64_t warp_share = 1 << 14;
// A cluster whose warps did nothing but wait for mbarriers for so many instructions waits forever.
constexpr std::uint64_t most_waited = 1 << 22;

// Barriers count whole warps: lanes that ended, or never were, arrive with the last of the others.
std::uint32_t threads_of(Mask waiting, Mask alive) {
    if (waiting == 0) return 0;
    return (alive & ~waiting) == 0 ? lanes : static_cast<std::uint32_t>(std::popcount(waiting));
}

Mask waiting_at(const Warp& warp, int number) {
    Mask result = 0;
    for (int k = 0; k < warp.group_count; ++k)
        if (warp.groups[k].state == State::at_barrier && warp.groups[k].barrier == number)
            result |= warp.groups[k].mask;
    return result;
}

void complete_barrier(Block& block, int number) {
    Barrier& barrier = block.barriers[number];
    const std::uint32_t expected = barrier.expected != 0 ? barrier.expected : lanes * block.running;
    if (barrier.arrived == 0 || barrier.arrived < expected) return;
    for (Warp& warp : block.warps) {
        if (waiting_at(warp, number) == 0) continue;
        warp.barrier_count = barrier.votes;
        warp.barrier_truth = warp.barrier_all ? barrier.votes == barrier.threads : barrier.votes != 0;
        if (block.order != nullptr) block.order->leave(number, warp.number);
        release_groups(warp, number);
    }
    if (block.order != nullptr) block.order->reset(number);
    barrier = Barrier{};
}

std::string barrier_name(int number) {
    if (number >= cluster_barrier) return "the barrier of the cluster";
    return number >= warpgroup_barrier ? "the products of its warpgroup" : "block barrier " + std::to_string(number);
}

std::string describe(const Text& text, const Group& group) {
    const std::size_t last = text.source.size() - 1;
    const functional::Instruction& at = text.source[std::min<std::size_t>(group.pc, last)];
    const bool awaits = group.pc > 0 && text.source[std::min<std::size_t>(group.pc - 1, last)].opcode == "SYNCS";
    const std::string what = awaits                             ? std::string("the phase of an mbarrier")
                             : group.state == State::ready      ? std::string("an instruction that runs")
                             : group.state == State::at_barrier ? barrier_name(group.barrier)
                             : group.barrier == whole_warp ? std::string("warp sync")
                                                           : "convergence barrier B" + std::to_string(group.barrier);
    return std::to_string(std::popcount(group.mask)) + " lanes at " + what + " (" + at.opcode + ")@" +
           std::to_string(group.pc);
}

}  // namespace

Fault deadlock_at(const Text& text, const Block& block) {
    Fault fault;
    fault.kind = FaultKind::deadlock;
    fault.block = block.number;
    for (const Warp& warp : block.warps) {
        if (warp.group_count == 0) continue;
        const Group& group = warp.groups[0];
        fault.instruction = group.pc;
        fault.thread = warp.number * lanes + static_cast<std::uint32_t>(std::countr_zero(group.mask));
        break;
    }
    fault.waits = positions(text, block);
    return fault;
}

std::vector<std::pair<std::uint32_t, std::string>> positions(const Text& text, const Block& block) {
    std::vector<std::pair<std::uint32_t, std::string>> result;
    for (const Warp& warp : block.warps)
        for (int k = 0; k < warp.group_count; ++k) result.emplace_back(warp.number, describe(text, warp.groups[k]));
    return result;
}

bool arrive(Worker& w, int index, const Dense& d, Mask m) {
    Warp& warp = *w.warp;
    Block& block = *w.block;
    if (m == 0) {
        ++warp.groups[index].pc;
        return true;
    }
    const int first = std::countr_zero(m);
    const std::uint32_t count = w.source(d, 1)[first];
    const int number = static_cast<int>(w.source(d, 0)[first] & 15);
    Barrier& barrier = block.barriers[number];
    if (block.order != nullptr) block.order->arrive(number, warp.number);
    const Mask before = waiting_at(warp, number);
    barrier.arrived +=
        d.flag ? threads_of(m, warp.alive) : threads_of(before | m, warp.alive) - threads_of(before, warp.alive);
    if (const std::uint32_t expected = d.shifted ? count >> 16 & 0xfff : count) barrier.expected = expected;
    barrier.votes += static_cast<std::uint32_t>(std::popcount(w.truth(d.read[0]) & m & (d.mode != 0 ? all_lanes : 0)));
    barrier.threads += static_cast<std::uint32_t>(std::popcount(m));
    if (d.flag) {  // arrives, and goes on
        ++warp.groups[index].pc;
    } else {
        warp.groups[index].state = State::at_barrier;
        warp.groups[index].barrier = static_cast<std::uint8_t>(number);
        warp.barrier_all = d.mode == 2;
    }
    complete_barrier(block, number);
    return false;
}

bool join_warpgroup(Worker& w, int index) {
    auto& warps = w.block->warps;
    const std::uint32_t own = w.warp->number / 4, end = std::min<std::uint32_t>(4 * own + 4, warps.size());
    const int number = warpgroup_barrier + static_cast<int>(own);
    Group& group = w.warp->groups[index];
    group.state = State::at_barrier;
    group.barrier = static_cast<std::uint8_t>(number);
    for (std::uint32_t k = 4 * own; k < end; ++k)
        if (waiting_at(warps[k], number) != warps[k].alive) return false;
    for (std::uint32_t k = 4 * own; k < end; ++k) release_groups(warps[k], number);
    return false;
}

void lanes_left(Worker& w, Mask left) {
    Block& block = *w.block;
    const Warp& warp = *w.warp;
    if (warp.alive == 0) --block.running;
    if (warp.alive == 0 && block.order != nullptr) block.order->end(warp.number);
    for (int number = 0; number < 16 && block.running != 0; ++number) {
        if (block.barriers[number].arrived == 0) continue;
        const Mask waiting = waiting_at(warp, number);
        block.barriers[number].arrived += threads_of(waiting, warp.alive) - threads_of(waiting, warp.alive | left);
        complete_barrier(block, number);
    }
    if (block.cluster->blocks.size() > 1) complete_cluster(*block.cluster);
}

bool run_block(Worker& w, Block& block, std::uint64_t share) {
    w.block = &block;
    while (block.running != 0) {
        std::uint64_t executed = 0;
        bool only_yields = true, only_awaits = true;  // all that run wait for others, of this block or of another one
        for (Warp& warp : block.warps) {
            if (warp.group_count == 0) continue;
            w.yields = w.awaits = false;
            const std::uint64_t own = run_warp(w, warp, warp_share);
            only_yields = only_yields && (own == 0 || w.yields);
            only_awaits = only_awaits && (own == 0 || w.awaits);
            executed += own;
        }
        if (block.running == 0) break;
        if (executed == 0) return false;
        std::uint64_t& waited = block.cluster->waited;
        waited = only_awaits ? waited + executed : 0;
        if (waited > most_waited) throw deadlock_at(*w.text, block);
        if (executed >= share || only_yields) return false;
        share -= executed;
    }
    return true;
}

}  // namespace foretell::complete
