#include "pareto.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

using Rank = std::uint32_t;
using Ranks = std::vector<Rank>;
constexpr Rank no_rank = std::numeric_limits<Rank>::max();

// Minimum over prefixes of positions that are filled in any order.
class PrefixMinimum {
public:
    explicit PrefixMinimum(std::size_t size) : tree_(size + 1, no_rank) {}

    void lower(Rank position, Rank value) {
        for (std::size_t k = std::size_t{position} + 1; k < tree_.size(); k += k & (~k + 1)) {
            if (tree_[k] <= value) return;  // every later node covers this one
            tree_[k] = value;
        }
    }

    Rank up_to(Rank position) const {  // this one included
        Rank least = no_rank;
        for (std::size_t k = std::size_t{position} + 1; k > 0; k &= k - 1) least = std::min(least, tree_[k]);
        return least;
    }

private:
    Ranks tree_;
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

struct Keyed {
    std::uint64_t key;
    std::uint32_t item;
};

// Sorts by key and keeps the order of equal ones: digits of 11 bits from the last to the first.
void sort_stably(std::vector<Keyed>& items) {
    constexpr int digit_bits = 11, digits = 6;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    std::vector<std::array<std::size_t, buckets>> counts(digits);
    for (const Keyed& one : items)
        for (int d = 0; d < digits; ++d) ++counts[d][one.key >> d * digit_bits & (buckets - 1)];
    std::vector<Keyed> other(items.size());
    for (int d = 0; d < digits; ++d) {
        std::size_t start = 0;
        bool single = false;
        for (std::size_t& count : counts[d]) {
            single |= count == items.size();
            start += std::exchange(count, start);
        }
        if (single) continue;  // all have the same digit
        for (const Keyed& one : items) other[counts[d][one.key >> d * digit_bits & (buckets - 1)]++] = one;
        items.swap(other);
    }
}

// A number whose order is that of the doubles.
std::uint64_t ordered(double value) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0.0 is 0.0
    return bits & sign ? ~bits : bits | sign;
}

// Rows in lexicographic order, equal ones as they come, with the rank of each in every objective but the first. A row can
// only be dominated by, or repeat, an earlier one.
struct Ordered {
    Rows rows;
    std::vector<Ranks> ranks;
};

Ordered lexicographic(const Columns& f, const Rows& rows) {
    std::vector<Keyed> items(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) items[k].item = static_cast<std::uint32_t>(k);
    std::vector<Ranks> by_place(f.size(), Ranks(rows.size()));
    for (std::size_t objective = f.size(); objective-- > 0;) {
        for (Keyed& one : items) one.key = ordered(f[objective][rows[one.item]]);
        sort_stably(items);
        Rank rank = 0;
        for (std::size_t k = 0; k < items.size(); ++k) {
            if (k > 0 && items[k].key != items[k - 1].key) ++rank;
            by_place[objective][items[k].item] = rank;
        }
    }
    Ordered result{Rows(rows.size()), std::vector<Ranks>(f.size() - 1, Ranks(rows.size()))};
    for (std::size_t k = 0; k < items.size(); ++k) {
        result.rows[k] = rows[items[k].item];
        for (std::size_t o = 1; o < f.size(); ++o) result.ranks[o - 1][k] = by_place[o][items[k].item];
    }
    return result;
}

Rows sweep_two(const Ordered& given) {
    Rows kept;
    Rank least = no_rank;
    for (std::size_t k = 0; k < given.rows.size(); ++k) {
        if (given.ranks[0][k] >= least) continue;
        kept.push_back(given.rows[k]);
        least = given.ranks[0][k];
    }
    return kept;
}

Rows sweep_three(const Ordered& given) {
    PrefixMinimum best(given.rows.size());
    Rows kept;
    for (std::size_t k = 0; k < given.rows.size(); ++k) {
        const Rank second = given.ranks[0][k], third = given.ranks[1][k];
        if (best.up_to(second) <= third) continue;
        kept.push_back(given.rows[k]);
        best.lower(second, third);
    }
    return kept;
}

// Four objectives by divide and conquer over the first (rows come in order): the front of the left half strikes out rows of
// the right half, which is a sweep over three objectives. Each part knows its rows by the second and by the third
// objective, so nothing is sorted again: n log² n in all.
class FourObjectives {
public:
    explicit FourObjectives(const Ordered& given) : given_(given), items_(given.rows.size()) {
        for (std::size_t k = 0; k < items_.size(); ++k)
            items_[k] = {given.ranks[0][k], given.ranks[1][k], given.ranks[2][k], 0};
    }

