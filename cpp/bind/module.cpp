#include "bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Compiled inner loops of foretell; use the Python modules that wrap them.";
#define X(name) bind_##name(m);
    FORETELL_BINDINGS(X)
#undef X
}
