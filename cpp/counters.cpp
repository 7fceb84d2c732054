#include "counters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>

#include "simd.hpp"

namespace foretell::counters {

const char* const analysis_names[analysis_count] = {
    "int_per_core", "fp_per_core", "aIL",
    "timeInst_min", "timeInst_max", "timeInst", "IPC", "ILP", "instC",
    "aML", "timeLat", "MPC", "MLP", "accessPerInst",
    "bwCC", "timeBW", "timeMem", "timeOverlap",
    "issue_width", "access_width", "traffic_factor",
};

const char* const term_names[term_count] = {
    "time",
    "instC", "aIL", "ILP", "IPC", "timeInst", "timeInstInt", "timeInstFP",
    "L1", "middle", "LLC", "memory", "aML", "MLP", "MPC",
    "timeLat", "timeBW", "timeMem", "lambda", "overlap_unclamped", "timeOverlap",
    "pipeline_use", "path_use", "stretch",
};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double huge = 1e300;   // a bound that is never reached
constexpr double tiny = 1e-300;  // a floor that turns a parallelism of nothing into an endless time
constexpr double endless = 1e200;
constexpr std::size_t chunk = 128;

FORETELL_INLINE double average(double a, double b) { return 0.5 * (a + b); }
FORETELL_INLINE double smaller(double a, double b) { return a < b ? a : b; }
FORETELL_INLINE double larger(double a, double b) { return a > b ? a : b; }

// A block's baseline, reduced to what the target equations need.
struct Block {
    double int_total, fp_total, int_weight, fp_weight;  // instructions over all cores (in issue slots), and shares
    double int_counted, fp_counted, divides;            // as they were counted
    double parts, threads;  // threads that share a core's work, and threads on the slowest one's core
    double alone;           // what one thread alone would take of the baseline's time
    double inst_total;                                  // instC_b * cores_b
    double ilp, ilp_floor, mlp, mlp_floor, access_per_inst;
    double accesses, access_cycles;  // over all cores; fewest cycles of one
    double l1_miss, buffer_pass, mid_miss, memory_rate, memory_local;
    double lines, lines_per_rate, lines_fixed;
    double lambda_constant, lambda_inst, lambda_mem, overlap;
};

// What follows from how much of the target is used: the cores, the threads, and their shares of the caches.
struct Launch {
    double possible;                  // 1, or 0 if the machine cannot run it
    double per_core, same, sum, max;  // weights of the ways in which instructions of the two pipelines add up
    double extra_ilp;                 // parallelism of instructions beyond the baseline's
    double parts, threads;            // threads that share a core's work, and threads on the slowest one's core
    double l1_scale, mid_scale, llc_scale;  // of the miss rates
};
constexpr std::size_t launch_size = sizeof(Launch) / sizeof(double);

// What a design point gives to every block.
struct Point {
    Launch launch;
    double alpha, beta, gamma;
    double int_latency, fp_latency;
    double l1_latency, mid_latency, llc_latency, memory_latency;
    double cycles_per_line, core_cycles_per_line;
    double int_gap, fp_gap, divide_gap, load_gap, issue_gap;
};

// The fields of `Target`, by position.
enum Parameter {
    frequency_, core_count_, max_threads_per_core_, streams_per_thread_,
    int_latency_, fp_latency_,
    l1_latency_, mid_latency_, llc_latency_, memory_latency_,
    l1_size_, l1_shared_by_, mid_size_, mid_shared_by_, llc_size_, llc_shared_by_, llc_together_,
    bandwidth_, core_bandwidth_, line_,
    int_gap_, fp_gap_, divide_gap_, load_gap_, issue_gap_, sharing_,
    threads_, cores_, threads_per_core_, alpha_, beta_, gamma_,
};
static_assert(gamma_ + 1 == target_columns);

const Column* columns(const Target& t) { return &t.frequency; }

FORETELL_INLINE bool is_nan(double x) { return x != x; }
// Beyond 2^52 there are no fractions: adding that much rounds.
FORETELL_INLINE bool is_whole(double x) { return x + 0x1p52 - 0x1p52 == x; }

double inst_min(double ints, double fps, double threads) {
    return threads == 1 ? ints + fps : larger(ints, fps);
}

void analyse_instructions(Analysis& a, const Events& e, const Base& m, const Rules& rules) {
    const double ints = e.int_instructions / m.cores, fps = e.fp_instructions / m.cores;
    const double slots = inst_min(ints, fps, m.threads_per_core);
    // More than one instruction a cycle contradicts a pipeline that issues one: count issue slots instead.
    a.issue_width = rules.calibrate && slots > e.time ? slots / e.time : 1;
    a.int_per_core = ints / a.issue_width;
    a.fp_per_core = fps / a.issue_width;
    const double most = a.int_per_core + a.fp_per_core;
    if (most <= 0) {
        a.ilp = a.ipc = 1;
        return;
    }
    const double least = inst_min(a.int_per_core, a.fp_per_core, m.threads_per_core);
    a.ail = (m.int_latency * a.int_per_core + m.fp_latency * a.fp_per_core) / most;
    a.time_inst_min = rules.cap_ipc ? smaller(least, e.time) : least;
    a.time_inst_max = smaller(most * larger(a.ail / m.threads_per_core, 1), e.time);
    a.time_inst = average(a.time_inst_min, a.time_inst_max);
    const double slow = least / a.time_inst;
    a.ipc = average(rules.cap_ipc ? smaller(1, slow) : slow, smaller(1, most / a.time_inst));
    a.ilp = a.ail * a.ipc;
    a.inst = a.ipc * a.time_inst;
}

struct Rates {
    double l1, after_mid, memory;  // accesses that go beyond L1, beyond the middle level, to memory
};

Rates baseline_rates(const Events& e, const Rules& rules) {
    if (e.accesses <= 0) return {0, 0, 0};
    const double l1 = (e.accesses - e.l1_hits) / e.accesses;
    const double memory = (e.accesses - e.l1_hits - e.mid_hits - e.llc_hits) / e.accesses;
    const double after = rules.middle == Middle::none ? l1 : (e.accesses - e.l1_hits - e.mid_hits) / e.accesses;
    return {l1, after, memory};
}

FORETELL_INLINE double average_latency(const Rates& r, double l1, double mid, double llc, double memory) {
    return l1 * (1 - r.l1) + mid * (r.l1 - r.after_mid) + llc * (r.after_mid - r.memory) + memory * r.memory;
}

void analyse_memory(Analysis& a, const Events& e, const Base& m, const Rules& rules) {
    const double accesses = e.accesses / m.cores;
    // More than one access a cycle: the core has shown that it can, so one access takes less than a cycle.
    a.access_width = rules.calibrate && accesses > e.time ? accesses / e.time : 1;
    a.mpc = a.mlp = 1;
    if (accesses > 0) {
        const Rates rates = baseline_rates(e, rules);
        a.aml = average_latency(rates, m.l1_latency, m.mid_latency, m.llc_latency, m.memory_latency);
        a.time_lat = average(accesses / a.access_width, smaller(accesses * a.aml, e.time));
        a.mpc = accesses / a.time_lat;
        a.mlp = a.mpc * a.aml;
        a.access_per_inst = a.inst > 0 ? accesses / a.inst : 0;
    }
    a.bandwidth_per_cycle = m.bandwidth / (m.cores * m.frequency);
    const double traffic_time = (e.line_loads + e.line_stores) / m.cores * m.line / a.bandwidth_per_cycle;
    a.traffic_factor = rules.calibrate && traffic_time > e.time ? e.time / traffic_time : 1;
    a.time_bw = traffic_time * a.traffic_factor;
    a.time_mem = larger(a.time_lat, a.time_bw);
}

// Cycles of one core that a block's instructions keep the busiest of its pipelines.
template <typename Machine>
FORETELL_INLINE double pipeline_cycles(double ints, double fps, double divides, double accesses, const Machine& m) {
    const double arithmetic = larger(larger(ints * m.int_gap, fps * m.fp_gap), divides * m.divide_gap);
    return larger(arithmetic, larger(accesses * m.load_gap, (ints + fps) * m.issue_gap));
}

// How much longer a thread takes when `threads` of them share a core and take turns at its pipelines and at its path to
// memory: a closed queueing network, by its normalising constants (Buzen, Commun. ACM 16(9), 1973). `pipeline` and `path`
// are the parts of its time alone that a thread uses them. Never longer than one after the other; fractions of a thread
// lie between two whole numbers. `most` is the largest number of threads.
FORETELL_CLONES void stretches(const double* __restrict threads, double most, const double* __restrict pipeline,
                               const double* __restrict path, double* __restrict result, std::size_t count) {
    double free[chunk], first[chunk], both[chunk];  // constants of n threads: without queues, with the first one, with both
    double less[chunk], whole[chunk], more[chunk];  // the last of these for one thread less, as many, and one more
    for (std::size_t k = 0; k < count; ++k) {       // n = 1: all parts of a thread's time alone add up to 1
        free[k] = 1 - pipeline[k] - path[k];
        first[k] = 1 - path[k];
        both[k] = less[k] = whole[k] = more[k] = 1;
    }
    for (double n = 2; n < most + 1; ++n) {
        const double share = 1 / n;
        for (std::size_t k = 0; k < count; ++k) {
            free[k] *= (1 - pipeline[k] - path[k]) * share;
            first[k] = free[k] + pipeline[k] * first[k];
            const double now = first[k] + path[k] * both[k];
            const bool at = (threads[k] >= n) & (threads[k] < n + 1), next = (threads[k] >= n - 1) & (threads[k] < n);
            less[k] = at ? both[k] : less[k];
            whole[k] = at ? now : whole[k];
            more[k] = next ? now : more[k];
            both[k] = now;
        }
    }
    for (std::size_t k = 0; k < count; ++k) {
        const double n = static_cast<double>(static_cast<int>(threads[k])), part = threads[k] - n;
        const double below = (1 - part) * n * whole[k] * whole[k], above = part * (n + 1) * more[k] * less[k];
        result[k] = smaller(threads[k], (below + above) / (less[k] * whole[k]));
    }
}

double stretch(double threads, double pipeline, double path) {
    double result;
    stretches(&threads, threads, &pipeline, &path, &result, 1);
    return result;
}

// What the work of a core takes one thread alone, where `parts` threads that share it take `time`.
double time_alone(double parts, double threads, double pipeline, double path, double time) {
    double low = time * parts / threads, high = time * parts;
    for (int step = 0; step < 60 && threads > 1 && time > 0; ++step) {
        const double middle = average(low, high);
        const double found = middle * stretch(threads, smaller(1, pipeline / middle), smaller(1, path / middle)) / parts;
        (found < time ? low : high) = middle;
    }
    return high;
}

Block reduce(const Events& e, const Base& m, const Rules& rules) {
    const Analysis a = analyse(e, m, rules);
    const Rates rates = baseline_rates(e, rules);
    const double instructions = a.int_per_core + a.fp_per_core;
    Block b{};
    b.int_total = a.int_per_core * m.cores;
    b.fp_total = a.fp_per_core * m.cores;
    b.int_weight = instructions > 0 ? a.int_per_core / instructions : 0;
    b.fp_weight = instructions > 0 ? a.fp_per_core / instructions : 0;
    b.inst_total = a.inst * m.cores;
    b.int_counted = e.int_instructions;
    b.fp_counted = e.fp_instructions;
    b.divides = e.divides;
    b.ilp = a.ilp;
    b.mlp = a.mlp;
    // Floors of one, lower where the baseline itself is lower: the identity comes first.
    b.ilp_floor = rules.floors ? smaller(1, a.ilp) : tiny;
    b.mlp_floor = rules.floors ? smaller(1, a.mlp) : tiny;
    b.access_per_inst = a.access_per_inst;
    b.accesses = e.accesses;
    b.access_cycles = 1 / a.access_width;
    b.l1_miss = rates.l1;
    b.buffer_pass = rules.middle == Middle::buffer && rates.l1 > 0 ? rates.after_mid / rates.l1 : 1;
    b.mid_miss = rules.middle == Middle::cache ? rates.after_mid : huge;
    b.memory_rate = rules.local_miss_rates ? 0 : rates.memory;
    b.memory_local = rules.local_miss_rates && rates.after_mid > 0 ? rates.memory / rates.after_mid : 0;
    b.lines = (e.line_loads + e.line_stores) * a.traffic_factor;
    const bool scaled = rules.scale_traffic && rates.memory > 0;
    b.lines_per_rate = scaled ? b.lines / rates.memory : 0;
    b.lines_fixed = scaled ? 0 : b.lines;
    const bool inst = a.time_inst > 0, mem = a.time_mem > 0;  // only defined ratios count
    b.lambda_constant = inst || mem ? 0 : 1;
    b.lambda_inst = inst ? (mem ? 0.5 : 1) / a.time_inst : 0;
    b.lambda_mem = mem ? (inst ? 0.5 : 1) / a.time_mem : 0;
    b.overlap = a.overlap;
    b.parts = m.threads_per_core;
    b.threads = b.parts * m.sharing;
    const double pipeline =
        pipeline_cycles(e.int_instructions, e.fp_instructions, e.divides, e.accesses, m) / m.cores;
    const double path = m.core_bandwidth > 0 ? b.lines / m.cores * m.line * m.frequency / m.core_bandwidth : 0;
    b.alone = rules.queue_threads ? time_alone(b.parts, b.threads, pipeline, path, e.time) / e.time : 1;
    return b;
}

// Threads that share one instance of a level, of `cores` cores in use out of `1 / per_count`.
FORETELL_INLINE double sharers(double shared_by, double cores, double per_count, double threads_per_core) {
    const double instances = cores * shared_by * per_count, several = smaller(cores, instances);
    return larger(1, shared_by > 0 ? several : cores) * threads_per_core;
}

// `value(k)` is the k-th parameter of a target at the point. No branch: this runs in vector registers.
template <typename Value>
FORETELL_INLINE Launch launch_at(const Value& value, const Base& m, const Rules& rules) {
    // All values are read and all quotients taken first, and rules are weights of 0 and 1: nothing is a branch then.
    const double queue = rules.queue_threads, ratio = rules.core_ratio, cached = rules.middle == Middle::cache;
    const auto choose = [](double weight, double chosen, double other) { return weight * chosen + (1 - weight) * other; };
    const double core_count = value(core_count_), threads = value(threads_), threads_per_core = value(threads_per_core_);
    const double given = value(cores_), sharing = value(sharing_), more_streams = value(streams_per_thread_) - m.streams_per_thread;
    const double by_threads = threads / threads_per_core, asked = is_nan(threads) ? given : by_threads;
    const double cores = is_nan(asked) ? core_count : asked;
    const double most = value(max_threads_per_core_);
    double possible = is_whole(cores) ? 1 : 0;
    possible = cores >= 1 ? possible : 0;
    possible = cores <= core_count ? possible : 0;
    possible = threads_per_core >= 1 ? possible : 0;
    possible = threads_per_core <= most ? possible : 0;
    const double per_count = 1 / core_count;
    // The share of a level that a thread had over the share that it has now.
    const auto shrunk = [&](double old, Parameter size, Parameter shared_by) {
        return old * sharers(value(shared_by), cores, per_count, threads_per_core) / value(size);
    };
    const double alike = threads_per_core == m.threads_per_core ? 1 : 0, same = larger(queue, alike);
    const double gone = rules.count_threads ? m.threads_per_core - 1 : 0;
    const double apart = larger(0, 1.5 - 0.5 * threads_per_core);          // instructions that do not overlap: 1, 1/2, 0
    Launch l;
    l.possible = possible;
    l.per_core = 1 / cores;
    const double base_per_core = 1 / m.cores;
    l.same = same * choose(ratio, l.per_core, base_per_core);
    l.sum = (1 - same) * apart * l.per_core;
    l.max = (1 - same) * (1 - apart) * l.per_core;
    // Threads wait for each other in a queue (below), or (literally) each adds one instruction.
    const double alone = more_streams - gone, more_threads = threads_per_core - m.threads_per_core;
    const double added = threads_per_core == 1 ? alone : more_threads;
    l.extra_ilp = choose(queue, more_streams, added);
    l.parts = choose(queue, threads_per_core, m.threads_per_core);
    l.threads = l.parts * choose(queue, sharing, m.sharing);
    l.l1_scale = std::sqrt(shrunk(m.l1_share, l1_size_, l1_shared_by_));
    l.mid_scale = std::sqrt(choose(cached, shrunk(m.mid_share, mid_size_, mid_shared_by_), 1));
    const double together = value(llc_together_), shared = shrunk(m.llc_share, llc_size_, llc_shared_by_);
    const double part = smaller(value(llc_size_), together * l.per_core / threads_per_core), own = m.llc_share / part;
    l.llc_scale = std::sqrt(together > 0 ? own : shared);
    return l;
}

template <typename Value>
FORETELL_INLINE double cycles_per_line_at(const Value& value, const Base& m, const Rules& rules) {
    return (rules.target_line ? value(line_) : m.line) * value(frequency_) / value(bandwidth_);
}

template <typename Value>
FORETELL_INLINE Point point_at(const Value& value, const Launch& launch, double cycles_per_line) {
    const double core = value(core_bandwidth_);
    return {launch,
            value(alpha_), value(beta_), value(gamma_),
            value(int_latency_), value(fp_latency_),
            value(l1_latency_), value(mid_latency_), value(llc_latency_), value(memory_latency_),
            cycles_per_line, core > 0 ? cycles_per_line * value(bandwidth_) / core : 0,
            value(int_gap_), value(fp_gap_), value(divide_gap_), value(load_gap_), value(issue_gap_)};
}

// The target equations up to where instructions and memory meet, without a branch, so that the sweep's inner loop runs in
// vector registers.
FORETELL_INLINE Terms terms_at(const Block& b, const Point& p) {
    Terms r;
    const double ints = p.beta * b.int_total, fps = p.gamma * b.fp_total;
    const Launch& l = p.launch;
    const double follows = p.beta * b.int_weight + p.gamma * b.fp_weight, alpha = is_nan(p.alpha) ? follows : p.alpha;
    r.inst = l.same * alpha * b.inst_total + l.sum * (ints + fps) + l.max * larger(ints, fps);
    const double weighted = p.int_latency * ints + p.fp_latency * fps, weight = ints + fps > 0 ? ints + fps : 1;
    r.ail = weighted / weight;
    r.ilp = larger(b.ilp + l.extra_ilp, b.ilp_floor);
    const double cycles_per_inst = larger(1, weighted / (weight * r.ilp));  // aIL/ILP, with one division
    r.ipc = 1 / cycles_per_inst;
    r.time_inst = r.inst * cycles_per_inst;
    r.time_int = ints * l.per_core * cycles_per_inst;
    r.time_fp = fps * l.per_core * cycles_per_inst;

    const double beyond_l1 = smaller(1, b.l1_miss * l.l1_scale);
    const double beyond_mid = smaller(beyond_l1 * b.buffer_pass, b.mid_miss * l.mid_scale);
    const double memory = smaller(beyond_mid, (b.memory_rate + b.memory_local * beyond_mid) * l.llc_scale);
    r.l1_rate = 1 - beyond_l1;
    r.mid_rate = beyond_l1 - beyond_mid;
    r.llc_rate = beyond_mid - memory;
    r.memory_rate = memory;
    r.aml = average_latency({beyond_l1, beyond_mid, memory}, p.l1_latency, p.mid_latency, p.llc_latency,
                            p.memory_latency);
    r.mlp = larger(b.mlp + (r.ilp - b.ilp) * b.access_per_inst, b.mlp_floor);
    const double cycles_per_access = larger(b.access_cycles, r.aml / r.mlp);
    r.mpc = 1 / cycles_per_access;
    r.time_lat = b.accesses * l.per_core * cycles_per_access;
    const double lines = b.lines_fixed + b.lines_per_rate * memory;
    r.time_bw = lines * p.cycles_per_line;
    r.pipeline = l.per_core * pipeline_cycles(p.beta * b.int_counted, p.gamma * b.fp_counted, p.gamma * b.divides,
                                              b.accesses, p);
    r.path = l.per_core * lines * p.core_cycles_per_line;
    return r;
}

// Instructions and memory together. `stretch` is what other threads on the core make of the time of its own work, beside
// the baseline.
template <bool clamp>
FORETELL_INLINE void compose(const Block& b, double stretch, Terms& r) {
    r.stretch = stretch;
    r.time_inst *= stretch;
    r.time_lat *= stretch;
    r.time_mem = larger(r.time_lat, r.time_bw);
    r.lambda = b.lambda_constant + b.lambda_inst * r.time_inst + b.lambda_mem * r.time_mem;
    r.overlap_raw = r.lambda * b.overlap;
    r.overlap = clamp ? smaller(r.overlap_raw, smaller(r.time_inst, r.time_mem)) : r.overlap_raw;
    r.time = r.time_inst + r.time_mem - r.overlap;
}

struct Shares {
    double pipeline, path;
};

// The parts of its time that a thread alone on its core uses the pipelines and the path to memory.
FORETELL_INLINE Shares shares_of(const Block& b, Terms alone) {
    compose<true>(b, 1, alone);
    const double per_cycle = 1 / larger(alone.time * b.alone, tiny);
    return {smaller(1, alone.pipeline * per_cycle), smaller(1, alone.path * per_cycle)};
}

// What the threads of the target's core make of a core's time, over what those of the baseline made of it.
FORETELL_INLINE double relative(const Block& b, double parts, double threads, double target_stretch, double base_stretch) {
    const bool same = (parts == b.parts) & (threads == b.threads);
    return same ? 1 : target_stretch * b.parts / (parts * base_stretch);
}

double log_misses(const Curve& curve, double log_size) {
    const auto& x = curve.log_size;
    const auto& y = curve.log_misses;
    const std::size_t above = std::upper_bound(x.begin(), x.end(), log_size) - x.begin();
    if (above == 0) return y.front();
    if (above == x.size()) return y.back();
    const double part = (log_size - x[above - 1]) / (x[above] - x[above - 1]);
    return y[above - 1] + part * (y[above] - y[above - 1]);
}

// The factor that the block's own curve gives a miss rate, where the square root gives `scale`. That is sqrt(old/new),
// so the new share of the cache is old / scale^2.
double bent(const Curve& curve, double old_share, double scale) {
    const double log_old = std::log(old_share);
    return std::exp(log_misses(curve, log_old - 2 * std::log(scale)) - log_misses(curve, log_old));
}

void bend(Launch& l, const Curve& curve, const Base& m) {
    if (curve.log_size.empty()) return;
    l.l1_scale = bent(curve, m.l1_share, l.l1_scale);
    l.mid_scale = bent(curve, m.mid_share, l.mid_scale);
    l.llc_scale = bent(curve, m.llc_share, l.llc_scale);
}

// One chunk of design points: an array for each parameter, and what the blocks need of them.
struct Chunk {
    double parameters[target_columns][chunk];
    double launches[launch_size][chunk];
    double cycles_per_line[chunk];
    double instructions[chunk], latency[chunk], bandwidth[chunk];  // cycles of one block
    double pipeline[chunk], path[chunk], stretch[chunk];
    double cycles[chunk];
};

bool varies(const Column* given, std::initializer_list<Parameter> which) {
    return std::any_of(which.begin(), which.end(), [&](Parameter k) { return given[k].stride != 0; });
}

void fill_columns(Chunk& c, const Column* given, std::size_t first, std::size_t count) {
    for (std::size_t k = 0; k < target_columns; ++k) {
        if (given[k].stride == 0) {  // the same at every point: once is enough
            if (first == 0) std::fill_n(c.parameters[k], chunk, given[k].data[0]);
            continue;
        }
        std::copy_n(given[k].data + first, count, c.parameters[k]);
        std::fill_n(c.parameters[k] + count, chunk - count, given[k].data[first + count - 1]);
    }
}

FORETELL_CLONES void fill_launches(Chunk& __restrict c, const Base& m, const Rules& rules) {
    const Rules fixed = rules;
    const Base base = m;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Launch l = launch_at([&](Parameter which) { return c.parameters[which][k]; }, base, fixed);
        // field by field: through a pointer to the first one, the loop would stay scalar
        auto& f = c.launches;
        f[0][k] = l.possible, f[1][k] = l.per_core, f[2][k] = l.same, f[3][k] = l.sum, f[4][k] = l.max;
        f[5][k] = l.extra_ilp, f[6][k] = l.parts, f[7][k] = l.threads;
        f[8][k] = l.l1_scale, f[9][k] = l.mid_scale, f[10][k] = l.llc_scale;
    }
}

