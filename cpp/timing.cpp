#include "timing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace foretell::timing {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double window = 4000;  // cycles over which the load of a queue is averaged
constexpr double longest = 730;  // cycles beyond which waiting for each other grows no more (validation/h200, curve.read_by_warps)
constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr int group_history = 8;
constexpr double golden = 0.6180339887498949;
constexpr std::uint64_t side_by_side = 8;  // requests whose lines lie in one partition of L2 (assumed: 1 KiB)
constexpr double gathering = 2;  // cycles that operands may be late (Huerta et al.: read over three cycles)

// When something is there, and why not earlier: the last `turn` cycles of waiting for it are for a turn on a resource,
// those before are its latency.
struct Moment {
    double time = 0;
    float turn = 0;
    std::uint8_t resource = 0;
};

constexpr float all_turn = std::numeric_limits<float>::infinity();

void latest(Moment& a, const Moment& b) {
    if (b.time > a.time) a = b;
}

struct Warp {
    const std::uint32_t* next = nullptr;
    const std::uint32_t* last = nullptr;
    Moment counter[counters];
    Moment pending;              // what it waits for beside a barrier
    std::uint32_t block = 0;
    std::uint32_t groups = 0;
    bool at_barrier = false;
};

// Copies into shared memory of a warp: the open group, and the last that were closed.
struct Copies {
    Moment open;
    Moment group[group_history];
};

struct Resident {
    std::uint32_t alive = 0, arrived = 0;
    double drained = 0;  // its stores have arrived
};

// When it is free, and since when it has been busy without a break.
struct Queue {
    double free = 0, since = 0;

    double take(double now, double service) {
        if (free <= now) since = now;
        const double start = std::max(free, now);
        free = start + service;
        return start;
    }
};

// The warps of a sub-core that are ready, and those that will be, in the order of time.
class Pool {
public:
    static constexpr std::size_t most = 64;

    explicit Pool(std::size_t slots) : slots_(slots), waiting_(slots), slot_of_(slots), rank_of_(slots) {
        for (std::size_t k = 0; k < slots; ++k) slot_of_[k] = rank_of_[k] = static_cast<std::uint8_t>(k);
    }

    // The slot gets a new warp, the youngest: all that are younger than its old one move down a rank.
    void renew(std::uint32_t slot) {
        const std::size_t from = rank_of_[slot];
        for (std::size_t rank = from; rank + 1 < slots_; ++rank) {
            slot_of_[rank] = slot_of_[rank + 1];
            rank_of_[slot_of_[rank]] = static_cast<std::uint8_t>(rank);
        }
        slot_of_[slots_ - 1] = static_cast<std::uint8_t>(slot);
        rank_of_[slot] = static_cast<std::uint8_t>(slots_ - 1);
        const std::uint64_t older = bit(from) - 1;
        ready_ = (ready_ & older) | (ready_ >> 1 & ~older);
    }

    void add(std::uint32_t slot, double time) {
        std::size_t at = count_++;
        for (; at > 0 && waiting_[at - 1].time < time; --at) waiting_[at] = waiting_[at - 1];
        waiting_[at] = {time, slot};
    }

    // The youngest that is ready now; somebody is.
    std::uint32_t take(double now) {
        while (count_ > 0 && waiting_[count_ - 1].time <= now) ready_ |= bit(rank_of_[waiting_[--count_].slot]);
        const std::size_t rank = 63 - static_cast<std::size_t>(std::countl_zero(ready_));
        ready_ &= ~bit(rank);
        return slot_of_[rank];
    }

    // When the next is ready, from `free` on.
    double next(double free) const {
        if (ready_ != 0) return free;
        return count_ == 0 ? never : std::max(free, waiting_[count_ - 1].time);
    }

private:
    struct Waiting {
        double time;
        std::uint32_t slot;
    };
    static std::uint64_t bit(std::size_t k) { return std::uint64_t{1} << k; }

    std::uint64_t ready_ = 0;  // by rank: the highest bit is the youngest
    std::size_t slots_, count_ = 0;
    std::vector<Waiting> waiting_;  // the last is the first to be ready
    std::vector<std::uint8_t> slot_of_, rank_of_;
};

struct SubCore {
    SubCore(std::size_t slots, std::size_t units, std::size_t queued) : pool(slots), ready(slots), unit(units), queue(queued) {}

    double next = never;              // when it issues
    double free = 0;
    std::uint32_t chosen = none;      // the slot that issues then, if that is clear
    Pool pool;
    std::vector<Moment> ready;        // of each slot
    std::vector<Queue> unit;
    std::vector<Moment> queue;        // when the memory instruction so many places before left
    std::size_t head = 0;
    double address = 0, end = 0;
    double port[banks] = {0, 0};
};

