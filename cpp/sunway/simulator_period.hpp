// Detects that the state of a simulation recurs, so that the following periods need not be simulated.
//
// The simulation is deterministic and its times are exact (multiples of a tick). So if the state that determines all
// further events equals an earlier one, except for the time and for counters far from their ends, the same events
// follow again. Brent's algorithm compares each state with one saved state: O(1) memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sunway/simulator_state.hpp"

namespace foretell::swsim {

// State of a simulation, whose counters the period advances.
struct State {
    const std::vector<Program>* programs;
    std::vector<Controller> controllers;
    std::vector<Core> cores;
    std::vector<Request> requests;
    std::vector<Arrival> arrivals;
    double time = 0;                   // of the last event
    bool exact = true;                 // every period that was skipped recurred exactly
    double skipped = 0;                // cycles of skipped periods …
    std::uint64_t skipped_served = 0;  // … and their transactions
    std::uint64_t served = 0, age = 0, order = 0;

    const Program& program(const Core& core) const { return (*programs)[(*core.sequence)[core.part]]; }
};

class Period {
public:
    explicit Period(const std::vector<Program>& programs);

    // Compares the state with the saved one; if it recurs, skips as many periods as the counters allow. After very many
    // transactions, small differences of time are tolerated (`State::exact`).
    void observe(State& state);

private:
    struct Counters {
        std::size_t part;
        std::uint64_t round, loads_left;
        double compute, transfer_wait, load_wait;
    };

    template <typename Visit>
    static bool visit(const State& state, Visit&& visit);
    void keep(const State& state);
    bool recurs(const State& state) const;
    bool averages(const State& state) const;
    std::uint64_t advance(const State& state, std::size_t core, bool exact) const;
    std::uint64_t repeats(const State& state, bool exact) const;
    static std::uint64_t repeats_of_loads(const Core& core, const Counters& before);
    std::uint64_t repeats_of_rounds(const Program& program, const Core& core, std::size_t k, std::uint64_t rounds,
                                    std::size_t number) const;
    void skip(State& state, std::uint64_t periods, bool exact) const;

    std::vector<std::uint64_t> pattern_;  // of each program: rounds after which the same requests recur, 0 if too many
    std::vector<double> kept_;            // saved state
    std::vector<Counters> counters_;
    double time_ = 0;
    std::uint64_t served_ = 0;
    std::uint64_t steps_ = 0, limit_ = 1;
};

}  // namespace foretell::swsim
