// A block: its warps in turn, and its barriers.
#include "gpu/complete/memory/races.hpp"
#include "gpu/complete/schedule/warp.hpp"

namespace foretell::complete {
namespace {

constexpr std::uint64_t warp_share = 1 << 14;

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

std::string describe(const Text& text, const Group& group) {
    const functional::Instruction& at = text.source[std::min<std::size_t>(group.pc, text.source.size() - 1)];
    const std::string what = group.state == State::ready        ? std::string("an instruction that runs")
                             : group.state == State::at_barrier ? "block barrier " + std::to_string(group.barrier)
                             : group.barrier == whole_warp ? std::string("warp sync")
                                                           : "convergence barrier B" + std::to_string(group.barrier);
    return std::to_string(std::popcount(group.mask)) + " lanes at " + what + " (" + at.opcode + ")@" +
           std::to_string(group.pc);
}

[[noreturn]] void fail_deadlock(const Worker& w, const Block& block) {
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
    fault.waits = positions(*w.text, block);
    throw fault;
}

}  // namespace

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
}

bool run_block(Worker& w, Block& block, std::uint64_t share) {
    w.block = &block;
    while (block.running != 0) {
        std::uint64_t executed = 0;
        bool only_yields = true;  // all that run wait for others, of this block or of another one
        for (Warp& warp : block.warps) {
            if (warp.group_count == 0) continue;
            w.yields = false;
            const std::uint64_t own = run_warp(w, warp, warp_share);
            only_yields = only_yields && (own == 0 || w.yields);
            executed += own;
        }
        if (block.running == 0) break;
        if (executed == 0) fail_deadlock(w, block);
        if (executed >= share || only_yields) return false;
        share -= executed;
    }
    return true;
}

}  // namespace foretell::complete
