#include <algorithm>

#include "incore/ooo_core.hpp"
#include "incore/whole_call.hpp"
#include "named.hpp"

namespace {

using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Names = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
namespace ooo_core = foretell::ooo_core;

// Columns of the instruction table, one row per instruction; index ranges are `_from` to before `_to`.
#define FORETELL_CORE_COLUMNS(X)                                                                      \
    X(bits) X(to) X(a) X(b) X(constant) X(target) X(chance) X(base) X(index) X(scale) X(displacement) \
    X(bytes) X(loads) X(stores) X(passed_on) X(sets_flags) X(vector) X(units_from) X(units_to) X(load) X(across)    \
    X(store) X(store_address) X(fetched) X(reads_from) X(reads_to) X(writes_from) X(writes_to)

struct Columns {
#define X(name) const std::int64_t* name;
    FORETELL_CORE_COLUMNS(X)
#undef X
};

// Columns of one length, valid as long as the mapping.
template <typename Array>
class ColumnReader {
public:
    ColumnReader(const nb::dict& given, std::size_t rows) : read_(given), rows_(rows) {}
    auto* operator()(const char* name) {
        const auto column = read_.get<Array>(name);
        if (column.shape(0) != rows_) throw std::invalid_argument("columns of different lengths");
        return column.data();
    }
    void finish() const { read_.finish(); }

private:
    NameReader read_;
    std::size_t rows_;
};

// Value of an enumeration by name.
template <typename Enum, std::size_t count>
Enum value_of(const char* const (&names)[count], const std::string& name) {
    const auto found = std::find(names, names + count, name);
    if (found == names + count) throw std::invalid_argument("unknown name: " + name);
    return static_cast<Enum>(found - names);
}

#define X(value, name) #name,
constexpr const char* kOperations[] = {FORETELL_CORE_OPERATIONS(X)};
constexpr const char* kConditions[] = {FORETELL_CORE_CONDITIONS(X)};
#undef X

// Checks that a number of a table is in a range.
template <typename T>
T within(std::int64_t number, std::int64_t least, std::int64_t most) {
    if (number < least || number > most) throw std::invalid_argument("a number of a table is out of range");
    return static_cast<T>(number);
}

// Converts table rows to instructions, and checks all indices.
struct Reader {
    std::int64_t rows, units, listed, registers, targets;

    std::int16_t operand(std::int64_t number) const {
        return within<std::int16_t>(number, ooo_core::kNowhere, registers - 1);
    }
    std::int32_t unit(std::int64_t number) const { return within<std::int32_t>(number, -1, units - 1); }
    static ooo_core::Range range(std::int64_t from, std::int64_t to, std::int64_t size) {
        return {within<std::int32_t>(from, 0, size), within<std::int32_t>(to, from, size)};
    }

