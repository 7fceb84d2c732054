// Discrete-event simulation of cores with scratchpads behind shared memory controllers, transaction by transaction.
//
// There is no formula for a time here, only cores that issue requests, wait and compute, and controllers that serve one
// transaction after another. Periods of a steady state are skipped once the whole state has recurred exactly.
#pragma once

#include <cstdint>
#include <vector>

namespace foretell::swsim {

// Structs that are passed to Python are listed once, by name (bind/swsim.cpp). All times in cycles of a core.

#define FORETELL_SWSIM_MEMORY(X)                                                                \
    X(double, service)            /* a controller starts a transaction at most so often */      \
    X(double, latency)            /* from the start of a transaction until its data is there */ \
    X(double, gap)                /* least time between the transactions of one request */      \
    X(std::uint32_t, controllers) /* consecutive transactions go to one after another */

// `count` transfers of `transactions` each, spread evenly over the rounds of a program.
#define FORETELL_SWSIM_TRANSFER(X) \
    X(std::uint64_t, transactions) \
    X(std::uint64_t, count)        \
    X(bool, out) /* after the computation of a round instead of before it */

// Program of a core: rounds of transfers in, computation interleaved with direct loads, transfers out.
#define FORETELL_SWSIM_PROGRAM(X)                                                            \
    X(std::uint64_t, rounds)                                                                 \
    X(double, compute)             /* cycles over all rounds */                              \
    X(std::uint64_t, direct_loads) /* over all rounds; each waits for its one transaction */ \
    X(std::vector<Transfer>, transfers)

#define FORETELL_SWSIM_RESULT(X)                                                                   \
    X(double, cycles) /* until the last core is done */                                            \
    X(std::uint64_t, transactions)                                                                 \
    X(double, busy)    /* cycles of all controllers together */                                    \
    X(double, compute) /* of the core that finished last, as the two below */                      \
    X(double, transfer_wait)                                                                       \
    X(double, load_wait)                                                                           \
    X(std::uint64_t, followed)       /* transactions served one by one; the others were skipped */ \
    X(bool, exact)                   /* false when rounds were skipped at their average pace */    \
    X(bool, complete)                /* false when `most` transactions were not enough */          \
    X(std::vector<double>, finished) /* cycles at which each core was done */

#define X(type, name) type name{};
struct Memory {
    FORETELL_SWSIM_MEMORY(X)
};
struct Transfer {
    FORETELL_SWSIM_TRANSFER(X)
};
struct Program {
    FORETELL_SWSIM_PROGRAM(X)
};
struct Result {
    FORETELL_SWSIM_RESULT(X)
};
#undef X

// Programs that a core runs one after another, by index.
using Sequence = std::vector<std::uint32_t>;

// Simulates until all cores are done, or `most` transactions have been simulated.
Result simulate(const Memory&, const std::vector<Program>&, const std::vector<Sequence>& cores, bool double_buffer,
                std::uint64_t most);

}  // namespace foretell::swsim
