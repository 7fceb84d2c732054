// Executes sampled blocks of a GPU kernel lane by lane, to determine trip counts, active lanes and addresses.
//
// Every value carries a bit that says whether it is known. Addresses, branches and trip counts mostly depend on launch
// parameters only, so they are known; values loaded from arrays are not, unless the contents are given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gpu/functional/loops/shape_list.hpp"

namespace foretell::functional {

inline constexpr int lanes = 32;

enum class Kind : std::uint8_t { none, reg, ureg, pred, upred, immediate, real, constant, memory, special };

// One operand. `index` is the register (-1: zero, or true); for memory and constants the address register, `uniform` a
// uniform register added to it.
struct Operand {
    Kind kind = Kind::none;
    int index = -1;
    int uniform = -1;
    std::int64_t value = 0;  // immediate, displacement, offset in a constant bank, or special register
    double real = 0;
    int bank = 0;
    int scale = 1;  // of the address register: [R7.X4]
    int half = 0;   // of packed halves: 1 the lower twice, 2 the upper twice, 3 one number of 32 bits
    int byte = 0;   // the first one read, of a narrow integer: R3.B1, R3.H1
    int marks = 0;  // of matrix descriptors: 1 A is transposed, 2 B is, 4 A is negated, 8 B is
    bool negated = false, absolute = false, inverted = false;
    bool wide = false, wide_uniform = false;  // 64-bit address registers
    int literal = -1;  // number among the values of the program that all warps of a launch have in common
};

// Special registers by their number in Operand::value: indices, lane masks relative to this lane, the upper half of
// shared_window, and the block's number in its cluster.
enum Special : int {
    tid_x,
    tid_y,
    tid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    lane_id,
    zero,
    mask_equal,
    mask_less,
    mask_less_or_equal,
    mask_greater,
    mask_greater_or_equal,
    shared_high,
    rank_in_cluster,
    other,
    // Of complete execution alone: the sampled mode does not know them.
    warp_id,
    clock_low,
    clock_high,
    timer_low,
    timer_high,
    cluster_x,
    cluster_y,
    cluster_z,
    anything,  // some number that does not change a result: the multiprocessor that runs the block
    last_special = anything
};

// Generic address windows of shared and local memory, 4 GiB each. Arrays are outside of them.
inline constexpr std::uint64_t shared_window = 0x7e00ull << 32, local_window = 0x7d00ull << 32;

// Operands by position. An operand missing in a listing written by hand is an error, not a read beyond the end.
class Operands : public std::vector<Operand> {
public:
    using std::vector<Operand>::vector;
    Operands(std::vector<Operand> given) : std::vector<Operand>(std::move(given)) {}
    const Operand& operator[](std::size_t position) const { return checked(position); }

private:
    const Operand& checked(std::size_t position) const {
        if (position >= size()) throw std::invalid_argument("an instruction lacks an operand");
        return data()[position];
    }
};

struct Instruction {
    std::string opcode;
    std::vector<std::string> modifiers;
    int guard = -1;  // predicate register, -1: none (or always true)
    bool guard_uniform = false, guard_negated = false, guard_never = false;
    int destinations = 0;  // leading operands that are written
    Operands operands;
    std::vector<int> written, written_uniform, written_predicates,
        written_uniform_predicates;  // registers that become unknown if the opcode has no rule
};

// An array in global memory. Contents are computed from the index when read.
struct Array {
    enum class Contents : std::uint8_t { unknown, random, normal, constant, iota, permutation, offsets, extents, data };
    enum class Type : std::uint8_t { integer, f16, bf16, f32, f64 };
    std::uint64_t base = 0, bytes = 0;
    int element = 4;  // bytes
    Type type = Type::integer;
    Contents contents = Contents::unknown;
    std::int64_t low = 0, high = 0;      // of integers
    double mean = 0, scale = 1;          // of `normal`; of floating-point `random`, the lowest number and the range
    const std::uint8_t* data = nullptr;  // of Contents::data, `data_bytes` of it
    std::uint64_t data_bytes = 0;
};

// A tensor map of two dimensions: tiles of an array of `rows` rows, `pitch` bytes apart, `width` bytes wide.
struct TensorMap {
    std::uint64_t base = 0, rows = 0, width = 0, pitch = 0;
    std::uint32_t element = 0, tile_rows = 0, tile_width = 0;  // bytes, but for the rows
};

// User's statement about a branch with an unknown condition: the fraction of lanes that take it, or the trip count.
struct Override {
    double share = -1;         // below 0: not given
    std::uint32_t rounds = 0;  // 0: not given
};

struct Launch {
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};  // cluster: in blocks
    std::vector<Array> arrays;                                                     // sorted by base
    std::map<int, std::vector<std::uint8_t>> constants;                            // banks
    std::map<std::uint64_t, TensorMap> tensor_maps;                                // by their addresses
    std::uint32_t shared_bytes = 0;
    std::uint64_t budget = 100'000'000;           // warp-instructions of one block that are executed, or kept
    std::uint64_t extent = 100'000'000;           // the same with those left out of loops
    std::uint64_t enough = ~0ull;                 // of all blocks: no further block is started beyond it
    std::vector<std::uint64_t> anyway;            // blocks that are started nevertheless
    std::uint64_t most_lines = 64'000'000;        // requested lines, all of which are recorded
    std::uint64_t block_lines = 64'000'000;       // the same of one block
    bool in_full = false;                         // everything is executed: no shortcut, no iteration left out
    bool recorded = false;                        // the memory is a program's: what loops wait for is there, or never
    std::map<std::uint32_t, Override> overrides;  // by instruction
    std::uint32_t assertion = 0;  // lower half of the address of the function that failing assertions call
};

