#include "gpu/functional/steering.hpp"

#include <algorithm>
#include <bitset>

#include "gpu/functional/arithmetic/integer_semantics.hpp"
#include "gpu/functional/state.hpp"

namespace foretell::functional {
namespace {

// All registers of a warp: R, UR, P and UP in turn.
constexpr int first_uniform = registers, first_predicate = first_uniform + uniform_registers,
              first_uniform_predicate = first_predicate + predicates,
              all_registers = first_uniform_predicate + predicates;
using Registers = std::bitset<all_registers>;

void add(Registers& set, int first, int index, int count, int size) {
    for (int k = index; index >= 0 && k < index + count && k < size; ++k) set.set(first + k);
}

void add_operand(Registers& set, const Operand& o, int count) {
    switch (o.kind) {
        case Kind::reg: return add(set, 0, o.index, count, registers);
        case Kind::ureg: return add(set, first_uniform, o.index, count, uniform_registers);
        case Kind::pred: return add(set, first_predicate, o.index, 1, predicates);
        case Kind::upred: return add(set, first_uniform_predicate, o.index, 1, predicates);
        case Kind::memory:
        case Kind::constant:  // address registers
            add(set, 0, o.index, o.wide ? 2 : 1, registers);
            return add(set, first_uniform, o.uniform, o.wide_uniform || count == 4 ? 2 : 1, uniform_registers);
        default: return;
    }
}

bool is_memory(const Decoded& d) { return (d.op >= Op::load_global && d.op <= Op::load_matrix) || d.indexed; }
bool is_atomic(const Decoded& d) { return d.op == Op::atomic_global || d.op == Op::atomic_shared; }
bool is_store(const Decoded& d) {
    return d.op == Op::store_global || d.op == Op::store_shared || d.op == Op::store_local;
}

// Atomics whose results are followed (atomics.cpp).
bool updates_known(const Decoded& d) { return d.op == Op::atomic_shared && d.mode >= 0; }

// Words of a register operand that a rule may read: one or two of arithmetic, four where that is not known.
int words_read(const Decoded& d, std::size_t operand) {
    const bool added = operand == static_cast<std::size_t>(d.source->destinations) + 2;
    switch (d.op) {
        case Op::imad: return (d.wide || d.high) && added ? 2 : 1;
        case Op::mov:
        case Op::sel:
        case Op::isetp:
        case Op::i2f: return d.is_64 ? 2 : 1;
        case Op::f2i:
        case Op::f2f:
        case Op::frnd: return d.real64 ? 2 : 1;
        case Op::iadd64:
        case Op::dadd:
        case Op::dmul:
        case Op::dfma:
        case Op::dsetp: return 2;
        default: return d.op < Op::load_global && d.op != Op::unknown ? 1 : 4;
    }
}

// One instruction as the analysis sees it.
struct Flow {
    Registers guard, reads, value, writes, kills;
    bool always = false;  // it has an effect beside its result, for which it reads its operands
    int successors[2] = {-1, -1};
    bool anywhere = false;  // its successors are not known
};

Registers written(const Instruction& source) {
    Registers set;
    for (const int index : source.written) add(set, 0, index, 1, registers);
    for (const int index : source.written_uniform) add(set, first_uniform, index, 1, uniform_registers);
    for (const int index : source.written_predicates) add(set, first_predicate, index, 1, predicates);
    for (const int index : source.written_uniform_predicates) add(set, first_uniform_predicate, index, 1, predicates);
    return set;
}

void find_reads(const Decoded& d, Flow& flow) {
    const Instruction& source = *d.source;
    if (d.op == Op::p2r) add(flow.reads, first_predicate, 0, predicates, predicates);
    // beside the address: the mbarrier, and column and row of a tile
    if ((d.op == Op::copy_bulk || d.op == Op::copy_tile) && !source.operands.empty())
        add(flow.reads, first_uniform, source.operands[0].uniform, 4, uniform_registers);
    bool seen_address = false;
    for (std::size_t k = 0; k < source.operands.size(); ++k) {
        const Operand& o = source.operands[k];
        const bool register_result = k < static_cast<std::size_t>(source.destinations) && o.kind != Kind::memory;
        if (register_result) {
            add_operand(flow.writes, o, 1);  // further words are in the lists
        } else if ((is_store(d) || updates_known(d)) && seen_address) {
            add_operand(flow.value, o, 4);
        } else if (!is_atomic(d) || !seen_address || d.draws ||
                   d.compares) {  // what other atomics combine is not followed
            add_operand(flow.reads, o, words_read(d, k));
        }
        seen_address = seen_address || o.kind == Kind::memory;
    }
}

void find_successors(const Decoded& d, int at, int size, Flow& flow) {
    const auto& o = d.source->operands;
    const int next = at + 1 < size ? at + 1 : -1;
    const bool conditional = d.source->guard >= 0 || d.source->guard_never || o.size() > (d.op == Op::exit ? 0 : 1);
    flow.anywhere = d.op == Op::ret || d.op == Op::brx;
    if ((d.op == Op::bra || d.op == Op::call) && !o.empty() && o.back().kind == Kind::immediate) {
        const std::int64_t target = o.back().value / 16;
        if (target >= 0 && target < size) flow.successors[0] = static_cast<int>(target);
        if (conditional || d.op == Op::call) flow.successors[1] = next;
    } else if (d.op == Op::bra || d.op == Op::call) {
        flow.anywhere = true;
    } else if (d.op != Op::exit || conditional) {
        flow.successors[0] = next;
    }
}

Flow flow_of(const Decoded& d, int at, int size) {
    Flow flow;
    const Instruction& source = *d.source;
    if (source.guard >= 0)
        add(flow.guard, source.guard_uniform ? first_uniform_predicate : first_predicate, source.guard, 1, predicates);
    flow.always = is_memory(d) || d.op >= Op::bra || d.op == Op::fsetp || d.op == Op::unknown;
    flow.kills = written(source);
    flow.writes = flow.kills;
    if (d.op != Op::unknown) find_reads(d, flow);
    if (source.guard >= 0 || source.guard_never) flow.kills.reset();
    find_successors(d, at, size, flow);
    return flow;
}

// Registers whose values are certainly not known, at each instruction: data of arrays without contents, and what is
// computed from it. Forward, over all paths.
class Unknowns {
public:
    Unknowns(const std::vector<Decoded>& text, const std::vector<Flow>& flows, bool contents)
        : text_(text), flows_(flows), contents_(contents), jumped_to_(text.size(), false) {
        for (std::size_t i = 0; i < text.size(); ++i)
            for (const int next : flows[i].successors)
                if (next >= 0 && next != static_cast<int>(i) + 1) jumped_to_[static_cast<std::size_t>(next)] = true;
        while (!solve()) continue;
    }

