#include "sunway/equations.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/simd.hpp"

// Every step is a plain loop over the points of a block, so that compilers vectorise it.

namespace foretell::sunway {
namespace {

using Size = std::size_t;
constexpr double whole = 1e-6;  // numbers of CPEs are integers except for rounding
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

void load(const Column& column, Size first, Size n, Row out) {
    if (column.stride == 0) {
        std::fill_n(out, n, column.data[0]);
    } else {
        std::memcpy(out, column.data + first, n * sizeof(double));
    }
}

// Memory system as seen by the requests of each point.
struct Memory {
    Row active;                  // competing CPEs …
    Row asking;                  // … and their mean, if some finish earlier
    Row last, last_asking;       // fraction of the work in the last chunk, and CPEs that have one
    Row controllers;             // that share the transactions
    Row crowd;                   // requests that together saturate a controller
    Row gap;                     // between transactions of one request, longer under saturation
    Row cycles_per_transaction;  // c of equation (4)
    Row base_latency, delta_delay, transaction;
};

// DMA requests of one direction: transactions of all shapes together, in the first (or last) round and in all.
struct Direction {
    Row once, total;
};

// Order of DMA requests, which equations (7)-(9) ignore.
struct Flow {
    Row rounds;  // maximum number of requests of one shape
    Direction in, out;
};

// Cost of the requests of one kind (DMA or Gload) for one CPE.
struct Kind {
    Row requests, transactions, bytes;
    Row time, bandwidth, latency;
    Row mrp, groups, overlap;
};

// A set of chunks of one CPE at every point.
struct Side {
    Memory memory;
    Flow flow;
    Kind dma, gload;
};

FORETELL_CLONES
void round_row(Row x, Size n, Rounding how) {
    switch (how) {
        case Rounding::floor:
            for (Size i = 0; i < n; ++i) x[i] = std::floor(x[i]);
            break;
        case Rounding::round:
            for (Size i = 0; i < n; ++i) x[i] = std::floor(x[i] + 0.5);
            break;
        case Rounding::ceil:
            for (Size i = 0; i < n; ++i) x[i] = std::ceil(x[i]);
            break;
        case Rounding::none: break;
    }
}

// MRT (5) of one request, and its bytes.
FORETELL_CLONES
void add_chunk(const double* size, const double* length, const double* count, const double* offset, Size n, Row mrt,
               Row bytes) {
    for (Size i = 0; i < n; ++i) {
        const double start = offset[i] - std::floor(offset[i] / size[i]) * size[i];
        const double pieces = length[i] > 0 ? std::ceil((start + length[i]) / size[i]) : 0.0;
        mrt[i] += count[i] * pieces;
        bytes[i] += count[i] * length[i];
    }
}

FORETELL_CLONES
void transactions_of(const Request& request, const Memory& memory, const Rules& rules, Size first, Size n, Row mrt,
                     Row bytes) {
    std::fill_n(mrt, n, 0.0);
    std::fill_n(bytes, n, 0.0);
    Row length, count, offset;
    for (const Chunk& chunk : request.chunks) {
        load(chunk.bytes, first, n, length);
        load(chunk.count, first, n, count);
        load(chunk.offset, first, n, offset);
        add_chunk(memory.transaction, length, count, offset, n, mrt, bytes);
    }
    if (rules.transactions_per_chunk) return;
    for (Size i = 0; i < n; ++i) mrt[i] = std::ceil(bytes[i] / memory.transaction[i]);
}

FORETELL_CLONES
void add_request(const Memory& m, const double* mrt, const double* bytes, const double* count, bool average_floor,
                 Size n, Kind& kind) {
    for (Size i = 0; i < n; ++i) {
        const double requests = mrt[i] > 0 ? count[i] : 0.0;  // empty requests are dropped (1.4)
        // Data requested less often than once per chunk is requested by all CPEs, also by those with fewer chunks.
        const double asking = requests * m.last[i] < 1 - whole ? m.active[i] : m.asking[i];
        const double bandwidth = asking * mrt[i] * m.cycles_per_transaction[i];  // (4)
        const double own = m.base_latency[i] + (mrt[i] - 1) * m.delta_delay[i];  // (11) at this request's MRT
        const double latency = average_floor ? own : m.base_latency[i];
        kind.requests[i] += requests;
        kind.transactions[i] += requests * mrt[i];
        kind.bytes[i] += requests * bytes[i];
        kind.bandwidth[i] += requests * bandwidth;
        kind.latency[i] += requests * latency;
        kind.time[i] += requests * std::max(latency, bandwidth);  // (3)
    }
}

FORETELL_CLONES
void real_mrp(const Memory& m, Size n, Kind& kind) {
    for (Size i = 0; i < n; ++i) {
        const double average = kind.transactions[i] / kind.requests[i];               // (12)
        const double latency = m.base_latency[i] + (average - 1) * m.delta_delay[i];  // (11)
        kind.mrp[i] = latency / (m.cycles_per_transaction[i] * average);              // (10)
    }
}

FORETELL_CLONES
void overlap(Size n, Kind& kind) {
    for (Size i = 0; i < n; ++i) {
        const bool any = kind.requests[i] > 0;
        // With fewer than one request per CPE on average, there is no second request to overlap with.
        const double followers = std::max(0.0, 1 - 1 / kind.requests[i]);
        const double share = (1 - 1 / kind.groups[i]) * followers;  // (8)
        kind.overlap[i] = any ? share * kind.time[i] : 0.0;
        kind.mrp[i] = any ? kind.mrp[i] : undefined;
        kind.groups[i] = any ? kind.groups[i] : undefined;
    }
}

FORETELL_CLONES
void group(const Memory& memory, const Rules& rules, Size n, Kind& kind) {
    real_mrp(memory, n, kind);
    round_row(kind.mrp, n, rules.mrp);
    for (Size i = 0; i < n; ++i) {
        kind.mrp[i] = std::max(1.0, kind.mrp[i]);
        kind.groups[i] = memory.active[i] / kind.mrp[i];  // (9)
    }
    round_row(kind.groups, n, rules.groups);
    for (Size i = 0; i < n; ++i) kind.groups[i] = std::max(1.0, kind.groups[i]);
}

FORETELL_CLONES
void add_flow(const double* mrt, const double* count, Size n, Flow& flow, Direction& direction) {
    for (Size i = 0; i < n; ++i) {
        const double requests = mrt[i] > 0 ? count[i] : 0.0;
        flow.rounds[i] = std::max(flow.rounds[i], requests);
        direction.once[i] += std::min(1.0, requests) * mrt[i];
        direction.total[i] += requests * mrt[i];
    }
}

void kind_of(const std::vector<Request>& requests, const Memory& memory, const Rules& rules, Size first, Size n,
             Kind& kind, Flow* flow) {
    for (double* row : {kind.requests, kind.transactions, kind.bytes, kind.time, kind.bandwidth, kind.latency})
        std::fill_n(row, n, 0.0);
    if (requests.empty()) {
        std::fill_n(kind.overlap, n, 0.0);
        std::fill_n(kind.mrp, n, undefined);
        std::fill_n(kind.groups, n, undefined);
        return;
    }
    Row mrt, bytes, count;
    for (const Request& request : requests) {
        transactions_of(request, memory, rules, first, n, mrt, bytes);
        load(request.count, first, n, count);
        add_request(memory, mrt, bytes, count, rules.latency_floor_average || rules.overlap != Overlap::groups, n,
                    kind);
        if (flow != nullptr) add_flow(mrt, count, n, *flow, request.out ? flow->out : flow->in);
    }
    group(memory, rules, n, kind);
    overlap(n, kind);
}

FORETELL_CLONES
void compute_cycles(const Machine& m, const Work& w, const Rules& rules, Size first, Size n, Row out) {  // (6)
    const Column* const latencies[] = {&m.floating, &m.fixed, &m.scratchpad, &m.divsqrt};
    const Column* const counts[] = {&w.floating, &w.fixed, &w.scratchpad, &w.divsqrt};
    Row pipelined, apart, latency, count;
    std::fill_n(pipelined, n, 0.0);
    std::fill_n(apart, n, 0.0);
    for (Size type = 0; type < 4; ++type) {
        load(*latencies[type], first, n, latency);
        load(*counts[type], first, n, count);
        double* sum = rules.divide_unpipelined && type == 3 ? apart : pipelined;
        for (Size i = 0; i < n; ++i) sum[i] += latency[i] * count[i];
    }
    Row ilp, blocks;
    load(w.ilp, first, n, ilp);
    load(w.block_cycles, first, n, blocks);
    for (Size i = 0; i < n; ++i) out[i] = pipelined[i] / ilp[i] + apart[i] + blocks[i];
}

FORETELL_CLONES
void see_memory(const Machine& m, const Work& w, const Rules& rules, Size first, Size n, Memory& memory, Row groups) {
    Row frequency, bandwidth, per_group, available, balance;
    load(w.balance, first, n, balance);
    load(w.last, first, n, memory.last);
    load(m.frequency, first, n, frequency);
    load(m.bandwidth, first, n, bandwidth);
    load(m.cores_per_group, first, n, per_group);
    load(m.core_groups, first, n, available);
    load(m.transaction, first, n, memory.transaction);
    load(m.base_latency, first, n, memory.base_latency);
    load(m.delta_delay, first, n, memory.delta_delay);
    load(w.active_cores, first, n, memory.active);
    for (Size i = 0; i < n; ++i) {
        const double wanted = std::ceil(memory.active[i] / per_group[i]);
        groups[i] = std::max(1.0, std::min(wanted, available[i]));
        const double scale = rules.core_groups_apart ? 1.0 : groups[i];  // SW-13
        memory.active[i] = rules.core_groups_apart ? memory.active[i] / groups[i] : memory.active[i];
        // Under saturation, a request is served after all others, not after its own delay.
        const double one = memory.transaction[i] * frequency[i] / bandwidth[i];
        const double least = std::max(memory.delta_delay[i], one);
        const double turns = std::ceil(least / one);
        memory.controllers[i] = scale;
        memory.crowd[i] = turns * scale;
        memory.gap[i] = memory.active[i] >= memory.crowd[i] ? turns * one : least;
        memory.asking[i] = memory.active[i] * (rules.overlap != Overlap::groups ? balance[i] : 1.0);
        memory.last_asking[i] = memory.active[i] * (balance[i] - 1 + memory.last[i]) / memory.last[i];
        memory.cycles_per_transaction[i] = memory.transaction[i] * frequency[i] / (bandwidth[i] * scale);
    }
}

// Overlap of (7), (8) and (14): everything except the first group's share and the last request's.
FORETELL_CLONES
void virtual_groups(const Kind& dma, const Kind& gload, const double* double_buffer, bool consistent, Size n,
                    Terms& t) {
    for (Size i = 0; i < n; ++i) {
        const double compute = t.compute[i];
        const double simple = std::min(compute, dma.overlap[i] + gload.overlap[i]);  // (7)
        const double first_group = dma.requests[i] > 0 ? dma.time[i] / dma.groups[i] : 0.0;
        const double followers = dma.requests[i] > 0 ? std::max(0.0, 1 - 1 / dma.requests[i]) : 0.0;
        const double hidden = consistent ? followers * first_group : first_group;  // SW-10, (14)
        const double saving = double_buffer[i] != 0 ? std::min(hidden, compute - simple) : 0.0;
        t.double_buffer_saving[i] = saving;
        t.overlap[i] = simple + saving;
    }
}

// One CPE's requests and computation in a FIFO queue, in closed form.
struct Round {
    double cores, crowd, service, base, gap;  // parameters of memory
    double rounds;
    double first_in, last_out;  // transactions in the first round, and in the last
    double in, out;             // in every other round
    double compute;             // cycles of a round

