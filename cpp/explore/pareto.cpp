#include "explore/pareto.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "common/simd.hpp"

namespace foretell::pareto {

namespace {

using Row = std::int64_t;
using Rows = std::vector<Row>;

constexpr std::size_t sample_limit = 4096;  // rows whose front gives the rivals of the first pass
constexpr std::size_t sample_share = 32;    // … at most one row in this many
constexpr std::size_t rival_limit = 64;     // rivals every row is compared with
constexpr std::size_t small_problem = 256;  // below this, comparing all pairs is faster than recursion

using Rank = std::uint32_t;
using Ranks = std::vector<Rank>;
constexpr Rank no_rank = std::numeric_limits<Rank>::max();

// Prefix minimum with updates in any order. Sixteen entries per node: the k-th one of a node is the minimum over those
// before it in the node, whether they are positions (level 0) or nodes of the level below. So a query is one load per
// level, and an update a few vector operations.
class PrefixMinimum {
public:
    void clear(std::size_t positions) {
        std::size_t used = levels_ = 0;
        for (std::size_t entries = positions + 1;; entries = (entries - 1) / width + 1) {
            start_[levels_++] = used;
            used += (entries + width - 1) / width * width;
            if (entries <= width) break;
        }
        tree_.assign(used, no_rank);
    }

    FORETELL_INLINE void lower(Rank position, Rank value) {
        for (std::size_t level = 0; level < levels_; ++level, position /= width) {
            const Rank own = position % width;
            Rank* const node = &tree_[start_[level] + position - own];
            for (Rank k = 0; k < width; ++k) node[k] = std::min(node[k], k > own ? value : no_rank);
        }
    }