FORETELL_CLONES void fill_traffic(Chunk& __restrict c, const Base& m, const Rules& rules) {
    const Rules fixed = rules;
    const Base base = m;
    for (std::size_t k = 0; k < chunk; ++k)
        c.cycles_per_line[k] = cycles_per_line_at([&](Parameter which) { return c.parameters[which][k]; }, base, fixed);
}

FORETELL_INLINE Point load(const Chunk& c, std::size_t k) {
    const auto& f = c.launches;
    const Launch launch{f[0][k], f[1][k], f[2][k], f[3][k], f[4][k], f[5][k], f[6][k], f[7][k], f[8][k], f[9][k], f[10][k]};
    static_assert(launch_size == 11);
    return point_at([&](Parameter which) { return c.parameters[which][k]; }, launch, c.cycles_per_line[k]);
}

// What a block takes with a core of its own for each thread, and its use of that core.
FORETELL_CLONES void fill_times(const Block& given, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Terms r = terms_at(b, load(c, k));
        const Shares shares = shares_of(b, r);
        c.instructions[k] = r.time_inst;
        c.latency[k] = r.time_lat;
        c.bandwidth[k] = r.time_bw;
        c.pipeline[k] = shares.pipeline;
        c.path[k] = shares.path;
    }
}

const double* row(const Chunk& c, std::size_t offset) { return c.launches[offset / sizeof(double)]; }

