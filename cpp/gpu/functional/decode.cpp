#include "gpu/functional/decode.hpp"

#include <algorithm>
#include <unordered_map>

#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::functional {
namespace {

using Opcodes = std::vector<const char*>;

const std::unordered_map<std::string, Op> operations = [] {
    std::unordered_map<std::string, Op> result;
    const auto add = [&](Op op, const Opcodes& opcodes) {
        for (const char* opcode : opcodes) result[opcode] = op;
    };
    add(Op::nothing, {"NOP", "DEPBAR", "MEMBAR", "ERRBAR", "LDGDEPBAR", "YIELD", "CCTL", "FENCE", "NANOSLEEP"});
#define X(operation, rule, ...) add(Op::operation, Opcodes{__VA_ARGS__});
    FORETELL_ALU_OPERATIONS(X)
#undef X
#define X(operation, ...) add(Op::operation, Opcodes{__VA_ARGS__});
    FORETELL_MEMORY_OPERATIONS(X)
    FORETELL_CONTROL_OPERATIONS(X);
#undef X
    return result;
}();

const std::unordered_map<std::string, Compare> comparisons = {
    {"LT", Compare::lt},      {"EQ", Compare::eq},   {"LE", Compare::le},    {"GT", Compare::gt},
    {"NE", Compare::ne},      {"GE", Compare::ge},   {"T", Compare::always}, {"F", Compare::never},
    {"NUM", Compare::number}, {"NAN", Compare::nan}, {"LTU", Compare::lt},   {"EQU", Compare::eq},
    {"LEU", Compare::le},     {"GTU", Compare::gt},  {"NEU", Compare::ne},   {"GEU", Compare::ge},
};

// Of SHFL; VOTE; MUFU; F2I and I2F.
const std::unordered_map<std::string, int> modes = {
    {"IDX", 0},   {"UP", 1},    {"DOWN", 2}, {"BFLY", 3}, {"ALL", 0},  {"ANY", 1},  {"RCP", 0},    {"RSQ", 1},
    {"EX2", 2},   {"LG2", 3},   {"SIN", 4},  {"COS", 5},  {"SQRT", 6}, {"TANH", 7}, {"RCP64H", 8}, {"RSQ64H", 9},
    {"TRUNC", 1}, {"FLOOR", 2}, {"CEIL", 3}, {"RP", 4},   {"RM", 5},   {"RZ", 6}};

// Rules whose results are known only where all operands are.
bool is_strict(Op op) {
    switch (op) {
        case Op::imad:
        case Op::iadd3:
        case Op::iadd64:
        case Op::lea:
        case Op::shf:
        case Op::shl:
        case Op::shr:
        case Op::lop3:
        case Op::prmt:
        case Op::imnmx:
        case Op::viaddmnmx:
        case Op::i2f:
        case Op::f2i:
        case Op::f2f:
        case Op::frnd:
        case Op::mufu:
        case Op::fadd:
        case Op::fmul:
        case Op::ffma:
        case Op::fmnmx:
        case Op::dadd:
        case Op::dmul:
        case Op::dfma:
        case Op::hfma2:
        case Op::hadd2:
        case Op::hmul2:
        case Op::hsetp2:
        case Op::f2fp: return true;
        default: return false;
    }
}

// Rules of numbers of 16 bits.
bool is_narrow(Op op) {
    return op == Op::hfma2 || op == Op::hadd2 || op == Op::hmul2 || op == Op::hsetp2 || op == Op::f2fp;
}

// How an atomic changes a word of 32 bits, as an integer; -1 for others (comparisons, floating-point numbers).
int update_of(const std::vector<std::string>& modifiers, int bytes) {
    using semantics::Atomic;
    static const std::unordered_map<std::string, Atomic> kinds = {
        {"ADD", Atomic::add},     {"POPC", Atomic::add},     {"MIN", Atomic::min},     {"MAX", Atomic::max},
        {"INC", Atomic::inc},     {"DEC", Atomic::dec},      {"AND", Atomic::bit_and}, {"OR", Atomic::bit_or},
        {"XOR", Atomic::bit_xor}, {"EXCH", Atomic::exchange}};
    int result = -1;
    for (const std::string& name : modifiers) {
        if (bytes != 4 || name.starts_with("F") || name.starts_with("BF") || name.starts_with("CAS")) return -1;
        const auto kind = kinds.find(name);
        if (kind != kinds.end() && result < 0) result = static_cast<int>(kind->second);
    }
    return result;
}

Decoded decode_one(const Instruction& source, std::uint32_t number) {
    const auto& modifiers = source.modifiers;
    const auto has = [&](auto... names) {
        return (... || (std::find(modifiers.begin(), modifiers.end(), names) != modifiers.end()));
    };
    Decoded d;
    d.source = &source;
    d.number = number;
    auto operation = operations.find(source.opcode);
    if (operation == operations.end() && source.opcode.starts_with('U'))
        operation = operations.find(source.opcode.substr(1));  // UIADD3 is IADD3 on uniform registers
    if (operation != operations.end()) d.op = operation->second;
    d.wide = has("WIDE");
    d.high = has("HI");
    d.carry_in = has("X");
    d.is_unsigned = has("U32", "U64");
    d.left = has("L");
    d.wrap = has("W");
    d.extended = has("EX");
    d.is_64 = has("64", "U64", "S64");
    d.sign_extend_a = has("SX32");
    d.shifted = has("SH");
    d.is_signed_load = has("S8", "S16");
    d.arrive_only = has("ARV");
    d.if_apart = has("DIV");
    d.ordered = has("STRONG", "MMIO") && d.op == Op::load_global;
    d.combine = has("XOR") ? '^' : has("OR") ? '|' : has("POPC") ? '+' : '&';
    d.bytes = has("128", "F16x8", "BF16x8", "F32x4")              ? 16
              : has("96")                                         ? 12
              : has("F64", "F16x4", "BF16x4", "F32x2") || d.is_64 ? 8
              : has("U8", "S8")                                   ? 1
              : has("U16", "S16")                                 ? 2
                                                                  : 4;
    for (const std::string& name : modifiers) {
        if (const auto compare = comparisons.find(name); compare != comparisons.end()) d.compare = compare->second;
        if (const auto mode = modes.find(name); mode != modes.end()) d.mode = mode->second;
    }
    if (d.op == Op::iadd3 && d.is_64) d.op = Op::iadd64;
    d.real64 = has("F64");
    const bool converts = d.op == Op::i2f || d.op == Op::f2i || d.op == Op::f2f || d.op == Op::frnd;
    if (d.op == Op::f2f) {  // F2F.F64.F32 widens
        d.wide = !modifiers.empty() && modifiers.front() == "F64";
        d.real64 = !d.wide;
        if (!has("F64") || !has("F32")) d.op = Op::unknown;
    }
    if (is_narrow(d.op)) {
        d.brain = has("BF16", "BF16_V2");
        d.real32 = has("F32");
        d.both = has("H_AND");
        const bool packs = d.op != Op::f2fp || (has("PACK_AB") && !has("E4M3", "E5M2", "TF32", "RZ"));
        if (!packs || has("SAT", "SATFINITE", "RELU", "FTZ")) d.op = Op::unknown;
    }
    const Operands& o = source.operands;
    if (d.op == Op::bar) d.named = !o.empty() && (o[0].kind != Kind::immediate || o[0].value != 0 || counts_threads(o));
    d.strong = has("STRONG");
    d.votes = d.op == Op::bar && has("RED") && o.size() > 1;
    if (d.op == Op::b2r && !has("RESULT")) d.op = Op::unknown;
    d.indexed =
        d.op == Op::ldc && o.size() > 1 && o[1].kind == Kind::constant && (o[1].index >= 0 || o[1].uniform >= 0);
    if (d.op == Op::sync_object) d.mode = has("ARRIVE") ? Arrive : has("PHASECHK") ? Await : Begin;
    if (d.op == Op::atomic_shared || d.op == Op::atomic_global) {
        d.mode = update_of(modifiers, d.bytes);
        d.is_signed_load = has("S32");
        d.swaps = d.op == Op::atomic_shared && has("CAST");
        d.compares = d.op == Op::atomic_global && has("CAS") && d.bytes == 4;
    }
    if (d.op == Op::copy_bulk && (modifiers.empty() || modifiers.front() != "S"))
        d.op = Op::unknown;  // from shared memory
    if (d.op == Op::copy_tile && (modifiers.empty() || modifiers.front() != "2D")) d.op = Op::unknown;
    if (converts) d.is_unsigned = has("U8", "U16", "U32", "U64");
    const bool narrow_conversion = converts && has("F16", "BF16");
    const bool wide_logic = d.is_64 && (d.op == Op::imnmx || d.op == Op::lop3);
    if (narrow_conversion || wide_logic) d.op = Op::unknown;  // results are unknown, not wrong
    d.strict = is_strict(d.op);
    return d;
}

bool asks_global(const Decoded& d) { return d.op == Op::load_global || d.op == Op::store_global; }

// Instructions whose only effect is on registers, and that fall through.
bool is_plain(const Decoded& d) { return d.op < Op::load_global || d.op == Op::load_shared || d.op == Op::load_matrix; }

bool sets_guard(const Decoded& d, const Instruction& guarded) {
    const auto& written = guarded.guard_uniform ? d.source->written_uniform_predicates : d.source->written_predicates;
    return guarded.guard >= 0 && std::find(written.begin(), written.end(), guarded.guard) != written.end();
}

// The predicate that PLOP3 P0,PT,PT,PT,UP0,0x80,0x0 copies; null for others.
const Operand* copied_predicate(const Decoded& d) {
    if (d.op != Op::plop3 || d.source->guard >= 0) return nullptr;
    const Operand* from = nullptr;
    for (std::size_t k = static_cast<std::size_t>(d.source->destinations); k < d.source->operands.size(); ++k) {
        const Operand& o = d.source->operands[k];
        if ((o.kind != Kind::pred && o.kind != Kind::upred) || o.index < 0) continue;
        if (from != nullptr || o.inverted) return nullptr;
        from = &o;
    }
    return from;
}

}  // namespace

