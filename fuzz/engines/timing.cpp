// Any blocks on a multiprocessor of a GPU, loops folded or not.
#include "gpu/timing/timing.hpp"

#include <stdexcept>

#include "bytes.hpp"

namespace {

using namespace foretell::timing;
using fuzz::Bytes;

#define X(name) +1
constexpr int kinds = 0 FORETELL_TIMING_KINDS(X);
#undef X
constexpr int resources = 8;

// What the wrapper checks (bind/gpu/timing.cpp) holds.
Op op(Bytes& bytes, std::size_t instructions) {
    Op one;
    one.instruction = static_cast<std::uint32_t>(bytes.next() % instructions);
    one.kind = static_cast<Kind>(bytes.next() % kinds);
    one.unit = bytes.next() % resources, one.path_name = bytes.next() % resources;
    one.wait = bytes.next() % (1 << counters);
    one.write = static_cast<std::int8_t>(bytes.between(-1, counters - 1));
    one.read = static_cast<std::int8_t>(bytes.between(-1, counters - 1));
    for (std::uint8_t& ports : one.ports) ports = bytes.next() % 4;
    one.groups = bytes.next(), one.copies = bytes.truth(), one.leaps = bytes.truth();
    one.lanes = bytes.next() % 33, one.object = bytes.next() % 4, one.amount = bytes.raw<std::uint16_t>();
#define X(name, usual) \
    if (bytes.between(0, 5) == 0) one.name = bytes.next() / 16.0;
    FORETELL_TIMING_COSTS(X)
#undef X
    return one;
}

Server server(Bytes& bytes) {
    Server result;
#define X(name) result.name = bytes.next() / 4.0;
    FORETELL_TIMING_SERVER(X)
#undef X
    for (int left = bytes.between(0, 2); left > 0; --left) result.spread.emplace_back(0.5, bytes.next());
    return result;
}

Machine machine(Bytes& bytes) {
    Machine result;
#define X(name) result.name = bytes.next() / 4.0;
    FORETELL_TIMING_MACHINE(X)
#undef X
    std::uint8_t number = 0;
#define X(name) result.name = number++ % resources;
    FORETELL_TIMING_NAMES(X)
#undef X
    result.resources = resources;
    result.queue = static_cast<std::size_t>(bytes.between(1, 9));
    result.partition_run = bytes.between(1, 70);
    result.l2 = server(bytes);
    result.memory = server(bytes);
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const Machine on = machine(bytes);
    Program program;
    program.instructions = static_cast<std::size_t>(bytes.between(1, 6));
    for (int left = bytes.between(1, 8); left > 0; --left) program.ops.push_back(op(bytes, program.instructions));
    Op last;
    last.kind = Kind::exit;
    program.ops.push_back(last);
    std::vector<std::uint32_t> instruction_of;
    for (const Op& one : program.ops) instruction_of.push_back(one.instruction);
    for (int left = bytes.between(1, 3); left > 0; --left) {
        Trace trace;
        for (int length = bytes.between(0, 60); length > 0; --length)
            trace.push_back(static_cast<std::uint32_t>(bytes.next() % (program.ops.size() - 1)));
        trace.push_back(static_cast<std::uint32_t>(program.ops.size() - 1));
        const Foldable foldable(trace, instruction_of, 2);
        program.traces.push_back(bytes.truth() ? foldable.folded(0.5) : trace);
    }
    for (int left = bytes.between(1, 2); left > 0; --left) {
        Block& block = program.blocks.emplace_back();
        for (int warps = bytes.between(1, 9); warps > 0; --warps)
            block.warps.push_back(static_cast<std::uint32_t>(bytes.next() % program.traces.size()));
    }
    for (int left = bytes.between(1, 6); left > 0; --left)
        program.order.push_back(static_cast<std::uint32_t>(bytes.next() % program.blocks.size()));
    program.resident = static_cast<std::size_t>(bytes.between(1, 40));
    try {
        run(program, on);
    } catch (const std::invalid_argument&) {}  // more warps than a multiprocessor has
    return 0;
}
