// Algorithm 1 with any program: instructions, order and machine from the bytes of the input.
#include "saake/algorithm1.hpp"

#include <stdexcept>

#include "bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace foretell::emulate;
    fuzz::Bytes bytes(data, size);
    Machine machine;
    machine.resources = 1 + bytes.next() % 3;
    machine.schedulers = 1 + bytes.next() % 4;
    machine.issue_width = 1 + bytes.next() % 3;
    const std::int32_t regions = 1 + bytes.next() % 2, count = 1 + bytes.next() % 6;
    for (std::size_t k = 0; k < machine.resources * static_cast<std::size_t>(regions); ++k) {
        machine.latency.push_back(bytes.positive());
        machine.gap.push_back(bytes.positive());
    }
    Program program;
    const auto resource = [&] { return static_cast<std::int32_t>(bytes.next() % machine.resources); };
    for (std::int32_t k = 0; k < count; ++k) {
        Instruction one;
        one.resource = bytes.next() % 5 == 0 ? barrier : resource();
        one.region = bytes.next() % regions;
        one.cached = one.resource >= 0 && bytes.next() % 3 == 0 ? resource() : -1;
        one.transactions = 1 + bytes.next();
        one.miss_rate = bytes.next() / 255.0;
        for (int after = bytes.next() % 3; after > 0; --after) one.after.push_back(bytes.next() % count);
        program.text.push_back(one);
    }
    const std::size_t warps = 1 + bytes.next() % 8, blocks = 1 + bytes.next() % 3;
    const Rules rules{bytes.truth(), bytes.truth(), bytes.truth(), bytes.truth()};
    while (bytes.any() && program.order.size() < 200) program.order.push_back(bytes.next() % count);
    if (program.order.empty()) return 0;
    try {
        std::vector<double> share;
        critical_path(program, machine, share);
        run(program, machine, rules, warps * blocks, warps, blocks + bytes.next() % 3, true, 100'000);
    } catch (const std::length_error&) {
    } catch (const std::overflow_error&) {}
    return 0;
}
