#include "gpu/functional/loops/rounds.hpp"

#include <algorithm>

namespace foretell::functional {
namespace {

bool alike(const Value& a, const Value& b) {
    if (a.known != b.known) return false;
    if (a.known == all_lanes) return a.v == b.v;
    bool same = true;
    each(a.known, [&](int lane) { same = same && a.v[lane] == b.v[lane]; });
    return same;
}

bool alike(const Truth& a, const Truth& b) { return a.known == b.known && ((a.v ^ b.v) & a.known) == 0; }

bool alike(const Word& a, const Word& b) { return a.known == b.known && (!a.known || a.value == b.value); }

template <class Range>
bool all_alike(const Range& a, const Range& b) {
    for (std::size_t k = 0; k < a.size(); ++k)
        if (!alike(a[k], b[k])) return false;
    return true;
}

}  // namespace

bool alike(const Warp& a, const Warp& b) {
    return all_alike(a.r, b.r) && all_alike(a.ur, b.ur) && all_alike(a.p, b.p) && all_alike(a.up, b.up);
}

Warp after(const Warp& now, const Warp& before, std::uint32_t rounds) {
    Warp result = now;
    for (std::size_t k = 0; k < result.r.size(); ++k)
        for (int lane = 0; lane < lanes; ++lane)
            result.r[k].v[lane] += rounds * (now.r[k].v[lane] - before.r[k].v[lane]);
    for (std::size_t k = 0; k < result.ur.size(); ++k)
        result.ur[k].value += rounds * (now.ur[k].value - before.ur[k].value);
    return result;
}

Request after(const Request& now, const Request& before, std::uint32_t rounds) {
    Request result = now;
    for (int lane = 0; lane < lanes; ++lane)
        result.address.v[lane] += rounds * (now.address.v[lane] - before.address.v[lane]);
    return result;
}

std::vector<Request> after(const std::vector<Request>& now, const std::vector<Request>& before, std::uint32_t rounds) {
    std::vector<Request> result;
    for (std::size_t k = 0; k < now.size(); ++k) result.push_back(after(now[k], before[k], rounds));
    return result;
}

bool alike(const std::vector<Request>& a, const std::vector<Request>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Request& x, const Request& y) {
        bool same = x.what == y.what && x.executed == y.executed && x.executed != 0;
        each(x.executed, [&](int lane) { same = same && x.address.v[lane] == y.address.v[lane]; });
        return same;
    });
}

void Comparisons::keep(const Decoded& comparison, const Alu& alu) {
    if (comparison.source->operands.size() < 4) return;
    Copy others[2];
    const Value &a = alu.view(comparison.source->operands[2], others[0]),
                &b = alu.view(comparison.source->operands[3], others[1]);
    Kept& kept = kept_[comparison.number];
    kept.before = kept.now;
    kept.known_before = kept.known;
    kept.known = a.known & b.known;
    for (int lane = 0; lane < lanes; ++lane) kept.now[lane] = difference_of(comparison, a.v[lane], b.v[lane]);
}

std::uint64_t Comparisons::alike(const Decoded& branch, Mask among) const {
    std::uint64_t least = 1u << 30;
    for (const Decoded* d = &branch - branch.round + 1; d != &branch; ++d)
        if (const auto found = kept_.find(d->number); d->decides && found != kept_.end())
            least = std::min(least, alike(d->compare, found->second, among));
    return least;
}

std::uint64_t Comparisons::alike(Compare how, const Kept& kept, Mask among) {
    std::uint64_t least = ~0ull;
    if (how > Compare::ge) return least;
    each(among & kept.known & kept.known_before, [&](int lane) {
        const std::int64_t now = kept.now[lane], step = now - kept.before[lane];
        if (step == 0) return;
        const Compare holds = compared<std::int64_t>(how, now, 0) ? how : opposite(how);
        const bool same_side = now != 0 && (now > 0) == (step > 0);
        const bool never = holds == Compare::ne ? now % step != 0 || same_side : holds != Compare::eq && same_side;
        if (!never) least = std::min(least, rounds_left(holds, now, step));
    });
    return least;
}

std::uint64_t rounds_left(Compare how, std::int64_t difference, std::int64_t step) {
    if (!compared<std::int64_t>(how, difference, 0) || step == 0) return 0;
    if (how == Compare::ne) return difference % step == 0 && -difference / step > 0 ? -difference / step : 0;
    if (how == Compare::gt || how == Compare::ge) {
        difference = -difference;
        step = -step;
    }
    if (step < 0) return 0;
    const bool or_equal = how == Compare::le || how == Compare::ge;
    return how == Compare::eq || how == Compare::always ? 0
           : or_equal                                   ? -difference / step + 1
                                                        : (-difference + step - 1) / step;
}

}  // namespace foretell::functional
