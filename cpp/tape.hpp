// Arithmetic on columns that is written down first and done at once, some hundred points at a time: what lies between
// the columns that are asked for never leaves the innermost caches, and what is written down twice is done once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace foretell::tape {

enum class Op : std::uint8_t {
    constant,
    column,
    add,
    subtract,
    multiply,
    divide,
    minimum,
    maximum,
    floor_divide,
    remainder,
    greater,
    greater_equal,
    less,
    less_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    logical_not,
    negative,
    absolute,
    floor,
    truncate,
    exponential,
    exponential_less_one,
    isfinite,
    number,  // of a truth: 1 or 0
    select,
    blend,
    look_up,
    count
};

struct Node {
    Op op;
    int a = -1, b = -1, c = -1;
    double value = 0.0;              // of a constant
    const double* data = nullptr;    // of a column
    bool truth = false;              // 1 or 0, for yes or no
};

// Heights at even places, and by how much they rise to the next; level beyond both ends.
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
    // All values of a node; from now on it is a column, which must stay where it is.
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
