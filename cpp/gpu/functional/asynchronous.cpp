// Copies into shared memory, and the mbarriers that wait for them.
#include <algorithm>

#include "gpu/functional/memory.hpp"
#include "gpu/functional/runner.hpp"

namespace foretell::functional {
namespace {

constexpr unsigned granule_bits = 6;  // of shared memory: a copy requests a sector again for each that it goes to
constexpr std::uint32_t no_arrivals = 0x100000;

// Number of an mbarrier within its block, from 1 on; 0: not known.
std::uint64_t object_at(const Wide& address, int lane) {
    return address.known >> lane & 1 ? (address.v[lane] >> 3 & 0x7fff) + 1 : 0;
}

}  // namespace

// LDGSTS. A sector that goes to two pieces of 64 bytes in shared memory is requested twice (validation/h200/tensor,
// x_mma_64_4: rows of 64 bytes, 80 apart in shared memory, request 1.25 times their sectors, in L1 and L2), and a line
// is asked for each such piece: `lines` counts these requests.
void Memory::count_copied(const Decoded& d, const Wide& to, const Wide& from, Mask executed, Counters& counters) {
    count_global(d, from, executed, counters);
    std::array<std::uint64_t, 2 * lanes> pairs;
    std::size_t count = 0, sectors = 0;
    each(executed & from.known & to.known,
         [&](int lane) { pairs[count++] = from.v[lane] >> 5 << 20 | (to.v[lane] >> granule_bits & 0xfffff); });
    std::sort(pairs.begin(), pairs.begin() + count);
    count = std::unique(pairs.begin(), pairs.begin() + count) - pairs.begin();
    for (std::size_t k = 0; k < count; ++k) sectors += k == 0 || pairs[k] >> 20 != pairs[k - 1] >> 20;
    const std::uint64_t repeated = count - sectors;
    for (std::size_t k = 0; k < count; ++k) pairs[k] = pairs[k] >> 22 << 20 | (pairs[k] & 0xfffff);
    std::sort(pairs.begin(), pairs.begin() + count);
    const std::uint64_t asked = std::unique(pairs.begin(), pairs.begin() + count) - pairs.begin();
    counters.sectors += repeated;
    block_->requested += repeated;
    if (counts_only_) return;
    counters.lines += std::max<std::uint64_t>(asked, warp_->accesses.back().count) - warp_->accesses.back().count;
    warp_->accesses.back().repeated = static_cast<std::uint16_t>(repeated);
}

// UBLKCP.S.G [UR8],[UR6],UR4: from the address in UR6 and UR7 to that in UR8, 16 UR4 bytes; UR9 is the mbarrier's.
// With MULTICAST, the upper half of UR4 are the blocks of a cluster that get it. Each is taken to copy as much for the
// others: `wavefronts` are the sectors that arrive.
void Memory::copy_bulk(const Decoded& d, Block& block, Alu& alu, Mask executed, Counters& counters) {
    const auto& o = d.source->operands;
    const int lane = std::countr_zero(executed);
    const Wide from = alu.read_wide(Operand{Kind::ureg, o[1].uniform});
    const Value size = alu.read(o[2]);
    const std::uint32_t given = size.known >> lane & 1 ? size.v[lane] : 0;
    const std::uint64_t bytes = std::uint64_t{given & 0xffff} * 16;
    copy_pieces(d, block, alu, lane, {{from.v[lane], bytes}}, from.known >> lane & 1, counters);
    if (given >> 16 != 0) counters.wavefronts += bytes / 32 * std::popcount(given >> 16);
}

// UTMALDG.2D [UR8],[UR6]: a tile of the array whose tensor map is at the address in UR6 and UR7, to that in UR8; UR9 is
// the mbarrier's, UR10 the column and UR11 the row of the first element. What lies outside of the array is not read.
void Memory::copy_tile(const Decoded& d, Block& block, Alu& alu, Mask executed, Counters& counters) {
    const auto& o = d.source->operands;
    const int lane = std::countr_zero(executed);
    const Wide address = alu.read_wide(Operand{Kind::ureg, o[1].uniform});
    const auto found =
        address.known >> lane & 1 ? launch_.tensor_maps.find(address.v[lane]) : launch_.tensor_maps.end();
    if (found == launch_.tensor_maps.end()) {
        ++counters.unknown_addresses;
        return alu.forget(*d.source);
    }
    const TensorMap& map = found->second;
    const Value column = alu.read(Operand{Kind::ureg, o[0].uniform + 2}),
                row = alu.read(Operand{Kind::ureg, o[0].uniform + 3});
    const bool known = (column.known & row.known) >> lane & 1;
    const std::uint64_t left = known ? std::uint64_t{column.v[lane]} * map.element : 0, top = known ? row.v[lane] : 0;
    std::vector<Piece> pieces;
    for (std::uint64_t r = top; left < map.width && r < std::min<std::uint64_t>(map.rows, top + map.tile_rows); ++r) {
        const std::uint64_t first = map.base + r * map.pitch + left;
        const std::uint64_t bytes = std::min<std::uint64_t>(map.tile_width, map.width - left);
        if (!pieces.empty() && pieces.back().first + pieces.back().bytes == first) pieces.back().bytes += bytes;
        else pieces.push_back({first, bytes});
    }
    copy_pieces(d, block, alu, lane, pieces, known, counters);
}

// Counts a copy of pieces of global memory into shared memory, at the address of the first operand.
void Memory::copy_pieces(const Decoded& d, Block& block, Alu& alu, int lane, const std::vector<Piece>& pieces,
                         bool known, Counters& counters) {
    const auto& o = d.source->operands;
    const Wide to = alu.address(o[0]);
    const Value barrier = alu.read(Operand{Kind::ureg, o[0].uniform + 1});
    ++counters.requests;
    Wide where;
    where.known = barrier.known;
    for (int k = 0; k < lanes; ++k) where.v[k] = barrier.v[k];
    counters.serial += object_at(where, lane);
    std::uint64_t bytes = 0, sectors = 0;
    Access access;
    access.instruction = d.number;
    access.first = static_cast<std::uint32_t>(block_->lines.size());
    access.lane = static_cast<std::uint8_t>(lane);
    access.address = known && !pieces.empty() ? pieces.front().first : 0;
    for (const Piece& piece : pieces) {
        bytes += piece.bytes;
        const std::uint64_t first = piece.first >> 5, last = (piece.first + piece.bytes + 31) >> 5;
        for (std::uint64_t sector = first; known && sector < last; ++sector) {
            if (sector == first || (sector & 3) == 0) block_->lines.push_back(sector >> 2 << 4);
            block_->lines.back() |= 1u << (sector & 3);
        }
        sectors += known ? last - first : 0;
    }
    access.unknown = static_cast<std::uint16_t>(known ? 0 : bytes / 32);
    access.count = static_cast<std::uint16_t>(block_->lines.size() - access.first);
    sectors += access.unknown;
    counters.sectors += sectors;
    counters.lines += access.count + access.unknown / 4;
    counters.unknown_addresses += known ? 0 : 1;
    block_->requested += sectors;
    warp_->accesses.push_back(access);
    const std::uint64_t begin = to.known >> lane & 1 ? (to.v[lane] & 0xffffff) / 4 : 0;
    const std::uint64_t end = to.known >> lane & 1 ? begin + bytes / 4 : block.shared.size();
    for (std::uint64_t k = begin; k < std::min<std::uint64_t>(end, block.shared.size()); ++k) block.shared[k].known = 0;
}

// SYNCS on an mbarrier. Recorded in the shape: its number as `serial`; as `sectors` the arrivals that end a phase, where
// it begins, and what an arrival announces; as `wavefronts` the parity of the phase that a warp waits for (bit 31).
// The initial value is 2 (2^20 - arrivals).
void Memory::synchronise(const Decoded& d, Alu& alu, Mask executed, Counters& counters) {
    const auto& o = d.source->operands;
    const auto place = std::find_if(o.begin(), o.end(), [](const Operand& x) { return x.kind == Kind::memory; });
    alu.forget(*d.source);
    if (place == o.end()) return;
    const int lane = std::countr_zero(executed);
    ++counters.requests;
    counters.serial += object_at(alu.address(*place), lane);
    const Value value = place + 1 != o.end() ? alu.read(place[1]) : Value{};
    const std::uint32_t number = value.known >> lane & 1 ? value.v[lane] : 0;
    if (d.mode == Begin) counters.sectors += (no_arrivals - number / 2) & 0xffff;
    else if (d.mode == Arrive) counters.sectors += number / 32;
    else counters.wavefronts += number >> 31;
    if (d.mode == Await) alu.write_truth(o[0], {all_lanes, all_lanes});
}

// BAR.SYNC 0x1,0x80; BAR.ARV R2,0x100; BAR.SYNC R5,R5: a register has the number in its lower half, the threads in its
// upper one.
std::uint32_t Runner::arrival(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active) {
    const auto& o = d.source->operands;
    const Block none;
    const Alu alu(warp, none, launch_, active, active);
    const int lane = std::countr_zero(active);
    const Value number = alu.read(o[0]), threads = counts_threads(o) ? alu.read(o[1]) : Value{};
    const Counters before;
    Counters after;
    if ((number.known & (counts_threads(o) ? threads.known : all_lanes)) >> lane & 1) {
        after.serial = (number.v[lane] & 15) + 1;
        if (counts_threads(o))
            after.sectors = o[1].kind == Kind::immediate ? threads.v[lane] : threads.v[lane] >> 16 & 0xfff;
    }
    return shape(pc, active, before, after);
}

}  // namespace foretell::functional
