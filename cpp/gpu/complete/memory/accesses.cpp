// Loads, stores and asynchronous copies.
#include <cstring>

#include "gpu/complete/memory/access.hpp"
#include "gpu/complete/use/noted.hpp"
#include "gpu/functional/functional.hpp"

namespace foretell::complete {
namespace {

// An access of a lane may cross a border of pages.
constexpr std::int64_t pages_of_access = 2;

const char* const space_names[] = {"generic", "global", "shared", "local"};

const Region* region_of(const Launch& launch, std::uint64_t address) {
    const auto& regions = launch.regions;
    const auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                        [](std::uint64_t a, const Region& r) { return a < r.address; });
    return after == regions.begin() ? nullptr : &*(after - 1);
}

bool holds(const Region& r, std::uint64_t first, std::uint64_t last, std::uint32_t size) {
    return first >= r.address && last - r.address <= r.size && r.size - (last - r.address) >= size;
}

}  // namespace

void fail_access(const Worker& w, const Dense& d, FaultKind kind, int lane, std::uint64_t address, std::uint32_t size,
                 bool writes, int space) {
    Fault fault;
    fault.kind = kind;
    fault.instruction = d.number;
    fault.block = w.block->number;
    fault.thread = w.warp->number * lanes + static_cast<std::uint32_t>(lane);
    fault.address = address;
    fault.size = size;
    fault.is_store = writes;
    fault.space = space_names[space];
    throw fault;
}

void Worker::fail(const Dense& d, FaultKind kind, int lane, std::string detail) const {
    Fault fault;
    fault.kind = kind;
    fault.instruction = d.number;
    fault.block = block->number;
    fault.thread = warp->number * lanes + static_cast<std::uint32_t>(lane);
    fault.detail = std::move(detail);
    throw fault;
}

void Worker::look_at_memory(const Dense& d, int lane) {
    unasked = memory->affordable();
    if (unasked == 0) fail(d, FaultKind::memory, lane);
}

void Worker::occupy(const Dense& d, int lane, std::uint64_t bytes) {
    if (!memory->add(bytes)) fail(d, FaultKind::memory, lane);
}

std::uint8_t* global_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size,
                           bool writes) {
    const Region* r = region_of(*w.launch, address);
    if (r == nullptr || !holds(*r, address, address, size))
        fail_access(w, d, FaultKind::out_of_bounds, lane, address, size, writes, global_space);
    if (writes && !r->writable) fail_access(w, d, FaultKind::read_only, lane, address, size, writes, global_space);
    w.count_pages(d, lane, pages_of_access);
    w.last_region[d.number] = static_cast<std::uint32_t>(r - w.launch->regions.data());
    return r->host + (address - r->address);
}

std::uint8_t* shared_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size,
                           bool writes) {
    const std::uint64_t at = address & ~(std::uint64_t{w.block->rank} << rank_bit);
    if (at + size > w.block->shared.size())
        fail_access(w, d, FaultKind::out_of_bounds, lane, address, size, writes, shared_space);
    return w.block->shared.data() + at;
}

std::uint8_t* cluster_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size,
                            bool writes) {
    const auto& blocks = w.block->cluster->blocks;
    const std::uint64_t rank = address >> rank_bit, at = address & shared_offset_mask;
    if (rank >= blocks.size() || at + size > blocks[rank]->shared.size() || blocks[rank]->ended)
        fail_access(w, d, FaultKind::out_of_bounds, lane, address, size, writes, shared_space);
    return blocks[rank]->shared.data() + at;
}

// Local memory lies word by word, all lanes of each word together.
std::uint32_t* local_words(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size,
                           bool writes) {
    const std::uint64_t at = address & 0xffffffffu;
    if (at + size > w.launch->local_bytes)
        fail_access(w, d, FaultKind::out_of_bounds, lane, address, size, writes, local_space);
    Warp& warp = *w.warp;
    if (warp.local == nullptr)  // pages are touched when they are used
        warp.local.reset(new std::uint32_t[std::size_t{w.launch->local_bytes} / 4 * lanes]);
    if (at < warp.local_lowest) {
        w.occupy(d, lane, (std::min<std::uint64_t>(warp.local_lowest, w.launch->local_bytes) - at) * lanes);
        warp.local_lowest = at;
    }
    return w.warp->local.get() + at / 4 * lanes + static_cast<std::size_t>(lane);
}

