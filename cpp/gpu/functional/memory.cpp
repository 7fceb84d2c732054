#include "gpu/functional/memory.hpp"

#include <algorithm>
#include <cstring>

namespace foretell::functional {
namespace {

std::uint64_t mixed(std::uint64_t x) {  // fixed hash: the same contents in every run
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// A permutation of 0 … count-1, evaluated at one index: a Feistel network over the next power of four, cycle-walked
// until the result is in range.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count) {
    unsigned half = 1;
    while (half < 31 && (1ull << 2 * half) < count) ++half;
    const std::uint64_t mask = (1ull << half) - 1;
    do {
        std::uint64_t left = index >> half, right = index & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (mixed(right * 8 + round) & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= count);
    return index;
}

std::uint64_t element_value(const Array& array, std::uint64_t index) {
    const std::uint64_t count = array.bytes / array.element;
    switch (array.contents) {
        case Array::Contents::iota: return index;
        case Array::Contents::permutation: return permuted(index, count);
        case Array::Contents::random: {
            const std::uint64_t span = static_cast<std::uint64_t>(array.high) - static_cast<std::uint64_t>(array.low);
            return static_cast<std::uint64_t>(array.low) + (span == 0 ? mixed(index) : mixed(index) % span);
        }
        case Array::Contents::offsets: {  // ascending offsets: random around a constant mean distance
            const auto mean = static_cast<std::uint64_t>(array.low);
            return index * mean + mixed(index) % mean;
        }
        default: return 0;
    }
}

int words_of(int bytes) { return std::max(1, bytes / 4); }

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

// Wavefronts of shared memory: maximum number of distinct words in one bank.
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

const Array* Memory::array_at(std::uint64_t address) const {
    const auto after = std::upper_bound(launch_.arrays.begin(), launch_.arrays.end(), address,
                                        [](std::uint64_t a, const Array& array) { return a < array.base; });
    return after == launch_.arrays.begin() ? nullptr : &*(after - 1);
}

Word Memory::global_word(const Array& array, std::uint64_t address) const {
    if (array.contents == Array::Contents::unknown) return {};
    if (!written_.empty())
        if (const auto found = written_.find(address & ~3ull); found != written_.end()) return found->second;
    const std::uint64_t offset = (address & ~3ull) - array.base;
    if (offset + 4 > array.bytes) return {};
    std::uint32_t word = 0;
    if (array.contents == Array::Contents::data) {
        std::memcpy(&word, array.data + offset, 4);
        return {word, true};
    }
    if (array.element >= 4) {
        const std::uint64_t value = element_value(array, offset / array.element);
        return {static_cast<std::uint32_t>(offset % array.element ? value >> 32 : value), true};
    }
    for (int k = 0; k < 4; k += array.element) {
        const std::uint64_t value = element_value(array, (offset + k) / array.element);
        word |= static_cast<std::uint32_t>(value & (array.element == 1 ? 0xff : 0xffff)) << (8 * k);
    }
    return {word, true};
}

// ------------------------------------------------------------------------------------------- cost of a request

void Memory::count_global(const Decoded& d, const Wide& address, Mask executed, Counters& counters) {
    std::array<std::uint64_t, 2 * lanes> sectors;
    std::size_t count = 0;
    each(executed & address.known, [&](int lane) {
        const std::uint64_t first = address.v[lane] >> 5, last = (address.v[lane] + d.bytes - 1) >> 5;
        for (std::uint64_t sector = first; sector <= last && count < sectors.size(); ++sector)
            if (count == 0 || sectors[count - 1] != sector) sectors[count++] = sector;
    });
    if (!std::is_sorted(sectors.begin(), sectors.begin() + count)) std::sort(sectors.begin(), sectors.begin() + count);
    count = std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin();
    Access access;
    access.instruction = d.number;
    access.first = static_cast<std::uint32_t>(block_->lines.size());
    for (std::size_t k = 0; k < count; ++k) {
        if (k == 0 || sectors[k] >> 2 != sectors[k - 1] >> 2) block_->lines.push_back(sectors[k] >> 2 << 4);
        block_->lines.back() |= 1u << (sectors[k] & 3);
    }
    access.count = static_cast<std::uint16_t>(block_->lines.size() - access.first);
    access.unknown =
        static_cast<std::uint16_t>(std::popcount(executed & ~address.known));  // assumed: each in its own sector
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
int Memory::first_level_turns(const Wide& address, int bytes, Mask executed) const {
    Wide where = address;
    each(executed & ~address.known,
         [&](int lane) { where.v[lane] = mixed(warp_->accesses.size() * lanes + lane) & ~15ull; });
    where.known |= executed;
    std::array<std::uint64_t, lanes> lines;
    std::size_t count = 0;
    each(executed, [&](int lane) { lines[count++] = where.v[lane] >> 7; });
    if (!std::is_sorted(lines.begin(), lines.begin() + count)) std::sort(lines.begin(), lines.begin() + count);
    std::array<int, 4> tags{};
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
    for (std::size_t k = 0; k < count; ++k) {
        run = k > 0 && targets[k] == targets[k - 1] ? run + 1 : 1;
        passes = std::max(passes, run);
        if (last_sector[run] == targets[k] >> 5) continue;
        ++sectors[run];
        if (d.op == Op::atomic_global && !counts_only_) ++updates_[d.number][targets[k] >> 7];
        last_sector[run] = targets[k] >> 5;
    }
    counters.serial += passes;
    std::uint64_t repeated = 0;
    for (std::size_t pass = 2; pass <= passes; ++pass) repeated += sectors[pass];
    return repeated;
}

// ------------------------------------------------------------------------------------------- data movement

void Memory::load(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& to, const Wide& address,
                  Mask executed) {
    for (int word = 0; word < words_of(d.bytes); ++word) {
        Value result;
        const Array* array = nullptr;  // adjacent lanes mostly read one array
        result.known = 0;
        each(d.op == Op::load_global && !contents_ ? 0 : executed & address.known, [&](int lane) {
            const std::uint64_t at = address.v[lane] + 4 * word;
            Word found;
            if (d.op == Op::load_global) {
                if (array == nullptr || at - array->base >= array->bytes) array = array_at(at);
                if (array == nullptr || array->contents == Array::Contents::unknown) return;
                found = global_word(*array, at);
            } else if (d.op == Op::load_shared) {
                if (at / 4 < block.shared.size()) found = {block.shared[at / 4], block.shared_known[at / 4] != 0};
            } else if (const auto kept =
                           warp.local.find(static_cast<std::uint64_t>(lane) << 32 | (at / 4 & 0xffffffff));
                       kept != warp.local.end()) {
                found = kept->second;
            }
            result.v[lane] =
                d.bytes < 4 ? narrowed(found.value >> 8 * (at & 3), d.bytes, d.is_signed_load) : found.value;
            result.known |= static_cast<Mask>(found.known) << lane;
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
        const Array* array = nullptr;
        each(executed & address.known, [&](int lane) {
            const std::uint64_t at = address.v[lane] + 4 * word;
            const bool known = d.bytes >= 4 && (value.known & certain) >> lane & 1;
            if (d.op == Op::store_shared) {
                if (at / 4 < block.shared.size()) {
                    block.shared[at / 4] = value.v[lane];
                    block.shared_known[at / 4] = known;
                }
            } else if (d.op == Op::store_local) {
                warp.local[static_cast<std::uint64_t>(lane) << 32 | (at / 4 & 0xffffffff)] = {value.v[lane], known};
            } else {
                if (array == nullptr || at - array->base >= array->bytes) array = array_at(at);
                if (array != nullptr &&
                    array->contents != Array::Contents::unknown)  // else it is read as unknown anyway
                    written_[at & ~3ull] = {value.v[lane], known};
            }
        });
    }
    if (d.op == Op::store_shared && (executed & ~address.known) != 0)  // anything may have been overwritten
        std::fill(block.shared_known.begin(), block.shared_known.end(), false);
}

void Memory::access(const Decoded& d, Warp& warp, Block& block, Alu& alu, Mask executed, Mask certain,
                    Counters& counters) {
    const auto& o = d.source->operands;
    const auto place = std::find_if(o.begin(), o.end(), [](const Operand& x) { return x.kind == Kind::memory; });
    if (place == o.end()) return alu.forget(*d.source);
    Wide address = alu.address(*place);
    const Decoded* generic = met(d, address, executed);
    const Operand* value = place + 1 != o.end() ? &place[1] : nullptr;
    if (generic == nullptr) return serve(d, warp, block, alu, address, value, executed, certain, counters);
    for (std::uint64_t& lane : address.v) lane &= 0xffffffffu;
    serve(*generic, warp, block, alu, address, value, executed, certain, counters);
    if (d.asks) alu.forget(*d.source);  // the iterations skipped would have read or written something else
    if (d.asks && generic->op == Op::store_shared)
        std::fill(block.shared_known.begin(), block.shared_known.end(), false);
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
    if (d.asks) {
        if (requests_.size() == most_requests) requests_.clear();
        requests_.push_back({&d, address, executed == certain && (executed & ~address.known) == 0 ? executed : 0});
    }
    if (d.op == Op::copy_to_shared && value != nullptr) count_global(d, alu.address(*value), executed, counters);
    const bool loads = d.op == Op::load_global || d.op == Op::load_shared || d.op == Op::load_local;
    if (loads && o[0].kind == Kind::reg) {
        load(d, warp, block, alu, o[0], address, executed);
    } else if (d.op == Op::store_global || d.op == Op::store_shared || d.op == Op::store_local) {
        if (value != nullptr) store(d, warp, block, alu, *value, address, executed, certain);
    } else {
        alu.forget(*d.source);
        if (d.op == Op::atomic_shared || d.op == Op::copy_to_shared)
            each(executed & address.known, [&](int lane) {
                for (int k = 0; k < words_of(d.bytes); ++k)
                    if (address.v[lane] / 4 + k < block.shared.size())
                        block.shared_known[address.v[lane] / 4 + k] = false;
            });
    }
}

void Memory::count(const Decoded& d, const Wide& address, Mask executed, Counters& counters) {
    ++counters.requests;
    const Mask few = telling(address, executed);
    switch (d.op) {
        case Op::load_global:
            if (!counts_only_) counters.wavefronts += first_level_turns(address, d.bytes, few);
            [[fallthrough]];
        case Op::store_global:
        case Op::atomic_global: count_global(d, address, few, counters); break;
        case Op::load_local:
        case Op::store_local: count_local(address, d.bytes, executed, counters); break;
        case Op::load_matrix:
            counters.wavefronts += 1 + (d.source->written.size() > 1) * (d.source->written.size() - 1);
            break;
        default:
            each(few & address.known, [&](int lane) {
                if (address.v[lane] >= other_blocks) asked_other_blocks_ = true;
                else shared_end_ = std::max(shared_end_, address.v[lane] + d.bytes);
            });
            if (!counts_only_) counters.wavefronts += bank_turns(address, d.bytes, few, true);
            counters.unknown_addresses += std::popcount(executed & ~address.known);
            break;
    }
    if (d.op == Op::atomic_global) {
        const std::uint64_t repeated = count_atomic(d, address, executed, counters);
        counters.sectors += repeated;
        block_->requested += repeated;
        warp_->accesses.back().repeated = static_cast<std::uint16_t>(repeated);
    }
    if (d.op == Op::atomic_shared) count_atomic(d, address, executed, counters);
}

}  // namespace foretell::functional
