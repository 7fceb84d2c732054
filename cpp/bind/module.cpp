#include "bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Compiled inner loops of foretell; use the Python modules that wrap them.";
    bind_cachesim(m);
    bind_clang(m);
    bind_counters(m);
    bind_emulate(m);
    bind_explore(m);
    bind_functional(m);
    bind_ooo_core(m);
    bind_probe(m);
    bind_size_interpolation(m);
    bind_sunway(m);
    bind_swsim(m);
    bind_tape(m);
    bind_timing(m);
}
