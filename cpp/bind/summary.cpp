#include "bind.hpp"

#include "explore/summary.hpp"

void bind_summary(nb::module_& m) {
    m.def(
        "summary_bins",
        [](const nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& bits, int shift) {
            foretell::Bins found;
            {
                nb::gil_scoped_release release;
                found = foretell::bins(bits.data(), bits.shape(0), shift);
            }
            return std::pair(found.first, std::move(found.counts));
        },
        nb::arg("bits"), nb::arg("shift"), "The least of the numbers shifted to the right, and how often it and each one after it occurs.");
}
