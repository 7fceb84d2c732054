// Finds loops that do nothing but wait until a clock has a value, so that their time can pass in few rounds.
//
// Such a loop is a range of code that a jump closes, computes in registers alone, and is left by a condition that comes
// from a clock and from nothing that an earlier round computed: a loop that counts its rounds measures something else.
#include <algorithm>
#include <set>
#include <string_view>

#include "gpu/complete/decode/builder.hpp"

namespace foretell::complete {

namespace {

using functional::Instruction;
using functional::Kind;

constexpr std::uint32_t longest = 64;  // instructions of a loop

const std::set<std::string_view> in_registers = {
    "IADD3",  "IADD", "IADD32I", "VIADD", "ISETP", "IMAD",      "LOP3", "PLOP3", "SEL",      "MOV",   "IMNMX", "SHF",
    "VIMNMX", "LEA",  "S2R",     "CS2R",  "R2UR",  "PRMT",      "I2F",  "I2FP",  "FSETP",    "DSETP", "FMUL",  "DMUL",
    "FADD",   "LDC",  "BRA",     "NOP",   "YIELD", "NANOSLEEP", "BSSY", "BSYNC", "WARPSYNC", "IABS",  "S2UR",
};

bool is_known(std::string_view opcode) {
    return in_registers.contains(opcode) || (opcode.starts_with('U') && in_registers.contains(opcode.substr(1)));
}

bool reads_clock(const Dense& d) {
    using namespace functional;
    return d.run == read_special && (d.immediate == clock_low || d.immediate == clock_high ||
                                     d.immediate == timer_low || d.immediate == timer_high);
}

// Registers of all files as numbers.
constexpr int uniform = 1 << 10, predicate = 2 << 10, uniform_predicate = 3 << 10;

std::vector<int> written_by(const Instruction& i) {
    std::vector<int> result = i.written;
    for (const int r : i.written_uniform) result.push_back(uniform + r);
    for (const int r : i.written_predicates) result.push_back(predicate + r);
    for (const int r : i.written_uniform_predicates) result.push_back(uniform_predicate + r);
    return result;
}

std::vector<int> read_by(const Instruction& i) {
    std::vector<int> result;
    if (i.guard >= 0) result.push_back((i.guard_uniform ? uniform_predicate : predicate) + i.guard);
    for (std::size_t k = static_cast<std::size_t>(i.destinations); k < i.operands.size(); ++k) {
        const functional::Operand& o = i.operands[k];
        if (o.index < 0) continue;
        if (o.kind == Kind::reg) result.push_back(o.index);
        if (o.kind == Kind::ureg) result.push_back(uniform + o.index);
        if (o.kind == Kind::pred) result.push_back(predicate + o.index);
        if (o.kind == Kind::upred) result.push_back(uniform_predicate + o.index);
    }
    return result;
}

class Loop {
public:
    Loop(const Text& text, std::uint32_t first, std::uint32_t last) : text_(text), first_(first), last_(last) {}

    bool is_in_registers() const {
        for (std::uint32_t k = first_; k <= last_; ++k)
            if (!is_known(text_.source[k].opcode)) return false;
        return true;
    }

    bool is_wait() const {
        if (!is_in_registers()) return false;
        for (std::uint32_t k = first_; k <= last_; ++k)
            if (text_.text[k].flow == Flow::branch && leaves(k) && waits_for_clock(k)) return true;
        return false;
    }

private:
    // Whether a branch decides between another round and the end.
    bool leaves(std::uint32_t k) const {
        const std::uint32_t target = text_.text[k].target;
        return k == last_ || target < first_ || target > last_;
    }

    // What a condition comes from: a clock, and nothing that a round leaves to the next one.
    bool waits_for_clock(std::uint32_t branch) const {
        std::set<std::uint32_t> seen;
        std::vector<std::uint32_t> open{branch};
        bool clock = false;
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (!seen.insert(at).second) continue;
            clock = clock || reads_clock(text_.text[at]);
            for (const int r : read_by(text_.source[at])) {
                const std::uint32_t from = writer_before(at, r);
                if (from < at) open.push_back(from);
                else if (is_written(r)) return false;
            }
        }
        return clock;
    }

    // The last instruction of the round that writes a register before `at`; `at` if there is none.
    std::uint32_t writer_before(std::uint32_t at, int r) const {
        for (std::uint32_t k = at; k-- > first_;)
            if (writes(k, r)) return k;
        return at;
    }

    bool writes(std::uint32_t k, int r) const {
        const std::vector<int> all = written_by(text_.source[k]);
        return std::ranges::find(all, r) != all.end();
    }

    bool is_written(int r) const {
        for (std::uint32_t k = first_; k <= last_; ++k)
            if (writes(k, r)) return true;
        return false;
    }

    const Text& text_;
    std::uint32_t first_, last_;
};

}  // namespace

namespace {

// The shortest loop around a place; the place itself where there is none.
std::pair<std::uint32_t, std::uint32_t> loop_around(const Text& text, std::uint32_t at) {
    std::pair<std::uint32_t, std::uint32_t> best{at, at};
    for (std::uint32_t k = at; k < text.text.size(); ++k) {
        const Dense& jump = text.text[k];
        if (jump.flow != Flow::branch || jump.target > at) continue;
        if (best.first == best.second || k - jump.target < best.second - best.first) best = {jump.target, k};
    }
    return best;
}

// Sleeps of a loop that looks at memory are as many as the order of execution here makes them: they take no time.
void mark_sleeps(Text& text) {
    for (std::uint32_t k = 0; k < text.text.size(); ++k) {
        if (text.source[k].opcode != "NANOSLEEP") continue;
        const auto [first, last] = loop_around(text, k);
        if (first != last && !Loop(text, first, last).is_in_registers()) continue;
        const auto& operands = text.source[k].operands;
        const bool is_given = !operands.empty() && operands[0].kind == Kind::immediate;
        text.text[k].waits = is_given ? Wait::counted : Wait::passes;
    }
}

}  // namespace

void mark_clock_waits(Text& text) {
    for (std::uint32_t k = 0; k < text.text.size(); ++k) {
        const Dense& jump = text.text[k];
        if (jump.flow != Flow::branch || jump.target > k || k - jump.target >= longest) continue;
        if (!Loop(text, jump.target, k).is_wait()) continue;
        bool is_first = true;
        for (std::uint32_t i = jump.target; i <= k; ++i)
            if (reads_clock(text.text[i]) && text.text[i].waits == Wait::none) {
                text.text[i].waits = is_first ? Wait::passes : Wait::follows;
                is_first = false;
            }
    }
    mark_sleeps(text);
}

}  // namespace foretell::complete
