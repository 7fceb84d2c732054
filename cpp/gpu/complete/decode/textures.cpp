// Textures and surfaces.
#include <string_view>
#include <unordered_map>

#include "gpu/complete/decode/builder.hpp"

namespace foretell::complete {
namespace {

using functional::Kind;
using functional::Operand;

// Takes the handle, which is the last uniform register, and dimensions: 1D, 2D, 3D, with 16 more for layers.
bool take_handle(Builder& b) {
    bool known = false;
    for (std::size_t k = 0; k < b.source.operands.size(); ++k) {
        const Operand& o = b.source.operands[k];
        if (o.kind == Kind::ureg || (o.kind == Kind::constant && !known)) {
            b.take(2, k, Form::integer);
            known = true;
        }
        if (o.kind == Kind::none) b.d.sources = static_cast<std::uint8_t>(o.value);
    }
    return known;
}

// TEX.LL R14,R12,R2,R12,UR4,0x0,2D,0x1: the mask of channels comes last, and is missing where all are read.
void texture(Builder& b, int mode) {
    for (const char* other : {"AOFFI", "DC", "LB", "LC", "MS", "NODEP", "PTP"})
        if (b.has(other)) return;
    const Operand *high = b.operand(0), *mask = b.operand(b.source.operands.size() - 1);
    if (!take_handle(b) || b.d.sources == 0 || high == nullptr || high->kind != Kind::reg) return;
    b.d.target = high->index < 0 ? b.text.sink() : static_cast<std::uint32_t>(high->index);
    b.take(1, 2, Form::integer);
    b.d.immediate = mask->kind == Kind::immediate ? static_cast<std::uint32_t>(mask->value) : 15;
    b.d.bank = b.has("G") ? 1 : b.has("B") ? 2 : b.has("A") ? 3 : 0;
    b.d.mode = static_cast<std::uint8_t>(mode);
    b.d.run = read_texture;
}
void sampled(Builder& b) { texture(b, 0); }
void fetched(Builder& b) {
    if (b.has("LZ")) texture(b, 1);
}
void gathered(Builder& b) {
    if (!b.has("CUBE")) texture(b, 2);
}

// Beyond the border: TRAP ends the kernel, IGN does nothing, nothing said takes the nearest.
void surface(Builder& b, bool writes) {
    if (!b.has("D") || !b.has("BA") || b.memory() == nullptr || b.memory()->index < 0) return;
    if (!take_handle(b)) return;
    const bool layered = b.has("1D_ARRAY") || b.has("2D_ARRAY");  // the layer is the last coordinate
    b.d.sources = b.has("1D") ? 1 : b.has("2D") || b.has("1D_ARRAY") ? 2 : b.has("3D") || b.has("2D_ARRAY") ? 3 : 0;
    b.d.bank = layered ? 1 : 0;
    b.d.from[1] = {static_cast<std::uint32_t>(b.memory()->index), 0};
    if (writes)
        b.take(0, b.memory_at() + 1, b.d.bytes > 8 ? Form::bits128 : b.d.bytes > 4 ? Form::bits64 : Form::integer);
    b.d.flag = writes;
    b.d.other = b.has("TRAP");
    b.d.real = b.has("IGN");
    b.d.run = b.d.sources != 0 ? access_surface : nullptr;
}
void surface_load(Builder& b) { surface(b, false); }
void surface_store(Builder& b) { surface(b, true); }

const std::unordered_map<std::string_view, Build> builders = {
    {"TEX", sampled}, {"TLD", fetched}, {"TLD4", gathered}, {"SULD", surface_load}, {"SUST", surface_store},
};

}  // namespace

Build texture_builder(std::string_view opcode) {
    const auto entry = builders.find(opcode);
    return entry == builders.end() ? nullptr : entry->second;
}

}  // namespace foretell::complete
