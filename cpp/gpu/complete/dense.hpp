// Dense operations, and the state of warps and blocks. Private to complete execution.
#pragma once

#include <memory>

#include "gpu/complete/complete.hpp"
#include "gpu/complete/use/memory_use.hpp"
#include "gpu/functional/decode.hpp"
#include "gpu/functional/state.hpp"

namespace foretell::complete {

using functional::all_lanes;
using functional::each;
using functional::lanes;
using functional::Mask;
using functional::Op;

// A register of a warp: one word of each lane.
struct alignas(64) Row {
    std::uint32_t v[lanes];
};

// Rows of a warp: registers, uniform registers (the same in all lanes), rows of zeros, and rows that nobody reads.
inline constexpr int zero_rows = 8, sink_rows = 16;

// Predicates of a warp: P0–P6, true, UP0–UP6, and one that nobody reads.
inline constexpr int true_predicate = 7, first_uniform_predicate = 8, sink_predicate = 15;

// A range of rows is in the registers of the warp or among the literals of the launch.
struct Rows {
    std::uint32_t first = 0;
    std::uint8_t space = 0;  // 0: registers, 1: literals
};

struct PredicateSource {
    std::uint8_t index = true_predicate;
    Mask flip = 0;
};

// `heavy`: no jump, but work of several instructions, which is looked at after each.
enum class Flow : std::uint8_t {
    none,
    heavy,
    nothing,
    branch,
    branch_apart,
    branch_indexed,
    call,
    call_absolute,
    ret,
    exit,
    mark,
    synchronise,
    leave_barrier,
    warp_sync,
    barrier,
    yield,
    await_phase,
    cluster_arrive,
    cluster_wait,
    warpgroup,
    trap,
    kill
};

// A read of a clock in a loop that does nothing but wait for it: the first one of a round lets time pass.
// `counted`: the clock passes, but the model of the instructions has that time already.
enum class Wait : std::uint8_t { none, passes, follows, counted };

struct Worker;
struct Dense;
using Handler = void (*)(Worker& worker, const Dense& d, Mask executed);

struct Dense {
    Handler run = nullptr;  // null: refused
    Flow flow = Flow::none;
    std::uint8_t guard = true_predicate;
    bool uniform = false;  // writes uniform registers: all lanes
    Mask guard_flip = 0;
    std::uint32_t number = 0;  // in the text
    std::uint32_t target = 0;  // of a branch, as a number in the text
    std::uint32_t to = 0;      // first row written
    Rows from[4];
    // Signs of floating-point sources: (v & keep) ^ flip. Integers: inverted by flip, then `plus` is added (two's complement).
    std::uint32_t keep[4] = {~0u, ~0u, ~0u, ~0u}, flip[4] = {}, plus[4] = {};
    std::uint8_t half[4] = {};  // of packed sources: 0 both halves, 1 the lower twice, 2 the upper twice
    std::uint8_t written[2] = {sink_predicate, sink_predicate};
    PredicateSource read[3];
    std::uint32_t immediate = 0;  // shift, table, mask of predicates, special register, barrier
    std::int64_t offset = 0;      // of an address, or in a constant bank
    std::int16_t base = -1;       // first row of the address register, -1: none
    std::int16_t base_uniform = -1;
    bool base_wide = false, uniform_wide = false;
    std::uint8_t scale = 1, bytes = 4, bank = 0, mode = 0, sources = 0;
    bool is_unsigned = false, wide = false, high = false, carry = false, left = false, wrap = false, is_64 = false,
         extended = false, sign_extend_a = false, shifted = false, is_signed = false, ftz = false, saturate = false,
         real = false, real64 = false, brain = false, flag = false, other = false;
    functional::Compare compare = functional::Compare::always;
    bool unordered = false;
    char combine = '&';
    std::uint8_t space = 0;  // of memory: see Space
    Op op = Op::unknown;
    Wait waits = Wait::none;
};

enum Space : std::uint8_t { generic_space, global_space, shared_space, local_space };

// Words that are the same for all warps of a launch: numbers, and words of constant banks.
struct Literal {
    bool constant = false;
    int bank = 0;
    std::uint32_t value = 0;  // or the offset in the bank
    bool operator<(const Literal& other) const {
        return std::tie(constant, bank, value) < std::tie(other.constant, other.bank, other.value);
    }
};

struct Text {
    std::vector<functional::Instruction> source;
    std::vector<Dense> text;
    std::vector<Literal> literals;  // rows
    std::vector<std::string> refused;
    std::uint32_t registers = 0, uniform = 0;  // rows
    bool order_free = true;
    int update_kind = 0;  // of atomics on global memory: 0 none yet
    std::uint32_t zeros() const { return registers + uniform; }
    std::uint32_t sink() const { return zeros() + zero_rows; }
    std::uint32_t saved() const { return sink() + sink_rows; }  // the lower and the upper half of Rpc
    std::uint32_t rows() const { return saved() + 2; }
};

// Lanes of a warp that run together, or wait together.
enum class State : std::uint8_t { ready, converging, at_barrier };

struct Group {
    Mask mask = 0, wanted = 0;  // wanted: lanes that must arrive at the convergence barrier
    std::uint32_t pc = 0;
    State state = State::ready;
    std::uint8_t barrier = 0;
};

inline constexpr int whole_warp = functional::whole_warp;

// Numbers of what groups wait at (State::at_barrier), behind those of the block's barriers.
inline constexpr int block_barriers = 16, warpgroup_barrier = 32, cluster_barrier = 64;

struct Warp {
    std::unique_ptr<Row[]> rows;
    std::unique_ptr<std::uint32_t[]> local;  // word by word, all lanes of each
    std::uint64_t local_lowest = ~0ull;      // byte of a lane that was accessed; the stack grows downwards
    Mask p[16] = {};
    Mask alive = 0, existing = 0;
    // Lanes that a lane waits for at a convergence barrier: those that passed its BSSY with it.
    Mask convergence[functional::barriers][lanes] = {};
    std::array<Group, lanes> groups;
    int group_count = 0, current = 0;
    int fruitless_yields = 0;  // since the last group was released, while all others wait
    std::uint32_t number = 0;
    std::uint32_t barrier_count = 0;  // result of the last reduction at a barrier
    bool barrier_truth = false, barrier_all = false;
    std::uint64_t waiting_since = 0, rounds = 0, passed = 0;  // of a wait for a clock; time that passed in such waits
    std::uint64_t link_rounds = 0;                            // loads over the link that were waited for
    std::uint32_t last_over_link = 0;                         // the last of them in the text
    std::uint64_t fault_rounds = 0;                           // faults on managed pages, one after the other
    std::uint32_t last_fault = 0;                             // the last of them in the text
    std::uint64_t prints = 0, heap_calls = 0;                 // calls of printf, and of malloc and free
    Mask arrived_at_cluster = 0;  // lanes that arrived at the barrier of the cluster, until all have
};

struct Barrier {
    std::uint32_t arrived = 0, expected = 0, votes = 0, threads = 0;
};

class BlockOrder;  // races.hpp
class RaceCheck;
class LinkUse;
class PageFaults;

struct Cluster;

struct Block {
    Cluster* cluster = nullptr;
    std::uint32_t rank = 0;  // in the cluster
    bool ended = false;
    std::uint64_t number = 0;
    std::array<std::uint32_t, 3> index{};
    std::vector<std::uint8_t> shared;
    std::vector<Warp> warps;
    std::array<Barrier, 16> barriers;
    std::uint32_t running = 0;  // warps with lanes
    std::string printed;
    std::shared_ptr<BlockOrder> order;  // if races are looked for
};

// Blocks that run at the same time, in the order of their ranks, with a common barrier. A launch without clusters has
// clusters of one block.
struct Cluster {
    std::vector<std::unique_ptr<Block>> blocks;
    std::uint64_t waited = 0;  // instructions since a warp of it did more than wait for an mbarrier
};

struct Table;  // of handlers

// One thread of the host: where the handlers find the warp that runs.
struct Worker {
    Row* rows[2] = {nullptr, nullptr};
    Mask* p = nullptr;
    Warp* warp = nullptr;
    Block* block = nullptr;
    const Launch* launch = nullptr;
    const Text* text = nullptr;
    Mask active = 0;                         // lanes of the group
    std::vector<std::uint32_t> last_region;  // by instruction
    std::vector<std::uint64_t> executions;
    std::uint64_t clock = 0;                     // instructions
    std::uint64_t work = 0;                      // what heavy ones count for beyond that, of budgets and shares
    std::uint64_t ahead = 0;                     // of clocks beyond it: what passed in waits
    std::uint64_t waited = 0, longest_wait = 0;  // that passed: sum over blocks, and the most of one
    Printing printing;
    HeapCalls heap;
    MemoryUse* memory = nullptr;
    std::int64_t unasked = 0;  // accesses to pages until the memory is looked at again
    bool yields = false;       // the group gave way to others
    bool awaits = false;       // ... because the phase of an mbarrier has not ended
    RaceCheck* races = nullptr;
    std::shared_ptr<LinkUse> link;       // where memory of the host can be reached
    std::shared_ptr<PageFaults> faults;  // where managed pages are away

