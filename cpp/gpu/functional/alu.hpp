// ALU of the functional core: computes results of instructions from the values of their operands.
#pragma once

#include "gpu/functional/decode.hpp"
#include "gpu/functional/state.hpp"

namespace foretell::functional {

// Reads operands of one instruction for all lanes, and writes its results for the lanes that execute it.
class Alu {
public:
    Alu(Warp& warp, const Block& block, const Launch& launch, Mask executed, Mask certain)
        : warp_(warp), block_(block), launch_(launch), executed_(executed), certain_(certain) {}

    // False if there is no rule: the caller then marks all results as unknown.
    bool execute(const Decoded& d);

    Value read(const Operand& o) const;      // integers: with negation and inversion
    Wide read_wide(const Operand& o) const;  // a register pair, or a sign-extended number
    Truth read_truth(const Operand& o) const;
    void write(const Operand& o, const Value& value);
    void forget(const Instruction& instruction);
    Wide address(const Operand& o) const;

private:
    Value raw(const Operand& o) const;
    Value read_float(const Operand& o) const;
    void write_wide(const Operand& o, const Wide& value);
    void write_truth(const Operand& o, const Truth& value);
    void write_register(int index, const Value& value);
    void write_uniform(int index, const Value& value);
    Value constant(int bank, const Value& offset) const;

    bool imad(const Decoded& d);
    bool iadd3(const Decoded& d);
    bool iadd64(const Decoded& d);
    bool lea(const Decoded& d);
    bool shf(const Decoded& d);
    bool lop3(const Decoded& d);
    bool plop3(const Decoded& d);
    bool prmt(const Decoded& d);
    bool isetp(const Decoded& d);
    bool isetp64(const Decoded& d);
    bool minmax(const Decoded& d);
    bool unary(const Decoded& d);
    bool s2r(const Decoded& d);
    bool ldc(const Decoded& d);
    bool r2ur(const Decoded& d);
    bool predicates_to_register(const Decoded& d);
    bool register_to_predicates(const Decoded& d);
    bool vote(const Decoded& d);
    bool query_space(const Decoded& d);
    bool take_registers(const Decoded& d);
    bool shfl(const Decoded& d);
    bool convert(const Decoded& d);
    bool floating(const Decoded& d);
    bool fsetp(const Decoded& d);
    bool fchk(const Decoded& d);
    bool real64(const Decoded& d);
    bool hfma2(const Decoded& d);

    Warp& warp_;
    const Block& block_;
    const Launch& launch_;
    Mask executed_;  // lanes that execute, or may execute
    Mask certain_;   // lanes that certainly execute
};

}  // namespace foretell::functional
