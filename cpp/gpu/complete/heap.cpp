// The heap lives in device memory, with all that is known of it, for later launches go on with it:
//
//   0          bytes that were ever taken from it, these words included
//   8 + 8 k    the first free piece of class k, or 0
//   pieces     {class | mark, next free piece}, and the bytes that the program sees
//
// Pieces of a class have equal sizes, four to each doubling, and are used again for that class alone. All is written by the
// launch, and kernels may spoil it: every word is checked before it is believed.
#include "gpu/complete/heap.hpp"

#include <bit>
#include <cstring>

namespace foretell::complete {
namespace {

constexpr std::uint64_t classes = 160, first_piece = 8 * (classes + 1) + 8, head = 16;
constexpr std::uint64_t taken_mark = 0x6b7e'a110'0000'0000, free_mark = 0x6b7e'f4ee'0000'0000, mark_bits = ~0xffull;

std::uint64_t size_of(std::uint64_t kind) { return (4 + kind % 4) << (kind / 4 + 2); }  // 16, 20, 24, 28, 32, 40 …

std::uint64_t class_of(std::uint64_t bytes) {
    if (bytes <= 16) return 0;
    const auto octave = static_cast<std::uint64_t>(std::bit_width(bytes - 1)) - 3;  // bytes - 1 in [4, 8) << octave
    const std::uint64_t kind = 4 * (octave - 2) + ((bytes - 1) >> octave) - 3;
    return kind;
}

std::uint64_t rounded(std::uint64_t bytes) { return (bytes + 15) & ~15ull; }

class Heap {
public:
    Heap(Worker& w, const Dense& d, int lane) : w_(w), d_(d), lane_(lane) {
        d_.space = generic_space;
        base_ = w.launch->heap_address;
        bytes_ = w.launch->heap_bytes;
    }

    std::uint64_t take(std::uint64_t wanted) {
        const std::uint64_t kind = class_of(wanted);
        if (bytes_ < first_piece + head || wanted > bytes_ || kind >= classes) return 0;
        std::uint64_t piece = word(8 + 8 * kind);
        if (piece != 0) {
            expect(piece, free_mark, kind);
            set(8 + 8 * kind, word(piece + 8));
        } else {
            const std::uint64_t used = std::max(word(0), first_piece), size = head + rounded(size_of(kind));
            if (used > bytes_) spoilt();
            if (size > bytes_ - used) return 0;
            set(0, used + size);
            piece = used;
        }
        set(piece, taken_mark | kind);
        return base_ + piece + head;
    }

    void give(std::uint64_t address) {
        const std::uint64_t piece = address - base_ - head;
        if (address < base_ + first_piece + head || address > base_ + bytes_ || piece % 8 != 0)
            w_.fail(d_, FaultKind::illegal, lane_, "free of an address that malloc did not give");
        const std::uint64_t mark = word(piece), kind = mark & ~mark_bits;
        if ((mark & mark_bits) == free_mark) w_.fail(d_, FaultKind::illegal, lane_, "free of memory that is free");
        if ((mark & mark_bits) != taken_mark || kind >= classes)
            w_.fail(d_, FaultKind::illegal, lane_, "free of an address that malloc did not give");
        set(piece, free_mark | kind);
        set(piece + 8, word(8 + 8 * kind));
        set(8 + 8 * kind, piece);
    }

private:
    std::uint64_t word(std::uint64_t offset) {
        if (offset > bytes_ - 8) spoilt();
        std::uint64_t value;
        std::memcpy(&value, bytes_at(w_, d_, lane_, base_ + offset, 8, false), 8);
        return value;
    }
    void set(std::uint64_t offset, std::uint64_t value) {
        if (offset > bytes_ - 8) spoilt();
        std::memcpy(bytes_at(w_, d_, lane_, base_ + offset, 8, true), &value, 8);
    }
    void expect(std::uint64_t piece, std::uint64_t mark, std::uint64_t kind) {
        if (piece % 8 != 0 || word(piece) != (mark | kind)) spoilt();
    }
    [[noreturn]] void spoilt() {
        w_.fail(d_, FaultKind::illegal, lane_, "the heap of malloc was overwritten by the program");
    }

    Worker& w_;
    Dense d_;
    int lane_;
    std::uint64_t base_ = 0, bytes_ = 0;
};

}  // namespace

std::uint64_t heap_take(Worker& w, const Dense& d, int lane, std::uint64_t bytes) {
    return Heap(w, d, lane).take(bytes);
}

void heap_give(Worker& w, const Dense& d, int lane, std::uint64_t address) {
    if (address != 0) Heap(w, d, lane).give(address);
}

}  // namespace foretell::complete
