// Floating-point instructions and conversions.
#include <string_view>
#include <unordered_map>

#include "gpu/complete/decode/builder.hpp"

namespace foretell::complete {
namespace {

using functional::Kind;
using functional::Operand;

// A plain operation has neither flushing, rounding nor saturation.
bool is_exact(const Builder& b) { return !b.d.ftz && !b.d.saturate && b.d.mode == 0; }

int rounding(const Builder& b) { return b.has("RP") ? 4 : b.has("RM") ? 5 : b.has("RZ") ? 6 : 0; }

void ffma(Builder& b) {
    b.take_all(3, Form::real);
    b.d.mode = static_cast<std::uint8_t>(rounding(b));
    b.d.other = !b.is_plain(3);
    b.d.run = is_exact(b) ? b.table.ffma_plain : b.table.ffma;
}
void fadd(Builder& b) {
    b.take_all(2, Form::real);
    b.d.mode = static_cast<std::uint8_t>(rounding(b));
    b.d.run = is_exact(b) ? b.table.fadd_plain : b.table.fadd;
}
void fmul(Builder& b) {
    b.take_all(2, Form::real);
    b.d.mode = static_cast<std::uint8_t>(rounding(b));
    b.d.run = is_exact(b) ? b.table.fmul_plain : b.table.fmul;
}
void fmnmx(Builder& b) {
    b.take_all(2, Form::real);
    b.predicate(0, b.first() + 2);
    b.d.run = b.has("NAN") || b.has("XORSIGN") ? nullptr : b.table.fminmax;
}
void fsetp(Builder& b) {
    b.take_all(2, Form::real);
    b.predicate(0, b.first() + 2);
    b.d.run = b.table.fsetp;
}
void fchk(Builder& b) {
    b.take_all(2, Form::real);
    b.d.run = b.table.fchk;
}
void mufu(Builder& b) {
    b.take(0, b.first(), Form::real);
    b.d.run = b.has("F16") ? nullptr : b.table.mufu;
}

void double_builder(Builder& b, int sources, Handler handler) {
    b.take_all(sources, Form::real64);
    b.d.mode = static_cast<std::uint8_t>(rounding(b));
    b.d.run = handler;
}
void dfma(Builder& b) { double_builder(b, 3, b.table.dfma); }
void dadd(Builder& b) { double_builder(b, 2, b.table.dadd); }
void dmul(Builder& b) { double_builder(b, 2, b.table.dmul); }
void dmnmx(Builder& b) {
    double_builder(b, 2, b.table.dminmax);
    b.predicate(0, b.first() + 2);
}
void dsetp(Builder& b) {
    b.take_all(2, Form::real64);
    b.predicate(0, b.first() + 2);
    b.d.mode = b.has("MIN") ? 1 : b.has("MAX") ? 2 : 0;
    b.d.run = b.table.dsetp;
}

// ------------------------------------------------------------------------------------------- conversions

bool is_narrow_real(const Builder& b) { return b.has("F16") || b.has("BF16"); }

std::uint8_t integer_bytes(const Builder& b) {
    return b.has("S8") || b.has("U8") ? 1 : b.has("S16") || b.has("U16") ? 2 : b.d.is_64 ? 8 : 4;
}

void f2i(Builder& b) {
    Dense& d = b.d;
    d.is_unsigned = b.has("U8") || b.has("U16") || b.has("U32") || b.has("U64");
    d.bytes = integer_bytes(b);
    d.flag = b.has("NTZ");
    d.other = is_narrow_real(b);
    d.mode = b.has("TRUNC") ? 1 : b.has("FLOOR") ? 2 : b.has("CEIL") ? 3 : 0;
    b.take(0, b.first(), d.real64 ? Form::real64 : Form::real);
    d.run = b.table.f2i;
}

void i2f(Builder& b) {
    Dense& d = b.d;
    d.is_unsigned = b.has("U8") || b.has("U16") || b.has("U32") || b.has("U64");
    d.bytes = integer_bytes(b);
    d.other = is_narrow_real(b);
    d.mode = static_cast<std::uint8_t>(rounding(b));
    b.take(0, b.first(), d.is_64 ? Form::integer64 : Form::integer);
    if (const Operand* o = b.operand(b.first())) d.immediate = 8u * static_cast<std::uint32_t>(o->byte);
    d.run = b.table.i2f;
}

// F2F.F64.F32: to the first type, from the second.
void f2f(Builder& b) {
    Dense& d = b.d;
    std::vector<std::string> types;
    for (const std::string& m : b.source.modifiers)
        if (m == "F64" || m == "F32" || m == "F16" || m == "BF16") types.push_back(m);
    if (types.size() != 2) return b.refuse();
    const auto narrow = [](const std::string& type) { return type == "F16" || type == "BF16"; };
    d.wide = types[0] == "F64";
    d.real64 = types[1] == "F64";
    d.other = narrow(types[0]);
    d.flag = narrow(types[1]);
    d.mode = static_cast<std::uint8_t>(rounding(b));
    b.take(0, b.first(), d.real64 ? Form::real64 : Form::real);
    d.run = (d.other && d.flag) || (d.mode != 0 && d.mode != 6 && d.other) ? nullptr : b.table.f2f;
}

void frnd(Builder& b) {
    b.d.mode = b.has("TRUNC") ? 1 : b.has("FLOOR") ? 2 : b.has("CEIL") ? 3 : 0;
    b.take(0, b.first(), b.d.real64 ? Form::real64 : Form::real);
    b.d.run = is_narrow_real(b) ? nullptr : b.table.frnd;
}

// Which conversion of 8-bit numbers it is; null for others, and for those with something more than we know.
Handler fp8_conversion(const Builder& b) {
    for (const char* other : {"RELU", "BF16_V2", "BF16", "TF32", "E2M1", "E2M3", "E3M2", "UE8M0", "RZ"})
        if (b.has(other)) return nullptr;
    const functional::Operand* source = b.operand(b.first());
    if (source == nullptr) return nullptr;
    const bool upper = source->half == 2;  // R3.H1
    if (b.has("UNPACK_B") && (upper || source->half == 0))
        return b.has("F16") && !b.has("SATFINITE") ? widen_fp8 : nullptr;
    if (!b.has("SATFINITE") || source->half != 0 || source->byte != 0) return nullptr;
    if (b.has("PACK_AB_MERGE_C")) return b.has("F32") ? pack_fp8 : nullptr;
    return b.has("UNPACK_B_MERGE_C") && b.has("F16") ? narrow_fp8 : nullptr;
}

void f2fp(Builder& b) {
    if (b.has("E4M3") || b.has("E5M2")) {
        const bool packs = b.has("PACK_AB_MERGE_C");
        for (int slot = 0; slot < 3; ++slot)
            b.take(slot, b.first() + static_cast<std::size_t>(slot), packs && slot < 2 ? Form::real : Form::integer);
        b.d.other = b.has("E5M2");
        b.d.run = fp8_conversion(b);
        return;
    }
    b.take_all(2, Form::real);
    b.d.flag = b.has("RELU");
    b.d.mode = static_cast<std::uint8_t>(rounding(b));
    bool known = b.has("PACK_AB") && !b.has("SATFINITE");  // F16 from F32 where nothing else is said
    for (const char* other : {"E4M3", "E5M2", "TF32", "MERGE_C", "E2M1", "E2M3", "E3M2", "UE8M0"})
        known = known && !b.has(other);
    b.d.run = known ? b.table.f2fp : nullptr;
}

// ------------------------------------------------------------------------------------------- packed halves

void packed(Builder& b, int sources, int mode) {
    b.take_packed(sources);
    b.d.mode = static_cast<std::uint8_t>(mode);
    b.d.real = b.has("F32");
    b.d.flag = b.has("RELU");
    b.d.run = b.table.half_arithmetic;
}
void hadd2(Builder& b) { packed(b, 2, 0); }
void hmul2(Builder& b) { packed(b, 2, 1); }
void hfma2(Builder& b) {
    packed(b, 3, 2);
    if (!b.is_zero(0) || !b.is_zero(1) || b.d.from[2].space != 1) return;
    b.d.from[0] = b.d.from[2];  // 0 0 + a number: the compiler loads a constant
    b.d.flip[0] = b.d.plus[0] = 0;
    b.d.run = b.table.mov;
}
void hmnmx2(Builder& b) {
    b.take_packed(2);
    b.d.run = b.has("NAN") || b.has("XORSIGN") ? nullptr : b.table.half_minmax;
}
void hset2(Builder& b) {
    b.take_packed(2);
    b.d.flag = b.has("BF");
    b.d.run = b.table.half_set;
}
void hsetp2(Builder& b) {
    b.take_packed(2);
    b.d.flag = b.has("H_AND");
    b.d.run = b.table.half_setp;
}

const std::unordered_map<std::string_view, Build> builders = {
    {"FFMA", ffma},       {"FFMA32I", ffma},    {"FADD", fadd},     {"FADD32I", fadd}, {"FMUL", fmul},
    {"FMUL32I", fmul},    {"FMNMX", fmnmx},     {"FSETP", fsetp},   {"FCHK", fchk},    {"MUFU", mufu},
    {"DFMA", dfma},       {"DADD", dadd},       {"DMUL", dmul},     {"DMNMX", dmnmx},  {"DSETP", dsetp},
    {"F2I", f2i},         {"I2F", i2f},         {"I2FP", i2f},      {"F2F", f2f},      {"FRND", frnd},
    {"F2FP", f2fp},       {"HADD2", hadd2},     {"HMUL2", hmul2},   {"HFMA2", hfma2},  {"HADD2_32I", hadd2},
    {"HMUL2_32I", hmul2}, {"HFMA2_32I", hfma2}, {"HMNMX2", hmnmx2}, {"HSET2", hset2},  {"HSETP2", hsetp2},
};

}  // namespace

Build float_builder(std::string_view opcode) {
    const auto entry = builders.find(opcode);
    return entry == builders.end() ? nullptr : entry->second;
}

}  // namespace foretell::complete