    FORETELL_INLINE Rank before(Rank position) const {
        Rank least = no_rank;
        for (std::size_t level = 0; level < levels_; ++level, position /= width)
            least = std::min(least, tree_[start_[level] + position]);
        return least;
    }

private:
    static constexpr Rank width = 16;
    Ranks tree_;
    std::array<std::size_t, 8> start_{};  // 16^8 positions: the range of a rank
    std::size_t levels_ = 0;
};

bool is_finite(const Columns& f, Row i) {
    return std::all_of(f.begin(), f.end(), [i](const double* column) { return std::isfinite(column[i]); });
}

template <std::size_t N>
std::array<double, N> gather(const Columns& f, Row row) {
    std::array<double, N> values;
    for (std::size_t k = 0; k < N; ++k) values[k] = f[k][row];
    return values;
}

constexpr std::size_t group = 64;  // rows that a rival is compared with at once

// Clears from `left` (1 or 0 for each row of a group) the rows that a rival dominates; returns whether any is left.
template <std::size_t N>
FORETELL_INLINE bool strike(const std::array<double, N>& rival, const double* const* f, std::int64_t* __restrict left) {
    std::array<const double*, N> column;
    std::copy_n(f, N, column.begin());
    std::int64_t any = 0;
    for (std::size_t k = 0; k < group; ++k) {
        bool covers = true, better = false;
        for (std::size_t objective = 0; objective < N; ++objective) {
            const double value = column[objective][k];
            covers &= rival[objective] <= value;
            better |= rival[objective] < value;
        }
        const std::int64_t stays = covers & better ? 0 : left[k];
        left[k] = stays;
        any |= stays;
    }
    return any != 0;
}

// Applies the rivals in order until no row is left; the one that eliminated the last row moves forward, since adjacent
// points are similar.
template <std::size_t N>
FORETELL_INLINE void strike_all(std::vector<std::array<double, N>>& rivals, const double* const* f,
                                std::int64_t* left) {
    for (std::size_t k = 0; k < rivals.size(); ++k)
        if (!strike<N>(rivals[k], f, left)) {
            std::swap(rivals[k], rivals[k / 2]);
            return;
        }
}
#define STRIKE_ALL(N)                                                                                          \
    FORETELL_CLONES void strike_all_##N(std::vector<std::array<double, N>>& rivals, const double* const* f, \
                                        std::int64_t* left) {                                               \
        strike_all<N>(rivals, f, left);                                                                     \
    }
STRIKE_ALL(1)
STRIKE_ALL(2)
STRIKE_ALL(3)
STRIKE_ALL(4)
#undef STRIKE_ALL

// One pass over all points, most of which are dominated by the first rivals.
template <std::size_t N, typename Strike>
Rows unbeaten(const Columns& f, std::size_t points, const Columns& g, const Rows& rivals, const Strike& strike_out) {
    std::vector<std::array<double, N>> others;
    for (const Row rival : rivals) others.push_back(gather<N>(g, rival));
    Rows kept;
    std::int64_t left[group];
    std::array<std::array<double, group>, N> rest;  // a partial last group
    std::array<const double*, N> at;
    for (std::size_t first = 0; first < points; first += group) {
        const std::size_t count = std::min(group, points - first);
        for (std::size_t k = 0; k < N; ++k) {
            at[k] = f[k] + first;
            if (count < group) at[k] = rest[k].data(), std::copy_n(f[k] + first, count, rest[k].data());
        }
        for (std::size_t k = 0; k < group; ++k) left[k] = k < count;
        strike_out(others, at.data(), left);
        for (std::size_t k = 0; k < count; ++k)
            if (left[k] && is_finite(f, static_cast<Row>(first + k))) kept.push_back(static_cast<Row>(first + k));
    }
    return kept;
}

// Finite points of `f` that no given row of `g` dominates.
Rows not_dominated_by(const Columns& f, std::size_t points, const Columns& g, const Rows& rivals) {
    switch (f.size()) {
        case 1: return unbeaten<1>(f, points, g, rivals, strike_all_1);
        case 2: return unbeaten<2>(f, points, g, rivals, strike_all_2);
        case 3: return unbeaten<3>(f, points, g, rivals, strike_all_3);
        default: return unbeaten<4>(f, points, g, rivals, strike_all_4);
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
    std::uint32_t key, item;
};

// Stable radix sort by key: digits of 11 bits, least significant first.
void sort_stably(std::vector<Keyed>& items) {
    constexpr int digit_bits = 11, digits = 3;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    std::array<std::array<std::uint32_t, buckets>, digits> counts{};
    for (const Keyed& one : items)
        for (int d = 0; d < digits; ++d) ++counts[d][one.key >> d * digit_bits & (buckets - 1)];
    std::vector<Keyed> other(items.size());
    for (int d = 0; d < digits; ++d) {
        std::uint32_t start = 0;
        bool single = false;
        for (std::uint32_t& count : counts[d]) {
            single |= count == items.size();
            start += std::exchange(count, start);
        }
        if (single) continue;  // all have the same digit
        for (const Keyed& one : items) other[counts[d][one.key >> d * digit_bits & (buckets - 1)]++] = one;
        items.swap(other);
    }
}

// Integer with the same order as the doubles.
std::uint64_t ordered(double value) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0.0 is 0.0
    return bits & sign ? ~bits : bits | sign;
}

// Calls `work(first, last)` for each maximal run of at least two adjacent items that are `alike`.
template <typename Item, typename Alike, typename Work>
void for_runs(std::vector<Item>& items, const Alike& alike, const Work& work) {
    for (auto first = items.begin(); first != items.end();) {
        auto last = first + 1;
        while (last != items.end() && alike(*first, *last)) ++last;
        if (last - first > 1) work(first, last);
        first = last;
    }
}

// Rows sorted by one objective, and the rank of each: a radix sort by the upper halves of the numbers, completed by
// comparisons.
struct Ranked {
    Ranks order, ranks;
};

Ranked ranked(const double* values, const Rows& rows) {
    std::vector<Keyed> items(rows.size());
    for (std::uint32_t k = 0; k < items.size(); ++k)
        items[k] = {static_cast<std::uint32_t>(ordered(values[rows[k]]) >> 32), k};
    sort_stably(items);
    const auto value = [&](const Keyed& one) { return values[rows[one.item]]; };
    for_runs(
        items, [](const Keyed& a, const Keyed& b) { return a.key == b.key; },
        [&](auto first, auto last) {
            const auto smaller = [&](const Keyed& a, const Keyed& b) { return value(a) < value(b); };
            if (!std::is_sorted(first, last, smaller)) std::stable_sort(first, last, smaller);
        });
    Ranked result{Ranks(rows.size()), Ranks(rows.size())};
    Rank rank = 0;
    for (std::size_t k = 0; k < items.size(); ++k) {
        if (k > 0 && (items[k].key != items[k - 1].key || value(items[k - 1]) < value(items[k]))) ++rank;
        result.order[k] = items[k].item;
        result.ranks[items[k].item] = rank;
    }
    return result;
}

// Rows in lexicographic order, equal ones in input order, with the rank of each in every objective but the first. A row
// can only be dominated by, or duplicate, an earlier one.
struct Ordered {
    Rows rows;
    std::vector<Ranks> ranks;
};

Ordered lexicographic(const Columns& f, const Rows& rows) {
    auto [order, first_ranks] = ranked(f[0], rows);
    std::vector<Ranks> others;
    for (std::size_t objective = 1; objective < f.size(); ++objective)
        others.push_back(ranked(f[objective], rows).ranks);
    for_runs(
        order, [&ranks = first_ranks](Rank a, Rank b) { return ranks[a] == ranks[b]; },
        [&others](auto first, auto last) {
            std::sort(first, last, [&others](Rank a, Rank b) {
                for (const Ranks& ranks : others)
                    if (ranks[a] != ranks[b]) return ranks[a] < ranks[b];
                return a < b;
            });
        });
    Ordered result{Rows(rows.size()), std::vector<Ranks>(others.size(), Ranks(rows.size()))};
    for (std::size_t k = 0; k < order.size(); ++k) {
        result.rows[k] = rows[order[k]];
        for (std::size_t o = 0; o < others.size(); ++o) result.ranks[o][k] = others[o][order[k]];
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

FORETELL_CLONES Rows sweep_three(const Ordered& given) {
    PrefixMinimum best;
    best.clear(given.rows.size());
    Rows kept;
    for (std::size_t k = 0; k < given.rows.size(); ++k) {
        const Rank second = given.ranks[0][k], third = given.ranks[1][k];
        if (best.before(second + 1) <= third) continue;
        kept.push_back(given.rows[k]);
        best.lower(second, third);
    }
    return kept;
}

// A row of a subproblem with four objectives: its index by the first one, its position by the third among the rows of
// the subproblem, and its rank in the fourth.
struct Item {
    Rank number, place, fourth;
};

// Nondominated ones of a few items, which are in the order of the second objective.
FORETELL_CLONES void compare_all(const Item* items, std::size_t count, Ranks& kept) {
    Rank numbers[small_problem], places[small_problem], fourths[small_problem];
    for (std::size_t k = 0; k < count; ++k)
        numbers[k] = items[k].number, places[k] = items[k].place, fourths[k] = items[k].fourth;
    for (std::size_t later = 0; later < count; ++later) {
        const Item own = items[later];
        Rank covered = 0;
        for (std::size_t k = 0; k < later; ++k)
            covered |= (numbers[k] < own.number) & (places[k] < own.place) & (fourths[k] <= own.fourth);
        if (!covered) kept.push_back(own.number);
    }
}

// Four objectives by divide and conquer over the first (rows are sorted by it): the left half eliminates rows of the
// right half, by a sweep over three objectives. A row that is eliminated is dropped at once: domination is transitive.
// A subproblem has its rows sorted by the second objective and numbers them by the third, equal ones in order, so
// nothing is sorted again: O(n log² n), and the small subproblems, the majority, fit a cache.
class FourObjectives {
public:
    explicit FourObjectives(const Ordered& given)
        : items_(given.rows.size()), right_(items_.size()), lefts_(items_.size()) {
        const Ranks second = places(given.ranks[0]), third = places(given.ranks[1]);
        for (Rank k = 0; k < items_.size(); ++k) items_[second[k]] = {k, third[k], given.ranks[2][k]};
    }

    Ranks front() {  // indices of rows
        const Rank size = static_cast<Rank>(items_.size());
        kept_.reserve(size);
        solve(items_.data(), size, 0, size, size);
        return std::move(kept_);
    }

private:
    // Position of each row by its rank, equal ones in order.
    static Ranks places(const Ranks& ranks) {
        Ranks start(ranks.size() + 1);
        for (const Rank rank : ranks) ++start[rank + 1];
        for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
        Ranks found(ranks.size());
        for (std::size_t k = 0; k < ranks.size(); ++k) found[k] = start[ranks[k]]++;
        return found;
    }

    // Rows with indices from `low` to before `high`, and `range` positions.
    void solve(Item* items, std::size_t count, Rank low, Rank high, Rank range) {
        if (count <= small_problem) {
            compare_all(items, count, kept_);
            return;
        }
        const Rank middle = low + (high - low) / 2;
        const Rank left_range = number_left(items, count, middle, range);
        best_.clear(left_range);
        const auto [left, right] = split(items, count, middle, lefts_.data(), best_, right_.data());
        solve(items, left, low, middle, left_range);
        solve(items + left, right, middle, high, range - left_range);
    }

    // For each position, the number of rows of the left half before it; returns the total.
    Rank number_left(const Item* items, std::size_t count, Rank middle, Rank range) {
        std::fill_n(lefts_.begin(), range, 0);
        for (std::size_t k = 0; k < count; ++k) lefts_[items[k].place] = items[k].number < middle;
        Rank before = 0;
        for (Rank place = 0; place < range; ++place) before += std::exchange(lefts_[place], before);
        return before;
    }

    // Eliminates rows of the right half; then stores the left half and the rest of the right one consecutively, with
    // positions of their own. Returns the size of each. The order of the halves is unpredictable, so the code is
    // branch-free; few rows of the left half are nondominated in these three objectives, and need to be kept.
    FORETELL_CLONES static std::pair<std::size_t, std::size_t> split(Item* items, std::size_t count, Rank middle,
                                                                     const Rank* lefts, PrefixMinimum& best,
                                                                     Item* others) {
        std::size_t left = 0, right = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const Item item = items[k];
            const Rank before = lefts[item.place];
            const bool in_left = item.number < middle, covered = best.before(before) <= item.fourth;
            if (in_left & !covered) best.lower(before, item.fourth);
            items[left] = {item.number, before, item.fourth};
            others[right] = {item.number, item.place - before, item.fourth};
            left += in_left;
            right += !in_left & !covered;
        }
        std::copy_n(others, right, items + left);
        return {left, right};
    }

    std::vector<Item> items_, right_;
    Ranks lefts_, kept_;
    PrefixMinimum best_;
};

Rows sweep_four(const Ordered& given) {
    Rows kept;
    for (const Rank number : FourObjectives(given).front()) kept.push_back(given.rows[number]);
    return kept;
}

// First minimum.
Rows least(const double* values, const Rows& rows) {
    const auto found =
        std::min_element(rows.begin(), rows.end(), [values](Row a, Row b) { return values[a] < values[b]; });
    return found == rows.end() ? Rows{} : Rows{*found};
}

Rows exact_front(const Columns& f, const Rows& rows) {
    if (f.size() == 1) return least(f[0], rows);
    const Ordered given = lexicographic(f, rows);
    switch (f.size()) {
        case 2: return sweep_two(given);
        case 3: return sweep_three(given);
        default: return sweep_four(given);
    }
}

// Front of an even sample, smallest product of ranks first: these eliminate the most rows.
Rows choose_rivals(const Columns& f, const Rows& rows) {
    const std::size_t sample_size = std::min(sample_limit, rows.size() / sample_share);
    Rows sample;
    for (std::size_t k = 0; k < sample_size; ++k) sample.push_back(rows[k * rows.size() / sample_size]);
    std::vector<std::vector<double>> ranks;
    for (const double* column : f) {
        std::vector<double>& values = ranks.emplace_back();
        for (const Row row : sample) values.push_back(column[row]);
        std::ranges::sort(values);
    }
    Rows rivals = exact_front(f, sample);
    if (2 * rivals.size() > sample.size()) return {};  // most rows are on the front: no rival eliminates many
    std::vector<std::pair<double, Row>> scored;
    for (const Row row : rivals) {
        double score = 1;  // product over the objectives of the fraction of the sample that is no better
        for (std::size_t k = 0; k < f.size(); ++k)
            score *= static_cast<double>(ranks[k].end() - std::ranges::upper_bound(ranks[k], f[k][row]) + 1);
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
    std::vector<char> kept(points);
    for (const Row row : exact_front(objectives, rows)) kept[row] = true;
    rows.clear();
    for (Row row = 0; row < static_cast<Row>(points); ++row)
        if (kept[row]) rows.push_back(row);
    return rows;
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
