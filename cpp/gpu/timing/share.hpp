// A multiprocessor's share of L2 or memory. Private to the timing core.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/timing/timing.hpp"

namespace foretell::timing {

// This multiprocessor's share of L2 or memory, and its recent load.
class Share {
public:
    explicit Share(const Server& server) : server_(server) {}

    // log2 of the number of lines, limited to the powers that are distinguished.
    static std::uint8_t spread_of(double lines) {
        const auto exact = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(lines)) - (lines >= 1));
        return static_cast<std::uint8_t>(std::min(exact, powers - 1));
    }

    // Additional latency of the slowest of 2^power lines; `quantile` is between 0 and 1.
    double later_of(double quantile, std::size_t power) {
        std::vector<double>& known = later_[power];
        if (known.empty())
            for (std::size_t k = 0; k < quantiles; ++k)
                known.push_back(delay((static_cast<double>(k) + 0.5) / quantiles, power));
        return known[static_cast<std::size_t>(quantile * quantiles)];
    }

    // Completion time of a request that arrives now; the fraction `crowds` of its service delays others.
    double serve(double now, double service, double later, double crowds = 1) {
        const double passed = std::max(0.0, now - at_);
        load_ = load_ * (server_.window / (server_.window + passed)) + service * crowds / server_.window;
        at_ = std::max(at_, now);
        const double crowd = std::min(server_.longest_wait, server_.crowding * load_ / std::max(1e-9, 1 - load_));
        if (free_ <= now) since_ = now;
        free_ = std::max(free_, std::max(0.0, now - server_.credit)) + service;
        used_ += service;
        return std::max(free_, now + crowd) + server_.latency + later;
    }
    double free() const { return free_; }
    double used() const { return used_; }
    double pressure() const { return server_.crowding * std::min(1.0, load_); }  // cycles; effect of its load on others
    double turn_from() const { return since_ + server_.latency; }

private:
    static constexpr std::size_t powers = 6, quantiles = 64;

    // The slowest of 2^power lines is within quantile p with probability p^(2^power): inverse of that.
    double delay(double quantile, std::size_t power) const {
        const double share = std::pow(quantile, 1.0 / static_cast<double>(1 << power));
        double before = 0, cycles = 0;
        for (const auto& [upto, then] : server_.spread) {
            if (share <= upto)
                return cycles + (then - cycles) * (upto > before ? (share - before) / (upto - before) : 1);
            before = upto;
            cycles = then;
        }
        return cycles;
    }

    const Server& server_;
    std::array<std::vector<double>, powers> later_;  // by number of lines
    double free_ = 0, since_ = 0, load_ = 0, at_ = 0, used_ = 0;
};

}  // namespace foretell::timing
