// A program prepared for its launches, once for those with known contents of arrays and once for others.
#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "gpu/functional/state.hpp"
#include "gpu/functional/steering.hpp"

namespace foretell::functional {
namespace {

std::size_t registers_of(const std::vector<Instruction>& program) {
    int last = 0;
    for (const Instruction& i : program) {
        for (const Operand& o : i.operands) last = std::max(last, o.index + 3);  // up to four words
        for (const int index : i.written) last = std::max(last, index);
    }
    return static_cast<std::size_t>(std::min(last + 1, registers));
}

// Numbers the operands that are numbers or words of constant memory, equal ones alike.
std::size_t number_literals(std::vector<Instruction>& program) {
    std::map<std::tuple<Kind, std::int64_t, std::uint64_t, int, bool, bool>, int> numbers;
    for (Instruction& i : program)
        for (Operand& o : static_cast<std::vector<Operand>&>(i.operands)) {
            const bool word = o.kind == Kind::constant && o.index < 0 && o.uniform < 0;
            if (o.kind != Kind::immediate && o.kind != Kind::real && !word) continue;
            const auto real = std::bit_cast<std::uint64_t>(o.real);
            o.literal = numbers.try_emplace({o.kind, o.value, real, o.bank, o.negated, o.inverted}, numbers.size())
                            .first->second;
        }
    return numbers.size();
}

// Instructions without any effect that matters: results that are not needed, no control flow, no notes.
bool is_idle(const Decoded& d, bool shared_is_idle) {
    const bool quiet = (d.op < Op::load_global && !d.indexed) || (shared_is_idle && is_own_shared(d));
    return !d.needed && quiet && d.source->guard < 0 && !d.source->guard_never;
}

}  // namespace

Prepared prepare(const std::vector<Instruction>& program, bool contents, bool counts, bool recorded) {
    Prepared result;
    result.text = decode(program, contents);
    for (Decoded& d : result.text) d.indexed = d.indexed && !counts;  // its requests take time, no sectors
    result.steering = mark_needed(result.text, contents, counts, recorded);
    result.registers = registers_of(program);
    result.waits = result.steering.shared || result.steering.global || result.steering.votes;
    result.queues = std::ranges::any_of(result.text, [](const Decoded& d) { return d.queues && d.needed; });
    result.objects = std::ranges::any_of(result.text, [](const Decoded& d) { return d.op == Op::sync_object; });
    find_nests(result, contents);
    for (std::size_t i = result.text.size(); i-- > 0;)
        if (is_idle(result.text[i], counts && !result.steering.shared))
            result.text[i].idle = 1 + (i + 1 < result.text.size() ? result.text[i + 1].idle : 0);
    return result;
}

Prepared prepare_in_full(const std::vector<Instruction>& program) {
    Prepared result;
    result.text = decode(program, true);
    result.registers = registers_of(program);
    result.steering = {true, true, true};
    for (Decoded& d : result.text) {
        d.round = 0;
        d.asks = d.asking = d.decides = d.strict = false;
    }
    return result;
}

struct Program::Once {
    std::once_flag made[9];
    Prepared prepared[9];
};

Program::Program(std::vector<Instruction> instructions)
    : instructions_(std::move(instructions)),
      literals_(number_literals(instructions_)),
      once_(std::make_shared<Once>()) {}

const Prepared& Program::prepared(bool contents, bool counts, bool in_full, bool recorded) const {
    const int which = in_full ? 8 : 4 * recorded + 2 * contents + counts;
    Prepared& result = once_->prepared[which];
    std::call_once(once_->made[which], [&] {
        result = in_full ? prepare_in_full(instructions_) : prepare(instructions_, contents, counts, recorded);
    });
    return result;
}

std::vector<bool> needed(const Program& program, bool contents) {
    std::vector<bool> result;
    for (const Decoded& d : program.prepared(contents, false, false, false).text) result.push_back(d.needed);
    return result;
}

void number_in_phases(Result& result, std::size_t first) {
    constexpr std::uint32_t none = ~0u;
    std::vector<std::uint32_t> numbers(result.shapes.size(), none);
    std::uint32_t next = 0;
    for (; next < first; ++next) numbers[next] = next;
    std::set<std::pair<const std::uint32_t*, std::size_t>> looked_at;  // lists and phases of them
    for (const BlockTrace& block : result.blocks) {
        bool more = true;
        for (std::size_t phase = 0; more && next < numbers.size(); ++phase) {
            more = false;
            for (const WarpTrace& warp : block.warps) {
                if (phase > warp.phases.size()) continue;
                more = true;
                const std::size_t to = phase < warp.phases.size() ? warp.phases[phase] : warp.shapes.size();
                const auto& list = warp.shapes.list();
                if (!looked_at.insert({list.data(), phase}).second) continue;
                for (std::size_t k = phase == 0 ? 0 : warp.phases[phase - 1]; k < to; ++k)
                    if (numbers[list[k]] == none) numbers[list[k]] = next++;
            }
        }
    }
    for (std::uint32_t& number : numbers)
        if (number == none) number = next++;
    if (std::is_sorted(numbers.begin(), numbers.end())) return;
    std::vector<Shape> shapes(result.shapes.size());
    for (std::size_t k = 0; k < shapes.size(); ++k) shapes[numbers[k]] = result.shapes[k];
    result.shapes = std::move(shapes);
    std::set<const std::uint32_t*> numbered;
    for (BlockTrace& block : result.blocks)
        for (WarpTrace& warp : block.warps)
            if (numbered.insert(warp.shapes.list().data()).second)
                for (std::uint32_t& shape : warp.shapes.list()) shape = numbers[shape];
}

}  // namespace foretell::functional
