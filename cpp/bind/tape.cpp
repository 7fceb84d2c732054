#include "bind.hpp"

#include "tape/tape.hpp"

namespace {

namespace tape = foretell::tape;

using Out = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

#define X(value, name) #name,
constexpr const char* kNames[] = {FORETELL_TAPE_OPERATIONS(X)};
#undef X

void check(const tape::Tape& t, std::size_t values) {
    if (values != t.points()) throw std::invalid_argument("a column of another length");
}

}  // namespace

void bind_tape(nb::module_& m) {
    m.def(
        "tape_operations", [] { return std::vector<std::string>(std::begin(kNames), std::end(kNames)); },
        "The names of all operations, in the order of their numbers.");
    nb::class_<tape::Tape>(m, "Tape", "Arithmetic on columns, written down first and done at once.")
        .def(nb::init<std::size_t>(), nb::arg("points"))
        .def("constant", &tape::Tape::constant, nb::arg("value"), "The node of a number.")
        .def(
            "column",
            [](tape::Tape& t, const Array& values) {
                check(t, values.shape(0));
                return t.column(values.data());
            },
            nb::arg("values"), "The node of a column, which the caller keeps.")
        .def(
            "table",
            [](tape::Tape& t, double from, double per_step, const Array& heights, const Array& rises) {
                return t.table({from,
                                per_step,
                                {heights.data(), heights.data() + heights.shape(0)},
                                {rises.data(), rises.data() + rises.shape(0)}});
            },
            nb::arg("from_"), nb::arg("per_step"), nb::arg("heights"), nb::arg("rises"),
            "The number of a table of heights at even places, for operation look_up.")
        .def(
            "apply",
            [](tape::Tape& t, int op, int a, int b, int c) {
                if (op < 0 || op >= static_cast<int>(tape::Op::count)) throw std::invalid_argument("no operation");
                return t.apply(static_cast<tape::Op>(op), a, b, c);
            },
            nb::arg("op"), nb::arg("a"), nb::arg("b") = -1, nb::arg("c") = -1, "The node of an operation.")
        .def("is_truth", &tape::Tape::is_truth, nb::arg("node"), "Whether a node is yes or no, as 1 and 0.")
        .def(
            "fill",
            [](tape::Tape& t, int node, Out out) {
                check(t, out.shape(0));
                nb::gil_scoped_release release;
                t.fill(node, out.data());
            },
            nb::arg("node"), nb::arg("out"), "All values of a node into a column, which the caller keeps.");
}
