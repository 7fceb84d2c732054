// Control flow of the functional core: scheduling of lanes, branches, reconvergence, block barriers.
#include "gpu/functional/functional.hpp"

#include <algorithm>

#include "gpu/functional/convergence.hpp"
#include "gpu/functional/rounds.hpp"

namespace foretell::functional {
namespace {

// Assumed trip count of a loop with an unknown condition; a branch back or out is taken after as many refusals.
constexpr std::uint16_t unknown_trips = 8;

class Runner {
public:
    Runner(const Program& program, const Launch& launch)
        : program_(program.instructions()),
          launch_(launch),
          prepared_(program.prepared(Memory::any_contents(launch))),
          decoded_(prepared_.text),
          memory_(launch, prepared_.steering),
          missing_(program_.size(), false),
          tried_(program_.size(), false),
          shapes_of_(program_.size()) {
        result_.counters.resize(program_.size());
        result_.shapes.resize(program_.size());
        for (std::size_t i = 0; i < program_.size(); ++i) result_.shapes[i].instruction = static_cast<std::uint32_t>(i);
    }

    void block(std::uint64_t number) {
        Block block;
        block.x = static_cast<std::uint32_t>(number % launch_.grid[0]);
        block.y = static_cast<std::uint32_t>(number / launch_.grid[0] % launch_.grid[1]);
        block.z = static_cast<std::uint32_t>(number / launch_.grid[0] / launch_.grid[1]);
        if (prepared_.steering.shared) block.shared.assign(launch_.shared_bytes / 4, Cell{});
        std::vector<Warp> warps = make_warps();
        before_ = issued_;
        BlockTrace& trace = result_.blocks.emplace_back();
        trace.number = number;
        trace.warps.resize(warps.size());
        while (!result_.budget_exceeded && round(warps, block)) {}
        trace.instructions = issued_ - before_;
        longest_ = std::max(longest_, trace.instructions);
        for (const Warp& warp : warps) result_.took_for_ordinary |= warp.took_for_ordinary;
        trace.sectors = different_sectors(trace.lines);
        lines_ += trace.lines.size();
    }

    // Whether `blocks` blocks, each as long as the longest so far, are within the limit.
    bool affords(std::uint64_t blocks) const { return longest_ * blocks <= launch_.enough; }

    // Executes a block without keeping its trace. `launch.budget` ends it.
    Count count(std::uint64_t number) {
        memory_.count_only();
        const std::uint64_t before = executed();
        block(number);
        const BlockTrace& trace = result_.blocks.back();
        Count result{number, trace.instructions, executed() - before, 0, trace.requested, !result_.budget_exceeded};
        for (const WarpTrace& warp : trace.warps)
            result.longest_warp = std::max<std::uint64_t>(result.longest_warp, warp.shapes.size());
        result_.blocks.clear();
        result_.budget_exceeded = false;
        unknown_seen_.clear();
        lines_ = 0;
        return result;
    }

    std::uint64_t executed() const { return issued_ - result_.left_out; }

    Result finish() {
        for (std::size_t i = 0; i < missing_.size(); ++i)
            if (missing_[i]) result_.not_executed.push_back(i);
        result_.shared_end = memory_.shared_end();
        result_.asked_other_blocks = memory_.asked_other_blocks();
        result_.beyond = memory_.beyond();
        result_.updates = memory_.updates();
        if (!prepared_.waits) number_in_phases(result_, program_.size());
        return std::move(result_);
    }

private:
    std::vector<Warp> make_warps() const {
        const std::uint32_t threads = launch_.block[0] * launch_.block[1] * launch_.block[2];
        std::vector<Warp> warps((threads + lanes - 1) / lanes);
        for (std::size_t w = 0; w < warps.size(); ++w) {
            warps[w].r.resize(prepared_.registers);
            warps[w].first_thread = static_cast<std::uint32_t>(w * lanes);
            const std::uint32_t here = std::min<std::uint32_t>(lanes, threads - warps[w].first_thread);
            warps[w].exited = here == lanes ? 0 : all_lanes << here;
        }
        return warps;
    }

