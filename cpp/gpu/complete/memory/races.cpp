#include "gpu/complete/memory/races.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gpu/complete/memory/access.hpp"

namespace foretell::complete {
namespace {

// Readers of a word that are remembered, and kinds of races that are told.
constexpr std::size_t most_reads = 4, most_races = 256;
constexpr std::uint32_t matrix_row = 16, matrix_rows = 8;

std::uint32_t warp_of(const Access& access) { return access.thread / lanes; }

bool is_shared(const Dense& d, std::uint64_t address) { return space_of(d, address) == shared_space; }

// ------------------------------------------------------------------------------------------ handlers that note

void note_lanes(Worker& w, const Dense& d, Mask m, const std::uint64_t* address, bool writes) {
    each(m, [&](int l) {
        if (space_of(d, address[l]) == local_space) return;
        const bool shared = is_shared(d, address[l]);
        w.races->note(w, d, l, shared ? address[l] & shared_offset_mask : address[l], d.bytes, shared, writes);
    });
}

void checked_load(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    load(w, d, m);  // which checks the addresses, and may write to their register
    note_lanes(w, d, m, address, false);
}

std::uint32_t value_of(const Worker& w, const Dense& d, int lane, int word) {
    const std::uint32_t value = w.source_row(d, 0, word)[lane];
    return d.bytes >= 4 ? value : value & ((1u << 8 * d.bytes) - 1);
}

bool differ(const Worker& w, const Dense& d, int lane, int other) {
    for (int k = 0; k == 0 || 4 * k < d.bytes; ++k)
        if (value_of(w, d, lane, k) != value_of(w, d, other, k)) return true;
    return false;
}

// Lanes of one store that write different values to one place.
void check_lanes(Worker& w, const Dense& d, Mask m, const std::uint64_t* address) {
    each(m, [&](int l) {
        for (int other = 0; other < l; ++other) {
            if (!(m >> other & 1) || address[other] != address[l] || !differ(w, d, l, other)) continue;
            const bool shared = is_shared(d, address[l]);
            w.races->conflict(w, d, l, other, shared ? address[l] & shared_offset_mask : address[l], shared);
            return;
        }
    });
}

void checked_store(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    check_alignment(w, d, address, m, true);
    Mask changes = 0;
    each(m, [&](int l) {
        if (space_of(d, address[l]) == local_space) return;
        const std::uint8_t* at = bytes_at(w, d, l, address[l], d.bytes, true);
        for (int k = 0; k == 0 || 4 * k < d.bytes; ++k) {
            const std::uint32_t value = value_of(w, d, l, k);
            if (std::memcmp(at + 4 * k, &value, std::min<std::size_t>(4, d.bytes)) != 0) changes |= 1u << l;
        }
    });
    check_lanes(w, d, m, address);
    store(w, d, m);
    note_lanes(w, d, changes, address, true);
    note_lanes(w, d, m & ~changes, address, false);
}

void checked_atomic(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);  // the result may be written to the register of the address
    atomic(w, d, m);
    note_lanes(w, d, m, address, true);
}

void checked_copy(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    copy_to_shared(w, d, m);
    const Mask reads = w.truth(d.read[0]);
    each(m, [&](int l) {
        if (reads >> l & 1) w.races->note(w, d, l, address[l], d.bytes, false, false);
        w.races->note(w, d, l, w.source(d, 0)[l] + d.immediate, d.bytes, true, true);
    });
}

// Rows of 8x8 matrices: each of the first lanes has the address of one.
void note_rows(Worker& w, const Dense& d, const std::uint64_t* address, bool writes) {
    for (std::uint32_t l = 0; l < std::min<std::uint32_t>(lanes, matrix_rows * d.sources); ++l)
        w.races->note(w, d, static_cast<int>(l), address[l] & shared_offset_mask, matrix_row, true, writes);
}

void checked_load_matrix(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    load_matrix(w, d, m);
    note_rows(w, d, address, false);
}

void checked_store_matrix(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    store_matrix(w, d, m);
    note_rows(w, d, address, true);
}

Handler checked(Handler run) {
    static const std::pair<Handler, Handler> table[] = {
        {load, checked_load},
        {store, checked_store},
        {atomic, checked_atomic},
        {copy_to_shared, checked_copy},
        {load_matrix, checked_load_matrix},
        {store_matrix, checked_store_matrix},
    };
    for (const auto& [plain, noting] : table)
        if (run == plain) return noting;
    return run;
}

bool is_strong(const functional::Instruction& source) {
    for (const std::string& modifier : source.modifiers)
        if (modifier == "STRONG") return true;
    return false;
}

}  // namespace

// ------------------------------------------------------------------------------------------ order in a block

BlockOrder::BlockOrder(std::size_t warps, std::size_t shared_bytes)
    : shared((shared_bytes + 3) / 4), warps_(warps), known_(warps * warps) {
    for (std::uint32_t warp = 0; warp < warps; ++warp) step(warp);
}

void BlockOrder::arrive(int barrier, std::uint32_t warp) {
    auto& all = gathered_[barrier];
    all.resize(warps_);
    step(warp);
    for (std::size_t k = 0; k < warps_; ++k) all[k] = std::max(all[k], known_[warp * warps_ + k]);
}

