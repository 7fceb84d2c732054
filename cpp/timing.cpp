#include "timing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foretell::timing {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double window = 4000;  // cycles over which the load of a queue is averaged
constexpr double full = 0.97;    // the load above which waiting is left to the queue itself
constexpr int group_history = 8;

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
    const std::uint32_t* first = nullptr;
    std::uint32_t trace = 0, block = 0, mark = 0;
    Moment counter[counters];
    Moment pending;              // what it waits for beside a barrier
    Moment copies;               // of the group that is open
    Moment group[group_history];
    std::uint32_t groups = 0;
};

struct Resident {
    std::uint32_t alive = 0, arrived = 0;
    double start = 0;
    bool used = false;
};

struct SubCore {
    std::vector<double> ready;        // of each slot; infinite: nobody, or at a barrier
    std::vector<Reason> reason;
    std::vector<std::uint32_t> age;   // larger is younger
    std::vector<double> unit;         // free again
    std::vector<Moment> queue;        // when the instruction so many places before left
    std::size_t head = 0, last = 0;
    double free = 0, next = never, address = 0;
    double port[banks] = {0, 0};
    double end = 0;
};

// A queue: when it is free, since when it has been busy without a break, and how loaded it has been of late.
struct Queue {
    double free = 0, since = 0, load = 0, at = 0;

    double waiting(double now, double service, double crowding) {
        const double passed = std::max(0.0, now - at);
        load = load * (window / (window + passed)) + service / window;
        at = std::max(at, now);
        const double busy = std::min(load, full);
        return crowding * busy / (1 - busy);
    }

    double take(double now, double service) {
        if (free <= now) since = now;
        const double start = std::max(free, now);
        free = start + service;
        return start;
    }
};