// This multiprocessor's share of L2 or memory, and how loaded it has been of late.
class Share {
public:
    explicit Share(const Server& server) : server_(server) {}

    // When the data of a request are there that comes now.
    double serve(double now, double service, bool from_afar) {
        const double passed = std::max(0.0, now - at_);
        load_ = load_ * (window / (window + passed)) + service / window;
        at_ = std::max(at_, now);
        const double crowd = std::min(longest, server_.crowding * load_ / std::max(1e-9, 1 - load_));
        if (free_ <= now) since_ = now;
        free_ = std::max(free_, std::max(0.0, now - server_.credit)) + service;
        used_ += service;
        return std::max(free_, now + crowd) + server_.latency + (from_afar ? server_.farther : 0.0);
    }
    double free() const { return free_; }
    double used() const { return used_; }
    double turn_from() const { return since_ + server_.latency; }

private:
    const Server& server_;
    double free_ = 0, since_ = 0, load_ = 0, at_ = 0, used_ = 0;
};

class Multiprocessor {
public:
    Multiprocessor(const Program& program, const Machine& machine) : program_(program), machine_(machine), l2_(machine.l2), memory_(machine.memory) {
        for (const Block& block : program.blocks) widest_ = std::max(widest_, block.warps.size());
        const std::size_t slots = (program.resident * widest_ + subcores - 1) / subcores;
        if (slots > Pool::most) throw std::invalid_argument("more than 256 warps on a multiprocessor");
        core_.assign(subcores, SubCore(slots, machine.resources, machine.queue));
        warps_.resize(slots * subcores);
        copies_.resize(slots * subcores);
        resident_.resize(program.resident);
        executed_.resize(program.ops.size());
        seen_.resize(program.instructions);
        miss_.resize(program.ops.size(), 0.5);
        asked_.resize(program.ops.size());
        far_.resize(program.ops.size(), 0.5);
        result_.waiting.resize(program.instructions * 2 * machine.resources);
    }

    Result finish() {
        for (std::size_t place = 0; place < program_.resident; ++place) start(place, 0);
        for (;;) {
            const bool second = core_[1].next < core_[0].next, fourth = core_[3].next < core_[2].next;
            SubCore& low = core_[second];
            SubCore& high = core_[2 + fourth];
            SubCore& chosen = high.next < low.next ? high : low;
            if (chosen.next == never) break;
            step(chosen);
        }
        summarise();
        return std::move(result_);
    }

private:
    void step(SubCore& core) {
        const double now = core.next;
        const std::uint32_t slot = core.chosen != none ? core.chosen : core.pool.take(now);
        issue(core, slot, now);
    }

    Warp& warp_of(const SubCore& core, std::uint32_t slot) { return warps_[slot * subcores + static_cast<std::size_t>(&core - core_.data())]; }

    // ----------------------------------------------------------------------------------- blocks

    // The next block begins in a place that is free.
    void start(std::size_t place, double now) {
        if (started_ == program_.order.size()) return;
        const Block& kind = program_.blocks[program_.order[started_++]];
        const double begin = std::max(now, dispatch_);
        dispatch_ = begin + machine_.block_start;
        resident_[place] = {static_cast<std::uint32_t>(kind.warps.size()), 0, begin};
        for (std::size_t w = 0; w < kind.warps.size(); ++w) {
            const std::size_t number = place * widest_ + w;
            const Trace& trace = program_.traces[kind.warps[w]];
            Warp& warp = warps_[number] = Warp{};
            copies_[number] = Copies{};
            warp.next = trace.data();
            warp.last = trace.data() + trace.size();
            warp.block = static_cast<std::uint32_t>(place);
            const auto slot = static_cast<std::uint32_t>(number / subcores);
            core_[number % subcores].pool.renew(slot);
            awake(core_[number % subcores], slot, {begin, all_turn, machine_.start_name});
        }
    }

    // A warp that waited for others will be ready, and may be the next.
    static void awake(SubCore& core, std::uint32_t slot, const Moment& ready) {
        core.ready[slot] = ready;
        core.pool.add(slot, ready.time);
        if (core.chosen == none) core.next = core.pool.next(core.free);
    }

    void release(std::uint32_t place, double now) {
        Resident& block = resident_[place];
        if (block.arrived < block.alive || block.arrived == 0) return;
        block.arrived = 0;
        for (std::size_t number = place * widest_; number < (place + 1) * widest_; ++number) {
            Warp& warp = warps_[number];
            if (!warp.at_barrier) continue;
            warp.at_barrier = false;
            Moment open{now + machine_.barrier_latency, 0, machine_.barrier_name};
            latest(open, warp.pending);
            awake(core_[number % subcores], static_cast<std::uint32_t>(number / subcores), open);
        }
    }

