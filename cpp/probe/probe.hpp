// Micro-benchmarks that measure the processor they run on. They return raw times of short chunks; what to make of
// them is decided in Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace foretell::probe {

// One instruction class at one width: `run` does iterations x operations instructions of it.
struct Operation {
    const char* name;          // such as add_f64x4
    std::uint64_t operations;  // in one iteration
    void (*run)(std::uint64_t iterations, double* scratch);
};

// Loops over arrays of doubles; `count` is a multiple of 64. Names say what moves: write streams past the caches,
// update reads and writes one array, pair writes two in turn, work_K does K fused multiply-adds for each element of a copy, half of them with a neighbour.
struct Stream {
    const char* name;
    int arrays;
    void (*run)(double* a, double* b, double* c, std::size_t count);
};

// What was compiled for one vector width.
struct Variant {
    const char* name;
    unsigned bytes;  // of a vector
    const Operation* operations;
    std::size_t operation_count;
    const Stream* streams;
    std::size_t stream_count;
};

extern const Variant variant_base;
#if defined(__x86_64__)
extern const Variant variant_avx2;
extern const Variant variant_avx512;
#endif

// The variants that this processor can run, narrowest first.
std::vector<const Variant*> variants();

// Bytes of the widest vector register, also where no variant uses it (SVE).
unsigned vector_bytes();

// CPUs this process may run on.
std::vector<int> allowed_cpus();

// Threads are pinned to the first `used` CPUs, one after the other, from this one on (the number wraps around).
void start_at(unsigned cpu, std::size_t used);
std::vector<int> cpus_in_turn();

// A look at the cores of so many threads at once: the interference of the one that has the most (interference.hpp).
double interference(int threads);

// Start and duration of a chunk, in seconds.
using Chunks = std::vector<std::pair<double, double>>;

// One thread's chunks, and how much each of them did (operations, bytes, steps, barriers). Where the work is paired,
// every chunk is followed by a look at the clock: `cycle` has its period in seconds. `interference` shows whether somebody else was on
// the core when the run began or when it ended (interference.hpp).
struct Run {
    double amount = 0;
    Chunks chunks;
    std::vector<double> cycle;
    double interference = 0;
};

// Seconds for one operation and for one cycle, chunk by chunk in turn.
struct Paired {
    std::vector<double> operation, cycle;
    double interference = 0;
};
Paired time_operation(const Operation& operation, std::size_t chunks);

// The same operation in several threads at once.
std::vector<Run> run_operation(const Operation& operation, int threads, double seconds);

// A stream over arrays of `bytes` in all, in each thread; `through` all of them, and everything timed, where they stay in no
// cache: what the one before left there are the ends of arrays, and this one begins at their starts. Large arrays lie in
// memory that is kept; smaller ones do, too, where they are asked to (`from_kept`), else in new memory every time.
std::vector<Run> run_stream(const Stream& stream, std::size_t bytes, int threads, double seconds, bool paired,
                            bool through, bool from_kept);

// Several streams over the same arrays, a chunk of each in turn: what slows the machine for a while slows all of them.
std::vector<Run> run_in_turn(const std::vector<const Stream*>& streams, std::size_t bytes, double seconds);

// Large arrays lie in any of so many places: what it takes to find their pages depends on where these lie.
void keep_several(std::size_t count);

// Gives back the memory that was kept for further streams and walks.
void release();

// Lines to walk along: all of `bytes`, in random order within windows of `window` bytes, by one walk or by many
// `together`, whose loads do not wait for each other. Several sets that are equal but for their number lie in different places.
struct Lines {
    std::size_t bytes, line, window;
    bool together;
    int number = 0;
    bool operator==(const Lines&) const = default;
};

// A walk along pointers. One that is to be kept goes on the next time where it stopped: for sets that stay in no cache,
// which take longer to make than to walk.
Run chase(const Lines& lines, double seconds, bool paired, bool keep);

// Threads that meet again and again.
std::vector<Run> run_barrier(int threads, double seconds);

// Parallel regions with little work, of GNU's OpenMP runtime or of LLVM's. Its threads wait, busily, until the process ends.
std::vector<Run> run_regions(int threads, double seconds, bool llvm);

}  // namespace foretell::probe
