// Runtime of traced programs: contexts and loops, and every function called by instrumented code; writes the results
// when the program ends. References are in references.hpp, levels and times of values in shadow.hpp.
#include "runtime.hpp"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "fortran.hpp"
#include "lru.hpp"
#include "openmp.hpp"
#include "pages.hpp"
#include "references.hpp"
#include "report.hpp"
#include "shadow.hpp"

using namespace foretell::trace;

// Rare calls from hot loops preserve the registers of the loop, so that it does not spill them.
#define FT_RARE __attribute__((preserve_most))

namespace foretell::trace {

void fail(const char* message) {
    static const char mark[] = "foretell: ";
    (void)!write(2, mark, sizeof mark - 1);
    (void)!write(2, message, strlen(message));
    (void)!write(2, "\n", 1);
    _exit(97);
}

}  // namespace foretell::trace

extern "C" {
std::uint32_t ft_now = 2;
std::uint32_t ft_bounds[2 * kDepth + 2] = {0, ~0u};
std::uint32_t ft_level_limit = 1u << 12;
std::uint32_t ft_level_shift = 0;
std::uint64_t* ft_chunks = nullptr;
std::uint64_t* ft_cursor = nullptr;
std::uint64_t* ft_end = nullptr;
Loop* ft_context = nullptr;
Frame* ft_frame = nullptr;
std::uint64_t ft_arguments[1024];
std::uint64_t ft_result[128];
extern const Traced __start_ft_pairs[], __stop_ft_pairs[];  // of all instrumented modules, joined by the linker
}

