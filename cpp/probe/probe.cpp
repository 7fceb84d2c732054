#include "probe/probe.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <sys/mman.h>

namespace foretell::probe {

namespace {

// Long compared with the 20-50 ns of reading the clock, short compared with a scheduler's time slice.
constexpr double chunk_seconds = 20e-6;
constexpr std::size_t max_chunks = 20000;

// Memory with pages of its own, filled: pages never written all map to one page of zeros.
class Buffer {
public:
    explicit Buffer(std::size_t bytes) : bytes_(bytes) {
        void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) throw std::bad_alloc();
        data_ = static_cast<char*>(got);
        // Ordinary numbers everywhere: arithmetic on denormals is many times slower.
        std::fill_n(doubles(), bytes / 8, 0.7312);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { munmap(data_, bytes_); }
    std::size_t size() const { return bytes_; }
    char* bytes() const { return data_; }
    double* doubles() const { return reinterpret_cast<double*>(data_); }

private:
    std::size_t bytes_;
    char* data_;
};

// Large buffers are reused from one loop to the next, since filling them takes longer than the loops. With several
// threads, a buffer belongs to the CPU that first touched it, for local memory. A single thread uses one buffer on any
// CPU.
class BufferPool {
public:
    // Any sufficiently large buffer, so that no loop always gets the same one; none while there are too few, or if not
    // `at_all`.
    std::shared_ptr<Buffer> take(int cpu, std::size_t bytes, bool at_all) {
        const std::lock_guard lock(mutex_);
        std::vector<std::shared_ptr<Buffer>> found;
        for (const auto& [owner, buffer] : buffers_)
            if (owner == cpu && buffer.use_count() == 1 && buffer->size() >= bytes) found.push_back(buffer);
        if (found.size() < (at_all ? 1 : several_.load())) return nullptr;
        return found[random_() % found.size()];
    }
    void add(int cpu, const std::shared_ptr<Buffer>& buffer) {
        const std::lock_guard lock(mutex_);
        buffers_.emplace_back(cpu, buffer);
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        buffers_.clear();
        several_ = 1;
    }
    void rotate_over(std::size_t count) { several_ = std::max<std::size_t>(1, count); }

private:
    std::mutex mutex_;
    std::vector<std::pair<int, std::shared_ptr<Buffer>>> buffers_;
    std::atomic<std::size_t> several_{1};
    std::minstd_rand random_;
};

BufferPool kept;
constexpr int anywhere = -1;

std::shared_ptr<Buffer> stream_buffer(int cpu, std::size_t bytes, bool from_kept) {
    constexpr std::size_t large = 32 << 20;
    if (bytes < large && !from_kept) return std::make_shared<Buffer>(bytes);
    std::shared_ptr<Buffer> buffer = kept.take(cpu, bytes, from_kept);
    if (!buffer) {
        buffer = std::make_shared<Buffer>(bytes + bytes / 16);
        kept.add(cpu, buffer);
    }
    return buffer;
}

// Units of work in about one chunk: doubled until they take that long, with the fastest of three tries.
std::uint64_t calibrate(const std::function<void(std::uint64_t)>& work) {
    for (std::uint64_t units = 1;; units *= 2) {
        double fastest = 1e9;
        for (int attempt = 0; attempt < 3; ++attempt) {
            const double start = now();
            work(units);
            fastest = std::min(fastest, now() - start);
        }
        if (fastest >= chunk_seconds || units >= (std::uint64_t{1} << 40)) return units;
        if (fastest >= chunk_seconds / 16)
            return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(units * chunk_seconds / fastest));
    }
}

// Records one chunk that starts now, and then a sample of the clock of that length (0: none); returns the end time.
double record_chunk(Run& run, const std::function<void(std::uint64_t)>& work, std::uint64_t units, double start,
                    std::uint64_t clock) {
    work(units);
    const double stop = now();
    run.start.push_back(start);
    run.seconds.push_back(stop - start);
    if (clock == 0) return stop;
    run.cycle.push_back(cycle_now(clock));
    return now();
}

// Work of one thread, created in that thread for local memory.
struct Job {
    std::function<void(std::uint64_t)> work;
    double per_unit;
    std::shared_ptr<void> owner;
    std::uint64_t least_units = 0, least_chunks = 0;  // whatever the time
};

// Records chunks for at least `seconds` and the minimum of the job.
Run record(const Job& job, double seconds, std::uint64_t units, std::uint64_t clock) {
    Run run{};
    run.amount = job.per_unit * static_cast<double>(units);
    run.interference = interference_now();
    const double end = now() + seconds;
    double start = now();
    for (std::size_t chunks = 0; chunks < max_chunks; ++chunks) {
        if (start >= end && chunks * units >= job.least_units && chunks >= job.least_chunks) break;
        start = record_chunk(run, job.work, units, start, clock);
    }
    run.interference = std::max(run.interference, interference_now());
    return run;
}

// Calls body(0) … body(threads - 1), each in a thread of its own. Either all of them run or none: a barrier would wait
// forever for a thread that could not be started.
void spawn(int threads, const std::function<void(int)>& body) {
    enum { waiting, go, cancelled };
    std::atomic<int> gate{waiting};
    std::vector<std::thread> pool;
    const auto gated = [&](int number) {
        while (gate == waiting) std::this_thread::yield();
        if (gate == go) body(number);
    };
    try {
        for (int number = 0; number < threads; ++number) pool.emplace_back(gated, number);
        gate = go;
    } catch (const std::system_error&) {
        gate = cancelled;
        for (std::thread& thread : pool) thread.join();
        throw std::runtime_error("the system does not start that many threads");
    }
    for (std::thread& thread : pool) thread.join();
}

// Calls body(0, ready) … in threads that are pinned if there are enough CPUs. `ready` waits for the others; it returns
// false if one of them ran out of memory, as the whole call then does.
using Ready = std::function<bool()>;
void run_pinned(int threads, const std::function<void(int, const Ready&)>& body) {
    const bool enough = static_cast<std::size_t>(threads) <= pinning_order().size();
    std::atomic<int> arrived{0};
    std::atomic<bool> failed{false};
    const Ready ready = [&] {
        ++arrived;
        while (arrived < threads && !failed) std::this_thread::yield();
        return !failed;
    };
    spawn(threads, [&](int number) {
        try {
            if (enough) pin(cpu_of(number));
            body(number, ready);
        } catch (const std::bad_alloc&) { failed = true; }
    });
    if (failed) throw std::bad_alloc();
}

std::vector<Run> run_jobs(int threads, double seconds, const std::function<Job(int)>& make, std::uint64_t clock = 0) {
    std::vector<Run> runs(threads);
    run_pinned(threads, [&](int number, const Ready& ready) {
        const Job job = make(number);
        const std::uint64_t units = calibrate(job.work);
        if (ready()) runs[number] = record(job, seconds, units, clock);
    });
    return runs;
}

Job operation_job(const Operation& operation) {
    const auto scratch = std::make_shared<Buffer>(1 << 14);
    return {[&operation, data = scratch->doubles()](std::uint64_t n) { operation.run(n, data); },
            static_cast<double>(operation.operations), scratch};
}

}  // namespace

