// Target equations of the counter model for one design point, branch-free, so that loops over points vectorise:
// `value(k)` is the k-th parameter of a target at the point.
#pragma once

#include <cmath>

#include "common/simd.hpp"
#include "counters/counters.hpp"

namespace foretell::counters {

inline constexpr double huge = 1e300;   // bound that is never reached
inline constexpr double tiny = 1e-300;  // floor that turns zero parallelism into infinite time

FORETELL_INLINE double average(double a, double b) { return 0.5 * (a + b); }
FORETELL_INLINE double smaller(double a, double b) { return a < b ? a : b; }
FORETELL_INLINE double larger(double a, double b) { return a > b ? a : b; }
FORETELL_INLINE bool is_nan(double x) { return x != x; }
// Doubles from 2^52 on have no fraction: adding 2^52 rounds.
FORETELL_INLINE bool is_whole(double x) { return x + 0x1p52 - 0x1p52 == x; }

// A block's baseline, reduced to the inputs of the target equations.
struct Block {
    double int_total, fp_total, int_weight, fp_weight;  // instructions over all cores (in issue slots), and shares
    double int_counted, fp_counted, divides, roots;     // as counted
    double alone;       // time of a core's work with one thread alone, relative to its time with contention
    double inst_total;  // instC_b * cores_b
    double ilp, ilp_floor, mlp, mlp_floor, access_per_inst;
    double accesses, access_cycles;  // over all cores; minimum cycles of one
    double l1_miss, buffer_pass, mid_miss, memory_rate, memory_local;
    double lines, lines_per_rate, lines_fixed;
    double lambda_constant, lambda_inst, lambda_mem, overlap;
    double most_overlap;                                // even if one of the two times is shorter
    double pipeline_factor, path_factor, slots_factor;  // calibrated; 1 if the baseline machine explains the counts
    double window;                  // fraction of a thread's time alone that occupies the core's window
    double chains;                  // fraction by which half of a window lengthens that
    double path_wait, memory_wait;  // fractions of a core's and of all transfers that a thread waits for
};

// ------------------------------------------------------------------------------------ active part of the target

#define FORETELL_COUNTERS_LAUNCH(X)                                                                          \
    X(possible) /* 1, or 0 if infeasible */                                                                  \
    X(cores) X(per_core) /* active cores, and the reciprocal */                                              \
    X(same) X(sum) X(max) /* weights of sum and maximum of the two pipelines */                              \
    X(extra_ilp) /* ILP in addition to the baseline's */                                                     \
    X(threads) X(own) X(per_thread) /* on the slowest thread's core, on its path, 1 / sharers of its work */ \
    X(corunners) /* of other tenants, in addition */                                                         \
    X(all) X(per_all) /* threads of the whole machine, and the reciprocal */                                 \
    X(longest_wait) /* of a core at memory, relative to the time of all transfers */

struct Launch {
    FORETELL_FIELDS(FORETELL_COUNTERS_LAUNCH)
};

// Cap of the queueing delay, that of saturated streams: memory serves the streams of `served` cores at once, and with
// all cores streaming, a core waits for one line of each other core before its own. The cap is small where few cores
// demand little more than the bandwidth. `served` 0 (unknown): no cap below the other cores' lines.
FORETELL_INLINE double longest_wait(double cores, double per_core, double streaming, double served) {
    return larger(0, larger(cores, streaming) - served) * per_core;
}

// Parts of the model with divisions or roots are separate functions: a sweep evaluates each only where an axis changes
// it.
template <typename Value>
FORETELL_INLINE Launch launch_at(const Value& value, const Base& m, const Rules& rules) {
    // All loads and divisions come first, and rules are weights of 0 and 1, so that there is no branch.
    const double queue = rules.queue_threads, ratio = rules.core_ratio;
    const auto choose = [](double weight, double chosen, double other) {
        return weight * chosen + (1 - weight) * other;
    };
    const double core_count = value(core_count_), threads = value(threads_),
                 threads_per_core = value(threads_per_core_);
    const double given = value(cores_), sharing = value(sharing_),
                 more_streams = value(streams_per_thread_) - m.streams_per_thread;
    const double per_thread = 1 / threads_per_core, by_threads = threads / threads_per_core;
    const double asked = is_nan(threads) ? given : by_threads;
    const double cores = is_nan(asked) ? core_count : asked;
    const double most = value(max_threads_per_core_);
    double possible = is_whole(cores) ? 1 : 0;
    possible = cores >= 1 ? possible : 0;
    possible = cores <= core_count ? possible : 0;
    possible = threads_per_core >= 1 ? possible : 0;
    possible = threads_per_core <= most ? possible : 0;
    const double alike = threads_per_core == m.threads_per_core ? 1 : 0, same = larger(queue, alike);
    const double gone = rules.count_threads ? m.threads_per_core - 1 : 0;
    const double apart = larger(0, 1.5 - 0.5 * threads_per_core);  // instructions that do not overlap: 1, 1/2, 0
    Launch l;
    l.possible = possible;
    l.cores = cores;
    l.per_core = 1 / cores;
    const double base_per_core = 1 / m.cores;
    l.same = same * choose(ratio, l.per_core, base_per_core);
    l.sum = (1 - same) * apart * l.per_core;
    l.max = (1 - same) * (1 - apart) * l.per_core;
    // Threads queue for resources (below), or (paper) each adds one instruction.
    const double alone = more_streams - gone, more_threads = threads_per_core - m.threads_per_core;
    const double added = threads_per_core == 1 ? alone : more_threads;
    l.extra_ilp = choose(queue, more_streams, added);
    l.threads = choose(queue, threads_per_core * sharing, 1);
    l.own = choose(queue, threads_per_core * value(own_sharing_), 1);
    l.corunners = queue * value(corunners_);
    l.per_thread = choose(queue, per_thread, 1);
    l.all = cores * threads_per_core;
    l.per_all = l.per_core * per_thread;
    l.longest_wait = longest_wait(cores, l.per_core, value(streaming_cores_), value(served_cores_));
    return l;
}

struct Scales {
    double l1, mid, llc;  // factors of the miss rates
};

// Threads that share one instance of a level, times the number of cores: threads of `shared_by` out of all cores,
// or of all active cores; at least the threads on the slowest thread's core.
template <typename Value>
FORETELL_INLINE double sharers(const Value& value, Parameter which, double cores) {
    const double shared_by = value(which), core_count = value(core_count_),
                 several = cores * smaller(core_count, shared_by);
    const double others = shared_by > 0 ? several : cores * core_count;
    return larger(core_count * value(sharing_), others) * value(threads_per_core_);
}

// Square-root law: sqrt of the share of a level per thread on the baseline over that on the target.
template <typename Value>
FORETELL_INLINE double level_scale(const Value& value, double old_share, Parameter size, Parameter shared_by,
                                   double cores) {
    return std::sqrt(old_share * sharers(value, shared_by, cores) / (value(core_count_) * value(size)));
}

// The same for the last level, of which a single core may get `size`, and all cores together `together`.
template <typename Value>
FORETELL_INLINE double last_scale(const Value& value, double old_share, double cores) {
    const double core_count = value(core_count_), size = value(llc_size_), together = value(llc_together_);
    const double all = cores * value(threads_per_core_), shared = sharers(value, llc_shared_by_, cores),
                 instance = core_count * size;
    const bool crowded = together < size * all;
    const double own_threads = crowded ? all : 1, own_size = crowded ? together : size;
    const double threads = together > 0 ? own_threads : shared, bytes = together > 0 ? own_size : instance;
    return std::sqrt(old_share * threads / bytes);
}

template <typename Value>
FORETELL_INLINE Scales scales_at(const Value& value, const Base& m, const Rules& rules, double cores) {
    const double cached = level_scale(value, m.mid_share, mid_size_, mid_shared_by_, cores);
    return {level_scale(value, m.l1_share, l1_size_, l1_shared_by_, cores), rules.middle == Middle::cache ? cached : 1,
            last_scale(value, m.llc_share, cores)};
}

struct Traffic {
    double cycles_per_line, core_cycles_per_line;  // of all cores together, and of one core's path (0: unknown)
};

template <typename Value>
FORETELL_INLINE Traffic traffic_at(const Value& value, const Base& m, const Rules& rules) {
    const double per_second = (rules.target_line ? value(line_) : m.line) * value(frequency_);
    const double core = value(core_bandwidth_), core_cycles = per_second / core;
    return {per_second / value(bandwidth_), core > 0 ? core_cycles : 0};
}

// Properties of a design point common to all blocks.
struct Point {
    double per_core;  // 1 / active cores
    Scales scales;
    Traffic traffic;
};

// ------------------------------------------------------------------------------------ one block

// Throughput of a block's instructions and accesses: depends on pipeline latencies and parallelism, not on how much of
// the machine is used.
struct Pace {
    double ail, ilp, cycles_per_inst, mlp, per_mlp;
};

template <typename Value>
FORETELL_INLINE Pace pace_at(const Block& b, const Value& value, double extra_ilp) {
    const double ints = value(beta_) * b.int_total, fps = value(gamma_) * b.fp_total;
    const double weighted = value(int_latency_) * ints + value(fp_latency_) * fps,
                 weight = ints + fps > 0 ? ints + fps : 1;
    Pace p;
    p.ail = weighted / weight;
    p.ilp = larger(b.ilp + extra_ilp, b.ilp_floor);
    p.cycles_per_inst = larger(1, weighted / (weight * p.ilp));  // aIL/ILP, with one division
    p.mlp = larger(b.mlp + (p.ilp - b.ilp) * b.access_per_inst, b.mlp_floor);
    p.per_mlp = 1 / p.mlp;
    return p;
}

struct Rates {
    double l1, after_mid, memory;  // accesses beyond L1, beyond the middle level, to memory
};

FORETELL_INLINE double average_latency(const Rates& r, double l1, double mid, double llc, double memory) {
    return l1 * (1 - r.l1) + mid * (r.l1 - r.after_mid) + llc * (r.after_mid - r.memory) + memory * r.memory;
}

// Reciprocal throughputs: cycles that each kind of instruction occupies a pipeline.
struct Gaps {
    double ints, fps, divides, roots, loads, issue;
};

// Instructions by execution unit; divisions and roots share one.
struct Kinds {
    double ints, fps, divides, roots, accesses;
};

// Cycles that a block's instructions occupy the busiest pipeline of one core.
FORETELL_INLINE double pipeline_cycles(const Kinds& n, const Gaps& gaps) {
    const double divider = n.divides * gaps.divides + n.roots * gaps.roots;
    const double arithmetic = larger(larger(n.ints * gaps.ints, n.fps * gaps.fps), divider);
    return larger(arithmetic, larger(n.accesses * gaps.loads, (n.ints + n.fps) * gaps.issue));
}

// Cycles of the issue slots that they occupy; those of that pipeline, if the slots per cycle are unknown.
FORETELL_INLINE double slot_cycles(const Kinds& n, const Gaps& gaps, double pipeline) {
    return gaps.issue > 0 ? (n.ints + n.fps) * gaps.issue : pipeline;
}

// Instructions of a block on one core of the target.
struct Work {
    double inst, time_inst, time_int, time_fp;
    double pipeline, slots;  // cycles of its busiest pipeline, and of its issue slots
};

template <typename Value>
FORETELL_INLINE Work work_at(const Block& b, const Value& value, const Launch& l, double cycles_per_inst) {
    const double beta = value(beta_), gamma = value(gamma_), given = value(alpha_);
    const double ints = beta * b.int_total, fps = gamma * b.fp_total;
    const double follows = beta * b.int_weight + gamma * b.fp_weight, alpha = is_nan(given) ? follows : given;
    const Kinds kinds{beta * b.int_counted, gamma * b.fp_counted, gamma * b.divides, gamma * b.roots, b.accesses};
    const Gaps gaps{value(int_gap_),  value(fp_gap_),   value(divide_gap_),
                    value(root_gap_), value(load_gap_), value(issue_gap_)};
    Work w;
    w.inst = l.same * alpha * b.inst_total + l.sum * (ints + fps) + l.max * larger(ints, fps);
    w.time_inst = w.inst * cycles_per_inst;
    w.time_int = ints * l.per_core * cycles_per_inst;
    w.time_fp = fps * l.per_core * cycles_per_inst;
    w.pipeline = l.per_core * pipeline_cycles(kinds, gaps);
    w.slots = l.per_core * slot_cycles(kinds, gaps, pipeline_cycles(kinds, gaps));
    return w;
}

// Target equations up to the composition of instruction and memory time.
template <typename Value>
FORETELL_INLINE Terms terms_at(const Block& b, const Value& value, const Point& point, const Pace& pace,
                               const Work& work) {
    const auto& [per_core, scales, traffic] = point;
    Terms r;
    r.inst = work.inst;
    r.ail = pace.ail;
    r.ilp = pace.ilp;
    r.ipc = 1 / pace.cycles_per_inst;
    r.time_inst = work.time_inst;
    r.time_int = work.time_int;
    r.time_fp = work.time_fp;
    r.pipeline = work.pipeline;
    r.slots = work.slots;

    const double beyond_l1 = smaller(1, b.l1_miss * scales.l1);
    const double beyond_mid = smaller(beyond_l1 * b.buffer_pass, b.mid_miss * scales.mid);
    const double memory = smaller(beyond_mid, (b.memory_rate + b.memory_local * beyond_mid) * scales.llc);
    r.l1_rate = 1 - beyond_l1;
    r.mid_rate = beyond_l1 - beyond_mid;
    r.llc_rate = beyond_mid - memory;
    r.memory_rate = memory;
    r.aml = average_latency({beyond_l1, beyond_mid, memory}, value(l1_latency_), value(mid_latency_),
                            value(llc_latency_), value(memory_latency_));
    r.mlp = pace.mlp;
    const double cycles_per_access = larger(b.access_cycles, r.aml * pace.per_mlp);
    r.mpc = 1 / cycles_per_access;
    r.time_lat = b.accesses * per_core * cycles_per_access;
    const double lines = b.lines_fixed + b.lines_per_rate * memory;
    r.time_bw = lines * traffic.cycles_per_line;
    r.path = per_core * lines * traffic.core_cycles_per_line;
    return r;
}

// ------------------------------------------------------------------------------------ contention between threads

// Mean fraction of a service time that has elapsed when another thread arrives: half for deterministic service (an
// instruction in a pipeline), 0 for random service (transfers, which are bursty).
inline constexpr double steady = 0.5, varying = 0;

// Time of each of `users` threads for work that takes `alone` without contention, where each occupies the same resource
// for `use` of that time and waits for the fraction `wait` of it; the rest overlaps with other work and delays no
// thread until the resource is saturated. The waiting threads are a closed queueing network with one queue; an arriving
// thread finds (n-1)/n of the mean queue of n threads, less the elapsed service (Schweitzer's approximation of mean
// value analysis). With z = alone - d elsewhere: T^2 - T (z + n d) + (n-1) d (z + over d) = 0; here solved for T.
FORETELL_INLINE double among(double users, double alone, double use, double wait, double over) {
    const double d = wait * use, z = alone - d, busy = users * d, gap = busy - z;
    const double root = std::sqrt(gap * gap + 4 * d * (z - (users - 1) * over * d));
    return larger(0.5 * (busy + z + root), users * use);
}

// The same inside a core: at its busiest pipeline, or at its reorder window. The window is divided evenly, so that
// dependency chains slow down by themselves: by the fraction `chains` of `alone` for every other thread.
FORETELL_INLINE double inside(double users, double alone, double pipeline, double window, double chains) {
    return among(users, alone + (users - 1) * chains * alone, larger(pipeline, window), 1, steady);
}

// Where threads of a core may contend: a sweep skips the equations where none can.
enum class Contention { none, pipelines, path };

// Time of a core's own work with all threads on it: they contend at its pipelines, and threads of this run, which do
// the same work, on its path to memory. The demand of further co-runners is unknown, but an active one gets every other
// issue slot, so a thread's issue takes twice as long.
template <Contention where>
FORETELL_INLINE double crowded(const Block& b, const Launch& l, const Terms& r) {
    if constexpr (where == Contention::none) return r.time;
    const double alone = larger(r.time * b.alone, tiny);
    const double pipes =
        inside(l.threads, alone, smaller(alone, r.pipeline * b.pipeline_factor), alone * b.window, b.chains);
    const double lost = l.corunners * r.slots * b.slots_factor;
    if constexpr (where == Contention::pipelines) return (pipes + lost) * l.per_thread;
    return (among(l.own, pipes, smaller(pipes, r.path * b.path_factor), b.path_wait, varying) + lost) * l.per_thread;
}

// Overlaps instructions and memory.
FORETELL_INLINE void compose(const Block& b, Terms& r) {
    r.lambda = b.lambda_constant + b.lambda_inst * r.time_inst + b.lambda_mem * r.time_mem;
    r.overlap_raw = r.lambda * b.overlap;
    r.overlap = smaller(r.overlap_raw, larger(smaller(r.time_inst, r.time_mem), b.most_overlap));
    r.time = r.time_inst + r.time_mem - r.overlap;
}

// Time of the block. Where threads queue at memory (`queued`), its bandwidth is not part of a thread's own work, but
// shared by all.
template <bool queued, Contention where = Contention::path>
FORETELL_INLINE void finish(const Block& b, const Launch& l, Terms& r) {
    r.time_mem = queued ? r.time_lat : larger(r.time_lat, r.time_bw);
    compose(b, r);
    const double own = crowded<where>(b, l, r);
    r.stretch = own / larger(r.time * b.alone, tiny) * b.alone;
    r.time_inst *= r.stretch;
    r.time_lat *= r.stretch;
    r.time_mem = larger(r.time_lat, r.time_bw);
    if constexpr (queued) {
        const double use = smaller(own, b.memory_wait * r.time_bw * l.per_all);
        const double waited = smaller(among(l.all, own, use, 1, varying), own + l.longest_wait * r.time_bw);
        r.time = larger(waited, r.time_bw);
        r.overlap = r.time_inst + r.time_mem - r.time;
    } else {
        compose(b, r);
    }
}

// ------------------------------------------------------------------------------------ not vectorised

// Reduces a block's baseline.
Block reduce(const Events&, const Base&, const Rules&);

}  // namespace foretell::counters
