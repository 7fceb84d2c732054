#include "bind/bind.hpp"

#include <algorithm>

#include "gpu/functional/functional.hpp"
#include "gpu/tensor_map.hpp"

namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Checks register numbers: the functional core does not.
void check(const std::vector<foretell::functional::Instruction>& program) {
    namespace fn = foretell::functional;
    const auto inside = [](const std::vector<int>& indices, int limit) {
        for (const int i : indices)
            if (i < 0 || i >= limit) throw std::invalid_argument("a register that there is not");
    };
    for (const fn::Instruction& i : program) {
        inside(i.written, 256);
        inside(i.written_uniform, 256);
        inside(i.written_predicates, 8);
        inside(i.written_uniform_predicates, 8);
        if (i.guard >= 8 || i.destinations < 0 || static_cast<std::size_t>(i.destinations) > i.operands.size())
            throw std::invalid_argument("an instruction that cannot be");
        for (const fn::Operand& o : i.operands) {
            const int limit = o.kind == fn::Kind::pred || o.kind == fn::Kind::upred ? 8 : 240;
            if (o.index >= limit + (limit == 240 ? 15 : 0) || o.uniform >= 240)
                throw std::invalid_argument("a register that there is not");
            if (o.kind == fn::Kind::special && (o.value < 0 || o.value > fn::last_special))
                throw std::invalid_argument("a special register that there is not");
        }
    }
}

// Instructions, checked and converted once.
// One field of every executed block.
template <auto field>
std::vector<std::uint64_t> of_blocks(const foretell::functional::Result& result) {
    return each_of<std::uint64_t>(result.blocks, field);
}

}  // namespace

