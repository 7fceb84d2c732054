// Distinct granules of consecutive blocks whose accesses shift by constants. Private to this folder.
#pragma once

#include <limits>

#include "gpu/memory/patterns.hpp"

namespace foretell::gpumemory {

inline constexpr std::size_t most_pieces = 1 << 20;    // of one union
inline constexpr std::uint64_t most_blocks = 1 << 16;  // enumerated; beyond, extrapolated linearly
// DRAM transfers granules of 64 bytes (validation/h200, path.strided: a sector of every 64 bytes costs as much as
// both).
inline constexpr int granule_bits = 6;

struct Piece {
    std::int64_t first, last;  // granules
};

inline std::vector<Piece> pieces_of(const std::vector<std::int64_t>& granules) {
    std::vector<Piece> pieces;
    for (const std::int64_t granule : granules) {
        if (pieces.empty() || granule > pieces.back().last + 1) pieces.push_back({granule, granule});
        else pieces.back().last = std::max(pieces.back().last, granule);
    }
    return pieces;
}

inline void sort_pieces(std::vector<Piece>& pieces) {
    const auto before = [](const Piece& a, const Piece& b) { return a.first < b.first; };
    if (!std::is_sorted(pieces.begin(), pieces.end(), before)) std::sort(pieces.begin(), pieces.end(), before);
}

inline double size_of_union(std::vector<Piece>& pieces) {
    sort_pieces(pieces);
    double size = 0;
    std::int64_t reached = std::numeric_limits<std::int64_t>::min();
    for (const Piece& piece : pieces) {
        if (piece.last <= reached) continue;
        size += static_cast<double>(piece.last - std::max(piece.first - 1, reached));
        reached = piece.last;
    }
    return size;
}

// Distinct granules of `blocks` consecutive blocks.
class Union {
public:
    Union(const Grid& grid, std::uint64_t middle, const Shift& step, const std::vector<std::int64_t>& granules)
        : grid_(grid), middle_(middle), step_(step), pieces_(pieces_of(granules)) {}

    double of(std::uint64_t blocks) const {
        if (pieces_.empty()) return 0;
        const std::uint64_t least = std::max<std::uint64_t>(2, most_pieces / pieces_.size());
        const std::uint64_t most = std::min({blocks, most_blocks, least});
        const double counted = enumerated(most);
        if (most == blocks) return counted;
        return counted + (counted - enumerated(most / 2)) * static_cast<double>(blocks - most) /
                             static_cast<double>(most - most / 2);
    }

private:
    // Copies of pieces at equal distances.
    struct Run {
        std::int64_t first, apart;
        std::size_t count;
    };

    double enumerated(std::uint64_t blocks) const {
        const std::uint64_t half = std::min(middle_, blocks / 2);
        const std::uint64_t first = std::min(middle_ - half, grid_.blocks() - blocks);
        std::vector<std::int64_t> shifts = grid_.shifts(middle_, first, blocks, step_);
        for (std::int64_t& shift : shifts) shift >>= granule_bits;
        make_unique(shifts);
        const std::vector<Run> runs = runs_of(shifts);
        std::vector<Piece> all;
        for (std::size_t k = 0; k < runs.size();) k = add_alike(runs, k, all);
        return size_of_union(all);
    }

    static std::vector<Run> runs_of(const std::vector<std::int64_t>& shifts) {
        std::vector<Run> runs;
        for (std::size_t k = 0, end = 0; k < shifts.size(); k = end) {
            end = k + 1;
            const std::int64_t apart = end < shifts.size() ? shifts[end] - shifts[k] : 1;
            while (end < shifts.size() && shifts[end] - shifts[end - 1] == apart) ++end;
            runs.push_back({shifts[k], end - k > 1 ? apart : 1, end - k});
        }
        return runs;
    }

    // Adds the pieces of equal runs at equal distances, from the k-th on: of one run, merged, and then its copies.
    // Returns the first run that is not one of them.
    std::size_t add_alike(const std::vector<Run>& runs, std::size_t k, std::vector<Piece>& all) const {
        const Run& run = runs[k];
        std::size_t end = k + 1;
        const auto same = [&](const Run& other) { return other.apart == run.apart && other.count == run.count; };
        const std::int64_t apart = end < runs.size() ? runs[end].first - run.first : 1;
        while (end < runs.size() && same(runs[end]) && runs[end].first - runs[end - 1].first == apart) ++end;
        std::vector<Piece> merged;
        add_copies(pieces_, run, merged);
        if (end == k + 1) {
            all.insert(all.end(), merged.begin(), merged.end());
            return end;
        }
        add_copies(joined(merged), {0, apart, end - k}, all);
        return end;
    }

    // A piece that reaches its next copy merges with all of them.
    static void add_copies(const std::vector<Piece>& pieces, const Run& run, std::vector<Piece>& all) {
        const std::int64_t last = run.first + run.apart * static_cast<std::int64_t>(run.count - 1);
        for (const Piece& piece : pieces) {
            if (piece.last - piece.first + 1 >= run.apart) {
                all.push_back({piece.first + run.first, piece.last + last});
                continue;
            }
            for (std::int64_t at = run.first; at <= last; at += run.apart)
                all.push_back({piece.first + at, piece.last + at});
        }
    }

    // The same granules in pieces that do not touch.
    static std::vector<Piece> joined(std::vector<Piece>& sorted) {
        sort_pieces(sorted);
        std::vector<Piece> result;
        for (const Piece& piece : sorted) {
            if (result.empty() || piece.first > result.back().last + 1) result.push_back(piece);
            else result.back().last = std::max(result.back().last, piece.last);
        }
        return result;
    }

    const Grid& grid_;
    std::uint64_t middle_;
    Shift step_;
    std::vector<Piece> pieces_;
};

}  // namespace foretell::gpumemory
