#include "bind.hpp"

#include "cachesim/lru_lifetime.hpp"

namespace ages = foretell::ages;

void bind_ages(nb::module_& m) {
    m.def(
        "line_ages",
        [](const Array& streamed, const Array& capacity, const std::vector<std::pair<Array, Array>>& arrays,
           std::int64_t parts, std::size_t points) {
            if (parts < 1) throw std::invalid_argument("no parts");
            std::vector<ages::Scattered> scattered;
            for (const auto& [bytes, swept] : arrays)
                scattered.push_back({column(bytes, points), column(swept, points)});
            auto* found = new std::vector<double>(points);
            auto result = owned(found);
            const auto past = column(streamed, points), size = column(capacity, points);
            nb::gil_scoped_release release;
            ages::ages(past, size, scattered, parts, points, found->data());
            return result;
        },
        nb::arg("streamed"), nb::arg("capacity"), nb::arg("arrays"), nb::arg("parts"), nb::arg("points"),
        "The part of a nest, in so many steps, after which a line that was not met again leaves a cache.");
}
