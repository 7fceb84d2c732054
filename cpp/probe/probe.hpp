// Micro-benchmarks that measure the host processor. They return raw times of short chunks; the statistics are in
// Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/fields.hpp"

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
std::vector<int> pinning_order();

// Samples the cores of `threads` threads at once: returns the maximum interference.
double interference(int threads);

// One thread's chunks: their starts and durations in seconds, and the work of each of them (operations, bytes, steps,
// barriers). If the work is paired, a sample of the clock follows every chunk: `cycle` has its period in seconds.
// `interference` shows whether a co-runner was on the core at the start or the end of the run.
#define FORETELL_PROBE_RUN(X)                                                                   \
    X(double, amount) X(std::vector<double>, start) X(std::vector<double>, seconds)            \
    X(std::vector<double>, cycle) X(double, interference)

struct Run {
    FORETELL_TYPED_FIELDS(FORETELL_PROBE_RUN)
};

// Runs a number of chunks of one operation, paired.
Run time_operation(const Operation& operation, std::size_t chunks);

// Runs the same operation in several threads at once.
std::vector<Run> run_operation(const Operation& operation, int threads, double seconds);

// Runs a stream over arrays of `bytes` in total, in each thread. `through`: all of them, with everything timed, for
// arrays beyond all caches: the previous pass leaves the ends of arrays in the caches, and this one begins at their
// starts. Large arrays reuse memory; smaller ones do so on request (`from_kept`), otherwise memory is allocated anew.
std::vector<Run> run_stream(const Stream& stream, std::size_t bytes, int threads, double seconds, bool paired,
                            bool through, bool from_kept);

// Alternates several streams over the same arrays, chunk by chunk: a temporary slowdown affects all of them.
std::vector<Run> run_alternating(const std::vector<const Stream*>& streams, std::size_t bytes, double seconds);

// Sets the number of alternative buffers for large arrays: the cost of address translation depends on their location.
void rotate_buffers(std::size_t count);

// Frees the memory kept for further streams and pointer chases.
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
Run run_regions(int threads, double seconds, bool llvm);

// Parts of the probe: state of the core at this moment (host.cpp), and OpenMP regions (regions.cpp).

// Pins the calling thread, if the system allows; the CPU of a thread by number.
void pin(int cpu);
int cpu_of(int thread);

// Monotonic time in seconds.
double now();

// Current clock period in seconds, from some microseconds, `times` as long.
double cycle_now(std::uint64_t times);

// Interference on this core, from some 30 microseconds: time per operation at full issue width, which co-runners
// increase, over that of a chain of multiplications, which they hardly affect. Without co-runners, it is always the
// same number; with one it is greater by a third to three quarters.
double interference_now();

// Multiplies `length` numbers in parallel.
using Region = std::function<void(double* data, long length)>;

// Regions of GNU's runtime and of LLVM's; throw if it is not installed.
Region gnu_region(int threads);
Region llvm_region(int threads);

}  // namespace foretell::probe
