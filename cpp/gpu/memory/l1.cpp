// Simulates L1 for the blocks of one multiprocessor.
#include <bit>
#include <map>
#include <numeric>

#include "gpu/memory/patterns.hpp"

namespace foretell::gpumemory {
namespace {

constexpr std::size_t most_lookups = 400'000;
constexpr std::size_t most_accesses = 4096;  // requests of a warp
constexpr double most_waves = 1000;          // that are summed

// Set-associative LRU cache with sectored lines.
class Cache {
public:
    Cache(std::size_t lines, std::size_t ways)
        : ways_(ways), sets_(std::max<std::size_t>(1, lines / ways)), entries_(sets_ * ways) {}

    // Returns the sectors of the line that miss, and fetches them. `joins`: some of the line was fetched in the same
    // turn.
    unsigned missing(std::uint64_t line, unsigned mask, std::uint64_t turn, bool& joins) {
        const std::size_t first = (line * 0x9e3779b97f4a7c15ull >> 20) % sets_ * ways_;
        Entry* oldest = &entries_[first];
        for (std::size_t k = first; k < first + ways_; ++k) {
            Entry& entry = entries_[k];
            if (entry.line == line) {
                const unsigned lacking = mask & ~entry.mask;
                joins = joins || entry.fetched == turn;
                if (lacking != 0) entry.fetched = turn;
                entry.mask |= mask;
                entry.used = ++now_;
                return lacking;
            }
            if (entry.used < oldest->used) oldest = &entry;
        }
        *oldest = {line, ++now_, turn, mask};
        return mask;
    }

    void invalidate() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

private:
    struct Entry {
        std::uint64_t line = ~0ull, used = 0, fetched = ~0ull;  // fetched: turn
        unsigned mask = 0;                                      // sectors present
    };
    std::size_t ways_, sets_;
    std::vector<Entry> entries_;
    std::uint64_t now_ = 0;
};

// One warp of a resident block: the requests of an executed block, shifted to the block's position.
struct Stream {
    const BlockTrace* block;
    const functional::WarpTrace* warp;
    std::uint64_t from, to, next;  // the executed block, the block itself, and the one that follows in its place
    std::size_t begun;             // requests that were made before
};

// Instructions of the text after `before` and up to `now`; a branch is taken if it leads back to `now`.
template <class Visit>
void between(const Question& q, std::uint32_t before, std::uint32_t now, Visit visit) {
    std::uint32_t at = before;
    for (std::size_t steps = 0; steps < q.waits.size(); ++steps) {
        const std::int32_t back = q.back[at];
        const bool jumps = back >= 0 && static_cast<std::uint32_t>(back) <= now && now <= at;
        at = jumps ? static_cast<std::uint32_t>(back) : at + 1;
        if (at >= q.waits.size()) break;
        visit(at);
        if (at == now) break;
    }
}

class L1 {
public:
    L1(const Question& q, const std::vector<Pattern>& patterns, std::size_t simulated)
        : q_(q),
          patterns_(patterns),
          grid_(q.grid),
          invalidates_(std::any_of(q.empties.begin(), q.empties.end(), [](auto empties) { return empties != 0; })),
          cache_(q.l1_lines * simulated / std::max<std::size_t>(1, q.resident), q.l1_ways),
          requests_(patterns.size()) {}

    void access(const Stream& stream, std::size_t k, bool counts) {
        const std::size_t length = stream.warp->accesses.size(), at = (stream.begun + k) % length;
        const Access& access = stream.warp->accesses[at];
        const std::uint64_t to = stream.begun + k < length ? stream.to : stream.next;
        Requests& sum = counts ? requests_[access.instruction] : warm_up_;
        const Pattern& pattern = patterns_[access.instruction];
        const std::int64_t shift = pattern.even ? grid_.shift(stream.from, to, pattern.shift) : 0;
        const bool cached = q_.cached[access.instruction], leaves = q_.leaves[access.instruction];
        const std::uint64_t turn = 2 * k + counts;
        if (invalidates_ && at > 0) invalidate(stream.warp->accesses[at - 1].instruction, access.instruction, turn);
        bool joins = false;
        unsigned all = access.unknown + access.repeated, missed = all;
        for (std::size_t n = access.first; n < access.first + access.count; ++n) {
            const unsigned mask = stream.block->lines[n] & 15;
            const std::uint64_t line = (stream.block->lines[n] >> 4) + static_cast<std::uint64_t>(shift >> 7);
            all += sectors_in(mask);
            const unsigned lacking = cached || leaves ? cache_.missing(line, mask, turn, joins) : mask;
            missed += sectors_in(cached ? lacking : mask);
            ++lookups_;
        }
        sum.executions += 1;
        sum.sectors += all;
        sum.misses += missed != 0;
        sum.joins += missed == 0 && joins;
        sum.missed_sectors += missed;
    }

