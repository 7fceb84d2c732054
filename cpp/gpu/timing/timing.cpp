#include "gpu/timing/timing.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "gpu/timing/state.hpp"
#include "gpu/timing/waits.hpp"

namespace foretell::timing {
namespace {

constexpr double golden = 0.6180339887498949;

// Branches instead of conditional moves: they are mostly predicted, and then nothing depends on the times compared.
// Code after mispredicted branches is kept out of line.
//
// Sub-cores interact through memory requests, barriers, ends of blocks and first fetches of code; these are simulated
// in time order. In between, each sub-core runs ahead alone, but not beyond the time at which another could wake one of
// its warps.
class Multiprocessor {
public:
    Multiprocessor(const Program& program, const Machine& machine)
        : program_(program), machine_(machine), l2_(machine.l2), slice_(machine.l2), memory_(machine.memory) {
        for (const Block& block : program.blocks) widest_ = std::max(widest_, block.warps.size());
        const std::size_t slots = (program.resident * widest_ + subcores - 1) / subcores;
        if (slots > Pool::most) throw std::invalid_argument("more than 256 warps on a multiprocessor");
        if (machine.resources > most_resources) throw std::invalid_argument("more than 64 resources");
        core_.assign(subcores, SubCore(slots, machine.queue));
        for (std::size_t number = 0; number < program.resident * widest_; ++number) seats_.push_back(seat_of(number));
        resident_.resize(program.resident);
        seen_.resize(program.instructions);
        result_.waiting.resize(program.instructions * 2 * machine.resources);
        steps_.reserve(program.ops.size());
        demands_.reserve(program.ops.size());
        for (const Op& op : program.ops) {
            steps_.emplace_back(op, &result_.waiting[op.instruction * 2 * machine.resources]);
            demands_.emplace_back(op, machine, demands_.size());
        }
        usual_fetch_ = steps_.empty() ? 0 : steps_[0].fetch;
    }

    Result finish() {
        for (std::size_t position = 0; position < program_.resident; ++position) start(position, 0);
        for (;;) {
            // the earliest sub-core (of equals the lowest number), and the time of the next one
            const double next[subcores] = {core_[0].next, core_[1].next, core_[2].next, core_[3].next};
            const double early = sooner(next[0], next[1]), late = sooner(next[2], next[3]);
            const std::size_t half = late < early;
            const std::size_t first = 2 * half + (next[2 * half + 1] < next[2 * half]);
            if (next[first] == never) {
                if (!release_waiting()) break;
                continue;
            }
            run_ahead(core_[first], sooner(later(next[2 * half], next[2 * half + 1]), later(early, late)));
        }
        summarise();
        return std::move(result_);
    }

private:
    // Issues the next instruction of the earliest sub-core, and all that are independent of the others.
    void run_ahead(SubCore& core, double others) {
        const double horizon = others + reach_;
        double limit = never;  // for instructions in global time order: the first one is due
        double now = core.next;
        std::uint32_t slot = core.chosen != none ? core.chosen : core.pool.take(now);
        core.chosen = none;
        for (;; limit = others) {
            Warp& warp = core.warps[slot];
            Step& step = *warp.step;
            if (step.scope == Scope::local) {
                issue(core, warp, step, now);
            } else {
                if (now >= limit) break;
                if (step.scope == Scope::path) issue_request(core, slot, warp, step, now);
                else if (issue_in_order(core, slot, warp, step, now)) return;
            }
            now = core.free;
            const double ready = warp.ready.time;
            if (ready <= now) {  // greedy: the same warp again
                if (now < horizon) continue;
                break;
            }
            const double earliest = core.pool.earliest();
            if (earliest > now) {        // none is ready
                if (ready < earliest) {  // the same warp is the first again
                    now = ready;
                    if (now < horizon) continue;
                } else {
                    now = earliest;
                }
            }
            if (now >= horizon) {
                core.next = now;
                return core.pool.add(slot, ready);
            }
            slot = core.pool.change(slot, ready, now);
        }
        core.next = now;
        core.chosen = slot;
    }

    // Minimum cycles until an instruction may wake a warp of another sub-core: at barriers, or where blocks follow
    // others.
    double reach() const {
        const auto barrier = [](const Op& op) {
            return op.kind == Kind::barrier || op.kind == Kind::pass || op.object != 0;
        };
        const bool barriers = std::ranges::any_of(program_.ops, barrier),
                   turns = program_.order.size() > program_.resident;
        return sooner(barriers ? machine_.barrier_gap : never, turns ? machine_.block_turn : never);
    }