void addresses(const Worker& w, const Dense& d, std::uint64_t* to) {
    const auto offset = static_cast<std::uint64_t>(d.offset);
    std::uint64_t common = offset;
    if (d.base_uniform >= 0) {
        common += w.rows[0][d.base_uniform].v[0];
        if (d.uniform_wide) common += std::uint64_t{w.rows[0][d.base_uniform + 1].v[0]} << 32;
    }
    if (d.base < 0) {
        for (int l = 0; l < lanes; ++l) to[l] = common;
        return;
    }
    const std::uint32_t *low = w.rows[0][d.base].v, *high = w.rows[0][d.base + 1].v, scale = d.scale;
    if (d.base_wide)
        for (int l = 0; l < lanes; ++l) to[l] = (std::uint64_t{high[l]} << 32 | low[l]) + common;
    else
        for (int l = 0; l < lanes; ++l) to[l] = std::uint64_t{low[l]} * scale + common;
    if (d.space == shared_space || d.space == local_space)  // 32-bit addresses: a negative offset wraps
        for (int l = 0; l < lanes; ++l) to[l] &= 0xffffffffu;
}

int space_of(const Dense& d, std::uint64_t address) {
    if (d.space != generic_space) return d.space;
    const std::uint64_t window = address & ~0xffffffffull;
    return window == functional::shared_window  ? shared_space
           : window == functional::local_window ? local_space
                                                : global_space;
}

void check_alignment(const Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes) {
    std::uint64_t low = 0;
    if (m == all_lanes)
        for (int l = 0; l < lanes; ++l) low |= address[l];
    else each(m, [&](int l) { low |= address[l]; });
    const std::uint64_t mask = d.bytes - 1ull;
    if ((low & mask) == 0 || d.bytes == 12) return;
    each(m, [&](int l) {
        if (address[l] & mask)
            fail_access(w, d, FaultKind::misaligned, l, address[l], d.bytes, writes, space_of(d, address[l]));
    });
}

HostBytes common_bytes(Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes) {
    std::uint64_t first = ~0ull, last = 0;
    for (int l = 0; l < lanes; ++l) {
        const std::uint64_t off = (m >> l & 1) - 1ull;  // all ones where the lane does not execute
        first = std::min(first, address[l] | off);
        last = std::max(last, address[l] & ~off);
    }
    const Region* r = &w.launch->regions[w.last_region[d.number]];
    if (!holds(*r, first, last, d.bytes)) {
        r = region_of(*w.launch, first);
        if (r == nullptr || !holds(*r, first, last, d.bytes)) return {};
        w.last_region[d.number] = static_cast<std::uint32_t>(r - w.launch->regions.data());
    }
    if (writes && !r->writable) return {};
    w.count_pages(d, std::countr_zero(m), lanes * pages_of_access);
    return {reinterpret_cast<std::uintptr_t>(r->host) - r->address, true};
}

