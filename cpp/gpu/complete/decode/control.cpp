// Control flow, convergence and barriers.
#include <string_view>
#include <unordered_map>

#include "gpu/complete/decode/builder.hpp"

namespace foretell::complete {
namespace {

using functional::Kind;
using functional::Operand;

void flow(Builder& b, Flow kind) {
    b.d.flow = kind;
    b.d.run = nothing;
}

bool has_target(Builder& b) {
    const auto& o = b.source.operands;
    if (o.empty() || o.back().kind != Kind::immediate) return false;
    b.d.target = static_cast<std::uint32_t>(o.back().value / 16);
    return true;
}

// BRA 0x100; BRA P2,0x100; BRA.U UP0,0x100; BRA.DIV UR4,0x100
void branch(Builder& b) {
    if (!has_target(b)) return;
    b.predicate(0, 0);
    b.d.flag = b.has("U") && b.has("ANY");  // all go where one goes
    if (!b.has("DIV")) return flow(b, b.has("CONV") ? Flow::none : Flow::branch);
    b.take(0, 0, Form::integer);
    flow(b, Flow::branch_apart);
}

// BRX R2 -0x6c0 is relative to the next instruction.
void branch_indexed(Builder& b) {
    const auto& o = b.source.operands;
    if (o.empty()) return;
    b.take(0, 0, Form::integer);
    b.d.offset = (o.size() > 1 ? o.back().value : 0) + 16 * (std::int64_t{b.d.number} + 1);
    flow(b, Flow::branch_indexed);
}

// CALL.REL.NOINC 0x130; CALL.REL.NOINC R10,KERNEL; CALL.ABS.NOINC R12; linked code calls malloc by its address
void call(Builder& b) {
    const Operand* first = b.operand(0);
    if (first == nullptr) return;
    const bool system = first->kind == Kind::immediate && is_system_call(static_cast<std::uint64_t>(first->value));
    if (!system && b.source.operands.size() == 1 && has_target(b)) return flow(b, Flow::branch);
    b.take(0, 0, Form::bits64);
    if (system || first->kind == Kind::reg || first->kind == Kind::ureg) flow(b, Flow::call);
}

void ret(Builder& b) {
    b.take(0, 0, Form::bits64);
    flow(b, Flow::ret);
}

void exit(Builder& b) {
    b.predicate(0, 0);
    flow(b, Flow::exit);
}

bool take_barrier(Builder& b) {
    for (const Operand& o : b.source.operands)
        if (o.kind == Kind::none && o.index < 0) {
            b.d.immediate = static_cast<std::uint32_t>(o.value & 15);
            return true;
        }
    return false;
}

void mark(Builder& b) {
    if (take_barrier(b)) flow(b, Flow::mark);
}
void synchronise(Builder& b) {
    if (take_barrier(b)) flow(b, Flow::synchronise);
}
void leave_barrier(Builder& b) {
    if (!take_barrier(b)) return;
    b.predicate(0, 0);
    flow(b, Flow::leave_barrier);
}

// WARPSYNC R5; WARPSYNC.ALL; WARPSYNC.COLLECTIVE R11,0x5c0: the lanes of the mask go on together.
void warp_sync(Builder& b) {
    const Operand* mask = b.operand(0);
    const bool all = b.has("ALL") || mask == nullptr || (b.has("COLLECTIVE") && mask->kind == Kind::immediate);
    if (all) b.d.from[0] = b.literal({{false, 0, all_lanes}});
    else b.take(0, 0, Form::integer);
    b.d.flag = b.has("EXCLUSIVE");
    flow(b, Flow::warp_sync);
}

// BAR.SYNC 0x1,0x80; BAR.ARV R12,R12; BAR.RED.POPC 0x0,P0: barrier and threads are numbers, or packed in a register.
void barrier(Builder& b) {
    Dense& d = b.d;
    const auto& o = b.source.operands;
    if (o.empty() || b.has("SCAN")) return;
    b.take(0, 0, Form::integer);
    d.other = o[0].kind == Kind::reg || o[0].kind == Kind::ureg;  // barrier in a register
    const bool counted =
        o.size() > 1 && (o[1].kind == Kind::immediate || o[1].kind == Kind::reg || o[1].kind == Kind::ureg);
    b.take(1, counted ? 1 : o.size(), Form::integer);
    d.shifted = counted && o[1].kind != Kind::immediate;  // the count is in the upper half
    b.predicate(0, counted ? 2 : 1);
    d.mode = b.has("POPC") ? 1 : b.has("AND") ? 2 : b.has("OR") ? 3 : 0;
    d.flag = b.has("ARV");
    flow(b, Flow::barrier);
}

void result(Builder& b) {
    for (const Operand& o : b.source.operands)
        if (o.kind == Kind::pred && o.index >= 0) b.d.written[0] = static_cast<std::uint8_t>(o.index);
    b.d.run = b.has("RESULT") ? barrier_result : nullptr;
}

// BMOV.32.CLEAR R23,B8 reads a barrier, BMOV.32 B6,R19 writes it.
void move(Builder& b) {
    if (!take_barrier(b)) return;
    const auto& o = b.source.operands;
    b.d.flag = o.size() > 1 && o[0].kind == Kind::none;
    if (b.d.flag) b.take(0, 1, Form::integer);
    b.d.other = b.has("CLEAR");
    b.d.run = b.has("PQUAD") ? nullptr : move_barrier;
}

// RPCMOV.32 Rpc.HI,R3; RPCMOV.32 R3,Rpc.HI: two words that functions may keep numbers in.
void move_saved(Builder& b) {
    const Operand *to = b.operand(0), *from = b.operand(1);
    if (to == nullptr || from == nullptr || !b.has("32")) return;
    const auto row = [&](const Operand& o) { return b.text.saved() + static_cast<std::uint32_t>(o.value & 1); };
    if (to->kind == Kind::none) b.d.to = row(*to);
    if (from->kind == Kind::none) b.d.from[0] = {row(*from), 0};
    else b.take(0, 1, Form::integer);
    b.d.run = b.table.mov;
}

void yield(Builder& b) { flow(b, Flow::yield); }
void sleep(Builder& b) {
    flow(b, Flow::yield);
    b.take(0, b.first(), Form::integer);
}
void trap(Builder& b) { flow(b, Flow::trap); }
void free_of_effects(Builder& b) { b.d.run = nothing; }

// USETMAXREG.TRY_ALLOC UP0: registers are always there.
void take_registers(Builder& b) {
    b.predicate(0, b.source.operands.size());  // true
    b.d.immediate = 0xffff;                    // all rows of both tables
    b.d.run = b.table.plop3;
}

// Copies are done at once, and the caches are coherent.
const std::unordered_map<std::string_view, Build> builders = {
    {"BRA", branch},
    {"BRX", branch_indexed},
    {"BRXU", branch_indexed},
    {"CALL", call},
    {"RET", ret},
    {"EXIT", exit},
    {"BSSY", mark},
    {"BSYNC", synchronise},
    {"BREAK", leave_barrier},
    {"WARPSYNC", warp_sync},
    {"BAR", barrier},
    {"B2R", result},
    {"BMOV", move},
    {"RPCMOV", move_saved},
    {"YIELD", yield},
    {"NANOSLEEP", sleep},
    {"BPT", trap},
    {"NOP", free_of_effects},
    {"DEPBAR", free_of_effects},
    {"MEMBAR", free_of_effects},
    {"ERRBAR", free_of_effects},
    {"CGAERRBAR", free_of_effects},
    {"LDGDEPBAR", free_of_effects},
    {"CCTL", free_of_effects},
    {"CCTLL", free_of_effects},
    {"FENCE", free_of_effects},
    {"ENDCOLLECTIVE", free_of_effects},
    {"PREEXIT", free_of_effects},
    {"ACQBULK", free_of_effects},
    {"PMTRIG", free_of_effects},
    {"SETMAXREG", take_registers},
};

}  // namespace

Build control_builder(std::string_view opcode) {
    const auto entry = builders.find(opcode);
    return entry == builders.end() ? nullptr : entry->second;
}

}  // namespace foretell::complete