    // Sub-core of a warp: round-robin; if blocks fill all sub-cores evenly, each block starts at the next one.
    SubCore& core_of(std::size_t number) {
        return core_[(number + (widest_ % subcores == 0 ? number / widest_ : 0)) % subcores];
    }

    Seat seat_of(std::size_t number) {
        SubCore& core = core_of(number);
        return {&core, &core.warps[number / subcores], static_cast<std::uint32_t>(number / subcores)};
    }

    // ----------------------------------------------------------------------------------- blocks

    // Starts the next block in a free position.
    void start(std::size_t position, double now) {
        if (started_ == program_.order.size()) return;
        const Block& kind = program_.blocks[program_.order[started_++]];
        const double begin = later(now, dispatch_);
        dispatch_ = begin + machine_.block_start;
        resident_[position] = {static_cast<std::uint32_t>(kind.warps.size()), begin, {}, {}};
        for (std::size_t w = 0; w < kind.warps.size(); ++w) {
            const Seat& seat = seats_[position * widest_ + w];
            const Trace& trace = program_.traces[kind.warps[w]];
            Warp& warp = *seat.warp = Warp{};
            seat.core->copies[seat.slot] = Copies{};
            warp.next = trace.data();
            warp.step = &steps_[trace[0]];
            warp.last = trace.data() + trace.size();
            warp.block = static_cast<std::uint32_t>(position);
            seat.core->pool.renew(seat.slot);
            wake(seat, {begin, {all_turn, machine_.start_name}});
        }
    }

    // Wakes the warps that wait at a barrier of the block. What uses no memory goes on when all have arrived
    // (BAR.SYNC.DEFER_BLOCKING); requests, further barriers and exits wait until it is open (validation/h200/waits,
    // l_meet: barriers with a product between them take 16.8 cycles, and 48 more if twelve products follow one of them),
    // but not of some threads of a block (loops, l_halves_0/128x1).
    void open(std::uint32_t position, std::uint32_t number, double now) {
        Barrier& barrier = resident_[position].barriers[number];
        const bool defers = barrier.later == 0 && barrier.needed == 0;
        barrier.arrived = 0;
        for (std::size_t seat = position * widest_; seat < (position + 1) * widest_; ++seat) {
            Warp& warp = *seats_[seat].warp;
            if (warp.at_barrier != number + 1) continue;
            warp.at_barrier = 0;
            Moment open = warp.opened = {now + machine_.barrier_latency + barrier.later, {0, machine_.barrier_name}};
            if (defers && warp.step->own == Scope::local) open.time = now;
            latest(open, warp.pending);
            wake(seats_[seat], open);
        }
    }

    // A warp arrives at a barrier.
    void arrive(const Warp& warp, const Op& op, double now) {
        Barrier& barrier = resident_[warp.block].barriers[op.groups % block_barriers];
        barrier.later = op.more_latency;
        barrier.needed = op.amount / warp_threads;
        barrier_ = later(barrier_, now) + machine_.barrier_gap;
        ++barrier.arrived;
        const bool last = barrier.complete(resident_[warp.block].alive);
        path_.take(now, machine_.arrival_path + (last ? machine_.release_path : 0));
        if (last) open(warp.block, op.groups % block_barriers, barrier_);
    }

    // The same, and it waits there.
    void wait_at(Warp& warp, const Op& op, const Moment& ready, double now) {
        warp.pending = ready;
        warp.at_barrier = static_cast<std::uint8_t>(op.groups % block_barriers + 1);
        arrive(warp, op, now);
    }

    // An mbarrier begins, or a warp arrives at it.
    void of_object(const Warp& warp, const Op& op, double now) {
        Object& object = resident_[warp.block].object(op.object);
        if (op.kind == Kind::begin) {
            object.needed = op.amount;
        } else {
            object.arrived += op.lanes;
            object.announced += op.amount;
            latest(object.last, {now + machine_.barrier_latency, {0, machine_.barrier_name}});
            close(object);
        }
    }

    // Whether the warp waits for an mbarrier until another wakes it.
    bool waits_for(SubCore& core, std::uint32_t slot, Warp& warp, const Op& op, Moment& ready, double now) {
        Object& object = resident_[warp.block].object(op.object);
        if (const Moment* end = object.awaited(now, op.amount)) {
            latest(ready, *end);
            return false;
        }
        warp.pending = ready;
        core.set_aside(slot, never);
        object.waiting.push_back({&core, &warp, slot});
        return true;
    }

