// Modules and libraries of the driver interface: code that is loaded, and what is in it.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "standin/driver/told.hpp"
#include "standin/errors.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;

namespace {

// Options of the compiler in the driver: buffers of text, each followed by the option that has its size.
constexpr int notes_of_compiler = 3, errors_of_compiler = 5;

struct CompilerOptions {
    unsigned count = 0;
    const int* names = nullptr;
    void** values = nullptr;

    void** find(int name) const {
        for (unsigned k = 0; k < count; ++k)
            if (names[k] == name) return values + k;
        return nullptr;
    }
    // Writes a text to a buffer, and its length to the option of the size.
    void write(int buffer, const std::string& text) const {
        void **to = find(buffer), **size = find(buffer + 1);
        if (to == nullptr || size == nullptr || *to == nullptr || *size == nullptr) return;
        const std::size_t room = reinterpret_cast<std::size_t>(*size) & 0xffffffff;
        const std::size_t length = std::min(text.size(), room - 1);
        memcpy(*to, text.data(), length);
        static_cast<char*>(*to)[length] = 0;
        *size = reinterpret_cast<void*>(text.empty() ? std::size_t{0} : length + 1);
    }
};

int add_module(void** result, const void* image, std::string bytes, const CompilerOptions& options = {}) {
    return call(
        [&](Device& gpu) -> int {
            Module* made = gpu.add_module(image);
            made->bytes = std::move(bytes);
            *result = made;
            const int status = gpu.load(*made);
            options.write(notes_of_compiler, "");
            options.write(errors_of_compiler, made->problem);
            return status;
        },
        false);
}

int add_file(void** result, const char* path, const CompilerOptions& options = {}) {
    constexpr int file_not_found = 301;
    FILE* file = fopen(path, "rb");
    if (file == nullptr) return file_not_found;
    std::string bytes;
    char block[1 << 16];
    for (std::size_t count; (count = fread(block, 1, sizeof block, file)) > 0;) bytes.append(block, count);
    fclose(file);
    return add_module(result, nullptr, std::move(bytes), options);
}

int function(void** result, void* module, const char* name) {
    return call(
        [&](Device& gpu) -> int {
            auto& known = static_cast<Module*>(module)->functions[name];
            if (!known) {
                known = std::make_unique<Function>();
                known->module = static_cast<Module*>(module);
                known->name = name;
            }
            *result = known.get();
            runtime::adopt(known.get());
            const int error = gpu.resolve(*known);
            return error == invalid_function ? static_cast<int>(not_found) : error;
        },
        false);
}

int global(unsigned long long* address, std::size_t* bytes, void* module, const char* name) {
    return call(
        [&](Device& gpu) -> int {
            Variable known;
            const int error = gpu.variable(*static_cast<Module*>(module), name, known);
            if (error != success) return error == invalid_symbol ? static_cast<int>(not_found) : error;
            if (address != nullptr) *address = known.address;
            if (bytes != nullptr) *bytes = known.bytes;
            return success;
        },
        false);
}

// The first kernels of a module, in the order of its code.
int kernels_of(void** result, unsigned most, void* module) {
    auto* own = static_cast<Module*>(module);
    if (own == nullptr || (result == nullptr && most != 0)) return invalid_value;
    for (std::size_t k = 0; k < most && k < own->kernels.size(); ++k)
        if (const int error = function(result + k, module, own->kernels[k].c_str())) return error;
    return success;
}

int count_of_kernels(unsigned* result, void* module) {
    if (module == nullptr) return invalid_value;
    return told(result, static_cast<unsigned>(static_cast<Module*>(module)->kernels.size()));
}

}  // namespace

STANDIN_API int cuFuncIsLoaded(int* state, void*) { return told(state, 1); }
STANDIN_API int cuFuncLoad(void* function) {
    return call([&](Device& gpu) { return gpu.resolve(*static_cast<Function*>(function)); }, false);
}
STANDIN_API int cuModuleLoadData(void** result, const void* image) { return add_module(result, image, {}); }
STANDIN_API int cuModuleLoadDataEx(void** result, const void* image, unsigned count, int* names, void** values) {
    return add_module(result, image, {}, {count, names, values});
}
STANDIN_API int cuModuleLoadFatBinary(void** result, const void* image) { return add_module(result, image, {}); }
STANDIN_API int cuModuleLoad(void** result, const char* path) { return add_file(result, path); }
STANDIN_API int cuModuleUnload(void*) { return as_told(); }
STANDIN_API int cuModuleGetFunction(void** result, void* module, const char* name) {
    return function(result, module, name);
}
STANDIN_API int cuModuleGetGlobal_v2(unsigned long long* address, std::size_t* bytes, void* module, const char* name) {
    return global(address, bytes, module, name);
}
STANDIN_API int cuModuleGetLoadingMode(int* mode) { return told(mode, 2); }
STANDIN_API int cuModuleGetFunctionCount(unsigned* result, void* module) { return count_of_kernels(result, module); }
STANDIN_API int cuModuleEnumerateFunctions(void** result, unsigned most, void* module) {
    return kernels_of(result, most, module);
}
STANDIN_API int cuLibraryLoadData(void** result, const void* image, int* names, void** values, unsigned count, int*,
                                  void**, unsigned) {
    return add_module(result, image, {}, {count, names, values});
}
STANDIN_API int cuLibraryLoadFromFile(void** result, const char* path, int* names, void** values, unsigned count, int*,
                                      void**, unsigned) {
    return add_file(result, path, {count, names, values});
}
STANDIN_API int cuLibraryGetKernelCount(unsigned* result, void* library) { return count_of_kernels(result, library); }
STANDIN_API int cuLibraryEnumerateKernels(void** result, unsigned most, void* library) {
    return kernels_of(result, most, library);
}
STANDIN_API int cuLibraryUnload(void*) { return as_told(); }
STANDIN_API int cuLibraryGetModule(void** result, void* library) { return told<void*>(result, library); }
STANDIN_API int cuLibraryGetKernel(void** result, void* library, const char* name) {
    return function(result, library, name);
}
STANDIN_API int cuLibraryGetGlobal(unsigned long long* address, std::size_t* bytes, void* library, const char* name) {
    return global(address, bytes, library, name);
}
STANDIN_API int cuKernelGetFunction(void** result, void* kernel) { return told<void*>(result, kernel); }
STANDIN_API int cuKernelGetName(const char** result, void* kernel) {
    return told(result, static_cast<Function*>(kernel)->name.c_str());
}
STANDIN_API int cuFuncGetName(const char** result, void* function) { return cuKernelGetName(result, function); }
STANDIN_API int cuFuncGetModule(void** result, void* function) {
    return told<void*>(result, static_cast<Function*>(function)->module);
}
