// The counter model at any point: a sweep over a box has the times of its points, each alone.
#include "counters/counters.hpp"

#include <cmath>
#include <cstdlib>

#include "bytes.hpp"

namespace {

using namespace foretell::counters;
using fuzz::Bytes;

template <typename Struct>
Struct filled(Bytes& bytes) {
    Struct result;
    Struct::fields(result, [&](const char*, double& value) { value = bytes.between(0, 9) == 0 ? 0 : bytes.positive(); });
    return result;
}

Curve curve(Bytes& bytes) {
    Curve result;
    double at = bytes.positive(), misses = bytes.positive();
    for (int left = bytes.between(0, 4); left > 0; --left) {
        result.log_size.push_back(std::log(at));
        result.log_misses.push_back(std::log(misses));
        at *= 1 + bytes.next(), misses /= 1 + bytes.next();
        if (!(misses > 0 && at < 1e300)) break;
    }
    result.loop_bytes = bytes.next();
    result.loop_misses = bytes.next();
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const std::vector<Events> blocks{filled<Events>(bytes)};
    const std::vector<Curve> curves{curve(bytes)};
    const Base base = filled<Base>(bytes);
    Rules rules;
    rules.middle = static_cast<Middle>(bytes.between(0, 2));
    rules.count_threads = bytes.truth(), rules.queue_threads = bytes.truth(), rules.out_of_order = bytes.truth();
    rules.queue_memory = bytes.truth(), rules.calibrate = bytes.truth(), rules.clamp_overlap = bytes.truth();
    constexpr std::size_t points = 9;
    std::vector<std::vector<double>> values(target_columns);
    Target target;
    for (std::size_t k = 0; k < target_columns; ++k) {
        const bool varies = bytes.between(0, 5) == 0;
        for (std::size_t p = 0; p < (varies ? points : 1); ++p) values[k].push_back(bytes.positive());
        target[k] = {values[k].data(), {}};
        if (varies) target[k].steps = {1};
    }
    analyse(blocks[0], base, rules);
    std::vector<double> times(points);
    sweep(blocks, curves, base, target, rules, {points}, times.data());
    for (std::size_t p = 0; p < points; ++p) {
        Target one = target;
        for (foretell::Column& column : one)
            if (column.varies()) column = {column.data + p, {}};
        double alone = 0;
        sweep(blocks, curves, base, one, rules, {1}, &alone);
        if (std::isnan(alone) ? !std::isnan(times[p]) : alone != times[p]) std::abort();
    }
    return 0;
}