    // Wakes warps at barriers that nobody completes: iterations of the others were left out. False if there are none.
    bool release_waiting() {
        bool any = false;
        for (Resident& block : resident_)
            for (Object& object : block.objects) {
                any = any || !object.waiting.empty();
                for (const Seat& seat : std::exchange(object.waiting, {})) wake(seat, seat.warp->pending);
            }
        if (any) return true;  // these may come to the barriers of the others
        for (const Seat& seat : seats_) {
            if (seat.warp->at_barrier == 0) continue;
            any = true;
            resident_[seat.warp->block].barriers[std::exchange(seat.warp->at_barrier, 0) - 1u].arrived = 0;
            wake(seat, seat.warp->pending);
        }
        return any;
    }

    void exit(SubCore& core, const Warp& warp, double now) {
        core.end = later(core.end, core.free);
        Resident& block = resident_[warp.block];
        if (--block.alive > 0) {
            for (std::uint32_t number = 0; number < block_barriers; ++number)
                if (block.barriers[number].complete(block.alive)) open(warp.block, number, now);
        } else {
            drained_ = std::max({drained_, now, block.drained});
            start(warp.block, later(now + machine_.block_turn, block.drained));  // its stores complete meanwhile
        }
    }

    // ----------------------------------------------------------------------------------- issue

    // Issues an instruction now; if its unit, the register ports or the queue are busy, it waits there, and its warp
    // with it.
    void issue(SubCore& core, Warp& warp, Step& step, double now) {
        Moment ready = begin(core, warp, step, now);
        if (step.write != unwritten)
            latest(warp.counter[step.write], {ready.time - step.stall + step.latency, {0, step.unit}});
        warp.ready = after(core, warp, step, ready, now);
    }

    // The same with a memory request.
    [[gnu::noinline]] void issue_request(SubCore& core, std::uint32_t slot, Warp& warp, const Step& step, double now) {
        Demand& op = demands_[*warp.next];
        Moment ready = begin(core, warp, step, now);
        request(core, slot, warp, op, ready.time - step.stall, ready);
        warp.ready = after(core, warp, step, ready, now);
    }

    // Issues an instruction in global time order. True if it may have woken others, or if the warp cannot continue by
    // itself.
    [[gnu::noinline]] bool issue_in_order(SubCore& core, std::uint32_t slot, Warp& warp, Step& step, double now) {
        const std::uint32_t number = *warp.next;
        const Op& op = program_.ops[number];
        Moment ready = begin(core, warp, step, now);
        if (!seen_[step.instruction]) core.free = now + fetched(step);
        step.scope = step.own;
        if (op.kind == Kind::exit && warp.next == warp.last) {  // lanes may exit one after another
            core.set_aside(slot, never);
            exit(core, warp, now);
            return true;
        }
        const double start = ready.time - op.stall;
        if (op.path > 0) {
            request(core, slot, warp, demands_[number], start, ready);
        } else {
            Moment done{start + op.latency, {0, op.unit}};
            if (op.kind == Kind::commit || op.kind == Kind::drain) group(warp, core.copies[slot], op, ready, done);
            if (op.kind == Kind::fence) fence(warp, op, ready);
            if (op.kind >= Kind::product) products(core.copies[slot], op, start, ready);
            latest(warp.counter[step.write], done);
            if (op.read >= 0) latest(warp.counter[op.read], {start + op.read_latency, {0, op.unit}});
        }
        if (op.walked > 0) walk(warp, op, start, ready);
        ready = after(core, warp, step, ready, now);
        if (op.kind == Kind::barrier) {
            core.set_aside(slot, never);
            wait_at(warp, op, ready, now);
            return true;
        }
        if (op.kind == Kind::pass) arrive(warp, op, now);
        if (op.kind == Kind::begin || op.kind == Kind::arrive) of_object(warp, op, now);
        if (op.kind == Kind::await && waits_for(core, slot, warp, op, ready, now)) return true;
        warp.ready = ready;
        if (op.object == 0 && op.kind != Kind::pass) return false;
        core.set_aside(slot, ready.time);  // it may have woken others
        return true;
    }

    // Constants by an index. Warps in step share a line, which others replace (validation/h200/waits, l_walk). The warp
    // goes on when the line is there if the result has no counter.
    void walk(Warp& warp, const Op& op, double now, Moment& ready) {
        warp.walked += op.walked;
        if (warp.walked < 1) return;
        warp.walked -= 1;
        ++warp.line;
        const double landed =
            constants_[op.write >= 0].landed(op.leaps ? 0 : warp.line, now, op.line_gap, op.line_wait);
        if (landed <= now) return;
        if (op.write >= 0) latest(warp.counter[op.write], {landed + op.path + op.latency, {all_turn, op.unit}});
        else latest(ready, {landed, {all_turn, op.unit}});
    }

