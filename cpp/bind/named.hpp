// Structs are passed as mappings of field names (common/fields.hpp). The names must match exactly: a missing or
// misspelt field is an error that names it.
#pragma once

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "bind.hpp"

template <typename T>
using Named = nb::typed<nb::dict, nb::str, T>;

// Reads the values of a mapping, each once.
class NameReader {
public:
    explicit NameReader(const nb::dict& given) : given_(given) {}

    // Arrays are not converted: the temporary would not outlive the call.
    template <typename T>
    T get(const char* name) {
        names_.push_back(name);
        PyObject* found = PyDict_GetItemString(given_.ptr(), name);
        if (found == nullptr) throw std::invalid_argument("not given: " + std::string(name));
        return nb::cast<T>(nb::handle(found), std::is_arithmetic_v<T>);
    }

    void finish() const {
        if (given_.size() == names_.size()) return;
        for (const auto& [key, value] : given_) {
            const auto name = nb::cast<std::string>(key);
            if (std::find(names_.begin(), names_.end(), name) == names_.end())
                throw std::invalid_argument("unknown name: " + name);
        }
    }

private:
    const nb::dict& given_;
    std::vector<std::string_view> names_;
};

template <typename Struct>
Struct from_names(const Named<double>& given) {
    Struct result{};
    NameReader read(given);
    Struct::fields(result, [&](const char* name, auto& field) {
        field = static_cast<std::remove_reference_t<decltype(field)>>(read.get<double>(name));
    });
    read.finish();
    return result;
}

template <typename Struct>
Named<double> to_names(const Struct& given) {
    Named<double> result;
    Struct::fields(given, [&](const char* name, double field) { result[name] = field; });
    return result;
}