    // Runs every warp to a barrier or its end; releases the barrier if all warps wait. False at the end.
    bool round(std::vector<Warp>& warps, Block& block) {
        unknown_seen_.resize(warps.size());
        for (std::size_t w = 0; w < warps.size(); ++w) {
            unknown_seen_[w].resize(program_.size(), 0);
            seen_ = &unknown_seen_[w];
            trace_ = &result_.blocks.back().warps[w];
            memory_.log(result_.blocks.back(), *trace_);
            iterations_.branch = nullptr;
            while (!warps[w].done() && !warps[w].waiting() && !result_.budget_exceeded) {
                closed_ = nullptr;
                step(warps[w], block);
                if (closed_ != nullptr) leave_out_rounds(warps[w], block, *closed_);
            }
        }
        bool again = false;
        for (Warp& warp : warps) {
            if (warp.done()) continue;
            advance(warp, warp.at_barrier);
            warp.at_barrier = 0;
            again = true;
        }
        if (!again) unknown_seen_.clear();
        return again;
    }

    void step(Warp& warp, Block& block) {
        std::uint32_t pc;
        const Mask active = runnable(warp, pc);
        if (active == 0) return release_all(warp);
        if (pc >= program_.size()) {  // ran past the end: these lanes are done
            warp.exited |= active;
            return;
        }
        if (++issued_ - before_ > launch_.budget || lines_ + result_.blocks.back().lines.size() > launch_.most_lines) {
            result_.budget_exceeded = true;
            return;
        }
        const Decoded& d = decoded_[pc];
        if (d.idle > 1 && tried_[pc] && idle(d, warp, pc, active)) return;
        Counters& counters = result_.counters[pc];
        ++counters.executions;
        trace_->shapes.push_back(pc);
        const Truth guard = warp.guard(*d.source);
        const Mask certain = active & guard.known & guard.v, unsure = active & ~guard.known;
        counters.active_lanes += std::popcount(certain | unsure);
        if (!control(d, warp, pc, active, certain, unsure, counters)) {
            advance(warp, active);
            if ((certain | unsure) != 0) compute(d, warp, block, pc, certain, unsure, counters);
        }
    }

    // Counts instructions whose results are not needed, up to the next that is; false at the end of the budget.
    bool idle(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active) {
        if (issued_ - before_ + d.idle > launch_.budget) return false;
        issued_ += d.idle - 1;  // one is counted
        const std::size_t at = trace_->shapes.size();
        trace_->shapes.resize(at + d.idle);
        for (std::uint32_t k = 0; k < d.idle; ++k) {
            trace_->shapes[at + k] = pc + k;
            ++result_.counters[pc + k].executions;
            result_.counters[pc + k].active_lanes += std::popcount(active);
        }
        if (active == all_lanes)
            for (std::uint32_t& lane : warp.pc) lane += d.idle;
        else each(active, [&](int lane) { warp.pc[lane] += d.idle; });
        return true;
    }

    static constexpr int most_visits = 8;      // iterations without constant increments after which none is skipped
    static constexpr int most_asking = 4;      // the same for loops with memory requests, which are expensive anyway
    static constexpr std::uint64_t parts = 8;  // in which such a loop is skipped

    // After two iterations with equal register increments, skips all up to the last but one: a loop that only computes,
    // or requests memory of unknown contents, ends when its induction variable reaches the bound.
    void leave_out_rounds(Warp& warp, Block& block, const Decoded& branch) {
        Iterations& v = iterations_;
        const bool next = v.branch == &branch && trace_->shapes.size() == v.at + branch.round;
        std::vector<Request> asked = memory_.requests();
        v.at = trace_->shapes.size();
        v.branch = &branch;
        v.count = next ? v.count + 1 : 1;
        if (v.count == 1 || v.count > (branch.asking ? most_asking : most_visits)) return;
        if (v.count > 3 && same_round(branch.round) && alike(after(v.last(), v.earlier(), 1), warp) && steady(asked)) {
            const std::uint64_t rounds = rounds_to_go(warp, branch);
            const std::uint64_t part = branch.asking ? std::max<std::uint64_t>(8, rounds / parts) : rounds;
            for (std::uint64_t left = rounds; left > 8; left -= std::min(left, part) - 3)
                if (!leap(warp, block, branch, static_cast<std::uint32_t>(std::min(left, part) - 4), asked)) break;
            v.count = most_visits;
            v.at = trace_->shapes.size();
            return;
        }
        v.add(warp, std::move(asked));
    }