double interference(int threads) {
    std::vector<double> found(threads);
    run_pinned(threads, [&](int number, const Ready& ready) {
        ready();
        found[number] = interference_now();
    });
    return *std::max_element(found.begin(), found.end());
}

Run time_operation(const Operation& operation, std::size_t chunks) {
    const auto make = [&](int) {
        Job job = operation_job(operation);
        job.least_chunks = chunks;
        return job;
    };
    return run_jobs(1, 0, make, 2)[0];
}

std::vector<Run> run_operation(const Operation& operation, int threads, double seconds) {
    return run_jobs(threads, seconds, [&](int) { return operation_job(operation); });
}

namespace {

// Arrays that loops traverse in pieces. Pieces are long compared with the start of a loop and short compared with a
// chunk; arrays consist of a whole number of pieces.
class Arrays {
public:
    Arrays(int cpu, std::size_t bytes, int arrays, bool from_kept) {
        const std::size_t wanted = bytes / 8 / arrays;
        piece_ = std::max<std::size_t>(64, std::min<std::size_t>(4096, wanted) / 64 * 64);
        count_ = std::max<std::size_t>(1, wanted / piece_) * piece_;
        // Arrays at the same page offset conflict in some caches.
        const std::size_t apart = (count_ * 8 / 4096 + 1) * 4096 + 576;
        buffer_ = stream_buffer(cpu, apart * arrays + 8192, from_kept);
        for (int k = 0; k < 3; ++k)
            start_[k] = reinterpret_cast<double*>(buffer_->bytes() + (k < arrays ? k * apart : 0));
    }

