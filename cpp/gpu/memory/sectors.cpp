#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "gpu/memory/unions.hpp"

namespace foretell::gpumemory {
namespace {

constexpr double granule_sectors = 2, granules_of_line = 2;
constexpr double least_coincident = 3;  // minimum coincident requests for an estimate of skew
constexpr std::int64_t near = 4096;     // tolerance in bytes for blocks at an edge

std::vector<bool> members_of(const functional::Result& executed, const std::vector<std::size_t>& instructions) {
    std::vector<bool> member(executed.counters.size());
    for (const std::size_t i : instructions) member[i] = true;
    return member;
}

// ------------------------------------------------------------------------------------------- shifts between blocks

// Requests of each instruction of one warp, in order.
std::map<std::uint32_t, std::vector<const Access*>> by_instruction(const functional::WarpTrace& warp) {
    std::map<std::uint32_t, std::vector<const Access*>> result;
    for (const Access& access : warp.accesses) result[access.instruction].push_back(&access);
    return result;
}

std::int32_t array_of(const Question& q, std::uint64_t address) {
    const auto after = std::upper_bound(q.arrays.begin(), q.arrays.end(), address,
                                        [](std::uint64_t at, const auto& array) { return at < array.first; });
    return static_cast<std::int32_t>(after - q.arrays.begin()) - 1;
}

// Shifts of the requests of one instruction to one array, with their number.
using Shifts = std::map<std::int64_t, std::size_t>;

// Takes the shift of most requests: those at a border of the data, whose lanes are clamped to it, shift differently.
// False if there is none.
bool take_most_frequent(const Shifts& shifts, int axis, Part& part) {
    std::size_t all = 0, most = 0;
    for (const auto& [shift, count] : shifts) {
        all += count;
        if (count <= most) continue;
        most = count;
        part.shift[axis] = shift;
    }
    part.known[axis] = true;
    return 2 * most > all;
}

// Derives the shift between two blocks from the k-th requests of each instruction. Requests with different lanes, which
// depend on the data, are ignored; an instruction of which no two can be compared has no shift that is known.
void read_shift(const Question& q, const BlockTrace& here, const BlockTrace& there, int axis,
                std::vector<Pattern>& patterns) {
    std::map<std::pair<std::uint32_t, std::int32_t>, Shifts> found;  // by instruction and array
    for (std::size_t w = 0; w < here.warps.size(); ++w) {
        auto other = by_instruction(there.warps[w]);
        for (const auto& [instruction, mine] : by_instruction(here.warps[w])) {
            const auto& theirs = other[instruction];
            for (std::size_t k = 0; k < std::min(mine.size(), theirs.size()); ++k) {
                const Access &a = *mine[k], &b = *theirs[k];
                if (a.unknown != 0) patterns[instruction].even = false;
                if (a.unknown != 0 || a.count == 0 || a.lane != b.lane) continue;
                ++found[{instruction, array_of(q, a.address)}][static_cast<std::int64_t>(b.address - a.address)];
            }
        }
    }
    for (const auto& [of, shifts] : found) {
        Pattern& pattern = patterns[of.first];
        if (!take_most_frequent(shifts, axis, pattern.parts[of.second])) pattern.even = false;
    }
    for (Pattern& pattern : patterns) {
        const auto unknown = [&](const auto& part) {
            return !part.second.granules.empty() && !part.second.known[axis];
        };
        if (std::any_of(pattern.parts.begin(), pattern.parts.end(), unknown)) pattern.even = false;
        if (pattern.array >= 0) pattern.shift[axis] = pattern.parts[pattern.array].shift[axis];
    }
}

// Checks the shifts against distant blocks: if those are elsewhere, as when the block number is decomposed by division,
// the shifts do not hold for the grid. Blocks with other work than the middle one (at an edge) are ignored.
void find_uneven(const functional::Result& executed, const Question& q, std::vector<Pattern>& patterns) {
    const Grid grid(q.grid);
    const BlockTrace& middle = executed.blocks[q.middle];
    const auto mine = by_instruction(middle.warps[0]);
    std::vector<int> balance(patterns.size(), 0);
    for (const BlockTrace& block : executed.blocks) {
        if (block.number == middle.number || block.instructions != middle.instructions) continue;
        const auto theirs = by_instruction(block.warps[0]);
        for (const auto& [instruction, accesses] : mine) {
            const auto same = theirs.find(instruction);
            if (same == theirs.end()) continue;
            const Access &a = *accesses.front(), &b = *same->second.front();
            if (a.lane != b.lane || a.count == 0 || b.count == 0) continue;
            const std::int64_t off =
                static_cast<std::int64_t>(b.address - a.address) -
                grid.shift(middle.number, block.number, patterns[instruction].parts[array_of(q, a.address)].shift);
            balance[instruction] += std::abs(off) > near ? -1 : 1;
        }
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i].even = patterns[i].even && balance[i] >= 0;
}

// Appends the granules of a request.
void add_granules(const BlockTrace& block, const Access& access, std::vector<std::int64_t>& granules) {
    for (std::size_t k = access.first; k < access.first + access.count; ++k)
        for (unsigned half = 0; half < 2; ++half)
            if (block.lines[k] >> 2 * half & 3)
                granules.push_back(static_cast<std::int64_t>(block.lines[k] >> 4) * 2 + half);
}

// Adds the requests of a block, counted `weight` times.
void add_requests(const BlockTrace& block, double weight, const Question& q, std::vector<Pattern>& patterns) {
    for (const auto& warp : block.warps) {
        for (const Access& access : warp.accesses) {
            Pattern& pattern = patterns[access.instruction];
            pattern.seen = true;
            pattern.unknown += weight * access.unknown;
            pattern.sectors += weight * (access.unknown + access.repeated);
            if (pattern.array < 0 && access.count != 0) pattern.array = array_of(q, access.address);
            pattern.lines += weight * access.count;
            for (std::size_t k = access.first; k < access.first + access.count; ++k)
                pattern.sectors += weight * sectors_in(block.lines[k]);
        }
    }
}

// Granules of the instructions that the middle block does not execute: of the block with most requests that does.
void add_unseen_granules(const functional::Result& executed, const Question& q, std::vector<Pattern>& patterns) {
    std::vector<const BlockTrace*> busiest;
    for (std::size_t k = 0; k < q.weights.size(); ++k)
        if (q.weights[k] > 0) busiest.push_back(&executed.blocks[k]);
    std::stable_sort(busiest.begin(), busiest.end(),
                     [](const BlockTrace* a, const BlockTrace* b) { return a->requested > b->requested; });
    const auto unseen = [](const Pattern& pattern) { return pattern.seen && pattern.granules.empty(); };
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < patterns.size(); ++i)
        if (unseen(patterns[i])) left.push_back(i);
    for (const std::size_t i : left) patterns[i].even = false;
    for (const BlockTrace* block : busiest) {
        if (left.empty()) return;
        const std::vector<bool> wanted = members_of(executed, left);
        for (const auto& warp : block->warps)
            for (const Access& access : warp.accesses)
                if (wanted[access.instruction]) add_granules(*block, access, patterns[access.instruction].granules);
        std::erase_if(left, [&](std::size_t i) { return !unseen(patterns[i]); });
    }
}

std::vector<Pattern> patterns_of(const functional::Result& executed, const Question& q) {
    std::vector<Pattern> patterns(executed.counters.size());
    const BlockTrace& middle = executed.blocks[q.middle];
    const double all = std::accumulate(q.weights.begin(), q.weights.end(), 0.0);
    if (all == 0) add_requests(middle, 1, q, patterns);
    for (std::size_t k = 0; k < q.weights.size(); ++k)
        if (q.weights[k] > 0) add_requests(executed.blocks[k], q.weights[k] / all, q, patterns);
    for (const auto& warp : middle.warps)
        for (const Access& access : warp.accesses) {
            Pattern& pattern = patterns[access.instruction];
            add_granules(middle, access, pattern.granules);
            if (access.count != 0) add_granules(middle, access, pattern.parts[array_of(q, access.address)].granules);
        }
    if (all > 0) add_unseen_granules(executed, q, patterns);
    for (int axis = 0; axis < 3; ++axis)
        if (q.neighbour[axis] >= 0) read_shift(q, middle, executed.blocks[q.neighbour[axis]], axis, patterns);
    find_uneven(executed, q, patterns);
    for (std::size_t i = 0; i < q.by_data.size(); ++i)
        if (q.by_data[i]) patterns[i].even = false;
    for (Pattern& pattern : patterns) {
        make_unique(pattern.granules);
        for (auto& [array, part] : pattern.parts) make_unique(part.granules);
        pattern.even = pattern.even && pattern.unknown == 0;
    }
    return patterns;
}

double touched_at_random(double granules, double extent) {
    return extent <= 0 ? granules : extent * (1 - std::exp(-granules / extent));
}

// ------------------------------------------------------------------------------------------- groups

// Size of the region accessed: below the array, if requests of the executed blocks coincide more often than by chance.
double region_of(const functional::Result& executed, const std::vector<std::size_t>& instructions, double extent) {
    const auto member = members_of(executed, instructions);
    std::vector<std::int64_t> all, here;
    double sum = 0;
    for (const BlockTrace& block : executed.blocks) {
        here.clear();
        for (const auto& warp : block.warps)
            for (const Access& access : warp.accesses)
                if (member[access.instruction]) add_granules(block, access, here);
        make_unique(here);
        sum += static_cast<double>(here.size());
        all.insert(all.end(), here.begin(), here.end());
    }
    make_unique(all);
    const double distinct = static_cast<double>(all.size());
    if (distinct > 0.9 * sum || sum - distinct < least_coincident) return extent;
    double low = distinct, high = std::max(extent, distinct);
    for (int step = 0; step < 50; ++step) {
        const double middle = (low + high) / 2;
        (touched_at_random(sum, middle) < distinct ? low : high) = middle;
    }
    return std::min(extent, high);
}

// Distinct granules of blocks whose data, in no order, coincide: they grow with a power of their number, as the distinct
// words of a text do (Heaps' law), which holds for even and for very uneven frequencies.
struct Growth {
    double distinct = 0, blocks = 0, power = 1;

