#include "tape/tape.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include "tape/steps.hpp"

namespace foretell::tape {

namespace {

constexpr std::size_t kBlock = 256;

int operands(Op op) {
    if (op <= Op::column) return 0;
    if (op <= Op::logical_or) return 2;
    if (op <= Op::number || op == Op::look_up) return 1;
    return 3;
}

bool answers(Op op) { return (op >= Op::greater && op <= Op::logical_not) || op == Op::isfinite; }

bool commutes(Op op) { return op == Op::add || op == Op::multiply; }

}  // namespace

// Registers of one block each, few of which are live at a time.
class Registers {
public:
    double* take() {
        if (free_.empty()) {
            all_.emplace_back(kBlock);
            free_.push_back(all_.back().data());
        }
        double* reg = free_.back();
        free_.pop_back();
        in_use_.push_back(reg);
        return reg;
    }
    const double* filled(double value) {
        constants_.emplace_back(kBlock, value);
        return constants_.back().data();
    }
    void give_back(const double* reg) {
        const auto position = std::find(in_use_.rbegin(), in_use_.rend(), reg);
        free_.push_back(*position);
        in_use_.erase(std::next(position).base());
    }

private:
    std::vector<std::vector<double>> all_, constants_;
    std::vector<double*> free_, in_use_;
};

const Node& Tape::at(int node) const {
    if (node < 0 || static_cast<std::size_t>(node) >= nodes_.size())
        throw std::invalid_argument("no node " + std::to_string(node));
    return nodes_[static_cast<std::size_t>(node)];
}

int Tape::constant(double value) {
    const auto [entry, fresh] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), nodes_.size());
    if (fresh) nodes_.push_back({.op = Op::constant, .value = value});
    return entry->second;
}

int Tape::column(const double* data) {
    nodes_.push_back({.op = Op::column, .data = data});
    return static_cast<int>(nodes_.size()) - 1;
}

int Tape::table(Table table) {
    if (table.rises.empty() || table.heights.size() < table.rises.size())
        throw std::invalid_argument("a table without steps");
    tables_.push_back(std::move(table));
    return static_cast<int>(tables_.size()) - 1;
}

bool Tape::is_constant(int node, double value) const {
    const Node& known = at(node);
    return known.op == Op::constant && known.value == value;
}

// Equivalent existing node (algebraic simplification); -1 if there is none.
int Tape::simpler(Op op, int a, int b, int c) const {
    const bool plain = operands(op) != 2 || !(is_truth(a) || is_truth(b));
    if (!plain) return -1;
    if (op == Op::number && !is_truth(a)) return a;
    if ((op == Op::multiply || op == Op::divide) && is_constant(b, 1.0)) return a;
    if ((op == Op::add || op == Op::subtract) && is_constant(b, 0.0)) return a;
    if (op == Op::multiply && is_constant(a, 1.0)) return b;
    if (op == Op::add && is_constant(a, 0.0)) return b;
    if ((op == Op::minimum || op == Op::maximum) && a == b) return a;
    if (op == Op::blend && is_constant(a, 0.0)) return c;
    if (op == Op::blend && is_constant(a, 1.0)) return b;
    return -1;
}

int Tape::apply(Op op, int a, int b, int c) {
    if (op <= Op::column || op >= Op::count) throw std::invalid_argument("no operation");
    const int wanted = operands(op);
    at(a);
    if (wanted >= 2) at(b);
    if (wanted == 3) at(c);
    if (op == Op::look_up && (b < 0 || static_cast<std::size_t>(b) >= tables_.size()))
        throw std::invalid_argument("no table " + std::to_string(b));
    if (commutes(op) && b < a) std::swap(a, b);
    if (const int same = simpler(op, a, b, c); same >= 0) return same;
    const auto [entry, fresh] = known_.try_emplace({op, a, b, c}, nodes_.size());
    if (fresh) nodes_.push_back({.op = op, .a = a, .b = b, .c = c, .truth = answers(op)});
    return entry->second;
}

// Inputs of a node down to columns and constants, in topological order.
std::vector<int> Tape::needed(int node) const {
    std::vector<char> wanted(static_cast<std::size_t>(node) + 1, 0);
    wanted.back() = 1;
    std::vector<int> inputs_first;
    for (int id = node; id >= 0; --id) {
        if (!wanted[static_cast<std::size_t>(id)]) continue;
        inputs_first.push_back(id);
        const Node& n = nodes_[static_cast<std::size_t>(id)];
        const int inputs[] = {n.a, n.b, n.c};
        for (int k = 0; k < operands(n.op); ++k) wanted[static_cast<std::size_t>(inputs[k])] = 1;
    }
    std::reverse(inputs_first.begin(), inputs_first.end());
    return inputs_first;
}

// Last use of each node.
std::vector<int> Tape::last_uses(const std::vector<int>& order) const {
    std::vector<int> last(static_cast<std::size_t>(order.back()) + 1, -1);
    for (const int id : order) {
        const Node& n = nodes_[static_cast<std::size_t>(id)];
        const int inputs[] = {n.a, n.b, n.c};
        for (int k = 0; k < operands(n.op); ++k) last[static_cast<std::size_t>(inputs[k])] = id;
    }
    return last;
}

// Steps that compute a node into `out`, without those already evaluated.
std::vector<Step> Tape::steps(int node, double* out, Registers& registers) const {
    const std::vector<int> order = needed(node);
    std::vector<int> last = last_uses(order);
    std::vector<Operand> values(last.size());
    std::vector<Step> result;
    for (const int id : order) {
        const Node& n = nodes_[static_cast<std::size_t>(id)];
        Operand& value = values[static_cast<std::size_t>(id)];
        if (n.op <= Op::column) {
            value = n.op == Op::column ? Operand{n.data, 1} : Operand{registers.filled(n.value), 0};
            continue;
        }
        const int inputs[] = {n.a, n.b, n.c};
        Operand from[3];
        for (int k = 0; k < operands(n.op); ++k) from[k] = values[static_cast<std::size_t>(inputs[k])];
        for (int k = 0; k < operands(n.op); ++k) {
            const auto input = static_cast<std::size_t>(inputs[k]);
            if (last[input] != id || nodes_[input].op <= Op::column) continue;
            registers.give_back(values[input].data);
            last[input] = -1;  // once, even if it is both operands
        }
        double* own = id == node ? out : registers.take();
        const Table* table = n.op == Op::look_up ? &tables_[static_cast<std::size_t>(n.b)] : nullptr;
        result.push_back({n.op, own, id == node, from[0], from[1], from[2], table});
        value = {own, 0};
    }
    return result;
}

void Tape::fill(int node, double* out) {
    const Node requested = at(node);
    if (requested.op == Op::constant) std::fill(out, out + points_, requested.value);
    if (requested.op == Op::column) std::copy(requested.data, requested.data + points_, out);
    Registers registers;
    const std::vector<Step> all = steps(node, out, registers);
    for (std::size_t first = 0; first < points_; first += kBlock)
        for (const Step& step : all) run(step, first, std::min(kBlock, points_ - first));
    if (requested.op != Op::constant)
        nodes_[static_cast<std::size_t>(node)] = {.op = Op::column, .data = out, .truth = requested.truth};
}

}  // namespace foretell::tape
