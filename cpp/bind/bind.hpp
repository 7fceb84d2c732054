// Common parts of the bindings. Only the files of this folder use nanobind; they check shapes, the wrappers in Python
// check values.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/box.hpp"

namespace nb = nanobind;

using Array = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyArray = nb::ndarray<const double, nb::device::cpu>;

// Passes the ownership of a vector to numpy.
template <typename T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> owned(std::vector<T>* values) {
    nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return {values->data(), {values->size()}, owner};
}

// Runs `work` without the GIL.
template <typename Work>
auto released(Work work) {
    nb::gil_scoped_release release;
    return work();
}

template <typename T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> owned(std::vector<T> values) {
    return owned(new std::vector<T>(std::move(values)));
}

// Pointer and stride of an array of one value, or of one for each of `points`.
inline std::pair<const double*, std::size_t> column(const Array& array, std::size_t points) {
    if (array.shape(0) != points && array.shape(0) != 1)
        throw std::invalid_argument("a column has " + std::to_string(array.shape(0)) + " values, expected 1 or " +
                                    std::to_string(points));
    return {array.data(), array.shape(0) == 1 ? std::size_t{0} : std::size_t{1}};
}

// Column of an array that broadcasts to a shape as in numpy: dimensions are aligned at the last, and length 1 has
// stride 0.
inline foretell::Column box_column(const AnyArray& array, const foretell::Shape& shape) {
    foretell::Column found{array.data(), {}};
    if (array.size() == 1) return found;
    if (array.ndim() > shape.size()) throw std::invalid_argument("a column has more sides than its box");
    found.steps.assign(shape.size(), 0);
    const std::size_t missing = shape.size() - array.ndim();
    for (std::size_t side = 0; side < array.ndim(); ++side) {
        if (array.shape(side) == 1) continue;
        if (array.shape(side) != shape[missing + side])
            throw std::invalid_argument("a column has " + std::to_string(array.shape(side)) +
                                        " values, expected 1 or " + std::to_string(shape[missing + side]));
        found.steps[missing + side] = array.stride(side);
    }
    return found;
}

void bind_cachesim(nb::module_& m);
void bind_clang(nb::module_& m);
void bind_counters(nb::module_& m);
void bind_emulate(nb::module_& m);
void bind_explore(nb::module_& m);
void bind_functional(nb::module_& m);
void bind_ooo_core(nb::module_& m);
void bind_probe(nb::module_& m);
void bind_size_interpolation(nb::module_& m);
void bind_sunway(nb::module_& m);
void bind_swsim(nb::module_& m);
void bind_tape(nb::module_& m);
void bind_timing(nb::module_& m);