    double of(double n) const { return distinct * std::pow(n / blocks, power); }
};

Growth growth_of(const functional::Result& executed, const std::vector<std::size_t>& instructions) {
    const auto member = members_of(executed, instructions);
    std::vector<std::int64_t> every[2];  // of all blocks, and of every second
    const std::size_t count = executed.blocks.size();
    for (std::size_t b = 0; b < count; ++b)
        for (const auto& warp : executed.blocks[b].warps)
            for (const Access& access : warp.accesses) {
                if (!member[access.instruction]) continue;
                add_granules(executed.blocks[b], access, every[0]);
                if (b % 2 == 0) add_granules(executed.blocks[b], access, every[1]);
            }
    make_unique(every[0]);
    make_unique(every[1]);
    const double all = static_cast<double>(every[0].size()), half = static_cast<double>(every[1].size());
    const double ratio = static_cast<double>(count) / static_cast<double>((count + 1) / 2);
    if (half == 0 || ratio <= 1) return {all, static_cast<double>(count), 1};
    return {all, static_cast<double>(count), std::clamp(std::log(all / half) / std::log(ratio), 0.0, 1.0)};
}

// Distinct granules of a block: read, written, and both.
struct Distinct {
    double read = 0, written = 0, both = 0;
};

// The mean of unequal blocks, of which the middle one is no measure.
Distinct mean_of(const functional::Result& executed, const Question& q, const std::vector<std::size_t>& instructions) {
    const auto member = members_of(executed, instructions);
    Distinct mean;
    const double all = std::accumulate(q.weights.begin(), q.weights.end(), 0.0);
    for (std::size_t b = 0; b < q.weights.size(); ++b) {
        if (q.weights[b] == 0) continue;
        std::vector<std::int64_t> read, written;
        for (const auto& warp : executed.blocks[b].warps)
            for (const Access& access : warp.accesses)
                if (member[access.instruction])
                    add_granules(executed.blocks[b], access, q.writes[access.instruction] ? written : read);
        make_unique(read);
        make_unique(written);
        mean.read += q.weights[b] / all * static_cast<double>(read.size());
        mean.written += q.weights[b] / all * static_cast<double>(written.size());
        read.insert(read.end(), written.begin(), written.end());
        make_unique(read);
        mean.both += q.weights[b] / all * static_cast<double>(read.size());
    }
    return mean;
}

// Region of the irregular accesses of a block: its length, and its shift to the next block, in granules.
struct Stretch {
    double longest = 0, step = 0;

