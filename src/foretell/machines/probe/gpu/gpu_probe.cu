// Measures what a machine file needs to know of a GPU and prints one JSON document.
//
//     nvcc -O3 -arch=native -o gpu_probe gpu_probe.cu && ./gpu_probe > probe.json
//
// Names are the paths of machine parameters where there is one. Cycles are of the multiprocessor clock, counted by
// clock64; seconds are medians of CUDA events. Every kernel writes what it computed, so that nothing is optimised away.
#include "gpu_probe.cuh"
#include "gpu_probe_arithmetic.cuh"

// ------------------------------------------------------------------------------------------- latency of memory

// A random cycle through `count` nodes, `stride` words apart.
static std::vector<unsigned> random_cycle(std::size_t count, std::size_t stride) {
    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
    std::vector<unsigned> next(count * stride, 0);
    for (std::size_t k = 0; k < count; ++k)
        next[order[k] * stride] = static_cast<unsigned>(order[(k + 1) % count] * stride);
    return next;
}

template <bool ThroughL1>
__device__ __forceinline__ unsigned follow(const unsigned* next, unsigned at) {
    if (ThroughL1)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(next + at) : "memory");
    else
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + at) : "memory");
    return at;
}

template <bool ThroughL1>
__global__ void chase(const unsigned* next, unsigned start, int steps, unsigned* sink, long long* cycles) {
    unsigned at = start;
    const long long begin = clock64();
    for (int k = 0; k < steps; ++k) at = follow<ThroughL1>(next, at);
    cycles[0] = clock64() - begin + (at == 0xffffffffu);
    sink[0] = at;
}

// The time of every single access.
__global__ void chase_each(const unsigned* next, int steps, unsigned* times, unsigned* sink) {
    __shared__ unsigned last;
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&last));
    unsigned at = 0;
    for (int k = 0; k < steps; ++k) {
        const long long begin = clock64();
        at = follow<false>(next, at);
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(place), "r"(at) : "memory");  // issues when the value is there
        times[k] = static_cast<unsigned>(clock64() - begin);
    }
    sink[0] = at;
}

// Reads everything once, so that a level holds what it can.
__global__ void sweep(const unsigned* data, std::size_t count, unsigned* sink) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    unsigned sum = 0;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        sum += __ldcg(data + i);
    if (sum == 0xffffffffu) sink[0] = sum;
}

// Cycles of one access in a cycle through `bytes`, one node in a line. Runs start far apart: none follows another's
// path, which the levels would still hold.
template <bool ThroughL1>
static double chase_cycles(std::size_t bytes, int steps) {
    const std::size_t stride = 128 / sizeof(unsigned), count = bytes / 128;
    Buffer<unsigned> next(count * stride), sink(1);
    Buffer<long long> cycles(1);
    const std::vector<unsigned> path = random_cycle(count, stride);
    next.fill(path);
    std::vector<double> found;
    for (int run = 0; run < 5; ++run) {
        const unsigned start = static_cast<unsigned>(count * run / 5 * stride);
        sweep<<<1024, 256>>>(next, count * stride, sink);
        if (ThroughL1) chase<ThroughL1><<<1, 1>>>(next, start, steps, sink, cycles);  // fills the L1 of that multiprocessor
        chase<ThroughL1><<<1, 1>>>(next, start, steps, sink, cycles);
        found.push_back(static_cast<double>(cycles.host()[0]) / steps);
    }
    return median(found);
}

static void measure_percentiles(std::size_t mebibytes, const std::string& name) {
    constexpr int steps = 1 << 14;
    const std::size_t bytes = mebibytes << 20;
    Buffer<unsigned> next(bytes / sizeof(unsigned)), times(steps), sink(1);
    next.fill(random_cycle(bytes / 128, 32));
    sweep<<<1024, 256>>>(next, bytes / sizeof(unsigned), sink);
    chase_each<<<1, 1>>>(next, steps, times, sink);
    std::vector<unsigned> all = times.host();
    std::sort(all.begin(), all.end());
    for (int percent : {5, 10, 25, 50, 75, 90, 95, 99})
        emit(name + "." + std::to_string(percent), all[steps / 100 * percent], "cycle",
             "single accesses anywhere, with the reading of the clock");
}

