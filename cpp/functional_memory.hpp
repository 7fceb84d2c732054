// Memory of the functional core: contents of arrays, shared and local memory, and what a request costs.
#pragma once

#include "functional_alu.hpp"

namespace foretell::functional {

class Memory {
public:
    explicit Memory(const Launch& launch) : launch_(launch) {
        for (const Array& array : launch.arrays) contents_ |= array.contents != Array::Contents::unknown;
    }

    // Requests to global memory are written there from now on.
    void log(BlockTrace& block, WarpTrace& warp) {
        block_ = &block;
        warp_ = &warp;
    }

    // A memory instruction of the lanes `executed`; counts the request and moves the data that are known.
    void access(const Decoded& d, Warp& warp, Block& block, Alu& alu, Mask executed, Mask certain, Counters& counters);

private:
    const Array* array_at(std::uint64_t address) const;
    Word global_word(const Array& array, std::uint64_t address) const;
    void count_global(const Decoded& d, const Wide& address, Mask executed, Counters& counters);
    static int bank_turns(const Wide& address, int bytes, Mask executed, bool together);
    int first_level_turns(const Wide& address, int bytes, Mask executed) const;
    void count_local(const Wide& address, int bytes, Mask executed, Counters& counters) const;
    std::uint64_t count_atomic(const Wide& address, Mask executed, Counters& counters) const;  // sectors asked for again
    void load(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& to, const Wide& address, Mask executed);
    void store(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& from, const Wide& address,
               Mask executed, Mask certain);

    const Launch& launch_;
    bool contents_ = false;  // of some array are known
    BlockTrace* block_ = nullptr;
    WarpTrace* warp_ = nullptr;
    std::unordered_map<std::uint64_t, Word> written_;  // words of arrays with known contents
};

}  // namespace foretell::functional
