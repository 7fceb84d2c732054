// Skips iterations of loops that change registers by constant increments.
#include <algorithm>

#include "gpu/functional/runner.hpp"

namespace foretell::functional {

void Runner::begin_warp() {
    iterations_.branch = nullptr;
    for (auto& [number, nest] : nests_) nest.count = 0;
    memory_.followed.clear();
    compared_.clear();
    standstill_.begin();
}

void Runner::look_for_standstill(const Decoded& d, const Warp& warp, std::uint32_t pc) {
    if (d.op != Op::load_global && d.op != Op::load_shared && d.op != Op::load_local) return standstill_.stored();
    if (!d.ordered || !standstill_.reached(warp, pc, opens_)) return;
    result_.awaits_others = result_.budget_exceeded = true;
    issued_ = std::max(issued_, before_ + std::min(launch_.budget, launch_.extent));
}

void Runner::leave_out_rounds(Warp& warp, Block& block, const Decoded& branch) {
    if (branch.span != 0) return leave_out_nested(warp, block, branch);
    Iterations& v = iterations_;
    loop_ = &v;
    const bool next = v.branch == &branch && trace_->shapes.size() == v.at + branch.round;
    std::vector<Request> asked = memory_.requests();
    v.at = trace_->shapes.size();
    v.length = branch.round;
    v.branch = &branch;
    v.count = next ? v.count + 1 : 1;
    if (v.count > 1 && v.count <= (branch.asking ? most_asking : most_visits))
        leave_out(warp, block, branch, std::move(asked));
}

// A loop with branches: its iterations must have the same length, and the outcomes of all comparisons in them last as
// long as the differences of their operands grow as before.
void Runner::leave_out_nested(Warp& warp, Block& block, const Decoded& branch) {
    if (memory_.followed.size() > most_logged || compared_.size() > most_logged) return begin_warp();
    Iterations& v = nests_[branch.number];
    loop_ = &v;
    const std::size_t length = trace_->shapes.size() - v.at;
    const bool next = v.count > 0 && v.opens == opens_ && (v.count == 1 || v.length == length);
    std::vector<Request> asked;
    if (next) {
        asked = take_requests(branch, v.requests_at);
        std::swap(v.compared[0], v.compared[1]);
        v.compared[0].assign(compared_.begin() + static_cast<std::ptrdiff_t>(v.compared_at), compared_.end());
    }
    v.count = next ? v.count + 1 : 1;
    v.length = length;
    if (v.count > 1 && v.count <= most_visits) leave_out(warp, block, branch, std::move(asked));
    v.at = trace_->shapes.size();
    v.requests_at = memory_.followed.size();
    v.compared_at = compared_.size();
    v.opens = opens_;
}

void Runner::leave_out(Warp& warp, Block& block, const Decoded& branch, std::vector<Request> asked) {
    Iterations& v = *loop_;
    if (v.count <= 3 || !same_round(v.length) || !alike(after(v.last(), v.earlier(), 1), warp) || !steady(asked))
        return v.add(warp, std::move(asked));
    const std::uint64_t rounds = rounds_to_go(warp, branch), into = branch.span != 0 ? nested_parts : parts;
    const std::uint64_t part = branch.asking || branch.span != 0 ? std::max<std::uint64_t>(8, rounds / into) : rounds;
    for (std::uint64_t left = rounds; left > 8; left -= std::min(left, part) - 3)
        if (!leap(warp, block, branch, static_cast<std::uint32_t>(std::min(left, part) - 4), asked)) break;
    v.count = most_visits;
    v.at = trace_->shapes.size();
}

void Runner::log_comparison(const Decoded& d, const Alu& alu) {
    const std::size_t n = static_cast<std::size_t>(d.source->destinations);
    Copy others[2];
    const Value &a = alu.view(d.source->operands[n], others[0]), &b = alu.view(d.source->operands[n + 1], others[1]);
    Compared& compared = compared_.emplace_back();
    compared.comparison = &d;
    compared.known = a.known & b.known;
    for (int lane = 0; lane < lanes; ++lane) compared.difference[lane] = difference_of(d, a.v[lane], b.v[lane]);
}

std::vector<Request> Runner::take_requests(const Decoded& branch, std::size_t from) {
    std::vector<Request> others = memory_.requests();
    if (branch.span == 0) return others;
    return {memory_.followed.begin() + static_cast<std::ptrdiff_t>(from), memory_.followed.end()};
}

// Iterations until one of the comparisons of a loop, beside the one that controls it, comes out otherwise.
std::uint64_t Runner::rounds_alike(const Decoded& branch, Mask among) const {
    if (branch.span == 0) return comparisons_.alike(branch, among);
    const auto &now = loop_->compared[0], &before = loop_->compared[1];
    if (now.size() != before.size()) return 0;
    std::uint64_t least = 1u << 30;
    for (std::size_t k = 0; k < now.size(); ++k) {
        const Decoded* d = now[k].comparison;
        if (d != before[k].comparison) return 0;
        if (d == branch.condition) continue;
        least = std::min(
            least, Comparisons::alike(d->compare,
                                      {now[k].difference, before[k].difference, now[k].known, before[k].known}, among));
    }
    return least;
}

bool Runner::steady(const std::vector<Request>& asked) const {
    const auto &last = loop_->last_requests(), &earlier = loop_->requests[1 - loop_->newest];
    return last.size() == earlier.size() && alike(asked, after(last, earlier, 1));
}

// The comparison that controls a loop with branches, in the last two iterations, as it was executed: later instructions
// of an iteration may have put something else into the registers of its operands.
std::pair<const Compared*, const Compared*> Runner::logged(const Decoded& branch) const {
    const auto &now = loop_->compared[0], &before = loop_->compared[1];
    for (std::size_t k = std::min(now.size(), before.size()); branch.span != 0 && k-- > 0;)
        if (now[k].comparison == branch.condition && before[k].comparison == branch.condition)
            return {&now[k], &before[k]};
    return {nullptr, nullptr};
}

std::uint64_t Runner::rounds_to_go(Warp& warp, const Decoded& branch) {
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
    std::uint64_t least = rounds_alike(branch, warp.alive());
    const auto [asked, before] = logged(branch);
    each(warp.alive(), [&, asked = asked, before = before](int lane) {  // clang 14 captures no bindings otherwise
        const bool known = asked != nullptr && (asked->known & before->known) >> lane & 1;
        const std::int64_t now = known ? asked->difference[lane] : difference(warp, lane);
        const std::int64_t earlier = known ? before->difference[lane] : difference(loop_->last(), lane);
        least = std::min(least, rounds_left(how, now, now - earlier));
    });
    return least;
}

bool Runner::same_round(std::size_t length) const {
    const ShapeList& shapes = trace_->shapes;
    for (std::size_t k = shapes.size() - length; k < shapes.size(); ++k) {
        const std::uint32_t a = shapes[k], b = shapes[k - length], instruction = result_.shapes[a].instruction;
        if (a != b && !(decoded_[instruction].asks && instruction == result_.shapes[b].instruction)) return false;
    }
    return true;
}

bool Runner::leap(Warp& warp, Block& block, const Decoded& branch, std::uint32_t rounds, std::vector<Request>& asked) {
    const std::uint64_t length = loop_->length, left_out = rounds * length, span = branch.span + branch.round;
    if (issued_ - before_ + left_out > launch_.extent || trace_->shapes.stored() + left_out > launch_.budget)
        return false;  // the budget ends it anyway
    const auto first = result_.counters.begin() + (branch.source - program_.data()) + 1 - span;
    const std::vector<Counters> counted(first, first + span);
    BlockTrace& trace = result_.blocks.back();
    const std::size_t shapes = trace_->shapes.size(), accesses = trace_->accesses.size(), lines = trace.lines.size(),
                      phases = trace_->phases.size();
    const std::uint64_t requested = trace.requested, issued = issued_;
    const Warp now = warp, expected = after(now, loop_->last(), rounds + 1), before = after(now, loop_->last(), rounds);
    repeat_round(asked, length, rounds);
    const std::vector<Counters> repeated(first, first + span);
    warp = before;
    const std::size_t end = trace_->shapes.size() + length, followed = memory_.followed.size();
    for (std::uint64_t k = 0; k < length && trace_->shapes.size() < end && !result_.budget_exceeded; ++k) {
        closed_ = nullptr;
        step(warp, block);
    }
    std::vector<Request> requests = take_requests(branch, followed);
    const auto& last_requests = loop_->last_requests();
    if (closed_ != &branch || !same_round(length) || !alike(warp, expected) ||
        !alike(requests, after(asked, last_requests, rounds + 1))) {
        warp = now;
        std::copy(counted.begin(), counted.end(), first);
        trace_->shapes.cut(shapes);
        trace_->accesses.resize(accesses);
        trace_->phases.resize(phases);
        trace.lines.resize(lines);
        trace.requested = requested;
        issued_ = issued;
        return false;
    }
    for (std::uint64_t k = 0; k < span; ++k)
        repeat(first[k], repeated[k], rounds, decoded_[first - result_.counters.begin() + k].asks);
    issued_ += left_out;
    result_.left_out += left_out;
    spared_ += branch.span == 0 ? left_out : 0;
    loop_->add(before, after(asked, last_requests, rounds));
    asked = std::move(requests);
    return true;
}

void Runner::repeat_round(const std::vector<Request>& asked, std::size_t length, std::uint32_t rounds) {
    const auto& last = loop_->last_requests();
    std::vector<std::uint32_t> round(length);
    for (std::size_t k = 0; k < length; ++k) round[k] = trace_->shapes[trace_->shapes.size() - length + k];
    for (std::uint32_t k = 1; k <= rounds; ++k) {
        for (std::size_t at = 0, request = 0; request < asked.size(); ++at) {
            const std::uint32_t pc = result_.shapes[round[at]].instruction;
            if (!decoded_[pc].asks || result_.shapes[round[at]].lanes == 0) continue;
            const Request next = after(asked[request], last[request], k);
            Counters& counters = result_.counters[pc];
            const Counters before = counters;
            memory_.count(*next.what, next.address, next.executed, counters);
            if (next.what->followed) memory_.followed.push_back(next);
            round[at] = shape(pc, next.executed, before, counters);
            ++request;
        }
        trace_->shapes.append(round);
        if (lines_ + result_.blocks.back().lines.size() > launch_.most_lines) return;  // the next step ends it
    }
}

void Runner::repeat(Counters& counters, const Counters& before, std::uint64_t times, bool asks) {
    static constexpr std::uint64_t Counters::* fields[] = {
        &Counters::executions, &Counters::active_lanes,     &Counters::requests,      &Counters::sectors,
        &Counters::lines,      &Counters::wavefronts,       &Counters::serial,        &Counters::unknown_addresses,
        &Counters::taken,      &Counters::unknown_branches, &Counters::unknown_guards};
    static_assert(sizeof(Counters) == sizeof(fields) / sizeof(fields[0]) * sizeof(std::uint64_t));
    for (const auto field : fields)
        if (!asks || field == &Counters::executions || field == &Counters::active_lanes)
            counters.*field += times * (counters.*field - before.*field);
}

}  // namespace foretell::functional
