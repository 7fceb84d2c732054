#include "counters/counters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>

#include "counters/equations.hpp"

namespace foretell::counters {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double endless = 1e200;

// Parts of the model that depend on each parameter.
constexpr unsigned parts_of[] = {
#define X(name, parts) parts,
    FORETELL_COUNTERS_TARGET(X)
#undef X
};

double log_misses(const Curve& curve, double log_size) {
    const auto& x = curve.log_size;
    const auto& y = curve.log_misses;
    const std::size_t above = std::upper_bound(x.begin(), x.end(), log_size) - x.begin();
    if (above == 0) return y.front();
    if (above == x.size()) return y.back();
    const double part = (log_size - x[above - 1]) / (x[above] - x[above - 1]);
    return y[above - 1] + part * (y[above] - y[above - 1]);
}

// Misses in a thread's share of a private cache when `parts` threads split the loops. If a thread's part of a loop fits
// its share, the next loop hits; data that does not fit is common to all threads, and a core holds it once.
double misses_of(const Curve& curve, double share, double whole, double parts) {
    const bool kept = share < curve.loop_bytes && curve.loop_bytes <= share * parts * (1 + 1e-9);
    const double all = std::exp(log_misses(curve, std::log(kept ? whole : share)));
    return kept ? larger(0, all - curve.loop_misses) : all;
}

// Miss-rate factor from the block's own curve, where the square-root law gives `scale`. `scale` is sqrt(old/new), so
// the new share of the cache is old / scale^2.
double bent(const Curve& curve, double old_share, double scale, double whole, double parts) {
    return misses_of(curve, old_share / (scale * scale), whole, parts) / misses_of(curve, old_share, old_share, 1);
}

// `threads` split the baseline's work; the last level is shared, so all of them together hold the same data in it.
Scales bent(const Curve& curve, const Scales& plain, const Base& m, double l1_size, double mid_size, double threads) {
    if (curve.log_size.empty()) return plain;
    const double parts = threads / (m.cores * m.threads_per_core);
    return {bent(curve, m.l1_share, plain.l1, l1_size, parts), bent(curve, m.mid_share, plain.mid, mid_size, parts),
            bent(curve, m.llc_share, plain.llc, 0, 1)};
}

// ------------------------------------------------------------------------------------ chunks of design points

constexpr std::size_t chunk = 64;  // points that a sweep evaluates at a time
using Row = double[chunk];

// Pace of a block at each point, reduced to the fields of `Pace` that a sweep needs.
struct Paces {
    Row cycles_per_inst, per_mlp;
    Row time_inst, pipeline, slots;  // of its instructions
};

struct LaunchRows {
#define X(name) Row name;
    FORETELL_COUNTERS_LAUNCH(X)
#undef X
};

struct ScaleRows {
    Row l1, mid, llc;
};

struct TrafficRows {
    Row cycles_per_line, core_cycles_per_line;
};

// One chunk of points: a row per parameter, the intermediate results common to all blocks, and the time.
struct Chunk {
    Row parameters[target_columns];
    LaunchRows launch;
    ScaleRows scales;
    TrafficRows traffic;
    Row cycles;
};

// Accessor for the parameters of one point of a chunk, as the equations need it.
FORETELL_INLINE auto parameters_at(const Chunk& c, std::size_t k) {
    return [&c, k](Parameter which) { return c.parameters[which][k]; };
}

// Fields are written one by one: through a pointer to the first one, the loops would not vectorise.
FORETELL_CLONES void fill_launches(Chunk& __restrict c, const Base& m, const Rules& rules) {
    const Rules fixed = rules;
    const Base base = m;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Launch l = launch_at(parameters_at(c, k), base, fixed);
#define X(name) c.launch.name[k] = l.name;
        FORETELL_COUNTERS_LAUNCH(X)
#undef X
    }
}

FORETELL_CLONES void fill_inner_scale(Chunk& __restrict c, const Base& m) {
    const double share = m.l1_share;
    for (std::size_t k = 0; k < chunk; ++k)
        c.scales.l1[k] = level_scale(parameters_at(c, k), share, l1_size_, l1_shared_by_, c.launch.cores[k]);
}

FORETELL_CLONES void fill_middle_scale(Chunk& __restrict c, const Base& m) {
    const double share = m.mid_share;
    for (std::size_t k = 0; k < chunk; ++k)
        c.scales.mid[k] = level_scale(parameters_at(c, k), share, mid_size_, mid_shared_by_, c.launch.cores[k]);
}

