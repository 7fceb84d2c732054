#include "gpu/functional/memory.hpp"

#include <algorithm>
#include <cstring>

#include "gpu/functional/contents.hpp"

namespace foretell::functional {
namespace {

int words_of(int bytes) { return std::max(1, bytes / 4); }

// Bytes of a word, as a mask, that an access of so many bytes at an address touches.
unsigned bytes_of(int bytes, std::uint64_t at) {
    return bytes >= 4 ? whole_word : ((1u << bytes) - 1) << (at & 3) & whole_word;
}

// Stores into a word; a narrow store keeps the other bytes.
void put(Cell& cell, std::uint32_t value, int bytes, std::uint64_t at, bool known) {
    const unsigned written = bytes_of(bytes, at);
    std::uint32_t mask = 0;
    for (int k = 0; k < 4; ++k) mask |= written >> k & 1 ? 0xffu << 8 * k : 0u;
    cell.value = (cell.value & ~mask) | (value << (bytes < 4 ? 8 * (at & 3) : 0) & mask);
    cell.known = static_cast<std::uint8_t>(known ? cell.known | written : cell.known & ~written);
}

bool is_shared(Op op) {
    return op == Op::load_shared || op == Op::store_shared || op == Op::atomic_shared || op == Op::copy_to_shared ||
           op == Op::load_matrix;
}

Mask lanes_from(int first, int count) { return (count == lanes ? all_lanes : (Mask{1} << count) - 1) << first; }

// Whether each lane has the address of the lane that differs in one bit of its number, if both are active.
bool same_addresses(const Wide& address, Mask members, int bit) {
    bool same = true;
    each(members, [&](int lane) {
        const int other = lane ^ bit;
        same = same && (!(members >> other & 1) || address.v[lane] == address.v[other]);
    });
    return same;
}

// Lanes sufficient for the cost of a request: if all are on one address, one of each eight that a wide access serves at
// a time.
Mask telling(const Wide& address, Mask executed) {
    const std::uint64_t first = address.v[std::countr_zero(executed)];
    std::uint64_t others = 0;
    for (int lane = 0; lane < lanes; ++lane)
        others |= (address.v[lane] ^ first) & -static_cast<std::uint64_t>(executed >> lane & 1);
    if (others != 0 || (executed & ~address.known) != 0) return executed;
    Mask result = 0;
    for (int lane = 0; lane < lanes; lane += 8) {
        const Mask eight = executed & lanes_from(lane, 8);
        result |= eight & -eight;
    }
    return result;
}

// Whether all lanes access consecutive, aligned elements: most requests do. Their cost needs no look at single lanes.
bool in_a_row(const Wide& address, int bytes, Mask executed) {
    if ((executed & address.known) != all_lanes || bytes < 4 ||
        remainder(address.v[0], static_cast<unsigned>(bytes)) != 0)
        return false;
    std::uint64_t others = 0;
    for (int lane = 0; lane < lanes; ++lane)
        others |= address.v[lane] ^ (address.v[0] + static_cast<std::uint64_t>(lane) * static_cast<unsigned>(bytes));
    return others == 0;
}

// Bank conflicts of shared memory: its wavefronts are the maximum number of distinct words in one bank.
int turns(const Wide& address, int bytes, Mask members) {
    std::array<std::uint32_t, 4 * lanes> words;
    std::size_t count = 0;
    each(members & address.known, [&](int lane) {
        for (int k = 0; k < words_of(bytes); ++k) words[count++] = static_cast<std::uint32_t>(address.v[lane] >> 2) + k;
    });
    if (!std::is_sorted(words.begin(), words.begin() + count)) std::sort(words.begin(), words.begin() + count);
    count = std::unique(words.begin(), words.begin() + count) - words.begin();
    if (count != 0 && words[count - 1] - words[0] < 32) return 1;  // contiguous
    std::array<int, 32> bank{};
    for (std::size_t k = 0; k < count; ++k) ++bank[words[k] % 32];
    const int most = *std::max_element(bank.begin(), bank.end());
    return most == 0 && members != 0 ? 1 : most;  // all unknown: assumed to be conflict-free
}

// Tag bank of a line: interleaved for adjacent lines, hashed for distant ones (t_product_rows: rows of 4000 bytes are
// slower than interleaving by the low bits predicts).
unsigned tag_bank(std::uint64_t line) {
    line ^= line >> 16;
    line ^= line >> 8;
    line ^= line >> 4;
    return static_cast<unsigned>(line ^ line >> 2) & 3;
}

}  // namespace

void Memory::forget(Block& block) {
    for (Cell& cell : block.shared) cell.known = 0;
}

const Array* Memory::array_at(std::uint64_t address) const {
    const auto after = std::upper_bound(launch_.arrays.begin(), launch_.arrays.end(), address,
                                        [](std::uint64_t a, const Array& array) { return a < array.base; });
    return after == launch_.arrays.begin() ? nullptr : &*(after - 1);
}

Cell Memory::global_cell(const Array& array, std::uint64_t address) const {
    if (array.contents == Array::Contents::unknown) return {};
    if (!written_.empty())
        if (const auto found = written_.find(address & ~3ull); found != written_.end()) return found->second;
    const std::uint64_t offset = (address & ~3ull) - array.base;
    if (array.contents == Array::Contents::data) {
        if (offset >= array.data_bytes) return {};
        const std::uint64_t bytes = std::min<std::uint64_t>(4, array.data_bytes - offset);
        Cell cell{0, static_cast<std::uint8_t>((1u << bytes) - 1)};
        if (bytes == 4) {  // a copy of known size is no call
            std::memcpy(&cell.value, array.data + offset, 4);
            return cell;
        }
        std::memcpy(&cell.value, array.data + offset, bytes);
        return cell;
    }
    if (offset >= array.bytes) return {};
    if (array.element >= 4) {
        const auto element = static_cast<std::uint64_t>(array.element);
        const std::uint64_t value = element_value(array, quotient(offset, element));
        return {static_cast<std::uint32_t>(remainder(offset, element) ? value >> 32 : value), whole_word};
    }
    std::uint32_t word = 0;
    for (int k = 0; k < 4; k += array.element) {
        const std::uint64_t value = element_value(array, (offset + k) / array.element);
        word |= static_cast<std::uint32_t>(value & (array.element == 1 ? 0xff : 0xffff)) << (8 * k);
    }
    return {word, whole_word};
}

// The word of a warp's lane in local memory.
static Cell& local_cell(Warp& warp, int lane, std::uint64_t at) {
    return warp.local[static_cast<std::uint64_t>(lane) << 32 | (at / 4 & 0xffffffff)];
}

// Where a word is kept that a store may change; null for one of unknown contents, which is read as unknown anyway.
Cell* Memory::cell_to_write(Op op, Warp& warp, Block& block, int lane, std::uint64_t at) {
    if (op == Op::store_shared || op == Op::atomic_shared || op == Op::copy_to_shared)
        return at / 4 < block.shared.size() ? &block.write_by(warp, at / 4) : nullptr;
    if (op == Op::store_local) return &local_cell(warp, lane, at);
    const Array* array = array_at(at);
    if (array == nullptr || array->contents == Array::Contents::unknown) return nullptr;
    const auto found = written_.find(at & ~3ull);
    if (found != written_.end()) return &found->second;
    return &(written_[at & ~3ull] = global_cell(*array, at));
}

// ------------------------------------------------------------------------------------------- bounds of arrays

// The array that an address was meant for: the one it is in, or the nearest, where it is beyond the end or before the
// start of one. Arrays lie 2 MiB and more apart.
const Array* Memory::meant(std::uint64_t address) const {
    constexpr std::uint64_t before = 1 << 20, farthest = 1ull << 36;
    if (launch_.arrays.empty()) return nullptr;
    const Array* found = array_at(address);
    const Array* next = found == nullptr ? launch_.arrays.data() : found + 1;
    if (found == nullptr) return next->base - address <= farthest ? next : nullptr;
    if (address - found->base < found->bytes) return found;
    if (next != launch_.arrays.data() + launch_.arrays.size() && next->base - address <= before) return next;
    return address - found->base - found->bytes <= farthest ? found : nullptr;
}

void Memory::check_bounds(const Decoded& d, const Wide& address, Mask executed, Mask certain, bool guessed) {
    const Mask sure = certain & address.known;
    if (sure == 0) return;
    std::uint64_t low = ~0ull, high = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint64_t other = -static_cast<std::uint64_t>(~sure >> lane & 1);  // all ones if it does not count
        low = std::min(low, address.v[lane] | other);
        high = std::max(high, address.v[lane] & ~other);
    }
    const bool reads = d.op != Op::store_global;
    const Array* array = array_at(low);
    const auto end = [&](const Array& a) {
        return reads && a.contents == Array::Contents::data ? std::min(a.bytes, a.data_bytes) : a.bytes;
    };
    if (array != nullptr && high + d.bytes - array->base <= end(*array)) return;
    Mask beyond = 0;
    each(sure, [&](int lane) {
        array = meant(address.v[lane]);
        if (array == nullptr) return;
        const auto offset = static_cast<std::int64_t>(address.v[lane] - array->base);
        if (offset >= 0 && offset + d.bytes <= static_cast<std::int64_t>(end(*array))) return;
        beyond |= Mask{1} << lane;
        const auto number = static_cast<std::uint32_t>(array - launch_.arrays.data());
        const auto [place, fresh] = beyond_.try_emplace({d.number, number});
        Beyond& found = place->second;
        if (fresh) found = {d.number, number, offset, 0, false, false};
        ++found.lanes;
        found.in_file = found.in_file || (offset >= 0 && offset + d.bytes <= static_cast<std::int64_t>(array->bytes));
    });
    if (beyond == executed && !guessed)
        each(beyond, [&](int lane) {
            array = meant(address.v[lane]);
            beyond_.at({d.number, static_cast<std::uint32_t>(array - launch_.arrays.data())}).whole_warp = true;
        });
}

