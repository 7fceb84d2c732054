// List scheduling of the blocks of a grid over all multiprocessors.
#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "gpu/timing/timing.hpp"

namespace foretell::timing {
namespace {

// Resident blocks of one multiprocessor. Its own clock advances with the progress of its blocks: a block ends there
// when its time alone has passed.
class Sharing {
public:
    void start(double now, double alone, double rate) {
        advance(now);
        ends_.push({clock_ + alone, rate});
        rate_ += rate;
    }

    double next_end() const { return now_ + (ends_.top().first - clock_) * slowdown(); }

    // Removes the block that ends first.
    void finish() {
        now_ = next_end();
        clock_ = ends_.top().first;
        rate_ -= ends_.top().second;
        ends_.pop();
        if (ends_.empty()) rate_ = 0;
    }

private:
    using End = std::pair<double, double>;  // on its own clock, and the share of the throughput that the block asks for

    double slowdown() const { return std::max(1.0, rate_); }
    void advance(double now) {
        clock_ += (now - now_) / slowdown();
        now_ = now;
    }

    std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
    double now_ = 0, clock_ = 0, rate_ = 0;
};

}  // namespace

double last_end(const std::vector<double>& alone, const std::vector<double>& demand, std::size_t multiprocessors,
                std::size_t resident) {
    std::vector<Sharing> all(multiprocessors);
    std::size_t next = 0;
    const auto start = [&](Sharing& there, double now) {
        there.start(now, alone[next], demand[next] / alone[next]);
        ++next;
    };
    for (std::size_t turn = 0; turn < resident; ++turn)
        for (std::size_t k = 0; k < multiprocessors && next < alone.size(); ++k) start(all[k], 0);
    using Event = std::pair<double, std::size_t>;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    for (std::size_t k = 0; k < std::min(multiprocessors, alone.size()); ++k) events.push({all[k].next_end(), k});
    std::vector<std::size_t> running(multiprocessors);
    for (std::size_t k = 0; k < next; ++k) ++running[k % multiprocessors];
    double last = 0;
    while (!events.empty()) {
        const auto [now, k] = events.top();
        events.pop();
        last = now;
        all[k].finish();
        --running[k];
        if (next < alone.size()) {
            start(all[k], now);
            ++running[k];
        }
        if (running[k] > 0) events.push({all[k].next_end(), k});
    }
    return last;
}

}  // namespace foretell::timing
