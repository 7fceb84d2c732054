// The runtime of traced programs: contexts, loops, shadow memory, references; writes what it saw when the program ends.
#include "runtime.hpp"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "lru.hpp"
#include "pages.hpp"
#include "report.hpp"

using namespace foretell::trace;

// Rare calls from hot loops keep the registers of the loop, so that it does not spill them for calls it hardly makes.
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
// What instrumented code touches inline.
std::uint32_t ft_now = 2;                         // even; the lowest bit marks writes of reductions
std::uint32_t ft_bounds[2 * kDepth + 2] = {0, ~0u};  // 0, then of each running loop: when it and its iteration began
std::uint32_t ft_level_limit = 1u << 12;          // no level has come this far; grows with them
std::uint32_t ft_level_shift = 0;                 // levels are counted in groups of 2^shift
std::uint64_t* ft_chunks = nullptr;               // address >> 20 -> what to add to 2*address to find its cells
std::uint64_t* ft_cursor = nullptr;               // where the next reference goes
std::uint64_t* ft_end = nullptr;
extern const Traced __start_ft_pairs[], __stop_ft_pairs[];  // written by the instrumented modules, joined by the linker
Loop* ft_context = nullptr;
Frame* ft_frame = nullptr;
std::uint64_t ft_arguments[1024];  // levels of the arguments of a call
std::uint64_t ft_result[128];      // and of its result
}