    // Whether the requests of an iteration extrapolate those of the two before: the same lanes, equal increments.
    bool steady(const std::vector<Request>& asked) const {
        const auto &last = iterations_.last_requests(), &earlier = iterations_.requests[1 - iterations_.newest];
        return last.size() == earlier.size() && alike(asked, after(last, earlier, 1));
    }

    // Iterations until the first lane leaves the loop.
    std::uint64_t rounds_to_go(Warp& warp, const Decoded& branch) {
        const Decoded& d = *branch.condition;
        Compare how = d.compare;
        if (branch.source->guard_negated) {
            if (how > Compare::ge) return 0;
            how = opposite(how);
        }
        const auto difference = [&](Warp& at, int lane) {
            Block none;
            const Alu alu(at, none, launch_, all_lanes, all_lanes);
            return difference_of(d, alu.read(d.source->operands[2]).v[lane], alu.read(d.source->operands[3]).v[lane]);
        };
        std::uint64_t least = comparisons_.alike(branch, warp.alive());
        each(warp.alive(), [&](int lane) {
            const std::int64_t now = difference(warp, lane);
            least = std::min(least, rounds_left(how, now, now - difference(iterations_.last(), lane)));
        });
        return least;
    }

    // Whether the last two iterations executed the same instructions, regardless of their global requests.
    bool same_round(std::size_t length) const {
        const auto end = trace_->shapes.end();
        return std::equal(end - length, end, end - 2 * length, [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t instruction = result_.shapes[a].instruction;
            return a == b || (decoded_[instruction].asks && instruction == result_.shapes[b].instruction);
        });
    }

    // Skips iterations and executes the next one; if that differs from the expectation, restores the state and returns
    // false. `asked`: requests of the last iteration.
    bool leap(Warp& warp, Block& block, const Decoded& branch, std::uint32_t rounds, std::vector<Request>& asked) {
        const std::uint64_t length = branch.round, left_out = rounds * length;
        if (issued_ - before_ + left_out > launch_.budget) return false;  // the budget ends it anyway
        const auto first = result_.counters.begin() + (branch.source - program_.data()) + 1 - length;
        const std::vector<Counters> counted(first, first + length);
        BlockTrace& trace = result_.blocks.back();
        const std::size_t shapes = trace_->shapes.size(), accesses = trace_->accesses.size(),
                          lines = trace.lines.size();
        const std::uint64_t requested = trace.requested, issued = issued_;
        const Warp now = warp, expected = after(now, iterations_.last(), rounds + 1),
                   before = after(now, iterations_.last(), rounds);
        repeat_round(asked, length, rounds);
        const std::vector<Counters> repeated(first, first + length);
        warp = before;
        const std::size_t end = trace_->shapes.size() + length;
        for (std::uint64_t k = 0; k < length && trace_->shapes.size() < end && !result_.budget_exceeded; ++k) {
            closed_ = nullptr;
            step(warp, block);
        }
        std::vector<Request> requests = memory_.requests();
        const auto& last_requests = iterations_.last_requests();
        if (closed_ != &branch || !same_round(length) || !alike(warp, expected) ||
            !alike(requests, after(asked, last_requests, rounds + 1))) {
            warp = now;
            std::copy(counted.begin(), counted.end(), first);
            trace_->shapes.resize(shapes);
            trace_->accesses.resize(accesses);
            trace.lines.resize(lines);
            trace.requested = requested;
            issued_ = issued;
            return false;
        }
        for (std::uint64_t k = 0; k < length; ++k)
            repeat(first[k], repeated[k], rounds, decoded_[first - result_.counters.begin() + k].asks);
        issued_ += left_out;
        result_.left_out += left_out;
        iterations_.add(before, after(asked, last_requests, rounds));
        asked = std::move(requests);
        return true;
    }

