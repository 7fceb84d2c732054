// Writes the results of the runtime: lines of text, and arrays of 64-bit words in a separate file.
#pragma once

#include <stdio.h>

#include <cstdint>

#include "lru.hpp"
#include "runtime.hpp"

namespace foretell::trace {

inline void write_distances(FILE* out, FILE* arrays, const Loop& loop, unsigned shift, const std::uint64_t* counts) {
    fprintf(out, "distances %u %u %llu %ld\n", loop.id, shift,
            static_cast<unsigned long long>(counts[Distances::kCold]), ftell(arrays));
    for (std::uint32_t at = 0; at < Distances::kCold; ++at) {
        if (counts[at] == 0) continue;
        const std::uint64_t row[3] = {Distances::first(at), Distances::first(at + 1) - 1, counts[at]};
        fwrite(row, sizeof row, 1, arrays);
    }
    fprintf(out, "end %ld\n", ftell(arrays));
}

inline void write_loop(FILE* out, FILE* arrays, const Loop& loop, std::uint64_t used) {
    const std::uint64_t least = loop.entries ? loop.least : 0;
    fprintf(out, "loop %u %d %d %d %llu %llu %llu %llu %u %u %u %u %u %ld\n", loop.id,
            loop.function ? static_cast<int>(loop.function->number) : -1, loop.index,
            loop.parent ? static_cast<int>(loop.parent->id) : -1, static_cast<unsigned long long>(loop.entries),
            static_cast<unsigned long long>(loop.iterations), static_cast<unsigned long long>(least),
            static_cast<unsigned long long>(loop.most), loop.carried, loop.lines[0], loop.lines[1], loop.lines[2],
            loop.lines[3], ftell(arrays));
    while (used > 0 && loop.levels[used - 1] == 0) --used;
    fwrite(loop.levels, sizeof loop.levels[0], used, arrays);
    fprintf(out, "end %ld\n", ftell(arrays));
    for (const Executions& trips : loop.by_trips)
        if (trips.entries)
            fprintf(out, "trips %u %llu %llu %llu\n", loop.id, static_cast<unsigned long long>(trips.entries),
                    static_cast<unsigned long long>(trips.iterations), static_cast<unsigned long long>(trips.ticks));
}

inline void write_function(FILE* out, Function& function) {
    for (Instance* instance = function.instances; instance != nullptr; instance = instance->next) {
        fprintf(out, "instance %u %u", function.number, instance->context->id);
        for (std::uint32_t block = 0; block < function.blocks; ++block)
            fprintf(out, " %llu", static_cast<unsigned long long>(instance->counters()[block]));
        fputc('\n', out);
    }
}

inline FILE* open_beside(const char* path, const char* suffix) {
    char name[4096];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    FILE* file = fopen(name, "wb");
    if (file == nullptr) fail("the result cannot be written");
    return file;
}

}  // namespace foretell::trace
