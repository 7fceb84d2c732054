// Lazy arithmetic on columns, evaluated in blocks of some hundred points: intermediate results stay in the inner
// caches, and common subexpressions are evaluated once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace foretell::tape {

// X(value, external name: numpy's if it has one), by arity: none, two, one and three operands. `number` of a truth: 1
// or 0.
#define FORETELL_TAPE_OPERATIONS(X)                                                                   \
    X(constant, constant) X(column, column) X(add, add) X(subtract, subtract) X(multiply, multiply)   \
    X(divide, divide) X(minimum, minimum) X(maximum, maximum) X(floor_divide, floor_divide)           \
    X(remainder, remainder) X(greater, greater) X(greater_equal, greater_equal) X(less, less)         \
    X(less_equal, less_equal) X(equal, equal) X(not_equal, not_equal) X(logical_and, logical_and)     \
    X(logical_or, logical_or) X(logical_not, logical_not) X(negative, negative) X(absolute, absolute) \
    X(floor, floor) X(truncate, trunc) X(exponential, exp) X(exponential_less_one, expm1)             \
    X(isfinite, isfinite) X(number, number) X(select, select) X(blend, blend) X(look_up, look_up)

enum class Op : std::uint8_t {
#define X(value, name) value,
    FORETELL_TAPE_OPERATIONS(X)
#undef X
        count
};

struct Node {
    Op op;
    int a = -1, b = -1, c = -1;
    double value = 0.0;            // of a constant
    const double* data = nullptr;  // of a column
    bool truth = false;            // 1 or 0, for yes or no
};

// Values at equidistant points, and differences to the next; constant beyond both ends.
struct Table {
    double from, per_step;
    std::vector<double> heights, rises;
};

struct Step;
class Registers;

class Tape {
public:
    explicit Tape(std::size_t points) : points_(points) {}

    std::size_t points() const { return points_; }
    int constant(double value);
    int column(const double* data);
    int table(Table table);
    int apply(Op op, int a, int b = -1, int c = -1);
    bool is_truth(int node) const { return at(node).truth; }
    bool is_column(int node) const { return at(node).op == Op::column; }
    // Evaluates a node; it becomes a column at `out`, which must stay valid.
    void fill(int node, double* out);

private:
    const Node& at(int node) const;
    int simpler(Op op, int a, int b, int c) const;
    bool is_constant(int node, double value) const;
    std::vector<int> needed(int node) const;
    std::vector<int> last_uses(const std::vector<int>& order) const;
    std::vector<Step> steps(int node, double* out, Registers& registers) const;

    std::size_t points_;
    std::vector<Node> nodes_;
    std::vector<Table> tables_;
    std::map<std::tuple<Op, int, int, int>, int> known_;
    std::map<std::uint64_t, int> constants_;
};

}  // namespace foretell::tape
