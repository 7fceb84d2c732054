// Any arithmetic on columns: all points at once have the values, bit for bit, that each has alone.
#include "tape/tape.hpp"

#include <cmath>
#include <cstdlib>

#include "bytes.hpp"

namespace {

using namespace foretell::tape;

struct Line {
    Op op;
    int a, b, c;
};

Line line(fuzz::Bytes& bytes) {
    const auto op = static_cast<Op>(bytes.next() % static_cast<int>(Op::count));
    return {op, bytes.next(), bytes.next(), bytes.next()};
}

// The value of the last node at points `first` to before `first + points`.
std::vector<double> values(const std::vector<Line>& steps, const std::vector<double>& column, std::size_t first,
                           std::size_t points, const Table& table) {
    Tape tape(points);
    const std::vector<double> own(column.begin() + static_cast<std::ptrdiff_t>(first),
                                  column.begin() + static_cast<std::ptrdiff_t>(first + points));
    std::vector<int> nodes{tape.column(own.data()), tape.constant(0.5), tape.constant(-3), tape.constant(1),
                           tape.constant(0), tape.constant(HUGE_VAL)};
    const int lookup = tape.table(table);
    for (const Line& one : steps) {
        const auto node = [&](int number) { return nodes[static_cast<std::size_t>(number) % nodes.size()]; };
        if (one.op == Op::constant || one.op == Op::column) continue;
        nodes.push_back(tape.apply(one.op, node(one.a), one.op == Op::look_up ? lookup : node(one.b), node(one.c)));
    }
    std::vector<double> result(points);
    tape.fill(nodes.back(), result.data());
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    const std::size_t points = 1 + static_cast<std::size_t>(bytes.next()) * 5;  // more than one block of the engine
    const Table table{bytes.truth() ? 0.0 : bytes.raw<double>(), bytes.positive(), {1, 2, 4, 8}, {1, 2, 4}};
    std::vector<Line> steps;
    for (int left = bytes.between(1, 24); left > 0; --left) steps.push_back(line(bytes));
    std::vector<double> column(points);
    for (double& value : column) value = bytes.between(0, 3) == 0 ? bytes.raw<double>() : bytes.next() - 100;
    const std::vector<double> together = values(steps, column, 0, points, table);
    for (std::size_t k = 0; k < points; k += 1 + points / 16) {
        const double alone = values(steps, column, k, 1, table)[0];
        if (std::isnan(alone) ? !std::isnan(together[k]) : alone != together[k]) std::abort();
    }
    return 0;
}
