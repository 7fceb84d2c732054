// Decoded instructions: the opcode as a number, modifiers as fields. Private to the functional core.
#pragma once

#include "gpu/functional/functional.hpp"

namespace foretell::functional {

// Operations on registers: X(operation, rule of the Alu, opcodes).
#define FORETELL_ALU_OPERATIONS(X)                                                                             \
    X(mov, mov, "MOV") X(imad, imad, "IMAD") X(iadd3, iadd3, "IADD3", "VIADD", "IADD") X(iadd64, iadd64)       \
    X(lea, lea, "LEA") X(shf, shf, "SHF") X(shl, unary, "SHL") X(shr, unary, "SHR") X(lop3, lop3, "LOP3")      \
    X(plop3, plop3, "PLOP3") X(prmt, prmt, "PRMT") X(sel, sel, "SEL", "FSEL") X(isetp, isetp, "ISETP")         \
    X(imnmx, minmax, "IMNMX", "VIMNMX") X(viaddmnmx, minmax, "VIADDMNMX") X(iabs, unary, "IABS")               \
    X(popc, unary, "POPC") X(flo, unary, "FLO") X(brev, unary, "BREV") X(bmsk, unary, "BMSK")                  \
    X(sgxt, unary, "SGXT") X(s2r, s2r, "S2R", "S2UR") X(cs2r, s2r, "CS2R", "CS2UR") X(ldc, ldc, "LDC", "LDCU") \
    X(r2ur, r2ur, "R2UR") X(p2r, p2r, "P2R") X(r2p, r2p, "R2P") X(vote, vote, "VOTE", "VOTEU") X(elect, elect, "ELECT") X(b2r, b2r, "B2R")  \
    X(shfl, shfl, "SHFL") X(query_space, query_space, "QSPC") X(take_registers, take_registers, "SETMAXREG")   \
    X(i2f, convert, "I2F", "I2FP") X(f2i, convert, "F2I") X(f2f, convert, "F2F") X(frnd, convert, "FRND")      \
    X(mufu, floating, "MUFU") X(fadd, floating, "FADD")                                                        \
    X(fmul, floating, "FMUL") X(ffma, floating, "FFMA") X(fsetp, fsetp, "FSETP") X(fmnmx, floating, "FMNMX")   \
    X(dadd, real64, "DADD") X(dmul, real64, "DMUL") X(dfma, real64, "DFMA") X(dsetp, real64, "DSETP")          \
    X(hfma2, halves, "HFMA2") X(hadd2, halves, "HADD2") X(hmul2, halves, "HMUL2") X(hsetp2, hsetp2, "HSETP2")   \
    X(f2fp, pack, "F2FP") X(fchk, fchk, "FCHK")

// Memory accesses and control flow: X(operation, opcodes).
#define FORETELL_MEMORY_OPERATIONS(X)                                                                          \
    X(load_global, "LDG", "LD") X(store_global, "STG", "ST") X(atomic_global, "ATOMG", "ATOM", "RED", "REDG")  \
    X(load_shared, "LDS") X(store_shared, "STS") X(atomic_shared, "ATOMS") X(load_local, "LDL")                \
    X(store_local, "STL") X(copy_to_shared, "LDGSTS") X(copy_bulk, "UBLKCP") X(copy_tile, "UTMALDG") X(sync_object, "SYNCS")     \
    X(load_matrix, "LDSM")
#define FORETELL_CONTROL_OPERATIONS(X)                                                                         \
    X(bra, "BRA") X(brx, "BRX") X(exit, "EXIT") X(call, "CALL") X(ret, "RET") X(bssy, "BSSY")                  \
    X(bsync, "BSYNC") X(warpsync, "WARPSYNC") X(breaks, "BREAK") X(bar, "BAR")

#define X(operation, ...) operation,
enum class Op : std::uint8_t {
    unknown,
    nothing,
    FORETELL_ALU_OPERATIONS(X) FORETELL_MEMORY_OPERATIONS(X) FORETELL_CONTROL_OPERATIONS(X)
};
#undef X

// Operations on an mbarrier: modes of SYNCS.
enum OfObject : int { Begin, Arrive, Await };

enum class Compare : std::uint8_t { lt, eq, le, gt, ne, ge, always, never, number, nan };

template <class T>
bool compared(Compare how, T a, T b) {
    switch (how) {
        case Compare::lt: return a < b;
        case Compare::eq: return a == b;
        case Compare::le: return a <= b;
        case Compare::gt: return a > b;
        case Compare::ne: return a != b;
        case Compare::ge: return a >= b;
        case Compare::number: return a == a && b == b;
        case Compare::nan: return a != a || b != b;
        case Compare::never: return false;
        case Compare::always: break;
    }
    return true;
}

struct Decoded {
    Op op = Op::unknown;
    const Instruction* source = nullptr;
    std::uint32_t number = 0;  // in the text
    bool wide = false, high = false, carry_in = false, is_unsigned = false, left = false, wrap = false,
         extended = false;
    bool is_64 = false, sign_extend_a = false, shifted = false, is_signed_load = false, arrive_only = false;
    bool votes = false;     // BAR.RED: a barrier that counts the threads whose predicate holds
    bool named = false;     // a barrier of the block with a number other than 0, or for some of its threads
    bool indexed = false;   // a load from constant memory with an index in a register
    bool real64 = false;    // a conversion from or to double precision
    bool real32 = false;    // of two numbers of 16 bits: one result of single precision
    bool brain = false;     // numbers of 16 bits are BF16
    bool both = false;      // a comparison of two numbers of 16 bits: whether both hold, and whether not
    bool if_apart = false;  // branch of divergent warps
    bool ordered = false;   // a load that sees what others write meanwhile
    Compare compare = Compare::always;
    char combine = '&';  // & | ^
    int bytes = 4;       // of a memory access
    int mode = 0;        // opcode-specific
    // Of a backward branch: the length of its loop, if that only computes, reads shared memory and requests global
    // memory of unknown contents, and the integer comparison that controls it.
    std::uint32_t round = 0;
    bool asking = false;   // the loop accesses global memory
    bool asks = false;     // a request in such a loop
    bool decides = false;  // an integer comparison in such a loop beside the one that controls it
    const Decoded* condition = nullptr;
    std::uint32_t span = 0;   // of a backward branch whose loop has branches and may be skipped: its length in the text
    bool logged = false;      // an integer comparison in such a loop
    bool followed = false;    // a request in such a loop
    bool strong = false;      // a load that sees what other threads wrote (volatile, acquire)
    bool polls = false;       // a request that waits in a loop for what other threads write (steering.hpp)
    bool skips_call = false;  // a branch over a call: past the slow path of a division or a square root
    bool strict = false;      // its results are known only where all operands are
    bool needed = true;       // its result steers the execution (steering.hpp)
    bool draws = false;       // an addition to global memory whose result is a position (steering.hpp)
    bool swaps = false;       // an atomic of shared memory that says whether it stored
    bool compares = false;    // a compare-and-swap of a word of global memory
    bool queues = false;      // one whose result also decides where the code goes: a queue of work
    std::uint32_t idle = 0;   // unguarded instructions from this one on that only compute what is not needed
};

// `contents`: the contents of some arrays are known.
std::vector<Decoded> decode(const std::vector<Instruction>& program, bool contents);

// Whether a barrier of the block says how many threads it waits for.
inline bool counts_threads(const Operands& o) {
    return o.size() > 1 && (o[1].kind == Kind::immediate || o[1].kind == Kind::reg || o[1].kind == Kind::ureg);
}

// Memories whose contents steer the execution: some load whose result is needed reads them.
struct SteeringMemory {
    bool shared = false, local = false, global = false;
    bool votes = false;  // what threads say at barriers (BAR.RED)
};

// A program decoded for launches with, or without, known contents of arrays.
struct Prepared {
    std::vector<Decoded> text;
    SteeringMemory steering;
    std::size_t registers = 0;  // of a lane
    bool waits = true;          // at barriers of the block: what warps store steers others
    bool queues = false;        // some instruction draws from a queue of work
    bool objects = false;       // warps wait at mbarriers
};

// `counts`: only instructions and sectors of global memory are counted, so that accesses to shared memory whose data
// steers nothing are idle.
Prepared prepare(const std::vector<Instruction>& program, bool contents, bool counts);

// The same without shortcuts: every result is computed, every iteration executed, warps wait at barriers.
Prepared prepare_in_full(const std::vector<Instruction>& program);

// Marks backward branches whose loops have branches, or barriers, and may be skipped in part.
void find_nests(Prepared& program, bool contents);

// The integer comparison that sets the guard of a branch, from `first` on; null if anything else sets it.
const Decoded* condition_of(const Decoded& branch, const Decoded* first);

// Numbers the shapes of requests, from `first` on, as if warps had waited for each other at barriers: by phases of each
// block in turn.
void number_in_phases(Result& result, std::size_t first);

}  // namespace foretell::functional
