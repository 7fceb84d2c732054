#include "counters.hpp"

#include <algorithm>
#include <cmath>
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
};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double huge = 1e300;   // a bound that is never reached
constexpr double tiny = 1e-300;  // a floor that turns a parallelism of nothing into an endless time
constexpr double endless = 1e200;
constexpr std::size_t chunk = 128;

double average(double a, double b) { return 0.5 * (a + b); }
double smaller(double a, double b) { return a < b ? a : b; }
double larger(double a, double b) { return a > b ? a : b; }

// A block's baseline, reduced to what the target equations need.
struct Block {
    double int_total, fp_total, int_weight, fp_weight;  // instructions over all cores (in issue slots), and shares
    double inst_total;                                  // instC_b * cores_b
    double ilp, ilp_floor, mlp, mlp_floor, access_per_inst;
    double accesses, access_cycles;  // over all cores; fewest cycles of one
    double l1_miss, buffer_pass, mid_miss, memory_rate, memory_local;
    double lines, lines_per_rate, lines_fixed;
    double lambda_constant, lambda_inst, lambda_mem, overlap;
};

// What a design point gives to every block.
struct Point {
    double per_core, same, sum, max;  // instC = (same*alpha*inst_total + sum*.. + max*..), per core
    double beta, gamma, alpha, alpha_follows;
    double int_latency, fp_latency, extra_ilp;
    double l1_scale, mid_scale, llc_scale;
    double l1_latency, mid_latency, llc_latency, memory_latency;
    double cycles_per_line, seconds_per_cycle;
};
constexpr std::size_t point_size = sizeof(Point) / sizeof(double);

// The fields of `Target`, by position.
enum Parameter {
    frequency_, core_count_, max_threads_per_core_, streams_per_thread_,
    int_latency_, fp_latency_,
    l1_latency_, mid_latency_, llc_latency_, memory_latency_,
    l1_size_, l1_shared_by_, mid_size_, mid_shared_by_, llc_size_, llc_shared_by_,
    bandwidth_, line_,
    threads_, cores_, threads_per_core_, alpha_, beta_, gamma_,
};
static_assert(gamma_ + 1 == target_columns);

const Column* columns(const Target& t) { return &t.frequency; }

bool is_nan(double x) { return x != x; }
bool is_whole(double x) { return smaller(x, 1e9) == static_cast<double>(static_cast<int>(smaller(x, 1e9))); }

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

double average_latency(const Rates& r, double l1, double mid, double llc, double memory) {
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
    return b;
}

// Bytes of one level that a thread can call its own.
double share(double size, double shared_by, double core_count, double cores, double threads_per_core) {
    const double instances = shared_by > 0 ? larger(1, core_count / shared_by) : 1;
    return size / (larger(1, cores / instances) * threads_per_core);
}

