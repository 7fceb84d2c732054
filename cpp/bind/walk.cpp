#include "bind.hpp"

#include <algorithm>

#include "../walk.hpp"

namespace {

using Table = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Units = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
namespace walk = foretell::walk;

constexpr std::size_t kColumns = 28;

// A number of a table that must lie between two others.
template <typename T>
T within(std::int64_t number, std::int64_t least, std::int64_t most) {
    if (number < least || number > most) throw std::invalid_argument("a number of a table is out of range");
    return static_cast<T>(number);
}

// The rows of tables as instructions, all of whose places are checked.
struct Reader {
    std::int64_t rows, units, listed, registers;

    std::int16_t operand(std::int64_t number) const { return within<std::int16_t>(number, walk::kNowhere, registers - 1); }
    std::int32_t unit(std::int64_t number) const { return within<std::int32_t>(number, -1, units - 1); }
    static walk::Range range(std::int64_t from, std::int64_t to, std::int64_t size) {
        return {within<std::int32_t>(from, 0, size), within<std::int32_t>(to, from, size)};
    }

    walk::Instruction operator()(const std::int64_t* row, double slots) const {
        walk::Instruction one;
        one.op = within<walk::Op>(row[0], 0, static_cast<std::int64_t>(walk::Op::kStop));
        one.bits = static_cast<std::uint8_t>(std::clamp<std::int64_t>(row[1], 1, 64));
        one.to = operand(row[2]), one.a = operand(row[3]), one.b = operand(row[4]), one.constant = row[5];
        if (one.op == walk::Op::kDivide) within<std::int16_t>(one.constant, 0, registers - 1);
        one.condition = within<walk::Condition>(row[6], 0, static_cast<std::int64_t>(walk::Condition::kNotOther));
        one.target = within<std::int32_t>(row[7], 0, rows), one.chance = within<std::uint8_t>(row[8], 0, 2);
        one.address = {operand(row[9]), operand(row[10]), static_cast<std::int32_t>(row[11]),
                       static_cast<std::int32_t>(row[13]), row[12]};
        one.loads = row[14] != 0, one.stores = row[15] != 0, one.passed_on = row[16] != 0;
        one.vector = row[27] != 0;
        one.slots = within<std::uint16_t>(static_cast<std::int64_t>(slots), 0, 65535);
        one.units = range(row[17], row[18], units);
        one.load = unit(row[19]), one.across = unit(row[20]), one.store = unit(row[21]), one.store_address = unit(row[22]);
        if ((one.loads && (one.load < 0 || one.across < 0)) || (one.stores && one.store < 0))
            throw std::invalid_argument("an access without a unit");
        one.reads = range(row[23], row[24], listed), one.writes = range(row[25], row[26], listed);
        return one;
    }
};

walk::Code code_of(const Table& table, const Array& slots, const Units& units, const Numbers& registers, std::int64_t count) {
    if (table.shape(1) != kColumns || slots.shape(0) != table.shape(0) || units.shape(1) != 4)
        throw std::invalid_argument("tables of the wrong shape");
    within<std::int16_t>(count, 0, 32767);
    walk::Code code;
    for (std::size_t k = 0; k < units.shape(0); k++) {
        const double* row = units.data() + 4 * k;
        code.units.push_back({static_cast<std::uint64_t>(row[0]), row[1], row[2], row[3]});
    }
    for (std::size_t k = 0; k < registers.shape(0); k++)
        code.registers.push_back(within<std::int16_t>(registers.data()[k], 0, count - 1));
    const auto size = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    const Reader read{size(table.shape(0)), size(code.units.size()), size(code.registers.size()), count};
    for (std::size_t k = 0; k < table.shape(0); k++)
        code.instructions.push_back(read(table.data() + k * kColumns, slots.data()[k]));
    return code;
}

walk::Core core_of(const std::vector<double>& p) {
    if (p.size() != 15) throw std::invalid_argument("a core has 15 numbers");
    const auto whole = [&](std::size_t k) { return static_cast<std::int64_t>(p[k]); };
    return {p[0], whole(1), whole(2), p[3], whole(4), p[5], p[6], p[7], p[8], p[9], whole(10), whole(11), whole(12),
            whole(13), whole(14)};
}

// A function on a core, to be followed from different starts.
struct Walker {
    walk::Code code;
    walk::Core core;
    std::int64_t count, stack, flags;

    auto follow(const Pairs& values, const Pairs& words, const std::vector<std::int64_t>& marks, std::int64_t runs,
                std::int64_t most, std::int64_t beside_at, std::int64_t beside_slots, std::int64_t rounds) const {
        const auto rows = static_cast<std::int64_t>(code.instructions.size());
        if (rounds > 0 && marks.empty()) throw std::invalid_argument("rounds of a loop without a mark");
        for (const std::int64_t mark : marks) within<std::int64_t>(mark, 0, rows - 1);
        for (const auto& [number, value] : values) within<std::int64_t>(number, 0, count - 1);
        const walk::Start start{values, words, stack, flags, count};
        walk::Walk done;
        {
            nb::gil_scoped_release release;
            done = walk::follow(code, core, start, marks, {runs, most, rounds}, {beside_at, beside_slots});
        }
        std::vector<decltype(owned<double>(nullptr))> times;  // long ones: numbers of Python's own would take as long as short walks
        for (std::vector<double>& one : done.times) times.push_back(owned(new std::vector<double>(std::move(one))));
        return std::make_tuple(done.ends, times, done.instructions, done.misses, done.accesses);
    }
};

}  // namespace

void bind_walk(nb::module_& m) {
    nb::class_<Walker>(m, "Walker", "Machine code on an out-of-order core.")
        .def(
            "__init__",
            [](Walker* made, const Table& table, const Array& slots, const Units& units, const Numbers& registers,
               const std::vector<double>& core, std::int64_t count, std::int64_t stack, std::int64_t flags) {
                within<std::int64_t>(stack, 0, count - 1);
                new (made) Walker{code_of(table, slots, units, registers, count), core_of(core), count, stack, flags};
            },
            nb::arg("table"), nb::arg("slots"), nb::arg("units"), nb::arg("registers"), nb::arg("core"), nb::arg("count"),
            nb::arg("stack"), nb::arg("flags"))
        .def("follow", &Walker::follow, nb::arg("values"), nb::arg("words"), nb::arg("marks"), nb::arg("runs"), nb::arg("most"),
             nb::arg("beside_at") = -1, nb::arg("beside_slots") = 0, nb::arg("rounds") = 0,
             "From registers and words with these values: cycles at which each run of the code ended, cycles at which each "
             "marked instruction was issued, instructions, jumps that were not foreseen, and the share of the time in which "
             "the innermost cache is busy.");
}
