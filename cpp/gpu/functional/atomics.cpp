// Atomics on shared memory whose words are known: the old values steer addresses (ranks within a bin, places in a list).
#include "gpu/functional/arithmetic/integer_semantics.hpp"
#include "gpu/functional/memory.hpp"

namespace foretell::functional {

// Lanes act in ascending order, warps in that in which they are executed: one of the orders that the hardware may
// choose. A word that is not known, or that is updated by what is not, is unknown afterwards.
void Memory::update_shared(const Decoded& d, Block& block, Alu& alu, const Operand* value, const Wide& address,
                           Mask executed, Mask certain) {
    const auto how = static_cast<semantics::Atomic>(d.mode);
    const Value operand = value != nullptr ? alu.read(*value) : broadcast(1);  // POPC.INC has none
    Value old;
    old.known = 0;
    each(executed & address.known, [&](int lane) {
        const std::uint64_t at = address.v[lane];
        if (at / 4 >= block.shared.size()) return;
        Cell& cell = block.shared[at / 4];
        const bool before = cell.known == whole_word;
        old.v[lane] = cell.value;
        old.known |= static_cast<Mask>(before) << lane;
        if (before && (operand.known & certain) >> lane & 1)
            cell.value = semantics::updated(how, cell.value, operand.v[lane], d.is_signed_load);
        else cell.known = 0;
    });
    const auto& o = d.source->operands;
    if (!o.empty() && o[0].kind == Kind::reg) alu.write(o[0], old);
    if ((executed & ~address.known) != 0) forget(block);
}

}  // namespace foretell::functional