FORETELL_CLONES void fill_last_scale(Chunk& __restrict c, const Base& m) {
    const double share = m.llc_share;
    for (std::size_t k = 0; k < chunk; ++k) c.scales.llc[k] = last_scale(parameters_at(c, k), share, c.launch.cores[k]);
}

FORETELL_CLONES void fill_traffic(Chunk& __restrict c, const Base& m, const Rules& rules) {
    const Rules fixed = rules;
    const Base base = m;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Traffic traffic = traffic_at(parameters_at(c, k), base, fixed);
        c.traffic.cycles_per_line[k] = traffic.cycles_per_line;
        c.traffic.core_cycles_per_line[k] = traffic.core_cycles_per_line;
    }
}

FORETELL_CLONES void fill_paces(const Block& given, const Chunk& __restrict c, Paces& __restrict paces) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Pace pace = pace_at(b, parameters_at(c, k), c.launch.extra_ilp[k]);
        paces.cycles_per_inst[k] = pace.cycles_per_inst;
        paces.per_mlp[k] = pace.per_mlp;
    }
}

FORETELL_INLINE Launch launch_of(const Chunk& c, std::size_t k) {
    Launch l;
#define X(name) l.name = c.launch.name[k];
    FORETELL_COUNTERS_LAUNCH(X)
#undef X
    return l;
}

FORETELL_CLONES void fill_work(const Block& given, const Chunk& __restrict c, Paces& __restrict paces) {
    const Block b = given;
    for (std::size_t k = 0; k < chunk; ++k) {
        const Work work = work_at(b, parameters_at(c, k), launch_of(c, k), paces.cycles_per_inst[k]);
        paces.time_inst[k] = work.time_inst;
        paces.pipeline[k] = work.pipeline;
        paces.slots[k] = work.slots;
    }
}

template <bool queued, Contention where>
FORETELL_INLINE void add(const Block& b, const Paces& paces, Chunk& __restrict c, std::size_t k) {
    const Launch launch = launch_of(c, k);
    const Point point{launch.per_core,
                      {c.scales.l1[k], c.scales.mid[k], c.scales.llc[k]},
                      {c.traffic.cycles_per_line[k], c.traffic.core_cycles_per_line[k]}};
    const Pace pace{0, 0, paces.cycles_per_inst[k], 0, paces.per_mlp[k]};  // the others are for single points only
    const Work work{0, paces.time_inst[k], 0, 0, paces.pipeline[k], paces.slots[k]};
    Terms r = terms_at(b, parameters_at(c, k), point, pace, work);
    finish<queued, where>(b, launch, r);
    c.cycles[k] += r.time;
}

using Add = void(const Block&, const Paces&, Chunk&);
#define ADD(name, queued, where)                                                                       \
    FORETELL_CLONES void name(const Block& given, const Paces& __restrict paces, Chunk& __restrict c) { \
        const Block b = given;                                                                         \
        for (std::size_t k = 0; k < chunk; ++k) add<queued, where>(b, paces, c, k);                     \
    }
ADD(add_apart, true, Contention::none)
ADD(add_pipelines, true, Contention::pipelines)
ADD(add_path, true, Contention::path)
ADD(add_literal, false, Contention::path)
#undef ADD

// Cheapest specialisation that is exact for this chunk.
Add* adding(const Chunk& c, const Base& m, const Rules& rules) {
    const auto any = [](const Row& row, auto holds) { return std::any_of(row, row + chunk, holds); };
    const auto several = [](double n) { return n != 1; };
    const auto some = [](double n) { return n > 0; };
    const bool apart = m.threads_per_core * m.sharing == 1 && m.corunners == 0 && !any(c.launch.threads, several) &&
                       !any(c.launch.corunners, some);
    const bool paths = m.core_bandwidth > 0 || any(c.traffic.core_cycles_per_line, some);
    if (!rules.queue_memory) return add_literal;
    return apart ? add_apart : paths ? add_path : add_pipelines;
}

FORETELL_CLONES void fill_seconds(const Chunk& __restrict c, std::size_t count, double* __restrict times) {
    for (std::size_t k = 0; k < count; ++k) {
        const bool runs = (c.launch.possible[k] != 0) & (c.cycles[k] < endless);
        const double seconds = c.cycles[k] / c.parameters[frequency_][k];
        times[k] = runs ? seconds : infinity;
    }
}