// Events of one instruction of the text, summed over the sampled warps.
struct Counters {
    std::uint64_t executions = 0;  // by warps
    std::uint64_t active_lanes = 0;
    std::uint64_t requests = 0;           // memory instructions with at least one lane
    std::uint64_t sectors = 0;            // 32 B, of global and local memory
    std::uint64_t lines = 0;              // 128 B
    std::uint64_t wavefronts = 0;         // of shared memory, or of loads in L1
    std::uint64_t serial = 0;             // atomics: maximum lanes on one address, summed over requests
    std::uint64_t unknown_addresses = 0;  // lanes with an unknown address
    std::uint64_t taken = 0;              // lanes that branched
    std::uint64_t unknown_branches = 0;   // lanes with an unknown condition
    std::uint64_t unknown_guards = 0;     // lanes, other instructions
};

// One kind of execution of an instruction, by its memory requests. The first shapes are those of the instructions
// themselves, without requests, in the order of the text.
struct Shape {
    std::uint32_t instruction = 0;
    std::uint16_t lanes = 0, sectors = 0, lines = 0, wavefronts = 0, serial = 0;
    bool operator==(const Shape&) const = default;
};

// One request to global memory: `count` entries of the block's list of lines, from `first` on.
struct Access {
    std::uint32_t instruction = 0, first = 0;
    std::uint16_t count = 0, unknown = 0;  // unknown: lanes with an unknown address
    std::uint16_t repeated = 0;            // sectors that an atomic requests again, for further lanes on one address
    std::uint8_t lane = 0;                 // first one with a known address
    std::uint64_t address = 0;             // of that lane
};

struct WarpTrace {
    ShapeList shapes;  // in execution order
    std::vector<Access> accesses;
    std::vector<std::uint32_t> phases;  // shapes before each barrier of the block, where warps did not wait for others
};

struct BlockTrace {
    std::uint64_t number = 0;
    std::uint64_t instructions = 0;  // of all its warps
    std::uint64_t sectors = 0;       // distinct ones, of global memory
    std::uint64_t requested = 0;     // sectors of global memory, with repetitions
    std::vector<WarpTrace> warps;
    std::vector<std::uint64_t> lines;  // 128-byte line << 4 | its sectors
};

// Accesses of one instruction outside of an array, or to a part of it that its file does not have.
struct Beyond {
    std::uint32_t instruction = 0, array = 0;
    std::int64_t offset = 0;  // of the first one, in bytes from the start of the array
    std::uint64_t lanes = 0;
    bool whole_warp = false;  // all lanes of some warp, on a path that is known
    bool in_file = false;     // some are inside the array, but beyond the end of its file
};

// Updates of one line of global memory by atomics: sectors of all passes, and the lanes of each of its words, counted
// from the first of many passes on.
struct Updated {
    static constexpr std::uint64_t counted_from = 16;
    static constexpr std::size_t line_words = 32;
    std::uint64_t sectors = 0;
    std::vector<std::uint32_t> words;

    void add(std::uint64_t address, bool pass);
    std::uint64_t busiest_word() const;
};

struct Result {
    std::vector<Counters> counters;  // as the program text
    std::vector<Shape> shapes;
    std::vector<BlockTrace> blocks;
    bool budget_exceeded = false;
    std::uint64_t left_out = 0;      // warp-instructions that were extrapolated, not executed
    bool stuck = false;              // deadlock: warps waited for each other
    bool awaits_others = false;      // a warp waited for what another block writes
    bool queued = false;             // warps drew again and again from a queue of work
    bool took_for_ordinary = false;  // unknown data was compared with extreme numbers
    std::uint64_t shared_end = 0;    // bytes of shared memory up to the last that a block accessed
    std::uint64_t constants_from = ~std::uint64_t{0}, constants_to = 0;  // read by an index in a register of each lane
    std::int64_t failed_assertion = -1;  // the instruction by which lanes on a path that is known report it
    bool asked_other_blocks = false;     // accessed shared memory of other blocks of the cluster
    std::vector<Beyond> beyond;
    std::vector<std::size_t> not_executed;  // opcodes without a rule; results are unknown
    // updates by atomics of an instruction, by line of global memory
    std::map<std::uint32_t, std::unordered_map<std::uint64_t, Updated>> updates;
};

struct Prepared;

// The instructions of a kernel, decoded once for all launches: with and without known contents of arrays.
class Program {
public:
    explicit Program(std::vector<Instruction> instructions);
    const std::vector<Instruction>& instructions() const { return instructions_; }
    std::size_t literals() const { return literals_; }
    // For launches with or without known contents of arrays; for counting only; or to be executed in full.
    const Prepared& prepared(bool contents, bool counts, bool in_full, bool recorded) const;

private:
    struct Once;
    std::vector<Instruction> instructions_;
    std::size_t literals_ = 0;
    std::shared_ptr<Once> once_;
};

// Whether the result of each instruction steers the execution.
std::vector<bool> needed(const Program& program, bool contents);

Result run(const Program& program, const Launch& launch, const std::vector<std::uint64_t>& blocks);

// Warp-instructions of a block, those that were executed and not extrapolated, those of its longest warp, and sectors of
// global memory that it requests.
struct Count {
    std::uint64_t number = 0, instructions = 0, executed = 0, longest_warp = 0, requested = 0;
    bool complete = true;  // false: it was ended after `most` instructions
};

// Counts only: executes each block alone, up to `most` instructions of it, and no further one after `enough` in all.
std::vector<Count> count(const Program& program, const Launch& launch, const std::vector<std::uint64_t>& blocks,
                         std::uint64_t most, std::uint64_t enough);

}  // namespace foretell::functional
