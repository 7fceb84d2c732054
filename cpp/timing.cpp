#include "timing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foretell::timing {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double window = 4000;  // cycles over which the load of a queue is averaged
constexpr double full = 0.917;   // the load above which waiting grows no more (validation/h200, curve.read_by_warps)
constexpr std::size_t none = ~std::size_t{0};
constexpr int group_history = 8;
constexpr double gathering = 2;  // cycles that operands may be late (Huerta et al.: read over three cycles)

// Why something is not earlier: a resource, its latency or its turn. Of a wait that ends at `until`, the cycles before
// `turn_from` are latency and those after are turns.
struct Reason {
    std::uint8_t resource = 0;
    double turn_from = never;
};

struct Moment {
    double time = 0;
    Reason reason;
};

struct Warp {
    const std::uint32_t* next = nullptr;
    const std::uint32_t* last = nullptr;
    std::uint32_t block = 0;
    Moment counter[counters];
    Moment pending;              // what it waits for beside a barrier
    Moment copies;               // of the group that is open
    Moment group[group_history];
    std::uint32_t groups = 0;
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

struct SubCore {
    std::vector<double> ready;        // of each slot; infinite: nobody, or at a barrier
    std::vector<Reason> reason;
    std::vector<std::uint32_t> age;   // larger is younger
    std::vector<Queue> unit;
    std::vector<Moment> queue;        // when the instruction so many places before left
    std::size_t head = 0, last = 0;
    std::size_t chosen = none;        // the slot that issues next, if that is clear
    double free = 0, next = never, address = 0;
    double port[banks] = {0, 0};
    double end = 0;
};

// This multiprocessor's share of L2 or memory, and how loaded it has been of late.
class Share {
public:
    explicit Share(const Server& server) : server_(server) {}

    // When the data of a request are there that comes now.
    double serve(double now, double service, bool several) {
        const double passed = std::max(0.0, now - at_);
        load_ = load_ * (window / (window + passed)) + service / window;
        at_ = std::max(at_, now);
        const double busy = std::min(load_, full);
        const double crowd = server_.crowding * busy / (1 - busy);
        if (free_ <= now) since_ = now;
        free_ = std::max(free_, std::max(0.0, now - server_.credit)) + service;
        return std::max(free_, now + crowd) + server_.latency + (several ? server_.spread : 0.0);
    }
    double free() const { return free_; }
    double turn_from() const { return since_ + server_.latency; }

private:
    const Server& server_;
    double free_ = 0, since_ = 0, load_ = 0, at_ = 0;
};

class Multiprocessor {
public:
    Multiprocessor(const Program& program, const Machine& machine) : program_(program), machine_(machine), l2_(machine.l2), memory_(machine.memory) {
        result_.busy.resize(machine.resources);
        result_.idle.resize(2 * machine.resources);
        result_.executions.resize(program.instructions);
        result_.waiting.resize(program.instructions * 2 * machine.resources);
        miss_.resize(program.ops.size(), 0.5);
        far_.resize(program.ops.size(), 0.5);
        for (const Block& block : program.blocks) widest_ = std::max(widest_, block.warps.size());
        const std::size_t slots = ((program.resident * widest_ + subcores - 1) / subcores + 3) / 4 * 4;
        for (SubCore& core : core_) {
            core.ready.assign(slots, never);
            core.reason.resize(slots);
            core.age.assign(slots, 0);
            core.unit.resize(machine.resources);
            core.queue.resize(machine.queue);
        }
        warps_.resize(slots * subcores);
        waits_.resize(slots * subcores, 0);
        resident_.resize(program.resident);
    }

    Result finish() {
        for (std::size_t place = 0; place < program_.resident; ++place) start(place, 0);
        for (;;) {
            std::size_t chosen = 0;
            for (std::size_t c = 1; c < subcores; ++c)
                if (core_[c].next < core_[chosen].next) chosen = c;
            if (core_[chosen].next == never) break;
            step(chosen);
        }
        for (SubCore& core : core_) result_.cycles = std::max(result_.cycles, core.end);
        result_.cycles = std::max(result_.cycles, drained_);
        for (SubCore& core : core_) result_.tail += result_.cycles - core.free;
        return std::move(result_);
    }

private:
    // ----------------------------------------------------------------------------------- blocks

    // The next block begins in a place that is free.
    void start(std::size_t place, double now) {
        if (started_ == program_.order.size()) return;
        const Block& kind = program_.blocks[program_.order[started_++]];
        const double begin = std::max(now, dispatch_);
        dispatch_ = begin + machine_.block_start;
        resident_[place] = {static_cast<std::uint32_t>(kind.warps.size()), 0, begin};
        for (std::size_t w = 0; w < kind.warps.size(); ++w) {
            const std::size_t number = place * widest_ + w, slot = number / subcores;
            SubCore& core = core_[number % subcores];
            Warp& warp = warps_[number];
            const Trace& trace = program_.traces[kind.warps[w]];
            warp = Warp{};
            warp.next = trace.data();
            warp.last = trace.data() + trace.size();
            warp.block = static_cast<std::uint32_t>(place);
            core.ready[slot] = begin;
            core.reason[slot] = {machine_.start_name, 0};
            core.age[slot] = ++age_;
            sooner(core, begin);
        }
    }

