// Asynchronous copies, mbarriers, clusters and warpgroups.
#include <string_view>
#include <unordered_map>

#include "gpu/complete/decode/builder.hpp"
#include "gpu/complete/memory/reductions.hpp"

namespace foretell::complete {
namespace {

using functional::Kind;
using functional::Operand;

bool take_object(Builder& b) {
    const Operand* object = b.memory();
    if (object == nullptr) return false;
    b.take_address(*object);
    b.d.space = shared_space;
    b.d.uniform = false;
    b.take(0, b.memory_at() + 1, Form::bits64);
    return true;
}

// SYNCS.EXCH.64 URZ,[UR6],UR4; SYNCS.ARRIVE.TRANS64.A1T0 R2,[R0+URZ],RZ; SYNCS.PHASECHK.TRANS64.TRYWAIT P0,[UR6],R2
void object(Builder& b) {
    Dense& d = b.d;
    if (!take_object(b)) return;
    if (b.has("CCTL")) {  // the barrier is used no more
        d.run = nothing;
    } else if (b.has("PHASECHK")) {
        d.flow = Flow::await_phase;
        d.run = nothing;
    } else if (b.has("EXCH") && b.has("64")) {
        d.run = exchange_object;
    } else if (b.has("ARRIVE") && b.has("TRANS64")) {
        d.mode = b.has("A0T1") || b.has("A0TR") || b.has("A0TX") ? 0 : b.has("ART0") ? 2 : 1;
        d.sources = b.has("A1T0") || b.has("ART0") ? 0 : b.has("A0T1") ? 1 : b.has("A0TX") ? 3 : 2;
        d.flag = b.has("OPTOUT");
        d.other = b.has("TMASK");
        d.run = arrive_at_object;
    }
}

// ARRIVES.LDGSTSBAR.64.ARVCNT [UR6]
void copies(Builder& b) {
    if (!take_object(b) || !b.has("LDGSTSBAR")) return;
    b.d.flag = b.has("ARVCNT");
    b.d.run = b.d.flag || b.has("TRANSCNT") ? copies_arrive : nullptr;
}

// Operand `k` is an address in uniform registers.
bool take_uniform(Builder& b, int slot, std::size_t k) {
    const Operand* o = b.operand(k);
    const bool is_address = o != nullptr && o->kind == Kind::memory && o->uniform >= 0 && o->index < 0 && o->value == 0;
    if (is_address) b.d.from[slot] = {b.text.registers + static_cast<std::uint32_t>(o->uniform), 0};
    return is_address;
}

bool take_copy(Builder& b) {
    if (!take_uniform(b, 0, 0) || !take_uniform(b, 1, 1)) return false;
    b.take(2, 2, Form::integer);
    b.d.flag = b.has("MULTICAST");
    return true;
}

// UBLKCP.S.G [UR8],[UR6],UR4
void bulk(Builder& b) {
    const auto& m = b.source.modifiers;
    if (!take_copy(b) || m.size() < 2) return;
    b.d.mode = m[0] == "G" ? 1 : m[1] == "S" ? 2 : 0;
    b.d.run = copy_bulk;
}

Element element_of(const Builder& b) {
    return b.first_of<Element>({{"U64", Element::u64},
                                {"64", Element::u64},
                                {"S64", Element::s64},
                                {"S32", Element::s32},
                                {"F16", Element::f16},
                                {"BF16", Element::bf16},
                                {"F32", b.d.ftz ? Element::f32_ftz : Element::f32},
                                {"F64", Element::f64}},
                               Element::u32);
}

void bulk_update(Builder& b) {
    if (!take_copy(b) || !b.has("G")) return;
    b.d.mode = 1;
    b.d.bank = static_cast<std::uint8_t>(element_of(b));
    b.d.scale = static_cast<std::uint8_t>(update_of(b));
    b.text.order_free = false;
    b.d.run = reduce_bulk;
}

// UTMALDG.2D [UR8],[UR6]; other forms than tiles are refused.
bool take_tile(Builder& b) {
    for (int k = 1; k <= 5; ++k)
        if (b.has(std::string(1, static_cast<char>('0' + k)) + "D")) b.d.sources = static_cast<std::uint8_t>(k);
    return b.d.sources != 0 && !b.has("IM2COL") && take_copy(b);
}

void tile_load(Builder& b) {
    if (take_tile(b)) b.d.run = load_tile;
}
void tile_store(Builder& b) {
    if (take_tile(b)) b.d.run = store_tile;
}
void tile_update(Builder& b) {
    if (!take_tile(b)) return;
    b.d.flag = true;
    b.d.mode = static_cast<std::uint8_t>(update_of(b));
    b.text.order_free = false;
    b.d.run = store_tile;
}

// STAS [R2.64],R4
void counted_store(Builder& b) {
    const Operand* to = b.memory();
    if (to == nullptr || to->index < 0 || to->uniform >= 0) return;
    b.take_address(*to);
    b.take(0, b.memory_at() + 1, b.d.bytes > 8 ? Form::bits128 : b.d.bytes > 4 ? Form::bits64 : Form::integer);
    b.d.run = store_and_count;
}

void flow(Builder& b, Flow kind) {
    b.d.flow = kind;
    b.d.run = nothing;
}
void arrive_at_cluster(Builder& b) { flow(b, Flow::cluster_arrive); }
void wait_for_cluster(Builder& b) { flow(b, Flow::cluster_wait); }

// WARPGROUP.DEPBAR.LE gsb0,0x0: products of all four warps are done. ARRIVE orders registers alone.
void warpgroup(Builder& b) {
    if (b.has("DEPBAR")) flow(b, Flow::warpgroup);
    else b.d.run = b.has("ARRIVE") ? nothing : nullptr;
}

void free_of_effects(Builder& b) { b.d.run = nothing; }

const std::unordered_map<std::string_view, Build> builders = {
    {"SYNCS", object},
    {"ARRIVES", copies},
    {"UBLKCP", bulk},
    {"UBLKRED", bulk_update},
    {"UBLKPF", free_of_effects},
    {"UTMALDG", tile_load},
    {"UTMASTG", tile_store},
    {"UTMAREDG", tile_update},
    {"UTMAPF", free_of_effects},
    {"UTMACCTL", free_of_effects},
    {"UTMACMDFLUSH", free_of_effects},
    {"STAS", counted_store},
    {"UCGABAR_ARV", arrive_at_cluster},
    {"UCGABAR_WAIT", wait_for_cluster},
    {"WARPGROUP", warpgroup},
};

}  // namespace

Build asynchronous_builder(std::string_view opcode) {
    const auto entry = builders.find(opcode);
    return entry == builders.end() ? nullptr : entry->second;
}

}  // namespace foretell::complete
