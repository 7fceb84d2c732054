#include "incore/size_interpolation.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace foretell::size_interpolation {

namespace {

constexpr std::size_t kBlock = 1024;

// Numbers keys in order of first occurrence: open addressing, load factor at most 1/2.
class Numbered {
public:
    Numbered() : keys_(1024, kNone), values_(1024) {}

    std::int32_t of(std::uint64_t key) {
        std::size_t slot = (key * 0x9E3779B97F4A7C15ULL) >> 20 & (keys_.size() - 1);
        while (keys_[slot] != key) {
            if (keys_[slot] == kNone) return add(key, slot);
            slot = (slot + 1) & (keys_.size() - 1);
        }
        return values_[slot];
    }
    const std::vector<std::uint64_t>& keys() const { return order_; }

private:
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

    std::int32_t add(std::uint64_t key, std::size_t slot) {
        const auto number = static_cast<std::int32_t>(order_.size());
        order_.push_back(key);
        keys_[slot] = key, values_[slot] = number;
        if (2 * order_.size() > keys_.size()) grow();
        return number;
    }
    void grow() {
        const std::vector<std::uint64_t> all = std::move(order_);
        order_.clear();
        keys_.assign(keys_.size() * 4, kNone), values_.resize(keys_.size());
        for (const std::uint64_t key : all) of(key);
    }

    std::vector<std::uint64_t> keys_, order_;
    std::vector<std::int32_t> values_;
};

// Packs the places into one key: those of the last side are contiguous.
struct Keys {
    std::vector<std::int64_t> least, range;

    Keys(const std::vector<Side>& sides, std::size_t points) {
        double kinds = 1.0;
        for (const Side& side : sides) {
            std::int64_t low = std::numeric_limits<std::int64_t>::max(),
                         high = std::numeric_limits<std::int64_t>::min();
            for (std::size_t k = 0; k < points; ++k) {
                low = std::min({low, side.low[k], side.high[k]});
                high = std::max({high, side.low[k], side.high[k]});
            }
            least.push_back(low), range.push_back(high - low + 1);
            kinds *= static_cast<double>(high) - static_cast<double>(low) + 1.0;
        }
        if (kinds > 0x1p62) throw std::invalid_argument("more kinds of sizes than numbers");
    }
    void row(std::uint64_t key, std::int64_t* out) const {
        for (std::size_t n = least.size(); n-- > 0; key /= static_cast<std::uint64_t>(range[n]))
            out[n] = least[n] + static_cast<std::int64_t>(key % static_cast<std::uint64_t>(range[n]));
    }
};

// Finds the interval between steps that contains a number: starts at the first step with the same bit length.
class StepIndex {
public:
    explicit StepIndex(const std::vector<std::int64_t>& steps) : steps_(steps), first_(65, 0) {
        for (std::size_t bits = 1; bits < first_.size(); ++bits) {
            first_[bits] = first_[bits - 1];
            while (first_[bits] + 2 < steps.size() && width(steps[first_[bits] + 1]) < static_cast<int>(bits))
                ++first_[bits];
        }
        while (even_ + 2 < steps.size() && steps[even_] == static_cast<std::int64_t>(even_)) ++even_;
    }
    // Last step not above a number; never the very last step.
    std::size_t below(std::int64_t number) const {
        if (number < static_cast<std::int64_t>(even_)) return static_cast<std::size_t>(number);
        std::size_t place = first_[static_cast<std::size_t>(width(number))];
        while (place + 2 < steps_.size() && steps_[place + 1] <= number) ++place;
        return place;
    }

private:
    static int width(std::int64_t number) { return std::bit_width(static_cast<std::uint64_t>(number)); }

    const std::vector<std::int64_t>& steps_;
    std::vector<std::size_t> first_;
    std::size_t even_ = 0;  // steps from 0 on with distance one
};

bool upper(std::size_t corner, std::size_t side, std::size_t sides) { return corner >> (sides - 1 - side) & 1; }

}  // namespace