std::vector<Beyond> Memory::beyond() const {
    std::vector<Beyond> result;
    for (const auto& [where, found] : beyond_) result.push_back(found);
    return result;
}

// ------------------------------------------------------------------------------------------- cost of a request

void Memory::count_global(const Decoded& d, const Wide& address, Mask executed, Counters& counters, bool row) {
    std::array<std::uint64_t, 2 * lanes> sectors;
    std::size_t count = 0;
    if (row)
        for (std::uint64_t at = address.v[0] >> 5; at <= (address.v[lanes - 1] + d.bytes - 1) >> 5; ++at)
            sectors[count++] = at;
    each(row ? 0 : executed & address.known, [&](int lane) {
        const std::uint64_t first = address.v[lane] >> 5, last = (address.v[lane] + d.bytes - 1) >> 5;
        for (std::uint64_t sector = first; sector <= last && count < sectors.size(); ++sector)
            if (count == 0 || sectors[count - 1] != sector) sectors[count++] = sector;
    });
    if (!row) {
        if (!std::is_sorted(sectors.begin(), sectors.begin() + count))
            std::sort(sectors.begin(), sectors.begin() + count);
        count = std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin();
    }
    if (counts_only_) return add_sectors(sectors.data(), count, count_of(executed & ~address.known), counters);
    Access access;
    access.instruction = d.number;
    access.first = static_cast<std::uint32_t>(block_->lines.size());
    for (std::size_t k = 0; k < count; ++k) {
        if (k == 0 || sectors[k] >> 2 != sectors[k - 1] >> 2) block_->lines.push_back(sectors[k] >> 2 << 4);
        block_->lines.back() |= 1u << (sectors[k] & 3);
    }
    access.count = static_cast<std::uint16_t>(block_->lines.size() - access.first);
    access.unknown =
        static_cast<std::uint16_t>(count_of(executed & ~address.known));  // assumed: each in its own sector
    if ((executed & address.known) != 0) {
        access.lane = static_cast<std::uint8_t>(std::countr_zero(executed & address.known));
        access.address = address.v[access.lane];
    }
    counters.sectors += count + access.unknown;
    counters.lines += access.count + access.unknown;
    counters.unknown_addresses += access.unknown;
    block_->requested += count + access.unknown;
    warp_->accesses.push_back(access);
}

