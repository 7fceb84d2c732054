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
#include <functional>
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
nb::ndarray<nb::numpy, T, nb::ndim<1>> owned(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return {kept->data(), {kept->size()}, owner};
}

// A field of every item, or a function of it.
template <typename T, typename Items, typename Field>
std::vector<T> each_of(const Items& items, Field field) {
    std::vector<T> values;
    for (const auto& item : items) values.push_back(static_cast<T>(std::invoke(field, item)));
    return values;
}

// Runs `work` without the GIL.
template <typename Work>
auto released(Work work) {
    nb::gil_scoped_release release;
    return work();
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
    foretell::Column result{array.data(), {}};
    if (array.size() == 1) return result;
    if (array.ndim() > shape.size()) throw std::invalid_argument("a column has more sides than its box");
    result.steps.assign(shape.size(), 0);
    const std::size_t missing = shape.size() - array.ndim();
    for (std::size_t side = 0; side < array.ndim(); ++side) {
        if (array.shape(side) == 1) continue;
        if (array.shape(side) != shape[missing + side])
            throw std::invalid_argument("a column has " + std::to_string(array.shape(side)) +
                                        " values, expected 1 or " + std::to_string(shape[missing + side]));
        result.steps[missing + side] = array.stride(side);
    }
    return result;
}

// FORETELL_EACH(DO, Type, a, b, …) is DO(Type, a) DO(Type, b) …, of up to 40 names: each scan expands one.
#define FORETELL_SCAN_1(...) __VA_ARGS__
#define FORETELL_SCAN_4(...) FORETELL_SCAN_1(FORETELL_SCAN_1(FORETELL_SCAN_1(__VA_ARGS__)))
#define FORETELL_SCAN_13(...) FORETELL_SCAN_4(FORETELL_SCAN_4(FORETELL_SCAN_4(__VA_ARGS__)))
#define FORETELL_EACH(...) FORETELL_SCAN_13(FORETELL_SCAN_13(FORETELL_SCAN_13(FORETELL_EACH_STEP(__VA_ARGS__))))
#define FORETELL_EACH_STEP(DO, Type, name, ...) \
    DO(Type, name) __VA_OPT__(FORETELL_EACH_AGAIN FORETELL_NO_ARGUMENTS(DO, Type, __VA_ARGS__))
#define FORETELL_EACH_AGAIN() FORETELL_EACH_STEP
#define FORETELL_NO_ARGUMENTS ()

// Enumerations, structs that Python fills in, and structs that it reads, with values and fields by name.
#define FORETELL_VALUE(Type, name) .value(#name, Type::name)
#define FORETELL_WRITABLE(Type, name) .def_rw(#name, &Type::name)
#define FORETELL_READABLE(Type, name) .def_ro(#name, &Type::name)
#define FORETELL_ENUM(Type, name, ...) nb::enum_<Type>(m, name) FORETELL_EACH(FORETELL_VALUE, Type, __VA_ARGS__)
#define FORETELL_INPUT(Type, name, ...) \
    nb::class_<Type>(m, name).def(nb::init<>()) FORETELL_EACH(FORETELL_WRITABLE, Type, __VA_ARGS__)
#define FORETELL_RESULT(Type, name, ...) nb::class_<Type>(m, name) FORETELL_EACH(FORETELL_READABLE, Type, __VA_ARGS__)

// Structs whose fields are a list of their header; the list's X refers to `Struct`. Name and docstring come last.
#define FORETELL_LISTED_INPUT(Type, FIELDS, ...)                  \
    {                                                             \
        using Struct = Type;                                      \
        nb::class_<Struct>(m, __VA_ARGS__).def(nb::init<>()) FIELDS; \
    }

// Parts of the module, one file each.
#define FORETELL_BINDINGS(X) \
    X(cachesim) X(clang) X(complete) X(counters) X(demangle) X(emulate) X(explore) X(functional) X(guard) X(ooo_core) X(probe) \
    X(size_interpolation) X(sunway) X(tape) X(timing)

#define X(name) void bind_##name(nb::module_& m);
FORETELL_BINDINGS(X)
#undef X
