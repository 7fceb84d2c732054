#include "gpu/functional/decode.hpp"

#include <algorithm>
#include <unordered_map>

namespace foretell::functional {
namespace {

const std::unordered_map<std::string, Op> operations = {
    {"MOV", Op::mov},
    {"IMAD", Op::imad},
    {"IADD3", Op::iadd3},
    {"VIADD", Op::iadd3},
    {"IADD", Op::iadd3},
    {"LEA", Op::lea},
    {"SHF", Op::shf},
    {"SHL", Op::shl},
    {"SHR", Op::shr},
    {"LOP3", Op::lop3},
    {"PLOP3", Op::plop3},
    {"PRMT", Op::prmt},
    {"SEL", Op::sel},
    {"FSEL", Op::sel},
    {"ISETP", Op::isetp},
    {"IMNMX", Op::imnmx},
    {"VIMNMX", Op::imnmx},
    {"VIADDMNMX", Op::viaddmnmx},
    {"IABS", Op::iabs},
    {"POPC", Op::popc},
    {"FLO", Op::flo},
    {"BREV", Op::brev},
    {"BMSK", Op::bmsk},
    {"SGXT", Op::sgxt},
    {"S2R", Op::s2r},
    {"S2UR", Op::s2r},
    {"CS2R", Op::cs2r},
    {"CS2UR", Op::cs2r},
    {"LDC", Op::ldc},
    {"LDCU", Op::ldc},
    {"R2UR", Op::r2ur},
    {"P2R", Op::p2r},
    {"R2P", Op::r2p},
    {"VOTE", Op::vote},
    {"SHFL", Op::shfl},
    {"I2F", Op::i2f},
    {"I2FP", Op::i2f},
    {"F2I", Op::f2i},
    {"MUFU", Op::mufu},
    {"FADD", Op::fadd},
    {"FMUL", Op::fmul},
    {"FFMA", Op::ffma},
    {"FSETP", Op::fsetp},
    {"FMNMX", Op::fmnmx},
    {"DADD", Op::dadd},
    {"DMUL", Op::dmul},
    {"DFMA", Op::dfma},
    {"DSETP", Op::dsetp},
    {"HFMA2", Op::hfma2},
    {"FCHK", Op::fchk},
    {"LDG", Op::load_global},
    {"LD", Op::load_global},
    {"STG", Op::store_global},
    {"ST", Op::store_global},
    {"ATOMG", Op::atomic_global},
    {"ATOM", Op::atomic_global},
    {"RED", Op::atomic_global},
    {"REDG", Op::atomic_global},
    {"LDS", Op::load_shared},
    {"STS", Op::store_shared},
    {"ATOMS", Op::atomic_shared},
    {"LDL", Op::load_local},
    {"STL", Op::store_local},
    {"LDGSTS", Op::copy_to_shared},
    {"LDSM", Op::load_matrix},
    {"BRA", Op::bra},
    {"BRX", Op::brx},
    {"EXIT", Op::exit},
    {"CALL", Op::call},
    {"RET", Op::ret},
    {"BSSY", Op::bssy},
    {"BSYNC", Op::bsync},
    {"BREAK", Op::breaks},
    {"BAR", Op::bar},
    {"NOP", Op::nothing},
    {"WARPSYNC", Op::warpsync},
    {"DEPBAR", Op::nothing},
    {"MEMBAR", Op::nothing},
    {"ERRBAR", Op::nothing},
    {"LDGDEPBAR", Op::nothing},
    {"QSPC", Op::query_space},
    {"SETMAXREG", Op::take_registers},
    {"YIELD", Op::nothing},
    {"CCTL", Op::nothing},
    {"FENCE", Op::nothing},
    {"NANOSLEEP", Op::nothing},
};

const std::unordered_map<std::string, Compare> comparisons = {
    {"LT", Compare::lt},      {"EQ", Compare::eq},   {"LE", Compare::le},    {"GT", Compare::gt},
    {"NE", Compare::ne},      {"GE", Compare::ge},   {"T", Compare::always}, {"F", Compare::never},
    {"NUM", Compare::number}, {"NAN", Compare::nan}, {"LTU", Compare::lt},   {"EQU", Compare::eq},
    {"LEU", Compare::le},     {"GTU", Compare::gt},  {"NEU", Compare::ne},   {"GEU", Compare::ge},
};

const std::unordered_map<std::string, int> modes = {
    // SHFL
    {"IDX", 0},
    {"UP", 1},
    {"DOWN", 2},
    {"BFLY", 3},
    // VOTE
    {"ALL", 0},
    {"ANY", 1},
    // MUFU
    {"RCP", 0},
    {"RSQ", 1},
    {"EX2", 2},
    {"LG2", 3},
    {"SIN", 4},
    {"COS", 5},
    {"SQRT", 6},
    {"TANH", 7},
    {"RCP64H", 8},
    {"RSQ64H", 9},
    // F2I, I2F
    {"TRUNC", 1},
    {"FLOOR", 2},
    {"CEIL", 3},
    {"RP", 4},
    {"RM", 5},
    {"RZ", 6},
};

class Modifiers {
public:
    explicit Modifiers(const std::vector<std::string>& names) : names_(names) {}
    bool operator()(const char* name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

private:
    const std::vector<std::string>& names_;
};

int access_bytes(const Modifiers& has) {
    if (has("128")) return 16;
    if (has("96")) return 12;
    if (has("64") || has("F64") || has("U64") || has("S64")) return 8;
    if (has("U8") || has("S8")) return 1;
    if (has("U16") || has("S16")) return 2;
    return 4;
}

void read_modifiers(Decoded& d) {
    const Instruction& source = *d.source;
    const Modifiers has(source.modifiers);
    d.wide = has("WIDE");
    d.high = has("HI");
    d.carry_in = has("X");
    d.is_unsigned = has("U32") || has("U64");
    d.left = has("L");
    d.wrap = has("W");
    d.extended = has("EX");
    d.is_64 = has("64") || has("U64") || has("S64");
    d.sign_extend_a = has("SX32");
    d.shifted = has("SH");
    d.is_signed_load = has("S8") || has("S16");
    d.arrive_only = has("ARV");
    d.if_apart = has("DIV");
    d.combine = has("XOR") ? '^' : has("OR") ? '|' : '&';
    d.bytes = access_bytes(has);
    for (const std::string& name : source.modifiers) {
        if (const auto found = comparisons.find(name); found != comparisons.end()) d.compare = found->second;
        if (const auto found = modes.find(name); found != modes.end()) d.mode = found->second;
    }
}

Decoded decode_one(const Instruction& source) {
    Decoded d;
    d.source = &source;
    auto found = operations.find(source.opcode);
    if (found == operations.end() && source.opcode.size() > 1 && source.opcode[0] == 'U') {
        found = operations.find(source.opcode.substr(1));  // UIADD3 is IADD3 on uniform registers
        d.uniform = true;
    }
    if (source.opcode == "VOTEU") {
        found = operations.find("VOTE");
        d.uniform = true;
    }
    if (found != operations.end()) d.op = found->second;
    read_modifiers(d);
    if (d.op == Op::iadd3 && d.is_64) d.op = Op::iadd64;
    const bool wide_float = d.op == Op::i2f && (Modifiers(source.modifiers)("F64") || d.is_64);
    const bool wide_integer = d.op == Op::f2i && (Modifiers(source.modifiers)("F64") || d.is_64);
    const bool wide_logic = d.is_64 && (d.op == Op::imnmx || d.op == Op::lop3);
    if (wide_float || wide_integer || wide_logic) d.op = Op::unknown;  // results are unknown, not wrong
    return d;
}

bool asks_global(const Decoded& d) { return d.op == Op::load_global || d.op == Op::store_global; }

// Instructions whose only effect is on registers, and that fall through.
bool is_plain(const Decoded& d) { return d.op < Op::load_global || d.op == Op::load_shared || d.op == Op::load_matrix; }

// Whether no instruction of a loop controls the execution of this one.
bool always_alike(const Decoded& d, const Decoded* first, const Decoded* last) {
    return std::none_of(first, last, [&](const Decoded& other) {
        const auto& written =
            d.source->guard_uniform ? other.source->written_uniform_predicates : other.source->written_predicates;
        return d.source->guard >= 0 && std::find(written.begin(), written.end(), d.source->guard) != written.end();
    });
}

// The integer comparison that sets the guard of a branch; null if anything else sets it.
const Decoded* condition_of(const Decoded& branch, const Decoded* first) {
    const Instruction& source = *branch.source;
    for (const Decoded* d = &branch; d-- != first;) {
        const auto& written =
            source.guard_uniform ? d->source->written_uniform_predicates : d->source->written_predicates;
        if (std::find(written.begin(), written.end(), source.guard) == written.end()) continue;
        const auto& o = d->source->operands;
        const bool alone = o.size() == 5 && o[0].index == source.guard && o[4].index < 0 && !o[4].inverted;
        return d->op == Op::isetp && alone && d->source->guard < 0 && !d->extended && !d->is_64 ? d : nullptr;
    }
    return nullptr;
}

// Marks a backward branch whose loop may be skipped in part.
void find_round(std::vector<Decoded>& text, std::size_t target, std::size_t i, bool contents) {
    Decoded* first = &text[target];
    Decoded* last = &text[i];
    if (!std::all_of(first, last, [&](const Decoded& d) {
            return is_plain(d) || (!contents && asks_global(d) && always_alike(d, first, last));
        }))
        return;
    last->condition = condition_of(*last, first);
    if (last->condition == nullptr) return;
    last->round = static_cast<std::uint32_t>(i - target + 1);
    for (Decoded* d = first; d != last; ++d) {
        d->asks = d->asks || asks_global(*d);
        last->asking = last->asking || d->asks;
    }
}

}  // namespace

std::vector<Decoded> decode(const std::vector<Instruction>& program, bool contents) {
    std::vector<Decoded> result;
    result.reserve(program.size());
    for (const Instruction& source : program) {
        result.push_back(decode_one(source));
        result.back().number = static_cast<std::uint32_t>(result.size() - 1);
    }
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