namespace {

constexpr int kBuffers = 4;
constexpr std::size_t kMarks = kRing / 4;

Frame frames[kDepth + 1];
Loop* root = nullptr;
Loop* newest_loop = nullptr;
std::uint32_t loops = 0;
Function** functions = nullptr;
std::uint32_t function_count = 0;
std::uint32_t active_kernels = 0;
std::uint64_t kernel_calls = 0;
std::uint64_t syncs = 0;
std::uint64_t copied = 0, filled = 0;  // words of eight bytes
double traced_seconds = 0;
double entered_at = 0;
std::uint64_t** byte_cells = nullptr;   // address >> 20 -> Cell of each byte, where bytes were written one by one
std::uint64_t** read_times = nullptr;   // address >> 20 -> time of the last read of each cell, when asked for

std::uint64_t sample_limit = 0;  // hashes below are followed; 0: every line
unsigned sample_shift = 0;
std::uint64_t buffers[kBuffers][kRing];
std::size_t lengths[kBuffers];
struct Mark {  // from this reference of a buffer on, references belong to another loop
  std::size_t at;
  Loop* loop;
};
Mark marks[kBuffers][kMarks];
std::size_t mark_counts[kBuffers];
std::atomic<std::uint64_t> produced{0}, consumed{0};
bool helper = false;
pthread_t helper_thread;
std::atomic<bool> stopping{false};
FILE* dump = nullptr;  // every reference as it comes, for tests
Lru* engines[kMostEngines];
int engine_count = 0;
alignas(Lru) char engine_memory[kMostEngines][sizeof(Lru)];

double seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Room for the distances of one loop; many at a time, as the system gives out only so many pieces.
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
  made->levels = pages<std::uint64_t>(kLevels);
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

// ------------------------------------------------------------------------------------------------ references

void consume(std::size_t buffer, std::size_t length) {
  const std::uint64_t* first = buffers[buffer];
  if (dump != nullptr) fwrite(first, sizeof *first, length, dump);
  for (int engine = 0; engine < engine_count; ++engine) {
    std::size_t from = 0;
    for (std::size_t mark = 0; mark < mark_counts[buffer]; ++mark) {
      const Mark& next = marks[buffer][mark];
      engines[engine]->touch(first + from, first + next.at);
      engines[engine]->count_in(next.loop->distances[engine]);
      from = next.at;
    }
    engines[engine]->touch(first + from, first + length);
  }
  mark_counts[buffer] = 0;
}

void* help(void*) {
  std::uint64_t next = 0;
  for (;;) {
    if (produced.load(std::memory_order_acquire) == next) {
      if (stopping.load(std::memory_order_acquire) && produced.load(std::memory_order_acquire) == next) return nullptr;
      sched_yield();
      continue;
    }
    consume(next % kBuffers, lengths[next % kBuffers]);
    consumed.store(++next, std::memory_order_release);
  }
}

void open_buffer(std::uint64_t number) {
  ft_cursor = buffers[number % kBuffers];
  ft_end = ft_cursor + kRing;
}

void hand_over() {
  const std::uint64_t number = produced.load(std::memory_order_relaxed);
  std::uint64_t* first = buffers[number % kBuffers];
  if (!helper) {
    consume(number % kBuffers, static_cast<std::size_t>(ft_cursor - first));
    ft_cursor = first;
    return;
  }
  lengths[number % kBuffers] = static_cast<std::size_t>(ft_cursor - first);
  produced.store(number + 1, std::memory_order_release);
  while (number + 1 - consumed.load(std::memory_order_acquire) >= kBuffers) sched_yield();
  open_buffer(number + 1);
}

// References from here on belong to a loop; the last of several marks at one place counts.
void mark(Loop* loop) {
  if (engine_count == 0) return;
  std::size_t buffer = produced.load(std::memory_order_relaxed) % kBuffers;
  if (mark_counts[buffer] == kMarks) {
    hand_over();
    buffer = produced.load(std::memory_order_relaxed) % kBuffers;
  }
  const std::size_t at = static_cast<std::size_t>(ft_cursor - buffers[buffer]);
  std::size_t& count = mark_counts[buffer];
  if (count > 0 && marks[buffer][count - 1].at == at) --count;
  marks[buffer][count++] = {at, loop};
}

void push(std::uint64_t reference) {
  if (ft_cursor == ft_end) hand_over();
  *ft_cursor++ = reference;
}

void touch_range(std::uint64_t address, std::uint64_t size, unsigned shift) {
  push(address);
  const std::uint64_t last = (address + size - 1) >> shift;
  for (std::uint64_t line = (address >> shift) + 1; line <= last; ++line) push((line << shift) | kContinued);
}

// Whether a line is followed: its hash against the limit, the same as helpers.py writes. Multiples of the golden ratio
// lie as evenly as points can: every stretch of lines has its share of followed ones.
bool sampled(std::uint64_t address) {
  return (address >> sample_shift) * 0x9e3779b97f4a7c15ull < sample_limit;
}

// ------------------------------------------------------------------------------------------------ shadow memory

Cell* cell_of(std::uint64_t address) {
  const std::uint64_t bias = ft_chunks[(address & ((1ull << kAddress) - 1)) >> kChunk];
  return bias == 0 ? nullptr : reinterpret_cast<Cell*>(bias + 2 * (address & ~3ull));
}

Cell* byte_of(std::uint64_t address) {
  std::uint64_t*& chunk = byte_cells[(address & ((1ull << kAddress) - 1)) >> kChunk];
  if (chunk == nullptr) chunk = pages<std::uint64_t>(std::size_t{1} << kChunk);
  return reinterpret_cast<Cell*>(chunk + (address & ((1u << kChunk) - 1)));
}

// The interval of ft_bounds that a time lies in, from the innermost loop outwards.
std::uint32_t interval(std::uint32_t time) {
  std::uint32_t at = 2 * static_cast<std::uint32_t>(ft_frame - frames);
  while (time < ft_bounds[at]) --at;
  return at;
}

// Odd intervals are earlier iterations of a running loop: it carries the dependence.
std::uint32_t record(std::uint32_t time, Carried kind, std::uint32_t line) {
  const std::uint32_t at = interval(time);
  if (at & 1) {
    Loop* loop = frames[(at + 1) / 2].loop;
    if (!(loop->carried & (1u << kind))) loop->lines[kind] = line;
    loop->carried |= 1u << kind;
  }
  return at;
}

void rebase_cells(Cell* cells, std::size_t count) {
  for (std::size_t at = 0; at < count; ++at) {
    const std::uint32_t written = cells[at].written;
    if (written != 0) cells[at].written = 4 * interval(written) + (written & 1);
  }
}

// Times that no longer fit in 32 bits: only their order against the running loops matters, so few values are enough.
void rebase() {
  for (std::uint64_t at = 0; at < 1ull << (kAddress - kChunk); ++at) {
    if (ft_chunks[at]) rebase_cells(reinterpret_cast<Cell*>(ft_chunks[at] + 2 * (at << kChunk)), 1u << (kChunk - 2));
    if (byte_cells[at]) rebase_cells(reinterpret_cast<Cell*>(byte_cells[at]), 1u << kChunk);
    if (read_times != nullptr && read_times[at])
      rebase_cells(reinterpret_cast<Cell*>(read_times[at]), 1u << (kChunk - 2));
  }
  const std::uint32_t last = 2 * static_cast<std::uint32_t>(ft_frame - frames);
  for (std::uint32_t at = 0; at <= last; ++at) ft_bounds[at] = 4 * at;
  ft_now = 4 * last + 2;
}

struct Known {
  std::uint32_t level = 0;
  std::uint32_t written = 0;
  void join(Cell cell) {
    if (cell.level > level) level = cell.level;
    if (cell.written > written) written = cell.written;
  }
};

Known load_bytes(std::uint64_t address, std::uint64_t size) {
  Known found;
  for (std::uint64_t at = address; at < address + size;) {
    const Cell* cell = cell_of(at);
    const std::uint64_t next = (at | 3) + 1;
    if (cell != nullptr && cell->level == kMixed) {
      for (std::uint64_t byte = at; byte < next && byte < address + size; ++byte) found.join(*byte_of(byte));
    } else if (cell != nullptr) {
      found.join(*cell);
    }
    at = next;
  }
  return found;
}

Cell* need_cell(std::uint64_t address);

void store_part(Cell* cell, std::uint64_t first, std::uint64_t last, Cell value) {
  if (cell->level != kMixed) {
    for (std::uint64_t byte = first & ~3ull; byte < (first & ~3ull) + 4; ++byte) *byte_of(byte) = *cell;
    *cell = {kMixed, 0};
  }
  for (std::uint64_t byte = first; byte < last; ++byte) *byte_of(byte) = value;
}

void store_bytes(std::uint64_t address, std::uint64_t size, Cell value) {
  for (std::uint64_t at = address; at < address + size;) {
    const std::uint64_t next = (at | 3) + 1;
    Cell* cell = need_cell(at);
    if ((at & 3) == 0 && next <= address + size) {
      *cell = value;
    } else {
      store_part(cell, at, next < address + size ? next : address + size, value);
    }
    at = next;
  }
}

void copy_one(std::uint64_t target, std::uint64_t source, std::uint64_t size, std::uint32_t line) {
  const Known found = load_bytes(source, size);
  record(found.written, kRaw, line);
  store_bytes(target, size, {found.level, ft_now});
}

void copy_levels(std::uint64_t target, std::uint64_t source, std::uint64_t size, std::uint32_t line) {
  const std::uint64_t step = ((target | source | size) & 3) == 0 ? 4 : 1;
  if (target <= source) {
    for (std::uint64_t at = 0; at < size; at += step) copy_one(target + at, source + at, step, line);
  } else {
    for (std::uint64_t at = size; at > 0; at -= step) copy_one(target + at - step, source + at - step, step, line);
  }
}

// ------------------------------------------------------------------------------------------------ start and end

void start_engines() {
  const char* shifts = getenv("FORETELL_LINES");  // e.g. "6,7"
  for (const char* at = shifts; at != nullptr && *at && engine_count < kMostEngines; ++at) {
    engines[engine_count] = new (engine_memory[engine_count]) Lru(static_cast<unsigned>(atoi(at)), nullptr);
    ++engine_count;
    at = strchr(at, ',');
    if (at == nullptr) break;
  }
  open_buffer(0);
  if (const char* path = getenv("FORETELL_DUMP")) dump = fopen(path, "wb");
  const char* wanted = getenv("FORETELL_HELPER");
  helper = wanted != nullptr && *wanted == '1' && pthread_create(&helper_thread, nullptr, help, nullptr) == 0;
  if (const char* chosen = getenv("FORETELL_SAMPLE")) {  // bits that an address loses, and the limit of its hash
    char* rest = nullptr;
    sample_shift = static_cast<unsigned>(strtoul(chosen, &rest, 10));
    sample_limit = strtoull(rest, nullptr, 10);
  }
}

void stop_engines() {
  hand_over();
  if (helper) {
    stopping.store(true, std::memory_order_release);
    pthread_join(helper_thread, nullptr);
  }
  for (int engine = 0; engine < engine_count; ++engine) engines[engine]->settle();
  if (dump != nullptr) fclose(dump);
}

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
      if (loop->entries || loop == root) write_distances(out, arrays, *loop, engines[engine]->shift(), loop->distances[engine]);
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
  if (getenv("FORETELL_ALL_DEPENDENCES"))
    read_times = pages<std::uint64_t*>(std::size_t{1} << (kAddress - kChunk));
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

// The loops around a recursive call are those of the first call: contexts stay finite.
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
    for (std::uint32_t at = 0; at < kLevels / 2; ++at)
      loop->levels[at] = loop->levels[2 * at] + loop->levels[2 * at + 1];
    memset(loop->levels + kLevels / 2, 0, kLevels / 2 * sizeof loop->levels[0]);
  }
  ++ft_level_shift;
  ft_level_limit *= 2;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ called from programs

