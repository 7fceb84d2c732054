// Shadow memory: level and write time of every value in the program's memory, and detection of loop-carried
// dependences. Part of runtime.cpp.
#pragma once

#include <sys/mman.h>

#include "pages.hpp"
#include "runtime.hpp"

namespace foretell::trace {
namespace {

Frame frames[kDepth + 1];
std::uint64_t** byte_cells = nullptr;  // address >> 20 -> Cell of each byte, where bytes were written separately
std::uint64_t** read_times = nullptr;  // address >> 20 -> time of the last read of each cell, on request

Cell* cell_of(std::uint64_t address) {
    const std::uint64_t bias = ft_chunks[(address & ((1ull << kAddress) - 1)) >> kChunk];
    return bias == 0 ? nullptr : reinterpret_cast<Cell*>(bias + 2 * (address & ~3ull));
}

// Offset to add to twice an address to find its cells; allocates them on demand.
std::uint64_t need_chunk(std::uint64_t address) {
    const std::uint64_t chunk = (address & ((1ull << kAddress) - 1)) >> kChunk;
    if (ft_chunks[chunk] == 0) {
        const std::size_t bytes = std::size_t{2} << kChunk;
        auto* reserved = pages<char>(2 * bytes);  // so that a whole huge page fits
        const std::uint64_t start = (reinterpret_cast<std::uint64_t>(reserved) + bytes - 1) & ~(bytes - 1);
        const std::uint64_t base = reinterpret_cast<std::uint64_t>(reserved);
        if (start > base) munmap(reserved, start - base);
        if (start < base + bytes) munmap(reinterpret_cast<void*>(start + bytes), base + bytes - start);
        madvise(reinterpret_cast<void*>(start), bytes, MADV_HUGEPAGE);
        ft_chunks[chunk] = start - 2 * (chunk << kChunk);
    }
    return ft_chunks[chunk];
}

Cell* need_cell(std::uint64_t address) { return reinterpret_cast<Cell*>(need_chunk(address) + 2 * (address & ~3ull)); }

Cell* byte_of(std::uint64_t address) {
    std::uint64_t*& chunk = byte_cells[(address & ((1ull << kAddress) - 1)) >> kChunk];
    if (chunk == nullptr) chunk = pages<std::uint64_t>(std::size_t{1} << kChunk);
    return reinterpret_cast<Cell*>(chunk + (address & ((1u << kChunk) - 1)));
}

// Interval of ft_bounds that contains a time, from the innermost loop outwards.
std::uint32_t interval(std::uint32_t time) {
    std::uint32_t at = 2 * static_cast<std::uint32_t>(ft_frame - frames);
    while (time < ft_bounds[at]) --at;
    return at;
}

// Odd intervals are earlier iterations of a running loop: it carries the dependence.
std::uint32_t record(std::uint32_t time, Carried kind, std::uint32_t line) {
    const std::uint32_t at = interval(time);
    if (at & 1) {
        Loop* loop = frames[(at + 1) / 2].loop;
        if (!(loop->carried & (1u << kind))) loop->lines[kind] = line;
        loop->carried |= 1u << kind;
    }
    return at;
}

void rebase_cells(Cell* cells, std::size_t count) {
    for (std::size_t at = 0; at < count; ++at) {
        const std::uint32_t written = cells[at].written;
        if (written != 0 && written != kMixed) cells[at].written = 4 * interval(written) + (written & 1);
    }
}

// Renumbers times that no longer fit in 32 bits: only their order relative to the running loops matters.
void rebase() {
    for (std::uint64_t at = 0; at < 1ull << (kAddress - kChunk); ++at) {
        if (ft_chunks[at])
            rebase_cells(reinterpret_cast<Cell*>(ft_chunks[at] + 2 * (at << kChunk)), 1u << (kChunk - 2));
        if (byte_cells[at]) rebase_cells(reinterpret_cast<Cell*>(byte_cells[at]), 1u << kChunk);
        if (read_times != nullptr && read_times[at])
            rebase_cells(reinterpret_cast<Cell*>(read_times[at]), 1u << (kChunk - 2));
    }
    const std::uint32_t last = 2 * static_cast<std::uint32_t>(ft_frame - frames);
    for (std::uint32_t at = 0; at <= last; ++at) ft_bounds[at] = 4 * at;
    ft_now = 4 * last + 2;
}

struct Known {
    std::uint32_t level = 0;
    std::uint32_t written = 0;
    void join(Cell cell) {
        if (cell.level > level) level = cell.level;
        if (cell.written > written) written = cell.written;
    }
};

Known load_bytes(std::uint64_t address, std::uint64_t size) {
    Known joined;
    for (std::uint64_t at = address; at < address + size;) {
        const Cell* cell = cell_of(at);
        const std::uint64_t next = (at | 3) + 1;
        if (cell != nullptr && cell->level == kMixed) {
            for (std::uint64_t byte = at; byte < next && byte < address + size; ++byte) joined.join(*byte_of(byte));
        } else if (cell != nullptr) {
            joined.join(*cell);
        }
        at = next;
    }
    return joined;
}

// Whether all bytes of an access were written by one store.
bool uniform(std::uint64_t address, std::uint64_t size) {
    const Cell* cell = cell_of(address);
    if (cell == nullptr || cell->level == kMixed) return false;
    return size <= 4 || (cell[0].level == cell[1].level && cell[0].written == cell[1].written);
}

void store_part(Cell* cell, std::uint64_t first, std::uint64_t last, Cell value) {
    if (cell->level != kMixed) {
        for (std::uint64_t byte = first & ~3ull; byte < (first & ~3ull) + 4; ++byte) *byte_of(byte) = *cell;
        *cell = {kMixed, kMixed};
    }
    for (std::uint64_t byte = first; byte < last; ++byte) *byte_of(byte) = value;
}

void store_bytes(std::uint64_t address, std::uint64_t size, Cell value) {
    for (std::uint64_t at = address; at < address + size;) {
        const std::uint64_t next = (at | 3) + 1;
        Cell* cell = need_cell(at);
        if ((at & 3) == 0 && next <= address + size) {
            *cell = value;
        } else {
            store_part(cell, at, next < address + size ? next : address + size, value);
        }
        at = next;
    }
}

void copy_one(std::uint64_t target, std::uint64_t source, std::uint64_t size, std::uint32_t line) {
    const Known known = load_bytes(source, size);
    record(known.written, kRaw, line);
    store_bytes(target, size, {known.level, ft_now});
}

void copy_levels(std::uint64_t target, std::uint64_t source, std::uint64_t size, std::uint32_t line) {
    const std::uint64_t step = ((target | source | size) & 3) == 0 ? 4 : 1;
    if (target <= source) {
        for (std::uint64_t at = 0; at < size; at += step) copy_one(target + at, source + at, step, line);
    } else {
        for (std::uint64_t at = size; at > 0; at -= step) copy_one(target + at - step, source + at - step, step, line);
    }
}

}  // namespace
}  // namespace foretell::trace