static void measure_memory_latency() {
    emit("level.L1.latency", chase_cycles<true>(16 << 10, 1 << 14), "cycle", "pointer chase over 16 KiB");
    emit("level.L2.latency", chase_cycles<false>(2 << 20, 1 << 14), "cycle", "pointer chase over 2 MiB past L1");
    measure_percentiles(8, "level.L2.latency_percentile");
    measure_percentiles(32, "curve.latency_percentile.32MiB");
    measure_percentiles(1024, "curve.latency_percentile.1024MiB");
    for (std::size_t mebibytes = 4; mebibytes <= 1024; mebibytes *= 2) {
        const double cycles = chase_cycles<false>(mebibytes << 20, 1 << 15);
        emit("curve.latency." + std::to_string(mebibytes) + "MiB", cycles, "cycle", "pointer chase past L1");
        if (mebibytes == 1024) emit("memory.latency", cycles, "cycle", "pointer chase over 1 GiB");
    }
}

__constant__ unsigned constant_cycle[1024];

__global__ void chase_constant(int steps, unsigned* sink, long long* cycles) {
    unsigned at = 0;
    for (int warm = 0; warm < 2; ++warm) {
        const long long begin = clock64();
        for (int k = 0; k < steps; ++k) at = constant_cycle[at];
        cycles[0] = clock64() - begin + (at == 0xffffffffu);
    }
    sink[0] = at;
}

static void measure_constant_latency() {
    const std::vector<unsigned> next = random_cycle(32, 16);
    CHECK(cudaMemcpyToSymbol(constant_cycle, next.data(), next.size() * sizeof(unsigned)));
    Buffer<unsigned> sink(1);
    Buffer<long long> cycles(1);
    chase_constant<<<1, 1>>>(4096, sink, cycles);
    emit("pipeline.constant.latency", static_cast<double>(cycles.host()[0]) / 4096, "cycle", "pointer chase over 2 KiB");
}

// ------------------------------------------------------------------------------------------- shared memory

__global__ void chase_shared(int steps, unsigned* sink, long long* cycles) {
    __shared__ unsigned next[1024];
    for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) next[k] = (k + 33) % 1024;
    __syncthreads();
    unsigned at = threadIdx.x;
    const long long begin = clock64();
    for (int k = 0; k < steps; ++k) at = next[at];
    cycles[0] = clock64() - begin;
    sink[threadIdx.x] = at;
}

// Every warp reads one word, or four, a lane, `stride` words apart, again and again (volatile: not once for all).
template <int Words>
__device__ __forceinline__ float read_shared(unsigned address) {
    float a, b = 0, c = 0, d = 0;
    if (Words == 1)
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(a) : "r"(address));
    else
        asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(address));
    return a + b + c + d;
}

template <int Words>
__global__ void __launch_bounds__(1024) shared_reads(int rounds, unsigned stride, float* sink, long long* cycles) {
    __shared__ float4 raw[2048];
    for (unsigned k = threadIdx.x; k < 2048; k += blockDim.x) raw[k] = make_float4(0, 0, 0, 0);
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(raw));
    const unsigned address = base + (threadIdx.x % 32) * stride * 4;
    float sum = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 16; ++k) sum += read_shared<Words>(address + k * 16);
    }
    __syncthreads();
    if (threadIdx.x == 0) cycles[0] = clock64() - begin;
    sink[threadIdx.x] = sum;
}

// Cycles of the multiprocessor for one request of one warp.
template <int Words>
static double shared_request_cycles(unsigned stride) {
    Buffer<float> sink(1024);
    Buffer<long long> cycles(1);
    std::vector<double> found;
    for (int run = 0; run < 5; ++run) {
        shared_reads<Words><<<1, 1024>>>(64, stride, sink, cycles);
        found.push_back(static_cast<double>(cycles.host()[0]) / (64.0 * 16 * 32));
    }
    return median(found);
}

static void measure_shared() {
    Buffer<unsigned> sink(32);
    Buffer<long long> cycles(1);
    chase_shared<<<1, 32>>>(4096, sink, cycles);
    emit("scratchpad.latency", static_cast<double>(cycles.host()[0]) / 4096, "cycle", "pointer chase of one warp");
    emit("scratchpad.bandwidth", 128 / shared_request_cycles<1>(1), "B/cycle", "32 warps, 4 B a lane, no conflict");
    emit("scratchpad.bandwidth_16B", 512 / shared_request_cycles<4>(4), "B/cycle", "32 warps, 16 B a lane, no conflict");
    for (unsigned ways = 2; ways <= 32; ways *= 2)
        emit("scratchpad.conflict." + std::to_string(ways), shared_request_cycles<1>(ways), "cycle",
             "one request whose lanes meet in a bank so many at a time");
}

