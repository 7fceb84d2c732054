// Finds loops with branches that may be skipped in part.
#include <algorithm>

#include "gpu/functional/decode.hpp"

namespace foretell::functional {
namespace {

bool is_comparison(const Decoded& d) { return d.op == Op::isetp && d.needed; }

// Branches within the loop, to places that are known.
bool stays_inside(const Decoded& d, std::size_t first, std::size_t last) {
    const auto& o = d.source->operands;
    if (o.size() != 1 || o[0].kind != Kind::immediate) return false;
    const auto target = static_cast<std::size_t>(o[0].value) / 16;
    return first <= target && target <= last;
}

// What may be repeated without execution: arithmetic, requests whose data steers nothing, barriers nobody waits at.
bool may_repeat(const Prepared& program, const Decoded& d, bool contents) {
    const bool generic = d.source->opcode == "LD" || d.source->opcode == "ST";
    const std::size_t n = static_cast<std::size_t>(d.source->destinations);
    switch (d.op) {
        case Op::isetp: return !d.needed || (!d.extended && !d.is_64 && d.source->operands.size() > n + 1);
        case Op::load_shared:
        case Op::load_matrix:
        case Op::bssy:
        case Op::bsync:
        case Op::breaks: return true;
        case Op::warpsync: return d.source->operands.empty();
        case Op::store_shared: return !program.steering.shared;
        case Op::load_global: return !generic && !(contents && d.needed);
        case Op::store_global: return !generic && !program.steering.global;
        case Op::bar: return !program.waits && !d.arrive_only;
        default: return d.op < Op::load_global;
    }
}

void find_nest(Prepared& program, std::size_t first, std::size_t last, bool contents) {
    auto& text = program.text;
    for (std::size_t k = first; k < last; ++k)
        if (text[k].op == Op::bra ? !stays_inside(text[k], first, last) : !may_repeat(program, text[k], contents))
            return;
    Decoded& branch = text[last];
    branch.condition = condition_of(branch, &text[first]);
    if (branch.condition == nullptr) return;
    branch.span = static_cast<std::uint32_t>(last - first + 1);
    for (std::size_t k = first; k < last; ++k) {
        const bool asks = text[k].op == Op::load_global || text[k].op == Op::store_global;
        text[k].asks = text[k].asks || asks;
        text[k].followed = text[k].followed || asks;
        text[k].logged = text[k].logged || is_comparison(text[k]);
    }
}

}  // namespace

void find_nests(Prepared& program, bool contents) {
    auto& text = program.text;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto& o = text[i].source->operands;
        if (text[i].op != Op::bra || text[i].round != 0 || text[i].source->guard < 0 || o.size() != 1) continue;
        const auto target = static_cast<std::size_t>(o[0].value) / 16;
        if (o[0].kind == Kind::immediate && target < i) find_nest(program, target, i, contents);
    }
}

}  // namespace foretell::functional
