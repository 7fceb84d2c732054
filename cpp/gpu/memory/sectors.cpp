#include "gpu/memory/sectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace foretell::gpumemory {
namespace {

using functional::Access;
using functional::BlockTrace;

constexpr std::size_t most_pieces = 1 << 20;    // of one union
constexpr std::uint64_t most_blocks = 1 << 16;  // enumerated; beyond, extrapolated linearly
constexpr std::size_t most_lookups = 400'000;
constexpr std::size_t most_looked_at = 4096;  // requests of a warp
constexpr double most_waves = 1000;           // that are summed
constexpr double least_to_tell = 3;           // minimum coincident requests for an estimate of skew
constexpr std::int64_t near = 4096;           // tolerance in bytes for blocks at an edge

using Shift = std::array<std::int64_t, 3>;  // bytes per step in x, y and z
struct Piece {
    std::int64_t first, last;  // granules
};
// DRAM transfers granules of 64 bytes (validation/h200, path.strided: a sector of every 64 bytes costs as much as
// both).
constexpr int granule_bits = 6;
constexpr double granule_sectors = 2, granules_of_line = 2;

// ------------------------------------------------------------------------------------------- shifts between blocks

struct Pattern {
    bool seen = false, even = true;
    Shift shift{0, 0, 0};
    std::vector<std::int64_t> granules;  // of the middle block, distinct, ascending
    double unknown = 0;                  // lanes
    double sectors = 0;                  // requested, with repetitions
    double lines = 0;
    std::int32_t array = -1;
};

// Whether blocks that differ in one grid coordinate request the same data at the same point.
bool common(const Question& q, const Pattern& pattern) {
    bool found = false;
    for (int axis = 0; axis < 3; ++axis)
        found = found || (pattern.seen && pattern.even && q.neighbour[axis] >= 0 && pattern.shift[axis] == 0);
    return found;
}

// Whether requests are for whole lines, not scattered words.
bool in_order(const Pattern& pattern) { return pattern.unknown == 0 && pattern.sectors >= 3 * pattern.lines; }

// Requests of each instruction of one warp, in order.
std::map<std::uint32_t, std::vector<const Access*>> by_instruction(const functional::WarpTrace& warp) {
    std::map<std::uint32_t, std::vector<const Access*>> found;
    for (const Access& access : warp.accesses) found[access.instruction].push_back(&access);
    return found;
}

// Derives the shift between two blocks from the k-th requests of each instruction. Requests with different lanes, which
// depend on the data, are ignored.
void read_shift(const BlockTrace& here, const BlockTrace& there, int axis, std::vector<Pattern>& patterns) {
    std::vector<std::uint8_t> known(patterns.size(), 0);
    for (std::size_t w = 0; w < here.warps.size(); ++w) {
        auto other = by_instruction(there.warps[w]);
        for (const auto& [instruction, mine] : by_instruction(here.warps[w])) {
            Pattern& pattern = patterns[instruction];
            const auto& theirs = other[instruction];
            for (std::size_t k = 0; k < std::min(mine.size(), theirs.size()); ++k) {
                const Access &a = *mine[k], &b = *theirs[k];
                if (a.unknown != 0) pattern.even = false;
                if (a.unknown != 0 || a.count == 0 || a.lane != b.lane) continue;
                const auto shift = static_cast<std::int64_t>(b.address - a.address);
                if (!known[instruction]) pattern.shift[axis] = shift;
                else if (pattern.shift[axis] != shift) pattern.even = false;
                known[instruction] = 1;
            }
        }
    }
}

class Grid {
public:
    explicit Grid(const std::array<std::uint32_t, 3>& grid) : grid_(grid) {}
    std::uint64_t blocks() const { return std::uint64_t{grid_[0]} * grid_[1] * grid_[2]; }
    std::int64_t shift(std::uint64_t from, std::uint64_t to, const Shift& step) const {
        const auto a = place(from), b = place(to);
        return (b[0] - a[0]) * step[0] + (b[1] - a[1]) * step[1] + (b[2] - a[2]) * step[2];
    }

private:
    std::array<std::int64_t, 3> place(std::uint64_t number) const {
        return {static_cast<std::int64_t>(number % grid_[0]), static_cast<std::int64_t>(number / grid_[0] % grid_[1]),
                static_cast<std::int64_t>(number / grid_[0] / grid_[1])};
    }
    std::array<std::uint32_t, 3> grid_;
};

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
            const auto found = theirs.find(instruction);
            if (found == theirs.end()) continue;
            const Access &a = *accesses.front(), &b = *found->second.front();
            if (a.lane != b.lane || a.count == 0 || b.count == 0) continue;
            const std::int64_t off = static_cast<std::int64_t>(b.address - a.address) -
                                     grid.shift(middle.number, block.number, patterns[instruction].shift);
            balance[instruction] += std::abs(off) > near ? -1 : 1;
        }
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i].even = patterns[i].even && balance[i] >= 0;
}

