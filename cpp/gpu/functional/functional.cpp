// Control flow of the functional core: scheduling of lanes, branches, reconvergence, block barriers.
#include <algorithm>
#include <tuple>

#include "gpu/functional/convergence.hpp"
#include "gpu/functional/runner.hpp"

namespace foretell::functional {
namespace {

// Assumed trip count of a loop with an unknown condition; a branch back or out is taken after as many refusals.
constexpr std::uint16_t unknown_trips = 8;

}  // namespace

Runner::Runner(const Program& program, const Launch& launch, bool counts)
    : program_(program.instructions()),
      launch_(launch),
      prepared_(program.prepared(Memory::any_contents(launch), counts, launch.in_full, launch.recorded)),
      decoded_(prepared_.text),
      memory_(launch, prepared_.steering),
      literals_(program.literals()),
      missing_(program_.size(), false),
      tried_(program_.size(), false),
      shapes_of_(program_.size()) {
    result_.counters.resize(program_.size());
    result_.shapes.resize(program_.size());
    for (std::size_t i = 0; i < program_.size(); ++i) result_.shapes[i].instruction = static_cast<std::uint32_t>(i);
}

void Runner::block(std::uint64_t number) {
    Block block;
    block.x = static_cast<std::uint32_t>(number % launch_.grid[0]);
    block.y = static_cast<std::uint32_t>(number / launch_.grid[0] % launch_.grid[1]);
    block.z = static_cast<std::uint32_t>(number / launch_.grid[0] / launch_.grid[1]);
    if (prepared_.steering.shared) {
        block.shared.assign(launch_.shared_bytes / 4, Cell{});
        if (!prepared_.objects) block.earlier.assign(launch_.shared_bytes / 4, Earlier{});
    }
    std::vector<Warp> warps = make_warps();
    before_ = issued_;
    BlockTrace& trace = result_.blocks.emplace_back();
    trace.number = number;
    trace.warps.resize(warps.size());
    left_out_before_ = result_.left_out;
    follow_others(trace);
    while (!result_.budget_exceeded && round(warps, block)) {}
    trace.instructions = issued_ - before_;
    longest_ = std::max(longest_, trace.instructions);
    for (const Warp& warp : warps) result_.took_for_ordinary |= warp.took_for_ordinary;
    keep_shapes(trace);
    trace.sectors = different_sectors(trace.lines);
    lines_ += trace.lines.size();
}

// A warp mostly executes what its counterpart in the block before did, or the warp before it.
void Runner::follow_others(BlockTrace& trace) {
    for (std::size_t w = 0; w < trace.warps.size() && w < former_.size(); ++w) trace.warps[w].shapes.follow(former_[w]);
}

void Runner::keep_shapes(BlockTrace& trace) {
    former_.clear();
    for (WarpTrace& warp : trace.warps) {
        warp.shapes.close();
        former_.push_back(warp.shapes);
    }
}

void Runner::look_at_queues(const Program& program, const std::vector<std::uint64_t>& blocks) {
    if (!prepared_.queues || blocks.empty()) return;
    Runner first(program, launch_, true);
    first.count(blocks.front());
    memory_.set_drawers(first.memory_.drawers());
}

Count Runner::count(std::uint64_t number) {
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

Result Runner::finish() {
    for (std::size_t i = 0; i < missing_.size(); ++i)
        if (missing_[i]) result_.not_executed.push_back(i);
    result_.shared_end = memory_.shared_end();
    result_.asked_other_blocks = memory_.asked_other_blocks();
    result_.queued = memory_.queued();
    result_.beyond = memory_.beyond();
    result_.updates = memory_.updates();
    if (!prepared_.waits) number_in_phases(result_, program_.size());
    return std::move(result_);
}

std::vector<Warp> Runner::make_warps() {
    const std::uint32_t threads = launch_.block[0] * launch_.block[1] * launch_.block[2];
    std::vector<Warp> warps((threads + lanes - 1) / lanes);
    for (std::size_t w = 0; w < warps.size(); ++w) {
        warps[w].literals = &literals_;
        warps[w].r.resize(prepared_.registers);
        warps[w].first_thread = static_cast<std::uint32_t>(w * lanes);
        const std::uint32_t here = std::min<std::uint32_t>(lanes, threads - warps[w].first_thread);
        warps[w].exited = here == lanes ? 0 : all_lanes << here;
    }
    return warps;
}

bool Runner::round(std::vector<Warp>& warps, Block& block) {
    unknown_seen_.resize(warps.size());
    for (std::size_t w = 0; w < warps.size(); ++w) {
        unknown_seen_[w].resize(program_.size(), 0);
        seen_ = &unknown_seen_[w];
        trace_ = &result_.blocks.back().warps[w];
        memory_.log(result_.blocks.back(), *trace_);
        begin_warp();
        if (trace_->shapes.size() == 0 && w > 0) trace_->shapes.follow(result_.blocks.back().warps[w - 1].shapes);
        while (!warps[w].done() && !result_.budget_exceeded) {
            if (warps[w].waiting()) {  // others of its lanes have ended
                if (prepared_.waits) break;
                pass_barrier(warps[w]);
            }
            closed_ = nullptr;
            step(warps[w], block);
            if (closed_ != nullptr) leave_out_rounds(warps[w], block, *closed_);
        }
        trace_->shapes.settle();
    }
    ++block.phase;
    bool again = false;
    if (prepared_.steering.votes) count_votes(warps);
    for (Warp& warp : warps) {
        if (warp.done()) continue;
        advance(warp, warp.at_barrier);
        warp.at_barrier = warp.running = 0;
        again = true;
    }
    if (!again) unknown_seen_.clear();
    return again;
}

void Runner::step(Warp& warp, Block& block) {
    std::uint32_t pc;
    const Mask active = runnable(warp, pc);
    if (active == 0) return release_all(warp);
    if (pc >= program_.size()) {  // ran past the end: these lanes are done
        warp.exited |= active;
        warp.running = 0;
        return;
    }
    ++issued_;
    if (const std::size_t lines = result_.blocks.back().lines.size();
        beyond_budget() || lines > launch_.block_lines || lines_ + lines > launch_.most_lines) {
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
    counters.active_lanes += count_of(certain | unsure);
    if (control(d, warp, pc, active, certain, unsure, counters)) warp.running = 0;
    else {
        advance(warp, active);
        if ((certain | unsure) != 0) compute(d, warp, block, pc, certain, unsure, counters);
    }
}

bool Runner::idle(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active) {
    issued_ += d.idle - 1;  // one is counted
    if (beyond_budget()) {
        issued_ -= d.idle - 1;
        return false;
    }
    trace_->shapes.append_from(pc, d.idle);
    for (std::uint32_t k = 0; k < d.idle; ++k) {
        ++result_.counters[pc + k].executions;
        result_.counters[pc + k].active_lanes += count_of(active);
    }
    if (active == all_lanes)
        for (std::uint32_t& lane : warp.pc) lane += d.idle;
    else each(active, [&](int lane) { warp.pc[lane] += d.idle; });
    return true;
}

void Runner::compute(const Decoded& d, Warp& warp, Block& block, std::uint32_t pc, Mask certain, Mask unsure,
                     Counters& counters) {
    counters.unknown_guards += count_of(unsure);
    Alu alu(warp, block, launch_, certain | unsure, certain);
    if (d.decides) comparisons_.keep(d, alu);
    if (d.logged) log_comparison(d, alu);
    if (d.indexed) trace_->shapes.replace_last(constants(d, warp, alu, pc, certain | unsure, counters));
    if (d.op >= Op::load_global && d.op <= Op::load_matrix) {
        const Counters before = counters;
        memory_.access(d, warp, block, alu, certain | unsure, certain, counters);
        trace_->shapes.replace_last(shape(pc, certain | unsure, before, counters));
        look_for_standstill(d, warp, pc);
    } else if (d.op < Op::bra && d.op != Op::nothing && (d.needed || !tried_[pc]) && !(tried_[pc] && alu.forgets(d)) &&
               !alu.execute(d)) {
        const Instruction& i = *d.source;
        alu.forget(i);
        missing_[pc] = !(i.written.empty() && i.written_uniform.empty() && i.written_predicates.empty());
    }
    tried_[pc] = true;
}

std::uint32_t Runner::shape(std::uint32_t pc, Mask executed, const Counters& before, const Counters& after) {
    Shape found;
    found.instruction = pc;
    found.lanes = static_cast<std::uint16_t>(count_of(executed));
    found.sectors = static_cast<std::uint16_t>(after.sectors - before.sectors);
    found.lines = static_cast<std::uint16_t>(after.lines - before.lines);
    found.wavefronts = static_cast<std::uint16_t>(after.wavefronts - before.wavefronts);
    found.serial = static_cast<std::uint16_t>(after.serial - before.serial);
    std::vector<std::uint32_t>& known = shapes_of_[pc];
    for (std::size_t k = 0; k < known.size(); ++k)
        if (const std::uint32_t number = known[k]; result_.shapes[number] == found) {
            std::swap(known[k], known[k / 2]);  // frequent ones come to the front
            return number;
        }
    known.push_back(static_cast<std::uint32_t>(result_.shapes.size()));
    result_.shapes.push_back(found);
    return known.back();
}

bool Runner::control(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
                     Counters& counters) {
    switch (d.op) {
        case Op::exit: exit(d, warp, pc, active, certain, unsure, counters); return true;
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
            if (d.named) trace_->shapes.replace_last(arrival(d, warp, pc, active));
            if (d.arrive_only) return false;
            if (d.votes)
                say(warp, d.combine, Alu(warp, Block{}, launch_, active, active).read_truth(d.source->operands[1]),
                    active);
            warp.at_barrier |= active;
            if (!prepared_.waits && warp.waiting()) pass_barrier(warp);
            return true;
        default: return false;
    }
}

// LDC R7,c[0x3][R12]. Addresses that are not known are taken to be anywhere in the bank, each element equally likely.
std::uint32_t Runner::constants(const Decoded& d, Warp& warp, const Alu& alu, std::uint32_t pc, Mask executed,
                                Counters& counters) {
    const Operand& from = d.source->operands[1];
    const Wide address = alu.address(from);
    const Mask unknown = executed & ~address.known;
    counters.unknown_addresses += count_of(unknown);
    const auto bank = launch_.constants.find(from.bank);
    const ConstantRequest asked =
        constant_request(address, executed & address.known, static_cast<int>(count_of(unknown)),
                         bank == launch_.constants.end() ? 0 : bank->second.size(), d.bytes);
    Counters cost;
    cost.wavefronts = asked.addresses;
    cost.lines = asked.lines;
    if ((executed & address.known) != 0) {
        std::uint64_t low = ~0ull, high = 0;
        each(executed & address.known, [&](int lane) {
            low = std::min(low, address.v[lane]);
            high = std::max(high, address.v[lane] + static_cast<unsigned>(d.bytes));
        });
        if (from.index >= 0) {
            result_.constants_from = std::min(result_.constants_from, low);
            result_.constants_to = std::max(result_.constants_to, high);
        }
        // one lane tells: the lowest address of lanes that are all over a table hardly moves
        const std::uint64_t first = address.v[std::countr_zero(executed & address.known)];
        std::tie(cost.sectors, cost.serial) = walk(warp, first, static_cast<unsigned>(d.bytes), asked.lines > 1);
    }
    return shape(pc, executed, Counters{}, cost);
}

void Runner::pass_barrier(Warp& warp) {
    trace_->phases.push_back(static_cast<std::uint32_t>(trace_->shapes.size()));
    advance(warp, warp.at_barrier);
    warp.at_barrier = warp.running = 0;
}

Mask Runner::synchronised(const Decoded& d, Warp& warp, Mask active) const {
    const auto& o = d.source->operands;
    if (o.empty()) return all_lanes;
    const Block none;
    const Value mask = Alu(warp, none, launch_, active, active).read(o[0]);
    const int lane = std::countr_zero(active);
    return mask.known >> lane & 1 ? mask.v[lane] : active;
}

void Runner::release_all(Warp& warp) {
    const Mask released = warp.converging & warp.alive();
    advance(warp, released);
    regroup(warp, released);
    warp.converging = warp.running = 0;
    if (released == 0) {
        result_.stuck = true;
        warp.exited = all_lanes;
    }
}

namespace {

bool calls_by_register(const Decoded& d) {
    return d.op == Op::call && !d.source->operands.empty() && d.source->operands[0].kind == Kind::reg;
}

// CALL.REL.NOINC R6,KERNEL; CALL.ABS.NOINC R12: places in a text of so many instructions; functions of the device's
// system are elsewhere.
bool called(const Value& to, std::size_t instructions, Wide& target) {
    target.known = 0;
    each(to.known, [&](int lane) {
        target.v[lane] = to.v[lane];
        if (to.v[lane] % 16 == 0 && to.v[lane] / 16 < instructions) target.known |= Mask{1} << lane;
    });
    return target.known != 0;
}

}  // namespace

// BRA P2,0x100 and EXIT P1 have a second condition beside their guard.
Truth Runner::also(const Decoded& d, const Alu& alu, const Warp& warp, Mask active) {
    const auto& o = d.source->operands;
    if (o.size() <= (d.op == Op::exit ? 0u : 1u)) return {all_lanes, all_lanes};
    return d.if_apart ? apart(alu.read(o[0]), warp, active) : alu.read_truth(o[0]);
}

void Runner::exit(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
                  Counters& counters) {
    const Block none;
    const Truth too = also(d, Alu(warp, none, launch_, active, active), warp, active);
    const Mask open = (certain & ~too.known) | (unsure & (~too.known | too.v));
    const Mask leaves = (certain & too.known & too.v) | decided(pc, open);
    counters.unknown_branches += count_of(open);
    opens_ += open != 0;
    warp.guessed = warp.guessed || open != 0;
    advance(warp, active & ~leaves);
    leave(warp, leaves);
}

void Runner::branch(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
                    Counters& counters) {
    const auto& o = d.source->operands;
    const Block none;
    const Alu alu(warp, none, launch_, active, active);
    const Truth too = d.op == Op::bra ? also(d, alu, warp, active) : Truth{all_lanes, all_lanes};
    const Mask open = (certain & ~too.known) | (unsure & (~too.known | too.v));
    Mask taken = certain & too.known & too.v;
    Wide target;
    const bool by_register = calls_by_register(d);
    if (by_register && !warp.guessed && fails(alu.read(o[0]), taken)) result_.failed_assertion = pc;
    if (!(by_register ? called(alu.read(o[0]), program_.size(), target) : targets(d, alu, pc, target))) {
        missing_[pc] = true;
        target.known = 0;
    }
    counters.unknown_branches += count_of(open | (taken & ~target.known));
    if (open != 0) taken |= launch_.overrides.count(pc) ? decided(pc, open) : guess(d, pc) ? open : 0;
    opens_ += open != 0;
    warp.guessed = warp.guessed || open != 0 || (taken & ~target.known) != 0;
    taken &= target.known;
    if (d.op == Op::brx) {  // goes to one target at a time: the other lanes execute it again (k_eight_ways, m_ways)
        const Mask rest = elsewhere(target, taken);
        if (rest != 0) regroup(warp, rest);
        active &= ~rest;
        taken &= ~rest;
    }
    counters.taken += count_of(taken);
    if (taken == 0) advance(warp, active);
    else
        each(active, [&](int lane) {
            warp.pc[lane] = taken >> lane & 1 ? static_cast<std::uint32_t>(target.v[lane] / 16) : pc + 1;
        });
    if (taken != 0 && (taken != active || d.op == Op::brx || d.op == Op::ret || by_register)) regroup(warp, active);
    if ((d.round != 0 || d.span != 0) && open == 0 && taken == warp.alive()) closed_ = &d;
}

bool Runner::fails(const Value& to, Mask calling) const {
    bool found = false;
    each(to.known & calling, [&](int lane) { found = found || to.v[lane] == launch_.assertion; });
    return found && launch_.assertion != 0;
}

// Lanes that jump to another place than the first one.
Mask Runner::elsewhere(const Wide& target, Mask taken) {
    Mask rest = 0;
    each(taken,
         [&](int lane) { rest |= static_cast<Mask>(target.v[lane] != target.v[std::countr_zero(taken)]) << lane; });
    return rest;
}

Truth Runner::apart(const Value& mask, const Warp& warp, Mask active) {
    const int lane = std::countr_zero(active);
    const Mask wanted = mask.known >> lane & 1 ? mask.v[lane] : all_lanes;
    return {(wanted & warp.alive() & ~active) != 0 ? all_lanes : 0, all_lanes};
}

bool Runner::targets(const Decoded& d, const Alu& alu, std::uint32_t pc, Wide& target) {
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

Mask Runner::decided(std::uint32_t pc, Mask open) {
    const auto found = launch_.overrides.find(pc);
    if (found == launch_.overrides.end() || open == 0) return 0;
    const std::uint32_t visit = (*seen_)[pc]++;
    if (found->second.rounds != 0) return (visit + 1) % found->second.rounds != 0 ? open : 0;
    Mask taken = 0;
    each(open, [&](int lane) {  // evenly spread over lanes and executions
        const double place = (visit * 32.0 + lane + 0.5) * 0.6180339887498949;
        taken |= static_cast<Mask>(place - static_cast<double>(static_cast<std::uint64_t>(place)) < found->second.share)
                 << lane;
    });
    return taken;
}

bool Runner::guess(const Decoded& d, std::uint32_t pc) {
    if (d.skips_call) return true;
    if (d.polls) return false;  // what it waits for is there
    const auto& o = d.source->operands;
    const bool back =
        !o.empty() && o.back().kind == Kind::immediate && o.back().value <= static_cast<std::int64_t>(pc) * 16;
    const bool early = ++(*seen_)[pc] < unknown_trips;
    return back ? early : !early && (*seen_)[pc] % unknown_trips == 0;
}

Result run(const Program& program, const Launch& launch, const std::vector<std::uint64_t>& blocks) {
    Runner runner(program, launch, false);
    runner.look_at_queues(program, blocks);
    for (const std::uint64_t block : blocks)
        if (runner.affords(blocks.size()) || std::ranges::find(launch.anyway, block) != launch.anyway.end())
            runner.block(block);
    return runner.finish();
}

std::vector<Count> count(const Program& program, const Launch& launch, const std::vector<std::uint64_t>& blocks,
                         std::uint64_t most, std::uint64_t enough) {
    Launch limited = launch;
    limited.extent = std::min(launch.extent, most);
    Runner runner(program, limited, true);
    runner.look_at_queues(program, blocks);
    std::vector<Count> result;
    for (const std::uint64_t block : blocks) {
        if (!result.empty() && runner.executed() > enough) break;
        result.push_back(runner.count(block));
    }
    return result;
}

}  // namespace foretell::functional