FORETELL_CLONES void make_relative(const Block& given, const double* __restrict own, Chunk& __restrict c) {
    const Block b = given;
    const double* parts = row(c, offsetof(Launch, parts));
    const double* threads = row(c, offsetof(Launch, threads));
    for (std::size_t k = 0; k < chunk; ++k) c.stretch[k] = relative(b, parts[k], threads[k], c.stretch[k], own[k]);
}

void fill_stretch(const Block& b, double most, Chunk& c) {
    double own[chunk], usual[chunk];
    std::fill_n(own, chunk, 1.0);
    std::fill_n(usual, chunk, b.threads);
    if (b.threads > 1) stretches(usual, b.threads, c.pipeline, c.path, own, chunk);
    stretches(row(c, offsetof(Launch, threads)), most, c.pipeline, c.path, c.stretch, chunk);
    make_relative(b, own, c);
}

template <bool clamp>
FORETELL_INLINE void add(const Block& b, Chunk& __restrict c, std::size_t k, Terms r, double stretch) {
    compose<clamp>(b, stretch, r);
    c.cycles[k] += r.time;
}
FORETELL_CLONES void add_clamped(const Block& given, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) add<true>(b, c, k, terms_at(b, load(c, k)), 1);
}
FORETELL_CLONES void add_literal(const Block& given, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) add<false>(b, c, k, terms_at(b, load(c, k)), 1);
}