const Decoded* condition_of(const Decoded& branch, const Decoded* first) {
    int wanted = branch.source->guard;
    bool uniform = branch.source->guard_uniform;
    for (const Decoded* d = &branch; d-- != first;) {
        const auto& written = uniform ? d->source->written_uniform_predicates : d->source->written_predicates;
        if (wanted < 0 || std::find(written.begin(), written.end(), wanted) == written.end()) continue;
        const auto& o = d->source->operands;
        if (const Operand* copied = copied_predicate(*d); copied != nullptr && o[0].index == wanted) {
            wanted = copied->index;
            uniform = copied->kind == Kind::upred;
            continue;
        }
        const bool alone = o.size() == 5 && o[0].index == wanted && o[4].index < 0 && !o[4].inverted;
        return d->op == Op::isetp && alone && d->source->guard < 0 && !d->extended && !d->is_64 ? d : nullptr;
    }
    return nullptr;
}

namespace {

// Marks a backward branch whose loop may be skipped in part.
void find_round(std::vector<Decoded>& text, std::size_t target, std::size_t i, bool contents) {
    Decoded* first = &text[target];
    Decoded* last = &text[i];
    const auto always_executed = [&](const Decoded& d) {
        return std::none_of(first, last, [&](const Decoded& other) { return sets_guard(other, *d.source); });
    };
    if (!std::all_of(first, last, [&](const Decoded& d) {
            return is_plain(d) || (!contents && asks_global(d) && always_executed(d));
        }))
        return;
    last->condition = condition_of(*last, first);
    if (last->condition == nullptr) return;
    last->round = static_cast<std::uint32_t>(i - target + 1);
    for (Decoded* d = first; d != last; ++d) {
        d->asks = d->asks || asks_global(*d);
        last->asking = last->asking || d->asks;
        d->decides = d->decides || (d->op == Op::isetp && d != last->condition);
    }
}

}  // namespace

std::vector<Decoded> decode(const std::vector<Instruction>& program, bool contents) {
    std::vector<Decoded> result;
    result.reserve(program.size());
    for (const Instruction& source : program)
        result.push_back(decode_one(source, static_cast<std::uint32_t>(result.size())));
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (result[i].op != Op::bra || program[i].operands.empty()) continue;
        const std::size_t target = static_cast<std::size_t>(program[i].operands.back().value) / 16;
        for (std::size_t k = i + 1; k < target && k < result.size(); ++k)
            result[i].skips_call = result[i].skips_call || result[k].op == Op::call;
        if (target < i && program[i].guard >= 0 && program[i].operands.size() == 1)
            find_round(result, target, i, contents);
    }
    return result;
}

}  // namespace foretell::functional
