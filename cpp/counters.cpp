#include "counters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>

#include "counters_equations.hpp"

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
constexpr double endless = 1e200;

const Column* columns(const Target& t) { return &t.frequency; }

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

Scales bent(const Curve& curve, const Scales& plain, const Base& m) {
    if (curve.log_size.empty()) return plain;
    return {bent(curve, m.l1_share, plain.l1), bent(curve, m.mid_share, plain.mid), bent(curve, m.llc_share, plain.llc)};
}

// ------------------------------------------------------------------------------------ chunks of design points

using Row = double[chunk];

// How fast a block goes at each point, as far as a `Pace` is needed in a sweep.
struct Paces {
    Row cycles_per_inst, per_mlp;
    Row time_inst, pipeline;  // of its instructions
};

// One chunk: a row for each parameter, and what follows from them for all blocks, and for the block at hand.
struct Chunk {
    Row parameters[target_columns];
    Row launches[launch_size];
    Row scales[3];
    Row traffic[2];
    Row instructions, latency, bandwidth;  // cycles of one block
    Row pipeline, path, stretch;
    Row cycles;
};

// A parameter at one point of a chunk, as the equations ask for it.
FORETELL_INLINE auto parameters_at(const Chunk& c, std::size_t k) {
    return [&c, k](Parameter which) { return c.parameters[which][k]; };
}

// Fields are written one by one: through a pointer to the first one, the loops would stay scalar.
FORETELL_CLONES void fill_launches(Chunk& __restrict c, const Base& m, const Rules& rules) {
    const Rules fixed = rules;
    const Base base = m;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Launch l = launch_at(parameters_at(c, k), base, fixed);
        auto& f = c.launches;
        f[0][k] = l.possible, f[1][k] = l.cores, f[2][k] = l.per_core, f[3][k] = l.same, f[4][k] = l.sum;
        f[5][k] = l.max, f[6][k] = l.extra_ilp, f[7][k] = l.parts, f[8][k] = l.threads, f[9][k] = l.turn;
        static_assert(launch_size == 10);
    }
}

const double* row(const Chunk& c, std::size_t offset) { return c.launches[offset / sizeof(double)]; }

FORETELL_CLONES void fill_inner_scale(Chunk& __restrict c, const Base& m) {
    const double share = m.l1_share;
    const double* cores = row(c, offsetof(Launch, cores));
    for (std::size_t k = 0; k < chunk; ++k)
        c.scales[0][k] = level_scale(parameters_at(c, k), share, l1_size_, l1_shared_by_, cores[k]);
}

FORETELL_CLONES void fill_middle_scale(Chunk& __restrict c, const Base& m) {
    const double share = m.mid_share;
    const double* cores = row(c, offsetof(Launch, cores));
    for (std::size_t k = 0; k < chunk; ++k)
        c.scales[1][k] = level_scale(parameters_at(c, k), share, mid_size_, mid_shared_by_, cores[k]);
}

FORETELL_CLONES void fill_last_scale(Chunk& __restrict c, const Base& m) {
    const double share = m.llc_share;
    const double* cores = row(c, offsetof(Launch, cores));
    for (std::size_t k = 0; k < chunk; ++k) c.scales[2][k] = last_scale(parameters_at(c, k), share, cores[k]);
}

FORETELL_CLONES void fill_traffic(Chunk& __restrict c, const Base& m, const Rules& rules) {
    const Rules fixed = rules;
    const Base base = m;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Traffic traffic = traffic_at(parameters_at(c, k), base, fixed);
        c.traffic[0][k] = traffic.cycles_per_line;
        c.traffic[1][k] = traffic.core_cycles_per_line;
    }
}

FORETELL_CLONES void fill_paces(const Block& given, const Chunk& __restrict c, Paces& __restrict paces) {
    const Block b = given;
    const double* extra = row(c, offsetof(Launch, extra_ilp));
    for (std::size_t k = 0; k < chunk; ++k) {
        const Pace pace = pace_at(b, parameters_at(c, k), extra[k]);
        paces.cycles_per_inst[k] = pace.cycles_per_inst;
        paces.per_mlp[k] = pace.per_mlp;
    }
}

FORETELL_INLINE Launch launch_of(const Chunk& c, std::size_t k) {
    const auto& f = c.launches;
    return {f[0][k], f[1][k], f[2][k], f[3][k], f[4][k], f[5][k], f[6][k], f[7][k], f[8][k], f[9][k]};
}

FORETELL_CLONES void fill_work(const Block& given, const Chunk& __restrict c, Paces& __restrict paces) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Work work = work_at(b, parameters_at(c, k), launch_of(c, k), paces.cycles_per_inst[k]);
        paces.time_inst[k] = work.time_inst;
        paces.pipeline[k] = work.pipeline;
    }
}