// The same with threads that wait for each other.
FORETELL_CLONES void add_stretched(const Block& given, bool clamp, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) {
        Terms r;
        r.time_inst = c.instructions[k];
        r.time_lat = c.latency[k];
        r.time_bw = c.bandwidth[k];
        clamp ? add<true>(b, c, k, r, c.stretch[k]) : add<false>(b, c, k, r, c.stretch[k]);
    }
}

bool differs(const double* row, double usual) {
    return std::any_of(row, row + chunk, [usual](double value) { return value != usual; });
}

// The scales of the miss rates of a chunk, kept while a block with a curve of its own replaces them.
struct Scales {
    double rows[3][chunk];
};
constexpr std::size_t first_scale = offsetof(Launch, l1_scale) / sizeof(double);

void bend(Chunk& c, const Scales& plain, const Curve& curve, const Base& m) {
    const double shares[] = {m.l1_share, m.mid_share, m.llc_share};
    for (std::size_t level = 0; level < 3; ++level)
        for (std::size_t k = 0; k < chunk; ++k)
            c.launches[first_scale + level][k] =
                curve.log_size.empty() ? plain.rows[level][k] : bent(curve, shares[level], plain.rows[level][k]);
}

}  // namespace

Analysis analyse(const Events& e, const Base& m, const Rules& rules) {
    Analysis a{};
    analyse_instructions(a, e, m, rules);
    analyse_memory(a, e, m, rules);
    a.overlap = a.time_inst + a.time_mem - e.time;
    return a;
}