// Wide accesses are served by half (8 bytes) or a quarter (16 bytes) of a warp at a time. Two of these are merged if
// every lane has the address of its neighbour, or of the one after that (seen in Nsight Compute's counts).
int Memory::bank_turns(const Wide& address, int bytes, Mask executed, bool together) {
    const int part = bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
    int sum = 0;
    for (int first = 0; first < lanes; first += 2 * part) {
        const Mask both = lanes_from(first, std::min(2 * part, lanes)) & executed;
        const bool known = (both & ~address.known) == 0;
        if (part == lanes ||
            (together && known && (same_addresses(address, both, 1) || same_addresses(address, both, 2)))) {
            sum += turns(address, bytes, both);
        } else {
            sum += turns(address, bytes, both & lanes_from(first, part));
            sum += turns(address, bytes, both & lanes_from(first + part, part));
        }
    }
    return sum;
}

// L1 looks up one line per cycle in each of four tag banks, and its data has the banks of shared memory, but halves of
// wide requests are never merged (validation/h200, shape.L1_load: lanes 17 words apart take 5 cycles, 32 words apart
// 32; random look-ups in 16 KiB, t_lookup, take as long as the busiest of four banks). Unknown addresses are assumed to
// be random.
int Memory::first_level_turns(const Wide& address, int bytes, Mask executed, bool row) const {
    std::array<int, 4> tags{};
    if (row) {
        for (std::uint64_t line = address.v[0] >> 7; line <= address.v[lanes - 1] >> 7; ++line) ++tags[tag_bank(line)];
        return std::max(*std::max_element(tags.begin(), tags.end()), bytes / 4);
    }
    Wide where = address;
    each(executed & ~address.known,
         [&](int lane) { where.v[lane] = mixed(warp_->accesses.size() * lanes + lane) & ~15ull; });
    where.known |= executed;
    std::array<std::uint64_t, lanes> lines;
    std::size_t count = 0;
    each(executed, [&](int lane) { lines[count++] = where.v[lane] >> 7; });
    if (!std::is_sorted(lines.begin(), lines.begin() + count)) std::sort(lines.begin(), lines.begin() + count);
    for (std::size_t k = 0; k < count; ++k) tags[tag_bank(lines[k])] += k == 0 || lines[k] != lines[k - 1];
    return std::max(*std::max_element(tags.begin(), tags.end()), bank_turns(where, bytes, executed, false));
}

