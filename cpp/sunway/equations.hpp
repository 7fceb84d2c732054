// The SW26010 static model over columns of design points: equations (1)-(12) and (14), or the closed form of a queue.
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

// Contiguous pieces of one request; each is a separate DMA call (decision SW-4).
#define FORETELL_SUNWAY_CHUNK(X) X(bytes) X(count) X(offset) /* of the first byte from a transaction boundary */

struct Chunk {
#define X(name) Column name;
    FORETELL_SUNWAY_CHUNK(X)
#undef X
};

// `count` requests of one shape, issued by one CPE.
struct Request {
    Column count;
    std::vector<Chunk> chunks;
    bool out;  // from the scratchpad to memory, after the computation
};

// Structs that are passed to Python are listed once, by name (bind/sunway.cpp).

#define FORETELL_SUNWAY_MACHINE(X)                                          \
    X(frequency) /* Hz */                                                   \
    X(bandwidth) /* B/s of one core group */                                \
    X(transaction) /* B */                                                  \
    X(base_latency) /* cycles */                                            \
    X(delta_delay) /* cycles per further transaction */                     \
    X(cores_per_group) /* CPEs of one core group */                         \
    X(core_groups) /* core groups of the machine */                         \
    X(floating) X(fixed) X(scratchpad) X(divsqrt) /* latencies in cycles */

#define FORETELL_SUNWAY_WORK(X)                                                                  \
    X(active_cores) X(balance) /* work of the average CPE over that of the busiest */            \
    X(last) /* share of the busiest CPE's work in its last chunk, which some CPEs do not have */ \
    X(floating) X(fixed) X(scratchpad) X(divsqrt) /* instructions of the busiest CPE */          \
    X(ilp) X(block_cycles) /* scheduled cycles given directly (SW-7), added to equation (6) */   \
    X(double_buffer) /* 0 or 1 */

struct Machine {
#define X(name) Column name;
    FORETELL_SUNWAY_MACHINE(X)
#undef X
};

struct Work {
#define X(name) Column name;
    FORETELL_SUNWAY_WORK(X)
#undef X
    std::vector<Request> dma;
    std::vector<Request> gload;
};

enum class Rounding { none, floor, round, ceil };
enum class Overlap { groups, queue };

// Decisions that change a formula; the names are those of the Python options.
#define FORETELL_SUNWAY_RULES(X)                                                                       \
    X(Rounding, mrp, Rounding::floor) /* SW-1 */                                                       \
    X(Rounding, groups, Rounding::ceil) /* equation (9) */                                             \
    X(bool, latency_floor_average, true) /* SW-5: L_avg(r) instead of L_base in (3) */                 \
    X(bool, transactions_per_chunk, true) /* SW-4: sum of ceilings instead of ceiling of the sum */    \
    X(bool, divide_unpipelined, true) /* SW-6 */                                                       \
    X(bool, double_buffer_consistent, true) /* SW-10: (1-1/n) T_DMA/NG instead of (14) */              \
    X(bool, core_groups_apart, false) /* SW-13: evaluate one group instead of scaling the bandwidth */ \
    X(Overlap, overlap, Overlap::queue) /* (7)-(9) and (14), or the closed form of a queue */

struct Rules {
#define X(type, name, value) type name = value;
    FORETELL_SUNWAY_RULES(X)
#undef X
};

// Results, each an array over the points of a block. Times in cycles except time_s.
#define FORETELL_SUNWAY_TERMS(X)                                                                         \
    X(time_s) X(total) X(memory) X(dma) X(gload) X(compute) X(overlap) X(dma_overlap) X(gload_overlap)   \
    X(double_buffer_saving) X(dma_bandwidth) X(dma_latency) X(gload_bandwidth) X(gload_latency)          \
    X(dma_requests) X(dma_transactions) X(dma_mrp) X(dma_groups) X(gload_requests) X(gload_transactions) \
    X(gload_mrp) X(gload_groups) X(dma_bytes) X(gload_bytes) X(core_groups)

// Points are evaluated in blocks that fit L1.
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