// ------------------------------------------------------------------------------------------- bandwidth

// `passes` times over the data: reads one array, or two, and writes one if there is one.
template <int Reads>
__global__ void stream(const float4* a, const float4* b, float4* c, std::size_t count, int passes) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    float sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t i = first; i < count; i += step) {
            const float4 x = Reads > 0 ? __ldcg(a + i) : make_float4(1, 2, 3, 4);
            const float4 y = Reads > 1 ? __ldcg(b + i) : make_float4(0, 0, 0, 0);
            const float4 z = make_float4(x.x + 3 * y.x, x.y + 3 * y.y, x.z + 3 * y.z, x.w + 3 * y.w);
            if (c != nullptr) c[i] = z;
            sum += z.x + z.y + z.z + z.w;
        }
    }
    if (sum == 1.25f && c != nullptr) c[0].x = sum;
}

// Four loads of a thread are in flight at once.
__global__ void __launch_bounds__(256) read_many(const float4* a, const float4*, float4* c, std::size_t count, int passes) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    float sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t i = first; i < count; i += 4 * step) {
            float4 part[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) part[k] = i + k * step < count ? __ldcg(a + i + k * step) : make_float4(0, 0, 0, 0);
#pragma unroll
            for (int k = 0; k < 4; ++k) sum += part[k].x + part[k].y + part[k].z + part[k].w;
        }
    }
    if (sum == 1.25f && c != nullptr) c[0].x = sum;
}

// Each block reads its own 16 KiB again and again: they stay in L1.
__global__ void __launch_bounds__(1024) read_l1(const float4* data, int rounds, float* sink, long long* cycles) {
    const float4* own = data + blockIdx.x * 1024;
    float sum = 0;
    for (int warm = 0; warm < 2; ++warm) {
        __syncthreads();
        const long long begin = clock64();
        for (int r = 0; r < rounds; ++r) {
            float x, y, z, w;
            asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3}, [%4];"
                         : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                         : "l"(own + (threadIdx.x + 32 * r) % 1024));
            sum += x + y + z + w;
        }
        __syncthreads();
        if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = clock64() - begin;
    }
    if (sum == 1.25f) sink[0] = sum;
}

static void measure_bandwidth(int multiprocessors, std::size_t l2_bytes) {
    const std::size_t bytes = 1ull << 30, count = bytes / sizeof(float4);
    Buffer<float4> a(count), b(count), c(count);
    Buffer<float> sink(1);
    Buffer<long long> cycles(1);
    const int blocks = multiprocessors * 8;
    read_l1<<<multiprocessors, 1024>>>(a, 512, sink, cycles);
    emit("curve.L1_bandwidth", 512.0 * 1024 * 16 / static_cast<double>(cycles.host()[0]), "B/cycle",
         "one block of 1024 threads, 16 B a lane");
    const auto rate = [&](auto kernel, float4* to, std::size_t part, int arrays, int passes) {
        const double time = seconds([&] { kernel<<<blocks, 256>>>(a, b, to, part, passes); });
        return arrays * 16.0 * static_cast<double>(part) * passes / time;
    };
    for (std::size_t mebibytes = 8; mebibytes <= 256; mebibytes *= 2) {
        const std::size_t part = (mebibytes << 20) / sizeof(float4);
        emit("curve.read_bandwidth." + std::to_string(mebibytes) + "MiB",
             rate(read_many, nullptr, part, 1, static_cast<int>(4096 / mebibytes)), "B/s", "repeated reading past L1");
    }
    emit("level.L2.bandwidth", rate(read_many, nullptr, l2_bytes / 3 / sizeof(float4), 1, 256), "B/s",
         "repeated reading of a third of L2, 64 B in flight a thread");
    emit("memory.read_bandwidth", rate(read_many, nullptr, count, 1, 1), "B/s", "1 GiB, 64 B in flight a thread");
    emit("memory.read_bandwidth_16B", rate(stream<1>, nullptr, count, 1, 1), "B/s", "1 GiB, 16 B in flight a thread");
    emit("memory.write_bandwidth", rate(stream<0>, c, count, 1, 1), "B/s", "1 GiB");
    emit("memory.copy_bandwidth", rate(stream<1>, c, count, 2, 1), "B/s", "2 x 1 GiB");
    emit("memory.bandwidth", rate(stream<2>, c, count, 3, 1), "B/s", "triad, 3 x 1 GiB");
}