    // A warp that waited for others may be the next.
    static void sooner(SubCore& core, double ready) {
        const double time = std::max(core.free, ready);
        if (time < core.next) {
            core.next = time;
            core.chosen = none;
        }
    }

    void release(std::uint32_t place, double now) {
        Resident& block = resident_[place];
        if (block.arrived < block.alive || block.arrived == 0) return;
        block.arrived = 0;
        for (std::size_t w = 0; w < widest_; ++w) {
            const std::size_t number = place * widest_ + w, slot = number / subcores;
            SubCore& core = core_[number % subcores];
            Warp& warp = warps_[number];
            if (!waits_[number]) continue;
            waits_[number] = false;
            const Moment open{now + machine_.barrier_latency, {machine_.barrier_name, never}};
            const Moment& later = warp.pending.time > open.time ? warp.pending : open;
            core.ready[slot] = later.time;
            core.reason[slot] = later.reason;
            sooner(core, later.time);
        }
    }

    // ----------------------------------------------------------------------------------- issue

    void step(std::size_t c) {
        SubCore& core = core_[c];
        const double now = core.next;
        const std::size_t slot = core.chosen != none ? core.chosen : youngest(core, now);
        core.last = slot;
        issue(core, warps_[slot * subcores + c], slot, now);
        choose(core);
    }

    // Greedy: the same warp again if it is ready. If nobody is, the one that will be first.
    static void choose(SubCore& core) {
        core.chosen = core.last;
        core.next = core.free;
        if (core.ready[core.last] <= core.free) return;
        core.chosen = none;
        const double first = earliest(core);
        if (first <= core.free) return;
        core.next = first;
    }

    static std::size_t youngest(const SubCore& core, double now) {
        std::size_t found = 0;
        std::uint32_t age = 0;
        for (std::size_t s = 0; s < core.ready.size(); ++s) {
            const bool better = core.ready[s] <= now && core.age[s] > age;
            age = better ? core.age[s] : age;
            found = better ? s : found;
        }
        return found;
    }

    // Four at a time, so that comparisons do not wait for each other; slots are a multiple of four.
    static double earliest(const SubCore& core) {
        double a = never, b = never, c = never, d = never;
        const double* ready = core.ready.data();
        for (std::size_t s = 0; s < core.ready.size(); s += 4) {
            a = ready[s] < a ? ready[s] : a;
            b = ready[s + 1] < b ? ready[s + 1] : b;
            c = ready[s + 2] < c ? ready[s + 2] : c;
            d = ready[s + 3] < d ? ready[s + 3] : d;
        }
        return std::min(std::min(a, b), std::min(c, d));
    }

    // The instruction leaves the warp now; where its unit, the register ports or the queue are taken it waits there,
    // and its warp with it.
    void issue(SubCore& core, Warp& warp, std::size_t slot, double now) {
        const std::size_t number = *warp.next;
        const Op& op = program_.ops[number];
        ++warp.next;
        account(core, core.reason[slot], op, now);
        core.free = now + op.fetch;
        Moment ready = begin(core, op, now);
        const double start = ready.time - op.stall;
        if (op.kind == Kind::exit && exit(core, warp, slot, now)) return;
        Moment operands{start + op.read_latency, {op.unit, never}}, done{start + op.latency, {op.unit, never}};
        if (op.path > 0) request(core, warp, op, number, start, ready, operands, done);
        if (op.kind == Kind::commit) {
            warp.group[warp.groups++ % group_history] = done = warp.copies;
            warp.copies = {};
        }
        if (op.write >= 0 && done.time > warp.counter[op.write].time) warp.counter[op.write] = done;
        if (op.read >= 0 && operands.time > warp.counter[op.read].time) warp.counter[op.read] = operands;
        if (op.kind == Kind::drain && warp.groups > op.groups && op.groups < group_history)
            latest(ready, warp.group[(warp.groups - 1 - op.groups) % group_history]);
        const Op& next = program_.ops[*warp.next];
        for (unsigned mask = next.wait, k = 0; mask != 0; mask >>= 1, ++k)
            if (mask & 1) latest(ready, warp.counter[k]);
        core.ready[slot] = ready.time;
        core.reason[slot] = ready.reason;
        if (op.kind == Kind::barrier) arrive(core, warp, slot, ready, now);
    }

    // When the warp may go on.
    Moment begin(SubCore& core, const Op& op, double now) {
        Queue& unit = core.unit[op.unit];
        double start = unit.take(now, op.gap);
        result_.busy[op.unit] += op.gap;
        Reason reason{op.unit, start > now ? unit.since + op.stall : never};
        for (int b = 0; b < banks; ++b) {
            if (op.ports[b] == 0) continue;
            if (core.port[b] > start + gathering) {
                start = core.port[b] - gathering;
                reason = {machine_.ports_name, 0};
            }
            core.port[b] = std::max(core.port[b], start) + op.ports[b];
        }
        return {start + op.stall, reason};
    }

