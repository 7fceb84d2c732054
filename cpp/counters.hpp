// The counter-based model of Raexplore (Section 3), over columns of design points.
#pragma once

#include <cstddef>
#include <vector>

#include "box.hpp"

namespace foretell::counters {

// What the counters saw of one code block on the baseline: totals over all cores, time in elapsed cycles.
struct Events {
    double time, int_instructions, fp_instructions, divides, roots;
    double accesses, l1_hits, mid_hits, llc_hits;
    double line_loads, line_stores;
    double half_window;  // what a core with half of its window takes for the block, over what it takes with all of it; from 1 on
};

// Accesses of a block that a cache of so many bytes does not serve, at growing sizes, both as logarithms. Between two
// sizes it is a power law of its own; beyond the ends it stays. Without points it is the square root of the size.
// `loop_misses` of them are the first accesses of parallel loops to what they touch, `loop_bytes` each (0: not known): threads
// that split a loop have a part of that each.
struct Curve {
    std::vector<double> log_size, log_misses;
    double loop_bytes = 0, loop_misses = 0;
};

// How the level between L1 and LLC takes part: not at all, as a prefetch buffer whose hits follow the L1
// misses, or as a cache with a miss rate of its own.
enum class Middle { none, buffer, cache };

// The machine that was measured, and how much of it was used.
struct Base {
    double frequency, cores, threads_per_core, streams_per_thread;
    double int_latency, fp_latency;
    double l1_latency, mid_latency, llc_latency, memory_latency;  // cycles
    double l1_share, mid_share, llc_share;                        // bytes of one thread
    double bandwidth, core_bandwidth, line;                       // B/s (of one core: 0 if not known), B
    double streaming_cores, served_cores;  // that its bandwidth was measured with; whose streams take all of it (0: not known)
    double int_gap, fp_gap, divide_gap, root_gap, load_gap, issue_gap;  // cycles that an instruction keeps a pipeline
    // threads on the slowest one's core, for each of threads_per_core; those on its path to memory; strangers beside them
    double sharing, own_sharing, strangers;
};

// The machine that is asked about. `shared_by` 0: one instance for all cores, however many there are.
struct Target {
    Column frequency, core_count, max_threads_per_core, streams_per_thread;
    Column int_latency, fp_latency;
    Column l1_latency, mid_latency, llc_latency, memory_latency;
    Column l1_size, l1_shared_by, mid_size, mid_shared_by, llc_size, llc_shared_by;
    Column llc_together;      // of all cores, where one alone gets only llc_size; 0: llc_size is for all
    Column bandwidth, core_bandwidth, line, streaming_cores, served_cores;
    Column int_gap, fp_gap, divide_gap, root_gap, load_gap, issue_gap, sharing, own_sharing, strangers;
    Column threads;           // nan: `cores` says how many cores are used
    Column cores;             // nan: all
    Column threads_per_core;
    Column alpha, beta, gamma;  // instruction counts of the target over the baseline's; alpha nan: follows
};
inline constexpr std::size_t target_columns = sizeof(Target) / sizeof(Column);

// The decisions of the specification that change a formula; the names are those of the Python options.
struct Rules {
    bool core_ratio = true;
    bool count_threads = true;       // ILP at one thread falls by the threads that go
    bool queue_threads = true;       // threads of a core wait for each other, instead of adding instructions to it
    bool out_of_order = false;       // they share a window of instructions, too
    bool queue_memory = true;        // threads wait for each other at memory, instead of taking its time after all others
    bool floors = true;              // ILP and MLP stay at one
    bool cap_ipc = true;
    bool local_miss_rates = false;
    bool target_line = false;
    bool scale_traffic = true;
    bool clamp_overlap = true;
    bool calibrate = true;           // R-9b, and issue width
    Middle middle = Middle::none;
};

// Baseline analysis of one block (cycles).
struct Analysis {
    double int_per_core, fp_per_core, ail;
    double time_inst_min, time_inst_max, time_inst, ipc, ilp, inst;
    double aml, time_lat, mpc, mlp, access_per_inst;
    double bandwidth_per_cycle, time_bw, time_mem, overlap;
    double issue_width, access_width, traffic_factor;  // calibrated, 1 if the machine explains the counts
};
inline constexpr std::size_t analysis_count = sizeof(Analysis) / sizeof(double);
extern const char* const analysis_names[analysis_count];

// Prediction of one block (cycles of the target); miss and memory rates are per access.
struct Terms {
    double time;
    double inst, ail, ilp, ipc, time_inst, time_int, time_fp;
    double l1_rate, mid_rate, llc_rate, memory_rate, aml, mlp, mpc;
    double time_lat, time_bw, time_mem, lambda, overlap_raw, overlap;
    double pipeline, path, slots, stretch;  // a core's use of each, and what other threads make of the time of its work
};
inline constexpr std::size_t term_count = sizeof(Terms) / sizeof(double);
extern const char* const term_names[term_count];

Analysis analyse(const Events&, const Base&, const Rules&);

// The first design point, one block. Infinite time where the point cannot run.
Terms evaluate(const Events&, const Curve&, const Base&, const Target&, const Rules&);

// times[i] = seconds of design point i of a box, all blocks one after the other.
void sweep(const std::vector<Events>&, const std::vector<Curve>&, const Base&, const Target&, const Rules&, const Shape&,
           double* times);

}  // namespace foretell::counters
