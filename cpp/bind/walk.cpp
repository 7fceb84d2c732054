#include "bind.hpp"

#include "../walk.hpp"

namespace {

using Table = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Units = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
namespace walk = foretell::walk;

constexpr std::size_t kColumns = 28;

walk::Unit unit(const Units& units, std::int64_t number) {
    if (number < 0) return {};
    const double* row = units.data() + static_cast<std::size_t>(number) * 4;
    if (static_cast<std::size_t>(number) >= units.shape(0)) throw std::invalid_argument("no such unit");
    return {static_cast<std::uint64_t>(row[0]), row[1], row[2], row[3]};
}

std::vector<std::int64_t> part(const Numbers& all, std::int64_t from, std::int64_t to) {
    if (from < 0 || to < from || static_cast<std::size_t>(to) > all.shape(0))
        throw std::invalid_argument("a list of registers is out of range");
    return {all.data() + from, all.data() + to};
}

walk::Instruction instruction(const std::int64_t* row, double slots, const Units& units, const Numbers& registers) {
    walk::Instruction one;
    one.op = static_cast<walk::Op>(row[0]);
    one.bits = row[1];
    one.to = row[2], one.a = row[3], one.b = row[4], one.constant = row[5];
    one.condition = static_cast<walk::Condition>(row[6]);
    one.target = row[7], one.chance = row[8];
    one.address = {row[9], row[10], row[11], row[12], row[13]};
    one.loads = row[14] != 0, one.stores = row[15] != 0, one.passed_on = row[16] != 0;
    one.vector = row[27] != 0;
    one.slots = slots;
    for (std::int64_t k = row[17]; k < row[18]; k++) one.units.push_back(unit(units, k));
    one.load = unit(units, row[19]), one.across = unit(units, row[20]), one.store = unit(units, row[21]);
    one.store_address = unit(units, row[22]);
    one.reads = part(registers, row[23], row[24]), one.writes = part(registers, row[25], row[26]);
    return one;
}

walk::Core core_of(const std::vector<double>& p) {
    if (p.size() != 15) throw std::invalid_argument("a core has 15 numbers");
    const auto whole = [&](std::size_t k) { return static_cast<std::int64_t>(p[k]); };
    return {p[0], whole(1), whole(2), p[3], whole(4), p[5], p[6], p[7], p[8], p[9], whole(10), whole(11), whole(12),
            whole(13), whole(14)};
}

}  // namespace

void bind_walk(nb::module_& m) {
    m.def(
        "walk_code",
        [](const Table& table, const Array& slots, const Units& units, const Numbers& registers,
           const std::vector<double>& core, const Pairs& values, const Pairs& words, std::int64_t stack,
           std::int64_t flags, std::int64_t count, const std::vector<std::int64_t>& marks, std::int64_t runs,
           std::int64_t most, std::int64_t beside_at, std::int64_t beside_slots, std::int64_t rounds) {
            if (table.shape(1) != kColumns || slots.shape(0) != table.shape(0) || units.shape(1) != 4)
                throw std::invalid_argument("tables of the wrong shape");
            std::vector<walk::Instruction> code;
            for (std::size_t k = 0; k < table.shape(0); k++)
                code.push_back(instruction(table.data() + k * kColumns, slots.data()[k], units, registers));
            if (rounds > 0 && marks.empty()) throw std::invalid_argument("rounds of a loop without a mark");
            for (const std::int64_t mark : marks)
                if (mark < 0 || static_cast<std::size_t>(mark) >= code.size())
                    throw std::invalid_argument("a mark is out of range");
            const walk::Start start{values, words, stack, flags, count};
            const walk::Core numbers = core_of(core);
            walk::Walk done;
            {
                nb::gil_scoped_release release;
                done = walk::follow(code, numbers, start, marks, {runs, most, rounds}, {beside_at, beside_slots});
            }
            return std::make_tuple(done.ends, done.times, done.instructions, done.misses, done.accesses);
        },
        nb::arg("table"), nb::arg("slots"), nb::arg("units"), nb::arg("registers"), nb::arg("core"),
        nb::arg("values"), nb::arg("words"), nb::arg("stack"), nb::arg("flags"), nb::arg("count"), nb::arg("marks"),
        nb::arg("runs"), nb::arg("most"), nb::arg("beside_at") = -1, nb::arg("beside_slots") = 0,
        nb::arg("rounds") = 0,
        "Follow machine code through an out-of-order core: cycles at which each run of it ended, cycles at which each "
        "marked instruction was issued, instructions, jumps that were not foreseen, and the share of the time in which "
        "the innermost cache is busy.");
}