std::int32_t array_of(const Question& q, std::uint64_t address) {
    std::int32_t found = -1;
    for (std::size_t k = 0; k < q.arrays.size() && q.arrays[k].first <= address; ++k)
        found = static_cast<std::int32_t>(k);
    return found;
}

std::vector<Pattern> patterns_of(const functional::Result& executed, const Question& q) {
    std::vector<Pattern> patterns(executed.counters.size());
    const BlockTrace& middle = executed.blocks[q.middle];
    for (const auto& warp : middle.warps) {
        for (const Access& access : warp.accesses) {
            Pattern& pattern = patterns[access.instruction];
            pattern.seen = true;
            pattern.unknown += access.unknown;
            pattern.sectors += access.unknown + access.repeated;
            if (pattern.array < 0 && access.count != 0) pattern.array = array_of(q, access.address);
            pattern.lines += access.count;
            for (std::size_t k = access.first; k < access.first + access.count; ++k)
                for (unsigned mask = middle.lines[k] & 15; mask != 0; mask &= mask - 1, ++pattern.sectors)
                    pattern.granules.push_back(static_cast<std::int64_t>(middle.lines[k] >> 4) * 2 +
                                               std::countr_zero(mask) / 2);
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        if (q.neighbour[axis] >= 0) read_shift(middle, executed.blocks[q.neighbour[axis]], axis, patterns);
    find_uneven(executed, q, patterns);
    for (Pattern& pattern : patterns) {
        std::sort(pattern.granules.begin(), pattern.granules.end());
        pattern.granules.erase(std::unique(pattern.granules.begin(), pattern.granules.end()), pattern.granules.end());
        pattern.even = pattern.even && pattern.unknown == 0;
    }
    return patterns;
}

// ------------------------------------------------------------------------------------------- unions of shifted blocks

std::vector<Piece> pieces_of(const std::vector<std::int64_t>& granules) {
    std::vector<Piece> pieces;
    for (const std::int64_t granule : granules) {
        if (pieces.empty() || granule > pieces.back().last + 1) pieces.push_back({granule, granule});
        else pieces.back().last = std::max(pieces.back().last, granule);
    }
    return pieces;
}

double size_of_union(std::vector<Piece>& pieces) {
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
    double size = 0;
    std::int64_t reached = std::numeric_limits<std::int64_t>::min();
    for (const Piece& piece : pieces) {
        if (piece.last <= reached) continue;
        size += static_cast<double>(piece.last - std::max(piece.first - 1, reached));
        reached = piece.last;
    }
    return size;
}

// Distinct granules of `blocks` consecutive blocks.
class Union {
public:
    Union(const Grid& grid, std::uint64_t middle, const Shift& step, const std::vector<std::int64_t>& granules)
        : grid_(grid), middle_(middle), step_(step), pieces_(pieces_of(granules)) {}

    double of(std::uint64_t blocks) const {
        if (pieces_.empty()) return 0;
        const std::uint64_t least = std::max<std::uint64_t>(2, most_pieces / pieces_.size());
        const std::uint64_t most = std::min({blocks, most_blocks, least});
        const double counted = enumerated(most);
        if (most == blocks) return counted;
        return counted + (counted - enumerated(most / 2)) * static_cast<double>(blocks - most) /
                             static_cast<double>(most - most / 2);
    }

private:
    double enumerated(std::uint64_t blocks) const {
        const std::uint64_t half = std::min(middle_, blocks / 2);
        const std::uint64_t first = std::min(middle_ - half, grid_.blocks() - blocks);
        std::vector<std::int64_t> shifts;  // granules
        for (std::uint64_t b = first; b < first + blocks; ++b)
            shifts.push_back(grid_.shift(middle_, b, step_) >> granule_bits);
        std::sort(shifts.begin(), shifts.end());
        shifts.erase(std::unique(shifts.begin(), shifts.end()), shifts.end());
        std::vector<Piece> all;
        for (std::size_t k = 0; k < shifts.size();) k = along(shifts, k, all);
        return size_of_union(all);
    }

    // Adds the pieces of blocks at equal distances, from the k-th on; returns the first that is not. A piece that
    // reaches its next copy merges with all of them.
    std::size_t along(const std::vector<std::int64_t>& shifts, std::size_t k, std::vector<Piece>& all) const {
        std::size_t end = k + 1;
        const std::int64_t apart = end < shifts.size() ? shifts[end] - shifts[k] : 1;
        while (end < shifts.size() && shifts[end] - shifts[end - 1] == apart) ++end;
        for (const Piece& piece : pieces_) {
            if (piece.last - piece.first + 1 >= apart) {
                all.push_back({piece.first + shifts[k], piece.last + shifts[end - 1]});
                continue;
            }
            for (std::size_t j = k; j < end; ++j) all.push_back({piece.first + shifts[j], piece.last + shifts[j]});
        }
        return end;
    }

    const Grid& grid_;
    std::uint64_t middle_;
    Shift step_;
    std::vector<Piece> pieces_;
};

double anywhere(double granules, double room) { return room <= 0 ? granules : room * (1 - std::exp(-granules / room)); }

// ------------------------------------------------------------------------------------------- L1

// Set-associative LRU cache with sectored lines.
class Cache {
public:
    Cache(std::size_t lines, std::size_t ways)
        : ways_(ways),
          sets_(std::max<std::size_t>(1, lines / ways)),
          line_(sets_ * ways, ~0ull),
          used_(sets_ * ways, 0),
          mask_(sets_ * ways, 0),
          came_(sets_ * ways, ~0ull) {}

    // Returns the sectors of the line that miss, and fetches them. `joins`: some of the line was fetched in the same
    // turn.
    unsigned missing(std::uint64_t line, unsigned mask, std::uint64_t turn, bool& joins) {
        const std::size_t first = (line * 0x9e3779b97f4a7c15ull >> 20) % sets_ * ways_;
        std::size_t oldest = first;
        for (std::size_t k = first; k < first + ways_; ++k) {
            if (line_[k] == line) {
                const unsigned lacking = mask & ~mask_[k];
                joins = joins || came_[k] == turn;
                if (lacking != 0) came_[k] = turn;
                mask_[k] |= static_cast<std::uint8_t>(mask);
                used_[k] = ++now_;
                return lacking;
            }
            if (used_[k] < used_[oldest]) oldest = k;
        }
        line_[oldest] = line;
        mask_[oldest] = static_cast<std::uint8_t>(mask);
        used_[oldest] = ++now_;
        came_[oldest] = turn;
        return mask;
    }

private:
    std::size_t ways_, sets_;
    std::vector<std::uint64_t> line_, used_;
    std::vector<std::uint8_t> mask_;
    std::vector<std::uint64_t> came_;  // turn of the fetch
    std::uint64_t now_ = 0;
};

// One warp of a resident block: the requests of an executed block, shifted to the block's position.
struct Stream {
    const BlockTrace* block;
    const functional::WarpTrace* warp;
    std::uint64_t from, to, next;  // the executed block, the block itself, and the one that follows in its place
    std::size_t begun;             // requests that were made before
};

class FirstLevel {
public:
    FirstLevel(const Question& q, const std::vector<Pattern>& patterns, std::size_t simulated)
        : q_(q),
          patterns_(patterns),
          grid_(q.grid),
          cache_(q.l1_lines * simulated / std::max<std::size_t>(1, q.resident), q.l1_ways),
          found_(patterns.size()) {}

    void one(const Stream& stream, std::size_t k, bool counts) {
        const std::size_t all_of_it = stream.warp->accesses.size(), at = (stream.begun + k) % all_of_it;
        const Access& access = stream.warp->accesses[at];
        const std::uint64_t to = stream.begun + k < all_of_it ? stream.to : stream.next;
        Requests& sum = counts ? found_[access.instruction] : unwanted_;
        const Pattern& pattern = patterns_[access.instruction];
        const std::int64_t shift = pattern.even ? grid_.shift(stream.from, to, pattern.shift) : 0;
        const bool cached = q_.cached[access.instruction];
        const std::uint64_t turn = 2 * k + counts;
        bool joins = false;
        unsigned all = access.unknown + access.repeated, missed = all;
        for (std::size_t n = access.first; n < access.first + access.count; ++n) {
            const unsigned mask = stream.block->lines[n] & 15;
            const std::uint64_t line = (stream.block->lines[n] >> 4) + static_cast<std::uint64_t>(shift >> 7);
            all += std::popcount(mask);
            missed += cached ? std::popcount(cache_.missing(line, mask, turn, joins)) : std::popcount(mask);
            ++lookups_;
        }
        sum.executions += 1;
        sum.sectors += all;
        sum.misses += missed != 0;
        sum.joins += missed == 0 && joins;
        sum.missed_sectors += missed;
    }

    std::size_t lookups() const { return lookups_; }
    std::vector<Requests> take() { return std::move(found_); }

private:
    const Question& q_;
    const std::vector<Pattern>& patterns_;
    Grid grid_;
    Cache cache_;
    std::vector<Requests> found_;
    Requests unwanted_;
    std::size_t lookups_ = 0;
};

// Warps of one multiprocessor's blocks, `wave` waves after the one of the middle block.
std::vector<Stream> streams_of(const functional::Result& executed, const Question& q, bool even, bool apart,
                               std::size_t simulated, std::int64_t wave) {
    const Grid grid(q.grid);
    const auto all = static_cast<std::int64_t>(grid.blocks());
    const std::size_t many = executed.blocks.size();
    // a launch of less than two waves has fewer blocks before these
    const auto before = static_cast<std::size_t>(
        std::max<std::int64_t>(0, all / static_cast<std::int64_t>(q.stride) - static_cast<std::int64_t>(q.resident)));
    std::vector<Stream> streams;
    for (std::size_t j = wave < 0 && even && before < simulated ? simulated - before : 0; j < simulated; ++j) {
        const auto further = static_cast<std::int64_t>(j) + wave * static_cast<std::int64_t>(q.resident);
        const BlockTrace& block =
            executed.blocks[even ? q.middle : (q.middle + many + j - (wave < 0 ? simulated : 0)) % many];
        const std::int64_t to =
            static_cast<std::int64_t>(executed.blocks[q.middle].number) + further * static_cast<std::int64_t>(q.stride);
        const std::int64_t next = to + static_cast<std::int64_t>(q.resident * q.stride);
        for (const auto& warp : block.warps)
            streams.push_back({&block, &warp, block.number, static_cast<std::uint64_t>((to % all + all) % all),
                               static_cast<std::uint64_t>((next % all + all) % all),
                               apart ? warp.accesses.size() * j / simulated : 0});
    }
    return streams;
}

// Simulates L1 with warps in round-robin order; earlier blocks leave their lines. `apart`: blocks are at different
// points.
std::vector<Requests> taking_turns(const functional::Result& executed, const Question& q,
                                   const std::vector<Pattern>& patterns, bool apart) {
    bool even = true;
    for (const Pattern& pattern : patterns) even = even && (pattern.even || !pattern.seen);
    std::size_t simulated = q.resident;  // or some of them, with their share of L1
    if (!even) simulated = std::min(simulated, std::max<std::size_t>(1, executed.blocks.size() / (q.warm ? 2 : 1)));
    FirstLevel level(q, patterns, simulated);
    for (const std::int64_t wave : {-1, 0}) {
        if (wave < 0 && !q.warm) continue;
        const std::vector<Stream> streams = streams_of(executed, q, even, apart, simulated, wave);
        const std::size_t stop = level.lookups() + most_lookups;
        bool more = true;
        for (std::size_t k = 0; more && level.lookups() < stop; ++k) {
            more = false;
            for (const Stream& stream : streams) {
                if (k >= stream.warp->accesses.size()) continue;
                level.one(stream, k, wave == 0);
                more = true;
            }
        }
    }
    return level.take();
}

// Whether several blocks of a multiprocessor request the same data.
bool share(const Question& q, const std::vector<Pattern>& patterns) {
    return q.resident > 1 &&
           std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) { return common(q, pattern); });
}