// `value(k)` is the k-th parameter of a target at the point. No branch either: this runs in vector registers, too.
template <typename Value>
inline Point at(const Value& value, const Base& m, const Rules& rules) {
    const double core_count = value(core_count_), frequency = value(frequency_), threads = value(threads_);
    const double threads_per_core = value(threads_per_core_), alpha = value(alpha_);
    const double asked = is_nan(threads) ? value(cores_) : threads / threads_per_core;
    const double cores = is_nan(asked) ? core_count : asked;
    const bool runs = (cores >= 1) & (cores <= core_count) & is_whole(cores) & (threads_per_core >= 1) &
                      (threads_per_core <= value(max_threads_per_core_));
    const auto scale = [&](double old, Parameter size, Parameter shared_by) {
        return std::sqrt(old / share(value(size), value(shared_by), core_count, cores, threads_per_core));
    };
    const bool same = threads_per_core == m.threads_per_core, one = threads_per_core == 1, two = threads_per_core == 2;
    const double gone = rules.count_threads ? m.threads_per_core - 1 : 0;
    const double apart = one ? 1 : two ? 0.5 : 0;                          // share of instructions that do not overlap
    Point p;
    p.per_core = 1 / cores;
    p.same = same ? (rules.core_ratio ? p.per_core : 1 / m.cores) : 0;
    p.sum = same ? 0 : apart * p.per_core;
    p.max = same ? 0 : (1 - apart) * p.per_core;
    p.beta = value(beta_);
    p.gamma = value(gamma_);
    p.alpha = is_nan(alpha) ? 0 : alpha;
    p.alpha_follows = is_nan(alpha) ? 1 : 0;
    p.int_latency = value(int_latency_);
    p.fp_latency = value(fp_latency_);
    p.extra_ilp = one ? value(streams_per_thread_) - m.streams_per_thread - gone : threads_per_core - m.threads_per_core;
    p.l1_scale = scale(m.l1_share, l1_size_, l1_shared_by_);
    p.mid_scale = rules.middle == Middle::cache ? scale(m.mid_share, mid_size_, mid_shared_by_) : 1;
    p.llc_scale = scale(m.llc_share, llc_size_, llc_shared_by_);
    p.l1_latency = value(l1_latency_);
    p.mid_latency = value(mid_latency_);
    p.llc_latency = value(llc_latency_);
    p.memory_latency = value(memory_latency_);
    p.cycles_per_line = (rules.target_line ? value(line_) : m.line) * frequency / value(bandwidth_);
    p.seconds_per_cycle = runs ? 1 / frequency : infinity;
    return p;
}

// The target equations, without a branch, so that the sweep's inner loop runs in vector registers.
template <bool clamp>
inline Terms predict(const Block& b, const Point& p) {
    Terms r;
    const double ints = p.beta * b.int_total, fps = p.gamma * b.fp_total;
    const double alpha = p.alpha + p.alpha_follows * (p.beta * b.int_weight + p.gamma * b.fp_weight);
    r.inst = p.same * alpha * b.inst_total + p.sum * (ints + fps) + p.max * larger(ints, fps);
    const double weighted = p.int_latency * ints + p.fp_latency * fps, weight = ints + fps > 0 ? ints + fps : 1;
    r.ail = weighted / weight;
    r.ilp = larger(b.ilp + p.extra_ilp, b.ilp_floor);
    const double cycles_per_inst = larger(1, weighted / (weight * r.ilp));  // aIL/ILP, with one division
    r.ipc = 1 / cycles_per_inst;
    r.time_inst = r.inst * cycles_per_inst;
    r.time_int = ints * p.per_core * cycles_per_inst;
    r.time_fp = fps * p.per_core * cycles_per_inst;

    const double beyond_l1 = smaller(1, b.l1_miss * p.l1_scale);
    const double beyond_mid = smaller(beyond_l1 * b.buffer_pass, b.mid_miss * p.mid_scale);
    const double memory = smaller(beyond_mid, (b.memory_rate + b.memory_local * beyond_mid) * p.llc_scale);
    r.l1_rate = 1 - beyond_l1;
    r.mid_rate = beyond_l1 - beyond_mid;
    r.llc_rate = beyond_mid - memory;
    r.memory_rate = memory;
    r.aml = average_latency({beyond_l1, beyond_mid, memory}, p.l1_latency, p.mid_latency, p.llc_latency,
                            p.memory_latency);
    r.mlp = larger(b.mlp + (r.ilp - b.ilp) * b.access_per_inst, b.mlp_floor);
    const double cycles_per_access = larger(b.access_cycles, r.aml / r.mlp);
    r.mpc = 1 / cycles_per_access;
    r.time_lat = b.accesses * p.per_core * cycles_per_access;
    r.time_bw = (b.lines_fixed + b.lines_per_rate * memory) * p.cycles_per_line;
    r.time_mem = larger(r.time_lat, r.time_bw);

    r.lambda = b.lambda_constant + b.lambda_inst * r.time_inst + b.lambda_mem * r.time_mem;
    r.overlap_raw = r.lambda * b.overlap;
    r.overlap = clamp ? smaller(r.overlap_raw, smaller(r.time_inst, r.time_mem)) : r.overlap_raw;
    r.time = r.time_inst + r.time_mem - r.overlap;
    return r;
}

