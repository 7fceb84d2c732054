#include "pareto.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace foretell::pareto {

namespace {

using Row = std::int64_t;
using Rows = std::vector<Row>;

constexpr std::size_t sample_limit = 4096;  // rows whose front gives the rivals of the first pass
constexpr std::size_t sample_share = 32;    // … at most one row in so many
constexpr std::size_t rival_limit = 64;     // rivals every row is compared with
constexpr std::size_t small_problem = 48;   // below this, comparing all pairs is faster than recursion

// Minimum over prefixes of positions that are filled in any order.
class PrefixMinimum {
public:
    explicit PrefixMinimum(std::size_t size) : tree_(size + 1, std::numeric_limits<double>::infinity()) {}

    void lower(std::size_t position, double value) {
        for (std::size_t k = position + 1; k < tree_.size(); k += k & (~k + 1)) {
            if (tree_[k] <= value) return;  // every later node covers this one
            tree_[k] = value;
        }
    }

    double up_to(std::size_t count) const {  // over the first `count` positions
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = count; k > 0; k &= k - 1) least = std::min(least, tree_[k]);
        return least;
    }

private:
    std::vector<double> tree_;
};

bool is_finite(const Columns& f, Row i) {
    return std::all_of(f.begin(), f.end(), [i](const double* column) { return std::isfinite(column[i]); });
}

template <std::size_t N>
bool dominates(const std::array<double, N>& a, const std::array<double, N>& b) {
    bool better = false;
    for (std::size_t k = 0; k < N; ++k) {
        if (a[k] > b[k]) return false;
        better |= a[k] < b[k];
    }
    return better;
}

template <std::size_t N>
std::array<double, N> gather(const Columns& f, Row row) {
    std::array<double, N> values;
    for (std::size_t k = 0; k < N; ++k) values[k] = f[k][row];
    return values;
}

// One pass over all points, most of which lose against the first rivals: kept as lean as it can be.
template <std::size_t N>
Rows unbeaten(const Columns& f, std::size_t points, const Columns& g, const Rows& rivals) {
    std::vector<std::array<double, N>> others;
    for (const Row rival : rivals) others.push_back(gather<N>(g, rival));
    Rows kept;
    for (Row row = 0; row < static_cast<Row>(points); ++row) {
        const std::array<double, N> own = gather<N>(f, row);
        const bool lost =
            std::any_of(others.begin(), others.end(), [&own](const auto& other) { return dominates(other, own); });
        if (!lost && is_finite(f, row)) kept.push_back(row);
    }
    return kept;
}

// Finite points of `f` that no given row of `g` dominates.
Rows not_dominated_by(const Columns& f, std::size_t points, const Columns& g, const Rows& rivals) {
    switch (f.size()) {
        case 1: return unbeaten<1>(f, points, g, rivals);
        case 2: return unbeaten<2>(f, points, g, rivals);
        case 3: return unbeaten<3>(f, points, g, rivals);
        default: return unbeaten<4>(f, points, g, rivals);
    }
}

Rows finite_rows(const Columns& f, std::size_t points) {
    Rows rows;
    rows.reserve(points);
    for (Row row = 0; row < static_cast<Row>(points); ++row)
        if (is_finite(f, row)) rows.push_back(row);
    return rows;
}

// Lexicographic, then by row: a row can only be dominated by, or repeat, an earlier one.
void sort_rows(const Columns& f, Rows& rows) {
    std::sort(rows.begin(), rows.end(), [&f](Row a, Row b) {
        for (const double* column : f)
            if (column[a] != column[b]) return column[a] < column[b];
        return a < b;
    });
}

Rows sweep_two(const Columns& f, const Rows& sorted) {
    Rows kept;
    for (const Row row : sorted)
        if (kept.empty() || f[1][row] < f[1][kept.back()]) kept.push_back(row);
    return kept;
}

std::vector<double> sorted_values(const double* column, const Rows& rows) {
    std::vector<double> values;
    values.reserve(rows.size());
    for (const Row row : rows) values.push_back(column[row]);
    std::sort(values.begin(), values.end());
    return values;
}

// Positions in `values` that hold at most `x`.
std::size_t rank_after(const std::vector<double>& values, double x) {
    return static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), x) - values.begin());
}

Rows sweep_three(const Columns& f, const Rows& sorted) {
    const std::vector<double> ranks = sorted_values(f[1], sorted);
    PrefixMinimum best(ranks.size());
    Rows kept;
    for (const Row row : sorted) {
        const std::size_t rank = rank_after(ranks, f[1][row]);
        if (best.up_to(rank) <= f[2][row]) continue;
        kept.push_back(row);
        best.lower(rank - 1, f[2][row]);
    }
    return kept;
}

// Four objectives by divide and conquer over the first (rows come sorted): the front of the left half strikes out
// rows of the right half, which is a sweep over three objectives.
class FourObjectives {
public:
    FourObjectives(const Columns& f, const Rows& sorted) : f_(f), rows_(sorted), dead_(sorted.size(), 0) {}