namespace {

Loop* root = nullptr;
Loop* newest_loop = nullptr;
std::uint32_t loops = 0;
Function** functions = nullptr;
std::uint32_t function_count = 0;
std::uint32_t active_kernels = 0;
std::atomic<pthread_t> owner{};  // thread that is in the kernel
std::uint64_t kernel_calls = 0;
std::uint64_t syncs = 0;
std::uint64_t copied = 0, filled = 0;  // 8-byte words
double traced_seconds = 0;
double entered_at = 0;

double seconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Histogram of one loop; many are allocated at a time, since the number of mappings is limited.
std::uint64_t* new_counts() {
    static std::uint64_t* store = nullptr;
    static std::size_t left = 0;
    if (left == 0) {
        left = 256;
        store = pages<std::uint64_t>(left * Distances::kSize);
    }
    --left;
    std::uint64_t* made = store;
    store += Distances::kSize;
    return made;
}

Loop* new_loop(Loop* parent, Function* function, std::int32_t index) {
    static Loop* store = nullptr;
    static std::size_t left = 0;
    if (left == 0) {
        left = 1024;
        store = pages<Loop>(left);
    }
    --left;
    Loop* made = store++;
    made->levels = pages<std::uint64_t>(kLevels + kLevelRoom);
    for (int engine = 0; engine < engine_count; ++engine) made->distances[engine] = new_counts();
    made->parent = parent;
    made->function = function;
    made->index = index;
    made->id = loops++;
    made->least = ~0ull;
    made->next = newest_loop;
    newest_loop = made;
    if (loops > 100000) fail("more than 100000 loops in different calling contexts");
    return made;
}

// ------------------------------------------------------------------------------------------------ start and end

void report() {
    const char* path = getenv("FORETELL_TRACE");
    if (path == nullptr) return;
    if (active_kernels > 0) traced_seconds += seconds() - entered_at;
    stop_engines();
    FILE* out = open_beside(path, ".part");
    FILE* arrays = open_beside(path, ".arrays");
    fprintf(out, "calls %llu\nsync %llu\ncopied %llu\nfilled %llu\nseconds %.9f\nshift %u\n",
            static_cast<unsigned long long>(kernel_calls), static_cast<unsigned long long>(syncs),
            static_cast<unsigned long long>(copied), static_cast<unsigned long long>(filled), traced_seconds,
            ft_level_shift);
    for (const Loop* loop = newest_loop; loop != nullptr; loop = loop->next) {
        write_loop(out, arrays, *loop, ft_level_limit >> ft_level_shift);
        for (int engine = 0; engine < engine_count; ++engine)
            if (loop->entries || loop == root)
                write_distances(out, arrays, *loop, engines[engine]->shift(), loop->distances[engine]);
    }
    for (std::uint32_t at = 0; at < function_count; ++at) write_function(out, *functions[at]);
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    fprintf(out, "memory %ld\n", usage.ru_maxrss);
    fclose(arrays);
    fclose(out);
    char from[4096];
    snprintf(from, sizeof from, "%s.part", path);
    if (rename(from, path) != 0) fail("the result cannot be written");
}

void start() {
    ft_chunks = pages<std::uint64_t>(std::size_t{1} << (kAddress - kChunk));
    byte_cells = pages<std::uint64_t*>(std::size_t{1} << (kAddress - kChunk));
    if (getenv("FORETELL_ALL_DEPENDENCES")) read_times = pages<std::uint64_t*>(std::size_t{1} << (kAddress - kChunk));
    functions = pages<Function*>(1 << 16);
    if (const char* first = getenv("FORETELL_NOW")) ft_now = static_cast<std::uint32_t>(strtoul(first, nullptr, 10));
    start_engines();
    root = new_loop(nullptr, nullptr, -1);
    frames[0] = {root->levels, &ft_bounds[0], root};
    atexit(report);
}

Instance* make_instance(Function& function, Loop* context) {
    const std::size_t words = 3 + function.blocks + function.sites + function.loops;
    auto* made = reinterpret_cast<Instance*>(pages<std::uint64_t>(words));
    made->context = context;
    if (function.instances == nullptr) {
        if (function_count == 1 << 16) fail("more than 65536 functions");
        functions[function_count++] = &function;
    }
    made->next = function.instances;
    function.instances = made;
    auto** inner = reinterpret_cast<Loop**>(made->counters() + function.blocks + function.sites);
    for (std::uint32_t index = 0; index < function.loops; ++index) {
        const std::int32_t parent = function.parents[index];
        inner[index] = new_loop(parent < 0 ? context : inner[parent], &function, static_cast<std::int32_t>(index));
    }
    return made;
}

// A recursive call has the loop context of the first call: contexts stay finite.
Loop* context_for(const Function& function) {
    Loop* outermost = nullptr;
    for (Loop* loop = ft_context; loop != nullptr; loop = loop->parent)
        if (loop->function == &function) outermost = loop;
    if (outermost == nullptr) return ft_context;
    while (outermost->function == &function) outermost = outermost->parent;
    return outermost;
}

void forget_sites(Function& function, Instance& instance) {
    auto** sites = reinterpret_cast<std::uint32_t**>(instance.counters() + function.blocks);
    for (std::uint32_t site = 0; site < function.sites; ++site) sites[site] = &ft_bounds[0];
}

void forget_functions() {
    for (std::uint32_t at = 0; at < function_count; ++at) functions[at]->context = nullptr;
}

void coarsen() {
    if (ft_level_shift == 9) fail("the program has more than 2^31 operations that wait for each other");
    for (Loop* loop = newest_loop; loop != nullptr; loop = loop->next) {
        constexpr std::uint32_t half = (kLevels + kLevelRoom) / 2;
        for (std::uint32_t at = 0; at < half; ++at) loop->levels[at] = loop->levels[2 * at] + loop->levels[2 * at + 1];
        memset(loop->levels + half, 0, half * sizeof loop->levels[0]);
    }
    ++ft_level_shift;
    ft_level_limit *= 2;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ called from programs

extern "C" {

void ft_begin() {
    pthread_t previous{};
    if (!owner.compare_exchange_strong(previous, pthread_self()) && !pthread_equal(previous, pthread_self()))
        fail("the kernel runs in several threads at once: trace a run with one thread");
    if (root == nullptr) start();
    ++kernel_calls;
    if (active_kernels++ > 0) return;
    ft_frame = &frames[0];
    ft_context = root;
    mark(root);
    entered_at = seconds();
}

void ft_finish() {
    if (--active_kernels > 0) return;
    traced_seconds += seconds() - entered_at;
    owner.store(pthread_t{});
}

// Mark in the source: #pragma foretell sync, !$foretell sync (the name is mangled as by Fortran compilers).
void ft_sync_mark_() {
    if (active_kernels > 0) ++syncs;
}

Instance* ft_function(Function* function) {
    Loop* context = context_for(*function);
    Instance* instance = function->instances;
    while (instance != nullptr && instance->context != context) instance = instance->next;
    if (instance == nullptr) instance = make_instance(*function, context);
    forget_sites(*function, *instance);
    function->context = ft_context;
    function->instance = instance;
    return instance;
}

Frame* ft_enter(Loop* loop) {
    const std::size_t depth = static_cast<std::size_t>(ft_frame - frames) + 1;
    if (depth == kDepth) fail("loops are nested more than 2048 deep, calls included");
    if (ft_now > 0xf0000000) rebase();
    ft_now += 2;
    ft_bounds[2 * depth - 1] = ft_now;
    ft_bounds[2 * depth] = ft_now;
    ft_bounds[2 * depth + 1] = ~0u;
    frames[depth] = {loop->levels, &ft_bounds[2 * depth], loop};
    ++loop->entries;
    if (loop->active++ > 0) forget_functions();
    ft_context = loop;
    ft_frame = &frames[depth];
    mark(loop);
    return ft_frame;
}

void ft_leave(Frame* frame, std::uint64_t trips) {
    Loop* loop = frame->loop;
    loop->iterations += trips;
    if (trips < loop->least) loop->least = trips;
    if (trips > loop->most) loop->most = trips;
    const int bits = trips == 0 ? 0 : 64 - __builtin_clzll(trips);
    Executions& like = loop->by_trips[bits < kTrips ? bits : kTrips - 1];
    ++like.entries;
    like.iterations += trips;
    like.ticks += ft_now - ft_bounds[2 * (frame - frames) - 1] + 2;
    if (--loop->active > 0) forget_functions();
    ft_bounds[2 * (frame - frames) - 1] = ~0u;
    ft_frame = frame - 1;
    ft_context = ft_frame->loop;
    mark(ft_context);
}

FT_RARE void ft_rebase() { rebase(); }

// An exception or a jump has left loops: ends those above a frame.
void ft_unwind(Frame* frame) {
    while (ft_frame > frame) {
        --ft_frame->loop->active;
        --ft_frame;
    }
    ft_bounds[2 * (ft_frame - frames) + 1] = ~0u;
    ft_context = ft_frame->loop;
    mark(ft_context);
    forget_functions();
}

FT_RARE std::uint64_t ft_allocate(std::uint64_t address) { return need_chunk(address); }

// Level of a load that instrumented code could not classify inline; caches the interval of its time at the site.
FT_RARE std::uint32_t ft_load(std::uint64_t address, std::uint64_t size, std::uint32_t** site, std::uint32_t line) {
    const Known known = load_bytes(address, size);
    *site = &ft_bounds[record(known.written, kRaw, line)];
    return known.level;
}

// Load of an update (a += …): a value written by another update of this kind is the running value of a reduction.
FT_RARE std::uint32_t ft_load_update(std::uint64_t address, std::uint64_t size, std::uint32_t** site,
                                     std::uint32_t line) {
    if (!uniform(address, size)) return ft_load(address, size, site, line);
    const Known known = load_bytes(address, size);
    const bool updated = known.written & 1;
    const std::uint32_t at = record(known.written, updated ? kReduction : kRaw, line);
    *site = &ft_bounds[updated || (at & 1) == 0 ? at : 0];
    return known.level;
}

void ft_store(std::uint64_t address, std::uint64_t size, std::uint32_t level, std::uint32_t update) {
    store_bytes(address, size, {level, ft_now | update});
}

void ft_store_all(std::uint64_t address, std::uint64_t size, std::uint32_t line) {
    const Known before = load_bytes(address, size);
    if (before.written) record(before.written, kWaw, line);
    for (std::uint64_t at = address & ~3ull; at < address + size; at += 4) {
        std::uint64_t* chunk = read_times[(at & ((1ull << kAddress) - 1)) >> kChunk];
        if (chunk == nullptr) continue;
        const std::uint32_t read = reinterpret_cast<Cell*>(chunk)[(at & ((1u << kChunk) - 1)) >> 2].written;
        if (read) record(read, kWar, line);
    }
}

void ft_load_all(std::uint64_t address, std::uint64_t size) {
    for (std::uint64_t at = address & ~3ull; at < address + size; at += 4) {
        std::uint64_t*& chunk = read_times[(at & ((1ull << kAddress) - 1)) >> kChunk];
        if (chunk == nullptr) chunk = pages<std::uint64_t>(std::size_t{1} << (kChunk - 2));
        reinterpret_cast<Cell*>(chunk)[(at & ((1u << kChunk) - 1)) >> 2].written = ft_now;
    }
}

FT_RARE void ft_flush() { submit_buffer(); }

// References of an access that may cross a line boundary.
void ft_touch(std::uint64_t address, std::uint64_t size) {
    if (engine_count == 0) return;
    if (sample_limit != 0 && !sampled(address)) return;
    touch_range(address, size, engines[0]->shift());
}

FT_RARE void ft_sampled(std::uint64_t address) { push(address); }

void ft_copy(std::uint64_t target, std::uint64_t source, std::uint64_t size, std::uint32_t line) {
    copied += (size + 7) / 8;
    copy_levels(target, source, size, line);
    for (std::uint64_t at = 0; at < size; at += 8) {
        const std::uint64_t part = size - at < 8 ? size - at : 8;
        ft_touch(source + at, part);
        ft_touch(target + at, part);
    }
}

// Handles an assignment by Fortran's runtime, after it: it may have reallocated the target. Values that change their
// size change their type, too.
void ft_assign(const Descriptor* to, const Descriptor* from, std::uint32_t line) {
    each_element(*to, *from,
                 [line](std::uint64_t target, std::uint64_t source, std::uint64_t size, std::uint64_t read) {
                     if (size == read) return ft_copy(target, source, size, line);
                     const Known known = load_bytes(source, read);
                     record(known.written, kRaw, line);
                     store_bytes(target, size, {known.level, ft_now});
                     copied += (size + 7) / 8;
                     ft_touch(source, read);
                     ft_touch(target, size);
                 });
}

void ft_fill(std::uint64_t target, std::uint64_t size) {
    filled += (size + 7) / 8;
    store_bytes(target, size, {0, ft_now});
    for (std::uint64_t at = 0; at < size; at += 8) ft_touch(target + at, size - at < 8 ? size - at : 8);
}

// New memory holds no computed values.
void ft_fresh(std::uint64_t address, std::uint64_t size) {
    for (std::uint64_t at = address & ~3ull; at < address + size;) {
        Cell* cell = cell_of(at);
        const std::uint64_t next_chunk = ((at >> kChunk) + 1) << kChunk;
        const std::uint64_t last = next_chunk < address + size ? next_chunk : address + size;
        if (cell != nullptr) memset(static_cast<void*>(cell), 0, 2 * (last - at));
        at = last;
    }
}

// Data moved by realloc keeps its levels and times; the old block's shadow still exists.
void ft_moved(std::uint64_t target, std::uint64_t source, std::uint64_t size) {
    if (target == 0 || target == source) return;
    ft_fresh(target, size);
    for (std::uint64_t at = 0; source != 0 && at < size; at += 4) {
        const Cell* cell = cell_of(source + at);
        if (cell == nullptr || (cell->level == 0 && cell->written == 0)) continue;
        *need_cell(target + at) = *cell;
        for (std::uint64_t byte = at; cell->level == kMixed && byte < at + 4; ++byte)
            *byte_of(target + byte) = *byte_of(source + byte);
    }
}

// Makes room for a level: extends the table, and when that is full, doubles the levels per group.
FT_RARE void ft_coarsen(std::uint32_t level) {
    while (level >= ft_level_limit) {
        if (ft_level_limit >> ft_level_shift < kLevels) {
            ft_level_limit *= 2;
        } else {
            coarsen();
        }
    }
}

// Traced version of a function called through a pointer, or the function itself.
void* ft_traced(void* original) {
    for (const Traced* pair = __start_ft_pairs; pair != __stop_ft_pairs; ++pair)
        if (pair->original == original) return pair->traced;
    return original;
}
}
