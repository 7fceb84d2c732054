// Parameters of a box of design points: each is one value for all points, or an array that broadcasts to the box.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace foretell {

using Shape = std::vector<std::size_t>;

inline std::size_t points_of(const Shape& shape) {
    std::size_t points = 1;
    for (const std::size_t side : shape) points *= side;
    return points;
}

// The last dimension of the box is contiguous; `steps` has the stride of the data along each dimension.
struct Column {
    const double* data;
    std::vector<std::ptrdiff_t> steps;  // empty: the same at every point
    bool varies() const { return !steps.empty(); }
};

// Reads the points of a box in order, in batches, as a row per varying column. Rows that are constant are not written
// again, and `changed` says which rows differ from the last batch.
class BoxReader {
public:
    BoxReader(const Shape& shape, const Column* columns, std::size_t count)
        : shape_(shape), places_(shape.size()), changed_(count, true) {
        for (std::size_t k = 0; k < count; ++k)
            if (columns[k].varies())
                cursors_.push_back({k, columns[k].data, columns[k].steps, columns[k].data[0], false});
    }

    // Reads the next `count` points, as `rows[k][0]` … for the k-th column; the same count every time, except the last.
    template <typename Rows>
    void read(Rows& rows, std::size_t count) {
        if (begun_) std::fill(changed_.begin(), changed_.end(), false);
        begun_ = true;
        const std::size_t last = shape_.size() - 1;
        for (Cursor& c : cursors_) c.first = *c.at, c.same = true;
        for (std::size_t done = 0; done < count;) {
            const std::size_t run = std::min(count - done, shape_[last] - places_[last]);
            for (Cursor& c : cursors_) write(c, rows[c.number] + done, run, c.steps[last]);
            done += run;
            advance(run);
        }
        for (Cursor& c : cursors_) c.uniform = c.same, c.value = c.first;
    }

    bool changed(std::size_t column) const { return changed_[column]; }

private:
    struct Cursor {
        std::size_t number;
        const double* at;
        const std::vector<std::ptrdiff_t>& steps;
        double value;  // if `uniform`: all of the row
        bool uniform;
        bool same = true;  // so far: all values read equal `first`
        double first = 0;
    };

    void write(Cursor& c, double* row, std::size_t run, std::ptrdiff_t step) {
        const double value = *c.at;
        c.same &= step == 0 && value == c.first;
        if (!(c.uniform && c.same && value == c.value)) {
            changed_[c.number] = true;
            if (step == 0) std::fill_n(row, run, value);
            else
                for (std::size_t k = 0; k < run; ++k) row[k] = c.at[static_cast<std::ptrdiff_t>(k) * step];
        }
        c.at += static_cast<std::ptrdiff_t>(run) * step;
    }

    // Advances along the last dimension; at its end wraps, and carries to the one before it.
    void advance(std::size_t run) {
        std::size_t side = shape_.size() - 1;
        places_[side] += run;
        while (places_[side] == shape_[side]) {
            places_[side] = 0;
            for (Cursor& c : cursors_) c.at -= static_cast<std::ptrdiff_t>(shape_[side]) * c.steps[side];
            if (side == 0) return;
            --side;
            ++places_[side];
            for (Cursor& c : cursors_) c.at += c.steps[side];
        }
    }

    Shape shape_, places_;
    std::vector<Cursor> cursors_;
    std::vector<char> changed_;
    bool begun_ = false;
};

}  // namespace foretell
