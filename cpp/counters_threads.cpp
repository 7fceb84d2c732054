// Threads that share a core: a closed queueing network, by its normalising constants (Buzen, Commun. ACM 16(9), 1973). Never
// longer than one thread after the other; fractions of a thread lie between two whole numbers.
#include <algorithm>

#include "counters_equations.hpp"

namespace foretell::counters {

namespace {

constexpr int few = 4;  // as many threads as most cores run

// The constants of n threads: without queues, with the first one, with both.
struct Constants {
    double free, first, both;
};

FORETELL_INLINE Constants one(double pipeline, double path) {  // all parts of a thread's time alone add up to 1
    return {1 - pipeline - path, 1 - path, 1};
}

FORETELL_INLINE Constants next(const Constants& c, double pipeline, double path, double share) {
    const double free = c.free * ((1 - pipeline - path) * share), first = free + pipeline * c.first;
    return {free, first, first + path * c.both};
}

// A few threads, in whole numbers: all in registers, because the compiler knows how often the inner loop runs.
FORETELL_CLONES void few_stretches(const double* __restrict threads, const double* __restrict pipeline,
                                   const double* __restrict path, double* __restrict result, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        const double p = pipeline[k], q = path[k], all = threads[k];
        Constants c = one(p, q);
        double less = 1, whole = 1;  // with both queues, for one thread less than there are, and for all
        for (int n = 2; n <= few; ++n) {
            const Constants now = next(c, p, q, 1.0 / n);
            const bool at = all == n;
            less = at ? c.both : less;
            whole = at ? now.both : whole;
            c = now;
        }
        result[k] = smaller(all, all * whole / less);
    }
}

// Any number of threads.
FORETELL_CLONES void many_stretches(const double* __restrict threads, double most, const double* __restrict pipeline,
                                    const double* __restrict path, double* __restrict result, std::size_t count) {
    double free[chunk], first[chunk], both[chunk];
    double less[chunk], whole[chunk], more[chunk];  // the last of these for one thread less, as many, and one more
    for (std::size_t k = 0; k < count; ++k) {
        const Constants c = one(pipeline[k], path[k]);
        free[k] = c.free, first[k] = c.first, both[k] = c.both;
        less[k] = whole[k] = more[k] = 1;
    }
    for (double n = 2; n < most + 1; ++n) {
        const double share = 1 / n;
        for (std::size_t k = 0; k < count; ++k) {
            const Constants now = next({free[k], first[k], both[k]}, pipeline[k], path[k], share);
            const bool at = (threads[k] >= n) & (threads[k] < n + 1), before = (threads[k] >= n - 1) & (threads[k] < n);
            less[k] = at ? both[k] : less[k];
            whole[k] = at ? now.both : whole[k];
            more[k] = before ? now.both : more[k];
            free[k] = now.free, first[k] = now.first, both[k] = now.both;
        }
    }
    for (std::size_t k = 0; k < count; ++k) {
        const double n = static_cast<double>(static_cast<int>(threads[k])), part = threads[k] - n;
        const double below = (1 - part) * n * whole[k] * whole[k], above = part * (n + 1) * more[k] * less[k];
        result[k] = smaller(threads[k], (below + above) / (less[k] * whole[k]));
    }
}

}  // namespace

Crowd crowd_of(const double* threads, std::size_t count) {
    const bool whole = std::all_of(threads, threads + count, [](double n) { return is_whole(n); });
    return {threads, *std::max_element(threads, threads + count), whole};
}

void stretches(const Crowd& crowd, const double* pipeline, const double* path, double* result, std::size_t count) {
    if (crowd.whole && crowd.most <= few)
        few_stretches(crowd.threads, pipeline, path, result, count);
    else
        many_stretches(crowd.threads, crowd.most, pipeline, path, result, count);
}

double stretch(double threads, double pipeline, double path) {
    double result;
    stretches(crowd_of(&threads, 1), &pipeline, &path, &result, 1);
    return result;
}

}  // namespace foretell::counters