    // Whether a known value may be stored in shared memory.
    bool shared() const { return shared_; }
    // Whether threads may say a known truth at a barrier.
    bool votes() const { return votes_; }

private:
    // False if shared memory was taken to hold no known value, or votes to be unknown, and an instruction contradicts.
    bool solve() {
        before_.assign(text_.size(), Registers().set());
        if (!before_.empty()) before_[0].reset();
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < text_.size(); ++i) changed = visit(i) || changed;
        }
        const bool shared = shared_, votes = votes_;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            shared_ = shared_ || (text_[i].op == Op::store_shared && !stores_unknown(i));
            votes_ = votes_ || (text_[i].votes && (flows_[i].reads & before_[i]).none());
        }
        return shared_ == shared && votes_ == votes;
    }

    // The words that a store may read: those that it reads at most.
    Registers stored(std::size_t i) const {
        Registers set;
        const auto& o = text_[i].source->operands;
        if (!o.empty() && o.back().kind == Kind::reg)
            add(set, 0, o.back().index, std::max(1, text_[i].bytes / 4), registers);
        return set;
    }

    bool stores_unknown(std::size_t i) const {
        const Registers words = stored(i);
        return words.any() && ((words & ~before_[i]).none() || stores_result_of_same_guard(i, words));
    }

    // @P1 LDG R12,… before @P1 STS …,R12, with nothing between that branches, is jumped to or writes either.
    bool stores_result_of_same_guard(std::size_t i, const Registers& words) const {
        const Instruction& store = *text_[i].source;
        for (std::size_t k = i; store.guard >= 0 && k-- > 0 && !jumped_to_[k + 1] && text_[k].op < Op::bra;) {
            const Instruction& other = *text_[k].source;
            const bool same = other.guard == store.guard && other.guard_uniform == store.guard_uniform &&
                              other.guard_negated == store.guard_negated;
            if (same && (words & ~flows_[k].writes).none()) return result_unknown(k);
            if ((flows_[k].writes & (words | flows_[i].guard)).any()) return false;
        }
        return false;
    }

    bool visit(std::size_t i) {
        const Flow& flow = flows_[i];
        Registers after = before_[i];
        if (result_unknown(i)) after |= flow.kills;  // none, where it is guarded
        else after &= ~flow.writes;
        bool changed = false;
        const auto join = [&](Registers& target) {
            const Registers joined = target & after;
            changed = changed || joined != target;
            target = joined;
        };
        if (flow.anywhere)
            for (Registers& target : before_) join(target);
        for (const int next : flow.successors)
            if (next >= 0) join(before_[next]);
        return changed;
    }

    bool result_unknown(std::size_t i) const {
        const Decoded& d = text_[i];
        if (d.op == Op::unknown || d.op == Op::load_matrix || d.polls) return true;
        if (d.op == Op::load_global) return !contents_ && d.source->opcode != "LD";
        if (d.op == Op::load_shared) return !shared_;
        if (d.op == Op::b2r) return !votes_;
        return d.strict && (flows_[i].reads & before_[i]).any();
    }

    const std::vector<Decoded>& text_;
    const std::vector<Flow>& flows_;
    const bool contents_;
    std::vector<bool> jumped_to_;
    bool shared_ = false, votes_ = false;
    std::vector<Registers> before_;
};