void around(const std::int64_t* sizes, std::size_t count, const std::vector<std::int64_t>& steps, std::int64_t period,
            const Alike& alike, const Around& found) {
    if (period < 1 || alike.lanes < 1 || steps.size() < 2 || steps.front() != 0)
        throw std::invalid_argument("expected steps from 0 on, and a positive period");
    const StepIndex index(steps);
    const auto whole = static_cast<double>(period), same = static_cast<double>(alike.from);
    std::vector<std::int64_t> least(static_cast<std::size_t>(period));  // representative of equivalent remainders
    for (std::int64_t rest = 0; rest < period; ++rest)
        least[static_cast<std::size_t>(rest)] = std::gcd(rest, alike.lanes) % alike.lanes;
    const int shift = std::has_single_bit(static_cast<std::uint64_t>(period))
                          ? std::countr_zero(static_cast<std::uint64_t>(period))
                          : -1;
    for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t size = sizes[k];
        found.low[k] = found.high[k] = size, found.weight[k] = 0.0;
        if (size <= 0) continue;
        const std::int64_t times = shift >= 0 ? size >> shift : size / period, rest = size - times * period;
        const std::size_t place = index.below(times);
        const double below = whole * static_cast<double>(steps[place]),
                     above = whole * static_cast<double>(steps[place + 1]);
        const std::int64_t kind = least[static_cast<std::size_t>(rest)], lower = below < same ? rest : kind,
                           upper = above < same ? rest : kind;
        found.low[k] = found.high[k] = static_cast<std::int64_t>(place) * period + lower;
        if (steps[place] == times && lower == rest) continue;
        const double low = 1.0 / (static_cast<double>(lower) + below),
                     high = 1.0 / (static_cast<double>(upper) + above);
        found.high[k] += period + upper - lower;
        found.weight[k] = (1.0 / static_cast<double>(size) - low) / (high - low);
    }
}

Corners corners(const std::vector<Side>& sides, std::size_t points) {
    const Keys keys(sides, points);
    const std::size_t choices = std::size_t{1} << sides.size();
    Numbered numbered;
    Corners found;
    found.numbers.resize(choices * points);
    std::vector<std::uint64_t> own(points);
    for (std::size_t corner = 0; corner < choices; ++corner) {
        std::fill(own.begin(), own.end(), 0);
        for (std::size_t n = 0; n < sides.size(); ++n) {
            const std::int64_t* places = upper(corner, n, sides.size()) ? sides[n].high : sides[n].low;
            const auto range = static_cast<std::uint64_t>(keys.range[n]);
            for (std::size_t k = 0; k < points; ++k)
                own[k] = own[k] * range + static_cast<std::uint64_t>(places[k] - keys.least[n]);
        }
        for (std::size_t k = 0; k < points; ++k) found.numbers[corner * points + k] = numbered.of(own[k]);
    }
    const auto& all = numbered.keys();
    std::vector<std::int32_t> order(all.size()), rank(all.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t n) { return all[static_cast<std::size_t>(n)]; };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    found.rows.resize(all.size() * sides.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
        rank[static_cast<std::size_t>(order[n])] = static_cast<std::int32_t>(n);
        keys.row(key(order[n]), found.rows.data() + n * sides.size());
    }
    for (std::int32_t& number : found.numbers) number = rank[static_cast<std::size_t>(number)];
    return found;
}

void sums(const std::vector<Side>& sides, const std::int32_t* numbers, const double* costs, std::size_t kinds,
          std::size_t columns, std::size_t points, double* out) {
    const std::size_t choices = std::size_t{1} << sides.size();
    std::fill(out, out + columns * points, 0.0);
    double weights[kBlock];
    for (std::size_t first = 0; first < points; first += kBlock) {
        const std::size_t count = std::min(kBlock, points - first);
        for (std::size_t corner = 0; corner < choices; ++corner) {
            std::fill(weights, weights + count, 1.0);
            for (std::size_t n = 0; n < sides.size(); ++n) {
                const double* own = sides[n].weight + first;
                if (upper(corner, n, sides.size()))
                    for (std::size_t k = 0; k < count; ++k) weights[k] *= own[k];
                else
                    for (std::size_t k = 0; k < count; ++k) weights[k] *= 1.0 - own[k];
            }
            const std::int32_t* number = numbers + corner * points + first;
            for (std::size_t column = 0; column < columns; ++column)
                for (std::size_t k = 0; k < count; ++k)
                    out[column * points + first + k] +=
                        costs[column * kinds + static_cast<std::size_t>(number[k])] * weights[k];
        }
    }
}

}  // namespace foretell::size_interpolation