// Local memory is interleaved: the same word of all lanes is contiguous, eight lanes to a sector.
void Memory::count_local(const Wide& address, int bytes, Mask executed, Counters& counters) const {
    std::array<std::uint64_t, 4 * lanes> sectors;
    std::size_t count = 0;
    for (int word = 0; word < words_of(bytes); ++word)
        each(executed, [&](int lane) {  // unknown: all lanes are assumed to be alike
            const std::uint64_t row = address.known >> lane & 1 ? address.v[lane] / 4 + word : ~0ull - 4 + word;
            sectors[count++] = row << 2 | lane / 8;
        });
    std::sort(sectors.begin(), sectors.begin() + count);
    count = std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin();
    counters.sectors += count;
    for (std::size_t k = 0; k < count; ++k) counters.lines += k == 0 || sectors[k] >> 2 != sectors[k - 1] >> 2;
}

// ------------------------------------------------------------------------------------------- data movement

void Memory::load(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& to, const Wide& address,
                  Mask executed) {
    for (int word = 0; word < words_of(d.bytes); ++word) {
        Value result;
        const Array* array = nullptr;  // adjacent lanes mostly read one array
        result.known = 0;
        const bool nothing =
            d.op == Op::load_global ? !contents_ || d.polls : d.op == Op::load_shared && block.shared.empty();
        each(nothing ? 0 : executed & address.known, [&](int lane) {
            const std::uint64_t at = address.v[lane] + 4 * word;
            Cell found;
            if (d.op == Op::load_global) {
                if (array == nullptr || at - array->base >= array->bytes) array = array_at(at);
                if (array == nullptr || array->contents == Array::Contents::unknown) return;
                found = global_cell(*array, at);
            } else if (d.op == Op::load_shared) {
                if (at / 4 < block.shared.size()) found = block.read_by(warp, at / 4);
            } else if (const auto kept =
                           warp.local.find(static_cast<std::uint64_t>(lane) << 32 | (at / 4 & 0xffffffff));
                       kept != warp.local.end()) {
                found = kept->second;
            }
            const unsigned needed = bytes_of(d.bytes, at);
            result.v[lane] =
                d.bytes < 4 ? narrowed(found.value >> 8 * (at & 3), d.bytes, d.is_signed_load) : found.value;
            result.known |= static_cast<Mask>((found.known & needed) == needed) << lane;
        });
        Operand target = to;
        if (target.index >= 0) target.index += word;
        alu.write(target, result);
    }
}

