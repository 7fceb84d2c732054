// Addresses of a followed call: where each load and store goes first, and how far it moves with each loop around it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "incore/whole_call.hpp"

namespace foretell::ooo_core {

class AccessStrides {
public:
    AccessStrides(const Loops& loops, std::size_t rows) : loops_(loops), streams_(rows), entries_(loops.heads.size()) {
        for (std::size_t row = 0; row < rows; row++) {
            for (std::int32_t loop = loops.loop_at[row]; loop >= 0;
                 loop = loops.parents[static_cast<std::size_t>(loop)])
                streams_[row].levels.push_back({loop, {}, 0, false});
            streams_[row].levels.push_back({-1, {}, 0, false});  // the outermost loop is entered again
        }
    }

    // A loop is entered so many times.
    void enter(std::size_t loop, double weight) { entries_[loop] += weight; }

    // An access at this address; `iteration(loop)` gives entry and iteration of a loop that runs. A loop's stride is
    // seen between two of its iterations, each in the first iterations of the loops inside.
    template <typename Iteration>
    void note(std::size_t row, std::uint64_t address, Iteration iteration) {
        Stream& stream = streams_[row];
        if (!stream.seen) stream.first = stream.least = stream.most = address, stream.seen = true;
        stream.least = std::min(stream.least, address), stream.most = std::max(stream.most, address);
        for (Level& level : stream.levels) {
            const auto [entry, number] = level.loop >= 0 ? iteration(static_cast<std::size_t>(level.loop))
                                                         : std::pair(std::uint64_t{0}, ++stream.visits);
            if (level.last.valid && level.last.entry == entry && number > level.last.number) {
                const auto moved = static_cast<std::int64_t>(address - level.last.address);
                const std::int64_t stride = moved / (number - level.last.number);
                if (level.known && stride != level.stride) stream.irregular = true;
                level.stride = stride, level.known = true;
            }
            level.last = {entry, number, address, true};
            if (number != 0) break;
        }
    }

    void report(CallResult& result) const {
        result.entries = entries_;
        for (const Stream& stream : streams_) {
            result.places.push_back(stream.seen ? static_cast<std::int64_t>(stream.first) : -1);
            result.spans.push_back(stream.seen ? static_cast<std::int64_t>(stream.most - stream.least) : 0);
            result.irregular.push_back(stream.irregular);
            std::vector<std::int64_t> strides;
            for (const Level& level : stream.levels) strides.push_back(level.known ? level.stride : 0);
            result.strides.push_back(std::move(strides));
        }
    }

private:
    struct Last {
        std::uint64_t entry = 0;
        std::int64_t number = 0;
        std::uint64_t address = 0;
        bool valid = false;
    };
    struct Level {
        std::int32_t loop = -1;
        Last last;
        std::int64_t stride = 0;
        bool known = false;
    };
    struct Stream {
        std::uint64_t first = 0, least = 0, most = 0;
        bool seen = false, irregular = false;
        std::int64_t visits = 0;
        std::vector<Level> levels;  // innermost first
    };

    const Loops& loops_;
    std::vector<Stream> streams_;
    std::vector<double> entries_;
};

}  // namespace foretell::ooo_core