    std::size_t lookups() const { return lookups_; }
    std::vector<Requests> take() { return std::move(requests_); }

private:
    // Empties the cache where a warp executes an invalidation between two requests: once for all warps that do so in
    // the same turn, since they continue together behind a barrier.
    void invalidate(std::uint32_t before, std::uint32_t now, std::uint64_t turn) {
        const auto [empties, fresh] = empties_.try_emplace({before, now}, false);
        if (fresh) between(q_, before, now, [&](std::uint32_t at) { empties->second |= q_.empties[at] != 0; });
        if (!empties->second || emptied_ == turn) return;
        emptied_ = turn;
        cache_.invalidate();
    }

    const Question& q_;
    const std::vector<Pattern>& patterns_;
    Grid grid_;
    bool invalidates_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> empties_;  // by the instructions of consecutive requests
    std::uint64_t emptied_ = ~0ull;                                    // turn
    Cache cache_;
    std::vector<Requests> requests_;
    Requests warm_up_;
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
std::vector<Requests> round_robin(const functional::Result& executed, const Question& q,
                                  const std::vector<Pattern>& patterns, bool apart) {
    const bool even = std::all_of(patterns.begin(), patterns.end(), [](const Pattern& p) { return p.even || !p.seen; });
    std::size_t simulated = q.resident;  // or some of them, with their share of L1
    if (!even) simulated = std::min(simulated, std::max<std::size_t>(1, executed.blocks.size() / (q.warm ? 2 : 1)));
    L1 level(q, patterns, simulated);
    for (const std::int64_t wave : {-1, 0}) {
        if (wave < 0 && !q.warm) continue;
        const std::vector<Stream> streams = streams_of(executed, q, even, apart, simulated, wave);
        const std::size_t stop = level.lookups() + most_lookups;
        std::size_t longest = 0;
        for (const Stream& stream : streams) longest = std::max(longest, stream.warp->accesses.size());
        for (std::size_t k = 0; k < longest && level.lookups() < stop; ++k)
            for (const Stream& stream : streams)
                if (k < stream.warp->accesses.size()) level.access(stream, k, wave == 0);
    }
    return level.take();
}

// Counters that instructions after `before` and up to `now` wait for.
unsigned waited_for(const Question& q, std::uint32_t before, std::uint32_t now) {
    unsigned mask = 0;
    between(q, before, now, [&](std::uint32_t at) { mask |= q.waits[at]; });
    return mask;
}

// Maximum outstanding requests of a multiprocessor's warps.
double most_outstanding(const functional::Result& executed, const Question& q) {
    const BlockTrace& block = executed.blocks[q.middle];
    std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> known;
    std::array<double, 8> by_counter{};
    double most = 0;
    const auto& accesses = block.warps.front().accesses;
    for (std::size_t k = 0; k < std::min(accesses.size(), most_accesses); ++k) {
        const Access& access = accesses[k];
        if (k > 0) {
            const std::pair<std::uint32_t, std::uint32_t> step{accesses[k - 1].instruction, access.instruction};
            const auto [mask_of, fresh] = known.try_emplace(step, 0);
            if (fresh) mask_of->second = waited_for(q, step.first, step.second);
            for (unsigned mask = mask_of->second; mask != 0; mask &= mask - 1) by_counter[std::countr_zero(mask)] = 0;
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
double lockstep_share(const functional::Result& executed, const Question& q) {
    const double waves = static_cast<double>(Grid(q.grid).blocks()) / static_cast<double>(q.wave);
    if (most_outstanding(executed, q) > q.l1_outstanding) return q.lockstep_throttled / waves;
    double sum = 0;
    for (double wave = 1; wave <= waves && wave <= most_waves; ++wave)
        sum += std::max(q.lockstep_first_wave / wave, q.lockstep_later_waves);
    return sum / waves;
}

}  // namespace

// Blocks of the first wave start in lockstep and drift apart. Later ones are at different points from the start: they
// use shared data at different times (matmul_coarse_2 hits a third, not two thirds).
std::vector<Requests> l1_requests(const functional::Result& executed, const Question& q,
                                  const std::vector<Pattern>& patterns) {
    const bool shared_data =
        std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& p) { return p.common(q); });
    const bool apart = q.warm || (q.resident > 1 && shared_data);
    std::vector<Requests> result = round_robin(executed, q, patterns, apart);
    if (!apart) return result;
    const std::vector<Requests> lockstep = round_robin(executed, q, patterns, false);
    const double share = lockstep_share(executed, q);
    for (std::size_t k = 0; k < result.size(); ++k) {
        if (result[k].executions == 0 || lockstep[k].executions == 0) continue;
        const double scale = share * result[k].executions / lockstep[k].executions;
        for (const auto field : {&Requests::misses, &Requests::missed_sectors, &Requests::joins})
            result[k].*field = (1 - share) * result[k].*field + scale * lockstep[k].*field;
    }
    return result;
}

}  // namespace foretell::gpumemory
