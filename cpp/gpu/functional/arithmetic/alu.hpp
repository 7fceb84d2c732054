// ALU of the functional core: computes results of instructions from the values of their operands.
#pragma once

#include <cstddef>
#include <new>

#include "gpu/functional/decode.hpp"
#include "gpu/functional/state.hpp"

namespace foretell::functional {

// Room for a value that is no register's; it is not initialised, since most operands are registers.
class Copy {
public:
    const Value& of(const Value& value) { return *new (room_) Value(value); }

private:
    alignas(Value) std::byte room_[sizeof(Value)];
};

// Reads operands of one instruction for all lanes, and writes its results for the lanes that execute it.
class Alu {
public:
    Alu(Warp& warp, const Block& block, const Launch& launch, Mask executed, Mask certain)
        : warp_(warp), block_(block), launch_(launch), executed_(executed), certain_(certain) {}

    // False if there is no rule: the caller then marks all results as unknown.
    bool execute(const Decoded& d);

    // Marks the results as unknown if an operand is, in all lanes, and the rule needs all of them.
    bool forgets(const Decoded& d);

    Value read(const Operand& o) const;                      // integers: with negation and inversion
    const Value& view(const Operand& o, Copy& other) const;  // the same; a copy in `other` only if it is no register
    Wide read_wide(const Operand& o) const;                  // a register pair, or a sign-extended number
    Truth read_truth(const Operand& o) const;
    void write(const Operand& o, const Value& value);
    void write_truth(const Operand& o, const Truth& value);
    void forget(const Instruction& instruction);
    Wide address(const Operand& o) const;

private:
    Value raw(const Operand& o) const;
    Value special(Special which) const;
    Value read_float(const Operand& o) const;
    Wide read_real(const Operand& o, bool is_double) const;
    template <class P>
    bool read_packed(const Operands& o, std::size_t& k, bool brain, P& source) const;
    void write_real(const Operand& o, bool is_double, int mode, Mask known, const std::array<long double, lanes>& v);
    void write_wide(const Operand& o, const Wide& value);
    void write_register(int index, const Value& value);
    void write_uniform(int index, const Value& value);
    Value constant(int bank, const Value& offset) const;
    Word constant(int bank, std::uint64_t at) const;
    std::pair<std::uint64_t, bool> uniform(int index, bool wide) const;

    void write_comparison(const Decoded& d, const Truth& result);

    // False if the operands are not those that the rule is for.
    using Rule = bool(const Decoded& d, const Operands& o);
    Rule mov, imad, iadd3, sum_of_words, iadd64, lea, shf, lop3, plop3, prmt, sel, isetp, minmax, unary, s2r, ldc, r2ur,
        p2r, r2p, vote, elect, b2r, query_space, take_registers, shfl, convert, floating, fsetp, fchk, real64, halves,
        hsetp2, pack;

    Warp& warp_;
    const Block& block_;
    const Launch& launch_;
    Mask executed_;  // lanes that execute, or may execute
    Mask certain_;   // lanes that certainly execute
};

}  // namespace foretell::functional