    static void latest(Moment& a, const Moment& b) {
        if (b.time > a.time) a = b;
    }

    // Cycles without an instruction are put down to what this one waited for.
    void account(const SubCore& core, const Reason& reason, const Op& op, double now) {
        result_.issued += op.fetch;
        ++result_.executions[op.instruction];
        const double idle = now - core.free;
        if (idle <= 0) return;
        const double turns = std::clamp(now - reason.turn_from, 0.0, idle);
        const std::size_t at = 2 * reason.resource;
        result_.idle[at] += idle - turns;
        result_.idle[at + 1] += turns;
        double* waiting = &result_.waiting[op.instruction * 2 * machine_.resources + at];
        waiting[0] += idle - turns;
        waiting[1] += turns;
    }

    void arrive(SubCore& core, Warp& warp, std::size_t slot, const Moment& ready, double now) {
        barrier_ = std::max(barrier_, now) + machine_.barrier_gap;
        warp.pending = ready;
        core.ready[slot] = never;
        waits_[static_cast<std::size_t>(&warp - warps_.data())] = true;
        ++resident_[warp.block].arrived;
        release(warp.block, barrier_);
    }

    // False while the trace goes on: lanes may leave one after another.
    bool exit(SubCore& core, Warp& warp, std::size_t slot, double now) {
        if (warp.next != warp.last) return false;
        core.ready[slot] = never;
        core.end = std::max(core.end, core.free);
        Resident& block = resident_[warp.block];
        if (--block.alive > 0) {
            release(warp.block, now);
        } else {
            const double end = std::max(now, block.drained);  // its place is free when its stores have arrived
            drained_ = std::max(drained_, end);
            start(warp.block, end + machine_.block_turn);
        }
        return true;
    }

    // ----------------------------------------------------------------------------------- memory

    // From the sub-core's queue over the shared path to L1 or shared memory, or beyond.
    void request(SubCore& core, Warp& warp, const Op& op, std::size_t number, double now, Moment& ready, Moment& operands, Moment& done) {
        latest(ready, core.queue[core.head]);
        core.address = std::max(core.address, now) + machine_.address_gap;
        const double start = path_.take(core.address, op.path);
        result_.busy[op.path_name] += op.path;
        const std::uint8_t holder = held_until_ > path_.since ? holder_ : op.path_name;
        core.queue[core.head] = {start, {holder, 0}};
        core.head = core.head + 1 == core.queue.size() ? 0 : core.head + 1;
        operands = {start + op.read_latency, {holder, path_.since + op.read_latency}};
        done = {start + op.path + op.latency, {holder, path_.since + op.latency}};
        if (op.misses > 0 && (miss_[number] += op.misses) >= 1) {
            miss_[number] -= 1;
            beyond(op, number, start + op.path, done);
        }
        if (op.kind == Kind::store) resident_[warp.block].drained = std::max(resident_[warp.block].drained, done.time);
        if (op.copies) latest(warp.copies, done);
    }

    void beyond(const Op& op, std::size_t number, double now, Moment& done) {
        const double service = op.sectors * machine_.l2.gap + op.serial;
        const bool several = op.lines > 1;
        result_.busy[machine_.l2_name] += service;
        const double there = l2_.serve(now, service, several);
        latest(done, {there + op.more_latency, {machine_.l2_name, l2_.turn_from()}});
        if (op.far_misses > 0 && (far_[number] += op.far_misses) >= 1) {
            far_[number] -= 1;
            const double far_service = op.far_sectors * machine_.memory.gap;
            result_.busy[machine_.memory_name] += far_service;
            const double far_there = memory_.serve(now, far_service, several);
            if (op.kind != Kind::store)  // L2 acknowledges stores
                latest(done, {far_there + op.more_latency, {machine_.memory_name, memory_.turn_from()}});
        }
        const double held = std::max(l2_.free(), memory_.free()) - machine_.backlog;
        if (held <= path_.free) return;
        path_.free = held_until_ = held;
        holder_ = memory_.free() > l2_.free() ? machine_.memory_name : machine_.l2_name;
    }

    const Program& program_;
    const Machine& machine_;
    Result result_;
    SubCore core_[subcores];
    std::vector<Warp> warps_;
    std::vector<std::uint8_t> waits_;  // warps at a barrier
    std::vector<Resident> resident_;
    std::vector<double> miss_, far_;  // shares carried over from one execution to the next
    Queue path_;
    Share l2_, memory_;
    std::size_t widest_ = 0, started_ = 0;
    std::uint32_t age_ = 0;
    double barrier_ = 0, dispatch_ = 0, drained_ = 0;
    double held_until_ = 0;     // the path, by work ahead in L2 or memory
    std::uint8_t holder_ = 0;
};

}  // namespace

Result run(const Program& program, const Machine& machine) { return Multiprocessor(program, machine).finish(); }

}  // namespace foretell::timing
