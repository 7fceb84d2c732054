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

// The last side of the box changes fastest; `steps` says how far the data go on for a step along each side.
struct Column {
    const double* data;
    std::vector<std::ptrdiff_t> steps;  // empty: the same at every point
    bool varies() const { return !steps.empty(); }
};

// Hands out the points of a box in order, a few at a time, as a row for each column that varies.
class BoxReader {
public:
    BoxReader(const Shape& shape, const Column* columns, std::size_t count) : shape_(shape), places_(shape.size()) {
        for (std::size_t k = 0; k < count; ++k)
            if (columns[k].varies()) varying_.push_back({k, columns[k].data, &columns[k]});
    }

    // The next `count` points, as `rows[k][0]` … for the k-th column.
    template <typename Rows>
    void read(Rows& rows, std::size_t count) {
        const std::size_t last = shape_.size() - 1;
        for (std::size_t done = 0; done < count;) {
            const std::size_t run = std::min(count - done, shape_[last] - places_[last]);
            for (Cursor& c : varying_) {
                const std::ptrdiff_t step = c.column->steps[last];
                double* row = rows[c.number] + done;
                if (step == 0)
                    std::fill_n(row, run, *c.at);
                else
                    for (std::size_t k = 0; k < run; ++k) row[k] = c.at[static_cast<std::ptrdiff_t>(k) * step];
                c.at += static_cast<std::ptrdiff_t>(run) * step;
            }
            done += run;
            advance(run);
        }
    }

private:
    struct Cursor {
        std::size_t number;
        const double* at;
        const Column* column;
    };

    // Along the last side; at its end back to its start, and on along the side before it.
    void advance(std::size_t run) {
        std::size_t side = shape_.size() - 1;
        places_[side] += run;
        while (places_[side] == shape_[side]) {
            places_[side] = 0;
            for (Cursor& c : varying_) c.at -= static_cast<std::ptrdiff_t>(shape_[side]) * c.column->steps[side];
            if (side == 0) return;
            --side;
            ++places_[side];
            for (Cursor& c : varying_) c.at += c.column->steps[side];
        }
    }

    Shape shape_, places_;
    std::vector<Cursor> varying_;
};

}  // namespace foretell