// Counters that instructions after `before` and up to `now` wait for; a branch is taken if it leads back to `now`.
unsigned waited_for(const Question& q, std::uint32_t before, std::uint32_t now) {
    unsigned mask = 0;
    std::uint32_t at = before;
    for (std::size_t steps = 0; steps < q.waits.size(); ++steps) {
        const std::int32_t back = q.back[at];
        const bool jumps = back >= 0 && static_cast<std::uint32_t>(back) <= now && now <= at;
        at = jumps ? static_cast<std::uint32_t>(back) : at + 1;
        if (at >= q.waits.size()) break;
        mask |= q.waits[at];
        if (at == now) break;
    }
    return mask;
}

// Maximum outstanding requests of a multiprocessor's warps.
double on_the_way(const functional::Result& executed, const Question& q) {
    const BlockTrace& block = executed.blocks[q.middle];
    std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> known;
    std::array<double, 8> by_counter{};
    double most = 0;
    const auto& accesses = block.warps.front().accesses;
    for (std::size_t k = 0; k < std::min(accesses.size(), most_looked_at); ++k) {
        const Access& access = accesses[k];
        if (k > 0) {
            const std::pair<std::uint32_t, std::uint32_t> step{accesses[k - 1].instruction, access.instruction};
            const auto [found, fresh] = known.try_emplace(step, 0);
            if (fresh) found->second = waited_for(q, step.first, step.second);
            for (unsigned mask = found->second; mask != 0; mask &= mask - 1) by_counter[std::countr_zero(mask)] = 0;
        }
        if (!q.cached[access.instruction]) continue;
        by_counter[q.counters[access.instruction]] += 1;
        most = std::max(most, std::accumulate(by_counter.begin(), by_counter.end(), 0.0));
    }
    return most * static_cast<double>(block.warps.size() * q.resident);
}

