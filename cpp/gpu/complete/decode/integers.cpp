// Integer instructions, moves, and exchanges between lanes.
#include <string_view>
#include <unordered_map>

#include "gpu/complete/decode/builder.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {
namespace {

using functional::Kind;
using functional::Operand;

void mov(Builder& b) {
    b.take(0, b.first(), b.d.is_64 ? Form::integer64 : Form::integer);
    b.d.run = b.d.is_64 ? b.table.mov64 : b.table.mov;
}

void sel(Builder& b) {
    const bool real = b.source.opcode.find("FSEL") != std::string::npos;
    const Form form = real ? Form::real : b.d.is_64 ? Form::integer64 : Form::integer;
    b.take_all(2, form);
    b.predicate(0, b.first() + 2);
    b.d.run = form == Form::integer64 ? b.table.sel64 : b.table.sel;
}

void imad(Builder& b) {
    Dense& d = b.d;
    const std::size_t n = b.first();
    b.take(0, n, Form::integer);
    b.take(1, n + 1, Form::integer);
    b.take(2, n + 2, d.wide || d.high ? Form::integer64 : Form::integer);
    b.predicate(0, n + 3);
    if (d.wide) d.run = b.table.imad_wide;
    else if (d.high) d.run = b.table.imad_high;
    else if (d.carry) d.run = b.table.imad_carry;
    else if (b.is_zero(0) || b.is_zero(1)) {
        d.from[0] = d.from[2];
        d.flip[0] = d.flip[2];
        d.plus[0] = d.plus[2];
        d.run = b.table.mov;
    } else d.run = b.is_plain(3) ? b.table.imad_plain : b.table.imad;
    if (n > 1 && !d.wide && !d.high) b.refuse();  // carries out of narrow products
}

// Bits of the parts of a packed operation (U8x4, S16x2), 0 of others.
std::uint32_t part_bits(const Builder& b) {
    if (b.has("U8x4") || b.has("S8x4") || b.has("8x4")) return 8;
    return b.has("U16x2") || b.has("S16x2") || b.has("16x2") ? 16 : 0;
}

bool is_predicate(const Operand* o) { return o != nullptr && (o->kind == Kind::pred || o->kind == Kind::upred); }

void iadd3(Builder& b) {
    Dense& d = b.d;
    std::size_t k = b.first();
    for (int slot = 0; slot < 3; ++slot) {
        const bool ends = is_predicate(b.operand(k));
        b.take(slot, ends ? b.source.operands.size() : k, d.is_64 ? Form::integer64 : Form::integer);
        k += !ends;
    }
    for (int slot = 0; slot < 2; ++slot) {
        b.predicate(slot, k + static_cast<std::size_t>(slot));
        if (b.operand(k + static_cast<std::size_t>(slot)) == nullptr) d.read[slot].flip = all_lanes;  // no carry
    }
    const bool carries = d.carry || d.written[0] != sink_predicate || d.written[1] != sink_predicate;
    const std::uint32_t width = part_bits(b);
    d.immediate = width;
    if (width != 0) d.run = carries || d.plus[0] != 0 || !b.is_zero(2) ? nullptr : b.table.add_parts;
    else if (d.is_64) d.run = d.written[1] != sink_predicate ? nullptr : b.table.iadd64;
    else d.run = carries ? b.table.iadd3_carry : b.is_plain(3) ? b.table.iadd3_plain : b.table.iadd3;
}

void lea(Builder& b) {
    Dense& d = b.d;
    std::size_t k = b.first();
    b.take(0, k++, Form::integer);
    b.take(1, k++, Form::integer);
    const bool has_high = d.high && !d.sign_extend_a;
    b.take(2, has_high ? k++ : b.source.operands.size(), Form::integer);
    const Operand* shift = b.operand(k++);
    if (shift == nullptr || shift->kind != Kind::immediate || d.is_64) return b.refuse();
    d.immediate = static_cast<std::uint32_t>(shift->value) & 31;
    b.predicate(0, k);
    d.run = d.carry || d.written[0] != sink_predicate ? b.table.lea_carry : b.table.lea;
}

void shf(Builder& b) {
    Dense& d = b.d;
    b.take_all(3, Form::integer);
    d.run = b.table.shf;
    const Operand* by = b.operand(b.first() + 1);
    if (by == nullptr || by->kind != Kind::immediate || by->value < 0 || by->value > 31 || d.is_64) return;
    if (d.left == d.high) return;  // both words matter
    d.immediate = static_cast<std::uint32_t>(by->value);
    d.other = !d.left;
    d.mode = d.left ? 0 : d.is_unsigned ? 1 : 2;
    if (b.is_plain(3)) d.run = b.table.shift;
}

void lop3(Builder& b) {
    Dense& d = b.d;
    b.take_all(3, Form::integer);
    const Operand* table = b.operand(b.first() + 3);
    if (table == nullptr || table->kind != Kind::immediate || d.is_64) return b.refuse();
    d.immediate = static_cast<std::uint32_t>(table->value) & 255;
    d.run = b.table.lop3;
    if (!b.is_plain(2)) return;
    if (d.immediate == 0xc0) d.run = b.table.lop3_and;
    if (d.immediate == 0xfc) d.run = b.table.lop3_or;
    if (d.immediate == 0x3c) d.run = b.table.lop3_xor;
}

void plop3(Builder& b) {
    const std::size_t n = b.first();
    for (int slot = 0; slot < 3; ++slot) b.predicate(slot, n + static_cast<std::size_t>(slot));
    const Operand *first = b.operand(n + 3), *second = b.operand(n + 4);
    if (first == nullptr || first->kind != Kind::immediate) return b.refuse();
    b.d.immediate = static_cast<std::uint32_t>(first->value) & 255;
    if (second != nullptr) b.d.immediate |= (static_cast<std::uint32_t>(second->value) & 255) << 8;
    b.d.run = b.table.plop3;
}

void prmt(Builder& b) {
    using semantics::Permute;
    b.take_all(3, Form::integer);
    Permute how = Permute::index;
    if (b.has("F4E")) how = Permute::forward4;
    if (b.has("B4E")) how = Permute::backward4;
    if (b.has("RC8")) how = Permute::replicate8;
    if (b.has("ECL")) how = Permute::edge_left;
    if (b.has("ECR")) how = Permute::edge_right;
    if (b.has("RC16")) how = Permute::replicate16;
    b.d.mode = static_cast<std::uint8_t>(how);
    b.d.run = b.table.prmt;
}

void isetp(Builder& b) {
    b.take_all(2, b.d.is_64 ? Form::integer64 : Form::integer);
    b.predicate(0, b.first() + 2);
    b.predicate(1, b.first() + 3);
    b.d.run = b.d.is_64 ? b.table.isetp64 : b.table.isetp;
}

void minmax(Builder& b) {
    Dense& d = b.d;
    b.take_all(2, d.is_64 ? Form::integer64 : Form::integer);
    b.predicate(0, b.first() + 2);
    b.take(2, b.source.operands.size(), Form::integer);
    d.immediate = part_bits(b);
    d.is_unsigned = d.is_unsigned || b.has("U16x2") || b.has("U8x4");
    d.flag = b.has("RELU");
    d.run = d.immediate != 0 ? b.table.minmax_parts : d.is_64 ? b.table.minmax64 : b.table.minmax;
    if (d.written[0] != sink_predicate || (d.flag && d.is_64)) b.refuse();
}

void minmax3(Builder& b) {
    b.take_all(3, Form::integer);
    b.predicate(0, b.first() + 3);
    b.d.immediate = part_bits(b);
    b.d.is_unsigned = b.d.is_unsigned || b.has("U16x2") || b.has("U8x4");
    b.d.flag = b.has("RELU");
    b.d.run = b.table.minmax3;
}

void viaddmnmx(Builder& b) {
    const std::size_t n = b.first();
    b.take(0, n, Form::integer);
    b.take(2, n + 1, Form::integer);
    b.take(1, n + 2, Form::integer);
    b.predicate(0, n + 3);
    b.d.flag = b.has("RELU");
    b.d.immediate = part_bits(b);
    b.d.is_unsigned = b.d.is_unsigned || b.has("U16x2") || b.has("U8x4");
    b.d.run = b.d.immediate != 0 ? b.table.minmax_parts : b.table.minmax;
}

void unary(Builder& b) {
    b.take(0, b.first(), Form::integer);
    b.take(1, is_predicate(b.operand(b.first() + 1)) ? b.source.operands.size() : b.first() + 1, Form::integer);
    b.d.run = b.d.is_64 ? nullptr : b.table.unary;
}

void absdiff(Builder& b) {
    b.take_all(3, Form::integer);
    b.d.run = b.table.absdiff;
}

void absdiff4(Builder& b) {
    b.take_all(3, Form::integer);
    b.d.is_unsigned = b.has("U8");
    b.d.flag = b.has("ACC");
    b.d.run = b.table.absdiff4;
}

void idp(Builder& b) {
    b.take_all(3, Form::integer);
    b.d.mode = b.has("2A") ? 2 : 4;
    b.d.high = b.has("HI");
    const auto& modifiers = b.source.modifiers;
    const std::string types = modifiers.size() < 2 ? "" : modifiers[modifiers.size() - 2] + "." + modifiers.back();
    b.d.is_unsigned = types.starts_with('U');
    b.d.flag = types.find(".U") != std::string::npos;
    b.d.run = b.has("4A") || b.has("2A") ? b.table.idp : nullptr;
}

int byte_of(const Builder& b) { return b.has("B1") ? 1 : b.has("B2") ? 2 : b.has("B3") ? 3 : 0; }

void p2r(Builder& b) {  // P2R R0,PR,RZ,0x7f, with or without PR
    const auto& o = b.source.operands;
    if (o.size() < 3 || o.back().kind != Kind::immediate) return b.refuse();
    b.take(0, o.size() - 2, Form::integer);
    b.d.immediate = static_cast<std::uint32_t>(o.back().value);
    b.d.offset = byte_of(b);
    b.d.run = b.table.p2r;
}

void r2p(Builder& b) {
    const auto& o = b.source.operands;
    if (o.size() < 2 || o.back().kind != Kind::immediate) return b.refuse();
    b.take(0, o.size() - 2, Form::integer);
    b.d.immediate = static_cast<std::uint32_t>(o.back().value);
    b.d.offset = byte_of(b);
    b.d.flag = b.source.opcode == "UR2UP";
    b.d.uniform = b.d.flag;
    b.d.run = b.table.r2p;
}

void s2r(Builder& b) {
    const Operand* which = b.operand(b.first());
    if (which == nullptr || which->kind != Kind::special || which->value == functional::other) return b.refuse();
    b.d.immediate = static_cast<std::uint32_t>(which->value);
    b.d.wide = b.source.written.size() + b.source.written_uniform.size() > 1;
    b.d.run = read_special;
}

void shfl(Builder& b) {
    b.take_all(3, Form::integer);
    b.d.run = shuffle;
}

void vote_builder(Builder& b) {
    b.predicate(0, b.source.operands.size() - 1);
    b.d.mode = b.has("ANY") ? 1 : b.has("EQ") ? 2 : 0;
    b.d.run = vote;
}

void match_builder(Builder& b) {
    b.take(0, b.source.operands.size() - 1, b.d.is_64 || b.has("U64") ? Form::bits64 : Form::integer);
    b.d.is_64 = b.d.is_64 || b.has("U64");
    b.d.mode = b.has("ANY") ? 1 : 0;
    b.d.run = match;
}

void redux(Builder& b) {
    using semantics::Atomic;
    b.take(0, b.source.operands.size() - 1, Form::integer);
    Atomic how = Atomic::bit_and;
    if (b.has("SUM")) how = Atomic::add;
    if (b.has("OR")) how = Atomic::bit_or;
    if (b.has("XOR")) how = Atomic::bit_xor;
    if (b.has("MIN")) how = Atomic::min;
    if (b.has("MAX")) how = Atomic::max;
    b.d.mode = static_cast<std::uint8_t>(how);
    b.d.run = reduce;
}

void elect_builder(Builder& b) { b.d.run = elect; }

void r2ur(Builder& b) {
    b.take(0, b.first(), Form::integer);
    b.d.run = b.has("OR") ? nullptr : to_uniform;
}

void movm(Builder& b) {
    b.take(0, b.first(), Form::integer);
    b.d.run = b.has("16") && b.has("MT88") ? transpose_matrix : nullptr;
}

void lepc(Builder& b) {
    const Operand* o = b.operand(b.first());
    if (o == nullptr || o->kind != Kind::immediate) return b.refuse();
    b.d.immediate = static_cast<std::uint32_t>(o->value);
    b.d.run = program_counter;
}

const std::unordered_map<std::string_view, Build> builders = {
    {"MOV", mov},
    {"MOV32I", mov},
    {"SEL", sel},
    {"FSEL", sel},
    {"IMAD", imad},
    {"IADD3", iadd3},
    {"IADD", iadd3},
    {"VIADD", iadd3},
    {"LEA", lea},
    {"SHF", shf},
    {"SHL", unary},
    {"SHR", unary},
    {"LOP3", lop3},
    {"PLOP3", plop3},
    {"PRMT", prmt},
    {"ISETP", isetp},
    {"IMNMX", minmax},
    {"VIMNMX", minmax},
    {"VIMNMX3", minmax3},
    {"VIADDMNMX", viaddmnmx},
    {"IABS", unary},
    {"POPC", unary},
    {"FLO", unary},
    {"BREV", unary},
    {"BMSK", unary},
    {"SGXT", unary},
    {"VABSDIFF", absdiff},
    {"VABSDIFF4", absdiff4},
    {"IDP", idp},
    {"P2R", p2r},
    {"R2P", r2p},
    {"UR2UP", r2p},
    {"UP2UR", p2r},
    {"S2R", s2r},
    {"S2UR", s2r},
    {"CS2R", s2r},
    {"CS2UR", s2r},
    {"SHFL", shfl},
    {"VOTE", vote_builder},
    {"VOTEU", vote_builder},
    {"MATCH", match_builder},
    {"REDUX", redux},
    {"CREDUX", redux},
    {"ELECT", elect_builder},
    {"R2UR", r2ur},
    {"LEPC", lepc},
    {"MOVM", movm},
};

}  // namespace

Build integer_builder(std::string_view opcode) {
    const auto entry = builders.find(opcode);
    return entry == builders.end() ? nullptr : entry->second;
}

}  // namespace foretell::complete
