// Analysis of the baseline: derives a block's rates and times from its counters, as inputs of the target equations.
#include <algorithm>
#include <cmath>

#include "counters/equations.hpp"

namespace foretell::counters {

namespace {

double inst_min(double ints, double fps, double threads) { return threads == 1 ? ints + fps : larger(ints, fps); }

void analyse_instructions(Analysis& a, const Events& e, const Base& m, const Rules& rules) {
    const double ints = e.int_instructions / m.cores, fps = e.fp_instructions / m.cores;
    const double slots = inst_min(ints, fps, m.threads_per_core);
    // IPC above 1 contradicts a single-issue pipeline: count issue slots instead.
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

Rates baseline_rates(const Events& e, const Rules& rules) {
    if (e.accesses <= 0) return {0, 0, 0};
    const double l1 = (e.accesses - e.l1_hits) / e.accesses;
    const double memory = (e.accesses - e.l1_hits - e.mid_hits - e.llc_hits) / e.accesses;
    const double after = rules.middle == Middle::none ? l1 : (e.accesses - e.l1_hits - e.mid_hits) / e.accesses;
    return {l1, after, memory};
}

void analyse_memory(Analysis& a, const Events& e, const Base& m, const Rules& rules) {
    const double accesses = e.accesses / m.cores;
    // More than one access per cycle: the core sustains it, so one access takes less than a cycle.
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

// Time of one thread alone, given that `users` threads take `time` and each has the blocking service demand `wait` at a
// resource: `among` solved for `alone`.
double alone_of(double time, double users, double wait, double over) {
    const double idle = larger(0, time - users * wait);
    return idle + wait > 0 ? (time * idle + (users - 1) * over * wait * wait) / (idle + wait) + wait : 0;
}

// Blocking service demand of each of `users` threads that take `time`, and `alone` without contention: `among` solved
// for the use of the resource, with varying service times.
double wait_of(double time, double users, double alone) {
    const double longer = time - alone;
    return 0.5 * (std::sqrt(longer * (longer + 4 * time / (users - 1))) - longer);
}

// Removes the queueing delay at memory from the baseline's time, which leaves the time of one core alone. The result is
// at least the time of instructions or accesses; a baseline faster than that allows had a shorter delay.
double without_memory(Block& b, const Analysis& a, const Base& m, double time, double hidden) {
    const double users = m.cores * m.threads_per_core, use = a.time_bw / users;
    const double longest = a.time_bw * longest_wait(m.cores, 1 / m.cores, m.streaming_cores, m.served_cores);
    const double least = smaller(time, larger(a.time_inst, a.time_lat));
    const double own = larger(alone_of(time, users, (1 - hidden) * use, varying), time - longest);
    b.memory_wait = own < least && users > 1 && use > 0 ? wait_of(time, users, least) / use : 1 - hidden;
    return larger(own, least);
}

// Time that a thread occupies the out-of-order window: the part of `alone` that stems from overlap, if instructions and
// on-chip accesses one after the other take `serial`. The threads of a core share the window.
double window_of(double alone, double serial) { return larger(0, alone - alone * alone / serial); }

// Time of a core's work with one thread alone, given that `users` threads take `time`.
double alone_inside(double time, double users, double pipeline, double serial, double chains) {
    double low = time / (users * (1 + (users - 1) * chains)), high = time;
    if (serial <= 0) return alone_of(time, users, pipeline, steady);
    for (int step = 0; step < 60 && low < high; ++step) {
        const double middle = average(low, high);
        (inside(users, middle, smaller(middle, pipeline), window_of(middle, serial), chains) < time ? low : high) =
            middle;
    }
    return high;
}

// Cycles that a block occupies a core's pipelines, its memory path and its issue slots.
struct Use {
    double pipeline, path, slots;
};

// Removes the contention between threads of a core, which leaves the time of one thread alone.
double without_others(Block& b, double time, const Base& m, const Use& use, double serial) {
    const double users = m.threads_per_core * m.sharing, own = m.threads_per_core * m.own_sharing;
    const double all = time * m.threads_per_core;
    const auto fitting = [](double users, double use, double most) {
        return users * use > most ? most / (users * use) : 1;
    };
    b.slots_factor = fitting(1 + m.corunners, use.slots, all);
    const double known = all - m.corunners * b.slots_factor * use.slots;  // without co-runners
    b.path_factor = fitting(own, use.path, known);
    const double off_path = alone_of(known, own, b.path_wait * b.path_factor * use.path, varying);
    b.pipeline_factor = fitting(users, use.pipeline, off_path);
    const double alone = alone_inside(off_path, users, b.pipeline_factor * use.pipeline, serial, b.chains);
    b.window = serial > 0 ? window_of(alone, serial) / alone : 0;
    return alone;
}

// Cycles of a core's instructions and cache hits, serialised. Accesses served by memory are excluded: streams are
// prefetched, with or without a window.
double serial_cycles(const Events& e, const Base& m) {
    const double instructions = m.int_latency * e.int_instructions + m.fp_latency * e.fp_instructions;
    const double served = m.l1_latency * e.l1_hits + m.mid_latency * e.mid_hits + m.llc_latency * e.llc_hits;
    return (instructions + served) / m.cores;
}

}  // namespace

Analysis analyse(const Events& e, const Base& m, const Rules& rules) {
    Analysis a{};
    analyse_instructions(a, e, m, rules);
    analyse_memory(a, e, m, rules);
    a.overlap = a.time_inst + a.time_mem - e.time;
    return a;
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
    b.roots = e.roots;
    b.ilp = a.ilp;
    b.mlp = a.mlp;
    // Floors of one, lower where the baseline itself is lower: reproducing the baseline has priority.
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
    const double hidden = a.time_mem > 0 ? smaller(1, larger(0, a.overlap / a.time_mem)) : 0;
    b.path_wait = 1 - hidden;
    const double own = rules.queue_memory ? without_memory(b, a, m, e.time, hidden) : e.time;
    const double mem = rules.queue_memory ? a.time_lat : a.time_mem;
    const bool has_inst = a.time_inst > 0, has_mem = mem > 0;  // only defined ratios count
    b.lambda_constant = has_inst || has_mem ? 0 : 1;
    b.lambda_inst = has_inst ? (has_mem ? 0.5 : 1) / a.time_inst : 0;
    b.lambda_mem = has_mem ? (has_inst ? 0.5 : 1) / mem : 0;
    b.overlap = a.time_inst + mem - own;
    b.most_overlap = rules.clamp_overlap ? 0 : huge;
    const Kinds kinds{e.int_instructions, e.fp_instructions, e.divides, e.roots, e.accesses};
    const Gaps gaps{m.int_gap, m.fp_gap, m.divide_gap, m.root_gap, m.load_gap, m.issue_gap};
    const double pipeline = pipeline_cycles(kinds, gaps) / m.cores;
    const double path = m.core_bandwidth > 0 ? b.lines / m.cores * m.line * m.frequency / m.core_bandwidth : 0;
    const double serial = rules.out_of_order ? serial_cycles(e, m) : 0;
    b.chains = serial > 0 ? e.half_window - 1 : 0;
    const Use use{pipeline, path, slot_cycles(kinds, gaps, pipeline * m.cores) / m.cores};
    b.alone = rules.queue_threads ? without_others(b, own, m, use, serial) / own : 1;
    return b;
}

}  // namespace foretell::counters