    double latency(double transactions) const { return transactions > 0 ? base + (transactions - 1) * gap : 0.0; }
    // Wait of the last of `asking` simultaneous CPEs beyond its own latency: for the groups before its own, and for its
    // position in that.
    double wave(double transactions, double asking) const {
        if (transactions <= 0) return 0.0;
        const double before = std::max(0.0, std::ceil(asking - whole) - 1), crowds = std::floor(before / crowd);
        return service * (crowds * crowd * transactions + before - crowds * crowd);
    }
    // A transfer out that is immediately followed by one in queues behind those of all others; in each round, a
    // fraction of the CPEs gets ahead of the others.
    double convoy(double asking) const {
        if (in <= 0 || out <= 0) return 0.0;
        const double ahead = 2 * in / (out + std::sqrt(out * out + 4 * in * in));
        const double behind = std::pow(1 - ahead, rounds - 1);
        return std::max(0.0, (asking * out - 1) * service - (out - 1) * gap) * (1 - behind) / ahead;
    }
    // With one buffer, transfers that only the first round has are served first, to all CPEs.
    double waits(double asking, bool two_buffers) const {
        if (two_buffers) return wave(first_in, asking);
        return wave(first_in - in, cores) + wave(in, asking) + convoy(asking);
    }
    // With two buffers, a round takes the maximum of its parts.
    double alone_double() const {
        const double period = std::max({compute, latency(in), (compute + latency(out)) / 2});
        return latency(first_in) + (rounds - 1) * period + compute + latency(last_out);
    }
    // Remaining work of the CPE served last when memory has served the others: with two buffers all of the last round,
    // and unsent transfers of the previous one; with one, those that compute or have queued since.
    double tail(bool two_buffers) const {
        const double all = cores * service * out, period = cores * service * (in + out);
        double others = all;
        if (rounds > 1 && period > 0)
            others = two_buffers ? all * (1 + std::min(1.0, compute / period))
                                 : std::max(compute, (period + compute) / 2) * out / (in + out);
        return std::max(0.0, compute + latency(out) - others);
    }
};

// Mean over the other rounds, given `total` in all rounds and `once` in one of them.
double each(const Direction& direction, double rounds, Size i) {
    return rounds > 1 ? std::max(0.0, direction.total[i] - direction.once[i]) / (rounds - 1) : direction.once[i];
}

Round round_of(const Memory& m, const Flow& flow, const Kind& gload, double compute, Size i) {
    const double rounds = std::max(1.0, flow.rounds[i]);
    return {m.active[i],
            m.crowd[i],
            m.cycles_per_transaction[i],
            m.base_latency[i],
            m.gap[i],
            rounds,
            flow.in.once[i],
            flow.out.once[i],
            each(flow.in, rounds, i),
            each(flow.out, rounds, i),
            (compute + gload.latency[i]) / rounds};
}

// Time of direct loads without transfers: that of a CPE alone, or of saturated memory; in the latter case, the CPE
// served last still executes the work after a load, or as much of it as memory takes.
double loads_only(double busy, double answer, double compute, double latency, double loads) {
    const double alone = compute + latency, tail = std::min(compute, busy) / std::max(1.0, loads);
    return busy > 0 ? std::max(alone, busy + answer + tail) : alone;
}

// Time: maximum of saturated memory and of a CPE with its waiting.
double in_queue(const Side& side, const double* compute, bool two_buffers, Size i) {
    const auto& [m, flow, dma, gload] = side;
    const Round round = round_of(m, flow, gload, compute[i], i);
    const double busy = dma.bandwidth[i] + gload.bandwidth[i];
    const double answer = std::max(0.0, round.base - round.service);
    if (flow.rounds[i] == 0) return loads_only(busy, answer, compute[i], gload.latency[i], gload.requests[i]);
    const double further = (dma.transactions[i] - dma.requests[i]) * std::max(0.0, m.gap[i] - m.delta_delay[i]);
    const double serial = compute[i] + dma.latency[i] + gload.latency[i] + further;
    const double per_core = (dma.transactions[i] + gload.transactions[i]) * m.cycles_per_transaction[i];
    const double alone = two_buffers ? std::min(serial, round.alone_double()) : serial;
    const double never_rests = busy > 0 ? busy + answer + (busy > alone ? round.tail(two_buffers) : 0.0) : 0.0;
    // CPEs with one more chunk request first; the others wait longer and do less.
    const double first = alone + round.waits(m.last_asking[i], two_buffers);
    const double others = (1 - m.last[i]) * alone + round.waits(m.active[i], two_buffers);
    // All CPEs first, then those with one more chunk.
    const double in_turn = (1 - m.last[i]) * std::max(m.active[i] * per_core, alone) +
                           m.last[i] * std::max(m.last_asking[i] * per_core, alone);
    const double none = dma.time[i] + gload.time[i] + compute[i];
    const double longest = std::max(none, serial) + answer;  // the first data is in flight
    return std::min(longest, std::max({never_rests, first, others, in_turn}));
}

void queue(Side& side, const double* double_buffer, Size n, Terms& t) {
    auto& [m, flow, dma, gload] = side;
    for (Size i = 0; i < n; ++i) {
        const bool two = double_buffer[i] != 0;
        const double plain = in_queue(side, t.compute, false, i);
        const double now = two ? std::min(plain, in_queue(side, t.compute, true, i)) : plain;
        t.double_buffer_saving[i] = plain - now;
        t.overlap[i] = dma.time[i] + gload.time[i] + t.compute[i] - now;
        if (two) dma.latency[i] = std::min(dma.latency[i], now - gload.latency[i]);
    }
}

FORETELL_CLONES
void compose(const Kind& dma, const Kind& gload, const double* frequency, Size n, Terms& t) {
    for (Size i = 0; i < n; ++i) {
        t.memory[i] = dma.time[i] + gload.time[i];               // (2)
        t.total[i] = t.memory[i] + t.compute[i] - t.overlap[i];  // (1)
        t.time_s[i] = t.total[i] / frequency[i];
    }
}

void solve(const Machine& m, const Work& w, const Rules& rules, Size first, Size n, Side& side, Terms& t) {
    Row frequency, double_buffer;
    see_memory(m, w, rules, first, n, side.memory, t.core_groups);
    side.flow = {};
    kind_of(w.dma, side.memory, rules, first, n, side.dma, &side.flow);
    kind_of(w.gload, side.memory, rules, first, n, side.gload, nullptr);
    compute_cycles(m, w, rules, first, n, t.compute);
    load(m.frequency, first, n, frequency);
    load(w.double_buffer, first, n, double_buffer);
    if (rules.overlap == Overlap::queue) {
        queue(side, double_buffer, n, t);
    } else {
        virtual_groups(side.dma, side.gload, double_buffer, rules.double_buffer_consistent, n, t);
    }
    compose(side.dma, side.gload, frequency, n, t);
}

}  // namespace

void evaluate(const Machine& m, const Work& w, const Rules& rules, Size first, Size n, Terms& t) {
    Side side;
    solve(m, w, rules, first, n, side, t);
    const auto& [memory, flow, dma, gload] = side;
#define KIND_TERMS(X) X(requests) X(transactions) X(bytes) X(bandwidth) X(latency) X(mrp) X(groups) X(overlap)
#define X(name)                             \
    std::copy_n(dma.name, n, t.dma_##name); \
    std::copy_n(gload.name, n, t.gload_##name);
    KIND_TERMS(X)
#undef X
    std::copy_n(dma.time, n, t.dma);
    std::copy_n(gload.time, n, t.gload);
}

void sweep(const Machine& m, const Work& w, const Rules& rules, Size points, double* times) {
    Terms terms;
    Side side;
    for (Size first = 0; first < points; first += block_size) {
        const Size n = std::min(block_size, points - first);
        solve(m, w, rules, first, n, side, terms);
        std::memcpy(times + first, terms.time_s, n * sizeof(double));
    }
}

}  // namespace foretell::sunway
