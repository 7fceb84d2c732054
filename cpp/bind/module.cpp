#include "bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Compiled inner loops of foretell; use the Python modules that wrap them.";
    bind_ages(m);
    bind_cachesim(m);
    bind_clang(m);
    bind_counters(m);
    bind_emulate(m);
    bind_functional(m);
    bind_ladder(m);
    bind_pareto(m);
    bind_probe(m);
    bind_summary(m);
    bind_sunway(m);
    bind_swsim(m);
    bind_tape(m);
    bind_timing(m);
    bind_walk(m);
}