    ooo_core::Instruction operator()(const Columns& c, std::size_t k, ooo_core::Op op, ooo_core::Condition condition,
                                     double slots) const {
        ooo_core::Instruction one;
        one.op = op, one.condition = condition;
        one.bits = static_cast<std::uint8_t>(std::clamp<std::int64_t>(c.bits[k], 1, 64));
        one.to = operand(c.to[k]), one.a = operand(c.a[k]), one.b = operand(c.b[k]), one.constant = c.constant[k];
        if (one.op == ooo_core::Op::kDivide || one.op == ooo_core::Op::kMulHigh ||
            one.op == ooo_core::Op::kMulHighSigned)
            within<std::int16_t>(one.constant, 0, registers - 1);
        one.target = within<std::int32_t>(c.target[k], 0, rows),
        one.chance = within<std::uint8_t>(c.chance[k], 0, ooo_core::kAlways);
        one.address.base = operand(c.base[k]), one.address.index = operand(c.index[k]);
        one.address.scale = static_cast<std::int32_t>(c.scale[k]),
        one.address.bytes = static_cast<std::int32_t>(c.bytes[k]);
        one.address.displacement = c.displacement[k];
        one.loads = c.loads[k] != 0, one.stores = c.stores[k] != 0, one.passed_on = c.passed_on[k] != 0;
        one.vector = c.vector[k] != 0, one.sets_flags = c.sets_flags[k] != 0;
        if (one.op == ooo_core::Op::kJumpTable) {
            within<std::int64_t>(one.constant >> ooo_core::kTableBits, 0, targets - 1);
            const ooo_core::Range entries = ooo_core::table_of(one);
            within<std::int32_t>(entries.to, entries.from + 1, targets);
        }
        if (one.op == ooo_core::Op::kJumpOn) within<std::int16_t>(one.a, 0, registers - 1);
        one.slots = within<std::uint16_t>(static_cast<std::int64_t>(slots), 0, 65535);
        one.fetched = within<std::uint16_t>(c.fetched[k], 0, 65535);
        one.units = range(c.units_from[k], c.units_to[k], units);
        one.load = unit(c.load[k]), one.across = unit(c.across[k]);
        one.store = unit(c.store[k]), one.store_address = unit(c.store_address[k]);
        if ((one.loads && (one.load < 0 || one.across < 0)) || (one.stores && one.store < 0))
            throw std::invalid_argument("an access without a unit");
        one.reads = range(c.reads_from[k], c.reads_to[k], listed),
        one.writes = range(c.writes_from[k], c.writes_to[k], listed);
        return one;
    }
};

std::vector<ooo_core::Unit> units_of(const Named<Array>& given) {
    const std::size_t count = given.size() == 0 ? 0 : nb::cast<Array>((*given.begin()).second).shape(0);
    ColumnReader<Array> read(given, count);
    const double *ports = read("ports"), *busy = read("busy"), *near = read("near"), *far = read("far"),
                 *wait = read("wait");
    read.finish();
    std::vector<ooo_core::Unit> units(count);
    for (std::size_t k = 0; k < count; k++) {
        if (!(ports[k] >= 1)) throw std::invalid_argument("a unit without a port");
        units[k] = {static_cast<std::uint64_t>(ports[k]), busy[k], near[k], far[k], wait[k]};
    }
    return units;
}

ooo_core::Code code_of(const Names& operations, const Names& conditions, const Named<Integers>& table,
                       const Array& slots, const Named<Array>& units, const Integers& registers,
                       const std::vector<std::int64_t>& targets, std::int64_t count) {
    const std::size_t rows = operations.size();
    if (conditions.size() != rows || slots.shape(0) != rows)
        throw std::invalid_argument("columns of different lengths");
    within<std::int16_t>(count, 0, 32767);
    ColumnReader<Integers> column(table, rows);
    Columns columns;
#define X(name) columns.name = column(#name);
    FORETELL_CORE_COLUMNS(X)
#undef X
    column.finish();
    ooo_core::Code code;
    code.units = units_of(units);
    for (std::size_t k = 0; k < registers.shape(0); k++)
        code.registers.push_back(within<std::int16_t>(registers.data()[k], 0, count - 1));
    const auto size = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    for (const std::int64_t target : targets)
        code.targets.push_back(within<std::int32_t>(target, 0, static_cast<std::int64_t>(rows) - 1));
    const Reader read{size(rows), size(code.units.size()), size(code.registers.size()), count, size(targets.size())};
    for (std::size_t k = 0; k < rows; k++)
        code.instructions.push_back(read(columns, k, value_of<ooo_core::Op>(kOperations, operations[k]),
                                         value_of<ooo_core::Condition>(kConditions, conditions[k]), slots.data()[k]));
    return code;
}

std::vector<ooo_core::Series> series_of(const std::vector<Named<double>>& given) {
    std::vector<ooo_core::Series> series;
    for (const Named<double>& one : given) {
        series.push_back(from_names<ooo_core::Series>(one));
        if (series.back().bytes < 1) throw std::invalid_argument("elements of a series need bytes");
    }
    return series;
}

constexpr std::int64_t kMostLines = std::int64_t{1} << 26;  // of a cache that is simulated: 4 GiB

// A function on a core, to be simulated from different starts.
struct OooCore {
    ooo_core::Code code;
    ooo_core::Core core;
    std::int64_t count, stack, flags, pushed;