    Rows front() {
        solve(0, static_cast<Rank>(items_.size()), by_rank(given_.ranks[0]), by_rank(given_.ranks[1]));
        Rows kept;
        for (std::size_t k = 0; k < items_.size(); ++k)
            if (items_[k].fourth != struck) kept.push_back(given_.rows[k]);
        return kept;
    }

private:
    // Ranks of a row; `fourth` becomes `struck` where another one is better. `place` is by the third objective, in the
    // part at hand.
    struct Item {
        Rank second, third, fourth, place;
    };
    static constexpr Rank struck = no_rank;
    using Order = Ranks;  // numbers of rows, by one of the objectives

    static Order by_rank(const Ranks& ranks) {  // equal ones in order
        Ranks start(ranks.size() + 1);
        for (const Rank rank : ranks) ++start[rank + 1];
        for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
        Order order(ranks.size());
        for (std::size_t k = 0; k < ranks.size(); ++k) order[start[ranks[k]]++] = static_cast<Rank>(k);
        return order;
    }

    void solve(Rank low, Rank high, const Order& by_second, const Order& by_third) {
        if (high - low <= small_problem) {
            compare_all(low, high);
            return;
        }
        const Rank middle = low + (high - low) / 2;
        const auto [left_second, right_second] = halves(by_second, middle, middle - low);
        const auto [left_third, right_third] = halves(by_third, middle, middle - low);
        solve(low, middle, left_second, left_third);
        strike(middle, by_second, by_third);
        solve(middle, high, right_second, right_third);
    }

    void compare_all(Rank low, Rank high) {
        for (Rank later = low; later < high; ++later)
            for (Rank earlier = low; earlier < later; ++earlier)
                if (covers(items_[earlier], items_[later])) {
                    items_[later].fourth = struck;
                    break;
                }
    }

    static bool covers(const Item& a, const Item& b) {  // the first objective is in order already
        return (a.second <= b.second) & (a.third <= b.third) & (a.fourth <= b.fourth) & (a.fourth != struck);
    }

    // Those before `middle`, and the others. Which one comes next cannot be foreseen, so nothing branches on it.
    static std::pair<Order, Order> halves(const Order& order, Rank middle, std::size_t before) {
        Order left(before + 1), right(order.size() - before + 1);
        std::size_t l = 0, r = 0;
        for (const Rank k : order) {
            left[l] = right[r] = k;
            l += k < middle;
            r += k >= middle;
        }
        left.pop_back();
        right.pop_back();
        return {std::move(left), std::move(right)};
    }

    void strike(Rank middle, const Order& by_second, const Order& by_third) {
        Rank place = 0, last = items_[by_third.front()].third;
        for (const Rank k : by_third) {
            place += items_[k].third != last;
            last = items_[k].third;
            items_[k].place = place;
        }
        PrefixMinimum best(std::size_t{place} + 1);
        for (const Rank k : by_second) {
            Item& item = items_[k];
            if (item.fourth == struck) continue;
            if (k < middle)
                best.lower(item.place, item.fourth);
            else if (best.up_to(item.place) <= item.fourth)
                item.fourth = struck;
        }
    }

    const Ordered& given_;
    std::vector<Item> items_;
};

// The first of the smallest.
Rows least(const double* values, const Rows& rows) {
    const auto found = std::min_element(rows.begin(), rows.end(),
                                        [values](Row a, Row b) { return values[a] < values[b]; });
    return found == rows.end() ? Rows{} : Rows{*found};
}

Rows exact_front(const Columns& f, const Rows& rows) {
    if (f.size() == 1) return least(f[0], rows);
    const Ordered given = lexicographic(f, rows);
    switch (f.size()) {
        case 2: return sweep_two(given);
        case 3: return sweep_three(given);
        default: return FourObjectives(given).front();
    }
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

// The front of an even sample, those with the smallest product of ranks first: what strikes out most other rows.
Rows choose_rivals(const Columns& f, const Rows& rows) {
    const std::size_t sample_size = std::min(sample_limit, rows.size() / sample_share);
    Rows sample;
    for (std::size_t k = 0; k < sample_size; ++k) sample.push_back(rows[k * rows.size() / sample_size]);
    std::vector<std::vector<double>> ranks;
    for (const double* column : f) ranks.push_back(sorted_values(column, sample));
    Rows rivals = exact_front(f, sample);
    if (2 * rivals.size() > sample.size()) return {};  // most rows are on the front: nothing strikes out many
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
    Rows kept = exact_front(objectives, rows);
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
