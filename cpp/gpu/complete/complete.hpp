// Complete execution of a GPU kernel: every warp of every block, all values, memory as real bytes.
//
// A kernel is decoded once to dense operations, each with a handler that computes all 32 lanes. A launch executes its
// blocks in the order of their numbers, over several threads where their order cannot change a result.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/functional/functional.hpp"

namespace foretell::complete {

// Device memory from `address` on is host memory from `host` on.
struct Region {
    std::uint64_t address = 0, size = 0;
    std::uint8_t* host = nullptr;
    bool writable = true;
    bool over_link = false;  // memory of the host, which kernels reach over the link
    bool managed = false;    // its pages may be away
};

// Pages of 64 KiB from `address` on: on the device (or not managed), away, or away and fetched by this launch.
struct ManagedPages {
    static constexpr std::uint8_t here = 0, away = 1, fetched = 2;
    std::uint64_t address = 0, count = 0;
    std::uint8_t* states = nullptr;
};

struct Launch {
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
    std::map<int, std::vector<std::uint8_t>> banks;  // constant banks, with the parameters in bank 0
    std::vector<Region> regions;                     // sorted by address, without overlaps
    ManagedPages managed;                            // count 0: none is away
    std::uint32_t shared_bytes = 0;                  // static and dynamic
    std::uint32_t local_bytes = 0;                   // of one thread
    std::uint32_t threads = 1;                       // of the host
    std::uint64_t budget = ~0ull;                    // warp instructions
    double clock_ghz = 1.0;                          // cycles for a nanosecond of the timer
    std::uint64_t memory_bytes = ~0ull;              // that the launch may occupy
    int memory_file = -1;                            // the file behind the regions, whose pages count; -1: none
    std::uint64_t heap_address = 0, heap_bytes = 0;  // in a region; 0: kernels have no malloc
    bool cooperative = false;                        // all blocks are resident at once
    bool check_races = false;                        // in one thread, several times as slow
    std::uint64_t race_words = 1 << 23;              // words of global memory that are looked at for races
};

enum class FaultKind : std::uint8_t {
    none,
    out_of_bounds,
    misaligned,
    read_only,
    illegal,
    unsupported,
    deadlock,
    budget,
    memory,
    trap,
    assertion
};

struct Fault {
    FaultKind kind = FaultKind::none;
    std::uint32_t instruction = 0;  // in the text
    std::uint64_t block = 0;        // its number
    std::uint32_t thread = 0;       // its number in the block
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    bool is_store = false;
    std::string space;  // global, shared, local
    std::string detail;
    // Of a deadlock or a used budget: warp, and where it waits or runs.
    std::vector<std::pair<std::uint32_t, std::string>> waits;
};

// An access that takes part in a race.
struct RaceSide {
    std::uint64_t block = 0;
    std::uint32_t thread = 0, instruction = 0;
    bool writes = false;
};

// Two accesses of one word without an order between them; `count` words or threads raced at these two instructions.
struct Race {
    RaceSide first, second;
    std::uint64_t address = 0;
    bool shared = false;
    std::uint64_t count = 0;
};

// What went over the link: lines and sectors that were read, bytes written and their runs in lines, the most updates of a
// word, and how often blocks waited for it: the sum of all, and the most of one.
struct LinkTraffic {
    std::uint64_t lines = 0, sectors = 0, written = 0, runs = 0, updates = 0, rounds = 0, longest_rounds = 0;
};

// Calls of printf by warps, lines that they printed, and the most calls of one warp.
struct Printing {
    std::uint64_t calls = 0, lines = 0, longest = 0;
};

// Pieces of memory that lanes took by malloc and gave by free, and the most calls of one warp.
struct HeapCalls {
    std::uint64_t taken = 0, given = 0, longest = 0;
};

struct Record {
    std::vector<std::uint64_t> executions;  // by warps, of each instruction of the text
    std::uint64_t instructions = 0;
    Fault fault;
    std::vector<std::string> printed;            // by block, in their order
    std::uint32_t threads = 1;                   // that executed it
    std::uint64_t waited = 0, longest_wait = 0;  // cycles that passed in waits for clocks: of all blocks, and of one
    LinkTraffic link;
    std::uint64_t faults_in_turn = 0;  // on managed pages: the most of a warp that follow each other
    Printing printing;
    HeapCalls heap;
    std::vector<Race> races;
    bool races_limited = false;  // more memory was used than is looked at
};

struct Text;  // decoded

class Kernel {
public:
    explicit Kernel(std::vector<functional::Instruction> instructions);
    Record execute(const Launch& launch) const;
    // Opcodes with their modifiers that cannot be executed.
    const std::vector<std::string>& refused() const;
    // Whether blocks may run at the same time: no result depends on their order but by data races.
    bool is_order_free() const;

private:
    std::shared_ptr<const Text> text_;
};

}  // namespace foretell::complete
