// Micro-benchmarks that measure the host processor. They return raw times of short chunks; the statistics are in
// Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace foretell::probe {

// One instruction class at one width: `run` executes iterations x operations instructions of it.
struct Operation {
    const char* name;          // such as add_f64x4
    std::uint64_t operations;  // per iteration
    void (*run)(std::uint64_t iterations, double* scratch);
};

// Loops over arrays of doubles; `count` is a multiple of 64. Names give the transfers: write uses non-temporal stores,
// update reads and writes one array, pair writes two alternately, work_K does K fused multiply-adds per element of a
// copy, half of them with a neighbour.
struct Stream {
    const char* name;
    int arrays;
    void (*run)(double* a, double* b, double* c, std::size_t count);
};

// Kernels compiled for one vector width.
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

// Variants that this processor supports, narrowest first.
std::vector<const Variant*> variants();

// Bytes of the widest vector register, even if no variant uses it (SVE).
unsigned vector_bytes();

// CPUs this process may run on.
std::vector<int> allowed_cpus();

// Pins threads to the first `used` CPUs, in order, from this one on (the number wraps around).
void start_at(unsigned cpu, std::size_t used);
std::vector<int> cpus_in_turn();

// Samples the cores of `threads` threads at once: returns the maximum interference (interference.hpp).
double interference(int threads);

// Start and duration of a chunk, in seconds.
using Chunks = std::vector<std::pair<double, double>>;

// One thread's chunks, and the work of each of them (operations, bytes, steps, barriers). If the work is paired, a
// sample of the clock follows every chunk: `cycle` has its period in seconds. `interference` shows whether a co-runner
// was on the core at the start or the end of the run (interference.hpp).
struct Run {
    double amount = 0;
    Chunks chunks;
    std::vector<double> cycle;
    double interference = 0;
};

// Seconds per operation and per cycle, in alternate chunks.
struct Paired {
    std::vector<double> operation, cycle;
    double interference = 0;
};
Paired time_operation(const Operation& operation, std::size_t chunks);

// Runs the same operation in several threads at once.
std::vector<Run> run_operation(const Operation& operation, int threads, double seconds);

// Runs a stream over arrays of `bytes` in total, in each thread. `through`: all of them, with everything timed, for
// arrays beyond all caches: the previous pass leaves the ends of arrays in the caches, and this one begins at their
// starts. Large arrays reuse memory; smaller ones do so on request (`from_kept`), otherwise memory is allocated anew.
std::vector<Run> run_stream(const Stream& stream, std::size_t bytes, int threads, double seconds, bool paired,
                            bool through, bool from_kept);

// Alternates several streams over the same arrays, chunk by chunk: a temporary slowdown affects all of them.
std::vector<Run> run_in_turn(const std::vector<const Stream*>& streams, std::size_t bytes, double seconds);

// Number of alternative buffers for large arrays: the cost of address translation depends on their location.
void keep_several(std::size_t count);

// Frees the memory kept for further streams and walks.
void release();

// Pointer chase: all lines of `bytes`, in random order within windows of `window` bytes, by one chain or by many
// independent ones (`together`). Sets that differ only in their number are at different locations.
struct Lines {
    std::size_t bytes, line, window;
    bool together;
    int number = 0;
    bool operator==(const Lines&) const = default;
};

// Runs a pointer chase. With `keep`, the next call continues where this one stopped: for sets beyond all caches, which
// take longer to create than to traverse.
Run chase(const Lines& lines, double seconds, bool paired, bool keep);

// Runs barriers in a loop.
std::vector<Run> run_barrier(int threads, double seconds);

// Runs short parallel regions with GNU's or LLVM's OpenMP runtime. Its threads spin until the process ends.
std::vector<Run> run_regions(int threads, double seconds, bool llvm);

}  // namespace foretell::probe
