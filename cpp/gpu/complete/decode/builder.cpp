#include "gpu/complete/decode/builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace foretell::complete {

using functional::Kind;
using functional::Operand;

namespace {

bool is_predicate(const Operand& o) { return o.kind == Kind::pred || o.kind == Kind::upred; }

std::uint8_t predicate_index(const Operand& o, bool written) {
    if (o.index < 0) return written ? sink_predicate : true_predicate;
    return static_cast<std::uint8_t>(o.index + (o.kind == Kind::upred ? first_uniform_predicate : 0));
}

bool is_wide(Form form) { return form == Form::integer64 || form == Form::real64 || form == Form::bits64; }

// U8x4, S16x2: parts of a word; only these opcodes know them.
bool has_unknown_parts(const functional::Instruction& source) {
    const std::string_view opcode = source.opcode;
    if (opcode == "VIMNMX" || opcode == "VIADD" || opcode == "VIMNMX3" || opcode == "VIADDMNMX") return false;
    return std::ranges::any_of(source.modifiers, [](const std::string& m) {
        return m == "U8x4" || m == "S8x4" || m == "8x4" || m == "U16x2" || m == "S16x2" || m == "16x2";
    });
}

// Registers of a warpgroup's accumulators, at most.
constexpr int accumulators = 128;

Literal number(std::uint32_t value) { return {false, 0, value}; }

std::uint32_t real_bits(double value) {
    if (std::isnan(value)) return std::signbit(value) ? 0xffffffffu : 0x7fffffffu;
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

}  // namespace

bool Builder::has(std::string_view modifier) const {
    return std::ranges::find(source.modifiers, modifier) != source.modifiers.end();
}

Rows Builder::literal(std::vector<Literal> words) {
    const auto [entry, is_new] = literals_.try_emplace(words, static_cast<std::uint32_t>(text.literals.size()));
    if (is_new) text.literals.insert(text.literals.end(), words.begin(), words.end());
    return {entry->second, 1};
}

Rows Builder::rows_of(const Operand& o, Form form) {
    switch (o.kind) {
        case Kind::reg: return {o.index < 0 ? text.zeros() : static_cast<std::uint32_t>(o.index), 0};
        case Kind::ureg: return {o.index < 0 ? text.zeros() : text.registers + static_cast<std::uint32_t>(o.index), 0};
        case Kind::immediate: {
            const auto low = static_cast<std::uint32_t>(o.value);
            if (form == Form::real64) return literal({number(0), number(low)});  // the upper half
            if (!is_wide(form)) return literal({number(low)});
            return literal({number(low), number(static_cast<std::uint32_t>(o.value >> 32))});
        }
        case Kind::real: {
            if (form != Form::real64) return literal({number(real_bits(o.real))});
            const auto bits = std::bit_cast<std::uint64_t>(o.real);
            return literal({number(static_cast<std::uint32_t>(bits)), number(static_cast<std::uint32_t>(bits >> 32))});
        }
        case Kind::constant: {
            indexed_ = indexed_ || o.index >= 0 || o.uniform >= 0;
            const auto at = static_cast<std::uint32_t>(o.value);
            std::vector<Literal> words{{true, o.bank, at}};
            const std::uint32_t more = is_wide(form) ? 1 : form == Form::bits128 ? 3 : 0;
            for (std::uint32_t k = 1; k <= more; ++k) words.push_back({true, o.bank, at + 4 * k});
            return literal(std::move(words));
        }
        default: return {text.zeros(), 0};
    }
}

void Builder::take(int slot, std::size_t k, Form form) {
    const Operand* o = operand(k);
    if (o == nullptr) {
        d.from[slot] = {text.zeros(), 0};
        return;
    }
    d.from[slot] = rows_of(*o, form);
    d.half[slot] = static_cast<std::uint8_t>(o->half);
    const bool packed = form == Form::packed;
    if (form == Form::integer || form == Form::integer64) {
        d.flip[slot] = o->negated || o->inverted ? ~0u : 0;
        d.plus[slot] = o->negated;
    } else {
        d.keep[slot] = o->absolute ? (packed ? 0x7fffu : 0x7fffffffu) : ~0u;
        d.flip[slot] = o->negated ? (packed ? 0x8000u : 0x80000000u) : 0;
    }
}

void Builder::take_packed(int count) {
    std::size_t k = first();
    for (int slot = 0; slot < count; ++slot) {
        const Operand *high = operand(k), *low = operand(k + 1);
        if (high != nullptr && low != nullptr && high->kind == Kind::immediate && low->kind == Kind::immediate) {
            const auto bits = static_cast<std::uint32_t>((high->value & 0xffff) << 16 | (low->value & 0xffff));
            d.from[slot] = literal({number(bits)});
            k += 2;
        } else {
            take(slot, k++, Form::packed);
        }
    }
    predicate(0, k);
}

void Builder::predicate(int slot, std::size_t k) {
    const Operand* o = operand(k);
    d.read[slot] = {true_predicate, 0};
    if (o != nullptr && is_predicate(*o)) d.read[slot] = {predicate_index(*o, false), o->inverted ? all_lanes : 0};
}

std::size_t Builder::memory_at() const {
    const auto& o = source.operands;
    return static_cast<std::size_t>(
        std::ranges::find_if(o, [](const Operand& each) { return each.kind == Kind::memory; }) - o.begin());
}

const Operand* Builder::memory() const { return operand(memory_at()); }

void Builder::take_address(const Operand& o) {
    d.offset = o.value;
    d.base = static_cast<std::int16_t>(o.index);
    d.base_uniform = static_cast<std::int16_t>(o.uniform < 0 ? -1 : static_cast<int>(text.registers) + o.uniform);
    d.base_wide = o.wide;
    d.uniform_wide = o.wide_uniform;
    d.scale = static_cast<std::uint8_t>(o.scale);
}

bool Builder::is_plain(int count) const {
    for (int k = 0; k < count; ++k)
        if (d.flip[k] != 0 || d.plus[k] != 0 || d.keep[k] != ~0u) return false;
    return true;
}

bool Builder::is_zero(int slot) const { return d.from[slot].space == 0 && d.from[slot].first == text.zeros(); }

void Builder::take_destinations() {
    d.to = text.sink();
    int predicates = 0;
    for (std::size_t k = 0; k < first(); ++k) {
        const Operand& o = source.operands[k];
        if (is_predicate(o)) {
            d.uniform = d.uniform || o.kind == Kind::upred;  // the same in all lanes, also in those that do not run
            if (predicates < 2) d.written[predicates++] = predicate_index(o, true);
        } else if (o.kind == Kind::ureg) {
            d.uniform = true;
            if (o.index >= 0) d.to = text.registers + static_cast<std::uint32_t>(o.index);
        } else if (o.kind == Kind::reg && o.index >= 0) {
            d.to = static_cast<std::uint32_t>(o.index);
        }
    }
}

void Builder::take_guard() {
    if (source.guard_never) d.guard_flip = all_lanes;
    if (source.guard < 0) return;
    d.guard = static_cast<std::uint8_t>(source.guard + (source.guard_uniform ? first_uniform_predicate : 0));
    d.guard_flip = source.guard_negated ? all_lanes : 0;
}

void Builder::take_modifiers() {
    const functional::Decoded& s = decoded;
    d.op = s.op;
    d.number = s.number;
    d.is_unsigned = s.is_unsigned;
    d.wide = s.wide;
    d.high = s.high;
    d.carry = s.carry_in;
    d.left = s.left;
    d.wrap = s.wrap;
    d.is_64 = s.is_64;
    d.extended = s.extended;
    d.sign_extend_a = s.sign_extend_a;
    d.shifted = s.shifted;
    d.is_signed = s.is_signed_load || has("S32") || has("S64");
    d.real64 = has("F64");
    d.ftz = has("FTZ");
    d.saturate = has("SAT");
    d.brain = has("BF16_V2") || has("BF16");
    d.compare = s.compare;
    for (const char* name : {"LTU", "EQU", "LEU", "GTU", "NEU", "GEU"}) d.unordered = d.unordered || has(name);
    d.combine = s.combine;
    d.bytes = static_cast<std::uint8_t>(s.bytes);
    d.mode = static_cast<std::uint8_t>(s.mode);
}

// What may do the work of thousands of instructions.
static bool is_heavy(Handler run) {
    return run == multiply_warpgroup || run == multiply_matrices || run == load_matrix || run == store_matrix ||
           run == copy_bulk || run == reduce_bulk || run == load_tile || run == store_tile || run == match;
}

Dense Builder::build() {
    take_modifiers();
    take_guard();
    take_destinations();
    std::string_view opcode = source.opcode;
    for (int trial = 0; trial < 2; ++trial) {
        for (const auto find : {integer_builder, float_builder, memory_builder, control_builder, matrix_builder,
                                asynchronous_builder, texture_builder})
            if (const Build make = find(opcode)) {
                make(*this);
                if (indexed_ || has_unknown_parts(source)) refuse();  // only LDC has an index, and takes no such source
                if (is_heavy(d.run)) d.flow = Flow::heavy;
                return d;
            }
        if (opcode.starts_with('U')) opcode.remove_prefix(1);  // UIADD3 is IADD3 on uniform registers
    }
    return d;
}

std::shared_ptr<const Text> decode(std::vector<functional::Instruction> instructions) {
    auto result = std::make_shared<Text>();
    result->source = std::move(instructions);
    int last = 0, last_uniform = 0;
    for (const functional::Instruction& i : result->source)
        for (const Operand& o : i.operands) {
            if (i.opcode.ends_with("GMMA") && o.kind == Kind::reg) last = std::max(last, o.index + accumulators);
            if (o.kind == Kind::ureg) last_uniform = std::max(last_uniform, o.index);
            else last = std::max(last, o.index);
            last_uniform = std::max(last_uniform, o.uniform);
        }
    result->registers = static_cast<std::uint32_t>(last) + 9;  // up to eight words from the last one on
    result->uniform = static_cast<std::uint32_t>(last_uniform) + 9;
    std::map<std::vector<Literal>, std::uint32_t> literals;
    for (const functional::Decoded& decoded : functional::decode(result->source, true)) {
        Builder builder(*result, literals, decoded, lane_handlers());
        result->text.push_back(builder.build());
        const Dense& d = result->text.back();
        if (d.run != nullptr) continue;
        std::string name = decoded.source->opcode;
        for (const std::string& modifier : decoded.source->modifiers) name += "." + modifier;
        if (std::ranges::find(result->refused, name) == result->refused.end()) result->refused.push_back(name);
    }
    mark_clock_waits(*result);
    return result;
}

}  // namespace foretell::complete