    Rows front() {
        solve(0, rows_.size());
        Rows kept;
        for (std::size_t k = 0; k < rows_.size(); ++k)
            if (!dead_[k]) kept.push_back(rows_[k]);
        return kept;
    }

private:
    void solve(std::size_t low, std::size_t high) {
        if (high - low <= small_problem) {
            compare_all(low, high);
            return;
        }
        const std::size_t middle = low + (high - low) / 2;
        solve(low, middle);
        strike(low, middle, high);
        solve(middle, high);
    }

    void compare_all(std::size_t low, std::size_t high) {
        for (std::size_t later = low; later < high; ++later)
            for (std::size_t earlier = low; earlier < later && !dead_[later]; ++earlier)
                if (!dead_[earlier] && covers(rows_[earlier], rows_[later])) dead_[later] = 1;
    }

    bool covers(Row a, Row b) const {  // the first objective is in order already
        return f_[1][a] <= f_[1][b] && f_[2][a] <= f_[2][b] && f_[3][a] <= f_[3][b];
    }

    std::vector<std::size_t> alive_by_second(std::size_t low, std::size_t high) const {
        std::vector<std::size_t> alive;
        for (std::size_t k = low; k < high; ++k)
            if (!dead_[k]) alive.push_back(k);
        const double* second = f_[1];
        std::sort(alive.begin(), alive.end(),
                  [&](std::size_t a, std::size_t b) { return second[rows_[a]] < second[rows_[b]]; });
        return alive;
    }

    void strike(std::size_t low, std::size_t middle, std::size_t high) {
        const std::vector<std::size_t> left = alive_by_second(low, middle);
        const std::vector<std::size_t> right = alive_by_second(middle, high);
        Rows left_rows;
        for (const std::size_t k : left) left_rows.push_back(rows_[k]);
        const std::vector<double> ranks = sorted_values(f_[2], left_rows);
        PrefixMinimum best(ranks.size());
        std::size_t next = 0;
        for (const std::size_t k : right) {
            const Row row = rows_[k];
            for (; next < left_rows.size() && f_[1][left_rows[next]] <= f_[1][row]; ++next)
                best.lower(rank_after(ranks, f_[2][left_rows[next]]) - 1, f_[3][left_rows[next]]);
            if (best.up_to(rank_after(ranks, f_[2][row])) <= f_[3][row]) dead_[k] = 1;
        }
    }

    const Columns& f_;
    const Rows& rows_;
    std::vector<char> dead_;
};

// The first of the smallest.
Rows least(const double* values, const Rows& rows) {
    const auto found = std::min_element(rows.begin(), rows.end(),
                                        [values](Row a, Row b) { return values[a] < values[b]; });
    return found == rows.end() ? Rows{} : Rows{*found};
}

Rows exact_front(const Columns& f, Rows rows) {
    if (f.size() == 1) return least(f[0], rows);
    sort_rows(f, rows);
    Rows kept;
    switch (f.size()) {
        case 2: kept = sweep_two(f, rows); break;
        case 3: kept = sweep_three(f, rows); break;
        default: kept = FourObjectives(f, rows).front();
    }
    return kept;
}

// The front of an even sample, those with the smallest product of ranks first: what strikes out most other rows.
Rows choose_rivals(const Columns& f, const Rows& rows) {
    const std::size_t sample_size = std::min(sample_limit, rows.size() / sample_share);
    Rows sample;
    for (std::size_t k = 0; k < sample_size; ++k) sample.push_back(rows[k * rows.size() / sample_size]);
    std::vector<std::vector<double>> ranks;
    for (const double* column : f) ranks.push_back(sorted_values(column, sample));
    Rows rivals = exact_front(f, sample);
    std::vector<std::pair<double, Row>> scored;
    for (const Row row : rivals) {
        double score = 1;  // the share of the sample that is no better in each objective, multiplied
        for (std::size_t k = 0; k < f.size(); ++k)
            score *= static_cast<double>(sample_size - rank_after(ranks[k], f[k][row]) + 1);
        scored.emplace_back(-score, row);
    }
    std::sort(scored.begin(), scored.end());
    rivals.clear();
    for (std::size_t k = 0; k < std::min(scored.size(), rival_limit); ++k) rivals.push_back(scored[k].second);
    return rivals;
}

void check(const Columns& objectives) {
    if (objectives.empty() || objectives.size() > max_objectives)
        throw std::invalid_argument("a front has one to four objectives");
}

}  // namespace

std::vector<std::int64_t> front(const Columns& objectives, std::size_t points) {
    check(objectives);
    Rows rows = finite_rows(objectives, points);
    if (objectives.size() > 1 && rows.size() > 128 * sample_share)
        rows = not_dominated_by(objectives, points, objectives, choose_rivals(objectives, rows));
    Rows kept = exact_front(objectives, std::move(rows));
    std::sort(kept.begin(), kept.end());
    return kept;
}

std::vector<std::int64_t> survivors(const Columns& objectives, std::size_t points, const Columns& rivals,
                                    std::size_t rival_count) {
    check(objectives);
    if (rivals.size() != objectives.size()) throw std::invalid_argument("rivals have other objectives");
    Rows others(rival_count);
    std::iota(others.begin(), others.end(), Row{0});
    return not_dominated_by(objectives, points, rivals, others);
}

}  // namespace foretell::pareto
