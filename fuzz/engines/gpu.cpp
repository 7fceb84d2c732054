// Any instructions of a GPU: sampled blocks, and a launch executed completely with real memory.
#include <stdexcept>

#include "bytes.hpp"
#include "gpu/complete/complete.hpp"
#include "gpu/functional/decode.hpp"
#include "gpu/functional/functional.hpp"

namespace {

using namespace foretell;
using functional::Instruction;
using functional::Kind;
using functional::Operand;
using fuzz::Bytes;

#define X(operation, rule, ...) __VA_OPT__(__VA_ARGS__, )
#define Y(operation, ...) __VA_ARGS__,
const char* const opcodes[] = {FORETELL_ALU_OPERATIONS(X) FORETELL_MEMORY_OPERATIONS(Y) FORETELL_CONTROL_OPERATIONS(Y)
    "NOP",  "DEPBAR", "MEMBAR", "LDGDEPBAR", "NANOSLEEP", "REDUX", "MATCH", "HMMA",   "IMMA", "DMMA",   "HADD2",
    "HMUL2", "HSETP2", "F2FP",  "LEPC",      "CS2R",      "TEX",   "TLD",   "UBLKRED", "HGMMA", "UTMASTG", "FCHK",
    "UIADD3", "UMOV", "ULEA",   "USHF",      "UISETP",    "USEL",  "ULOP3", "BMOV",   "BPT",  "KILL",   "ISETP"};
#undef X
#undef Y
const char* const modifiers[] = {"WIDE", "HI", "X",   "U32", "U64", "L",    "W",   "EX",  "64",   "128",  "SX32",  "S8",
                                 "U8",   "S16", "U16", "ARV", "DIV", "XOR",  "OR",  "AND", "LT",   "EQ",   "GT",    "NE",
                                 "GE",   "LUT", "IDX", "UP",  "DOWN", "BFLY", "ALL", "ANY", "RCP",  "RSQ",  "EX2",   "F64",
                                 "F32",  "F16", "ADD", "MIN", "MAX", "INC",  "CAS", "EXCH", "E",   "SYNC", "ARRIVE", "PHASECHK",
                                 "TRANS64", "T", "MT88", "16816", "BF16", "M", "SH", "POPC", "REL", "ABS", "NOINC", "CAST"};

template <std::size_t count>
const char* one_of(const char* const (&list)[count], Bytes& bytes) {
    return list[bytes.next() % count];
}

// What the wrapper checks (bind/gpu/functional.cpp) holds.
Operand operand(Bytes& bytes, int rows) {
    Operand one;
    one.kind = static_cast<Kind>(bytes.between(0, static_cast<int>(Kind::special)));
    const bool predicate = one.kind == Kind::pred || one.kind == Kind::upred;
    one.index = bytes.between(-1, predicate ? 7 : bytes.between(0, 7) == 0 ? 254 : 11);
    one.uniform = bytes.between(0, 3) == 0 ? bytes.between(0, 239) : -1;
    one.value = bytes.truth() ? 16 * bytes.between(0, rows) : bytes.whole();
    if (one.kind == Kind::special) one.value = bytes.between(0, functional::last_special);
    one.real = bytes.raw<float>();
    one.bank = bytes.between(0, 4);
    one.scale = 1 << bytes.between(0, 4);
    const std::uint8_t flags = bytes.next();
    one.half = flags & 3, one.byte = flags >> 2 & 3;
    one.negated = flags & 16, one.absolute = flags & 32, one.wide = flags & 64, one.wide_uniform = flags & 128;
    one.inverted = bytes.between(0, 5) == 0;
    one.marks = bytes.next() & 15;
    return one;
}

Instruction instruction(Bytes& bytes, int rows) {
    Instruction one;
    one.opcode = one_of(opcodes, bytes);
    for (int left = bytes.between(0, 3); left > 0; --left) one.modifiers.push_back(one_of(modifiers, bytes));
    if (bytes.between(0, 3) == 0) one.guard = bytes.between(-1, 7);
    const std::uint8_t flags = bytes.next();
    one.guard_negated = flags & 1, one.guard_uniform = (flags & 14) == 14, one.guard_never = (flags & 48) == 48;
    for (int left = bytes.between(0, 7); left > 0; --left) one.operands.push_back(operand(bytes, rows));
    one.destinations = bytes.between(0, static_cast<int>(one.operands.size()));
    for (int k = 0; k < one.destinations; ++k) {
        const Operand& written = one.operands[static_cast<std::size_t>(k)];
        if (written.index < 0) continue;
        if (written.kind == Kind::reg) one.written.push_back(written.index);
        if (written.kind == Kind::ureg) one.written_uniform.push_back(written.index);
        if (written.kind == Kind::pred) one.written_predicates.push_back(written.index);
        if (written.kind == Kind::upred) one.written_uniform_predicates.push_back(written.index);
    }
    return one;
}

constexpr std::uint64_t base = 1 << 20, bytes_of_array = 4096;

void sample(const functional::Program& program, Bytes& bytes, std::array<std::uint32_t, 3> block) {
    functional::Launch launch;
    launch.grid = {3, 1, 1}, launch.block = block;
    launch.arrays.push_back({base, bytes_of_array, 4, static_cast<functional::Array::Type>(bytes.between(0, 4)),
                             static_cast<functional::Array::Contents>(bytes.between(0, 7)), bytes.between(1, 9),
                             bytes.between(1, 90), 0, 1, nullptr, 0});
    launch.constants[0] = std::vector<std::uint8_t>(1024, bytes.next());
    launch.shared_bytes = bytes.next() * 16u;
    launch.budget = launch.extent = 4000;
    launch.most_lines = 4000;
    launch.in_full = bytes.truth();
    functional::needed(program, true);
    functional::run(program, launch, {0, 2});
    functional::count(program, launch, {0, 1}, 2000, 4000);
}

void execute(const functional::Program& program, Bytes& bytes, std::array<std::uint32_t, 3> block) {
    std::vector<std::uint8_t> memory(bytes_of_array, 1);
    complete::Launch launch;
    launch.grid = {2, 1, 1}, launch.block = block;
    launch.banks[0] = std::vector<std::uint8_t>(1024, bytes.next());
    launch.regions.push_back({base, bytes_of_array, memory.data(), bytes.next() != 0, bytes.between(0, 5) == 0});
    launch.shared_bytes = bytes.next() * 16u, launch.local_bytes = bytes.next() * 16u;
    launch.budget = 4000, launch.memory_bytes = 64 << 20;
    launch.check_races = bytes.truth();
    complete::Kernel(program.instructions()).execute(launch);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const int rows = bytes.between(1, 12);
    const std::array<std::uint32_t, 3> block{static_cast<std::uint32_t>(bytes.between(1, 70)), 1, 1};
    std::vector<Instruction> text;
    for (int left = rows; left > 0; --left) text.push_back(instruction(bytes, rows));
    text.emplace_back().opcode = "EXIT";
    try {
        const functional::Program program(std::move(text));
        sample(program, bytes, block);
        execute(program, bytes, block);
    } catch (const std::invalid_argument&) {}  // an instruction lacks an operand
    return 0;
}