    void arrive(Warp& warp, const Moment& ready, double now) {
        barrier_ = std::max(barrier_, now) + machine_.barrier_gap;
        warp.pending = ready;
        warp.at_barrier = true;
        ++resident_[warp.block].arrived;
        release(warp.block, barrier_);
    }

    void exit(SubCore& core, const Warp& warp, double now) {
        core.end = std::max(core.end, core.free);
        Resident& block = resident_[warp.block];
        if (--block.alive > 0) {
            release(warp.block, now);
        } else {
            drained_ = std::max({drained_, now, block.drained});
            start(warp.block, std::max(now + machine_.block_turn, block.drained));  // its stores arrive meanwhile
        }
    }

    // ----------------------------------------------------------------------------------- issue

    // The instruction leaves the warp now; where its unit, the register ports or the queue are taken it waits there,
    // and its warp with it.
    void issue(SubCore& core, std::uint32_t slot, double now) {
        Warp& warp = warp_of(core, slot);
        const std::uint32_t number = *warp.next++;
        const Op& op = program_.ops[number];
        ++executed_[number];
        if (now > core.free) account(core, core.ready[slot], op, now);
        core.free = now + fetched(op);
        core.chosen = none;
        Moment ready = begin(core, op, now);
        const double start = ready.time - op.stall;
        if (op.kind == Kind::exit && warp.next == warp.last) {  // lanes may leave one after another
            core.next = core.pool.next(core.free);
            return exit(core, warp, now);
        }
        Moment operands{start + op.read_latency, 0, op.unit}, done{start + op.latency, 0, op.unit};
        if (op.path > 0) request(core, warp, op, number, start, ready, operands, done);
        if (op.kind >= Kind::commit) group(warp, op, ready, done);
        if (op.write >= 0) latest(warp.counter[op.write], done);
        if (op.read >= 0) latest(warp.counter[op.read], operands);
        const Op& next = program_.ops[*warp.next];
        if (next.instruction != op.instruction + 1) ready.time = std::max(ready.time, now + machine_.jump);
        for (unsigned mask = next.wait; mask != 0; mask &= mask - 1) latest(ready, warp.counter[std::countr_zero(mask)]);
        if (op.kind == Kind::barrier) {
            core.next = core.pool.next(core.free);
            return arrive(warp, ready, now);
        }
        core.ready[slot] = ready;
        if (ready.time <= core.free) {  // greedy: the same warp again
            core.chosen = slot;
            core.next = core.free;
        } else {
            core.pool.add(slot, ready.time);
            core.next = core.pool.next(core.free);
        }
    }

    // Cycles until the next instruction is there. Code comes from afar the first time.
    double fetched(const Op& op) {
        if (seen_[op.instruction]) return op.fetch;
        seen_[op.instruction] = true;
        cold_ += std::max(machine_.cold_fetch, op.fetch) - op.fetch;
        return std::max(machine_.cold_fetch, op.fetch);
    }

    // When the warp may go on.
    Moment begin(SubCore& core, const Op& op, double now) {
        Queue& unit = core.unit[op.unit];
        double start = unit.take(now, op.gap);
        float turn = start > now ? static_cast<float>(start - unit.since) : 0;
        std::uint8_t resource = op.unit;
        for (int b = 0; b < banks; ++b) {
            if (op.ports[b] == 0) continue;
            if (core.port[b] > start + gathering) {
                start = core.port[b] - gathering;
                turn = all_turn;
                resource = machine_.ports_name;
            }
            core.port[b] = std::max(core.port[b], start) + op.ports[b];
        }
        return {start + op.stall, turn, resource};
    }

    // Cycles without an instruction are put down to what this one waited for.
    void account(const SubCore& core, const Moment& ready, const Op& op, double now) {
        const double idle = now - core.free;
        const double turns = std::clamp(now - ready.time + ready.turn, 0.0, idle);
        double* waiting = &result_.waiting[(op.instruction * machine_.resources + ready.resource) * 2];
        waiting[0] += idle - turns;
        waiting[1] += turns;
    }

    // ----------------------------------------------------------------------------------- memory

    // Groups of copies into shared memory are closed, and waited for.
    void group(Warp& warp, const Op& op, Moment& ready, Moment& done) {
        Copies& copies = copies_[static_cast<std::size_t>(&warp - warps_.data())];
        if (op.kind == Kind::commit) {
            copies.group[warp.groups++ % group_history] = done = copies.open;
            copies.open = {};
        } else if (warp.groups > op.groups && op.groups < group_history) {
            latest(ready, copies.group[(warp.groups - 1 - op.groups) % group_history]);
        }
    }

