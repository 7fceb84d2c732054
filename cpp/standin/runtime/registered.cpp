#include "standin/runtime/registered.hpp"

#include <set>
#include <vector>

namespace foretell::standin::runtime {

namespace {

struct HostVariable {
    Module* module;
    std::string name;
    std::uint64_t bytes;
};

struct Managed {
    Module* module;
    std::string name;
    void** target;
};

struct Registry {
    std::map<const void*, Function*> kernels;
    std::set<const Function*> handles;
    std::map<const void*, HostVariable> variables;
    std::vector<Managed> managed;
};

// Registration comes from constructors of the program, before those of this library may have run.
Registry& registry() {
    static auto* only = new Registry;
    return *only;
}

struct FatbinWrapper {
    int magic;
    int version;
    const void* data;
    void* more;
};

struct Configuration {
    Dim3 grid, block;
    std::size_t shared_bytes;
    void* stream;
};

thread_local std::vector<Configuration> configurations;

// Pointers of managed variables are set when the device is first used, as their module gets its memory then.
int place_managed(Device& gpu) {
    auto& waiting = registry().managed;
    while (!waiting.empty()) {
        const Managed item = waiting.back();
        waiting.pop_back();
        Variable known;
        if (const int error = gpu.variable(*item.module, item.name, known); error != success) return error;
        *item.target = reinterpret_cast<void*>(known.address);
    }
    return success;
}

}  // namespace

Function* kernel(const void* host) {
    const auto& known = registry();
    if (const auto at = known.kernels.find(host); at != known.kernels.end()) return at->second;
    auto* handle = static_cast<Function*>(const_cast<void*>(host));
    return known.handles.count(handle) != 0 ? handle : nullptr;
}

void adopt(Function* function) { registry().handles.insert(function); }

int symbol(Device& gpu, const void* host, Variable& result) {
    const auto& known = registry().variables;
    const auto at = known.find(host);
    return at == known.end() ? invalid_symbol : gpu.variable(*at->second.module, at->second.name, result);
}

std::string gathered(const Function& function, void* const* arguments) {
    std::string bytes(function.parameter_bytes, '\0');
    for (std::size_t place = 0; place < function.parameters.size(); ++place) {
        const auto [offset, size] = function.parameters[place];
        memcpy(bytes.data() + offset, arguments[place], size);
    }
    return bytes;
}

}  // namespace foretell::standin::runtime

using namespace foretell::standin;
using namespace foretell::standin::runtime;

STANDIN_API void** __cudaRegisterFatBinary(void* wrapper) {
    const std::lock_guard lock(device().mutex);
    return reinterpret_cast<void**>(device().add_module(static_cast<FatbinWrapper*>(wrapper)->data));
}

STANDIN_API void __cudaRegisterFatBinaryEnd(void**) {}
STANDIN_API void __cudaUnregisterFatBinary(void**) {}

STANDIN_API char __cudaInitModule(void**) {
    return call([](Device& gpu) { return place_managed(gpu); }) == success;
}

STANDIN_API void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*,
                                        void*, void*, int*) {
    const std::lock_guard lock(device().mutex);
    auto* module = reinterpret_cast<Module*>(handle);
    auto made = std::make_unique<Function>();
    made->module = module;
    made->name = name;
    made->host = host;
    registry().kernels[host] = made.get();
    registry().handles.insert(made.get());
    module->functions[name] = std::move(made);
}

STANDIN_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t bytes, int,
                                   int) {
    const std::lock_guard lock(device().mutex);
    registry().variables[host] = {reinterpret_cast<Module*>(handle), name, bytes};
}

STANDIN_API void __cudaRegisterManagedVar(void** handle, void** target, char*, const char* name, int, std::size_t bytes,
                                          int, int) {
    const std::lock_guard lock(device().mutex);
    registry().variables[target] = {reinterpret_cast<Module*>(handle), name, bytes};
    registry().managed.push_back({reinterpret_cast<Module*>(handle), name, target});
}

STANDIN_API void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) { missing("__cudaRegisterHostVar"); }
STANDIN_API void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {
    missing("__cudaRegisterTexture (texture references)");
}
STANDIN_API void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {
    missing("__cudaRegisterSurface (surface references)");
}

STANDIN_API unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t shared_bytes, void* stream) {
    configurations.push_back({grid, block, shared_bytes, stream});
    return success;
}

STANDIN_API int __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* shared_bytes, void* stream) {
    if (configurations.empty()) return 52;  // cudaErrorMissingConfiguration
    const Configuration last = configurations.back();
    configurations.pop_back();
    *grid = last.grid;
    *block = last.block;
    *shared_bytes = last.shared_bytes;
    *static_cast<void**>(stream) = last.stream;
    return success;
}

STANDIN_API int __cudaGetKernel(void** result, const void* host) {
    return call([&](Device&) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        *result = known;
        return success;
    });
}