// One chunk of design points, an array for each parameter, and what the blocks need of them.
struct Chunk {
    double parameters[target_columns][chunk];
    double points[point_size][chunk];
    double cycles[chunk];
};

// What is the same at every point is filled in once, before the first chunk.
void fill_constants(Chunk& c, const Column* given) {
    for (std::size_t k = 0; k < target_columns; ++k)
        if (given[k].stride == 0) std::fill_n(c.parameters[k], chunk, given[k].data[0]);
}

void fill_columns(Chunk& c, const Column* given, std::size_t first, std::size_t count) {
    for (std::size_t k = 0; k < target_columns; ++k) {
        if (given[k].stride == 0) continue;
        std::copy_n(given[k].data + first, count, c.parameters[k]);
        std::fill_n(c.parameters[k] + count, chunk - count, given[k].data[first + count - 1]);
    }
}

FORETELL_CLONES void fill_points(Chunk& __restrict c, const Base& m, const Rules& rules) {
    const Rules fixed = rules;
    const Base base = m;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Point p = at([&](Parameter which) { return c.parameters[which][k]; }, base, fixed);
        const double* values = &p.per_core;
        for (std::size_t f = 0; f < point_size; ++f) c.points[f][k] = values[f];
    }
}

inline Point load(const double (&f)[point_size][chunk], std::size_t k) {
    return {f[0][k],  f[1][k],  f[2][k],  f[3][k],  f[4][k],  f[5][k],  f[6][k],
            f[7][k],  f[8][k],  f[9][k],  f[10][k], f[11][k], f[12][k], f[13][k],
            f[14][k], f[15][k], f[16][k], f[17][k], f[18][k], f[19][k]};
}

FORETELL_CLONES void add_clamped(const Block& given, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) c.cycles[k] += predict<true>(b, load(c.points, k)).time;
}

FORETELL_CLONES void add_literal(const Block& given, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) c.cycles[k] += predict<false>(b, load(c.points, k)).time;
}

}  // namespace

Analysis analyse(const Events& e, const Base& m, const Rules& rules) {
    Analysis a{};
    analyse_instructions(a, e, m, rules);
    analyse_memory(a, e, m, rules);
    a.overlap = a.time_inst + a.time_mem - e.time;
    return a;
}

Terms evaluate(const Events& e, const Base& m, const Target& t, const Rules& rules, std::size_t i) {
    const Block block = reduce(e, m, rules);
    const Column* given = columns(t);
    const Point point = at([&](Parameter which) { return given[which][i]; }, m, rules);
    Terms terms = rules.clamp_overlap ? predict<true>(block, point) : predict<false>(block, point);
    if (std::isinf(point.seconds_per_cycle) || !(terms.time < endless)) terms.time = infinity;
    return terms;
}

void sweep(const std::vector<Events>& events, const Base& m, const Target& t, const Rules& rules, std::size_t points,
           double* times) {
    std::vector<Block> blocks;
    for (const Events& e : events) blocks.push_back(reduce(e, m, rules));
    const auto c = std::make_unique<Chunk>();
    fill_constants(*c, columns(t));
    for (std::size_t first = 0; first < points; first += chunk) {
        const std::size_t count = std::min(chunk, points - first);
        fill_columns(*c, columns(t), first, count);
        fill_points(*c, m, rules);
        std::fill_n(c->cycles, chunk, 0.0);
        for (const Block& block : blocks) rules.clamp_overlap ? add_clamped(block, *c) : add_literal(block, *c);
        for (std::size_t k = 0; k < count; ++k) {
            const double time = c->cycles[k] * c->points[point_size - 1][k];
            times[first + k] = time < endless ? time : infinity;  // 0 cycles that cannot run are endless, too
        }
    }
}

}  // namespace foretell::counters
