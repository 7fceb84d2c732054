// State of a multiprocessor: warps, sub-cores, queues, and ops as the main loop reads them. Private to the timing core.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "gpu/timing/pool.hpp"
#include "gpu/timing/share.hpp"

namespace foretell::timing {

inline constexpr std::uint32_t none = ~std::uint32_t{0};
inline constexpr int group_history = 8;
inline constexpr std::size_t most_resources = 64;
inline constexpr unsigned unwritten = 7;  // counter of instructions that write none

// Time at which something is available, and the cause of the delay: the last `turn` cycles are queueing for a resource,
// those before are its latency.
struct Reason {
    float turn = 0;
    std::uint32_t resource = 0;
};
struct Moment {
    double time = 0;
    Reason why;
};

inline constexpr float all_turn = std::numeric_limits<float>::infinity();

inline void latest(Moment& a, const Moment& b) {
    if (b.time > a.time) a = b;
}

// Issue class: local to the sub-core, with a request over the shared path, or in global time order because of other
// effects on other sub-cores; the first execution of every instruction is of the last class.
enum class Scope : std::uint8_t { local, path, global };

inline Scope scope_of(const Op& op) {
    if (op.kind >= Kind::barrier || op.object != 0 || op.walked > 0) return Scope::global;
    if (op.path > 0) return Scope::path;
    return op.read >= 0 ? Scope::global : Scope::local;
}

// An op with the fields that the main loop needs.
struct alignas(128) Step {
    Step(const Op& op, double* waiting_of)
        : instruction(op.instruction),
          unit(op.unit),
          wait(op.wait),
          write(op.write & unwritten),
          own(scope_of(op)),
          stall(op.stall),
          gap(op.gap),
          latency(op.latency),
          fetch(op.fetch),
          again(op.again),
          waiting(waiting_of) {
        for (int b = 0; b < banks; ++b) {
            ports[b] = op.ports[b];
            reads[b] = op.ports[b] != 0 ? 0 : -never;
        }
    }

    std::uint32_t instruction;
    std::uint8_t unit;
    std::uint8_t wait;   // mask of counters
    std::uint8_t write;  // counter
    Scope own;           // after its first execution
    Scope scope = Scope::global;
    double stall, gap, latency, fetch, again;
    double* waiting;      // of this instruction, in the result
    double ports[banks];  // cycles of each register bank
    double reads[banks];  // 0, or minus infinity if the bank is not read, so that nothing waits for it
};

// Demand of an op on the shared path, L2 and memory. Fractional executions carry over from one to the next.
struct alignas(64) Demand {
    Demand(const Op& op, const Machine& machine, std::size_t number)
        : path(op.path),
          latency(op.latency),
          read_latency(op.read_latency),
          misses(op.misses),
          joins(op.joins),
          far_misses(op.far_misses),
          service(op.sectors * machine.l2.gap + op.serial),
          crowds(op.crowds),
          busiest(op.busiest),
          written(op.written * machine.l2.gap),
          far_service(op.far_sectors * machine.memory.gap),
          more_latency(op.more_latency),
          begins(static_cast<std::int64_t>(7 * number)),
          spread(Share::spread_of(op.lines)),
          path_name(op.path_name),
          write(op.write & unwritten),
          read(op.read & unwritten),
          constants(op.path_name == op.unit),
          store(op.kind == Kind::store),
          copies(op.copies),
          object(op.kind == Kind::load ? op.object : std::uint16_t{0}),
          amount(op.amount),
          place(op.place),
          merges(op.merges) {}

    double path, latency, read_latency;
    double misses, joins, far_misses;
    double miss = 0.5, join = 0.5, far = 0.5;
    double service, crowds, busiest, written, far_service;  // cycles of L2, of writes to it and of memory
    double more_latency;
    std::int64_t begins, times = 0;  // executions that go beyond L1
    std::uint8_t spread, path_name, write, read;
    bool constants;  // which have a path of their own
    bool store, copies;
    std::uint16_t object, amount;  // of a bulk copy
    std::uint16_t place;           // of stores to few sectors
    double merges;
};

// Asynchronous copies of a warp into shared memory: the open group, and the last committed ones.
struct Copies {
    Moment open;
    Moment group[group_history];
    Moment product[group_history];  // the same of products of a warpgroup
    std::uint32_t products = 0;
};

struct alignas(256) Warp {
    Step* step = nullptr;  // the next
    const std::uint32_t* next = nullptr;
    const std::uint32_t* last = nullptr;
    Moment ready;
    Moment counter[counters + 2];
    Moment pending;  // dependences other than the barrier
    Moment opened;   // the last barrier
    Moment stored;   // completion of its stores
    std::uint32_t block = 0;
    std::uint32_t groups = 0;
    std::uint8_t at_barrier = 0;  // its number, from 1 on
    double walked = 0;            // of a line of constants
    std::uint32_t line = 0;       // of constants, from 1 on
    bool asked = false;           // L2, since the last fence
};

// Stores that join the one just before, to the same few sectors, on their way to L2; those of another warp half
// (validation/h200/micro, steps.cu: of eight stores of each warp to one byte 4 % reach L2, with gathers between them all;
// one_flag, one store a warp: 28 %, at a third of the rate of others).
class Merging {
public:
    // Fraction of a request that goes on by itself.
    double unmerged(const Demand& op, const Warp& warp) {
        const std::uint16_t before = std::exchange(place_, op.place);
        const Warp* other = std::exchange(warp_, &warp);
        if (op.place == 0 || op.place != before) return 1;
        return 1 - op.merges * (other == &warp ? 1 : 0.5);
    }

private:
    std::uint16_t place_ = 0;  // of the last request beyond L1
    const Warp* warp_ = nullptr;
};

// Sub-core and slot of a warp.
struct SubCore;
struct Seat {
    SubCore* core;
    Warp* warp;
    std::uint32_t slot;
};

// An mbarrier: its phase ends when all have arrived and all announced copies have landed.
struct Object {
    std::uint32_t number = 0, needed = 1, arrived = 0, announced = 0, landed = 0;
    Moment last;                 // of the open phase
    std::vector<Moment> phases;  // ends of the closed ones
    std::vector<Seat> waiting;   // for the end of the open one

