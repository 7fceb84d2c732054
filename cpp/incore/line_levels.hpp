// Where lines are when addresses come by chance: caches behind the innermost one, asked for single lines.
//
// The followed core has all data in L1. Of loads whose addresses the outcomes of data decide (searches, heaps), some
// lines lie further out, and no prefetcher knows them. Levels are sets of ways, the line that was not used for longest
// leaves. A line that none has seen yet is where it lies by chance, of all the data that the call works on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace foretell::ooo_core {

// Caches from the innermost on: lines that each holds, and cycles that a line from it takes beyond one from L1 (that of
// the first is 0). `beyond`: cycles of a line from memory; `lines`: of all data, and of objects by the upper half of
// their address.
struct Levels {
    std::vector<std::pair<std::int64_t, double>> caches = {};
    double beyond = 0;
    std::int64_t lines = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> objects = {};
};

class LineLevels {
public:
    explicit LineLevels(const Levels& levels) : levels_(levels) {
        for (const auto& [lines, cycles] : levels.caches) {
            const auto sets = static_cast<std::size_t>(std::max<std::int64_t>(lines / kWays, 1));
            caches_.push_back({sets, std::vector<std::uint64_t>(sets * kWays, kEmpty)});
        }
    }

    // Further cycles of a load at an unknown place of the object that this address is in, or else of all data.
    double any(std::uint64_t address) {
        chance_ = chance_ * 6364136223846793005U + 1442695040888963407U;
        for (const auto& [object, lines] : levels_.objects)
            if (object == static_cast<std::int64_t>(address >> 32)) return by_chance(chance_ >> 16, lines);
        return by_chance(chance_ >> 16, levels_.lines);
    }

    // Further cycles that a load of this line takes; it is in all levels then.
    double bring(std::uint64_t line) {
        double late = -1;
        for (std::size_t level = 0; level < caches_.size(); level++)
            if (caches_[level].touch(line, mixed(line)) && late < 0) late = levels_.caches[level].second;
        return late < 0 ? by_chance(line, levels_.lines) : late;
    }

private:
    static constexpr std::size_t kWays = 16;
    static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

    struct Cache {
        std::size_t sets;
        std::vector<std::uint64_t> lines;  // of each set, the one used last first

        bool touch(std::uint64_t line, std::uint64_t chance) {
            const auto first = lines.begin() + static_cast<std::ptrdiff_t>(chance % sets * kWays);
            const auto last = first + kWays, found = std::find(first, last, line);
            std::rotate(first, found == last ? last - 1 : found, found == last ? last : found + 1);
            *first = line;
            return found != last;
        }
    };

    static std::uint64_t mixed(std::uint64_t line) {
        line = (line ^ line >> 31) * 0x9E3779B97F4A7C15U;
        return line >> 20 ^ line >> 43;
    }

    // Of data at random, each cache holds the part that it has room for.
    double by_chance(std::uint64_t line, std::int64_t of) const {
        const auto among = static_cast<std::uint64_t>(std::max<std::int64_t>(of, 1));
        const auto place = static_cast<std::int64_t>(mixed(~line) % among);
        for (const auto& [lines, cycles] : levels_.caches)
            if (place < lines) return cycles;
        return levels_.beyond;
    }

    const Levels& levels_;
    std::vector<Cache> caches_;
    std::uint64_t chance_ = 1;
};

}  // namespace foretell::ooo_core