// A sweep: results that depend only on unchanged rows are reused from the last chunk.
class Sweep {
public:
    Sweep(const std::vector<Events>& events, const std::vector<Curve>& curves, const Base& m, const Target& t,
          const Rules& rules, const Shape& shape)
        : curves_(curves), m_(m), rules_(rules), reader_(shape, t.data(), target_columns), paces_(events.size()) {
        for (std::size_t k = 0; k < target_columns; ++k) std::fill_n(chunk_->parameters[k], chunk, t[k].data[0]);
        for (const Events& e : events) blocks_.push_back(reduce(e, m, rules));
        curved_ = std::any_of(curves.begin(), curves.end(), [](const Curve& c) { return !c.log_size.empty(); });
        std::fill_n(chunk_->scales.mid, chunk, 1.0);
    }

    void run(std::size_t count, double* times) {
        Chunk& c = *chunk_;
        reader_.read(c.parameters, count);  // a partial last chunk keeps points of the one before in its rest
        const bool launched = fill_point();
        std::fill_n(c.cycles, chunk, 0.0);
        if (curved_) plain_ = c.scales;
        // queueing of threads does not change the parallelism
        const bool paced = changed(pace) || (launched && !rules_.queue_threads);
        const bool worked = paced || launched || changed(work);
        Add* const add = adding(c, m_, rules_);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            if (paced) fill_paces(blocks_[b], c, paces_[b]);
            if (worked) fill_work(blocks_[b], c, paces_[b]);
            if (curved_) bend(curves_[b]);
            add(blocks_[b], paces_[b], c);
        }
        if (curved_) c.scales = plain_;
        fill_seconds(c, count, times);
    }

private:
    // Whether a parameter that this part of the model depends on differs from the last chunk.
    bool changed(Part part) const {
        for (std::size_t k = 0; k < target_columns; ++k)
            if ((parts_of[k] & part) && reader_.changed(k)) return true;
        return false;
    }

    // Computes what is common to all blocks; returns whether the launches differ from the last chunk.
    bool fill_point() {
        Chunk& c = *chunk_;
        const bool launched = changed(launch);
        if (launched) fill_launches(c, m_, rules_);
        if (launched || changed(l1_scale)) fill_inner_scale(c, m_);
        if (rules_.middle == Middle::cache && (launched || changed(mid_scale))) fill_middle_scale(c, m_);
        if (launched || changed(llc_scale)) fill_last_scale(c, m_);
        if (changed(traffic)) fill_traffic(c, m_, rules_);
        return launched;
    }

    void bend(const Curve& curve) {
        Chunk& c = *chunk_;
        for (std::size_t k = 0; k < chunk; ++k) {
            const Scales scales = bent(curve, {plain_.l1[k], plain_.mid[k], plain_.llc[k]}, m_,
                                       c.parameters[l1_size_][k], c.parameters[mid_size_][k], c.launch.all[k]);
            c.scales.l1[k] = scales.l1, c.scales.mid[k] = scales.mid, c.scales.llc[k] = scales.llc;
        }
    }

    const std::vector<Curve>& curves_;
    const Base& m_;
    const Rules& rules_;
    BoxReader reader_;
    std::vector<Block> blocks_;
    std::vector<Paces> paces_;
    std::unique_ptr<Chunk> chunk_ = std::make_unique<Chunk>();
    ScaleRows plain_;  // scales of the square-root law, saved while a block's own curve replaces them
    bool curved_;
};

}  // namespace

Terms evaluate(const Events& e, const Curve& curve, const Base& m, const Target& t, const Rules& rules) {
    const Block block = reduce(e, m, rules);
    const auto value = [&](Parameter which) { return t[which].data[0]; };
    const Launch launch = launch_at(value, m, rules);
    const Scales scales =
        bent(curve, scales_at(value, m, rules, launch.cores), m, value(l1_size_), value(mid_size_), launch.all);
    const Point point{launch.per_core, scales, traffic_at(value, m, rules)};
    const Pace pace = pace_at(block, value, launch.extra_ilp);
    Terms terms = terms_at(block, value, point, pace, work_at(block, value, launch, pace.cycles_per_inst));
    rules.queue_memory ? finish<true>(block, launch, terms) : finish<false>(block, launch, terms);
    if (launch.possible == 0 || !(terms.time < endless)) terms.time = infinity;
    return terms;
}

void sweep(const std::vector<Events>& events, const std::vector<Curve>& curves, const Base& m, const Target& t,
           const Rules& rules, const Shape& shape, double* times) {
    Sweep all(events, curves, m, t, rules, shape);
    const std::size_t points = points_of(shape);
    for (std::size_t first = 0; first < points; first += chunk) all.run(std::min(chunk, points - first), times + first);
}

}  // namespace foretell::counters
