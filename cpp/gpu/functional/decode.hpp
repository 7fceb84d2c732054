// Decoded instructions: the opcode as a number, modifiers as fields. Private to the functional core.
#pragma once

#include "gpu/functional/functional.hpp"

namespace foretell::functional {

enum class Op : std::uint8_t {
    unknown,
    nothing,
    mov,
    imad,
    iadd3,
    iadd64,
    lea,
    shf,
    shl,
    shr,
    lop3,
    plop3,
    prmt,
    sel,
    isetp,
    imnmx,
    viaddmnmx,
    iabs,
    popc,
    flo,
    brev,
    bmsk,
    sgxt,
    s2r,
    cs2r,
    ldc,
    r2ur,
    p2r,
    r2p,
    vote,
    shfl,
    query_space,
    take_registers,
    i2f,
    f2i,
    mufu,
    fadd,
    fmul,
    ffma,
    fsetp,
    fmnmx,
    dadd,
    dmul,
    dfma,
    dsetp,
    hfma2,
    fchk,
    load_global,
    store_global,
    atomic_global,
    load_shared,
    store_shared,
    atomic_shared,
    load_local,
    store_local,
    copy_to_shared,
    load_matrix,
    bra,
    brx,
    exit,
    call,
    ret,
    bssy,
    bsync,
    warpsync,
    breaks,
    bar,
};

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
    bool uniform = false;      // on the uniform datapath
    bool wide = false, high = false, carry_in = false, is_unsigned = false, left = false, wrap = false,
         extended = false;
    bool is_64 = false, sign_extend_a = false, shifted = false, is_signed_load = false, arrive_only = false;
    bool if_apart = false;  // branch of divergent warps
    Compare compare = Compare::always;
    char combine = '&';  // & | ^
    int bytes = 4;       // of a memory access
    int mode = 0;        // opcode-specific
    // Of a backward branch: the length of its loop, if that only computes, reads shared memory and requests global
    // memory of unknown contents, and the integer comparison that controls it.
    std::uint32_t round = 0;
    bool asking = false;  // the loop accesses global memory
    bool asks = false;    // a request in such a loop
    const Decoded* condition = nullptr;
    bool skips_call = false;  // a branch over a call: past the slow path of a division or a square root
};

// `contents`: the contents of some arrays are known.
std::vector<Decoded> decode(const std::vector<Instruction>& program, bool contents);

}  // namespace foretell::functional