// Mean fraction of the waves in which blocks run in lockstep. If L1 accepts all requests, all blocks are served equally
// and drift apart in proportion to the waves elapsed, until those behind hit in L1 on data of those ahead as often as
// they fall back. Otherwise some warps run ahead.
double together(const functional::Result& executed, const Question& q) {
    const double waves = static_cast<double>(Grid(q.grid).blocks()) / static_cast<double>(q.wave);
    if (on_the_way(executed, q) > q.l1_outstanding) return q.lockstep_throttled / waves;
    double sum = 0;
    for (double wave = 1; wave <= waves && wave <= most_waves; ++wave)
        sum += std::max(q.lockstep_first_wave / wave, q.lockstep_later_waves);
    return sum / waves;
}

// L1 traffic. Blocks of the first wave start in lockstep and drift apart. Later ones are at different points from the
// start: they use shared data at different times (matmul_coarse_2 hits a third, not two thirds).
std::vector<Requests> first_level(const functional::Result& executed, const Question& q,
                                  const std::vector<Pattern>& patterns) {
    const bool apart = q.warm || share(q, patterns);
    std::vector<Requests> found = taking_turns(executed, q, patterns, apart);
    if (!apart) return found;
    const std::vector<Requests> in_turn = taking_turns(executed, q, patterns, false);
    const double first = together(executed, q);
    for (std::size_t k = 0; k < found.size(); ++k) {
        Requests& mine = found[k];
        if (mine.executions == 0 || in_turn[k].executions == 0) continue;
        const double scale = first * mine.executions / in_turn[k].executions;
        for (const auto field : {&Requests::misses, &Requests::missed_sectors, &Requests::joins})
            mine.*field = (1 - first) * mine.*field + scale * in_turn[k].*field;
    }
    return found;
}