namespace {

// One lane: `words` rows from memory, or one row of a narrow number.
void take(Worker& w, const Dense& d, int lane, const std::uint8_t* from) {
    if (d.bytes >= 4) {
        for (int k = 0; 4 * k < d.bytes; ++k) std::memcpy(&w.destination(d, k)[lane], from + 4 * k, 4);
        return;
    }
    std::uint32_t word = 0;
    std::memcpy(&word, from, d.bytes);
    w.destination(d)[lane] = functional::narrowed(word, d.bytes, d.is_signed);
}

void put(const Worker& w, const Dense& d, int lane, std::uint8_t* to) {
    if (d.bytes < 4) std::memcpy(to, &w.source(d, 0)[lane], d.bytes);
    else
        for (int k = 0; 4 * k < d.bytes; ++k) std::memcpy(to + 4 * k, &w.source_row(d, 0, k)[lane], 4);
}

void take_local(Worker& w, const Dense& d, int lane, std::uint64_t address) {
    const std::uint32_t* from = local_words(w, d, lane, address, d.bytes, false);
    if (d.bytes < 4) w.destination(d)[lane] = functional::narrowed(*from >> 8 * (address & 3), d.bytes, d.is_signed);
    else
        for (int k = 0; 4 * k < d.bytes; ++k) w.destination(d, k)[lane] = from[k * lanes];
}

void put_local(Worker& w, const Dense& d, int lane, std::uint64_t address) {
    std::uint32_t* to = local_words(w, d, lane, address, d.bytes, true);
    if (d.bytes < 4) {
        const std::uint32_t mask = ((1u << 8 * d.bytes) - 1) << 8 * (address & 3);
        *to = (*to & ~mask) | (w.source(d, 0)[lane] << 8 * (address & 3) & mask);
    } else {
        for (int k = 0; 4 * k < d.bytes; ++k) to[k * lanes] = w.source_row(d, 0, k)[lane];
    }
}

template <class A>
bool is_row(const A* address, A step) {
    A off = 0;
    for (int l = 0; l < lanes; ++l) off |= address[l] ^ (address[0] + step * static_cast<A>(l));
    return off == 0;
}

template <int words, class A, class Base>
void load_words(Worker& w, const Dense& d, const A* address, Mask m, const Base& base) {
    std::uint32_t* to[words];
    for (int k = 0; k < words; ++k) to[k] = w.destination(d, k);
    const auto one = [&](int l) {
        std::uint32_t value[words];
        std::memcpy(value, base + address[l], sizeof value);
        for (int k = 0; k < words; ++k) to[k][l] = value[k];
    };
    if (m == all_lanes)
        for (int l = 0; l < lanes; ++l) one(l);
    else each(m, one);
}

template <int words, class A, class Base>
void store_words(const Worker& w, const Dense& d, const A* address, Mask m, const Base& base) {
    const std::uint32_t* from[words];
    for (int k = 0; k < words; ++k) from[k] = w.source_row(d, 0, k);
    const auto one = [&](int l) {
        std::uint32_t value[words];
        for (int k = 0; k < words; ++k) value[k] = from[k][l];
        std::memcpy(base + address[l], value, sizeof value);
    };
    if (m == all_lanes)
        for (int l = 0; l < lanes; ++l) one(l);
    else each(m, one);
}

// All lanes at one address: one word each.
void load_broadcast(Worker& w, const Dense& d, const std::uint8_t* from) {
    for (int k = 0; 4 * k < d.bytes; ++k) {
        std::uint32_t word, *to = w.destination(d, k);
        std::memcpy(&word, from + 4 * k, 4);
        for (int l = 0; l < lanes; ++l) to[l] = word;
    }
}

// `base` plus an address is host memory.
template <class A, class Base>
void load_direct(Worker& w, const Dense& d, const A* address, Mask m, const Base& base) {
    if (m == all_lanes && d.bytes >= 4 && address[0] == address[1] && is_row(address, A{0}))
        return load_broadcast(w, d, base + address[0]);
    if (m == all_lanes && d.bytes == 4 && is_row(address, A{4})) {
        std::memcpy(w.destination(d), base + address[0], 4 * lanes);
        return;
    }
    switch (d.bytes) {
        case 4: return load_words<1>(w, d, address, m, base);
        case 8: return load_words<2>(w, d, address, m, base);
        case 16: return load_words<4>(w, d, address, m, base);
        default: each(m, [&](int l) { take(w, d, l, base + address[l]); });
    }
}

template <class A, class Base>
void store_direct(Worker& w, const Dense& d, const A* address, Mask m, const Base& base) {
    if (m == all_lanes && d.bytes == 4 && is_row(address, A{4})) {
        std::memcpy(base + address[0], w.source(d, 0), 4 * lanes);
        return;
    }
    switch (d.bytes) {
        case 4: return store_words<1>(w, d, address, m, base);
        case 8: return store_words<2>(w, d, address, m, base);
        case 16: return store_words<4>(w, d, address, m, base);
        default: each(m, [&](int l) { put(w, d, l, base + address[l]); });
    }
}

// Addresses in shared memory, if they are aligned and inside in all lanes that execute.
bool shared_addresses(const Worker& w, const Dense& d, Mask m, std::uint32_t* to) {
    auto common = static_cast<std::uint32_t>(d.offset);
    const std::uint32_t own = ~(w.block->rank << rank_bit);
    if (d.base_uniform >= 0) common += w.rows[0][d.base_uniform].v[0];
    std::uint32_t last = 0, low = 0;
    if (d.base < 0) {
        common &= own;
        for (int l = 0; l < lanes; ++l) to[l] = common;
        last = low = common;
    } else {
        const std::uint32_t *base = w.rows[0][d.base].v, scale = d.scale;
        for (int l = 0; l < lanes; ++l) to[l] = (base[l] * scale + common) & own;
        if (m == all_lanes)
            for (int l = 0; l < lanes; ++l) low |= to[l];
        else each(m, [&](int l) { low |= to[l]; });
        last = low;  // no address is larger than all of them together; where that is too large, the largest counts
        if (last >= w.block->shared.size() || w.block->shared.size() - last < d.bytes) {
            last = 0;
            each(m, [&](int l) { last = std::max(last, to[l]); });
        }
    }
    return (low & (d.bytes - 1u)) == 0 && last < w.block->shared.size() && w.block->shared.size() - last >= d.bytes;
}

HostBytes direct_base(Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes) {
    return d.space == local_space || d.space == shared_space ? HostBytes{} : common_bytes(w, d, address, m, writes);
}

// Host memory of a whole row of words, one after the other; null if it is none, or not aligned and inside of a region.
std::uint8_t* whole_row(Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes) {
    if (m != all_lanes || d.bytes != 4 || d.space == local_space || (address[0] & 3) != 0) return nullptr;
    if (!is_row(address, std::uint64_t{4})) return nullptr;
    const Region& r = w.launch->regions[w.last_region[d.number]];
    if (!holds(r, address[0], address[lanes - 1], 4) || (writes && !r.writable)) return nullptr;
    w.count_pages(d, 0, pages_of_access);
    return r.host + (address[0] - r.address);
}

}  // namespace

