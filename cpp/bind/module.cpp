#include "bind.hpp"

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false);  // an error that ends the process keeps frames, and so objects, until its end
    m.doc() = "Compiled inner loops of foretell; use the Python modules that wrap them.";
#define X(name) bind_##name(m);
    FORETELL_BINDINGS(X)
#undef X
}
