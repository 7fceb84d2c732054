// Memory of the functional core: contents of arrays, shared and local memory, and the cost of requests.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "gpu/functional/arithmetic/alu.hpp"
#include "gpu/functional/steering.hpp"
#include "gpu/sector_mask.hpp"

namespace foretell::functional {

// Counts distinct sectors: hash table of lines with sector masks, linear probing.
inline std::uint64_t different_sectors(const std::vector<std::uint64_t>& lines) {
    constexpr std::uint64_t free = ~0ull;
    std::vector<std::uint64_t> table(std::bit_ceil(2 * lines.size() + 1), free);
    std::uint64_t count = 0;
    for (const std::uint64_t entry : lines) {
        std::size_t at = (entry >> 4) * 0x9e3779b97f4a7c15ull >> 20;
        while (table[at &= table.size() - 1] != free && table[at] >> 4 != entry >> 4) ++at;
        const std::uint64_t before = table[at] == free ? entry & ~15ull : table[at];
        table[at] = before | entry;
        count += sectors_in(entry & ~before);
    }
    return count;
}

// A request of a loop that may be skipped in part. `executed` is 0 if some lanes or addresses are unknown.
struct Request {
    const Decoded* what = nullptr;
    Wide address;
    Mask executed = 0;
};

// A request to constant memory: it is split into one for each different address (CUDA C++ Programming Guide).
struct ConstantRequest {
    std::uint64_t addresses = 0, lines = 0;
};

inline constexpr std::uint64_t constant_line = 64;  // bytes (Jia et al. 2018, Dissecting the NVIDIA Volta GPU)

// Of the lanes `known`, whose addresses are, and of so many others with an element of `bytes` anywhere in a bank.
ConstantRequest constant_request(const Wide& address, Mask known, int others, std::uint64_t bank_bytes, int bytes);

// A stretch of global memory.
struct Piece {
    std::uint64_t first, bytes;
};

class Memory {
public:
    Memory(const Launch& launch, const SteeringMemory& steering)
        : launch_(launch), contents_(any_contents(launch)), steering_(steering) {}

    static bool any_contents(const Launch& launch) {
        return std::any_of(launch.arrays.begin(), launch.arrays.end(),
                           [](const Array& array) { return array.contents != Array::Contents::unknown; });
    }

    // Records requests to global memory there from now on.
    void log(BlockTrace& block, WarpTrace& warp) {
        block_ = &block;
        warp_ = &warp;
    }

    // Executes a memory instruction for the lanes `executed`; counts the request and moves the known data.
    void access(const Decoded& d, Warp& warp, Block& block, Alu& alu, Mask executed, Mask certain, Counters& counters);

    // Counts the cost of a request.
    void count(const Decoded& d, const Wide& address, Mask executed, Counters& counters);

    // Requests of loops with branches, of the warp so far.
    std::vector<Request> followed;

    // Requests of loops since the last call.
    std::vector<Request> requests() { return std::exchange(requests_, {}); }

    // Forgets what earlier blocks wrote; from now on only instructions and sectors are counted, not wavefronts.
    void count_only() {
        written_.clear();
        counts_only_ = true;
    }

    // Sectors that atomics of each instruction updated, by line.
    const auto& updates() const { return updates_; }

    // Warps of a block that draw from each queue of work, by its address: of the block executed last, or as given.
    std::unordered_map<std::uint64_t, std::uint64_t> drawers() const;
    bool queued() const { return queued_; }
    void set_drawers(std::unordered_map<std::uint64_t, std::uint64_t> known) { drawers_ = std::move(known); }

    // Bytes of the block's own shared memory up to the last one accessed.
    std::uint64_t shared_end() const { return shared_end_; }
    std::vector<Beyond> beyond() const;
    bool asked_other_blocks() const { return asked_other_blocks_; }

private:
    static constexpr std::size_t most_requests = 256;       // of an iteration that may be skipped
    static constexpr std::uint64_t other_blocks = 1 << 24;  // shared memory of other blocks of the cluster starts here