    // Repeats the last iteration in the trace, with requests extrapolated.
    void repeat_round(const std::vector<Request>& asked, std::size_t length, std::uint32_t rounds) {
        const auto& last = iterations_.last_requests();
        std::vector<std::uint32_t> round(trace_->shapes.end() - length, trace_->shapes.end());
        trace_->shapes.reserve(trace_->shapes.size() + (rounds + 1) * length);
        for (std::uint32_t k = 1; k <= rounds; ++k) {
            for (std::size_t at = 0, request = 0; request < asked.size(); ++at) {
                const std::uint32_t pc = result_.shapes[round[at]].instruction;
                if (!decoded_[pc].asks || result_.shapes[round[at]].lanes == 0) continue;
                const Request next = after(asked[request], last[request], k);
                Counters& counters = result_.counters[pc];
                const Counters before = counters;
                memory_.count(*next.what, next.address, next.executed, counters);
                round[at] = shape(pc, next.executed, before, counters);
                ++request;
            }
            trace_->shapes.insert(trace_->shapes.end(), round.begin(), round.end());
            if (lines_ + result_.blocks.back().lines.size() > launch_.most_lines) return;  // the next step ends it
        }
    }

    // Repeats the increments of the counters; costs of requests have been counted individually.
    static void repeat(Counters& counters, const Counters& before, std::uint64_t times, bool asks) {
        static constexpr std::uint64_t Counters::* fields[] = {
            &Counters::executions, &Counters::active_lanes,     &Counters::requests,      &Counters::sectors,
            &Counters::lines,      &Counters::wavefronts,       &Counters::serial,        &Counters::unknown_addresses,
            &Counters::taken,      &Counters::unknown_branches, &Counters::unknown_guards};
        static_assert(sizeof(Counters) == sizeof(fields) / sizeof(fields[0]) * sizeof(std::uint64_t));
        for (const auto field : fields)
            if (!asks || field == &Counters::executions || field == &Counters::active_lanes)
                counters.*field += times * (counters.*field - before.*field);
    }

    void compute(const Decoded& d, Warp& warp, Block& block, std::uint32_t pc, Mask certain, Mask unsure,
                 Counters& counters) {
        counters.unknown_guards += std::popcount(unsure);
        Alu alu(warp, block, launch_, certain | unsure, certain);
        if (d.decides) comparisons_.keep(d, alu);
        if (d.op >= Op::load_global && d.op <= Op::load_matrix) {
            const Counters before = counters;
            memory_.access(d, warp, block, alu, certain | unsure, certain, counters);
            trace_->shapes.back() = shape(pc, certain | unsure, before, counters);
        } else if (d.op < Op::bra && d.op != Op::nothing && (d.needed || !tried_[pc]) &&
                   !(tried_[pc] && alu.forgets(d)) && !alu.execute(d)) {
            const Instruction& i = *d.source;
            alu.forget(i);
            missing_[pc] = !(i.written.empty() && i.written_uniform.empty() && i.written_predicates.empty());
        }
        tried_[pc] = true;
    }

    // Index of the shape of the last request.
    std::uint32_t shape(std::uint32_t pc, Mask executed, const Counters& before, const Counters& after) {
        Shape found;
        found.instruction = pc;
        found.lanes = static_cast<std::uint16_t>(std::popcount(executed));
        found.sectors = static_cast<std::uint16_t>(after.sectors - before.sectors);
        found.lines = static_cast<std::uint16_t>(after.lines - before.lines);
        found.wavefronts = static_cast<std::uint16_t>(after.wavefronts - before.wavefronts);
        found.serial = static_cast<std::uint16_t>(after.serial - before.serial);
        std::vector<std::uint32_t>& known = shapes_of_[pc];
        for (const std::uint32_t number : known)
            if (result_.shapes[number] == found) return number;
        known.push_back(static_cast<std::uint32_t>(result_.shapes.size()));
        result_.shapes.push_back(found);
        return known.back();
    }