class Multiprocessor {
public:
    Multiprocessor(const Program& program, const Machine& machine) : program_(program), machine_(machine) {
        result_.busy.resize(machine.resources);
        result_.idle.resize(2 * machine.resources);
        result_.executions.resize(program.instructions);
        result_.waiting.resize(program.instructions * 2 * machine.resources);
        miss_.resize(program.ops.size(), 0.5);
        far_.resize(program.ops.size(), 0.5);
        for (const Trace& trace : program.traces) result_.marks.emplace_back(trace.marks.size());
        mark_counts_.resize(program.traces.size());
        for (std::size_t k = 0; k < mark_counts_.size(); ++k) mark_counts_[k].resize(program.traces[k].marks.size());
        widest_ = 0;
        for (const Block& block : program.blocks) widest_ = std::max(widest_, block.warps.size());
        const std::size_t slots = (program.resident * widest_ + subcores - 1) / subcores;
        for (SubCore& core : core_) {
            core.ready.assign(slots, never);
            core.reason.resize(slots);
            core.age.assign(slots, 0);
            core.unit.assign(machine.resources, 0);
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
        for (std::size_t k = 0; k < result_.marks.size(); ++k)
            for (std::size_t m = 0; m < result_.marks[k].size(); ++m)
                result_.marks[k][m] /= std::max(1.0, mark_counts_[k][m]);
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
        resident_[place] = {static_cast<std::uint32_t>(kind.warps.size()), 0, begin, true};
        for (std::size_t w = 0; w < kind.warps.size(); ++w) {
            const std::size_t number = place * widest_ + w, slot = number / subcores;
            SubCore& core = core_[number % subcores];
            Warp& warp = warps_[number];
            const Trace& trace = program_.traces[kind.warps[w]];
            warp = Warp{};
            warp.next = warp.first = trace.ops.data();
            warp.trace = kind.warps[w];
            warp.block = static_cast<std::uint32_t>(place);
            core.ready[slot] = begin;
            core.reason[slot] = {machine_.start_name, 0};
            core.age[slot] = ++age_;
            core.next = std::min(core.next, std::max(core.free, begin));
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
            core.next = std::min(core.next, std::max(core.free, later.time));
        }
    }

    // ----------------------------------------------------------------------------------- issue

    void step(std::size_t c) {
        SubCore& core = core_[c];
        const double now = core.next;
        std::size_t slot = core.last;
        if (core.ready[slot] > now) {  // greedy, then the youngest
            std::uint32_t youngest = 0;
            for (std::size_t s = 0; s < core.ready.size(); ++s)
                if (core.ready[s] <= now && core.age[s] > youngest) {
                    youngest = core.age[s];
                    slot = s;
                }
        }
        Warp& warp = warps_[slot * subcores + c];
        const Op& op = program_.ops[*warp.next];
        if (fits(core, slot, op, now)) {
            core.last = slot;
            issue(core, warp, slot, op, now);
        }
        if (core.ready[core.last] <= core.free) {
            core.next = core.free;
        } else {
            double least = never;
            for (const double ready : core.ready) least = std::min(least, ready);
            core.next = std::max(core.free, least);
        }
    }

    // Whether unit, queue and register ports can take it; if not the warp is ready when they can.
    bool fits(SubCore& core, std::size_t slot, const Op& op, double now) {
        const auto later = [&](double time, std::uint8_t resource, double turn_from) {
            core.ready[slot] = time;
            core.reason[slot] = {resource, turn_from};
            return false;
        };
        if (core.unit[op.unit] > now) return later(core.unit[op.unit], op.unit, 0);
        if (op.path > 0) {
            const Moment& before = core.queue[core.head];
            if (before.time > now) return later(before.time, before.reason.resource, 0);
        } else {
            for (int b = 0; b < banks; ++b)  // operands are gathered over three cycles
                if (op.ports[b] != 0 && core.port[b] > now + 2) return later(core.port[b] - 2, machine_.ports_name, 0);
        }
        return true;
    }

    void issue(SubCore& core, Warp& warp, std::size_t slot, const Op& op, double now) {
        account(core, core.reason[slot], op, now);
        core.free = now + machine_.issue;
        core.unit[op.unit] = now + op.gap;
        result_.busy[op.unit] += op.gap;
        for (int b = 0; b < banks; ++b) core.port[b] = std::max(core.port[b], now) + op.ports[b];
        const std::size_t number = *warp.next;
        ++warp.next;
        Moment ready{now + op.stall, {op.unit, never}};
        if (op.kind == Kind::exit && exit(core, warp, slot, now)) return;
        Moment operands{now + op.read_latency, {op.unit, never}}, done{now + op.latency, {op.unit, never}};
        if (op.path > 0) request(core, warp, op, number, now, operands, done);
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
        note_marks(warp, now);
        core.ready[slot] = ready.time;
        core.reason[slot] = ready.reason;
        if (op.kind == Kind::barrier) arrive(core, warp, slot, ready, now);
    }

    static void latest(Moment& a, const Moment& b) {
        if (b.time > a.time) a = b;
    }

    void note_marks(Warp& warp, double now) {
        const std::vector<std::uint32_t>& marks = program_.traces[warp.trace].marks;
        if (warp.mark == marks.size() || warp.first + marks[warp.mark] != warp.next) return;
        result_.marks[warp.trace][warp.mark] += now - resident_[warp.block].start;
        ++mark_counts_[warp.trace][warp.mark];
        ++warp.mark;
    }

    // Cycles without an instruction are put down to what this one waited for.
    void account(const SubCore& core, const Reason& reason, const Op& op, double now) {
        result_.issued += 1;
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
        const std::vector<std::uint32_t>& ops = program_.traces[warp.trace].ops;
        if (warp.next != ops.data() + ops.size()) return false;
        core.ready[slot] = never;
        core.end = std::max(core.end, core.free);
        Resident& block = resident_[warp.block];
        if (--block.alive == 0) start(warp.block, now + 1);
        else release(warp.block, now);
        return true;
    }

    // ----------------------------------------------------------------------------------- memory

    // From the sub-core's queue over the shared path to L1 or shared memory, or beyond.
    void request(SubCore& core, Warp& warp, const Op& op, std::size_t number, double now, Moment& operands, Moment& done) {
        core.address = std::max(core.address, now) + machine_.address_gap;
        const double start = path_.take(core.address, op.path);
        result_.busy[op.path_name] += op.path;
        const Reason turn{op.path_name, path_.since + op.latency};
        core.queue[core.head] = {start, turn};
        core.head = core.head + 1 == core.queue.size() ? 0 : core.head + 1;
        operands = {start + op.read_latency, turn};
        done = {start + op.path + op.latency, turn};
        if (op.misses > 0 && (miss_[number] += op.misses) >= 1) {
            miss_[number] -= 1;
            beyond(op, number, start + op.path, done);
        }
        if (op.kind == Kind::store) drained_ = std::max(drained_, done.time);
        if (op.copies) latest(warp.copies, done);
    }

    void beyond(const Op& op, std::size_t number, double now, Moment& done) {
        const double service = op.sectors * machine_.l2.gap + op.serial;
        const double crowd = l2_.waiting(now, service, machine_.l2.crowding);
        const double start = l2_.take(now, service);
        result_.busy[machine_.l2_name] += service;
        const double tail = machine_.l2.latency + crowd;
        latest(done, {start + service + tail, {machine_.l2_name, l2_.since + machine_.l2.latency}});
        if (op.far_misses > 0 && (far_[number] += op.far_misses) >= 1) {
            far_[number] -= 1;
            const double far_service = op.far_sectors * machine_.memory.gap;
            const double far_crowd = memory_.waiting(start, far_service, machine_.memory.crowding);
            const double far_start = memory_.take(start, far_service);
            result_.busy[machine_.memory_name] += far_service;
            latest(done, {far_start + far_service + machine_.memory.latency + far_crowd,
                          {machine_.memory_name, memory_.since + machine_.memory.latency}});
        }
        const double held = std::max(l2_.free, memory_.free) - machine_.backlog;
        if (held > path_.free) path_.free = held;
    }

    const Program& program_;
    const Machine& machine_;
    Result result_;
    SubCore core_[subcores];
    std::vector<Warp> warps_;
    std::vector<std::uint8_t> waits_;  // warps at a barrier
    std::vector<Resident> resident_;
    std::vector<double> miss_, far_;  // shares carried over from one execution to the next
    std::vector<std::vector<double>> mark_counts_;
    Queue path_, l2_, memory_;
    std::size_t widest_ = 0, started_ = 0;
    std::uint32_t age_ = 0;
    double barrier_ = 0, dispatch_ = 0, drained_ = 0;
};

}  // namespace

Result run(const Program& program, const Machine& machine) { return Multiprocessor(program, machine).finish(); }

}  // namespace foretell::timing
