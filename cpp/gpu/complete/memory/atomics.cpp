// Atomics on global and shared memory. Lanes act in ascending order.
//
// Blocks on several threads meet only at integer updates whose result nobody reads (Text::order_free), which commute.
#include <atomic>
#include <cstring>

#include "gpu/complete/memory/access.hpp"
#include "gpu/complete/use/noted.hpp"
#include "gpu/functional/arithmetic/float_semantics.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {
namespace {

using namespace semantics;

float sum32(u32 a, u32 b, bool ftz) {
    const float x = to_float(a), y = to_float(b);
    return ftz ? flushed(flushed(x) + flushed(y)) : x + y;
}

u32 sum_halves(u32 a, u32 b, bool brain) {
    const auto part = [&](int at) {
        return narrowed(widened(a >> at & 0xffff, brain) + widened(b >> at & 0xffff, brain), brain);
    };
    return part(16) << 16 | part(0);
}

u32 real32(const Dense& d, u32 old, u32 operand) {
    if (d.half[0] != 0) return sum_halves(old, operand, d.brain);
    if (static_cast<Atomic>(d.mode) == Atomic::add) return canonical(sum32(old, operand, d.ftz));
    return smaller_or_larger_real(old, operand, static_cast<Atomic>(d.mode) == Atomic::min);
}

template <class T>
T next_value(const Dense& d, T old, T operand, T swap) {
    const Atomic how = static_cast<Atomic>(d.mode);
    if (how == Atomic::compare) return old == operand ? swap : old;
    if (d.real) {
        if constexpr (sizeof(T) == 4) return real32(d, old, operand);
        else return to_bits64(to_double(old) + to_double(operand));
    }
    return updated(how, old, operand, d.is_signed);
}

// Returns the old value.
template <class T>
T update(const Dense& d, std::uint8_t* at, T operand, T swap) {
    std::atomic_ref<T> word(*reinterpret_cast<T*>(at));
    T old = word.load(std::memory_order_relaxed);
    while (!word.compare_exchange_weak(old, next_value(d, old, operand, swap), std::memory_order_acq_rel)) {}
    return old;
}

u64 wide_source(const Worker& w, const Dense& d, int k, int lane) {
    return pair_of(w.source_row(d, k, 1)[lane], w.source(d, k)[lane]);
}

// ATOM.E.ADD.64 P0, R2, [R8.64], R10: the unit updates global memory alone, and says so; the code behind it does the same
// for shared and local memory. Without a predicate it updates shared memory as well.
bool tells_whether_done(const Dense& d) {
    return d.space == generic_space && d.written[0] != sink_predicate && !d.flag;
}

}  // namespace

void atomic(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    note_use(w, d, address, m, true, true);
    check_alignment(w, d, address, m, true);
    Row low, high;
    Mask stored = 0;
    if (tells_whether_done(d)) {
        Mask done = 0;
        each(m, [&](int l) { done |= static_cast<Mask>(space_of(d, address[l]) == global_space) << l; });
        w.write(d.written[0], done, m);
        m = done;
    }
    each(m, [&](int l) {
        if (space_of(d, address[l]) == local_space) w.fail(d, FaultKind::unsupported, l, "an atomic on local memory");
        std::uint8_t* at = bytes_at(w, d, l, address[l], d.bytes, true);
        if (d.bytes == 8) {
            const u64 operand = wide_source(w, d, 0, l), old = update<u64>(d, at, operand, wide_source(w, d, 1, l));
            const u64 result = d.flag ? old == operand : old;  // CAST says whether it was stored
            low.v[l] = static_cast<u32>(result);
            high.v[l] = static_cast<u32>(result >> 32);
            stored |= static_cast<Mask>(old == operand) << l;
        } else {
            const u32 operand = w.source(d, 0)[l], old = update<u32>(d, at, operand, w.source(d, 1)[l]);
            low.v[l] = d.flag ? old == operand : old;  // CAST says whether it was stored
            stored |= static_cast<Mask>(old == operand) << l;
        }
    });
    if (d.flag) w.write(d.written[0], stored, m);
    each(m, [&](int l) {
        w.destination(d)[l] = low.v[l];
        if (d.bytes == 8) w.destination(d, 1)[l] = high.v[l];
    });
}

}  // namespace foretell::complete