    // Executes control flow; true for instructions that set the PC of lanes.
    bool control(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
                 Counters& counters) {
        switch (d.op) {
            case Op::exit:
                counters.unknown_branches += std::popcount(unsure);
                certain |= decided(pc, unsure);
                warp.guessed = warp.guessed || unsure != 0;
                advance(warp, active & ~certain);
                leave(warp, certain);
                return true;
            case Op::bra:
            case Op::call:
            case Op::brx:
            case Op::ret: branch(d, warp, pc, active, certain, unsure, counters); return true;
            case Op::bssy:
                if (!d.source->operands.empty()) warp.convergence[d.source->operands[0].value & 15] = active;
                return false;
            case Op::breaks:
                if (!d.source->operands.empty()) warp.convergence[d.source->operands.back().value & 15] &= ~certain;
                return false;
            case Op::bsync: {
                const int barrier = d.source->operands.empty() ? 0 : static_cast<int>(d.source->operands[0].value & 15);
                warp.convergence[barrier] |= active;
                converge(warp, barrier, active);
                return true;
            }
            case Op::warpsync:
                warp.convergence[whole_warp] = active | synchronised(d, warp, active);
                converge(warp, whole_warp, active);
                return true;
            case Op::bar:
                if (d.arrive_only) return false;
                if (!prepared_.waits) {
                    pass_barrier(warp, active);
                    return false;
                }
                warp.at_barrier |= active;
                return true;
            default: return false;
        }
    }

    // Marks where a warp would wait for others, once all of its lanes have come there.
    void pass_barrier(Warp& warp, Mask active) {
        warp.at_barrier |= active;
        const bool all = warp.waiting();
        warp.at_barrier = all ? 0 : warp.at_barrier;
        if (all) trace_->phases.push_back(static_cast<std::uint32_t>(trace_->shapes.size()));
    }

    // Lanes that WARPSYNC names: all, or those of a mask; if that is unknown, the active ones.
    Mask synchronised(const Decoded& d, Warp& warp, Mask active) const {
        const auto& o = d.source->operands;
        if (o.empty()) return all_lanes;
        const Block none;
        const Value mask = Alu(warp, none, launch_, active, active).read(o[0]);
        const int lane = std::countr_zero(active);
        return mask.known >> lane & 1 ? mask.v[lane] : active;
    }

    // Deadlock of lanes that wait at different barriers: releases them, as the hardware eventually would.
    void release_all(Warp& warp) {
        const Mask released = warp.converging & warp.alive();
        advance(warp, released);
        regroup(warp, released);
        warp.converging = 0;
        if (released == 0) {
            result_.stuck = true;
            warp.exited = all_lanes;
        }
    }

    void branch(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
                Counters& counters) {
        const auto& o = d.source->operands;
        Truth also{all_lanes, all_lanes};  // BRA P2,0x100 has a second condition
        Block none;
        Alu alu(warp, none, launch_, active, active);
        if (d.op == Op::bra && o.size() > 1)
            also = d.if_apart ? apart(alu.read(o[0]), warp, active) : alu.read_truth(o[0]);
        const Mask open = (certain & ~also.known) | (unsure & (~also.known | also.v));
        Mask taken = certain & also.known & also.v;
        Wide target;
        if (!targets(d, alu, pc, target)) {
            missing_[pc] = true;
            target.known = 0;
        }
        counters.unknown_branches += std::popcount(open | (taken & ~target.known));
        if (open != 0) taken |= launch_.overrides.count(pc) ? decided(pc, open) : guess(d, pc) ? open : 0;
        warp.guessed = warp.guessed || open != 0 || (taken & ~target.known) != 0;
        taken &= target.known;
        counters.taken += std::popcount(taken);
        each(active, [&](int lane) {
            warp.pc[lane] = taken >> lane & 1 ? static_cast<std::uint32_t>(target.v[lane] / 16) : pc + 1;
        });
        if (taken != 0 && (taken != active || d.op == Op::brx || d.op == Op::ret)) regroup(warp, active);
        if (d.round != 0 && open == 0 && taken == warp.alive()) closed_ = &d;
    }

    // Whether some lanes of a mask are not active; if the mask is unknown, of all lanes.
    static Truth apart(const Value& mask, const Warp& warp, Mask active) {
        const int lane = std::countr_zero(active);
        const Mask wanted = mask.known >> lane & 1 ? mask.v[lane] : all_lanes;
        return {(wanted & warp.alive() & ~active) != 0 ? all_lanes : 0, all_lanes};
    }

