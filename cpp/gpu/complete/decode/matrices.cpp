// Matrix products of warps and warpgroups.
#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>

#include "gpu/complete/decode/builder.hpp"
#include "gpu/complete/matrix/elements.hpp"

namespace foretell::complete {
namespace {

using functional::Kind;
using functional::Operand;

// HMMA.SP.16832.F32 R8,R12,R8,RZ,R2,0x0: of a sparse A, R2 has the metadata; the last number selects the lanes that have it.
void matrices(Builder& b, int type, std::uint32_t k_size) {
    b.take_all(3, Form::bits128);
    b.d.flip[0] = b.d.flip[1] = b.d.flip[2] = 0;
    b.d.mode = static_cast<std::uint8_t>(type);
    b.d.immediate = k_size;
    b.d.carry = b.has("SP");
    if (b.d.carry) {
        const Operand* selector = b.operand(b.first() + 4);
        if (selector == nullptr || selector->kind != Kind::immediate) return;
        b.take(3, b.first() + 3, Form::integer);
        b.d.sources = static_cast<std::uint8_t>(selector->value & 3);
    }
    b.d.run = k_size == 0 ? nullptr : multiply_matrices;
}

void hmma(Builder& b) {
    const int type = b.has("TF32") ? tensor_type : b.d.brain ? brain_type : half_type;
    b.d.real = b.has("F32");
    const std::uint32_t k = b.has("16832") ? 32 : b.has("16816") ? 16 : b.has("1688") ? 8 : b.has("1684") ? 4 : 0;
    matrices(b, type, k);
}

void imma(Builder& b) {
    const auto& modifiers = b.source.modifiers;
    std::vector<std::string> types;
    for (const std::string& m : modifiers)
        if (m == "S8" || m == "U8" || m == "S4" || m == "U4") types.push_back(m);
    const std::uint32_t k = b.has("16864") ? 64 : b.has("16832") ? 32 : b.has("16816") || b.has("8816") ? 16 : 0;
    b.d.high = !b.has("8816");
    matrices(b, int8_type, k);
    if (types.size() != 2 || types[0].back() != '8' || types[1].back() != '8') return b.refuse();
    b.d.is_unsigned = types[0] == "U8";
    b.d.flag = types[1] == "U8";
}

void dmma(Builder& b) { matrices(b, double_type, b.has("8x8x4") || b.has("884") ? 4 : 0); }

// N of 64xNxK; 0 if no modifier has this form.
std::uint32_t columns_of(const Builder& b) {
    for (const std::string& m : b.source.modifiers) {
        std::uint32_t columns = 0;
        if (m.starts_with("64x") && std::from_chars(m.data() + 3, m.data() + m.size(), columns).ec == std::errc{})
            return columns % 8 == 0 && columns <= 256 ? columns : 0;
    }
    return 0;
}

// HGMMA.64x64x16.F32 R24, R56, gdesc[UR4].tnspB, R24, UP0, gsb0; without R56, A is in shared memory.
void warpgroup_product(Builder& b, int a_type, int b_type) {
    Dense& d = b.d;
    const Operand *first = b.operand(b.first()), *matrix = b.memory();
    if (first == nullptr || matrix == nullptr || matrix->uniform < 0 || columns_of(b) == 0 || b.has("SP")) return;
    const std::size_t at = b.memory_at();
    const Operand *to = b.operand(0), *added = b.operand(at + 1);  // as many rows as only registers have
    if (b.first() == 0 || to->kind != Kind::reg || to->index < 0 || added == nullptr || added->kind != Kind::reg)
        return;
    d.other = first->kind == Kind::reg;
    if (d.other) b.take(0, b.first(), Form::bits128);
    d.flip[0] = (d.other && first->negated) || matrix->marks & 4;
    d.keep[0] = ~0u;
    d.flip[1] = (matrix->marks & 8) != 0;
    d.carry = matrix->marks & 1;
    d.wrap = matrix->marks & 2;
    d.from[1] = {b.text.registers + static_cast<std::uint32_t>(matrix->uniform), 0};
    b.take(2, at + 1, Form::bits128);
    b.predicate(0, at + 2);
    if (added->index < 0) d.read[0] = {true_predicate, all_lanes};  // nothing is added, and there are few rows of zeros
    d.half[0] = static_cast<std::uint8_t>(a_type);
    d.half[1] = static_cast<std::uint8_t>(b_type);
    d.immediate = columns_of(b);
    d.real = b.has("F32");
    d.run = multiply_warpgroup;
}

void hgmma(Builder& b) {
    const int type = b.has("TF32") ? tensor_type : b.has("BF16") ? brain_type : half_type;
    warpgroup_product(b, type, type);
}

// The types of A and B are the last two of their kind among the modifiers.
std::vector<int> types_of(const Builder& b) {
    static const std::unordered_map<std::string_view, int> known = {
        {"S8", int8_type}, {"U8", uint8_type}, {"E4M3", e4m3_type}, {"E5M2", e5m2_type}};
    std::vector<int> result;
    for (const std::string& m : b.source.modifiers)
        if (const auto type = known.find(m); type != known.end()) result.push_back(type->second);
    return result;
}

void typed_gmma(Builder& b) {
    const std::vector<int> types = types_of(b);
    if (types.size() == 2) warpgroup_product(b, types[0], types[1]);
}

const std::unordered_map<std::string_view, Build> builders = {
    {"HMMA", hmma}, {"IMMA", imma}, {"DMMA", dmma}, {"HGMMA", hgmma}, {"IGMMA", typed_gmma}, {"QGMMA", typed_gmma},
};

}  // namespace

Build matrix_builder(std::string_view opcode) {
    const auto entry = builders.find(opcode);
    return entry == builders.end() ? nullptr : entry->second;
}

}  // namespace foretell::complete
