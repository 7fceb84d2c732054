// Parallel regions as compilers write them, of an OpenMP runtime that is looked for when it is asked for.
#pragma once

#include <functional>

namespace foretell::probe {

// Multiplies so many numbers in parallel.
using Region = std::function<void(double* data, long length)>;

// Of GNU's runtime and of LLVM's; an exception where it is not on the machine.
Region gnu_region(int threads);
Region llvm_region(int threads);

}  // namespace foretell::probe