// So many blocks of 128 threads on each multiprocessor: unused shared memory keeps others out.
static void measure_bandwidth_by_occupancy(int multiprocessors, int shared_of_multiprocessor, int shared_of_block) {
    const std::size_t bytes = 1ull << 30, count = bytes / sizeof(float4);
    Buffer<float4> a(count), b(count);
    CHECK(cudaFuncSetAttribute(stream<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_of_block));
    for (int resident : {1, 2, 3, 4, 6, 8, 12, 16}) {
        const int fair = shared_of_multiprocessor / resident - 2048;
        const int shared = std::max(0, std::min(fair, shared_of_block));
        const int blocks = multiprocessors * resident;
        const std::string warps = std::to_string(resident * 4);
        const double read = seconds([&] { stream<1><<<blocks, 128, shared>>>(a, a, nullptr, count, 1); });
        const double copied = seconds([&] { stream<1><<<blocks, 128, shared>>>(a, a, b, count, 1); });
        emit("curve.read_by_warps." + warps, bytes / read, "B/s", "warps of one multiprocessor, 16 B a lane");
        emit("curve.copy_by_warps." + warps, 2.0 * bytes / copied, "B/s", "warps of one multiprocessor, 16 B a lane");
    }
}

// ------------------------------------------------------------------------------------------- atomics, barriers, launches

template <bool Returns>
__global__ void global_atomics(unsigned* data, unsigned spread, int rounds, unsigned* sink) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned* target = data + thread % spread;
    unsigned seen = 0;
    for (int r = 0; r < rounds; ++r) {
        if (Returns)
            seen += atomicAdd(target, 1u);
        else
            atomicAdd(target, 1u);
    }
    if (Returns && seen == 0xffffffffu) sink[0] = seen;
}

__global__ void __launch_bounds__(1024) shared_atomics(unsigned spread, int rounds, unsigned* sink, long long* cycles) {
    __shared__ unsigned data[1024];
    data[threadIdx.x] = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) atomicAdd(&data[threadIdx.x % spread], 1u + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) cycles[0] = clock64() - begin;
    sink[threadIdx.x] = data[threadIdx.x];
}

__global__ void atomic_chain(unsigned* data, int rounds, unsigned* sink, long long* cycles) {
    unsigned at = 0;
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) at = atomicAdd(data + (at & 1), 2u);
    cycles[0] = clock64() - begin;
    sink[0] = at;
}

static void measure_atomics(int multiprocessors) {
    Buffer<unsigned> data(1 << 20), sink(1024);
    Buffer<long long> cycles(1);
    const int blocks = multiprocessors * 4, rounds = 64;
    const double requests = static_cast<double>(blocks) * 256 * rounds;
    for (unsigned spread : {1u, 32u, 1024u, 1u << 20}) {
        const double plain = seconds([&] { global_atomics<false><<<blocks, 256>>>(data, spread, rounds, sink); });
        const double returning = seconds([&] { global_atomics<true><<<blocks, 256>>>(data, spread, rounds, sink); });
        emit("atomic.global." + std::to_string(spread), requests / plain, "1/s", "lane operations on so many addresses");
        emit("atomic.returning." + std::to_string(spread), requests / returning, "1/s", "the same, results used");
    }
    atomic_chain<<<1, 1>>>(data, 1024, sink, cycles);
    emit("atomic.latency", static_cast<double>(cycles.host()[0]) / 1024, "cycle", "dependent chain of one thread");
    for (unsigned spread : {1u, 32u, 1024u}) {
        shared_atomics<<<1, 1024>>>(spread, rounds, sink, cycles);
        emit("atomic.shared." + std::to_string(spread), static_cast<double>(cycles.host()[0]) / (rounds * 32.0), "cycle",
             "one request of one warp, 1024 threads on so many words");
    }
}

__global__ void __launch_bounds__(1024) barriers(int rounds, long long* cycles) {
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) __syncthreads();
    if (threadIdx.x == 0) cycles[0] = clock64() - begin;
}

__global__ void touch(unsigned* data) {
    if (data != nullptr && threadIdx.x + blockIdx.x == 0xffffffffu) data[0] = 1;
}

