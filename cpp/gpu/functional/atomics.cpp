// Cost of atomics, and results of those on shared memory whose words are known: the old values steer addresses (ranks
// within a bin, places in a list).
#include <algorithm>
#include <array>
#include <utility>

#include "gpu/functional/arithmetic/integer_semantics.hpp"
#include "gpu/functional/memory.hpp"

namespace foretell::functional {

void Updated::add(std::uint64_t address, bool pass) {
    sectors += pass;
    if (sectors < counted_from) return;
    if (words.empty()) words.resize(line_words);
    ++words[address / 4 % line_words];
}

std::uint64_t Updated::busiest_word() const {
    return words.empty() ? 0 : *std::max_element(words.begin(), words.end());
}

// Lanes on one address are serialised: pass k has every address with at least k lanes, and requests their sectors
// again. The sectors of the first pass are those of any request.
std::uint64_t Memory::count_atomic(const Decoded& d, const Wide& address, Mask executed, Counters& counters) {
    std::array<std::uint64_t, lanes> targets;
    std::size_t count = 0;
    each(executed & address.known, [&](int lane) { targets[count++] = address.v[lane]; });
    std::sort(targets.begin(), targets.begin() + count);
    std::array<std::uint64_t, lanes + 1> last_sector;  // of each pass
    last_sector.fill(~0ull);
    std::array<std::uint64_t, lanes + 1> sectors{};
    std::size_t passes = executed != 0 ? 1 : 0, run = 0;
    const bool records = d.op == Op::atomic_global && !counts_only_;
    Updated* line = nullptr;
    for (std::size_t k = 0; k < count; ++k) {
        run = k > 0 && targets[k] == targets[k - 1] ? run + 1 : 1;
        passes = std::max(passes, run);
        const bool pass = last_sector[run] != targets[k] >> 5;
        if (records && (k == 0 || targets[k] >> 7 != targets[k - 1] >> 7)) line = &updates_[d.number][targets[k] >> 7];
        if (records) line->add(targets[k], pass);
        sectors[run] += pass;
        last_sector[run] = targets[k] >> 5;
    }
    counters.serial += passes;
    std::uint64_t repeated = 0;
    for (std::size_t pass = 2; pass <= passes; ++pass) repeated += sectors[pass];
    return repeated;
}

// Lanes act in ascending order, warps in that in which they are executed: one of the orders that the hardware may
// choose. A word that is not known, or that is updated by what is not, is unknown afterwards.
void Memory::update_shared(const Decoded& d, Block& block, Alu& alu, const Operand* value, const Wide& address,
                           Mask executed, Mask certain) {
    const auto how = static_cast<semantics::Atomic>(d.mode);
    const Value operand = value != nullptr ? alu.read(*value) : broadcast(1);  // POPC.INC has none
    Value old;
    old.known = 0;
    each(executed & address.known, [&](int lane) {
        const std::uint64_t at = address.v[lane];
        if (at / 4 >= block.shared.size()) return;
        Cell& cell = block.shared[at / 4];
        const bool before = cell.known == whole_word;
        old.v[lane] = cell.value;
        old.known |= static_cast<Mask>(before) << lane;
        if (before && (operand.known & certain) >> lane & 1)
            cell.value = semantics::updated(how, cell.value, operand.v[lane], d.is_signed_load);
        else cell.known = 0;
    });
    const auto& o = d.source->operands;
    if (!o.empty() && o[0].kind == Kind::reg) alu.write(o[0], old);
    if ((executed & ~address.known) != 0) forget(block);
}

// ATOMS.CAST says whether a lane's word was still what it had read, and is changed: that of the first lane on each
// address. The others go round the loop again, in which sums of floating-point numbers are made of it.
void Memory::swap(const Decoded& d, Alu& alu, const Wide& address, Mask executed) {
    Value stored;
    stored.known = executed & address.known;
    each(stored.known, [&](int lane) {
        bool first = true;
        each(stored.known & ((Mask{1} << lane) - 1),
             [&](int other) { first = first && address.v[other] != address.v[lane]; });
        stored.v[lane] = first;
    });
    alu.write(d.source->operands[0], stored);
}

// Compare-and-swap where the contents of the array are given: lanes act in ascending order, and find what blocks that
// were executed before have put there. Words that they gave back, those of locks, are not known.
void Memory::compare_and_swap(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& value,
                              const Wide& address, Mask executed, Mask certain) {
    const Value expected = alu.read(value), wanted = alu.read((&value)[1]);
    Value old;
    old.known = 0;
    each(executed & address.known, [&](int lane) {
        Cell* cell = cell_to_write(d.op, warp, block, lane, address.v[lane]);
        if (cell == nullptr) return;
        *cell = compared_with(*cell, address.v[lane], expected.v[lane]);
        const bool sure = (expected.known & certain) >> lane & 1;
        old.v[lane] = cell->value;
        old.known |= static_cast<Mask>(cell->known == whole_word) << lane;
        if (cell->known != whole_word || !sure) cell->known = 0;
        if (cell->known == 0 || cell->value != expected.v[lane]) return;
        *cell = {wanted.v[lane], static_cast<std::uint8_t>(wanted.known >> lane & 1 ? whole_word : 0)};
        swapped_.try_emplace(address.v[lane], Swapped{block_->number, wanted.v[lane], false});
    });
    alu.forget(*d.source);
    const auto& o = d.source->operands;
    const auto to = std::find_if(o.begin(), o.end(), [](const Operand& x) { return x.kind == Kind::reg; });
    if (to != o.end()) alu.write(*to, old);
}

// The word as another block left it, if this one would change it.
Cell Memory::compared_with(const Cell& cell, std::uint64_t address, std::uint32_t expected) const {
    const auto found = swapped_.find(address);
    if (found == swapped_.end() || found->second.block == block_->number || cell.value != expected) return cell;
    return {found->second.value, static_cast<std::uint8_t>(found->second.released ? 0 : whole_word)};
}

void Memory::release(std::uint64_t address) {
    if (swapped_.empty()) return;
    if (const auto found = swapped_.find(address); found != swapped_.end()) found->second.released = true;
}

void Memory::draw(const Decoded& d, const Warp& warp, Alu& alu, const Value& operand, const Wide& address,
                  Mask executed, Mask certain) {
    Value old;
    old.known = 0;
    bool first = true;
    each(executed & certain & address.known & operand.known, [&](int lane) {
        const std::uint64_t at = address.v[lane];
        const std::uint64_t drawn = d.queues ? drawn_in_turn(at, operand.v[lane], warp, std::exchange(first, false))
                                             : drawn_in_order(at, operand.v[lane]);
        old.v[lane] = static_cast<std::uint32_t>(drawn);
        old.known |= Mask{1} << lane;
    });
    const auto& o = d.source->operands;
    const auto to = std::find_if(o.begin(), o.end(), [](const Operand& x) { return x.kind == Kind::reg; });
    if (to != o.end()) alu.write(*to, old);
}

// Positions that blocks draw from a counter in global memory, in the order of their numbers: each block begins where the
// blocks before it would have left the counter, had each drawn as much as the first that was executed. Positions of
// other blocks are then as far away as they are in a launch.
std::uint64_t Memory::drawn_in_order(std::uint64_t address, std::uint32_t amount) {
    Counter& counter = counters_[address];
    if (counter.block != block_->number) {
        if (counter.of_block == 0) counter.of_block = counter.drawn;
        counter.block = block_->number;
        counter.drawn = 0;
    }
    const std::uint64_t drawn = block_->number * counter.of_block + counter.drawn;
    counter.drawn += amount;
    return drawn;
}

// Items that warps draw from a queue of work: all warps of the launch that draw do so in turn, again and again, each as
// many items at once as the first did. So each has its share of the items. `first`: of the lanes of an instruction.
std::uint64_t Memory::drawn_in_turn(std::uint64_t address, std::uint32_t amount, const Warp& warp, bool first) {
    Queue& queue = queues_[address];
    if (queue.block != block_->number) {
        queue.block = block_->number;
        queue.warps.clear();
    }
    const std::uint32_t number = warp.first_thread / lanes;
    const auto known = std::ranges::find(queue.warps, number, &std::pair<std::uint32_t, std::uint64_t>::first);
    const auto rank = static_cast<std::uint64_t>(known - queue.warps.begin());
    if (rank == queue.warps.size()) queue.warps.emplace_back(number, 0);
    if (queue.amount == 0) queue.amount = amount;
    if (first) {
        queued_ = queued_ || queue.warps[rank].second > 0;
        const auto given = drawers_.find(address);
        const std::uint64_t drawers = given == drawers_.end() ? block_->warps.size() : given->second;
        const std::uint64_t blocks = std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
        queue.next = queue.amount * ((queue.warps[rank].second++ * blocks + block_->number) * drawers + rank);
    }
    return std::exchange(queue.next, queue.next + amount);
}

std::unordered_map<std::uint64_t, std::uint64_t> Memory::drawers() const {
    std::unordered_map<std::uint64_t, std::uint64_t> result;
    for (const auto& [address, queue] : queues_) result[address] = std::max<std::uint64_t>(1, queue.warps.size());
    return result;
}

}  // namespace foretell::functional
