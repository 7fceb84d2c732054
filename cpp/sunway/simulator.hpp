// Discrete-event simulation of cores with scratchpads behind shared memory controllers, transaction by transaction.
//
// There is no formula for a time here, only cores that issue requests, wait and compute, and controllers that serve one
// transaction after another. Periods of a steady state are skipped once the whole state has recurred exactly.
#pragma once

#include <cstdint>
#include <vector>

namespace foretell::swsim {

// Structs that are passed to Python are listed once, by name (bind/sunway.cpp). Times are core cycles.

#define FORETELL_SWSIM_MEMORY(X)                                                           \
    X(double, service) /* cycles between transactions of a controller */                   \
    X(double, latency) /* from the start of a transaction to its data */                   \
    X(double, gap) /* minimum time between transactions of one request */                  \
    X(std::uint32_t, controllers) /* consecutive transactions are interleaved over them */

// `count` transfers of `transactions` each, spread evenly over the rounds of a program.
#define FORETELL_SWSIM_TRANSFER(X)                                      \
    X(std::uint64_t, transactions) X(std::uint64_t, count) X(bool, out) \
    /* after the computation of a round instead of before it */

// Program of a core: rounds of transfers in, computation interleaved with direct loads, transfers out.
#define FORETELL_SWSIM_PROGRAM(X)                                                            \
    X(std::uint64_t, rounds) X(double, compute) /* cycles over all rounds */                 \
    X(std::uint64_t, direct_loads) /* over all rounds; each waits for its one transaction */ \
    X(std::vector<Transfer>, transfers)

#define FORETELL_SWSIM_RESULT(X)                                                            \
    X(double, cycles) /* until the last core is done */                                     \
    X(std::uint64_t, transactions) X(double, busy) /* cycles of all controllers together */ \
    X(double, compute) /* of the core that finished last, like the two below */             \
    X(double, transfer_wait) X(double, load_wait) X(std::uint64_t, followed)                \
    /* transactions simulated; the others were skipped */                                   \
    X(bool, exact) /* false when rounds were skipped at their average pace */               \
    X(bool, complete) /* false when the limit `most` was reached */                         \
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