void Memory::store(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& from, const Wide& address,
                   Mask executed, Mask certain) {
    for (int word = 0; word < words_of(d.bytes); ++word) {
        Operand source = from;
        if (source.index >= 0) source.index += word;
        const Value value = alu.read(source);
        each(d.op == Op::store_global && !contents_ ? 0 : executed & address.known, [&](int lane) {
            const std::uint64_t at = address.v[lane] + 4 * word;
            if (d.op == Op::store_global) release(at);
            if (Cell* cell = cell_to_write(d.op, warp, block, lane, at))
                put(*cell, value.v[lane], d.bytes, at, (value.known & certain) >> lane & 1);
        });
    }
    if (d.op == Op::store_shared && (executed & ~address.known) != 0)  // anything may have been overwritten
        forget(block);
}

void Memory::access(const Decoded& d, Warp& warp, Block& block, Alu& alu, Mask executed, Mask certain,
                    Counters& counters) {
    if (d.op == Op::copy_bulk) return copy_bulk(d, block, alu, executed, counters);
    if (d.op == Op::copy_tile) return copy_tile(d, block, alu, executed, counters);
    if (d.op == Op::sync_object) return synchronise(d, alu, executed, counters);
    const auto& o = d.source->operands;
    const auto place = std::find_if(o.begin(), o.end(), [](const Operand& x) { return x.kind == Kind::memory; });
    if (place == o.end()) return alu.forget(*d.source);
    Wide address = alu.address(*place);
    const Decoded* generic = met(d, address, executed);
    const Operand* value = place + 1 != o.end() ? &place[1] : nullptr;
    const Op op = generic == nullptr ? d.op : generic->op;
    if (generic != nullptr)
        for (std::uint64_t& lane : address.v) lane &= 0xffffffffu;
    // shared memory of the block of rank r in its cluster starts at r other_blocks, the block's own at 0 from here on
    if (const std::uint64_t rank = block.rank(launch_.cluster); rank != 0 && is_shared(op))
        for (std::uint64_t& lane : address.v) lane ^= rank * other_blocks;
    if (generic == nullptr) return serve(d, warp, block, alu, address, value, executed, certain, counters);
    serve(*generic, warp, block, alu, address, value, executed, certain, counters);
    if (d.asks) alu.forget(*d.source);  // the iterations skipped would have read or written something else
    if (d.asks && generic->op == Op::store_shared) forget(block);
    if (d.asks && generic->op == Op::store_local) warp.local.clear();
}

// Resolves generic addresses to arrays, shared or local memory; the lanes of a warp mostly have the same target.
const Decoded* Memory::met(const Decoded& d, const Wide& address, Mask executed) {
    if ((executed & address.known) == 0) return nullptr;
    const std::uint64_t window = address.v[std::countr_zero(executed & address.known)] >> 32 << 32;
    const bool shared = window == shared_window;
    if (!shared && window != local_window) return nullptr;
    Op op;
    switch (d.op) {
        case Op::load_global: op = shared ? Op::load_shared : Op::load_local; break;
        case Op::store_global: op = shared ? Op::store_shared : Op::store_local; break;
        case Op::atomic_global: op = shared ? Op::atomic_shared : Op::store_local; break;
        default: return nullptr;
    }
    const auto [found, fresh] = met_.try_emplace({d.number, op}, d);
    found->second.op = op;
    return &found->second;
}

