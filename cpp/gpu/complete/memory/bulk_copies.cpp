// Bulk copies, at once instead of before the end of a phase or of a group of copies; bytes count at the mbarrier.
#include "gpu/complete/memory/bulk_copies.hpp"

#include <cstring>
#include <vector>

#include "gpu/complete/memory/mbarriers.hpp"
#include "gpu/complete/memory/reductions.hpp"

namespace foretell::complete {
namespace {

constexpr std::uint32_t granule = 16, page = 4096;

void check_granule(const Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint64_t size, bool writes,
                   int space) {
    if (address % granule != 0)
        fail_access(w, d, FaultKind::misaligned, lane, address, static_cast<std::uint32_t>(size), writes, space);
}

// What lies at source 1, in global or shared memory.
const std::uint8_t* source_bytes(Worker& w, const Dense& d, int lane, std::uint32_t size) {
    if (d.mode != 0) {
        const std::uint32_t address = uniform_word(w, d, 1);
        check_granule(w, d, lane, address, size, false, shared_space);
        return cluster_bytes(w, d, lane, address, size, false);
    }
    const std::uint64_t address = uniform_address(w, d, 1);
    check_granule(w, d, lane, address, size, false, global_space);
    return copied_bytes(w, d, lane, address, size, false);
}

std::uint8_t* global_target(Worker& w, const Dense& d, int lane, std::uint32_t size) {
    const std::uint64_t address = uniform_address(w, d, 0);
    check_granule(w, d, lane, address, size, true, global_space);
    return copied_bytes(w, d, lane, address, size, true);
}

}  // namespace

std::uint8_t* copied_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint64_t size,
                           bool writes) {
    w.count_pages(d, lane, static_cast<std::int64_t>(size / page));
    return global_bytes(w, d, lane, address, static_cast<std::uint32_t>(size), writes);
}

// UBLKCP.S.G [UR8], [UR6], UR4: from the address in UR6 and UR7 to that in UR8, 16 UR4 bytes (16 bits); UR9 is that of the
// mbarrier. With MULTICAST, the upper half of UR4 are the blocks of the cluster that get it. G.S: to the address in UR8
// and UR9. S.S: from shared memory to that of any block. Modes 0, 1, 2.
void copy_bulk(Worker& w, const Dense& d, Mask m) {
    const int lane = std::countr_zero(m);
    const std::uint32_t given = uniform_word(w, d, 2), size = (given & 0xffff) * granule;
    const std::uint8_t* from = source_bytes(w, d, lane, size);
    if (d.mode == 1) {
        w.count_work(size / granule);
        std::memmove(global_target(w, d, lane, size), from, size);
        return;
    }
    const std::uint32_t to = uniform_word(w, d, 0), object = uniform_word(w, d, 0, 1);
    check_granule(w, d, lane, to, size, true, shared_space);
    each_receiver(to, object, d.flag, given >> 16, [&](std::uint32_t target, std::uint32_t waiting) {
        w.count_work(size / granule);
        std::memmove(cluster_bytes(w, d, lane, target, size, true), from, size);
        advance_object(w, d, lane, waiting, 0, -std::int64_t{size});
    });
}

// UBLKRED.G.S.ADD [UR6], [UR4], UR5: updates global memory. `bank` is the type of the elements, `scale` the operation.
void reduce_bulk(Worker& w, const Dense& d, Mask m) {
    const int lane = std::countr_zero(m);
    const std::uint32_t size = (uniform_word(w, d, 2) & 0xffff) * granule;
    const std::uint8_t* from = source_bytes(w, d, lane, size);
    w.count_work(size / bytes_of(static_cast<Element>(d.bank)));
    reduce_elements(static_cast<Element>(d.bank), static_cast<semantics::Atomic>(d.scale),
                    global_target(w, d, lane, size), from, size);
}

// STAS [R2.64], R4: a store to the address in R2, whose bytes count at the mbarrier in R3.
void store_and_count(Worker& w, const Dense& d, Mask m) {
    const std::uint32_t *to = w.rows[0][d.base].v, *object = w.rows[0][d.base + 1].v;
    each(m, [&](int l) {
        const std::uint32_t address = to[l] + static_cast<std::uint32_t>(d.offset);
        if (address % d.bytes != 0) fail_access(w, d, FaultKind::misaligned, l, address, d.bytes, true, shared_space);
        std::uint8_t* at = cluster_bytes(w, d, l, address, d.bytes, true);
        for (int k = 0; 4 * k < d.bytes; ++k) std::memcpy(at + 4 * k, &w.source_row(d, 0, k)[l], 4);
        advance_object(w, d, l, object[l], 0, -std::int64_t{d.bytes});
    });
}

}  // namespace foretell::complete