    const std::uint32_t* source(const Dense& d, int k) const { return rows[d.from[k].space][d.from[k].first].v; }
    const std::uint32_t* source_row(const Dense& d, int k, int row) const {
        return rows[d.from[k].space][d.from[k].first + row].v;
    }
    std::uint32_t* destination(const Dense& d, int row = 0) const { return rows[0][d.to + row].v; }
    Mask truth(const PredicateSource& source) const { return p[source.index] ^ source.flip; }
    void write(std::uint8_t predicate, Mask value, Mask executed) {
        p[predicate] = (p[predicate] & ~executed) | (value & executed);
    }
    [[noreturn]] void fail(const Dense& d, FaultKind kind, int lane, std::string detail = {}) const;
    // A heavy instruction counts for as many as have its operations, one in each lane: multiply-adds of a matrix product,
    // elements or parts of 16 bytes that are moved, lanes that are compared. At 10^7 a second, as a budget has them, they
    // take 0.3 to 2.1 of that time (Cascade Lake).
    void count_work(std::uint64_t operations) { work += operations / lanes; }
    // Counts accesses to pages, before they are made.
    void count_pages(const Dense& d, int lane, std::int64_t pages) {
        if ((unasked -= pages) < 0) look_at_memory(d, lane);
    }
    void look_at_memory(const Dense& d, int lane);
    void occupy(const Dense& d, int lane, std::uint64_t bytes);
};

// Writes a row in the lanes that execute.
static inline void blend(std::uint32_t* to, const std::uint32_t* from, Mask executed) {
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint32_t chosen = 0u - (executed >> lane & 1);
        to[lane] = (from[lane] & chosen) | (to[lane] & ~chosen);
    }
}