static void measure_synchronisation(int multiprocessors) {
    Buffer<long long> cycles(1);
    for (int threads = 32; threads <= 1024; threads *= 2) {
        barriers<<<1, threads>>>(1024, cycles);
        emit("sync.block." + std::to_string(threads), static_cast<double>(cycles.host()[0]) / 1024, "cycle",
             "barrier of a block of so many threads");
    }
    Buffer<unsigned> data(1);
    const double one = seconds([&] { touch<<<1, 32>>>(data); });
    const double queued = seconds([&] { touch<<<1, 32>>>(data); }, 1000);
    emit("sync.launch_alone", one, "s", "one empty kernel between two events");
    emit("sync.launch", queued, "s", "empty kernels in a row, each");
    const dim3 block(32, 32);
    const double global = seconds([&] { touch<<<multiprocessors * 4, block>>>(data); }, 1000);
    emit("sync.global", global, "s", "relaunch of four 32x32 blocks a multiprocessor, in a row, each");
    const double wave = seconds([&] { touch<<<multiprocessors * 1024, 128>>>(data); }, 10);
    emit("sync.block_start", wave / 1024, "s", "one empty block of 128 threads on every multiprocessor, in a long row");
}

#include "gpu_probe_path.cuh"    // uses read_many
#include "gpu_probe_shapes.cuh"  // uses chase and operations

// ------------------------------------------------------------------------------------------- the device

__global__ void clocks(long long spin, unsigned long long* times) {
    unsigned long long begin, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    const long long start = clock64();
    while (clock64() - start < spin) {
    }
    const long long stop = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    times[0] = end - begin;
    times[1] = static_cast<unsigned long long>(stop - start);
}

static void measure_clock() {
    Buffer<unsigned long long> times(2);
    std::vector<double> found;
    for (int run = 0; run < 5; ++run) {
        clocks<<<1, 1>>>(50'000'000, times);
        const std::vector<unsigned long long> both = times.host();
        found.push_back(static_cast<double>(both[1]) / (static_cast<double>(both[0]) * 1e-9));
    }
    emit("clock.frequency", median(found), "1/s", "clock64 against globaltimer, one thread busy");
}

static void print_device(const cudaDeviceProp& device) {
    int driver = 0, runtime = 0;
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    const std::time_t now = std::time(nullptr);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    std::printf("{\n  \"format\": \"foretell gpu probe 1\",\n  \"date\": \"%s\",\n  \"device\": {\n", date);
    std::printf("    \"name\": \"%s\", \"sm\": %d,\n", device.name, device.major * 10 + device.minor);
    std::printf("    \"driver\": %d, \"runtime\": %d,\n", driver, runtime);
    std::printf("    \"multiprocessors\": %d, \"memory_B\": %zu, \"L2_B\": %d,\n", device.multiProcessorCount,
                device.totalGlobalMem, device.l2CacheSize);
    std::printf("    \"shared_of_multiprocessor_B\": %zu, \"shared_of_block_B\": %zu, \"shared_reserved_B\": %zu,\n",
                device.sharedMemPerMultiprocessor, device.sharedMemPerBlockOptin, device.reservedSharedMemPerBlock);
    std::printf("    \"registers\": %d, \"threads\": %d, \"blocks\": %d,\n", device.regsPerMultiprocessor,
                device.maxThreadsPerMultiProcessor, device.maxBlocksPerMultiProcessor);
    std::printf("    \"clock_attribute_Hz\": %.0f, \"memory_clock_attribute_Hz\": %.0f, \"memory_bus_bits\": %d\n  },\n",
                attribute(cudaDevAttrClockRate) * 1e3, attribute(cudaDevAttrMemoryClockRate) * 1e3,
                attribute(cudaDevAttrGlobalMemoryBusWidth));
    std::printf("  \"measurements\": [");
}

int main() {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const int multiprocessors = device.multiProcessorCount;
    const std::size_t l2_bytes = device.l2CacheSize;
    print_device(device);
    measure_clock();
    measure_pipelines(4);
    measure_constant_latency();
    measure_shared();
    measure_memory_latency();
    measure_bandwidth(multiprocessors, l2_bytes);
    measure_bandwidth_by_occupancy(multiprocessors, static_cast<int>(device.sharedMemPerMultiprocessor),
                                   static_cast<int>(device.sharedMemPerBlockOptin));
    measure_atomics(multiprocessors);
    measure_synchronisation(multiprocessors);
    measure_path(multiprocessors);
    measure_shapes(multiprocessors);
    measure_peak<Ffma>("single", multiprocessors);
    measure_peak<Dfma>("double", multiprocessors);
    measure_peak<Hfma2>("half", multiprocessors);
    measure_peak<Hmma>("tensor_half", multiprocessors);
    std::printf("\n  ]\n}\n");
    return 0;
}