std::uint8_t* bytes_at(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes) {
    if (d.space == shared_space) return shared_bytes(w, d, lane, address & 0xffffffffu, size, writes);
    if (space_of(d, address) == shared_space) return cluster_bytes(w, d, lane, address & 0xffffffffu, size, writes);
    return global_bytes(w, d, lane, address, size, writes);
}

void load(Worker& w, const Dense& d, Mask m) {
    if (std::uint32_t at[lanes]; d.space == shared_space && shared_addresses(w, d, m, at))
        return load_direct(w, d, at, m, w.block->shared.data());
    std::uint64_t address[lanes];
    addresses(w, d, address);
    note_use(w, d, address, m, false, false);
    if (const std::uint8_t* from = whole_row(w, d, address, m, false)) {
        std::memcpy(w.destination(d), from, sizeof(Row));
        return;
    }
    check_alignment(w, d, address, m, false);
    if (const HostBytes base = direct_base(w, d, address, m, false)) return load_direct(w, d, address, m, base);
    if (d.space == local_space && m == all_lanes && d.bytes >= 4 && is_row(address, std::uint64_t{0})) {
        const std::uint32_t* from = local_words(w, d, 0, address[0], d.bytes, false);
        for (int k = 0; 4 * k < d.bytes; ++k) std::memcpy(w.destination(d, k), from + k * lanes, 4 * lanes);
        return;
    }
    each(m, [&](int l) {
        if (space_of(d, address[l]) == local_space) take_local(w, d, l, address[l]);
        else take(w, d, l, bytes_at(w, d, l, address[l], d.bytes, false));
    });
}

void store(Worker& w, const Dense& d, Mask m) {
    if (std::uint32_t at[lanes]; d.space == shared_space && shared_addresses(w, d, m, at))
        return store_direct(w, d, at, m, w.block->shared.data());
    std::uint64_t address[lanes];
    addresses(w, d, address);
    note_use(w, d, address, m, true, false);
    if (std::uint8_t* to = whole_row(w, d, address, m, true)) {
        std::memcpy(to, w.source(d, 0), sizeof(Row));
        return;
    }
    check_alignment(w, d, address, m, true);
    if (const HostBytes base = direct_base(w, d, address, m, true)) return store_direct(w, d, address, m, base);
    if (d.space == local_space && m == all_lanes && d.bytes >= 4 && is_row(address, std::uint64_t{0})) {
        std::uint32_t* to = local_words(w, d, 0, address[0], d.bytes, true);
        for (int k = 0; 4 * k < d.bytes; ++k) std::memcpy(to + k * lanes, w.source_row(d, 0, k), 4 * lanes);
        return;
    }
    each(m, [&](int l) {
        if (space_of(d, address[l]) == local_space) put_local(w, d, l, address[l]);
        else put(w, d, l, bytes_at(w, d, l, address[l], d.bytes, true));
    });
}

// LDGSTS [R5], desc[UR8][R2.64]: at once, instead of before the next wait. The shared address is a source; a third operand
// that is false writes zeros.
void copy_to_shared(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    check_alignment(w, d, address, m, false);
    const std::uint32_t* to = w.source(d, 0);
    const Mask reads = w.truth(d.read[0]);
    note_use(w, d, address, m & reads, false, false);
    each(m, [&](int l) {
        const std::uint32_t at = to[l] + d.immediate;
        if (at % d.bytes) fail_access(w, d, FaultKind::misaligned, l, at, d.bytes, true, shared_space);
        std::uint8_t* out = shared_bytes(w, d, l, at, d.bytes, true);
        if (reads >> l & 1) std::memcpy(out, global_bytes(w, d, l, address[l], d.bytes, false), d.bytes);
        else std::memset(out, 0, d.bytes);
    });
}

// A constant bank with an index; beyond its end is an illegal address.
void load_constant(Worker& w, const Dense& d, Mask m) {
    const auto bank = w.launch->banks.find(d.bank);
    const std::uint32_t* index = d.base >= 0 ? w.rows[0][d.base].v : nullptr;
    each(m, [&](int l) {
        const std::uint64_t at =
            static_cast<std::uint32_t>((index ? index[l] : 0) + static_cast<std::uint32_t>(d.offset));
        if (bank == w.launch->banks.end() || at + d.bytes > bank->second.size())
            fail_access(w, d, FaultKind::out_of_bounds, l, at, d.bytes, false, generic_space);
        take(w, d, l, bank->second.data() + at);
    });
    if (d.uniform)
        for (int k = 0; k == 0 || 4 * k < d.bytes; ++k)
            for (int l = 0; l < lanes; ++l) w.destination(d, k)[l] = w.destination(d, k)[0];
}

}  // namespace foretell::complete
