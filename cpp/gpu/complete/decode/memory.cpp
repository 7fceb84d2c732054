// Accesses to memory.
#include <string_view>
#include <unordered_map>

#include "gpu/complete/decode/builder.hpp"

namespace foretell::complete {
namespace {

using functional::Kind;
using functional::Operand;

Space space_named(std::string_view opcode) {
    if (opcode.find("DG") != std::string_view::npos || opcode == "STG" || opcode == "ATOMG" || opcode == "REDG" ||
        opcode == "LDGSTS")
        return global_space;
    if (opcode.find("DS") != std::string_view::npos || opcode.starts_with("STS") || opcode == "ATOMS")
        return shared_space;
    return opcode == "LDL" || opcode == "STL" ? local_space : generic_space;
}

bool begin(Builder& b) {
    if (b.memory() == nullptr || b.has("MULTICAST")) return false;
    b.take_address(*b.memory());
    b.d.space = space_named(b.source.opcode);
    return true;
}

Form form_of(const Builder& b) { return b.d.bytes > 8 ? Form::bits128 : b.d.bytes > 4 ? Form::bits64 : Form::integer; }

// A load that other blocks may answer: the result depends on their order.
bool is_strong(const Builder& b) { return b.has("STRONG") && b.d.space != shared_space; }

void load_builder(Builder& b) {
    if (!begin(b)) return;
    if (is_strong(b)) b.text.order_free = false;
    b.d.run = b.has("ZD") || b.has("256") ? nullptr : load;
}

void store_builder(Builder& b) {
    if (!begin(b)) return;
    b.take(0, b.memory_at() + 1, form_of(b));
    b.d.run = b.has("256") ? nullptr : store;
}

// Updates of integers commute, if they are all of one kind and nobody reads the old value.
void note_order(Builder& b, semantics::Atomic how) {
    if (b.d.space == shared_space) return;
    using semantics::Atomic;
    const bool reads = b.d.to != b.text.sink(), swaps = how == Atomic::exchange || how == Atomic::compare;
    const int kind = static_cast<int>(how) + 1;
    if (b.d.real || reads || swaps || (b.text.update_kind != 0 && b.text.update_kind != kind))
        b.text.order_free = false;
    b.text.update_kind = kind;
}

void atomic_builder(Builder& b) {
    if (!begin(b)) return;
    Dense& d = b.d;
    const semantics::Atomic how = update_of(b);
    const bool halves = b.has("F16x2") || b.has("BF16x2") || b.has("BF16_V2");
    d.mode = static_cast<std::uint8_t>(how);
    d.real = b.has("F32") || b.has("F64") || halves;
    d.bytes = d.is_64 || d.real64 ? 8 : 4;
    d.brain = b.has("BF16x2") || b.has("BF16_V2");
    d.flag = b.has("CAST");
    const std::size_t at = b.memory_at();
    b.take(0, at + 1, form_of(b));
    b.take(1, at + 2, form_of(b));
    d.half[0] = halves;
    if (b.has("POPC")) d.from[0] = b.literal({{false, 0, 1}});
    note_order(b, how);
    const bool refused =
        b.has("128") || b.has("F16x4") || b.has("F16x8") || (d.real64 && how != semantics::Atomic::add);
    d.run = refused ? nullptr : atomic;
}

// LDGSTS [R5+0x10], desc[UR8][R2.64], P0
void copy_builder(Builder& b) {
    const Operand *to = b.operand(0), *from = b.operand(1);
    if (to == nullptr || from == nullptr || to->kind != Kind::memory || from->kind != Kind::memory) return;
    b.take_address(*from);
    b.d.space = global_space;
    b.d.from[0] = {to->index < 0 ? b.text.zeros() : static_cast<std::uint32_t>(to->index), 0};
    b.d.immediate = static_cast<std::uint32_t>(to->value);
    b.predicate(0, 2);
    b.d.run = to->uniform >= 0 ? nullptr : copy_to_shared;
}

void matrix_loads(Builder& b) {
    if (!begin(b)) return;
    b.d.flag = b.has("MT88");
    b.d.sources = b.has("4") ? 4 : b.has("2") ? 2 : 1;
    b.d.run = b.has("M88") || b.has("MT88") ? load_matrix : nullptr;
}

void matrix_stores(Builder& b) {
    matrix_loads(b);
    b.take(0, b.memory_at() + 1, Form::bits128);
    if (b.d.run != nullptr) b.d.run = store_matrix;
}

// LDC R0, c[0x0][0x28]: of a place that is known, a literal.
void constant_builder(Builder& b) {
    const Operand* o = b.operand(b.first());
    if (o == nullptr || o->kind != Kind::constant) return;
    const bool direct = o->index < 0 && o->uniform < 0 && (b.d.bytes == 4 || b.d.bytes == 8);
    if (direct) {
        b.take(0, b.first(), b.d.bytes == 8 ? Form::bits64 : Form::integer);
        b.d.run = b.d.bytes == 8 ? b.table.mov64 : b.table.mov;
        return;
    }
    b.d.bank = static_cast<std::uint8_t>(o->bank);
    b.d.offset = o->value;
    if (o->uniform >= 0) b.d.base = static_cast<std::int16_t>(static_cast<int>(b.text.registers) + o->uniform);
    else b.d.base = static_cast<std::int16_t>(o->index);
    b.d.run =
        b.has("IL") || b.has("IS") || b.has("ISL") || (o->uniform >= 0 && o->index >= 0) ? nullptr : load_constant;
}

// QSPC.E.S P0, RZ, [R2]: tests whether a generic address is in shared memory.
void space_query(Builder& b) {
    if (!begin(b)) return;
    b.d.space = generic_space;
    b.d.mode = b.has("S") ? shared_space : b.has("L") ? local_space : global_space;
    b.d.run = query_space;
}

const std::unordered_map<std::string_view, Build> builders = {
    {"LDG", load_builder},     {"LD", load_builder},       {"LDS", load_builder},      {"LDL", load_builder},
    {"STG", store_builder},    {"ST", store_builder},      {"STS", store_builder},     {"STL", store_builder},
    {"ATOM", atomic_builder},  {"ATOMG", atomic_builder},  {"ATOMS", atomic_builder},  {"RED", atomic_builder},
    {"REDG", atomic_builder},  {"LDGSTS", copy_builder},   {"LDSM", matrix_loads},     {"STSM", matrix_stores},
    {"LDC", constant_builder}, {"LDCU", constant_builder}, {"ULDC", constant_builder}, {"QSPC", space_query},
};

}  // namespace

semantics::Atomic update_of(const Builder& b) {
    using semantics::Atomic;
    return b.first_of<Atomic>({{"MIN", Atomic::min},
                               {"MAX", Atomic::max},
                               {"POPC", Atomic::add},
                               {"INC", Atomic::inc},
                               {"DEC", Atomic::dec},
                               {"AND", Atomic::bit_and},
                               {"OR", Atomic::bit_or},
                               {"XOR", Atomic::bit_xor},
                               {"EXCH", Atomic::exchange},
                               {"CAS", Atomic::compare},
                               {"CAST", Atomic::compare}},
                              Atomic::add);
}

Build memory_builder(std::string_view opcode) {
    const auto entry = builders.find(opcode);
    return entry == builders.end() ? nullptr : entry->second;
}

}  // namespace foretell::complete
