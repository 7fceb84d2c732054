#include "sunway.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foretell::sunway {

const char* const term_names[term_count] = {
    "time_s",
    "total", "memory", "dma", "gload", "compute",
    "overlap", "dma_overlap", "gload_overlap", "double_buffer_saving",
    "dma_bandwidth", "dma_latency", "gload_bandwidth", "gload_latency",
    "dma_requests", "dma_transactions", "dma_mrp", "dma_groups",
    "gload_requests", "gload_transactions", "gload_mrp", "gload_groups",
    "dma_bytes", "gload_bytes", "core_groups",
};

namespace {

double rounded(double x, Rounding how) {
    switch (how) {
        case Rounding::floor: return std::floor(x);
        case Rounding::round: return std::floor(x + 0.5);
        case Rounding::ceil: return std::ceil(x);
        case Rounding::none: break;
    }
    return x;
}

// The memory system as the requests of one design point see it.
struct Memory {
    double active;              // CPEs that compete
    double cycles_per_transaction;  // c of equation (4)
    double base_latency, delta_delay, transaction;

    double latency(double transactions) const {  // (11)
        return base_latency + (transactions - 1) * delta_delay;
    }
};

// What the requests of one kind (DMA or Gload) cost one CPE.
struct Kind {
    double requests = 0, transactions = 0, bytes = 0;
    double time = 0, bandwidth = 0, latency = 0;
    double mrp = std::numeric_limits<double>::quiet_NaN();
    double groups = std::numeric_limits<double>::quiet_NaN();
    double overlap = 0;
};

// MRT (5) of one request and its bytes.
double transactions_of(const Request& request, double size, bool per_chunk, std::size_t i, double& bytes) {
    double sum = 0;
    bytes = 0;
    for (const Chunk& chunk : request.chunks) {
        const double length = chunk.bytes[i], count = chunk.count[i];
        bytes += length * count;
        if (length > 0) sum += count * std::ceil((std::fmod(chunk.offset[i], size) + length) / size);
    }
    return per_chunk ? sum : std::ceil(bytes / size);
}

Kind kind_of(const std::vector<Request>& requests, const Memory& memory, const Rules& rules, std::size_t i) {
    Kind kind;
    for (const Request& request : requests) {
        double bytes;
        const double mrt = transactions_of(request, memory.transaction, rules.transactions_per_chunk, i, bytes);
        const double count = request.count[i];
        if (mrt <= 0 || count <= 0) continue;  // nothing is moved: the request is dropped (1.4)
        const double bandwidth = memory.active * mrt * memory.cycles_per_transaction;  // (4)
        const double latency = rules.latency_floor_average ? memory.latency(mrt) : memory.base_latency;
        kind.requests += count;
        kind.transactions += count * mrt;
        kind.bytes += count * bytes;
        kind.bandwidth += count * bandwidth;
        kind.latency += count * latency;
        kind.time += count * std::max(latency, bandwidth);  // (3)
    }
    if (kind.requests <= 0) return kind;
    const double average = kind.transactions / kind.requests;  // (12)
    const double real_mrp = memory.latency(average) / (memory.cycles_per_transaction * average);  // (10)
    kind.mrp = std::max(1.0, rounded(real_mrp, rules.mrp));
    kind.groups = std::max(1.0, rounded(memory.active / kind.mrp, rules.groups));  // (9)
    // Fewer than one request per CPE on average has no second request to overlap with.
    const double followers = std::max(0.0, 1 - 1 / kind.requests);
    kind.overlap = (1 - 1 / kind.groups) * followers * kind.time;  // (8)
    return kind;
}

double compute_cycles(const Machine& m, const Work& w, const Rules& rules, std::size_t i) {  // (6)
    const double divide = m.divsqrt[i] * w.divsqrt[i];
    const double other = m.floating[i] * w.floating[i] + m.fixed[i] * w.fixed[i] + m.scratchpad[i] * w.scratchpad[i];
    const double pipelined = rules.divide_unpipelined ? other : other + divide;
    return pipelined / w.ilp[i] + (rules.divide_unpipelined ? divide : 0.0) + w.block_cycles[i];
}

double double_buffer_saving(const Kind& dma, double compute, double overlap, const Rules& rules) {  // (14), SW-10
    if (dma.requests <= 0) return 0;
    const double first_group = dma.time / dma.groups;
    const double hidden = rules.double_buffer_consistent
                              ? std::max(0.0, 1 - 1 / dma.requests) * first_group
                              : first_group;
    return std::min(hidden, compute - overlap);
}

}  // namespace

Terms evaluate(const Machine& m, const Work& w, const Rules& rules, std::size_t i) {
    const double wanted = std::ceil(w.active_cores[i] / m.cores_per_group[i]);
    const double groups = std::max(1.0, std::min(wanted, m.core_groups[i]));
    const double scale = rules.core_groups_apart ? 1.0 : groups;
    const double active = rules.core_groups_apart ? w.active_cores[i] / groups : w.active_cores[i];
    const Memory memory{
        active,
        m.transaction[i] * m.frequency[i] / (m.bandwidth[i] * scale),
        m.base_latency[i],
        m.delta_delay[i],
        m.transaction[i],
    };
    const Kind dma = kind_of(w.dma, memory, rules, i);
    const Kind gload = kind_of(w.gload, memory, rules, i);
    const double compute = compute_cycles(m, w, rules, i);
    const double simple_overlap = std::min(compute, dma.overlap + gload.overlap);  // (7)
    const double saving =
        w.double_buffer[i] != 0 ? double_buffer_saving(dma, compute, simple_overlap, rules) : 0.0;
    const double overlap = simple_overlap + saving;
    const double mem = dma.time + gload.time;       // (2)
    const double total = mem + compute - overlap;   // (1)
    return Terms{
        total / m.frequency[i],
        total, mem, dma.time, gload.time, compute,
        overlap, dma.overlap, gload.overlap, saving,
        dma.bandwidth, dma.latency, gload.bandwidth, gload.latency,
        dma.requests, dma.transactions, dma.mrp, dma.groups,
        gload.requests, gload.transactions, gload.mrp, gload.groups,
        dma.bytes, gload.bytes, groups,
    };
}

void sweep(const Machine& m, const Work& w, const Rules& rules, std::size_t points, double* times) {
    for (std::size_t i = 0; i < points; ++i) times[i] = evaluate(m, w, rules, i).time_s;
}

}  // namespace foretell::sunway
