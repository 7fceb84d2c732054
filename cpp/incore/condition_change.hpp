// When a condition on two numbers that advance by constants changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "incore/integer_state.hpp"

namespace foretell::ooo_core {

inline constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

// Iterations from now on until a condition on two numbers that advance by constants changes: at least 1, or kEndless.
class Outcome {
public:
    Outcome(Condition condition, std::uint64_t a, std::uint64_t b, std::uint64_t step_a, std::uint64_t step_b,
            std::int64_t bits)
        : base_(static_cast<Condition>(static_cast<int>(condition) & ~1)),
          bits_(bits),
          a_(a),
          b_(b),
          step_a_(step_a),
          step_b_(step_b) {}

    std::int64_t changes_after() const {
        switch (base_) {
            case Condition::kEqual: return until_equal();
            case Condition::kLess: return ordered(true, false);
            case Condition::kLessEqual: return ordered(true, true);
            case Condition::kBelow: return ordered(false, false);
            case Condition::kBelowEqual: return ordered(false, true);
            case Condition::kNegative:
                return Outcome(Condition::kLess, a_ - b_, 0, step_a_ - step_b_, 0, bits_).changes_after();
            default: return 1;
        }
    }

private:
    std::int64_t until_equal() const {
        // wide: the quotient of the lowest number and -1 has no place in its own width
        const __int128 apart = extended(cut(a_ - b_, bits_), bits_),
                       step = extended(cut(step_a_ - step_b_, bits_), bits_);
        if (step == 0) return kEndless;
        if (apart == 0) return 1;  // equal now, and not after a step
        const __int128 times = -(apart / step);
        return apart % step == 0 && times > 0 ? static_cast<std::int64_t>(std::min<__int128>(kEndless, times))
                                              : kEndless;
    }

    // Signed or unsigned comparison: a < b, or a <= b.
    std::int64_t ordered(bool is_signed, bool or_equal) const {
        const auto number = [&](std::uint64_t x) -> __int128 {
            return is_signed ? static_cast<__int128>(extended(cut(x, bits_), bits_))
                             : static_cast<__int128>(cut(x, bits_));
        };
        const __int128 a = number(a_), b = number(b_), sa = extended(cut(step_a_, bits_), bits_),
                       sb = extended(cut(step_b_, bits_), bits_);
        const __int128 apart = b - a + (or_equal ? 1 : 0), step = sb - sa;  // a < b where apart > 0
        __int128 change = kEndless;
        if (apart > 0 && step < 0) change = (apart + -step - 1) / -step;
        if (apart <= 0 && step > 0) change = -apart / step + 1;
        const __int128 wraps = std::min(until_wrap(a, sa, is_signed), until_wrap(b, sb, is_signed));
        return static_cast<std::int64_t>(std::max<__int128>(1, std::min(change, wraps)));
    }

    __int128 until_wrap(__int128 from, __int128 step, bool is_signed) const {
        if (step == 0) return kEndless;
        const __int128 top = (static_cast<__int128>(1) << (is_signed ? bits_ - 1 : bits_)) - 1;
        const __int128 bottom = is_signed ? -(static_cast<__int128>(1) << (bits_ - 1)) : 0;
        return std::min<__int128>(kEndless, (step > 0 ? (top - from) / step : (from - bottom) / -step) + 1);
    }

    Condition base_;
    std::int64_t bits_;
    std::uint64_t a_, b_, step_a_, step_b_;
};

}  // namespace foretell::ooo_core