// Registers that may hold what an addition to global memory returned, or what was computed from it. Forward, over all
// paths; shared memory is one place.
class Positions {
public:
    explicit Positions(const std::vector<Decoded>& text) : text_(text), before_(text.size()) {
        for (std::size_t i = 0; i < text.size(); ++i)
            flows_.push_back(flow_of(text[i], static_cast<int>(i), static_cast<int>(text.size())));
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < text.size(); ++i) changed = visit(i) || changed;
        }
    }

    // Whether branches or guards depend on them: a queue of work, whose length is not known.
    bool steer() const {
        for (std::size_t i = 0; i < text_.size(); ++i) {
            const Registers control = text_[i].op >= Op::bra ? flows_[i].guard | flows_[i].reads : flows_[i].guard;
            if ((control & before_[i]).any()) return true;
        }
        return false;
    }

private:
    bool visit(std::size_t i) {
        const Flow& flow = flows_[i];
        const Decoded& d = text_[i];
        const bool from = d.draws || (d.op == Op::load_shared && shared_) || (flow.reads & before_[i]).any();
        Registers after = before_[i] & ~flow.kills;
        if (from) after |= flow.writes;
        const bool stores = d.op == Op::store_shared && (flow.value & before_[i]).any();
        bool changed = stores && !shared_;
        shared_ = shared_ || stores;
        for (std::size_t next = 0; next < before_.size(); ++next) {
            const bool follows = flow.anywhere || static_cast<int>(next) == flow.successors[0] ||
                                 static_cast<int>(next) == flow.successors[1];
            if (!follows || (after & ~before_[next]).none()) continue;
            before_[next] |= after;
            changed = true;
        }
        return changed;
    }

    const std::vector<Decoded>& text_;
    std::vector<Flow> flows_;
    std::vector<Registers> before_;
    bool shared_ = false;
};

// Loads and additions of nothing that see what others write; of a word that is the same in each round, if the
// registers `changed` do not make its address.
bool may_poll(const Decoded& d, const Registers& changed) {
    const auto& o = d.source->operands;
    const bool adds_nothing = d.op == Op::atomic_global && !o.empty() && o.back().kind == Kind::reg &&
                              o.back().index < 0 && d.mode == static_cast<int>(semantics::Atomic::add);
    if (!(d.strong && d.op == Op::load_global) && !adds_nothing) return false;
    Registers address;
    for (const Operand& x : o)
        if (x.kind == Kind::memory) add_operand(address, x, 1);
    return (address & changed).none();
}

// Whether what an instruction of a loop requests decides, over the registers of the loop, whether it goes round again.
bool decides_end(const std::vector<Decoded>& text, const std::vector<Flow>& flows, std::size_t from, std::size_t last) {
    Registers follows = flows[from].writes;
    for (std::size_t k = from + 1; k < last; ++k)
        if ((flows[k].reads & follows).any()) follows |= flows[k].writes;
    return (flows[last].guard & follows).any() && text[last].source->guard >= 0;
}

// Marks what waits for other threads: the only request of a loop without branches, which ends by its result.
void mark_polls(std::vector<Decoded>& text) {
    std::vector<Flow> flows;
    for (std::size_t i = 0; i < text.size(); ++i)
        flows.push_back(flow_of(text[i], static_cast<int>(i), static_cast<int>(text.size())));
    for (std::size_t last = 0; last < text.size(); ++last) {
        const int target = flows[last].successors[0];
        if (text[last].op != Op::bra || target < 0 || target >= static_cast<int>(last)) continue;
        const auto first = static_cast<std::size_t>(target);
        Registers changed;
        std::size_t asking = last, requests = 0;
        bool plain = true;
        for (std::size_t k = first; k < last; ++k) {
            changed |= flows[k].writes;
            plain = plain && text[k].op < Op::bra;
            if (!is_memory(text[k])) continue;
            ++requests;
            asking = k;
        }
        if (plain && requests == 1 && may_poll(text[asking], changed) && decides_end(text, flows, asking, last))
            text[asking].polls = text[last].polls = true;
    }
}