    // Cycles to fetch an instruction for the first time (instruction cache miss).
    double fetched(const Step& step) {
        seen_[step.instruction] = true;
        cold_ += later(machine_.cold_fetch, step.fetch) - step.fetch;
        return later(machine_.cold_fetch, step.fetch);
    }

    // Time at which the warp may continue, apart from the dependences of the next instruction.
    Moment begin(SubCore& core, Warp& warp, const Step& step, double now) {
        if (now > core.free) account(warp.ready, step, now, now - core.free);
        core.free = now + usual_fetch_;
        if (step.fetch != usual_fetch_) [[unlikely]]
            core.free = now + step.fetch;
        ++warp.next;
        Queue& unit = core.unit[step.unit];
        const double turn = unit.take(now, step.gap);
        const double even = core.port[0] - machine_.operand_wait + step.reads[0],
                     odd = core.port[1] - machine_.operand_wait + step.reads[1];
        core.port[0] = later(core.port[0], turn + step.reads[0]) + step.ports[0];
        core.port[1] = later(core.port[1], later(turn, even) + step.reads[1]) + step.ports[1];
        const double operands = later(even, odd);
        if (operands > turn) return {operands + step.stall, {all_turn, machine_.ports_name}};
        return {turn + step.stall, {static_cast<float>(turn - unit.since), step.unit}};
    }

    // Adds the dependences of the warp's next instruction.
    Moment after(SubCore& core, Warp& warp, const Step& step, Moment ready, double now) {
        Step& next = *(warp.step = &steps_[*warp.next]);
        if (next.instruction != step.instruction + 1) {
            if (next.instruction == step.instruction) core.unit[step.unit].free += step.again;
            if (ready.time < now + machine_.branch) ready.time = now + machine_.branch;
        }
        for (unsigned mask = next.wait; mask != 0; mask &= mask - 1)
            latest(ready, warp.counter[std::countr_zero(mask)]);
        if (next.own != Scope::local) latest(ready, warp.opened);
        return ready;
    }

    // ----------------------------------------------------------------------------------- memory

    // Waits for all requests of the warp, and its turn among the fences of the multiprocessor.
    void fence(Warp& warp, const Op& op, Moment& ready) {
        const double turn = fences_.take(ready.time, op.serial);
        const double done = turn + op.latency + (std::exchange(warp.asked, false) ? op.more_latency : 0);
        for (const Moment& counter : warp.counter) latest(ready, counter);
        latest(ready, warp.stored);
        latest(ready, {done, {static_cast<float>(turn - fences_.since), machine_.barrier_name}});
    }

    // Passes a request from the sub-core's queue over the shared path to L1 or shared memory, or beyond.
    void request(SubCore& core, std::uint32_t slot, Warp& warp, Demand& op, double now, Moment& ready) {
        Moment& entry = core.queue[core.head];
        core.head = core.head + 1 == core.queue.size() ? 0 : core.head + 1;
        latest(ready, entry);
        core.address = later(core.address, now) + machine_.address_gap;
        Queue& path = op.constants ? constants_path_ : path_;
        const double start = path.take(core.address, op.path);
        const std::uint8_t holder = held_until_ > path.since && !op.constants ? holder_ : op.path_name;
        entry = {start, {all_turn, holder}};
        const auto turn = [&](double time) { return Reason{static_cast<float>(time - path.since), holder}; };
        if (op.read != unwritten) latest(warp.counter[op.read], {start + op.read_latency, turn(start)});
        Moment done{start + op.path + op.latency, turn(start + op.path)};
        if (op.misses > 0 && (op.miss += op.misses) >= 1) {
            op.miss -= 1;
            warp.asked = true;
            beyond(op, warp, start + op.path, done);
        } else if (op.joins > 0 && (op.join += op.joins) >= 1) {
            op.join -= 1;
            join(op, start + op.path, done);
        }
        if (op.store) {
            resident_[warp.block].drained = later(resident_[warp.block].drained, done.time);
            latest(warp.stored, done);
        }
        if (op.copies) latest(core.copies[slot].open, done);
        if (op.object != 0) {
            Object& object = resident_[warp.block].object(op.object);
            object.landed += op.amount;
            latest(object.last, done);
            close(object);
        }
        latest(warp.counter[op.write], done);
    }

