// Parallel regions as compilers generate them, with an OpenMP runtime that is loaded on demand.
#pragma once

#include <functional>

namespace foretell::probe {

// Multiplies `length` numbers in parallel.
using Region = std::function<void(double* data, long length)>;

// Regions of GNU's runtime and of LLVM's; throw if it is not installed.
Region gnu_region(int threads);
Region llvm_region(int threads);

}  // namespace foretell::probe