// ------------------------------------------------------------------------------------------- groups

// Size of the region accessed: below the array, if requests of the executed blocks coincide more often than by chance.
double room_of(const functional::Result& executed, const std::vector<std::size_t>& instructions, double room) {
    std::vector<std::uint8_t> member(executed.counters.size(), 0);
    for (const std::size_t i : instructions) member[i] = 1;
    std::vector<std::int64_t> all, here;
    double sum = 0;
    const auto unique = [](std::vector<std::int64_t>& v) {
        std::sort(v.begin(), v.end());
        v.erase(std::unique(v.begin(), v.end()), v.end());
    };
    for (const BlockTrace& block : executed.blocks) {
        here.clear();
        for (const auto& warp : block.warps)
            for (const Access& access : warp.accesses)
                if (member[access.instruction])
                    for (std::size_t k = access.first; k < access.first + access.count; ++k)
                        for (unsigned half = 0; half < 2; ++half)
                            if (block.lines[k] >> 2 * half & 3)
                                here.push_back(static_cast<std::int64_t>(block.lines[k] >> 4) * 2 + half);
        unique(here);
        sum += static_cast<double>(here.size());
        all.insert(all.end(), here.begin(), here.end());
    }
    unique(all);
    const double met = static_cast<double>(all.size());
    if (met > 0.9 * sum || sum - met < least_to_tell) return room;
    double low = met, high = std::max(room, met);
    for (int step = 0; step < 50; ++step) {
        const double middle = (low + high) / 2;
        (anywhere(sum, middle) < met ? low : high) = middle;
    }
    return std::min(room, high);
}

