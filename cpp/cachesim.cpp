#include "cachesim.hpp"

#include <algorithm>
#include <stdexcept>

#include "hierarchy.hpp"
#include "oneway.hpp"

namespace foretell::cachesim {

Simulator::Simulator(const std::vector<Geometry>& levels, std::size_t references, std::uint64_t seed, bool vectors)
    : geometry_(levels), references_(references), seed_(seed) {
    if (levels.empty() || references == 0) throw std::invalid_argument("expected at least one level and one reference");
    if (OneWay::fits(levels, references)) {
        one_way_ = std::make_unique<OneWay>(levels, references, vectors);
        engine_ = one_way_.get();
    } else {
        any_ = std::make_unique<Hierarchy>(levels, references, seed);
        engine_ = any_.get();
    }
}

Simulator::~Simulator() = default;

// From the first accesses on that the quick engine cannot follow, the other one goes on from where it stands.
void Simulator::prepare(bool streams, std::uint64_t highest) {
    if (!one_way_ || (!streams && one_way_->reaches(highest))) return;
    auto other = std::make_unique<Hierarchy>(geometry_, references_, seed_);
    one_way_->hand_over(*other);
    any_ = std::move(other);
    engine_ = any_.get();
    one_way_.reset();
}

namespace {

std::int64_t value(const Bound& bound, const std::vector<std::int64_t>& variables) {
    std::int64_t result = bound.constant;
    for (std::size_t k = 0; k < bound.coefficients.size(); ++k) result += bound.coefficients[k] * variables[k];
    return result;
}

std::uint64_t trip_count(std::int64_t first, std::int64_t end, std::int64_t step) {
    if (step > 0) return first < end ? (end - first + step - 1) / step : 0;
    return first > end ? (first - end - step - 1) / -step : 0;
}

}  // namespace

std::uint64_t Simulator::run(const std::vector<Loop>& loops, const std::vector<Reference>& references,
                             std::size_t first, std::uint64_t limit) {
    const bool streams = std::ranges::any_of(references, [](const auto& one) { return one.kind == Kind::stream; });
    const std::size_t depth = loops.size();
    std::vector<std::int64_t> variables(depth, 0);
    std::vector<std::uint64_t> left(depth, 0);
    std::vector<Cursor> cursors;
    for (std::size_t k = 0; k < references.size(); ++k)
        cursors.push_back({first + k, 0, references[k].strides[depth - 1] * loops[depth - 1].step,
                           references[k].bytes, references[k].kind});
    std::uint64_t total = 0;
    const auto enter = [&](std::size_t k) {
        variables[k] = value(loops[k].first, variables);
        left[k] = trip_count(variables[k], value(loops[k].end, variables), loops[k].step);
    };
    const auto innermost = [&] {
        const std::uint64_t trips = left[depth - 1];
        if (trips == 0) return;
        total += trips * references.size();
        if (total > limit) throw std::length_error("more accesses than the limit");
        std::int64_t highest = 0;
        for (std::size_t k = 0; k < cursors.size(); ++k) {
            std::int64_t address = references[k].base;
            for (std::size_t l = 0; l < depth; ++l) address += references[k].strides[l] * variables[l];
            const std::int64_t end = address + static_cast<std::int64_t>(trips - 1) * cursors[k].step;
            if (address < 0 || end < 0) throw std::out_of_range("an address is negative");
            cursors[k].address = address;
            highest = std::max(highest, std::max(address, end) + cursors[k].bytes);
        }
        prepare(streams, static_cast<std::uint64_t>(highest));
        engine_->run(cursors, trips);
    };
    std::size_t level = 0;
    enter(0);
    while (true) {
        if (level == depth - 1) {
            innermost();
            left[level] = 0;
        } else if (left[level] > 0) {
            enter(++level);
            continue;
        }
        // This loop is at its end: the next iteration of the closest one around it that has any left.
        while (left[level] == 0) {
            if (level == 0) return total;
            --level;
            --left[level];
            variables[level] += loops[level].step;
        }
    }
}

void Simulator::run(const List& list) {
    const auto stream = static_cast<std::uint8_t>(Kind::stream);
    const std::uint64_t* const end = list.addresses + list.count;
    prepare(list.kind && std::find(list.kind, list.kind + list.count, stream) != list.kind + list.count,
            list.count ? *std::max_element(list.addresses, end) + list.bytes : 0);
    engine_->run(list);
}

}  // namespace foretell::cachesim