    static bool targets(const Decoded& d, const Alu& alu, std::uint32_t pc, Wide& target) {
        const auto& o = d.source->operands;
        if (o.empty()) return false;
        const Operand& last = o.back();
        if (d.op == Op::ret || d.op == Op::brx) {  // RET R10; BRX R2,-0x6c0 is relative to the next instruction
            const Value base = alu.read(o[0]);
            const std::int64_t from = d.op == Op::brx ? last.value + pc * 16 + 16 : 0;
            target.known = base.known;
            for (int lane = 0; lane < lanes; ++lane)
                target.v[lane] = static_cast<std::uint32_t>(base.v[lane] + static_cast<std::uint32_t>(from));
            return o[0].kind == Kind::reg;
        }
        if (last.kind == Kind::immediate) {
            target.v.fill(static_cast<std::uint64_t>(last.value));
            return d.op == Op::bra || d.op == Op::call;
        }
        return false;
    }

    // Lanes that take a branch for which the user gave an override.
    Mask decided(std::uint32_t pc, Mask open) {
        const auto found = launch_.overrides.find(pc);
        if (found == launch_.overrides.end() || open == 0) return 0;
        const std::uint32_t visit = (*seen_)[pc]++;
        if (found->second.rounds != 0) return (visit + 1) % found->second.rounds != 0 ? open : 0;
        Mask taken = 0;
        each(open, [&](int lane) {  // evenly spread over lanes and executions
            const double place = (visit * 32.0 + lane + 0.5) * 0.6180339887498949;
            taken |=
                static_cast<Mask>(place - static_cast<double>(static_cast<std::uint64_t>(place)) < found->second.share)
                << lane;
        });
        return taken;
    }

    // Outcome of an unknown condition: fall through, but skip slow paths; repeat a loop a few times.
    bool guess(const Decoded& d, std::uint32_t pc) {
        if (d.skips_call) return true;
        const auto& o = d.source->operands;
        const bool back =
            !o.empty() && o.back().kind == Kind::immediate && o.back().value <= static_cast<std::int64_t>(pc) * 16;
        const bool early = ++(*seen_)[pc] < unknown_trips;
        return back ? early : !early && (*seen_)[pc] % unknown_trips == 0;
    }

    const std::vector<Instruction>& program_;
    const Launch& launch_;
    const Prepared& prepared_;
    const std::vector<Decoded>& decoded_;
    Memory memory_;
    Result result_;
    std::vector<bool> missing_;
    std::vector<bool> tried_;  // idle instructions that were executed once, so that opcodes without a rule are named
    std::vector<std::vector<std::uint32_t>> unknown_seen_;  // by warp and instruction
    std::vector<std::uint32_t>* seen_ = nullptr;
    WarpTrace* trace_ = nullptr;
    std::vector<std::vector<std::uint32_t>> shapes_of_;  // by instruction
    std::uint64_t issued_ = 0, before_ = 0,
                  longest_ = 0;  // instructions: of all blocks, before this one, of the longest
    std::uint64_t lines_ = 0;    // of earlier blocks
    Iterations iterations_;
    Comparisons comparisons_;
    const Decoded* closed_ = nullptr;  // loop whose backward branch was just taken
};

}  // namespace

Result run(const Program& program, const Launch& launch, const std::vector<std::uint64_t>& blocks) {
    Runner runner(program, launch);
    for (const std::uint64_t block : blocks)
        if (runner.affords(blocks.size())) runner.block(block);
    return runner.finish();
}

std::vector<Count> count(const Program& program, const Launch& launch, const std::vector<std::uint64_t>& blocks,
                         std::uint64_t most, std::uint64_t enough) {
    Launch limited = launch;
    limited.budget = std::min(launch.budget, most);
    Runner runner(program, limited);
    std::vector<Count> result;
    for (const std::uint64_t block : blocks) {
        if (!result.empty() && runner.executed() > enough) break;
        result.push_back(runner.count(block));
    }
    return result;
}

}  // namespace foretell::functional
