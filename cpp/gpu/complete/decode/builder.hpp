// Makes a dense operation from an instruction: its operands become rows and predicates. Private to complete execution.
#pragma once

#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "gpu/complete/dense.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {

// How a source is read: the signs that it may have, and how many rows it has.
enum class Form : std::uint8_t { integer, integer64, real, real64, packed, bits64, bits128 };

class Builder {
public:
    Builder(Text& text, std::map<std::vector<Literal>, std::uint32_t>& literals, const functional::Decoded& decoded,
            const Table& table)
        : text(text), literals_(literals), decoded(decoded), source(*decoded.source), table(table) {}

    // The operation; its handler is null if the instruction is refused.
    Dense build();

    bool has(std::string_view modifier) const;
    // What belongs to the first of these modifiers that the instruction has.
    template <typename T>
    T first_of(std::initializer_list<std::pair<std::string_view, T>> choices, T otherwise) const {
        for (const auto& [modifier, chosen] : choices)
            if (has(modifier)) return chosen;
        return otherwise;
    }
    std::size_t first() const { return static_cast<std::size_t>(source.destinations); }  // source operand
    const functional::Operand* operand(std::size_t k) const {
        return k < source.operands.size() ? &source.operands[k] : nullptr;
    }
    // Reads operand `k` as source `slot`; a missing one is zero.
    void take(int slot, std::size_t k, Form form);
    void take_all(int count, Form form) {
        for (int slot = 0; slot < count; ++slot) take(slot, first() + static_cast<std::size_t>(slot), form);
    }
    // Packed halves: two numbers in a row are one source.
    void take_packed(int count);
    void predicate(int slot, std::size_t k);  // a missing one is true
    void take_address(const functional::Operand& o);
    const functional::Operand* memory() const;
    std::size_t memory_at() const;
    bool is_plain(int count) const;  // no source has a sign
    bool is_zero(int slot) const;
    Rows literal(std::vector<Literal> words);
    void refuse() { d.run = nullptr; }

    Text& text;
    std::map<std::vector<Literal>, std::uint32_t>& literals_;
    const functional::Decoded& decoded;
    const functional::Instruction& source;
    const Table& table;
    Dense d;

private:
    void take_destinations();
    void take_guard();
    void take_modifiers();
    Rows rows_of(const functional::Operand& o, Form form);

    bool indexed_ = false;  // a source is a constant with an index
};

// Conversions of 8-bit numbers (fp8.cpp).
void pack_fp8(Worker& w, const Dense& d, Mask m);
void narrow_fp8(Worker& w, const Dense& d, Mask m);
void widen_fp8(Worker& w, const Dense& d, Mask m);

// What an atomic or a reduction does to memory (memory.cpp).
semantics::Atomic update_of(const Builder& b);

// Builders of opcodes: null for one that is not known.
using Build = void (*)(Builder&);
Build integer_builder(std::string_view opcode);
Build float_builder(std::string_view opcode);
Build memory_builder(std::string_view opcode);
Build control_builder(std::string_view opcode);
Build matrix_builder(std::string_view opcode);
Build asynchronous_builder(std::string_view opcode);
Build texture_builder(std::string_view opcode);

}  // namespace foretell::complete