// Additions of integers whose results are wanted.
bool may_draw(const Decoded& d) {
    const auto& o = d.source->operands;
    return !d.polls && d.op == Op::atomic_global && d.mode == static_cast<int>(semantics::Atomic::add) &&
           d.bytes == 4 && std::any_of(o.begin(), o.end(), [](const Operand& x) { return x.kind == Kind::memory; }) &&
           d.source->destinations > 0 && !d.source->written.empty();
}

// Marks the atomics that draw positions, or from queues of work.
void mark_draws(std::vector<Decoded>& text) {
    bool any = false;
    for (Decoded& d : text) any = (d.draws = may_draw(d)) || any;
    if (!any || !Positions(text).steer()) return;
    for (Decoded& d : text) d.queues = d.draws;
}

class Liveness {
public:
    Liveness(std::vector<Decoded>& text, bool counts) : text_(text), counts_(counts), live_(text.size()) {
        flows_.reserve(text.size());
        for (std::size_t i = 0; i < text.size(); ++i)
            flows_.push_back(flow_of(text[i], static_cast<int>(i), static_cast<int>(text.size())));
    }

    const std::vector<Flow>& flows() const { return flows_; }

    // Repeats until nothing changes; then what each instruction needs is known for these memories.
    void solve(const SteeringMemory& memory) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = text_.size(); i-- > 0;) changed = visit(i, memory) || changed;
        }
    }

    // Memories that needed loads read.
    SteeringMemory memories(bool contents, bool shared_known, bool votes_known) const {
        SteeringMemory result;
        for (const Decoded& d : text_) {
            if (!d.needed) continue;
            result.votes = result.votes || (votes_known && d.op == Op::b2r);
            const bool generic = d.op == Op::load_global && d.source->opcode == "LD";
            const bool shared = d.op == Op::load_shared || updates_known(d);
            result.shared = result.shared || (shared_known && shared) || generic;
            result.local = result.local || d.op == Op::load_local || generic;
            result.global = result.global || (contents && (d.op == Op::load_global || d.compares));
        }
        return result;
    }

private:
    bool visit(std::size_t i, const SteeringMemory& memory) {
        const Flow& flow = flows_[i];
        Registers out;
        if (flow.anywhere) out.set();
        for (const int next : flow.successors)
            if (next >= 0) out |= live_[next];
        Decoded& d = text_[i];
        const bool result = (out & flow.writes).any();
        d.needed = result || (flow.always && !is_memory(d));
        Registers in = (out & ~flow.kills) | flow.guard;
        const bool idle = counts_ && is_own_shared(d) && !memory.shared;
        if ((flow.always && !idle) || (result && !idle)) in |= flow.reads;
        if (stores_what_steers(d, memory)) in |= flow.value;
        const bool changed = in != live_[i];
        live_[i] = in;
        return changed;
    }

    static bool stores_what_steers(const Decoded& d, const SteeringMemory& memory) {
        if (d.op == Op::store_global)
            return memory.global || (d.source->opcode == "ST" && (memory.shared || memory.local));
        if (d.op == Op::store_shared || updates_known(d)) return memory.shared;
        return d.op == Op::store_local && memory.local;
    }

    std::vector<Decoded>& text_;
    const bool counts_;
    std::vector<Flow> flows_;
    std::vector<Registers> live_;
};

bool operator!=(const SteeringMemory& a, const SteeringMemory& b) {
    return a.shared != b.shared || a.local != b.local || a.global != b.global || a.votes != b.votes;
}

}  // namespace

SteeringMemory mark_needed(std::vector<Decoded>& text, bool contents, bool counts, bool recorded) {
    if (!recorded) mark_polls(text);
    mark_draws(text);
    Liveness liveness(text, counts);
    SteeringMemory memory;
    const Unknowns unknowns(text, liveness.flows(), contents);
    const auto wanted = [&] { return liveness.memories(contents, unknowns.shared(), unknowns.votes()); };
    for (liveness.solve(memory); wanted() != memory;) {
        memory = wanted();
        liveness.solve(memory);
    }
    return memory;
}

}  // namespace foretell::functional
