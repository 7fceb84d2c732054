// Pareto fronts of one to four objectives, all of them minimised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foretell::pareto {

constexpr std::size_t max_objectives = 4;

// One pointer per objective, to one value per point.
using Columns = std::vector<const double*>;

// Nondominated points, ascending. Of equal points the first is kept; a point with a non-finite value is excluded.
std::vector<std::int64_t> front(const Columns& objectives, std::size_t points);

// Points that none of the few `rivals` dominates, ascending: a cheap first pass over many points.
std::vector<std::int64_t> survivors(const Columns& objectives, std::size_t points, const Columns& rivals,
                                    std::size_t rival_count);

}  // namespace foretell::pareto