extern "C" {

void ft_begin() {
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
}

// A mark in the source: #pragma foretell sync, !$foretell sync (the name is what Fortran compilers write).
void ft_sync_mark_() {
  if (active_kernels > 0) ++syncs;
}

Instance* ft_function(Function* function) {
  Loop* context = context_for(*function);
  Instance* found = function->instances;
  while (found != nullptr && found->context != context) found = found->next;
  if (found == nullptr) found = make_instance(*function, context);
  forget_sites(*function, *found);
  function->context = ft_context;
  function->instance = found;
  return found;
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

// An exception has left loops: those above a frame run no longer.
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

FT_RARE void ft_raw(std::uint32_t** site, std::uint32_t written, std::uint32_t line) {
  *site = &ft_bounds[record(written, kRaw, line)];
}

// The load of an update (a += …): what another update of the kind wrote is the running value of a reduction.
FT_RARE void ft_raw_update(std::uint32_t** site, std::uint32_t written, std::uint32_t line) {
  const std::uint32_t at = record(written, written & 1 ? kReduction : kRaw, line);
  *site = &ft_bounds[(written & 1) != 0 || (at & 1) == 0 ? at : 0];
}

FT_RARE std::uint64_t ft_allocate(std::uint64_t address) {
  const std::uint64_t chunk = (address & ((1ull << kAddress) - 1)) >> kChunk;
  if (ft_chunks[chunk] == 0) {
    const std::size_t bytes = std::size_t{2} << kChunk;
    auto* found = pages<char>(2 * bytes);  // so that a whole huge page fits
    const std::uint64_t start = (reinterpret_cast<std::uint64_t>(found) + bytes - 1) & ~(bytes - 1);
    const std::uint64_t base = reinterpret_cast<std::uint64_t>(found);
    if (start > base) munmap(found, start - base);
    if (start < base + bytes) munmap(reinterpret_cast<void*>(start + bytes), base + bytes - start);
    madvise(reinterpret_cast<void*>(start), bytes, MADV_HUGEPAGE);
    ft_chunks[chunk] = start - 2 * (chunk << kChunk);
  }
  return ft_chunks[chunk];
}

// A load that is not an aligned one of 4 or 8 bytes: its level.
FT_RARE std::uint32_t ft_load(std::uint64_t address, std::uint64_t size, std::uint32_t** site, std::uint32_t line) {
  const Known found = load_bytes(address, size);
  *site = &ft_bounds[record(found.written, kRaw, line)];
  return found.level;
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

FT_RARE void ft_flush() { hand_over(); }

// References of an access that may cross a line's end.
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

void ft_fill(std::uint64_t target, std::uint64_t size) {
  filled += (size + 7) / 8;
  store_bytes(target, size, {0, ft_now});
  for (std::uint64_t at = 0; at < size; at += 8) ft_touch(target + at, size - at < 8 ? size - at : 8);
}

// New memory holds nothing that was computed.
void ft_fresh(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t at = address & ~3ull; at < address + size;) {
    Cell* cell = cell_of(at);
    const std::uint64_t next_chunk = ((at >> kChunk) + 1) << kChunk;
    const std::uint64_t last = next_chunk < address + size ? next_chunk : address + size;
    if (cell != nullptr) memset(static_cast<void*>(cell), 0, 2 * (last - at));
    at = last;
  }
}

// What realloc moved keeps its levels and times; the old block's shadow is still there.
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

// Makes room for a level: more of the table, and when that is all used, groups of twice as many levels.
FT_RARE void ft_coarsen(std::uint32_t level) {
  while (level >= ft_level_limit) {
    if (ft_level_limit >> ft_level_shift < kLevels) {
      ft_level_limit *= 2;
    } else {
      coarsen();
    }
  }
}

// The traced version of a function that is called through a pointer, or the function itself.
void* ft_traced(void* original) {
  for (const Traced* one = __start_ft_pairs; one != __stop_ft_pairs; ++one)
    if (one->original == original) return one->traced;
  return original;
}
}

namespace {
Cell* need_cell(std::uint64_t address) {
  return reinterpret_cast<Cell*>(ft_allocate(address) + 2 * (address & ~3ull));
}
}  // namespace
