// Threads that share a core.
#include "counters_equations.hpp"

namespace foretell::counters {

// A closed queueing network, by its normalising constants (Buzen, Commun. ACM 16(9), 1973). Never longer than one after the
// other; fractions of a thread lie between two whole numbers.
FORETELL_CLONES void stretches(const double* __restrict threads, double most, const double* __restrict pipeline,
                               const double* __restrict path, double* __restrict result, std::size_t count) {
    double free[chunk], first[chunk], both[chunk];  // constants of n threads: without queues, with the first one, with both
    double less[chunk], whole[chunk], more[chunk];  // the last of these for one thread less, as many, and one more
    for (std::size_t k = 0; k < count; ++k) {       // n = 1: all parts of a thread's time alone add up to 1
        free[k] = 1 - pipeline[k] - path[k];
        first[k] = 1 - path[k];
        both[k] = less[k] = whole[k] = more[k] = 1;
    }
    for (double n = 2; n < most + 1; ++n) {
        const double share = 1 / n;
        for (std::size_t k = 0; k < count; ++k) {
            free[k] *= (1 - pipeline[k] - path[k]) * share;
            first[k] = free[k] + pipeline[k] * first[k];
            const double now = first[k] + path[k] * both[k];
            const bool at = (threads[k] >= n) & (threads[k] < n + 1), next = (threads[k] >= n - 1) & (threads[k] < n);
            less[k] = at ? both[k] : less[k];
            whole[k] = at ? now : whole[k];
            more[k] = next ? now : more[k];
            both[k] = now;
        }
    }
    for (std::size_t k = 0; k < count; ++k) {
        const double n = static_cast<double>(static_cast<int>(threads[k])), part = threads[k] - n;
        const double below = (1 - part) * n * whole[k] * whole[k], above = part * (n + 1) * more[k] * less[k];
        result[k] = smaller(threads[k], (below + above) / (less[k] * whole[k]));
    }
}

double stretch(double threads, double pipeline, double path) {
    double result;
    stretches(&threads, threads, &pipeline, &path, &result, 1);
    return result;
}

}  // namespace foretell::counters