void Memory::serve(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Wide& address, const Operand* value,
                   Mask executed, Mask certain, Counters& counters) {
    const auto& o = d.source->operands;
    count(d, address, executed, counters);
    if (d.op == Op::load_global || d.op == Op::store_global || d.op == Op::atomic_global)
        check_bounds(d, address, executed, certain, warp.guessed);
    if (d.asks) {
        if (requests_.size() == most_requests) requests_.clear();
        requests_.push_back({&d, address, executed == certain && (executed & ~address.known) == 0 ? executed : 0});
        if (d.followed) followed.push_back(requests_.back());
    }
    if (d.op == Op::copy_to_shared && value != nullptr) {
        const Truth read = o.back().kind == Kind::pred ? alu.read_truth(o.back()) : Truth{all_lanes, all_lanes};
        const Mask reads = executed & (read.v | ~read.known);  // others are filled with zeros
        const Wide from = alu.address(*value);
        if (reads != 0) count_copied(d, address, from, reads, counters);
        check_bounds(d, from, reads, certain & reads & read.known, warp.guessed);
    }
    const bool loads = d.op == Op::load_global || d.op == Op::load_shared || d.op == Op::load_local;
    if (loads && o[0].kind == Kind::reg) {
        if (d.needed) load(d, warp, block, alu, o[0], address, executed);
    } else if (d.op == Op::store_global || d.op == Op::store_shared || d.op == Op::store_local) {
        if (value != nullptr && steers(d.op)) store(d, warp, block, alu, *value, address, executed, certain);
    } else if (d.op == Op::atomic_shared && d.mode >= 0 && steers(d.op)) {
        update_shared(d, block, alu, value, address, executed, certain);
    } else {
        const Value drawn = value != nullptr ? alu.read(*value) : broadcast(1);  // it may be overwritten by the result
        if (d.compares && d.needed && contents_ && value != nullptr)
            return compare_and_swap(d, warp, block, alu, *value, address, executed, certain);
        alu.forget(*d.source);
        if (d.draws && d.needed) draw(d, warp, alu, drawn, address, executed, certain);
        if (d.swaps && d.needed) swap(d, alu, address, executed);
        each(steers(d.op) ? executed & address.known : 0, [&](int lane) {  // of a global atomic: others update it too
            for (int k = 0; k < words_of(d.bytes); ++k)
                if (Cell* cell = cell_to_write(d.op, warp, block, lane, address.v[lane] + 4 * k)) cell->known = 0;
            release(address.v[lane]);
        });
        if (d.op == Op::atomic_shared && (executed & ~address.known) != 0) forget(block);
    }
    // ATOM P0, R2, [R8.64], R10: true where the unit did it, which is in global memory
    const bool tells = d.source->opcode == "ATOM" && o[0].kind == Kind::pred;
    if (tells) alu.write_truth(o[0], {d.op == Op::atomic_global ? all_lanes : 0, all_lanes});
}

void Memory::count(const Decoded& d, const Wide& address, Mask executed, Counters& counters) {
    ++counters.requests;
    const bool row = in_a_row(address, d.bytes, executed);
    const Mask few = row ? executed : telling(address, executed);
    switch (d.op) {
        case Op::load_global:
            if (!counts_only_) counters.wavefronts += first_level_turns(address, d.bytes, few, row);
            [[fallthrough]];
        case Op::store_global:
        case Op::atomic_global: count_global(d, address, few, counters, row); break;
        case Op::load_local:
        case Op::store_local: count_local(address, d.bytes, executed, counters); break;
        case Op::load_matrix:
            // eight lanes have the rows of a matrix, 16 bytes each; rows in the same banks take turns
            for (int matrix = 0; matrix < std::clamp(static_cast<int>(d.source->written.size()), 1, 4); ++matrix)
                counters.wavefronts +=
                    static_cast<std::uint64_t>(std::max(1, turns(address, 16, executed & lanes_from(8 * matrix, 8))));
            break;
        default:
            each(executed & address.known, [&](int lane) { counters.lines += address.v[lane] >= other_blocks; });
            each(few & address.known, [&](int lane) {
                if (address.v[lane] >= other_blocks) asked_other_blocks_ = true;
                else shared_end_ = std::max(shared_end_, address.v[lane] + d.bytes);
            });
            if (!counts_only_) counters.wavefronts += row ? d.bytes / 4 : bank_turns(address, d.bytes, few, true);
            counters.unknown_addresses += count_of(executed & ~address.known);
            break;
    }
    if (d.op == Op::atomic_global) {
        const std::uint64_t repeated = count_atomic(d, address, executed, counters);
        counters.sectors += repeated;
        block_->requested += repeated;
        if (!counts_only_) warp_->accesses.back().repeated = static_cast<std::uint16_t>(repeated);
    }
    if (d.op == Op::atomic_shared) count_atomic(d, address, executed, counters);
}

}  // namespace foretell::functional