FORETELL_INLINE Terms terms_of(const Block& b, const Chunk& c, const Paces& paces, std::size_t k) {
    const double per_core = c.launches[offsetof(Launch, per_core) / sizeof(double)][k];
    const Point point{per_core, {c.scales[0][k], c.scales[1][k], c.scales[2][k]}, {c.traffic[0][k], c.traffic[1][k]}};
    const Pace pace{0, 0, paces.cycles_per_inst[k], 0, paces.per_mlp[k]};  // the others are for single points
    const Work work{0, paces.time_inst[k], 0, 0, paces.pipeline[k]};
    return terms_at(b, parameters_at(c, k), point, pace, work);
}

// What a block takes with a core of its own for each thread, and its use of that core.
FORETELL_CLONES void fill_times(const Block& given, const Paces& __restrict paces, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Terms r = terms_of(b, c, paces, k);
        const Shares shares = shares_of(b, r);
        c.instructions[k] = r.time_inst;
        c.latency[k] = r.time_lat;
        c.bandwidth[k] = r.time_bw;
        c.pipeline[k] = shares.pipeline;
        c.path[k] = shares.path;
    }
}

// Beside the baseline: the target's stretch becomes a factor of the time.
FORETELL_CLONES void make_relative(const Base& given, Chunk& __restrict c) {
    const Base m = given;
    const double* parts = row(c, offsetof(Launch, parts));
    const double* threads = row(c, offsetof(Launch, threads));
    const double* turn = row(c, offsetof(Launch, turn));
    for (std::size_t k = 0; k < chunk; ++k) {
        const double factor = c.stretch[k] * turn[k];
        c.stretch[k] = is_alike(m, parts[k], threads[k]) ? 1 : factor;
    }
}

void fill_stretch(const Base& m, const Crowd& crowd, Chunk& c) {
    stretches(crowd, c.pipeline, c.path, c.stretch, chunk);
    if (const double usual = m.threads_per_core * m.sharing; usual > 1) {
        Row threads, own;
        std::fill_n(threads, chunk, usual);
        stretches(crowd_of(threads, chunk), c.pipeline, c.path, own, chunk);
        for (std::size_t k = 0; k < chunk; ++k) c.stretch[k] /= own[k];
    }
    make_relative(m, c);
}

template <bool clamp>
FORETELL_INLINE void add(const Block& b, Chunk& __restrict c, std::size_t k, Terms r, double stretch) {
    compose<clamp>(b, stretch, r);
    c.cycles[k] += r.time;
}
FORETELL_CLONES void add_clamped(const Block& given, const Paces& __restrict paces, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) add<true>(b, c, k, terms_of(b, c, paces, k), 1);
}
FORETELL_CLONES void add_literal(const Block& given, const Paces& __restrict paces, Chunk& __restrict c) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) add<false>(b, c, k, terms_of(b, c, paces, k), 1);
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

bool is_queued(const Chunk& c, const Base& m) {
    const double* parts = row(c, offsetof(Launch, parts));
    const double* threads = row(c, offsetof(Launch, threads));
    for (std::size_t k = 0; k < chunk; ++k)
        if (!is_alike(m, parts[k], threads[k])) return true;
    return false;
}

FORETELL_CLONES void fill_seconds(const Chunk& __restrict c, std::size_t count, double* __restrict times) {
    for (std::size_t k = 0; k < count; ++k) {
        const bool runs = (c.launches[0][k] != 0) & (c.cycles[k] < endless);
        const double seconds = c.cycles[k] / c.parameters[frequency_][k];
        times[k] = runs ? seconds : infinity;
    }
}

// A sweep: what follows from rows that did not change since the last chunk is not computed again.
class Sweep {
public:
    Sweep(const std::vector<Events>& events, const std::vector<Curve>& curves, const Base& m, const Target& t, const Rules& rules,
          const Shape& shape)
        : curves_(curves), m_(m), rules_(rules), reader_(shape, columns(t), target_columns), paces_(events.size()) {
        for (std::size_t k = 0; k < target_columns; ++k) std::fill_n(chunk_->parameters[k], chunk, columns(t)[k].data[0]);
        for (const Events& e : events) blocks_.push_back(reduce(e, m, rules));
        curved_ = std::any_of(curves.begin(), curves.end(), [](const Curve& c) { return !c.log_size.empty(); });
        std::fill_n(chunk_->scales[1], chunk, 1.0);
    }