    auto follow(const Pairs& values, const Pairs& words, const std::vector<std::int64_t>& marks, std::int64_t runs,
                std::int64_t most, std::int64_t beside_at, std::int64_t beside_slots, std::int64_t rounds) const {
        const auto rows = static_cast<std::int64_t>(code.instructions.size());
        if (rounds > 0 && marks.empty()) throw std::invalid_argument("rounds of a loop without a mark");
        for (const std::int64_t mark : marks) within<std::int64_t>(mark, 0, rows - 1);
        for (const auto& [number, value] : values) within<std::int64_t>(number, 0, count - 1);
        const ooo_core::Start start{values, words, stack, flags, count, pushed};
        ooo_core::Simulation done = released([&] {
            return ooo_core::follow(code, core, start, marks, {runs, most, rounds}, {beside_at, beside_slots});
        });
        std::vector<decltype(owned(std::vector<double>()))>
            times;  // as arrays: Python numbers would take as long as short simulations
        for (std::vector<double>& one : done.times) times.push_back(owned(std::move(one)));
        return std::make_tuple(done.ends, times, done.accesses);
    }

    ooo_core::CallResult follow_call(const Pairs& values, const Pairs& words, const std::vector<Named<double>>& series,
                                     const std::vector<std::int32_t>& loop_at, const std::vector<std::int32_t>& heads,
                                     const std::vector<std::int32_t>& parents, std::int64_t instructions, bool strides,
                                     double surprises, bool remembered, bool chooses, bool ends_known,
                                     const std::vector<std::pair<std::int32_t, double>>& ends,
                                     const std::vector<std::pair<std::int64_t, double>>& caches, double beyond,
                                     std::int64_t lines,
                                     const std::vector<std::pair<std::int64_t, std::int64_t>>& objects,
                                     const std::vector<std::int32_t>& steered, double total, bool sampled) const {
        const auto rows = static_cast<std::int64_t>(code.instructions.size());
        const auto loops = static_cast<std::int64_t>(heads.size());
        if (static_cast<std::int64_t>(loop_at.size()) != rows || parents.size() != heads.size())
            throw std::invalid_argument("columns of different lengths");
        for (const std::int32_t loop : loop_at) within<std::int32_t>(loop, -1, loops - 1);
        for (const std::int32_t loop : parents) within<std::int32_t>(loop, -1, loops - 1);
        for (const std::int32_t head : heads) within<std::int32_t>(head, 0, rows - 1);
        for (const auto& [row, rounds] : ends)
            if (loop_at[static_cast<std::size_t>(within<std::int32_t>(row, 0, rows - 1))] < 0 || !(rounds >= 1))
                throw std::invalid_argument("an end without a loop, or of less than one round");
        for (const auto& [number, value] : values) within<std::int64_t>(number, 0, count - 1);
        for (const auto& [held, cycles] : caches)
            if (held < 1 || held > kMostLines || !(cycles >= 0)) throw std::invalid_argument("a cache without lines");
        for (const std::int32_t row : steered) within<std::int32_t>(row, 0, static_cast<std::int32_t>(rows - 1));
        const ooo_core::Start start{values, words, stack, flags, count, pushed, series_of(series)};
        ooo_core::CallLimits limits;
        limits.instructions = instructions, limits.strides = strides, limits.surprises = surprises;
        limits.remembered = remembered, limits.chooses = chooses, limits.ends_known = ends_known;
        limits.levels = {caches, beyond, lines, objects}, limits.steered = steered;
        limits.total = total, limits.sampled = sampled;
        return released(
            [&] { return ooo_core::follow_call(code, core, start, {loop_at, heads, parents, ends}, limits); });
    }
};

}  // namespace