void BlockOrder::leave(int barrier, std::uint32_t warp) {
    const auto& all = gathered_[barrier];
    for (std::size_t k = 0; k < all.size(); ++k)
        known_[warp * warps_ + k] = std::max(known_[warp * warps_ + k], all[k]);
}

void BlockOrder::end(std::uint32_t warp) {
    for (int barrier = 0; barrier < 16; ++barrier) arrive(barrier, warp);
}

void BlockOrder::acquire(std::uint32_t warp) {
    for (std::uint32_t other = 0; other < warps_; ++other) {
        if (other == warp) continue;
        step(other);
        known_[warp * warps_ + other] = clock(other);
    }
}

// ------------------------------------------------------------------------------------------ accesses

RaceCheck::RaceCheck(const Text& text, std::uint64_t most_words) : checked_(text), words_left_(most_words) {
    for (Dense& d : checked_.text) {
        orders_.push_back(d.run == atomic || is_strong(text.source[d.number]));
        d.run = checked(d.run);
    }
}

Cell* RaceCheck::cell(BlockOrder& order, std::uint64_t word, bool shared) {
    if (shared) return word < order.shared.size() ? &order.shared[word] : nullptr;
    auto& page = pages_[word / page_words];
    if (page == nullptr) {
        if (words_left_ < page_words) {
            limited_ = true;
            return nullptr;
        }
        words_left_ -= page_words;
        page = std::make_unique<std::array<Cell, page_words>>();
    }
    return &(*page)[word % page_words];
}

void RaceCheck::note(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool shared,
                     bool writes) {
    BlockOrder& order = *w.block->order;
    Access now;
    now.time = ++time_;
    now.block = w.block->number;
    now.clock = order.clock(w.warp->number);
    now.instruction = d.number;
    now.thread = w.warp->number * lanes + static_cast<std::uint32_t>(lane);
    now.writes = writes;
    now.orders = orders_[d.number];
    for (std::uint64_t at = address & ~3ull; at < address + size; at += 4) {
        now.bytes = 0;
        for (std::uint64_t byte = 0; byte < 4; ++byte)
            if (at + byte >= address && at + byte < address + size) now.bytes |= 1 << byte;
        if (Cell* known = cell(order, at / 4, shared)) visit(w, *known, now, at, shared);
    }
}

bool RaceCheck::ordered(const Worker& w, const Access& before, const Access& now) const {
    const BlockOrder& order = *w.block->order;
    if (before.block != now.block) return before.time <= order.acquired;
    return order.knows(warp_of(now), warp_of(before), before.clock);
}

void RaceCheck::visit(Worker& w, Cell& cell, const Access& now, std::uint64_t address, bool shared) {
    BlockOrder& order = *w.block->order;
    std::size_t kept = 0, reads = 0;
    for (std::size_t k = 0; k < cell.size(); ++k) {
        const Access& before = cell[k];
        const bool both_order = before.orders && now.orders;
        if (both_order && before.writes && before.block != now.block) order.acquired = now.time;
        if (both_order && before.writes && before.block == now.block && warp_of(before) != warp_of(now))
            order.acquire(warp_of(now));
        const bool is_ordered = ordered(w, before, now);
        if ((before.bytes & now.bytes) && (before.writes || now.writes) && !both_order && !is_ordered)
            add(before, now, address, shared);
        const bool covered = (before.bytes & ~now.bytes) == 0 && (now.writes || !before.writes);
        if (covered && is_ordered) continue;  // who races with it races with this one, too
        reads += !before.writes;
        cell[kept++] = before;
    }
    cell.resize(kept);
    if (!now.writes && reads >= most_reads)
        cell.erase(std::find_if(cell.begin(), cell.end(), [](const Access& item) { return !item.writes; }));
    cell.push_back(now);
}

void RaceCheck::conflict(Worker& w, const Dense& d, int lane, int other, std::uint64_t address, bool shared) {
    Access first;
    first.block = w.block->number;
    first.instruction = d.number;
    first.writes = true;
    Access second = first;
    first.thread = w.warp->number * lanes + static_cast<std::uint32_t>(other);
    second.thread = w.warp->number * lanes + static_cast<std::uint32_t>(lane);
    add(first, second, address, shared);
}

void RaceCheck::add(const Access& first, const Access& second, std::uint64_t address, bool shared) {
    const std::pair key(std::min(first.instruction, second.instruction),
                        std::max(first.instruction, second.instruction));
    if (const auto known = found_.find(key); known != found_.end()) {
        ++known->second.count;
        return;
    }
    if (found_.size() >= most_races) return;
    const auto side = [](const Access& item) {
        return RaceSide{item.block, item.thread, item.instruction, item.writes};
    };
    found_[key] = Race{side(first), side(second), address, shared, 1};
}

std::vector<Race> RaceCheck::races() const {
    std::vector<Race> result;
    for (const auto& [key, race] : found_) result.push_back(race);
    return result;
}

}  // namespace foretell::complete
