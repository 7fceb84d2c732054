#include "cachesim/cachesim.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "cachesim/hierarchy.hpp"
#include "cachesim/lru_batched.hpp"

namespace foretell::cachesim {

Simulator::Simulator(const std::vector<Geometry>& levels, std::size_t references, bool vectors)
    : geometry_(levels), references_(references) {
    if (levels.empty() || references == 0) throw std::invalid_argument("expected at least one level and one reference");
    if (LruBatched::fits(levels, references)) {
        lru_batched_ = std::make_unique<LruBatched>(levels, references, vectors);
        engine_ = lru_batched_.get();
    } else {
        any_ = std::make_unique<Hierarchy>(levels, references);
        engine_ = any_.get();
    }
}

Simulator::~Simulator() = default;

// Switches to the general engine, which continues from the current state, at the first address that the batched engine
// cannot represent.
void Simulator::prepare(std::uint64_t highest) {
    if (!lru_batched_ || lru_batched_->reaches(highest)) return;
    auto general = std::make_unique<Hierarchy>(geometry_, references_);
    lru_batched_->transfer_state(*general);
    any_ = std::move(general);
    engine_ = any_.get();
    lru_batched_.reset();
}

void Simulator::run(const List& list) {
    constexpr std::uint64_t highest_address = std::uint64_t{1} << 62;  // line numbers share their word with marks
    const std::uint64_t* const end = list.addresses + list.count;
    const std::uint64_t bits = std::accumulate(list.addresses, end, std::uint64_t{0}, std::bit_or<>{});
    if (bits >= highest_address) throw std::out_of_range("an address has more bits than the simulator keeps");
    prepare(bits + list.bytes);  // upper bound of all addresses
    engine_->run(list);
}

// ------------------------------------------------------------------------------------ loop nests

std::int64_t value(const Bound& bound, const std::vector<std::int64_t>& variables, bool smallest) {
    std::int64_t result = bound.constant;
    for (std::size_t k = 0; k < bound.coefficients.size(); ++k) result += bound.coefficients[k] * variables[k];
    for (const Bound& other : bound.others) {
        const std::int64_t next = value(other, variables, smallest);
        result = smallest ? std::min(result, next) : std::max(result, next);
    }
    return result;
}

namespace {

bool depends_on(const Bound& bound, std::size_t level) {
    if (bound.coefficients.size() > level && bound.coefficients[level] != 0) return true;
    return std::any_of(bound.others.begin(), bound.others.end(),
                       [level](const Bound& other) { return depends_on(other, level); });
}

std::uint64_t trip_count(std::int64_t first, std::int64_t end, std::int64_t step) {
    if (step > 0) return first < end ? (end - first + step - 1) / step : 0;
    return first > end ? (first - end - step - 1) / -step : 0;
}

// Interval from `low` to `high`.
struct Range {
    std::int64_t low, high;

    Range& operator+=(Range other) {
        low += other.low;
        high += other.high;
        return *this;
    }
    friend Range operator*(std::int64_t factor, Range range) {
        const std::int64_t at_low = factor * range.low, at_high = factor * range.high;
        return {std::min(at_low, at_high), std::max(at_low, at_high)};
    }
};

Range range_of(std::int64_t constant, const std::vector<std::int64_t>& factors, const std::vector<Range>& variables) {
    Range sum{constant, constant};
    for (std::size_t k = 0; k < factors.size(); ++k) sum += factors[k] * variables[k];
    return sum;
}

}  // namespace

class Simulator::Walk {
public:
    Walk(Simulator& simulator, const std::vector<Loop>& loops, const std::vector<Reference>& references,
         std::size_t first, std::uint64_t limit);
    // Simulates a loop and its inner loops, given the variables of the outer ones.
    void loop(std::size_t level);
    std::uint64_t total() const { return total_; }

private:
    // Bounding box of a loop and its inner loops: every bound at its extreme. Other bounds only make it smaller.
    struct Hull {
        double accesses;
        Range addresses;
    };

    void iterations(std::size_t level, std::uint64_t trips);
    void row(std::uint64_t trips);
    bool in_rounds(std::size_t level, std::uint64_t trips);
    bool moves_alike(std::size_t level) const;
    Hull hull(std::size_t level, std::uint64_t trips) const;

    // Limit of the accesses of a captured round.
    static constexpr double most_kept = 1 << 20;