    // Quasi-random number between 0 and 1: selects the requests with long latency. Consecutive requests are mostly to
    // adjacent lines.
    double quantile_of(Demand& op) const {
        const double sequence = golden * static_cast<double>(op.times++ / machine_.partition_run + op.begins);
        return sequence - static_cast<double>(static_cast<std::int64_t>(sequence));
    }

    // Waits for a line in flight that another warp has requested.
    void join(const Demand& op, double now, Moment& done) {
        const bool late = op.far_misses >= 0.5;
        Share& share = late ? memory_ : l2_;
        const double completion = share.serve(now, 0, 0);
        latest(done,
               {completion,
                {static_cast<float>(completion - share.turn_from()), late ? machine_.memory_name : machine_.l2_name}});
    }

    void beyond(Demand& op, const Warp& warp, double now, Moment& done) {
        const auto wait_for = [&](const Share& share, double completion, std::uint8_t name) {
            latest(done, {completion + op.more_latency,
                          {static_cast<float>(completion + op.more_latency - share.turn_from()), name}});
        };
        const double quantile = quantile_of(op), beside = op.store ? 0 : machine_.beside * memory_.pressure();
        const double alone = merging_.unmerged(op, warp);
        wait_for(l2_, l2_.serve(now, op.service * alone, l2_.later_of(quantile, op.spread) + beside, op.crowds),
                 machine_.l2_name);
        if (op.busiest > 0) wait_for(slice_, slice_.serve(now, op.busiest, 0, 0), machine_.l2_name);
        if (op.written > 0) writes_.take(now, op.written * alone);
        if (op.far_misses > 0 && (op.far += op.far_misses) >= 1) {
            op.far -= 1;
            const double completion = memory_.serve(now, op.far_service, memory_.later_of(quantile, op.spread));
            if (!op.store) wait_for(memory_, completion, machine_.memory_name);  // L2 acknowledges stores
        }
        const double l2_free = later(later(l2_.free(), slice_.free()), writes_.free);
        const double held = later(l2_free, memory_.free()) - machine_.backlog;
        if (held <= path_.free) return;
        path_.free = held_until_ = held;
        holder_ = memory_.free() > l2_free ? machine_.memory_name : machine_.l2_name;
    }

    // ----------------------------------------------------------------------------------- sums

    void summarise() {
        result_.cycles = drained_;
        for (const SubCore& core : core_) result_.cycles = later(result_.cycles, core.end);
        for (const SubCore& core : core_) result_.tail += result_.cycles - core.free;
        result_.issued = cold_;
        result_.busy.resize(machine_.resources);
        result_.executions.resize(program_.instructions);
        const std::vector<std::uint64_t> executed = executions_of(program_);
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            const Op& op = program_.ops[k];
            const auto count = static_cast<double>(executed[k]);
            result_.executions[op.instruction] += count;
            result_.issued += count * op.fetch;
            result_.busy[op.unit] += count * op.gap;
            if (op.path > 0) result_.busy[op.path_name] += count * op.path;
        }
        result_.busy[machine_.l2_name] += later(l2_.used(), slice_.used());
        result_.busy[machine_.memory_name] += memory_.used();
        result_.idle.resize(2 * machine_.resources);
        const double* waiting = result_.waiting.data();
        for (std::size_t k = 0; k < program_.instructions; ++k)
            for (double& idle : result_.idle) idle += *waiting++;
    }

    const Program& program_;
    const Machine& machine_;
    double reach_ = reach();
    double usual_fetch_;
    std::vector<Step> steps_;
    Result result_;
    std::vector<SubCore> core_;
    std::vector<Seat> seats_;  // warps by position of the block
    std::vector<Resident> resident_;
    std::vector<Demand> demands_;     // by op
    std::vector<std::uint8_t> seen_;  // instructions that were executed
    Queue path_, constants_path_, writes_, fences_;
    Share l2_, slice_, memory_;
    Constants constants_[2] = {
        Constants(), Constants(machine_.constant_lines)};  // by an index in a uniform register, and in one of each lane
    std::size_t widest_ = 0, started_ = 0;
    double barrier_ = 0, dispatch_ = 0, drained_ = 0, cold_ = 0;
    double held_until_ = 0;  // path, stalled by the backlog of L2 or memory
    std::uint8_t holder_ = 0;
    Merging merging_;
};

}  // namespace

Result run(const Program& program, const Machine& machine) { return Multiprocessor(program, machine).finish(); }

}  // namespace foretell::timing
