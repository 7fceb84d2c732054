// Folds uniform loops: the time of the iterations left out is extrapolated from those kept.
#include <algorithm>
#include <unordered_map>

#include "gpu/timing/timing.hpp"

namespace foretell::timing {

// Prefix hashes: any two subsequences are compared in O(1).
class Foldable::Stretches {
public:
    explicit Stretches(const Trace& ops) : hash_(ops.size() + 1), power_(ops.size() + 1, 1) {
        for (std::size_t k = 0; k < ops.size(); ++k) {
            hash_[k + 1] = hash_[k] * base + ops[k] + 1;
            power_[k + 1] = power_[k] * base;
        }
    }
    bool alike(std::size_t a, std::size_t b, std::size_t length) const { return of(a, length) == of(b, length); }

private:
    static constexpr std::uint64_t base = 0x9e3779b97f4a7c15ull;

    std::uint64_t of(std::size_t from, std::size_t length) const {
        return hash_[from + length] - hash_[from] * power_[length];
    }
    std::vector<std::uint64_t> hash_, power_;
};

namespace {

// Where the targets of backward jumps are executed, by instruction.
std::unordered_map<std::uint32_t, std::vector<std::size_t>> visits_of(
    const Trace& ops, const std::vector<std::uint32_t>& instruction_of) {
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> visits;
    for (std::size_t k = 1; k < ops.size(); ++k)
        if (instruction_of[ops[k]] <= instruction_of[ops[k - 1]]) visits[instruction_of[ops[k]]].push_back(k);
    return visits;
}

}  // namespace

// Finds loops: a loop starts at the target of a backward jump; its iterations are between executions of that target.
std::vector<Foldable::Loop> Foldable::loops_of(const Trace& ops, const std::vector<std::uint32_t>& instruction_of) {
    const Stretches stretches(ops);
    std::vector<Loop> found;
    for (const auto& [head, at] : visits_of(ops, instruction_of)) {
        for (std::size_t k = 0; k + 1 < at.size();) {
            const std::size_t round = at[k + 1] - at[k];
            std::size_t last = k + 1;
            while (last + 1 < at.size() && at[last + 1] - at[last] == round && stretches.alike(at[k], at[last], round))
                ++last;
            found.push_back({at[k], round, last - k, {}});
            k = last;
        }
    }
    return found;
}

Foldable::Foldable(Trace ops, const std::vector<std::uint32_t>& instruction_of, std::size_t least, bool uneven)
    : ops_(std::move(ops)), least_(least) {
    choose(loops_of(ops_, instruction_of));
    if (uneven) choose_uneven(instruction_of);
}

// Where equal rounds are less than half of the trace: of the loops that are, in rounds enough to tell a share of them, the
// one with the fewest, which is the outermost.
void Foldable::choose_uneven(const std::vector<std::uint32_t>& instruction_of) {
    constexpr std::size_t telling = 64;
    std::size_t even = 0;
    for (const Loop& loop : loops_) even += loop.round * loop.count;
    if (2 * even >= ops_.size()) return;
    std::vector<std::size_t> chosen;
    for (auto& [head, at] : visits_of(ops_, instruction_of)) {
        const bool most = 2 * (at.back() - at.front()) >= ops_.size();
        if (most && at.size() > telling && (chosen.empty() || at.size() < chosen.size())) chosen = std::move(at);
    }
    if (!chosen.empty()) loops_ = {{chosen.front(), 0, chosen.size() - 1, std::move(chosen)}};
}

void Foldable::choose(std::vector<Loop> found) {
    std::sort(found.begin(), found.end(), [](const Loop& a, const Loop& b) {
        return a.round * a.count != b.round * b.count ? a.round * a.count > b.round * b.count : a.begin < b.begin;
    });
    for (const Loop& loop : found) {  // the longest first
        if (loop.count <= 2 * least_) continue;
        const auto apart = [&](const Loop& other) {
            return loop.begin >= other.begin + other.round * other.count ||
                   other.begin >= loop.begin + loop.round * loop.count;
        };
        if (std::all_of(loops_.begin(), loops_.end(), apart)) loops_.push_back(loop);
        if (loops_.size() == 16) break;
    }
    std::sort(loops_.begin(), loops_.end(), [](const Loop& a, const Loop& b) { return a.begin < b.begin; });
}

Trace Foldable::folded(double keep) const {
    Trace result;
    std::size_t at = 0;
    for (const Loop& loop : loops_) {
        const auto share = static_cast<std::size_t>(keep * static_cast<double>(loop.count) + 0.5);
        const std::size_t kept = std::min(loop.count, std::max(share, least_));
        result.insert(result.end(), ops_.begin() + at, ops_.begin() + loop.after(kept));
        at = loop.after(loop.count);
    }
    result.insert(result.end(), ops_.begin() + at, ops_.end());
    return result;
}

}  // namespace foretell::timing