Terms evaluate(const Events& e, const Curve& curve, const Base& m, const Target& t, const Rules& rules,
               std::size_t i) {
    const Block block = reduce(e, m, rules);
    const Column* given = columns(t);
    const auto value = [&](Parameter which) { return given[which][i]; };
    Launch launch = launch_at(value, m, rules);
    bend(launch, curve, m);
    const Point point = point_at(value, launch, cycles_per_line_at(value, m, rules));
    Terms terms = terms_at(block, point);
    const Shares shares = shares_of(block, terms);
    const auto stretched = [&](double threads) { return stretch(threads, shares.pipeline, shares.path); };
    const double factor =
        relative(block, launch.parts, launch.threads, stretched(launch.threads), stretched(block.threads));
    rules.clamp_overlap ? compose<true>(block, factor, terms) : compose<false>(block, factor, terms);
    terms.pipeline = shares.pipeline;
    terms.path = shares.path;
    if (point.launch.possible == 0 || !(terms.time < endless)) terms.time = infinity;
    return terms;
}

void sweep(const std::vector<Events>& events, const std::vector<Curve>& curves, const Base& m, const Target& t,
           const Rules& rules, std::size_t points, double* times) {
    std::vector<Block> blocks;
    for (const Events& e : events) blocks.push_back(reduce(e, m, rules));
    const Column* given = columns(t);
    const bool launches = varies(given, {core_count_, max_threads_per_core_, streams_per_thread_, l1_size_, l1_shared_by_,
                                         mid_size_, mid_shared_by_, llc_size_, llc_shared_by_, llc_together_, sharing_,
                                         threads_, cores_, threads_per_core_});
    const bool traffic = varies(given, {frequency_, bandwidth_, line_});
    const bool curved = std::any_of(curves.begin(), curves.end(), [](const Curve& c) { return !c.log_size.empty(); });
    const auto c = std::make_unique<Chunk>();
    const auto plain = std::make_unique<Scales>();
    for (std::size_t first = 0; first < points; first += chunk) {
        const std::size_t count = std::min(chunk, points - first);
        fill_columns(*c, given, first, count);
        // What no swept axis changes is computed in the first chunk only.
        if (launches || first == 0) {
            fill_launches(*c, m, rules);
            std::copy_n(&c->launches[first_scale][0], 3 * chunk, &plain->rows[0][0]);
        }
        if (traffic || first == 0) fill_traffic(*c, m, rules);
        const double* threads = row(*c, offsetof(Launch, threads));
        const bool queued = differs(row(*c, offsetof(Launch, parts)), m.threads_per_core) ||
                            differs(threads, m.threads_per_core * m.sharing);
        const double most = *std::max_element(threads, threads + chunk);
        std::fill_n(c->cycles, chunk, 0.0);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            if (curved) bend(*c, *plain, curves[b], m);
            if (queued) {
                fill_times(blocks[b], *c);
                fill_stretch(blocks[b], most, *c);
                add_stretched(blocks[b], rules.clamp_overlap, *c);
            } else {
                rules.clamp_overlap ? add_clamped(blocks[b], *c) : add_literal(blocks[b], *c);
            }
        }
        for (std::size_t k = 0; k < count; ++k) {
            const bool runs = (c->launches[0][k] != 0) & (c->cycles[k] < endless);
            times[first + k] = runs ? c->cycles[k] / c->parameters[frequency_][k] : infinity;
        }
    }
}

}  // namespace foretell::counters