    // The moment that a warp waits for which asks for the phase of a parity; null: the open phase.
    const Moment* awaited(double now, std::uint32_t parity) const {
        static const Moment past;
        std::size_t over = 0;
        while (over < phases.size() && phases[over].time <= now) ++over;
        if ((over & 1) != parity) return &past;
        return over < phases.size() ? &phases[over] : nullptr;
    }

    bool complete() const { return arrived >= needed && landed >= announced; }
};

// A barrier of the block: warps that have arrived and that it waits for, 0 for all that are alive, and the cycles that it
// takes longer than usual.
struct Barrier {
    std::uint32_t arrived = 0, needed = 0;
    double later = 0;

    bool complete(std::uint32_t alive) const { return arrived > 0 && arrived >= (needed != 0 ? needed : alive); }
};

struct Resident {
    std::uint32_t alive = 0;
    double drained = 0;  // completion of its stores
    std::array<Barrier, block_barriers> barriers;
    std::vector<Object> objects;

    Object& object(std::uint32_t number) {
        for (Object& known : objects)
            if (known.number == number) return known;
        return objects.emplace_back(Object{number});
    }
};

// Time at which it is free, and start of its current busy period.
struct Queue {
    double free = 0, since = 0;

    double take(double now, double service) {
        if (free <= now) {
            since = now;
            free = now + service;
            return now;
        }
        const double start = free;
        free += service;
        return start;
    }
};

// Constants that warps walk through by an index: the lines that were fetched last, and when they are there. Of those by
// an index of each lane their cache keeps as many as it has (validation/h200/waits, l_walk_all/8KiB-512x4: 64 warps take
// 5 % longer than where all of them stay). How many stay by an index in a uniform register is not known: one or more, as
// warps in step share them (l_walk_lines/*-512x4), and less than the 16 of a KiB, as one warp that walks through that
// again and again finds none (l_walk/1KiB-128x1). Four are the geometric middle of 1 and 15.
struct Constants {
    static constexpr double few = 4, most = 4096;

    explicit Constants(double kept = few) : lines(static_cast<std::size_t>(std::clamp(kept, 1.0, most))) {}

    struct Line {
        std::uint32_t number = 0;
        double landed = 0;
    };
    Queue fetches;
    std::vector<Line> lines;
    std::size_t oldest = 0;

    // When a line is there that is fetched now if it is not; number 0 is of no other warp.
    double landed(std::uint32_t number, double now, double gap, double wait) {
        for (const Line& line : lines)
            if (number != 0 && line.number == number) return line.landed;
        Line& fresh = lines[oldest++ % lines.size()];
        fresh = {number, fetches.take(now, gap) + wait};
        return fresh.landed;
    }
};

struct SubCore {
    SubCore(std::size_t slots, std::size_t queued) : pool(slots), warps(slots), copies(slots), queue(queued) {}

    double next = never;  // time of the next issue
    double free = 0;
    std::uint32_t chosen = none;  // slot that issues then, if determined
    Pool pool;
    std::vector<Warp> warps;  // by slot
    std::vector<Copies> copies;
    std::array<Queue, most_resources> unit;
    std::vector<Moment> queue;  // issue time of the memory instruction that many entries before
    std::size_t head = 0;
    double address = 0, end = 0;
    double port[banks] = {0, 0};

    // Ends the turn of the sub-core; the warp that issued is ready then, or never until another wakes it.
    void set_aside(std::uint32_t slot, double ready) {
        pool.add(slot, ready);
        next = later(free, pool.earliest());
    }
};

// Makes a waiting warp ready, and possibly the next to issue.
inline void wake(const Seat& seat, const Moment& ready) {
    SubCore& core = *seat.core;
    seat.warp->ready = ready;
    core.pool.add(seat.slot, ready.time);
    if (core.chosen == none) core.next = sooner(core.next, later(core.free, ready.time));
}

// Executions of each op: all blocks executed all of their traces.
inline std::vector<std::uint64_t> executions_of(const Program& program) {
    std::vector<std::uint64_t> blocks(program.blocks.size()), traces(program.traces.size()), result(program.ops.size());
    for (const std::uint32_t kind : program.order) ++blocks[kind];
    for (std::size_t k = 0; k < blocks.size(); ++k)
        for (const std::uint32_t trace : program.blocks[k].warps) traces[trace] += blocks[k];
    for (std::size_t k = 0; k < traces.size(); ++k)
        if (traces[k] != 0)
            for (const std::uint32_t op : program.traces[k]) result[op] += traces[k];
    return result;
}

}  // namespace foretell::timing