void bind_functional(nb::module_& m) {
    namespace fn = foretell::functional;
    FORETELL_ENUM(fn::Kind, "OperandKind", none, reg, ureg, pred, upred, immediate, real, constant, memory, special);
    FORETELL_ENUM(fn::Array::Contents, "ArrayContents", unknown, random, normal, constant, iota, permutation, offsets,
                  extents, data);
    FORETELL_ENUM(fn::Array::Type, "ArrayType", integer, f16, bf16, f32, f64);
    FORETELL_INPUT(fn::Operand, "FunctionalOperand", kind, index, uniform, value, real, bank, scale, half, byte, marks,
                   negated, absolute, inverted, wide, wide_uniform);
    FORETELL_INPUT(fn::Instruction, "FunctionalInstruction", opcode, modifiers, guard, guard_uniform, guard_negated,
                   guard_never, destinations, written, written_uniform, written_predicates, written_uniform_predicates)
        .def_prop_rw(
            "operands", [](const fn::Instruction& i) { return std::vector<fn::Operand>(i.operands); },
            [](fn::Instruction& i, std::vector<fn::Operand> given) { i.operands = fn::Operands(std::move(given)); });
    FORETELL_INPUT(fn::Launch, "FunctionalLaunch", grid, block, cluster, shared_bytes, budget, extent, enough, anyway,
                   most_lines, block_lines, in_full, recorded, assertion)
        .def(
            "override",
            [](fn::Launch& self, std::uint32_t instruction, double share, std::uint32_t rounds) {
                self.overrides[instruction] = {share, rounds};
            },
            nb::arg("instruction"), nb::arg("share"), nb::arg("rounds"))
        .def("set_constants",
             [](fn::Launch& self, int bank, nb::bytes data) {
                 const auto* first = reinterpret_cast<const std::uint8_t*>(data.c_str());
                 self.constants[bank] = {first, first + data.size()};
             })
        .def(
            "add_array",
            [](fn::Launch& self, std::uint64_t base, std::uint64_t bytes, int element, fn::Array::Type type,
               fn::Array::Contents contents, std::int64_t low, std::int64_t high, double mean, double scale) {
                const bool lists = contents == fn::Array::Contents::offsets || contents == fn::Array::Contents::extents;
                if (element < 1 || contents == fn::Array::Contents::data || (lists && low < 1) ||
                    (!self.arrays.empty() && self.arrays.back().base >= base))
                    throw std::invalid_argument("arrays are added in the order of their addresses");
                self.arrays.push_back({base, bytes, element, type, contents, low, high, mean, scale, nullptr, 0});
            },
            nb::kw_only(), nb::arg("base"), nb::arg("bytes"), nb::arg("element"), nb::arg("type"), nb::arg("contents"),
            nb::arg("low"), nb::arg("high"), nb::arg("mean"), nb::arg("scale"))
        .def(
            "add_data",
            [](fn::Launch& self, std::uint64_t base, std::uint64_t bytes, int element, const Bytes& data) {
                if (element < 1 || (!self.arrays.empty() && self.arrays.back().base >= base))
                    throw std::invalid_argument("arrays are added in the order of their addresses");
                self.arrays.push_back({base, bytes, element, fn::Array::Type::integer, fn::Array::Contents::data, 0, 0,
                                       0, 0, data.data(), data.shape(0)});
            },
            nb::keep_alive<1, 5>())
        .def(
            "add_encoded_map",
            [](fn::Launch& self, std::uint64_t address, nb::bytes data) {
                foretell::TensorMap map;
                const auto* first = reinterpret_cast<const std::uint8_t*>(data.c_str());
                if (data.size() < foretell::TensorMap::bytes || !foretell::tensor_map::decode(first, map)) return false;
                if (map.dimensions != 2) return false;
                const auto element = static_cast<std::uint32_t>(map.strides[0]);
                self.tensor_maps[address] = {map.base, map.sizes[1], map.sizes[0] * element, map.strides[1],
                                             element,  map.count(1), map.count(0) * element};
                return true;
            },
            nb::arg("address"), nb::arg("data"),
            "Adds a tensor map of two dimensions as the driver encodes it; false for others.")
        .def(
            "add_tensor_map",
            [](fn::Launch& self, std::uint64_t address, std::uint64_t base, std::uint64_t rows, std::uint64_t columns,
               std::uint32_t element, std::uint32_t tile_rows, std::uint32_t tile_columns) {
                const std::uint64_t width = columns * element;
                self.tensor_maps[address] = {base, rows, width, width, element, tile_rows, tile_columns * element};
            },
            nb::kw_only(), nb::arg("address"), nb::arg("base"), nb::arg("rows"), nb::arg("columns"), nb::arg("element"),
            nb::arg("tile_rows"), nb::arg("tile_columns"));
    FORETELL_RESULT(fn::Beyond, "FunctionalBeyond", instruction, array, offset, lanes, whole_warp, in_file);
    FORETELL_RESULT(fn::Counters, "FunctionalCounters", executions, active_lanes, requests, sectors, lines, wavefronts,
                    serial, unknown_addresses, taken, unknown_branches, unknown_guards);
    FORETELL_RESULT(fn::Shape, "FunctionalShape", instruction, lanes, sectors, lines, wavefronts, serial);
    FORETELL_RESULT(fn::Result, "FunctionalResult", counters, budget_exceeded, left_out, stuck, awaits_others,
                    shared_end, constants_from, constants_to, failed_assertion, asked_other_blocks, queued,
                    took_for_ordinary, beyond, not_executed)
        .def(
            "shape_instructions",
            [](const fn::Result& self) { return owned(each_of<std::int32_t>(self.shapes, &fn::Shape::instruction)); },
            "The instruction of each shape: those of the text, then those of memory requests.")
        .def(
            "request_shapes",
            [](const fn::Result& self) {
                return std::vector<fn::Shape>(self.shapes.begin() + static_cast<std::ptrdiff_t>(self.counters.size()),
                                              self.shapes.end());
            },
            "The shapes of memory requests.")
        .def(
            "executions",
            [](const fn::Result& self) {
                return owned(each_of<std::uint64_t>(self.counters, &fn::Counters::executions));
            },
            "Executions of each instruction.")
        .def(
            "counts",
            [](const fn::Result& self) {
                std::vector<std::uint64_t> all;
                for (const fn::Counters& c : self.counters)
                    all.insert(all.end(),
                               {c.executions, c.active_lanes, c.requests, c.sectors, c.lines, c.wavefronts, c.serial,
                                c.taken, c.unknown_addresses, c.unknown_branches, c.unknown_guards});
                return owned(std::move(all));
            },
            "Of each instruction executions, active lanes, requests, sectors, lines, wavefronts, serial, taken, "
            "unknown "
            "addresses, branches and guards.")
        .def(
            "updates",
            [](const fn::Result& self, std::uint32_t instruction, std::uint64_t least) {
                std::uint64_t sectors = 0, lines = 0;
                std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> busy;
                if (const auto asked = self.updates.find(instruction); asked != self.updates.end())
                    for (const auto& [line, updated] : asked->second) {
                        sectors += updated.sectors;
                        ++lines;
                        if (updated.sectors >= least) busy.emplace_back(updated.sectors, line, updated.busiest_word());
                    }
                std::ranges::sort(busy, std::ranges::greater());
                return std::make_tuple(sectors, lines, busy);
            },
            nb::arg("instruction"), nb::arg("least"),
            "Sectors that an atomic updated, lines that have them, and of each line with at least so many: sectors, "
            "its "
            "number, lanes of its busiest word; the most first.")
        .def(
            "longest_warps",
            [](const fn::Result& self) {
                return each_of<std::uint64_t>(self.blocks, [](const fn::BlockTrace& block) {
                    std::size_t longest = 0;
                    for (const fn::WarpTrace& warp : block.warps) longest = std::max(longest, warp.shapes.size());
                    return longest;
                });
            },
            "Instructions of the longest warp of each block.")
        .def(
            "shapes_of_block",
            [](const fn::Result& self, std::size_t block) {
                std::vector<std::uint8_t> executed(self.shapes.size());
                const std::uint32_t* last = nullptr;
                for (const fn::WarpTrace& warp : self.blocks.at(block).warps)
                    if (const auto& list = warp.shapes.list(); std::exchange(last, list.data()) != list.data())
                        for (const std::uint32_t shape : list) executed[shape] = 1;
                return owned(std::move(executed));
            },
            nb::arg("block"), "Whether a block executes each shape.")
        .def(
            "shape_counts",
            [](const fn::Result& self, std::size_t block) {
                std::vector<double> executed(self.shapes.size());
                for (const fn::WarpTrace& warp : self.blocks.at(block).warps)
                    for (const std::uint32_t shape : warp.shapes.list()) ++executed[shape];
                return owned(std::move(executed));
            },
            nb::arg("block"), "How often a block executes each shape.")
        .def("block_numbers", &of_blocks<&fn::BlockTrace::number>)
        .def("block_instructions", &of_blocks<&fn::BlockTrace::instructions>)
        .def("block_sectors", &of_blocks<&fn::BlockTrace::sectors>)
        .def("block_requested", &of_blocks<&fn::BlockTrace::requested>)
        .def(
            "block_lines", [](const fn::Result& self, std::size_t block) { return owned(self.blocks.at(block).lines); },
            nb::arg("block"), "Lines of global memory that a block requested: number << 4 | sectors.")
        .def(
            "trace",
            [](const fn::Result& self, std::size_t block) {
                std::vector<const fn::WarpTrace*> warps;
                for (const fn::WarpTrace& warp : self.blocks.at(block).warps) warps.push_back(&warp);
                std::ranges::stable_sort(warps, {}, [](const fn::WarpTrace* warp) { return warp->shapes.size(); });
                return owned(each_of<std::uint32_t>(warps[warps.size() / 2]->shapes.list(), [&](std::uint32_t shape) {
                    return self.shapes[shape].instruction;
                }));
            },
            nb::arg("block"), "Instructions of a block's warp of median length, in order.");
    m.def(
        "functional_windows", [] { return std::pair(fn::shared_window, fn::local_window); },
        "Where generic addresses of shared and local memory begin.");
    nb::class_<fn::Program>(m, "FunctionalProgram")
        .def(
            "__init__",
            [](fn::Program* self, std::vector<fn::Instruction> instructions) {
                check(instructions);
                new (self) fn::Program(std::move(instructions));
            },
            nb::arg("instructions"))
        .def(
            "needed", [](const fn::Program& self, bool contents) { return fn::needed(self, contents); },
            nb::arg("contents") = false, "Whether the result of each instruction steers branches, guards or addresses.")
        .def(
            "run",
            [](const fn::Program& self, const fn::Launch& launch, const std::vector<std::uint64_t>& blocks) {
                nb::gil_scoped_release release;
                return fn::run(self, launch, blocks);
            },
            nb::arg("launch"), nb::arg("blocks"), "Executes sampled blocks of a kernel lane by lane.")
        .def(
            "count",
            [](const fn::Program& self, const fn::Launch& launch, const std::vector<std::uint64_t>& blocks,
               std::uint64_t most, std::uint64_t enough) {
                nb::gil_scoped_release release;
                return fn::count(self, launch, blocks, most, enough);
            },
            nb::arg("launch"), nb::arg("blocks"), nb::arg("most"), nb::arg("enough"),
            "Counts the work of blocks, each executed alone; further ones are left out after `enough` instructions.");
    FORETELL_RESULT(fn::Count, "FunctionalCount", number, instructions, executed, longest_warp, requested, complete);
}