    void run(std::size_t count, double* times) {
        Chunk& c = *chunk_;
        reader_.read(c.parameters, count);  // a last chunk that is not full has points of the one before in its rest
        const bool launched = fill_point();
        std::fill_n(c.cycles, chunk, 0.0);
        if (curved_) std::copy_n(&c.scales[0][0], 3 * chunk, &plain_[0][0]);
        // threads that wait for each other change no parallelism
        const bool paced = changed({int_latency_, fp_latency_, beta_, gamma_, streams_per_thread_}) ||
                           (launched && !rules_.queue_threads);
        const bool worked = paced || launched ||
                            changed({alpha_, int_gap_, fp_gap_, divide_gap_, root_gap_, load_gap_, issue_gap_});
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            if (paced) fill_paces(blocks_[b], c, paces_[b]);
            if (worked) fill_work(blocks_[b], c, paces_[b]);
            add_block(b);
        }
        if (curved_) std::copy_n(&plain_[0][0], 3 * chunk, &c.scales[0][0]);
        fill_seconds(c, count, times);
    }

private:
    bool changed(std::initializer_list<Parameter> which) const {
        return std::any_of(which.begin(), which.end(), [this](Parameter k) { return reader_.changed(k); });
    }

    // What the points give to all blocks; whether the launches are others than in the last chunk.
    bool fill_point() {
        Chunk& c = *chunk_;
        const bool launched = changed({core_count_, max_threads_per_core_, streams_per_thread_, sharing_, threads_, cores_,
                                       threads_per_core_});
        if (launched) {
            fill_launches(c, m_, rules_);
            queued_ = is_queued(c, m_);
            if (queued_) crowd_ = crowd_of(row(c, offsetof(Launch, threads)), chunk);
        }
        if (launched || changed({l1_size_, l1_shared_by_})) fill_inner_scale(c, m_);
        if (rules_.middle == Middle::cache && (launched || changed({mid_size_, mid_shared_by_}))) fill_middle_scale(c, m_);
        if (launched || changed({llc_size_, llc_shared_by_, llc_together_})) fill_last_scale(c, m_);
        if (changed({frequency_, bandwidth_, core_bandwidth_, line_})) fill_traffic(c, m_, rules_);
        return launched;
    }

    void add_block(std::size_t number) {
        Chunk& c = *chunk_;
        const Block& b = blocks_[number];
        const Paces& paces = paces_[number];
        if (curved_) bend(curves_[number]);
        if (queued_) {
            fill_times(b, paces, c);
            fill_stretch(m_, crowd_, c);
            add_stretched(b, rules_.clamp_overlap, c);
        } else {
            rules_.clamp_overlap ? add_clamped(b, paces, c) : add_literal(b, paces, c);
        }
    }

    void bend(const Curve& curve) {
        for (std::size_t k = 0; k < chunk; ++k) {
            const Scales scales = bent(curve, {plain_[0][k], plain_[1][k], plain_[2][k]}, m_);
            chunk_->scales[0][k] = scales.l1, chunk_->scales[1][k] = scales.mid, chunk_->scales[2][k] = scales.llc;
        }
    }

    const std::vector<Curve>& curves_;
    const Base& m_;
    const Rules& rules_;
    BoxReader reader_;
    std::vector<Block> blocks_;
    std::vector<Paces> paces_;
    std::unique_ptr<Chunk> chunk_ = std::make_unique<Chunk>();
    Row plain_[3];  // the scales of the square-root law, while a block with a curve of its own replaces them
    Crowd crowd_{};
    bool curved_, queued_ = false;
};

}  // namespace

Terms evaluate(const Events& e, const Curve& curve, const Base& m, const Target& t, const Rules& rules) {
    const Block block = reduce(e, m, rules);
    const Column* given = columns(t);
    const auto value = [&](Parameter which) { return given[which].data[0]; };
    const Launch launch = launch_at(value, m, rules);
    const Point point{launch.per_core, bent(curve, scales_at(value, m, rules, launch.cores), m), traffic_at(value, m, rules)};
    const Pace pace = pace_at(block, value, launch.extra_ilp);
    Terms terms = terms_at(block, value, point, pace, work_at(block, value, launch, pace.cycles_per_inst));
    const Shares shares = shares_of(block, terms);
    const double usual = m.threads_per_core * m.sharing;
    const double longer = stretch(launch.threads, shares.pipeline, shares.path) / stretch(usual, shares.pipeline, shares.path);
    const double factor = is_alike(m, launch.parts, launch.threads) ? 1 : longer * launch.turn;
    rules.clamp_overlap ? compose<true>(block, factor, terms) : compose<false>(block, factor, terms);
    terms.pipeline = shares.pipeline;
    terms.path = shares.path;
    if (launch.possible == 0 || !(terms.time < endless)) terms.time = infinity;
    return terms;
}

void sweep(const std::vector<Events>& events, const std::vector<Curve>& curves, const Base& m, const Target& t,
           const Rules& rules, const Shape& shape, double* times) {
    Sweep all(events, curves, m, t, rules, shape);
    const std::size_t points = points_of(shape);
    for (std::size_t first = 0; first < points; first += chunk)
        all.run(std::min(chunk, points - first), times + first);
}

}  // namespace foretell::counters
