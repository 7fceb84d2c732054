// The SW26010 static model, equations (1)-(12) and (14), over columns of design points.
#pragma once

#include <cstddef>
#include <vector>

namespace foretell::sunway {

// One parameter over all design points: an array, or one value for all of them (stride 0).
struct Column {
    const double* data;
    std::size_t stride;
    double operator[](std::size_t i) const { return data[i * stride]; }
};

// Contiguous pieces of one request; each is its own DMA call (decision SW-4).
struct Chunk {
    Column bytes;
    Column count;
    Column offset;  // of the first byte from a transaction boundary
};

// `count` requests of one shape, issued by one CPE.
struct Request {
    Column count;
    std::vector<Chunk> chunks;
};

struct Machine {
    Column frequency;        // Hz
    Column bandwidth;        // B/s of one core group
    Column transaction;      // B
    Column base_latency;     // cycles
    Column delta_delay;      // cycles per further transaction
    Column cores_per_group;  // CPEs of one core group
    Column core_groups;      // core groups there are
    Column floating, fixed, scratchpad, divsqrt;  // latencies in cycles
};

struct Work {
    Column active_cores;
    Column floating, fixed, scratchpad, divsqrt;  // instructions of the busiest CPE
    Column ilp;
    Column block_cycles;  // scheduled cycles given directly (SW-7), added to equation (6)
    Column double_buffer;  // 0 or 1
    std::vector<Request> dma;
    std::vector<Request> gload;
};

enum class Rounding { none, floor, round, ceil };

// The decisions of the specification that change a formula; the names are those of the Python options.
struct Rules {
    Rounding mrp = Rounding::floor;          // SW-1
    Rounding groups = Rounding::ceil;        // equation (9)
    bool latency_floor_average = true;       // SW-5: L_avg(r) instead of L_base in (3)
    bool transactions_per_chunk = true;      // SW-4: sum of ceilings instead of ceiling of the sum
    bool divide_unpipelined = true;          // SW-6
    bool double_buffer_consistent = true;    // SW-10: (1-1/n) T_DMA/NG instead of (14)
    bool core_groups_apart = false;          // SW-13: evaluate one group instead of scaling the bandwidth
};

// One row of results; the order is that of `term_names`. Times in cycles.
struct Terms {
    double time_s;
    double total, memory, dma, gload, compute;
    double overlap, dma_overlap, gload_overlap, double_buffer_saving;
    double dma_bandwidth, dma_latency, gload_bandwidth, gload_latency;
    double dma_requests, dma_transactions, dma_mrp, dma_groups;
    double gload_requests, gload_transactions, gload_mrp, gload_groups;
    double dma_bytes, gload_bytes, core_groups;
};
inline constexpr std::size_t term_count = sizeof(Terms) / sizeof(double);
extern const char* const term_names[term_count];

Terms evaluate(const Machine&, const Work&, const Rules&, std::size_t point);

// times[i] = seconds of design point i
void sweep(const Machine&, const Work&, const Rules&, std::size_t points, double* times);

}  // namespace foretell::sunway