// Region of the irregular accesses of a block: its length, and its shift to the next block, in granules.
struct Stretch {
    double longest = 0, step = 0;

    double of(double blocks, double room) const { return std::min(room, longest + step * blocks); }

    // Distinct granules of `blocks` blocks, each of which has `granules` at random in its region.
    double touched(double granules, double blocks, double room) const {
        const double meet = std::clamp(step > 0 ? longest / step : blocks, 1.0, std::max(1.0, blocks));
        return of(blocks, room) * (1 - std::pow(1 - std::min(1.0, granules / longest), meet));
    }
};

Stretch stretch_of(const functional::Result& executed, const std::vector<std::size_t>& instructions, double room) {
    std::vector<std::uint8_t> member(executed.counters.size(), 0);
    for (const std::size_t i : instructions) member[i] = 1;
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> stretch;  // by block number: lines
    for (const BlockTrace& block : executed.blocks)
        for (const auto& warp : block.warps)
            for (const Access& access : warp.accesses) {
                if (!member[access.instruction]) continue;
                if (access.unknown != 0) return {room, 0};
                for (std::size_t k = access.first; k < access.first + access.count; ++k) {
                    const std::uint64_t line = block.lines[k] >> 4;
                    auto& [low, high] = stretch.try_emplace(block.number, line, line).first->second;
                    low = std::min(low, line);
                    high = std::max(high, line);
                }
            }
    if (stretch.size() < 2) return {room, 0};
    double longest = 0;
    for (const auto& [number, lines] : stretch)
        longest = std::max(longest, static_cast<double>(lines.second - lines.first + 1));
    const auto &first = *stretch.begin(), &last = *stretch.rbegin();
    const double step = (static_cast<double>(last.second.first) - static_cast<double>(first.second.first)) /
                        static_cast<double>(last.first - first.first);
    return {longest * granules_of_line, std::abs(step) * granules_of_line};
}

