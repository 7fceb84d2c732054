// The counter-based model of Raexplore (Section 3), over columns of design points.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "common/box.hpp"
#include "common/fields.hpp"

namespace foretell::counters {

// Counters of one code block on the baseline: totals over all cores, time in elapsed cycles. `half_window`: time of the
// block with half of the reorder window, relative to the full window; at least 1.
#define FORETELL_COUNTERS_EVENTS(X)                                                           \
    X(time) X(int_instructions) X(fp_instructions) X(divides) X(roots) X(accesses) X(l1_hits) \
    X(mid_hits) X(llc_hits) X(line_loads) X(line_stores) X(half_window)

struct Events {
    FORETELL_FIELDS(FORETELL_COUNTERS_EVENTS)
};

// Miss curve of a block: misses in a cache of a given size, at ascending sizes, both as logarithms. Interpolates with a
// power law between two sizes, constant beyond the ends. Without points: square-root law. `loop_misses` of them are the
// first accesses of parallel loops to their data, `loop_bytes` each (0: unknown), which is divided among the threads
// that split a loop.
struct Curve {
    std::vector<double> log_size, log_misses;
    double loop_bytes = 0, loop_misses = 0;
};

// Role of the level between L1 and LLC: absent, a prefetch buffer whose hits are proportional to the L1 misses,
// or a cache with a miss rate of its own.
enum class Middle { none, buffer, cache };

// Parts of the model that depend on a parameter of the target: a sweep recomputes them when the parameter changes.
enum Part : unsigned {
    each_block = 0,
    launch = 1,
    l1_scale = 2,
    mid_scale = 4,
    llc_scale = 8,
    traffic = 16,
    pace = 32,
    work = 64
};

// Parameters of both machines: X(name, parts). Frequency in Hz, latencies and gaps in cycles, bandwidths in B/s, line
// in B.
#define FORETELL_COUNTERS_MACHINE(X)                                                                       \
    X(frequency, traffic) X(streams_per_thread, launch | pace) X(cores, launch)                            \
    X(threads_per_core, launch) /* active; cores of the target nan: all */                                 \
    X(int_latency, pace) X(fp_latency, pace) X(l1_latency, each_block) X(mid_latency, each_block)          \
    X(llc_latency, each_block) X(memory_latency, each_block) X(bandwidth, traffic)                         \
    X(core_bandwidth, traffic) /* of one core; 0: unknown */                                               \
    X(line, traffic) X(streaming_cores, launch) /* in the measurement of the bandwidth */                  \
    X(served_cores, launch) /* that saturate it; 0: unknown */                                             \
    /* reciprocal throughputs in cycles */                                                                 \
    X(int_gap, work) X(fp_gap, work) X(divide_gap, work) X(root_gap, work) X(load_gap, work)               \
    X(issue_gap, work) X(sharing, launch) /* threads on the slowest thread's core, per threads_per_core */ \
    X(own_sharing, launch) /* those on its path to memory */                                               \
    X(corunners, launch) /* of other tenants, in addition */

// Baseline machine; shares are the bytes of a level available to one thread.
#define FORETELL_COUNTERS_BASE(X) FORETELL_COUNTERS_MACHINE(X) X(l1_share) X(mid_share) X(llc_share)

struct Base {
    FORETELL_FIELDS(FORETELL_COUNTERS_BASE)
};

// Target machine.
#define FORETELL_COUNTERS_TARGET(X)                                                    \
    FORETELL_COUNTERS_MACHINE(X) X(core_count, launch) X(max_threads_per_core, launch) \
    X(threads, launch) /* nan: `cores` gives the active cores */                       \
    X(l1_size, l1_scale) X(mid_size, mid_scale) X(llc_size, llc_scale)                 \
    /* shared_by 0: one instance for all cores */                                      \
    X(l1_shared_by, l1_scale) X(mid_shared_by, mid_scale) X(llc_shared_by, llc_scale)  \
    X(llc_together, llc_scale) /* all cores; 0: llc_size for all */                    \
    /* instructions over the baseline's; alpha nan: derived */                         \
    X(alpha, work) X(beta, pace) X(gamma, pace)

enum Parameter : std::size_t {
#define X(name, parts) name##_,
    FORETELL_COUNTERS_TARGET(X)
#undef X
        target_columns
};

// One column per `Parameter`.
using Target = std::array<Column, target_columns>;

// Decisions of the specification that change a formula: X(name, default); names are those of the Python options.
#define FORETELL_COUNTERS_RULES(X)                                                             \
    X(core_ratio, true) /* R-1 */                                                              \
    X(count_threads, true) /* R-2: ILP at one thread decreases with the threads removed */     \
    X(queue_threads, true) /* threads of a core queue, instead of adding instructions to it */ \
    X(out_of_order, false) /* they also share the reorder window */                            \
    X(queue_memory, true) /* threads queue at memory, instead of adding its time at the end */ \
    X(floors, true) /* R-2, R-3: ILP and MLP are at least one */                               \
    X(cap_ipc, true) /* R-4 */                                                                 \
    X(local_miss_rates, false) /* R-6 */                                                       \
    X(target_line, false) /* R-7 */                                                            \
    X(scale_traffic, true) /* R-8 */                                                           \
    X(clamp_overlap, true) /* R-9 */                                                           \
    X(calibrate, true) /* R-9b, and issue width */

struct Rules {
#define X(name, value) bool name = value;
    FORETELL_COUNTERS_RULES(X)
#undef X
    Middle middle = Middle::none;
};

// Baseline analysis of one block (cycles): X(field, name in the paper).
#define FORETELL_COUNTERS_ANALYSIS(X)                                                                    \
    X(int_per_core, int_per_core) X(fp_per_core, fp_per_core) X(ail, aIL) X(time_inst_min, timeInst_min) \
    X(time_inst_max, timeInst_max) X(time_inst, timeInst) X(ipc, IPC) X(ilp, ILP) X(inst, instC)         \
    X(aml, aML) X(time_lat, timeLat) X(mpc, MPC) X(mlp, MLP) X(access_per_inst, accessPerInst)           \
    X(bandwidth_per_cycle, bwCC) X(time_bw, timeBW) X(time_mem, timeMem) X(overlap, timeOverlap)         \
    /* calibrated; 1 if the machine explains the counts */                                               \
    X(issue_width, issue_width) X(access_width, access_width) X(traffic_factor, traffic_factor)

struct Analysis {
    FORETELL_RENAMED_FIELDS(FORETELL_COUNTERS_ANALYSIS)
};

// Prediction of one block (cycles of the target): X(field, name in the paper); miss and memory rates are per access.
#define FORETELL_COUNTERS_TERMS(X)                                                                      \
    X(time, time) X(inst, instC) X(ail, aIL) X(ilp, ILP) X(ipc, IPC) X(time_inst, timeInst)             \
    X(time_int, timeInstInt) X(time_fp, timeInstFP) X(l1_rate, L1) X(mid_rate, middle) X(llc_rate, LLC) \
    X(memory_rate, memory) X(aml, aML) X(mlp, MLP) X(mpc, MPC) X(time_lat, timeLat) X(time_bw, timeBW)  \
    X(time_mem, timeMem) X(lambda, lambda) X(overlap_raw, overlap_unclamped) X(overlap, timeOverlap)    \
    /* a core's use of each, and the slowdown of its work by other threads */                           \
    X(pipeline, timePipeline) X(path, timePath) X(slots, timeSlots) X(stretch, stretch)

struct Terms {
    FORETELL_RENAMED_FIELDS(FORETELL_COUNTERS_TERMS)
};

Analysis analyse(const Events&, const Base&, const Rules&);

// Terms of one block at the first design point. Time is infinite where the point is infeasible.
Terms evaluate(const Events&, const Curve&, const Base&, const Target&, const Rules&);

// times[i] = seconds of design point i of a box, summed over all blocks.
void sweep(const std::vector<Events>&, const std::vector<Curve>&, const Base&, const Target&, const Rules&,
           const Shape&, double* times);

}  // namespace foretell::counters
