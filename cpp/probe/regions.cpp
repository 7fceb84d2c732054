#include "probe/regions.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <dlfcn.h>

namespace foretell::probe {

namespace {

// As compilers write `parallel for`: each thread works out which part is its own.
void work_on(double* data, long first, long last) {
    for (long k = first; k < last; ++k) data[k] *= 1.0000001;
}

template <typename Function>
Function function(void* library, const char* name) {
    void* found = library ? dlsym(library, name) : nullptr;
    if (!found) throw std::runtime_error(std::string("no OpenMP runtime with ") + name + " on this machine");
    return reinterpret_cast<Function>(found);
}

}  // namespace

// What gcc writes: the loop's numbers lie on the stack of the thread that starts it.
Region gnu_region(int threads) {
    struct Shared {
        int (*count)();
        int (*number)();
        double* data;
        long length;
    };
    using Body = void (*)(void*);
    void* library = dlopen("libgomp.so.1", RTLD_NOW);
    const auto region = function<void (*)(Body, void*, unsigned, unsigned)>(library, "GOMP_parallel");
    const auto count = function<int (*)()>(library, "omp_get_num_threads");
    const auto number = function<int (*)()>(library, "omp_get_thread_num");
    const Body body = [](void* given) {
        const auto* shared = static_cast<const Shared*>(given);
        const long part = shared->length / shared->count(), first = part * shared->number();
        work_on(shared->data, first, first + part);
    };
    return [=](double* data, long length) {
        Shared shared{count, number, data, length};
        region(body, &shared, static_cast<unsigned>(threads), 0);
    };
}

namespace {

// What clang writes (openmp/runtime/src/kmp.h has these types): a static schedule is number 34, asked of the runtime.
struct Location {
    std::int32_t first = 0, flags = 2, second = 0, third = 0;
    const char* source = ";probe;region;0;0;;";
};

}  // namespace

Region llvm_region(int threads) {
    using Bounds = void (*)(Location*, int, int, int*, long*, long*, long*, long*, long, long);
    using Done = void (*)(Location*, int);
    using Body = void (*)(int*, int*, double*, long, Bounds, Done);
    void* library = dlopen("libomp.so.5", RTLD_NOW);
    if (!library) library = dlopen("libomp.so", RTLD_NOW);
    const auto region = function<void (*)(Location*, int, Body, ...)>(library, "__kmpc_fork_call");
    const auto bounds = function<Bounds>(library, "__kmpc_for_static_init_8");
    const auto done = function<Done>(library, "__kmpc_for_static_fini");
    function<void (*)(int)>(library, "omp_set_num_threads")(threads);
    const Body body = [](int* thread, int*, double* data, long length, Bounds get, Done end) {
        static Location place;
        int last = 0;
        long lower = 0, upper = length - 1, stride = 1;
        get(&place, *thread, 34, &last, &lower, &upper, &stride, nullptr, 1, 1);
        work_on(data, lower, std::min(upper, length - 1) + 1);
        end(&place, *thread);
    };
    return [=](double* data, long length) {
        static Location place;
        region(&place, 4, body, data, length, bounds, done);
    };
}

}  // namespace foretell::probe