void measure(Group& group, const Question& q, const Grid& grid, std::uint64_t middle, const Shift& step,
             std::vector<std::int64_t> read, std::vector<std::int64_t> written, double unknown, double room,
             const Stretch& stretch) {
    const auto unique = [](std::vector<std::int64_t>& v) {
        std::sort(v.begin(), v.end());
        v.erase(std::unique(v.begin(), v.end()), v.end());
    };
    std::vector<std::int64_t> both = read;
    both.insert(both.end(), written.begin(), written.end());
    unique(read);
    unique(written);
    unique(both);
    group.block_read = (static_cast<double>(read.size()) + unknown) * granule_sectors;
    const std::uint64_t wave = std::min(q.wave, grid.blocks());
    const auto size = [&](const std::vector<std::int64_t>& granules, double more, std::uint64_t blocks) {
        const double n = static_cast<double>(blocks);
        if (!group.even && group.ordered)
            return std::min(static_cast<double>(granules.size()) * n, room) * granule_sectors;
        if (!group.even && stretch.longest > 0)
            return stretch.touched(static_cast<double>(granules.size()), n, room) * granule_sectors;
        if (!group.even) return anywhere((static_cast<double>(granules.size()) + more) * n, room) * granule_sectors;
        const double counted = Union(grid, middle, step, granules).of(blocks);
        return (room > 0 ? std::min(counted, room + 1) : counted) * granule_sectors;
    };
    group.wave_read = size(read, unknown, wave);
    group.wave_write = size(written, 0, wave);
    group.wave = size(both, unknown, wave);
    group.launch_read = size(read, unknown, grid.blocks());
    group.launch_write = size(written, 0, grid.blocks());
    group.launch = size(both, unknown, grid.blocks());
}

}  // namespace

Answer analyse(const functional::Result& executed, const Question& question) {
    const std::vector<Pattern> patterns = patterns_of(executed, question);
    Answer answer;
    answer.instructions = first_level(executed, question, patterns);
    std::map<std::tuple<std::int32_t, bool, Shift>, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < patterns.size(); ++i)
        if (patterns[i].seen)
            members[{patterns[i].array, patterns[i].even, patterns[i].even ? patterns[i].shift : Shift{}}].push_back(i);
    const Grid grid(question.grid);
    for (const auto& [key, instructions] : members) {
        Group group;
        group.array = std::get<0>(key);
        group.even = std::get<1>(key);
        group.common = common(question, patterns[instructions.front()]);
        std::vector<std::int64_t> read, written;
        double unknown = 0;
        for (const std::size_t i : instructions) {
            group.ordered = group.ordered && in_order(patterns[i]);
            std::vector<std::int64_t>& to = question.writes[i] ? written : read;
            to.insert(to.end(), patterns[i].granules.begin(), patterns[i].granules.end());
            unknown += patterns[i].unknown;
            answer.instructions[i].block_sectors = patterns[i].sectors;
            answer.instructions[i].group = static_cast<std::int32_t>(answer.groups.size());
        }
        double room = 0;
        for (std::size_t k = 0; k < question.arrays.size(); ++k)
            if (group.array < 0 || static_cast<std::size_t>(group.array) == k)
                room += static_cast<double>(question.arrays[k].second) / (1 << granule_bits);
        Stretch stretch;
        if (!group.even) {
            stretch = stretch_of(executed, instructions, room);
            const double wave = stretch.of(static_cast<double>(question.wave), room);
            if (stretch.of(static_cast<double>(grid.blocks()), room) < 2 * wave) {  // the region does not move
                room = room_of(executed, instructions, room);
                stretch.longest = 0;
            }
            group.reach = (stretch.longest > 0 ? wave : room) * granule_sectors;
        }
        measure(group, question, grid, executed.blocks[question.middle].number, std::get<2>(key), std::move(read),
                std::move(written), unknown, room, stretch);
        answer.groups.push_back(group);
    }
    return answer;
}

}  // namespace foretell::gpumemory
