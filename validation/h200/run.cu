// Runs the cases of a launch file on the GPU that is here and prints a JSON line for each.
//
//     run CASES.toml CUBIN… [--profile PART/PARTS]
//     run CASES.toml FOLDER       with a module KERNEL.cubin, or MODULE.cubin where a case names it, for each case in the folder
//
// Times are of CUDA events, the median and the least of 21 repeats:
//   row    launches in a row, one of them: what the others leave in the L2 cache is there (warm)
//   alone  one launch between two events, after enough waiting that the host is ahead (warm)
//   cold   the same, after 256 MiB of other data have been read (and nothing is left dirty)
// With --profile every case of a part is launched once for warming up and once between cudaProfilerStart and cudaProfilerStop.
//
// Arrays lie and are filled as foretell assumes: at multiples of 2 MiB, one more between them; element i of
// random(low,high) is low + mixed(i) mod (high - low), of permutation a four-round Feistel network over mixed, of
// offsets(mean) i mean + mixed(i) mod mean; mixed is the SplitMix64 finaliser; NAME.npy is read from the folder CONTENTS (default:
// here). tensor_map(f16[R,C], RxC, swizzle) is a map of tiles in an array of R rows. Arrays without contents hold floating-point numbers between 0.5 and 1.5, or zeros.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

[[noreturn]] static void fail(const std::string& message) {
    std::fprintf(stderr, "run: %s\n", message.c_str());
    std::exit(3);
}

static void check(cudaError_t status, const std::string& what) {
    if (status != cudaSuccess) fail(what + ": " + cudaGetErrorString(status));
}

// ------------------------------------------------------------------------------------------- cases

struct Argument {
    std::string kind;  // f32, i32 …
    std::uint64_t count = 0, lanes = 1;  // count 0: a scalar
    std::string contents;
    std::int64_t low = 0, high = 0;
    double value = 0;
    unsigned tile[2] = {0, 0};  // rows and columns, of a tensor map
    std::uint64_t rows = 0;
    bool swizzled = false;

    std::uint64_t element() const { return std::atoi(kind.c_str() + kind.find_first_of("0123456789")) / 8; }
    std::uint64_t elements() const { return count * lanes; }
    std::uint64_t bytes() const { return elements() * element(); }  // 0 of a scalar
};

struct Case {
    std::string name, kernel, module;
    unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
    std::vector<Argument> arguments;
};

static Argument parse_argument(const std::string& text) {
    static const std::regex pointer(R"(([a-z]+\d+)(?:x(\d+))?\[(\d+)\](?:@(\w+(?:\.npy)?)(?:\((-?\d+)(?:,(-?\d+))?\))?)?)");
    static const std::regex scalar(R"((?:([a-z]+\d+):)?(-?[\d.eE+-]+))");
    static const std::regex map(R"(tensor_map\(([a-z]+\d+)\[(\d+),(\d+)\], (\d+)x(\d+)(, swizzle)?\))");
    std::smatch found;
    Argument result;
    if (std::regex_match(text, found, map)) {
        result.kind = found[1];
        result.rows = std::stoull(found[2]);
        result.count = result.rows * std::stoull(found[3]);
        result.tile[0] = std::stoul(found[4]);
        result.tile[1] = std::stoul(found[5]);
        result.swizzled = found[6].matched;
    } else if (std::regex_match(text, found, pointer)) {
        result.kind = found[1];
        result.lanes = found[2].matched ? std::stoull(found[2]) : 1;
        result.count = std::stoull(found[3]);
        result.contents = found[4];
        if (found[5].matched) result.low = std::stoll(found[5]);
        if (found[6].matched) result.high = std::stoll(found[6]);
    } else if (std::regex_match(text, found, scalar)) {
        result.kind = found[1].matched ? found[1].str() : "i32";
        result.value = std::stod(found[2]);
    } else {
        fail("argument " + text);
    }
    return result;
}

