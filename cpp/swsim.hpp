// A discrete-event simulation of cores with scratchpads behind shared memory controllers, transaction by transaction.
//
// It is the judge of the SW26010 model, so it shares nothing with it: there is no formula for a time here, only cores
// that ask, wait and compute, and controllers that serve one transaction after another.
#pragma once

#include <cstdint>
#include <vector>

namespace foretell::swsim {

// All times in cycles of a core.
struct Memory {
    double service;             // a controller starts a transaction at most so often
    double latency;             // from the start of a transaction's service until its data is there
    double gap;                 // between the transactions of one request
    std::uint32_t controllers;  // consecutive transactions go to one after another
};

// `count` transfers of `transactions` each, spread evenly over the rounds of a program.
struct Transfer {
    std::uint64_t transactions;
    std::uint64_t count;
    bool out;  // after the computation of a round instead of before it
};

// What a core does: rounds of transfers in, computation broken by direct loads, transfers out.
struct Program {
    std::uint64_t rounds = 0;
    double compute = 0;             // cycles over all rounds
    std::uint64_t direct_loads = 0;  // over all rounds, each waits for its one transaction
    std::vector<Transfer> transfers;
};

// The programs that a core runs one after another, by their numbers.
using Sequence = std::vector<std::uint32_t>;

struct Result {
    double cycles = 0;  // until the last core is done
    std::uint64_t transactions = 0;
    double busy = 0;  // of all controllers together
    // How the core that finished last spent its time.
    double compute = 0, transfer_wait = 0, load_wait = 0;
    std::vector<double> finished;  // of each core
};

Result simulate(const Memory&, const std::vector<Program>&, const std::vector<Sequence>& cores, bool double_buffer);

}  // namespace foretell::swsim