    // Whether what is stored there may be read by a load whose result is needed.
    bool steers(Op op) const {
        if (op == Op::store_global || op == Op::atomic_global) return steering_.global;
        return op == Op::store_local ? steering_.local : steering_.shared;
    }
    const Array* array_at(std::uint64_t address) const;
    const Array* meant(std::uint64_t address) const;
    Cell global_cell(const Array& array, std::uint64_t address) const;
    Cell* cell_to_write(Op op, Warp& warp, Block& block, int lane, std::uint64_t at);
    // Records lanes whose address is outside of the arrays; `guessed`: the warp followed a branch that is not known.
    void check_bounds(const Decoded& d, const Wide& address, Mask executed, Mask certain, bool guessed);
    void count_global(const Decoded& d, const Wide& address, Mask executed, Counters& counters, bool row = false);
    // Counts a request without keeping it: these sectors, in order, and as many that are not known.
    void add_sectors(const std::uint64_t* sectors, std::size_t count, std::uint64_t unknown, Counters& counters) {
        for (std::size_t k = 0; k < count; ++k) counters.lines += k == 0 || sectors[k] >> 2 != sectors[k - 1] >> 2;
        counters.lines += unknown;
        counters.sectors += count + unknown;
        counters.unknown_addresses += unknown;
        block_->requested += count + unknown;
    }
    static int bank_turns(const Wide& address, int bytes, Mask executed, bool together);
    int first_level_turns(const Wide& address, int bytes, Mask executed, bool row) const;
    void count_local(const Wide& address, int bytes, Mask executed, Counters& counters) const;
    std::uint64_t count_atomic(const Decoded& d, const Wide& address, Mask executed,
                               Counters& counters);  // returns sectors requested again
    void copy_bulk(const Decoded& d, Block& block, Alu& alu, Mask executed, Counters& counters);
    void copy_tile(const Decoded& d, Block& block, Alu& alu, Mask executed, Counters& counters);
    void copy_pieces(const Decoded& d, Block& block, Alu& alu, int lane, const std::vector<Piece>& pieces, bool known,
                     Counters& counters);
    void synchronise(const Decoded& d, Alu& alu, Mask executed, Counters& counters);
    void count_copied(const Decoded& d, const Wide& to, const Wide& from, Mask executed, Counters& counters);
    const Decoded* met(const Decoded& d, const Wide& address, Mask executed);
    void serve(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Wide& address, const Operand* value,
               Mask executed, Mask certain, Counters& counters);
    void load(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& to, const Wide& address,
              Mask executed);
    void store(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& from, const Wide& address,
               Mask executed, Mask certain);
    static void forget(Block& block);  // anything may have been written to its shared memory
    static void update_shared(const Decoded& d, Block& block, Alu& alu, const Operand* value, const Wide& address,
                              Mask executed, Mask certain);

    void swap(const Decoded& d, Alu& alu, const Wide& address, Mask executed);
    void compare_and_swap(const Decoded& d, Warp& warp, Block& block, Alu& alu, const Operand& value,
                          const Wide& address, Mask executed, Mask certain);
    Cell compared_with(const Cell& cell, std::uint64_t address, std::uint32_t expected) const;
    void release(std::uint64_t address);
    void draw(const Decoded& d, const Warp& warp, Alu& alu, const Value& operand, const Wide& address, Mask executed,
              Mask certain);
    std::uint64_t drawn_in_order(std::uint64_t address, std::uint32_t amount);
    std::uint64_t drawn_in_turn(std::uint64_t address, std::uint32_t amount, const Warp& warp, bool first);

    // A counter in global memory: what the first block that draws adds to it, and this block so far.
    struct Counter {
        std::uint64_t of_block = 0, drawn = 0, block = ~std::uint64_t{0};
    };

    // A word that a block changed by compare-and-swap; `released`: something else changed it afterwards, as of a lock.
    struct Swapped {
        std::uint64_t block = 0;
        std::uint32_t value = 0;
        bool released = false;
    };

    // A queue of work in global memory: items that a warp draws at once, and how often each warp of this block drew.
    struct Queue {
        std::uint64_t amount = 0, block = ~std::uint64_t{0}, next = 0;
        std::vector<std::pair<std::uint32_t, std::uint64_t>> warps;  // in the order in which they began
    };

    const Launch& launch_;
    bool contents_;  // of some array are known
    const SteeringMemory steering_;
    std::uint64_t shared_end_ = 0;
    bool asked_other_blocks_ = false;  // whether shared memory of other blocks was accessed
    bool counts_only_ = false;
    decltype(Result::updates) updates_;
    std::unordered_map<std::uint64_t, Counter> counters_;  // by address
    std::unordered_map<std::uint64_t, Queue> queues_;
    std::unordered_map<std::uint64_t, Swapped> swapped_;  // by address
    std::unordered_map<std::uint64_t, std::uint64_t> drawers_;
    bool queued_ = false;  // a warp drew more than once
    std::vector<Request> requests_;
    std::map<std::pair<std::uint32_t, Op>, Decoded> met_;  // generic instructions, by the memory they resolve to
    BlockTrace* block_ = nullptr;
    WarpTrace* warp_ = nullptr;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Beyond> beyond_;  // by instruction and array
    std::unordered_map<std::uint64_t, Cell> written_;                   // words of arrays with known contents
};

}  // namespace foretell::functional