    double of(double blocks, double extent) const { return std::min(extent, longest + step * blocks); }

    // Distinct granules of `blocks` blocks, each of which has `granules` at random in its region.
    double touched(double granules, double blocks, double extent) const {
        const double overlapping = std::clamp(step > 0 ? longest / step : blocks, 1.0, std::max(1.0, blocks));
        return of(blocks, extent) * (1 - std::pow(1 - std::min(1.0, granules / longest), overlapping));
    }
};

Stretch stretch_of(const functional::Result& executed, const std::vector<std::size_t>& instructions, double extent) {
    const auto member = members_of(executed, instructions);
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> stretch;  // by block number: lines
    for (const BlockTrace& block : executed.blocks)
        for (const auto& warp : block.warps)
            for (const Access& access : warp.accesses) {
                if (!member[access.instruction]) continue;
                if (access.unknown != 0) return {extent, 0};
                for (std::size_t k = access.first; k < access.first + access.count; ++k) {
                    const std::uint64_t line = block.lines[k] >> 4;
                    auto& [low, high] = stretch.try_emplace(block.number, line, line).first->second;
                    low = std::min(low, line);
                    high = std::max(high, line);
                }
            }
    if (stretch.size() < 2) return {extent, 0};
    double longest = 0;
    for (const auto& [number, lines] : stretch)
        longest = std::max(longest, static_cast<double>(lines.second - lines.first + 1));
    const auto &first = *stretch.begin(), &last = *stretch.rbegin();
    const double step = (static_cast<double>(last.second.first) - static_cast<double>(first.second.first)) /
                        static_cast<double>(last.first - first.first);
    return {longest * granules_of_line, std::abs(step) * granules_of_line};
}

// Share of a block's requests between two reads of a sector by it: the mean, weighted by length, since L1 serves those
// that follow soon.
double reread_after(const BlockTrace& block, const Question& q, const std::vector<bool>& member) {
    std::vector<std::pair<std::uint64_t, double>> reads;
    for (const auto& warp : block.warps)
        for (std::size_t k = 0; k < warp.accesses.size(); ++k) {
            const Access& access = warp.accesses[k];
            if (!member[access.instruction] || q.writes[access.instruction]) continue;
            const double at = static_cast<double>(k) / static_cast<double>(warp.accesses.size());
            for (std::size_t line = access.first; line < access.first + access.count; ++line)
                for (std::uint64_t sector = 0; sector < 4; ++sector)
                    if (block.lines[line] >> sector & 1) reads.emplace_back(block.lines[line] >> 4 << 2 | sector, at);
        }
    std::sort(reads.begin(), reads.end());
    double sum = 0, weighted = 0;
    for (std::size_t k = 1; k < reads.size(); ++k) {
        if (reads[k].first != reads[k - 1].first) continue;
        const double between = reads[k].second - reads[k - 1].second;
        sum += between;
        weighted += between * between;
    }
    return sum > 0 ? weighted / sum : 0;
}

double extent_of(const Question& q, std::int32_t array) {
    double extent = 0;
    for (std::size_t k = 0; k < q.arrays.size(); ++k)
        if (array < 0 || static_cast<std::size_t>(array) == k)
            extent += static_cast<double>(q.arrays[k].second) / (1 << granule_bits);
    return extent;
}

// Distinct sectors of `blocks` blocks of an instruction that accesses several arrays.
double of_parts(const Pattern& mixed, const Question& q, const Grid& grid, std::uint64_t middle, std::uint64_t blocks) {
    double sum = 0;
    for (const auto& [array, part] : mixed.parts) {
        const double counted = Union(grid, middle, part.shift, part.granules).of(blocks), extent = extent_of(q, array);
        sum += extent > 0 ? std::min(counted, extent + 1) : counted;
    }
    return sum * granule_sectors;
}

void measure(Group& group, const Question& q, const Grid& grid, std::uint64_t middle, const Shift& step,
             std::vector<std::int64_t> read, std::vector<std::int64_t> written, double unknown, double extent,
             const Stretch& stretch, const Pattern* mixed, const Distinct* mean, const Growth* growth) {
    std::vector<std::int64_t> both = read;
    both.insert(both.end(), written.begin(), written.end());
    make_unique(read);
    make_unique(written);
    make_unique(both);
    group.block_read = (static_cast<double>(read.size()) + unknown) * granule_sectors;
    const std::uint64_t wave = std::min(q.wave, grid.blocks());
    const auto size = [&](const std::vector<std::int64_t>& granules, double more, std::uint64_t blocks) {
        const double n = static_cast<double>(blocks);
        if (growth != nullptr)
            return granules.empty() ? 0.0 : touched_at_random(growth->of(n), extent) * granule_sectors;
        if (!group.even && group.ordered)
            return std::min(static_cast<double>(granules.size()) * n, extent) * granule_sectors;
        if (!group.even && stretch.longest > 0)
            return stretch.touched(static_cast<double>(granules.size()), n, extent) * granule_sectors;
        if (!group.even)
            return touched_at_random((static_cast<double>(granules.size()) + more) * n, extent) * granule_sectors;
        if (mixed != nullptr) return granules.empty() ? 0.0 : of_parts(*mixed, q, grid, middle, blocks);
        const double counted = Union(grid, middle, step, granules).of(blocks);
        return (extent > 0 ? std::min(counted, extent + 1) : counted) * granule_sectors;
    };
    group.wave_read = size(read, unknown, wave);
    group.wave_write = size(written, 0, wave);
    group.wave = size(both, unknown, wave);
    group.launch_read = size(read, unknown, grid.blocks());
    group.launch_write = size(written, 0, grid.blocks());
    group.launch = size(both, unknown, grid.blocks());
    if (mean == nullptr) return;
    const auto of_mean = [&](double granules, std::uint64_t blocks) {
        if (growth != nullptr && granules > 0)
            return touched_at_random(growth->of(static_cast<double>(blocks)), extent) * granule_sectors;
        return std::min(granules * static_cast<double>(blocks), extent) * granule_sectors;
    };
    group.block_read = mean->read * granule_sectors;
    group.wave_read = of_mean(mean->read, wave);
    group.wave_write = of_mean(mean->written, wave);
    group.wave = of_mean(mean->both, wave);
    group.launch_read = of_mean(mean->read, grid.blocks());
    group.launch_write = of_mean(mean->written, grid.blocks());
    group.launch = of_mean(mean->both, grid.blocks());
}

}  // namespace

