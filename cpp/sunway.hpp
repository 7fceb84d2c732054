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
    bool out;  // from the scratchpad to memory, after the computation
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
    Column balance;  // work of the average CPE over that of the busiest
    Column last;     // share of the busiest CPE's work in its last chunk, which some CPEs do not have
    Column floating, fixed, scratchpad, divsqrt;  // instructions of the busiest CPE
    Column ilp;
    Column block_cycles;  // scheduled cycles given directly (SW-7), added to equation (6)
    Column double_buffer;  // 0 or 1
    std::vector<Request> dma;
    std::vector<Request> gload;
    // Where the last chunk is shorter at some point: the whole chunks of the busiest CPE, and that one; `active_cores` of it
    // is how many CPEs have one.
    std::vector<Work> parts;
};

enum class Rounding { none, floor, round, ceil };
enum class Overlap { groups, queue, rounds };

// The decisions of the specification that change a formula; the names are those of the Python options.
struct Rules {
    Rounding mrp = Rounding::floor;          // SW-1
    Rounding groups = Rounding::ceil;        // equation (9)
    bool latency_floor_average = true;       // SW-5: L_avg(r) instead of L_base in (3)
    bool transactions_per_chunk = true;      // SW-4: sum of ceilings instead of ceiling of the sum
    bool divide_unpipelined = true;          // SW-6
    bool double_buffer_consistent = true;    // SW-10: (1-1/n) T_DMA/NG instead of (14)
    bool core_groups_apart = false;          // SW-13: evaluate one group instead of scaling the bandwidth
    Overlap overlap = Overlap::rounds;       // (7)-(9), (14), or a queue: its closed form, or followed round by round
};

// The results, each an array over the points of a block. Times in cycles but time_s.
#define FORETELL_SUNWAY_TERMS(X)                                            \
    X(time_s)                                                               \
    X(total) X(memory) X(dma) X(gload) X(compute)                           \
    X(overlap) X(dma_overlap) X(gload_overlap) X(double_buffer_saving)      \
    X(dma_bandwidth) X(dma_latency) X(gload_bandwidth) X(gload_latency)     \
    X(dma_requests) X(dma_transactions) X(dma_mrp) X(dma_groups)            \
    X(gload_requests) X(gload_transactions) X(gload_mrp) X(gload_groups)    \
    X(dma_bytes) X(gload_bytes) X(core_groups)

// Points are worked on in blocks that stay in the innermost cache.
inline constexpr std::size_t block_size = 64;
using Row = double[block_size];

struct Terms {
#define X(name) Row name;
    FORETELL_SUNWAY_TERMS(X)
#undef X
};

// Terms of points first … first + count - 1, count <= block_size.
void evaluate(const Machine&, const Work&, const Rules&, std::size_t first, std::size_t count, Terms& terms);

// times[i] = seconds of design point i
void sweep(const Machine&, const Work&, const Rules&, std::size_t points, double* times);

}  // namespace foretell::sunway
