// This host: its CPUs, and the clock and co-runners of a core at this moment.
#include "probe/probe.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#endif

namespace foretell::probe {

double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

namespace {

// Dependent register operations. The chain is unrolled: a loop of 24 was occasionally a third slower for a millisecond
// (probably its branch was evicted from the predictor by a co-runner), which showed too slow a clock.
constexpr std::uint64_t in_row = 384;
#define DO_24(X) X X X X X X X X X X X X X X X X X X X X X X X X
#define DO_384(X) \
    DO_24(X)      \
    DO_24(X)      \
    DO_24(X)      \
    DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X) DO_24(X)
#define CHAIN(name, operation)                                                          \
    void name(std::uint64_t iterations) {                                               \
        std::uint64_t x = 1, k = 3;                                                     \
        asm volatile("" : "+r"(x), "+r"(k));                                            \
        while (iterations-- > 0) { DO_384(x operation k; asm volatile("" : "+r"(x));) } \
    }
CHAIN(additions, +=)
CHAIN(multiplications, *=)
#undef CHAIN
#undef DO_384
#undef DO_24

double seconds_of(void (*chain)(std::uint64_t), std::uint64_t iterations) {
    const double start = now();
    chain(iterations);
    return (now() - start) / static_cast<double>(iterations * in_row);
}

// Latency of a multiplication: the same integer everywhere, near most ratios of two consecutive chains. A co-runner may
// slow additions by a fifth for seconds, so samples vote as long as the probe lasts: an early estimate may be from such
// a moment, and would make all instructions a fifth too fast.
class Multiplication {
public:
    void vote(double addition, double multiplication) {
        const double ratio = multiplication / addition, whole = std::round(ratio);
        if (whole < 1 || whole > most || std::abs(ratio - whole) > 0.03 * whole) return;
        ++votes_[static_cast<std::size_t>(whole)];
    }
    // 0 while too few samples agree.
    double cycles() const {
        const auto best = std::max_element(votes_.begin(), votes_.end());
        return *best < enough ? 0.0 : static_cast<double>(best - votes_.begin());
    }

private:
    static constexpr std::size_t most = 15;
    static constexpr int enough = 15;
    std::array<std::atomic<int>, most + 1> votes_{};
};

Multiplication multiplication;

struct Chains {
    double addition, product;
};

Chains chains(std::uint64_t times) {
    const Chains found = {seconds_of(additions, 48 * times), seconds_of(multiplications, 16 * times)};
    multiplication.vote(found.addition, found.product);
    return found;
}

// Samples until the latency of a multiplication is known, for 10 ms at most.
bool learn() {
    for (int count = 0; count < 800 && multiplication.cycles() == 0; ++count) chains(1);
    return true;
}

// As many independent operations as a core can issue: any co-runner takes slots from them.
constexpr std::uint64_t wide_steps = 10;
void wide(std::uint64_t iterations) {
    std::array<std::uint64_t, wide_steps> x{};
    std::uint64_t k = 0x5bd1e995, m = 0x1b873593;
    asm volatile("" : "+r"(k), "+r"(m));
#define STEP(n)            \
    x[n] = (x[n] ^ k) + m; \
    asm volatile("" : "+r"(x[n]));
    while (iterations-- > 0) { STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) }
#undef STEP
}

}  // namespace

// Current clock period in seconds, from some microseconds. An addition of registers takes one cycle on every known
// processor. (Additions of an immediate may be folded at rename, several per cycle.) A co-runner may slow a chain that
// needs a port in every cycle, but hardly one of multiplications: the faster one counts.
double cycle_now(std::uint64_t times) {
    static const bool learned = learn();
    (void)learned;
    const Chains found = chains(times);
    const double cycles = multiplication.cycles();
    return cycles == 0 ? found.addition : std::min(found.addition, found.product / cycles);
}

// Each spin runs twice, the shorter one counts: an interrupt affects only one of them.
double interference_now() {
    constexpr std::uint64_t iterations = 2048;
    double chain = 1, all = 1;
    for (int turn = 0; turn < 2; ++turn) {
        chain = std::min(chain, seconds_of(multiplications, 16));
        const double start = now();
        wide(iterations);
        all = std::min(all, (now() - start) / static_cast<double>(iterations * wide_steps));
    }
    return all / chain;
}

void pin(int cpu) {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    // Failure to pin is no error: the scheduler may still do well.
    (void)pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
#else
    (void)cpu;
#endif
}

int cpu_of(int thread) {
    const std::vector<int> cpus = pinning_order();
    return cpus[static_cast<std::size_t>(thread) % cpus.size()];
}

namespace {

// CPU of the first thread: another one every time, since each may or may not share its core with other work.
std::atomic<unsigned> first_cpu{0};
std::atomic<std::size_t> used_cpus{1024};

}  // namespace

void start_at(unsigned cpu, std::size_t used) {
    first_cpu = cpu;
    used_cpus = std::max<std::size_t>(1, used);
}

std::vector<int> pinning_order() {
    std::vector<int> cpus = allowed_cpus();
    cpus.resize(std::min(cpus.size(), used_cpus.load()));
    std::rotate(cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(first_cpu % cpus.size()), cpus.end());
    return cpus;
}

std::vector<const Variant*> variants() {
    std::vector<const Variant*> found = {&variant_base};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(&variant_avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found.push_back(&variant_avx512);
#endif
    return found;
}

unsigned vector_bytes() {
#if defined(__aarch64__) && defined(__linux__)
    if (getauxval(AT_HWCAP) & (1ul << 22)) {  // HWCAP_SVE
        std::uint64_t bytes;
        asm volatile(".inst 0x04bf5020\n mov %0, x0" : "=r"(bytes) : : "x0");  // rdvl x0, #1
        return static_cast<unsigned>(bytes);
    }
#endif
    return variants().back()->bytes;
}

std::vector<int> allowed_cpus() {
    std::vector<int> cpus;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
#endif
    if (cpus.empty())
        for (unsigned cpu = 0; cpu < std::max(1u, std::thread::hardware_concurrency()); ++cpu) cpus.push_back(cpu);
    return cpus;
}

}  // namespace foretell::probe