void bind_ooo_core(nb::module_& m) {
    nb::class_<ooo_core::CallResult>(m, "CallResult", "A whole call: executions and cycles of each instruction.")
        .def_ro("counts", &ooo_core::CallResult::counts)
        .def_ro("cycles", &ooo_core::CallResult::cycles)
        .def_ro("iterations", &ooo_core::CallResult::iterations)
        .def_ro("arguments", &ooo_core::CallResult::arguments)
        .def_ro("misses", &ooo_core::CallResult::misses)
        .def_ro("open_jumps", &ooo_core::CallResult::open_jumps)
        .def_ro("updates", &ooo_core::CallResult::updates)
        .def_ro("repeating", &ooo_core::CallResult::repeating)
        .def_ro("exits", &ooo_core::CallResult::exits)
        .def_ro("steered", &ooo_core::CallResult::steered)
        .def_ro("held_exits", &ooo_core::CallResult::held_exits)
        .def_ro("accesses", &ooo_core::CallResult::accesses)
        .def_ro("executed", &ooo_core::CallResult::executed)
        .def_ro("timed", &ooo_core::CallResult::timed)
        .def_ro("sampled", &ooo_core::CallResult::sampled)
        .def_ro("entries", &ooo_core::CallResult::entries)
        .def_ro("places", &ooo_core::CallResult::places)
        .def_ro("spans", &ooo_core::CallResult::spans)
        .def_ro("strides", &ooo_core::CallResult::strides)
        .def_ro("irregular", &ooo_core::CallResult::irregular)
        .def_ro("failure", &ooo_core::CallResult::failure);
    nb::class_<OooCore>(m, "OooCore", "Machine code on an out-of-order core.")
        .def(
            "__init__",
            [](OooCore* made, const Names& operations, const Names& conditions, const Named<Integers>& table,
               const Array& slots, const Named<Array>& units, const Integers& registers,
               const std::vector<std::int64_t>& targets, const Named<double>& core, std::int64_t count,
               std::int64_t stack, std::int64_t flags, std::int64_t pushed) {
                within<std::int64_t>(stack, 0, count - 1);
                new (made) OooCore{code_of(operations, conditions, table, slots, units, registers, targets, count),
                                   from_names<ooo_core::Core>(core),
                                   count,
                                   stack,
                                   flags,
                                   pushed};
            },
            nb::kw_only(), nb::arg("operations"), nb::arg("conditions"), nb::arg("table"), nb::arg("slots"),
            nb::arg("units"), nb::arg("registers"), nb::arg("targets"), nb::arg("core"), nb::arg("count"),
            nb::arg("stack"), nb::arg("flags"), nb::arg("pushed"))
        .def("follow_call", &OooCore::follow_call, nb::kw_only(), nb::arg("values"), nb::arg("words"),
             nb::arg("series"), nb::arg("loop_at"), nb::arg("heads"), nb::arg("parents"),
             nb::arg("instructions") = 2'000'000, nb::arg("strides") = false, nb::arg("surprises") = 0.5,
             nb::arg("remembered") = false, nb::arg("chooses") = false, nb::arg("ends_known") = false,
             nb::arg("ends") = std::vector<std::pair<std::int32_t, double>>{},
             nb::arg("caches") = std::vector<std::pair<std::int64_t, double>>{}, nb::arg("beyond") = 0.0,
             nb::arg("lines") = 0, nb::arg("objects") = std::vector<std::pair<std::int64_t, std::int64_t>>{},
             nb::arg("steered") = std::vector<std::int32_t>{}, nb::arg("total") = 0.0, nb::arg("sampled") = false,
             "Follows a call to its end: executions and cycles of each instruction.")
        .def("follow", &OooCore::follow, nb::kw_only(), nb::arg("values"), nb::arg("words"), nb::arg("marks"),
             nb::arg("runs"), nb::arg("most"), nb::arg("beside_at") = -1, nb::arg("beside_slots") = 0,
             nb::arg("rounds") = 0,
             "From registers and words with these values: cycles at which each run of the code ended, cycles at which "
             "each "
             "marked instruction was issued, and the share of the time in which the innermost cache is busy.");
}