    void go(const Stream& stream, std::uint64_t pieces) {
        while (pieces-- > 0) {
            stream.run(start_[0] + at_, start_[1] + at_, start_[2] + at_, piece_);
            at_ = at_ + piece_ < count_ ? at_ + piece_ : 0;
        }
    }

    // One traversal of everything: warms the caches before the clock starts.
    void warm(const Stream& stream) { go(stream, pieces()); }

    double piece_bytes() const { return 8.0 * piece_; }
    std::uint64_t pieces() const { return count_ / piece_; }

private:
    std::size_t piece_, count_, at_ = 0;
    std::shared_ptr<Buffer> buffer_;
    std::array<double*, 3> start_;
};

Job stream_job(const Stream& stream, const std::shared_ptr<Arrays>& arrays) {
    return {[&stream, arrays](std::uint64_t pieces) { arrays->go(stream, pieces); }, arrays->piece_bytes(), arrays};
}

}  // namespace

std::vector<Run> run_stream(const Stream& stream, std::size_t bytes, int threads, double seconds, bool paired,
                            bool through, bool from_kept) {
    const auto make = [&, bytes](int number) {
        const auto arrays =
            std::make_shared<Arrays>(threads == 1 ? anywhere : cpu_of(number), bytes, stream.arrays, from_kept);
        Job job = stream_job(stream, arrays);
        if (through) job.least_units = arrays->pieces();
        else arrays->warm(stream);
        return job;
    };
    return run_jobs(threads, seconds, make, paired);
}

std::vector<Run> run_alternating(const std::vector<const Stream*>& streams, std::size_t bytes, double seconds) {
    std::vector<Run> runs(streams.size());
    run_pinned(1, [&](int, const Ready&) {
        const auto more_arrays = [](const Stream* a, const Stream* b) { return a->arrays < b->arrays; };
        const int most = (*std::max_element(streams.begin(), streams.end(), more_arrays))->arrays;
        const auto arrays = std::make_shared<Arrays>(anywhere, bytes, most, false);
        arrays->warm(*streams.front());
        std::vector<Job> jobs;
        std::vector<std::uint64_t> units;
        for (std::size_t k = 0; k < streams.size(); ++k) {
            jobs.push_back(stream_job(*streams[k], arrays));
            units.push_back(calibrate(jobs[k].work));
            runs[k].amount = jobs[k].per_unit * static_cast<double>(units[k]);
        }
        double interference = interference_now();
        const double end = now() + seconds;
        double start = now();
        for (std::size_t turn = 0; start < end && turn < max_chunks; ++turn)
            for (std::size_t k = 0; k < jobs.size(); ++k)
                start = record_chunk(runs[k], jobs[k].work, units[k], start, 1);
        interference = std::max(interference, interference_now());
        for (Run& run : runs) run.interference = interference;
    });
    return runs;
}

namespace {

// Pointer chains from line to line, and their starting points: one chain, or more than any core has outstanding misses.
constexpr int one = 1, many = 24;

struct Chase {
    explicit Chase(const Lines& which)
        : lines(which), count(std::max<std::size_t>(2, lines.bytes / lines.line)), buffer(count * lines.line) {
        const std::size_t in_window = std::max<std::size_t>(1, lines.window / lines.line);
        std::mt19937_64 random(count);
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0u);
        for (std::size_t first = 0; first < count; first += in_window)
            std::shuffle(order.begin() + first, order.begin() + std::min(count, first + in_window), random);
        const auto place = [&](std::size_t k) { return buffer.bytes() + std::size_t{order[k]} * lines.line; };
        for (std::size_t k = 0; k < count; ++k) {
            char* next = place(k + 1 == count ? 0 : k + 1);
            std::memcpy(place(k), &next, sizeof(next));
        }
        for (int w = 0; w < walkers(); ++w) at[w] = place(count * w / walkers());
        go(count / walkers());
    }

    int walkers() const { return lines.together ? many : one; }
    void go(std::uint64_t steps) { lines.together ? along<many>(steps) : along<one>(steps); }

