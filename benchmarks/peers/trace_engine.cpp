// Stack distances of recorded references (FORETELL_DUMP of a traced program): trace_engine FILE…
// Prints millions of references per second of CPU, the best of seven rounds.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../cpp/trace/lru.hpp"

namespace foretell::trace {
void fail(const char* message) {
  puts(message);
  exit(1);
}
}  // namespace foretell::trace

using namespace foretell::trace;

static double seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int main(int count, char** files) {
  for (int file = 1; file < count; ++file) {
    FILE* in = fopen(files[file], "rb");
    if (in == nullptr) fail("cannot be read");
    fseek(in, 0, SEEK_END);
    const long references = ftell(in) / 8;
    rewind(in);
    auto* all = pages<std::uint64_t>(static_cast<std::size_t>(references));
    if (fread(all, 8, static_cast<std::size_t>(references), in) != static_cast<std::size_t>(references)) fail("too short");
    fclose(in);
    double best = 1e9;
    for (int round = 0; round < 7; ++round) {
      Lru lru(6, pages<std::uint64_t>(Distances::kSize));
      const double started = seconds();
      for (long at = 0; at < references; at += 1 << 14)
        lru.touch(all + at, all + (references - at < 1 << 14 ? references : at + (1 << 14)));
      lru.settle();
      if (seconds() - started < best) best = seconds() - started;
    }
    printf("%.1f\n", static_cast<double>(references) / best / 1e6);
  }
}