    // From the sub-core's queue over the shared path to L1 or shared memory, or beyond.
    void request(SubCore& core, Warp& warp, const Op& op, std::size_t number, double now, Moment& ready, Moment& operands, Moment& done) {
        latest(ready, core.queue[core.head]);
        core.address = std::max(core.address, now) + machine_.address_gap;
        const double start = path_.take(core.address, op.path);
        const std::uint8_t holder = held_until_ > path_.since ? holder_ : op.path_name;
        core.queue[core.head] = {start, all_turn, holder};
        core.head = core.head + 1 == core.queue.size() ? 0 : core.head + 1;
        operands = {start + op.read_latency, static_cast<float>(start - path_.since), holder};
        done = {start + op.path + op.latency, static_cast<float>(start + op.path - path_.since), holder};
        if (op.misses > 0 && (miss_[number] += op.misses) >= 1) {
            miss_[number] -= 1;
            beyond(op, number, start + op.path, done);
        }
        if (op.kind == Kind::store) resident_[warp.block].drained = std::max(resident_[warp.block].drained, done.time);
        if (op.copies) latest(copies_[static_cast<std::size_t>(&warp - warps_.data())].open, done);
    }

    // Evenly spread between 0 and 1: it says which requests come from afar. Warps that ask one after another mostly ask
    // for lines side by side.
    double place_of(std::size_t number) {
        const double place = golden * static_cast<double>(asked_[number]++ / side_by_side + 7 * number);
        return place - std::floor(place);
    }

    void beyond(const Op& op, std::size_t number, double now, Moment& done) {
        const auto wait_for = [&](const Share& share, double there, std::uint8_t name) {
            latest(done, {there + op.more_latency, static_cast<float>(there + op.more_latency - share.turn_from()), name});
        };
        const double place = place_of(number);
        const bool afar = place < machine_.l2.far * op.lines, late = place < machine_.memory.far * op.lines;
        wait_for(l2_, l2_.serve(now, op.sectors * machine_.l2.gap + op.serial, afar), machine_.l2_name);
        if (op.written > 0) writes_.take(now, op.written * machine_.l2.gap);
        if (op.far_misses > 0 && (far_[number] += op.far_misses) >= 1) {
            far_[number] -= 1;
            const double there = memory_.serve(now, op.far_sectors * machine_.memory.gap, late);
            if (op.kind != Kind::store) wait_for(memory_, there, machine_.memory_name);  // L2 acknowledges stores
        }
        const double held = std::max({l2_.free(), memory_.free(), writes_.free}) - machine_.backlog;
        if (held <= path_.free) return;
        path_.free = held_until_ = held;
        holder_ = memory_.free() > std::max(l2_.free(), writes_.free) ? machine_.memory_name : machine_.l2_name;
    }

    // ----------------------------------------------------------------------------------- sums

    void summarise() {
        result_.cycles = drained_;
        for (const SubCore& core : core_) result_.cycles = std::max(result_.cycles, core.end);
        for (const SubCore& core : core_) result_.tail += result_.cycles - core.free;
        result_.issued = cold_;
        result_.busy.resize(machine_.resources);
        result_.executions.resize(program_.instructions);
        for (std::size_t k = 0; k < executed_.size(); ++k) {
            const Op& op = program_.ops[k];
            const auto count = static_cast<double>(executed_[k]);
            result_.executions[op.instruction] += count;
            result_.issued += count * op.fetch;
            result_.busy[op.unit] += count * op.gap;
            if (op.path > 0) result_.busy[op.path_name] += count * op.path;
        }
        result_.busy[machine_.l2_name] += l2_.used();
        result_.busy[machine_.memory_name] += memory_.used();
        result_.idle.resize(2 * machine_.resources);
        for (std::size_t k = 0; k < result_.waiting.size(); ++k) result_.idle[k % result_.idle.size()] += result_.waiting[k];
    }

    const Program& program_;
    const Machine& machine_;
    Result result_;
    std::vector<SubCore> core_;
    std::vector<Warp> warps_;
    std::vector<Copies> copies_;
    std::vector<Resident> resident_;
    std::vector<std::uint64_t> executed_, asked_;  // of each op: executions, those that go beyond L1
    std::vector<std::uint8_t> seen_;       // instructions that were executed
    std::vector<double> miss_, far_;       // shares carried over from one execution to the next
    Queue path_, writes_;
    Share l2_, memory_;
    std::size_t widest_ = 0, started_ = 0;
    double barrier_ = 0, dispatch_ = 0, drained_ = 0, cold_ = 0;
    double held_until_ = 0;     // the path, by work ahead in L2 or memory
    std::uint8_t holder_ = 0;
};

}  // namespace

Result run(const Program& program, const Machine& machine) { return Multiprocessor(program, machine).finish(); }

}  // namespace foretell::timing