    Lines lines;
    std::size_t count;
    Buffer buffer;
    std::array<char*, many> at{};

private:
    template <int walkers>
    void along(std::uint64_t steps) {
        std::array<char*, walkers> here;
        std::copy_n(at.begin(), walkers, here.begin());
        while (steps-- > 0) {
#pragma GCC unroll 24
            for (int w = 0; w < walkers; ++w) here[w] = *reinterpret_cast<char* volatile*>(here[w]);
        }
        std::copy_n(here.begin(), walkers, at.begin());
    }
};

std::vector<std::shared_ptr<Chase>> kept_chases;

std::shared_ptr<Chase> chase_through(const Lines& lines, bool keep) {
    for (const std::shared_ptr<Chase>& chase : kept_chases)
        if (keep && chase->lines == lines) return chase;
    auto chase = std::make_shared<Chase>(lines);
    if (keep) kept_chases.push_back(chase);
    return chase;
}

}  // namespace

void rotate_buffers(std::size_t count) { kept.rotate_over(count); }

void release() {
    kept.clear();
    kept_chases.clear();
}

Run chase(const Lines& lines, double seconds, bool paired, bool keep) {
    const auto make = [&](int) {
        const std::shared_ptr<Chase> chase = chase_through(lines, keep);
        return Job{[chase](std::uint64_t steps) { chase->go(steps); }, static_cast<double>(chase->walkers()), chase};
    };
    return run_jobs(1, seconds, make, paired)[0];
}

Run run_regions(int threads, double seconds, bool llvm) {
    // Before the runtime's threads spin on all cores. Afterwards, the first thread samples.
    const double others = interference(threads);
    const auto region = llvm ? llvm_region(threads) : gnu_region(threads);
    // On separate pages: parts that share a line would add a line transfer to every region.
    const long length = 64L * threads;
    const Buffer data(8 * static_cast<std::size_t>(length));
    const auto work = [&](std::uint64_t regions) {
        while (regions-- > 0) region(data.doubles(), length);
    };
    work(100);
    Run run = record({work, 1.0, nullptr}, seconds, calibrate(work), 0);
    run.interference = std::max(run.interference, others);
    return run;
}

namespace {

// State of a barrier, on one line: otherwise it would depend on the alignment, and two lines take twice as long.
struct alignas(128) Barrier {
    std::atomic<std::uint64_t> arrived{0};
    std::atomic<std::uint64_t> passed{0};
};

void arrive_and_wait(Barrier& line, std::uint64_t threads) {
    const std::uint64_t mine = line.passed.load(std::memory_order_acquire);
    if (line.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
        line.arrived.store(0, std::memory_order_relaxed);
        line.passed.store(mine + 1, std::memory_order_release);
        return;
    }
    // Yields if it waits for a descheduled thread; otherwise the loop ends before.
    for (int spins = 0; line.passed.load(std::memory_order_acquire) == mine; ++spins)
        if (spins > 20000) std::this_thread::yield();
}

}  // namespace

std::vector<Run> run_barrier(int threads, double seconds) {
    // The number of barriers is fixed, so that all threads execute the same number; thread 0 watches the time limit.
    // Each chunk uses another line: its home is near to the threads or far from them, and a single line would keep its
    // home as long as the process lasts.
    constexpr std::size_t lines = 64;
    std::vector<Barrier> barriers(lines);
    alignas(128) std::atomic<bool> over{false};
    constexpr std::uint64_t in_chunk = 50;
    std::vector<Run> runs(threads);
    run_pinned(threads, [&](int number, const Ready&) {
        Run& run = runs[number];
        run.amount = in_chunk + 1;
        const auto wait = [&](std::size_t chunk) {
            arrive_and_wait(barriers[chunk % lines], static_cast<std::uint64_t>(threads));
        };
        wait(0);
        run.interference = interference_now();
        const double end = now() + seconds;
        wait(0);
        double start = now();
        for (std::size_t chunk = 0; !over.load(std::memory_order_relaxed); ++chunk) {
            for (std::uint64_t k = 0; k < in_chunk; ++k) wait(chunk);
            const double stop = now();
            run.start.push_back(start);
            run.seconds.push_back(stop - start);
            start = stop;
            if (number == 0 && (stop > end || run.start.size() >= max_chunks)) over = true;
            wait(chunk);  // so that all threads see the end after the same chunk
        }
        run.interference = std::max(run.interference, interference_now());
    });
    return runs;
}

}  // namespace foretell::probe