// Operations that are not computed lane by lane.
void load(Worker& w, const Dense& d, Mask m);
void store(Worker& w, const Dense& d, Mask m);
void atomic(Worker& w, const Dense& d, Mask m);
void copy_to_shared(Worker& w, const Dense& d, Mask m);
void exchange_object(Worker& w, const Dense& d, Mask m);
void arrive_at_object(Worker& w, const Dense& d, Mask m);
void copies_arrive(Worker& w, const Dense& d, Mask m);
void copy_bulk(Worker& w, const Dense& d, Mask m);
void reduce_bulk(Worker& w, const Dense& d, Mask m);
void store_and_count(Worker& w, const Dense& d, Mask m);
void load_tile(Worker& w, const Dense& d, Mask m);
void store_tile(Worker& w, const Dense& d, Mask m);
void multiply_warpgroup(Worker& w, const Dense& d, Mask m);
void read_texture(Worker& w, const Dense& d, Mask m);
void access_surface(Worker& w, const Dense& d, Mask m);
void load_matrix(Worker& w, const Dense& d, Mask m);
void store_matrix(Worker& w, const Dense& d, Mask m);
void transpose_matrix(Worker& w, const Dense& d, Mask m);
void multiply_matrices(Worker& w, const Dense& d, Mask m);
void load_constant(Worker& w, const Dense& d, Mask m);
void read_special(Worker& w, const Dense& d, Mask m);
void shuffle(Worker& w, const Dense& d, Mask m);
void vote(Worker& w, const Dense& d, Mask m);
void match(Worker& w, const Dense& d, Mask m);
void reduce(Worker& w, const Dense& d, Mask m);
void elect(Worker& w, const Dense& d, Mask m);
void to_uniform(Worker& w, const Dense& d, Mask m);
void query_space(Worker& w, const Dense& d, Mask m);
void move_barrier(Worker& w, const Dense& d, Mask m);
void barrier_result(Worker& w, const Dense& d, Mask m);
void program_counter(Worker& w, const Dense& d, Mask m);
void nothing(Worker& w, const Dense& d, Mask m);

// The device's own functions lie in a window of addresses, at the hash (FNV-1a) of their names.
inline constexpr std::uint64_t system_window = 0x7a00ull << 32;
bool is_system_call(std::uint64_t address);
void system_call(Worker& w, const Dense& d, Mask m, std::uint64_t address);

// Host memory of `size` bytes of global memory; fails outside of all regions.
std::uint8_t* global_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes);

std::shared_ptr<const Text> decode(std::vector<functional::Instruction> instructions);

void mark_clock_waits(Text& text);

// Runs a block until it ends (true), its share of instructions is used, or all its warps wait.
bool run_block(Worker& w, Block& block, std::uint64_t share);

// Handlers that compute lane by lane, for the processor that is here.
#define FORETELL_LANE_HANDLERS(X)                                                                                     \
    X(mov) X(mov64) X(sel) X(sel64) X(imad) X(imad_plain) X(imad_wide) X(imad_high) X(imad_carry) X(iadd3)             \
    X(iadd3_plain) X(iadd3_carry) X(iadd64) X(lea) X(lea_carry) X(shf) X(shift) X(lop3) X(lop3_and) X(lop3_or)        \
    X(lop3_xor) X(plop3) X(prmt) X(isetp) X(isetp64) X(minmax) X(minmax64) X(minmax3) X(minmax_parts) X(add_parts) X(unary) X(absdiff) X(absdiff4)     \
    X(idp) X(p2r) X(r2p) X(ffma) X(ffma_plain) X(fadd) X(fadd_plain) X(fmul) X(fmul_plain) X(fminmax) X(fsetp) X(fchk) X(mufu)  \
    X(dfma) X(dadd) X(dmul) X(dminmax) X(dsetp) X(f2i) X(i2f) X(f2f) X(frnd) X(f2fp) X(half_arithmetic) X(half_minmax) X(half_set) \
    X(half_setp)

struct Table {
#define X(name) Handler name;
    FORETELL_LANE_HANDLERS(X)
#undef X
};
const Table& lane_handlers();

}  // namespace foretell::complete