static std::vector<std::string> words(const std::string& text) {  // of a value: strings or numbers, in brackets or not
    static const std::regex word(R"("([^"]*)\"|(-?\d+))");
    std::vector<std::string> result;
    for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
        result.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
    return result;
}

static std::vector<Case> read_cases(const char* path) {
    std::ifstream file(path);
    if (!file) fail(std::string("cannot read ") + path);
    std::vector<Case> result;
    for (std::string line; std::getline(file, line);) {
        if (line == "[[launch]]") {
            result.emplace_back();
            continue;
        }
        const auto equals = line.find(" = ");
        if (line.empty() || line[0] == '#' || equals == std::string::npos || result.empty()) continue;
        const std::string key = line.substr(0, equals);
        const auto values = words(line.substr(equals + 3));
        Case& now = result.back();
        if (key == "name") now.name = values.at(0);
        else if (key == "kernel") now.kernel = values.at(0);
        else if (key == "module") now.module = values.at(0);
        else if (key == "shared") now.shared = std::stoul(values.at(0));
        else if (key == "args") for (const auto& value : values) now.arguments.push_back(parse_argument(value));
        else if (key == "grid" || key == "block") for (std::size_t k = 0; k < values.size(); ++k) (key == "grid" ? now.grid : now.block)[k] = std::stoul(values[k]);
        else fail("unknown key " + key);
    }
    return result;
}

// ------------------------------------------------------------------------------------------- contents

__device__ std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

__device__ std::uint64_t permuted(std::uint64_t index, std::uint64_t count) {
    unsigned half = 1;
    while (half < 31 && (1ull << 2 * half) < count) ++half;
    const std::uint64_t mask = (1ull << half) - 1;
    do {
        std::uint64_t left = index >> half, right = index & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (mixed(right * 8 + round) & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= count);
    return index;
}

enum Contents { zero, floating, random_numbers, iota, permutation, offsets };

__global__ void fill(unsigned char* data, std::uint64_t count, int bytes, Contents contents, std::int64_t low, std::int64_t high) {
    const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
    for (std::uint64_t i = blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
        std::uint64_t value = 0;
        const double real = 0.5 + (mixed(i) >> 40) * 0x1p-24;
        switch (contents) {
            case zero: break;
            case floating:
                if (bytes == 8) value = __double_as_longlong(real);
                else if (bytes == 4) value = __float_as_uint(static_cast<float>(real));
                else value = __half_as_ushort(__double2half(real));
                break;
            case random_numbers: value = low + mixed(i) % (high - low); break;
            case iota: value = i; break;
            case permutation: value = permuted(i, count); break;
            case offsets: value = i * low + (i == 0 || i + 1 == count ? 0 : mixed(i) % low); break;
        }
        if (bytes == 8) reinterpret_cast<std::uint64_t*>(data)[i] = value;
        else if (bytes == 4) reinterpret_cast<std::uint32_t*>(data)[i] = static_cast<std::uint32_t>(value);
        else if (bytes == 2) reinterpret_cast<std::uint16_t*>(data)[i] = static_cast<std::uint16_t>(value);
        else data[i] = static_cast<std::uint8_t>(value);
    }
}

static Contents contents_of(const Argument& argument) {
    static const std::map<std::string, Contents> known = {
        {"random", random_numbers}, {"iota", iota}, {"permutation", permutation}, {"offsets", offsets}};
    if (argument.contents.empty()) return argument.kind[0] == 'f' ? floating : zero;
    const auto found = known.find(argument.contents);
    if (found == known.end()) fail("contents " + argument.contents);
    return found->second;
}

static void fill_from_file(unsigned char* data, const Argument& argument) {
    const char* folder = std::getenv("CONTENTS");
    const std::string path = std::string(folder ? folder : ".") + "/" + argument.contents;
    std::ifstream file(path, std::ios::binary);
    const std::string all((std::istreambuf_iterator<char>(file)), {});
    if (all.size() < 10 || all.substr(1, 5) != "NUMPY") fail("cannot read " + path);
    const std::size_t header = 10 + static_cast<unsigned char>(all[8]) + 256 * static_cast<unsigned char>(all[9]);  // version 1.0
    if (all.size() - header != argument.bytes()) fail(path + ": not of the argument's size");
    check(cudaMemcpy(data, all.data() + header, argument.bytes(), cudaMemcpyHostToDevice), path);
}

// ------------------------------------------------------------------------------------------- the machine

__device__ std::uint64_t nanoseconds() {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void wait(std::uint64_t length) {
    const std::uint64_t start = nanoseconds();
    while (nanoseconds() - start < length) {}
}

__global__ void measure_clock(std::uint64_t length, double* hertz) {
    const std::uint64_t start = nanoseconds();
    const long long cycles = clock64();
    std::uint64_t now = start;
    while (now - start < length) now = nanoseconds();
    *hertz = (clock64() - cycles) * 1e9 / (now - start);
}

__global__ void read_all(const uint4* data, std::uint64_t count, unsigned* sink) {
    unsigned sum = 0;
    const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
    for (std::uint64_t i = blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; i < count; i += step)
        sum ^= data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
    if (sum == 0x12345678) *sink = sum;
}

constexpr std::uint64_t page = 2ull << 20, other_bytes = 256ull << 20;

class Machine {
public:
    explicit Machine(std::uint64_t bytes) {
        check(cudaMalloc(&arena_, bytes + page), "memory of the arrays");
        check(cudaMalloc(&other_, other_bytes), "memory");
        check(cudaMemset(other_, 1, other_bytes), "memory");
        check(cudaMallocHost(&hertz_, sizeof(double)), "memory");
        first_ = arena_ + (page - reinterpret_cast<std::uintptr_t>(arena_) % page) % page;
        check(cudaEventCreate(&before_), "event");
        check(cudaEventCreate(&after_), "event");
    }

    unsigned char* first() const { return first_; }

    void flush() { read_all<<<528, 256>>>(other_, other_bytes / sizeof(uint4), &other_->x); }

    double clock() {
        measure_clock<<<1, 1>>>(100'000, hertz_);
        check(cudaDeviceSynchronize(), "clock");
        return *hertz_;
    }

    template <class Prepare, class Work>
    std::vector<double> seconds(int repeats, int times, Prepare prepare, Work work) {
        std::vector<double> result;
        for (int r = 0; r < repeats; ++r) {
            prepare();
            cudaEventRecord(before_);
            for (int k = 0; k < times; ++k) work();
            cudaEventRecord(after_);
            check(cudaEventSynchronize(after_), "run");
            float milliseconds = 0;
            cudaEventElapsedTime(&milliseconds, before_, after_);
            result.push_back(milliseconds * 1e-3 / times);
        }
        std::sort(result.begin(), result.end());
        return result;
    }

private:
    unsigned char *arena_ = nullptr, *first_ = nullptr;
    uint4* other_ = nullptr;
    double* hertz_ = nullptr;
    cudaEvent_t before_, after_;
};

// ------------------------------------------------------------------------------------------- one case

class Prepared {
public:
    Prepared(const Case& c, cudaKernel_t kernel, unsigned char* first) : case_(c), kernel_(kernel) {
        for (const Argument& argument : c.arguments) {
            values_.push_back(argument.count ? reinterpret_cast<std::uintptr_t>(first) : scalar(argument));
            if (!argument.count) continue;
            if (argument.contents.find(".npy") != std::string::npos) fill_from_file(first, argument);
            else fill<<<1024, 256>>>(first, argument.elements(), argument.element(), contents_of(argument), argument.low, argument.high);
            first += (argument.bytes() + page - 1) / page * page + page;
        }
        maps_.reserve(values_.size());
        for (std::size_t k = 0; k < values_.size(); ++k) pointers_.push_back(c.arguments[k].rows ? map(c.arguments[k], values_[k]) : &values_[k]);
        if (c.shared) check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c.shared), c.name);
        check(cudaDeviceSynchronize(), c.name + ": filling");
    }

    void launch() {
        const auto &g = case_.grid, &b = case_.block;
        check(cudaLaunchKernel(kernel_, dim3(g[0], g[1], g[2]), dim3(b[0], b[1], b[2]), pointers_.data(), case_.shared, nullptr), case_.name);
    }

private:
    static std::uint64_t scalar(const Argument& argument) {
        std::uint64_t value = 0;
        const float single = static_cast<float>(argument.value);
        if (argument.kind == "f64") std::memcpy(&value, &argument.value, 8);
        else if (argument.kind == "f32") std::memcpy(&value, &single, 4);
        else value = static_cast<std::uint64_t>(static_cast<std::int64_t>(argument.value));
        return value;
    }

    void* map(const Argument& argument, std::uint64_t first) {
        static const auto encode = [] {
            void* function = nullptr;
            cudaDriverEntryPointQueryResult status{};
            check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &status), "tensor map");
            return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
        }();
        const cuuint64_t columns = argument.count / argument.rows, sizes[2] = {columns, argument.rows}, pitch[1] = {columns * argument.element()};
        const cuuint32_t box[2] = {argument.tile[1], argument.tile[0]}, steps[2] = {1, 1};
        const auto type = argument.element() == 2 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
        const auto swizzle = argument.swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE;
        maps_.emplace_back();
        if (encode(&maps_.back(), type, 2, reinterpret_cast<void*>(first), sizes, pitch, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                   CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
            fail(case_.name + ": tensor map");
        return &maps_.back();
    }

    const Case& case_;
    cudaKernel_t kernel_;
    std::vector<std::uint64_t> values_;
    std::vector<CUtensorMap> maps_;
    std::vector<void*> pointers_;
};

static std::string times(const char* name, const std::vector<double>& sorted, int in_a_row) {
    char text[200];
    std::snprintf(text, sizeof text, ", \"%s\": {\"median_s\": %.6g, \"min_s\": %.6g, \"max_s\": %.6g, \"launches\": %d}", name,
                  sorted[sorted.size() / 2], sorted.front(), sorted.back(), in_a_row);
    return text;
}

static void measure(const Case& c, cudaKernel_t kernel, Machine& machine) {
    const int repeats = std::getenv("FEW") ? 7 : 21;
    Prepared prepared(c, kernel, machine.first());
    const auto launch = [&] { prepared.launch(); };
    const auto nothing = [] {};
    const double rough = machine.seconds(3, 1, nothing, launch)[0];
    const int in_a_row = std::clamp(static_cast<int>(200e-6 / rough), 1, 50);
    const auto row = machine.seconds(repeats, in_a_row, [&] { wait<<<1, 1>>>(20'000 + 6'000 * in_a_row); }, launch);
    const auto alone = machine.seconds(repeats, 1, [] { wait<<<1, 1>>>(30'000); }, launch);
    const auto cold = machine.seconds(repeats, 1, [&] { machine.flush(); }, launch);
    machine.seconds(1, std::clamp(static_cast<int>(2e-3 / rough), 1, 400), nothing, launch);
    const double hertz = machine.clock();  // right after two milliseconds of this kernel
    cudaFuncAttributes about{};
    check(cudaFuncGetAttributes(&about, kernel), c.name);
    int resident = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, c.block[0] * c.block[1] * c.block[2], c.shared);
    std::printf("{\"case\": \"%s\", \"kernel\": \"%s\", \"registers\": %d, \"static_shared\": %zu, \"local\": %zu, "
                "\"resident_blocks\": %d, \"clock_Hz\": %.6g%s%s%s}\n",
                c.name.c_str(), c.kernel.c_str(), about.numRegs, about.sharedSizeBytes, about.localSizeBytes, resident, hertz,
                times("row", row, in_a_row).c_str(), times("alone", alone, 1).c_str(), times("cold", cold, 1).c_str());
    std::fflush(stdout);
}

static void profile(const Case& c, cudaKernel_t kernel, Machine& machine) {
    Prepared prepared(c, kernel, machine.first());
    prepared.launch();
    check(cudaDeviceSynchronize(), c.name);
    cudaProfilerStart();
    prepared.launch();
    check(cudaDeviceSynchronize(), c.name);
    cudaProfilerStop();
}

int main(int count, char** given) {
    std::size_t part = 0, parts = 0;
    std::vector<const char*> files;
    for (int k = 1; k < count; ++k) {
        if (std::strcmp(given[k], "--profile")) files.push_back(given[k]);
        else if (++k >= count || std::sscanf(given[k], "%zu/%zu", &part, &parts) != 2 || parts == 0) fail("--profile PART/PARTS");
    }
    if (files.size() < 2) fail("usage: run CASES.toml CUBIN… [--profile PART/PARTS]");
    const auto cases = read_cases(files[0]);
    if (std::getenv("RUN_CASES_ONLY")) {  // the launch file is read, nothing more: needs no GPU
        for (const auto& c : cases) std::printf("%s %s %zu\n", c.name.c_str(), c.kernel.c_str(), c.arguments.size());
        return 0;
    }
    const bool folder = files.size() == 2 && std::string(files[1]).find(".cubin") == std::string::npos;
    std::vector<cudaLibrary_t> libraries(folder ? 0 : files.size() - 1);
    for (std::size_t k = 0; k < libraries.size(); ++k)
        check(cudaLibraryLoadFromFile(&libraries[k], files[k + 1], nullptr, nullptr, 0, nullptr, nullptr, 0), files[k + 1]);
    std::uint64_t most = 0;
    for (const auto& c : cases) {
        std::uint64_t bytes = 0;
        for (const auto& argument : c.arguments) bytes += argument.bytes() + 2 * page;
        most = std::max(most, bytes);
    }
    Machine machine(most);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        if (parts && k * parts / cases.size() + 1 != part) continue;
        const Case& c = cases[k];
        cudaKernel_t kernel = nullptr;
        cudaLibrary_t own = nullptr;
        if (folder) {
            const std::string path = std::string(files[1]) + "/" + (c.module.empty() ? c.kernel : c.module) + ".cubin";
            check(cudaLibraryLoadFromFile(&own, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), path);
            check(cudaLibraryGetKernel(&kernel, own, c.kernel.c_str()), c.kernel);
        }
        for (const auto library : libraries)
            if (!kernel && cudaLibraryGetKernel(&kernel, library, c.kernel.c_str()) != cudaSuccess) kernel = nullptr;
        cudaGetLastError();
        if (!kernel) fail("no kernel " + c.kernel);
        cudaFuncAttributes about{};
        check(cudaFuncGetAttributes(&about, kernel), c.name);
        if (about.maxThreadsPerBlock < static_cast<int>(c.block[0] * c.block[1] * c.block[2])) {
            std::printf("{\"case\": \"%s\", \"failed\": \"too many registers for its block\"}\n", c.name.c_str());
            if (own) cudaLibraryUnload(own);
            continue;
        }
        parts ? profile(c, kernel, machine) : measure(c, kernel, machine);
        if (own) cudaLibraryUnload(own);
    }
}