Answer analyse(const functional::Result& executed, const Question& question) {
    const std::vector<Pattern> patterns = patterns_of(executed, question);
    Answer answer;
    answer.instructions = l1_requests(executed, question, patterns);
    std::map<std::tuple<std::int32_t, bool, Shift, std::size_t>, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < patterns.size(); ++i)
        if (const Pattern& p = patterns[i]; p.seen)
            members[{p.array, p.even, p.even ? p.shift : Shift{}, p.even && p.mixed() ? i + 1 : 0}].push_back(i);
    const Grid grid(question.grid);
    for (const auto& [key, instructions] : members) {
        Group group;
        group.array = std::get<0>(key);
        group.even = std::get<1>(key);
        group.common = patterns[instructions.front()].common(question);
        std::vector<std::int64_t> read, written;
        double unknown = 0, requested = 0;
        for (const std::size_t i : instructions) {
            if (!question.writes[i]) requested += patterns[i].sectors;
            group.ordered = group.ordered && patterns[i].ordered();
            std::vector<std::int64_t>& to = question.writes[i] ? written : read;
            to.insert(to.end(), patterns[i].granules.begin(), patterns[i].granules.end());
            unknown += patterns[i].unknown;
            answer.instructions[i].block_sectors = patterns[i].sectors;
            answer.instructions[i].group = static_cast<std::int32_t>(answer.groups.size());
        }
        const bool by_data = std::any_of(instructions.begin(), instructions.end(), [&](std::size_t i) {
            return !question.by_data.empty() && question.by_data[i];
        });
        const bool unequal = !group.even && group.ordered && !question.weights.empty();
        const bool grows = !group.even && group.ordered && by_data;
        double extent = extent_of(question, group.array);
        Stretch stretch;
        if (!group.even) {
            stretch = stretch_of(executed, instructions, extent);
            const double wave = stretch.of(static_cast<double>(question.wave), extent);
            if (stretch.of(static_cast<double>(grid.blocks()), extent) < 2 * wave) {  // the region does not move
                if (!grows) extent = region_of(executed, instructions, extent);
                stretch.longest = 0;
            }
            group.reach = (stretch.longest > 0 ? wave : extent) * granule_sectors;
        }
        const Growth growth = grows ? growth_of(executed, instructions) : Growth{};
        const Distinct mean = unequal ? mean_of(executed, question, instructions) : Distinct{};
        measure(group, question, grid, executed.blocks[question.middle].number, std::get<2>(key), std::move(read),
                std::move(written), unknown, extent, stretch,
                std::get<3>(key) != 0 ? &patterns[instructions.front()] : nullptr, unequal ? &mean : nullptr,
                grows ? &growth : nullptr);
        if (group.even && requested > group.block_read)
            group.reread = reread_after(executed.blocks[question.middle], question, members_of(executed, instructions));
        if (group.even && requested * static_cast<double>(grid.blocks()) > group.launch_read) {
            std::vector<bool> reads = members_of(executed, instructions);
            for (const std::size_t i : instructions) reads[i] = !question.writes[i];
            if (std::count(reads.begin(), reads.end(), true) > 1)
                count_first_reads(executed, question, std::get<2>(key), reads, answer.instructions);
        }
        answer.groups.push_back(group);
    }
    return answer;
}

}  // namespace foretell::gpumemory
