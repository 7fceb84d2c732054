#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "bind.hpp"

// The names of C++ as its own runtime reads them (Itanium C++ ABI), which nvcc's device code follows too.
void bind_demangle(nb::module_& m) {
    m.def(
        "demangle",
        [](const std::string& name) {
            int status = 0;
            const std::unique_ptr<char, decltype(&std::free)> text(
                abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
            return status == 0 && text ? std::string(text.get()) : std::string();
        },
        nb::arg("name"), "The signature behind a mangled name; empty for what is none.");
}