    Simulator& simulator_;
    const std::vector<Loop>& loops_;
    const std::vector<Reference>& references_;
    std::uint64_t limit_, total_ = 0;
    bool keeps_ = false;
    std::vector<std::int64_t> variables_;
    std::vector<Cursor> cursors_;
};

Simulator::Walk::Walk(Simulator& simulator, const std::vector<Loop>& loops, const std::vector<Reference>& references,
                      std::size_t first, std::uint64_t limit)
    : simulator_(simulator), loops_(loops), references_(references), limit_(limit), variables_(loops.size()) {
    for (std::size_t k = 0; k < references.size(); ++k)
        cursors_.push_back(
            {first + k, 0, references[k].strides.back() * loops.back().step, references[k].bytes, references[k].kind});
}

void Simulator::Walk::loop(std::size_t level) {
    const Loop& loop = loops_[level];
    const bool upwards = loop.step > 0;
    variables_[level] = value(loop.first, variables_, !upwards);
    const std::uint64_t trips = trip_count(variables_[level], value(loop.end, variables_, upwards), loop.step);
    if (trips > 0 && !in_rounds(level, trips)) iterations(level, trips);
}

// Simulates a number of iterations from the current value of the variable.
void Simulator::Walk::iterations(std::size_t level, std::uint64_t trips) {
    if (level + 1 == loops_.size()) return row(trips);
    for (; trips > 0; --trips, variables_[level] += loops_[level].step) loop(level + 1);
}

// Iterations of the innermost loop.
void Simulator::Walk::row(std::uint64_t trips) {
    if (trips == 0) return;
    total_ += trips * references_.size();
    if (total_ > limit_) throw std::length_error("more accesses than the limit");
    std::int64_t highest = 0;
    for (std::size_t k = 0; k < cursors_.size(); ++k) {
        std::int64_t address = references_[k].base;
        for (std::size_t l = 0; l < loops_.size(); ++l) address += references_[k].strides[l] * variables_[l];
        const std::int64_t end = address + static_cast<std::int64_t>(trips - 1) * cursors_[k].step;
        if (address < 0 || end < 0) throw std::out_of_range("an address is negative");
        cursors_[k].address = address;
        highest = std::max(highest, std::max(address, end) + cursors_[k].bytes);
    }
    simulator_.prepare(static_cast<std::uint64_t>(highest));
    simulator_.engine_->run(cursors_, trips);
}

// Whether an iteration is the previous one with all references translated by the same number of bytes.
bool Simulator::Walk::moves_alike(std::size_t level) const {
    for (const Reference& reference : references_)
        if (reference.strides[level] != references_[0].strides[level]) return false;
    for (std::size_t inner = level + 1; inner < loops_.size(); ++inner)
        if (depends_on(loops_[inner].first, level) || depends_on(loops_[inner].end, level)) return false;
    return true;
}

Simulator::Walk::Hull Simulator::Walk::hull(std::size_t level, std::uint64_t trips) const {
    std::vector<Range> variables;
    for (std::size_t k = 0; k < level; ++k) variables.push_back({variables_[k], variables_[k]});
    const std::int64_t last = variables_[level] + static_cast<std::int64_t>(trips - 1) * loops_[level].step;
    variables.push_back({std::min(variables_[level], last), std::max(variables_[level], last)});
    Hull hull{static_cast<double>(references_.size()) * static_cast<double>(trips), {}};
    for (std::size_t k = level + 1; k < loops_.size(); ++k) {
        const Loop& loop = loops_[k];
        const Range first = range_of(loop.first.constant, loop.first.coefficients, variables);
        const Range end = range_of(loop.end.constant, loop.end.coefficients, variables);
        variables.push_back({std::min(first.low, end.low), std::max(first.high, end.high)});
        hull.accesses *= static_cast<double>(loop.step > 0 ? trip_count(first.low, end.high, loop.step)
                                                           : trip_count(first.high, end.low, loop.step));
    }
    for (std::size_t k = 0; k < references_.size(); ++k) {
        Range range = range_of(references_[k].base, references_[k].strides, variables);
        range.high += references_[k].bytes;
        hull.addresses = {std::min(hull.addresses.low, range.low), std::max(hull.addresses.high, range.high)};
    }
    return hull;
}

// Simulates only the first iterations, if all others are translations of these. Returns whether it did.
bool Simulator::Walk::in_rounds(std::size_t level, std::uint64_t trips) {
    LruBatched* const engine = simulator_.lru_batched_.get();
    if (!engine || keeps_ || !moves_alike(level)) return false;
    const std::int64_t line = static_cast<std::int64_t>(simulator_.geometry_.back().line);
    const std::int64_t step = references_[0].strides[level] * loops_[level].step, each = line / std::gcd(step, line);
    const std::uint64_t rounds = trips / each;
    const Hull all = hull(level, trips);
    const double round = all.accesses * static_cast<double>(each) / static_cast<double>(trips);
    if (rounds < 4 || all.accesses < engine->worth_rounds() || all.addresses.low < 0 ||
        !engine->reaches(all.addresses.high) || round > std::min<double>(most_kept, limit_ - total_))
        return false;
    const std::int64_t start = variables_[level];
    const std::uint64_t before = total_;
    keeps_ = true;
    engine->begin_round();
    iterations(level, each);
    keeps_ = false;
    const std::uint64_t accesses = total_ - before;
    const std::uint64_t allowed = accesses > 0 ? std::min(rounds, (limit_ - before) / accesses) : rounds;
    const std::uint64_t done = engine->end_round(step * each, allowed);
    total_ += (done - 1) * accesses;
    if (done == allowed && allowed < rounds) throw std::length_error("more accesses than the limit");
    variables_[level] = start + static_cast<std::int64_t>(done) * each * loops_[level].step;
    iterations(level, trips - done * each);
    return true;
}

std::uint64_t Simulator::run(const std::vector<Loop>& loops, const std::vector<Reference>& references,
                             std::size_t first, std::uint64_t limit) {
    Walk walk(*this, loops, references, first, limit);
    walk.loop(0);
    return walk.total();
}

}  // namespace foretell::cachesim
