// The SW26010: any programs on its simulated cores, and its equations at any points.
#include <algorithm>

#include "bytes.hpp"
#include "sunway/equations.hpp"
#include "sunway/simulator.hpp"

namespace {

using fuzz::Bytes;

void simulate(Bytes& bytes) {
    using namespace foretell::swsim;
    const Memory memory{bytes.positive(), bytes.positive(), bytes.positive(),
                        static_cast<std::uint32_t>(bytes.between(1, 4))};
    std::vector<Program> programs(static_cast<std::size_t>(bytes.between(1, 3)));
    for (Program& program : programs) {
        program.rounds = bytes.between(0, 40);
        program.compute = bytes.positive();
        program.direct_loads = bytes.between(0, 40);
        for (int left = bytes.between(0, 3); left > 0; --left)
            program.transfers.push_back({bytes.raw<std::uint16_t>(), bytes.raw<std::uint8_t>(), bytes.truth()});
    }
    std::vector<Sequence> cores(static_cast<std::size_t>(bytes.between(1, 8)));
    for (Sequence& core : cores)
        for (int left = bytes.between(0, 3); left > 0; --left)
            core.push_back(static_cast<std::uint32_t>(bytes.next() % programs.size()));
    foretell::swsim::simulate(memory, programs, cores, bytes.truth(), 20'000);
}

void evaluate(Bytes& bytes) {
    using namespace foretell::sunway;
    constexpr std::size_t points = 70;  // more than one block
    std::vector<std::vector<double>> columns;
    columns.reserve(64);
    const auto column = [&]() -> Column {
        const bool one = bytes.truth() || columns.size() == columns.capacity();
        auto& values = one && !columns.empty() && columns.size() == columns.capacity() ? columns.back()
                                                                                      : columns.emplace_back();
        if (values.empty()) {
            values.resize(points, bytes.positive());
            if (!one)
                for (double& value : values) value = bytes.positive();
        }
        return {values.data(), one ? std::size_t{0} : std::size_t{1}};
    };
#define X(name) column(),
    const Machine machine{FORETELL_SUNWAY_MACHINE(X)};
    Work work{FORETELL_SUNWAY_WORK(X){}, {}};
    const auto requests = [&](std::vector<Request>& list) {
        for (int left = bytes.between(0, 2); left > 0; --left) {
            list.push_back({column(), {}, bytes.truth()});
            for (int chunks = bytes.between(0, 2); chunks > 0; --chunks)
                list.back().chunks.push_back({FORETELL_SUNWAY_CHUNK(X)});
        }
    };
#undef X
    requests(work.dma);
    requests(work.gload);
    Rules rules;
    rules.mrp = static_cast<Rounding>(bytes.between(0, 3));
    rules.groups = static_cast<Rounding>(bytes.between(0, 3));
    rules.overlap = static_cast<Overlap>(bytes.between(0, 1));
    rules.double_buffer_consistent = bytes.truth();
    rules.core_groups_apart = bytes.truth();
    std::vector<double> times(points);
    sweep(machine, work, rules, points, times.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    if (bytes.truth()) simulate(bytes);
    else evaluate(bytes);
    return 0;
}
