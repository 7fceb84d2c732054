// Loops that go round alike are cut short: the time of the rounds left out follows from those that were kept.
#include <algorithm>
#include <unordered_map>

#include "timing.hpp"

namespace foretell::timing {
namespace {

// Rounds of one length that follow each other and are alike.
struct Loop {
    std::size_t begin = 0, round = 0, count = 0;

    std::size_t kept(double keep, std::size_t least) const {
        const auto share = static_cast<std::size_t>(keep * static_cast<double>(count) + 0.5);
        return std::min(count, std::max(share, least));
    }
};

constexpr std::uint64_t base = 0x9e3779b97f4a7c15ull;

// Hashes of all prefixes: any two stretches are compared in one step.
class Stretches {
public:
    explicit Stretches(const std::vector<std::uint32_t>& ops) : hash_(ops.size() + 1), power_(ops.size() + 1, 1) {
        for (std::size_t k = 0; k < ops.size(); ++k) {
            hash_[k + 1] = hash_[k] * base + ops[k] + 1;
            power_[k + 1] = power_[k] * base;
        }
    }
    bool alike(std::size_t a, std::size_t b, std::size_t length) const { return of(a, length) == of(b, length); }

private:
    std::uint64_t of(std::size_t from, std::size_t length) const {
        return hash_[from + length] - hash_[from] * power_[length];
    }
    std::vector<std::uint64_t> hash_, power_;
};

// A loop begins where control goes back; its rounds lie between the visits of that place.
std::vector<Loop> loops_of(const std::vector<std::uint32_t>& ops, const std::vector<std::uint32_t>& instruction_of) {
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> visits;  // of the targets of backward jumps
    for (std::size_t k = 1; k < ops.size(); ++k)
        if (instruction_of[ops[k]] <= instruction_of[ops[k - 1]]) visits[instruction_of[ops[k]]].push_back(k);
    const Stretches stretches(ops);
    std::vector<Loop> found;
    for (const auto& [head, at] : visits) {
        for (std::size_t k = 0; k + 1 < at.size();) {
            const std::size_t round = at[k + 1] - at[k];
            std::size_t last = k + 1;
            while (last + 1 < at.size() && at[last + 1] - at[last] == round && stretches.alike(at[k], at[last], round)) ++last;
            found.push_back({at[k], round, last - k});
            k = last;
        }
    }
    return found;
}

}  // namespace

Trace fold(const Trace& ops, const std::vector<std::uint32_t>& instruction_of, double keep, std::size_t least) {
    std::vector<Loop> loops = loops_of(ops, instruction_of);
    std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
        return a.round * a.count != b.round * b.count ? a.round * a.count > b.round * b.count : a.begin < b.begin;
    });
    std::vector<Loop> chosen;  // the longest first, none inside or across another
    for (const Loop& loop : loops) {
        if (loop.count <= 2 * least) continue;
        const auto apart = [&](const Loop& other) {
            return loop.begin >= other.begin + other.round * other.count || other.begin >= loop.begin + loop.round * loop.count;
        };
        if (std::all_of(chosen.begin(), chosen.end(), apart)) chosen.push_back(loop);
        if (chosen.size() == 16) break;
    }
    std::sort(chosen.begin(), chosen.end(), [](const Loop& a, const Loop& b) { return a.begin < b.begin; });
    Trace result;
    std::size_t at = 0;
    for (const Loop& loop : chosen) {
        result.insert(result.end(), ops.begin() + at, ops.begin() + loop.begin + loop.kept(keep, least) * loop.round);
        at = loop.begin + loop.count * loop.round;
    }
    result.insert(result.end(), ops.begin() + at, ops.end());
    return result;
}

}  // namespace foretell::timing
