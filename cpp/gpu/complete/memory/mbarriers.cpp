// Arrivals at mbarriers and their phases (PTX ISA, "Parallel Synchronization: mbarrier").
//
// The word: bits 43–62 count arrivals up from 2^20 less those that are expected, bits 1–20 hold where they begin in the next
// phase, bits 21–41 are the bytes that are not awaited (less than none, while some are), bit 63 is the parity of the phase.
// Code of sm_90 begins it so, and reads the arrivals and the parity in the upper half of a state. Bit 0 is ours.
#include "gpu/complete/memory/mbarriers.hpp"

#include <cstring>

namespace foretell::complete {
namespace {

constexpr std::uint64_t counter = (1u << 20) - 1, transaction_counter = (1u << 21) - 1;
constexpr int start_bit = 1, transaction_bit = 21, sign_bit = 41, arrival_bit = 43, phase_bit = 63;

struct Object {
    std::uint64_t start = 0, arrived = 0;
    std::int64_t transactions = 0;
    bool complete = false, phase = false;  // complete: all arrived, bytes are missing

    explicit Object(std::uint64_t word)
        : start(word >> start_bit & counter),
          arrived(word >> arrival_bit & counter),
          transactions(-static_cast<std::int64_t>(word >> transaction_bit & transaction_counter)),
          complete(word & 1),
          phase(word >> phase_bit) {
        if (word >> sign_bit & 1) transactions += std::int64_t{1} << 21;
    }

    std::uint64_t word() const {
        const auto bytes = static_cast<std::uint64_t>(-transactions);
        return static_cast<std::uint64_t>(complete) | start << start_bit |
               (bytes & transaction_counter) << transaction_bit | arrived << arrival_bit |
               static_cast<std::uint64_t>(phase) << phase_bit;
    }

    // False: more threads arrived than were expected.
    bool add(std::uint64_t threads, std::int64_t bytes) {
        transactions += bytes;
        if (threads != 0 && (complete || arrived + threads > counter + 1)) return false;
        complete = complete || (threads != 0 && arrived + threads == counter + 1);
        arrived = (arrived + threads) & counter;
        if (complete && transactions == 0) {
            complete = false;
            phase = !phase;
            arrived = start;
        }
        return true;
    }
};

constexpr std::uint32_t object_bytes = 8;

std::uint8_t* object_at(Worker& w, const Dense& d, int lane, std::uint32_t address) {
    if (address % object_bytes != 0)
        fail_access(w, d, FaultKind::misaligned, lane, address, object_bytes, true, shared_space);
    return cluster_bytes(w, d, lane, address, object_bytes, true);
}

}  // namespace

std::uint64_t read_object(Worker& w, const Dense& d, int lane, std::uint32_t address) {
    std::uint64_t word;
    std::memcpy(&word, object_at(w, d, lane, address), sizeof word);
    return word;
}

std::uint64_t advance_object(Worker& w, const Dense& d, int lane, std::uint32_t address, std::uint32_t arrivals,
                             std::int64_t transactions, bool leaves) {
    std::uint8_t* at = object_at(w, d, lane, address);
    std::uint64_t before;
    std::memcpy(&before, at, sizeof before);
    Object object(before);
    if (leaves) object.start = (object.start + arrivals) & counter;  // they are expected no more
    if (!object.add(arrivals, transactions))
        w.fail(d, FaultKind::illegal, lane, "more threads arrive at an mbarrier than it expects");
    const std::uint64_t after = object.word();
    std::memcpy(at, &after, sizeof after);
    return before;
}

bool has_phase_ended(std::uint64_t word, std::uint32_t state) { return (word >> phase_bit & 1) != (state >> 31 & 1); }

// SYNCS.EXCH.64 URZ, [UR6], UR4: begins a barrier.
void exchange_object(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    each(m & w.active, [&](int l) {
        std::uint8_t* at = object_at(w, d, l, static_cast<std::uint32_t>(address[l]));
        std::uint64_t old;
        const std::uint32_t now[2] = {w.source(d, 0)[l], w.source_row(d, 0, 1)[l]};
        std::memcpy(&old, at, sizeof old);
        std::memcpy(at, now, sizeof now);
        w.destination(d)[l] = static_cast<std::uint32_t>(old);
        w.destination(d, 1)[l] = static_cast<std::uint32_t>(old >> 32);
    });
}

// SYNCS.ARRIVE.TRANS64: `mode` says how many threads arrive (0: none, 1: one, 2: as the source says), `sources` what is
// awaited in bytes (0: nothing, 1: one, 2: the source, 3: the source less).
void arrive_at_object(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    std::uint64_t first_state = 0;
    bool is_first = true;
    each(m, [&](int l) {
        const std::uint32_t given = w.source(d, 0)[l];
        const std::int64_t bytes = d.sources == 0   ? 0
                                   : d.sources == 1 ? 1
                                   : d.sources == 2 ? given
                                                    : -std::int64_t{given};
        const std::uint32_t arrivals = d.mode == 2 ? given : d.mode;
        const std::uint64_t before =
            advance_object(w, d, l, static_cast<std::uint32_t>(address[l]), arrivals, bytes, d.flag);
        if (is_first) first_state = before;
        is_first = false;
        const std::uint64_t state = d.other ? (first_state & ~0xffffffffull) | m : before;  // TMASK: who arrived
        w.destination(d)[l] = static_cast<std::uint32_t>(state);
        w.destination(d, 1)[l] = static_cast<std::uint32_t>(state >> 32);
    });
}

// ARRIVES.LDGSTSBAR: the copies of a lane are done. ARVCNT: it arrives, TRANSCNT: one transaction less.
void copies_arrive(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    each(m, [&](int l) {
        advance_object(w, d, l, static_cast<std::uint32_t>(address[l]), d.flag ? 1 : 0, d.flag ? 0 : -1);
    });
}

}  // namespace foretell::complete
