// Programs with the CUDA runtime linked into them, or into libraries that they load: its functions are not called through
// the dynamic linker, so their first instructions are replaced by a jump to the functions of this library.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "standin/device.hpp"
#include "standin/static_runtime/object.hpp"

namespace foretell::standin {

namespace {

// A jump to an absolute address.
#if defined(__aarch64__)
struct Jump {
    std::uint32_t load = 0x58000050;    // ldr x16, #8
    std::uint32_t branch = 0xD61F0200;  // br x16
    std::uint64_t target;
};
#elif defined(__x86_64__)
struct __attribute__((packed)) Jump {
    unsigned char jump[6] = {0xFF, 0x25, 0, 0, 0, 0};  // jmp [rip]
    std::uint64_t target;
};
#else
#error "redirect.cpp knows the jumps of AArch64 and x86-64"
#endif

bool redirect(std::uint64_t address, const void* target) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t first = address / page * page, bytes = address + sizeof(Jump) - first;
    if (mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    Jump jump;
    jump.target = reinterpret_cast<std::uint64_t>(target);
    auto* code = reinterpret_cast<char*>(address);
    memcpy(code, &jump, sizeof jump);
    __builtin___clear_cache(code, code + sizeof jump);
    return mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_EXEC) == 0;
}

// What was loaded when it was looked at last: the program, and libraries.
using Loaded = std::set<std::pair<const link_map*, std::uint64_t>>;

struct Redirection {
    void* self = nullptr;
    std::uint64_t own_base = 0;
    Loaded known;
    std::set<std::uint64_t> redirected;  // where objects lie that have a runtime of their own

    void follow(const link_map& object) {
        const bool program = object.l_name == nullptr || object.l_name[0] == '\0';
        const File file(program ? "/proc/self/exe" : object.l_name);
        auto functions = named_by_symbols(file);
        if (functions.empty()) functions = named_by_code(file);
        if (!functions.empty()) redirected.insert(object.l_addr);
        for (const RuntimeFunction& item : functions)
            if (void* target = dlsym(self, item.name.c_str()); target != nullptr && item.bytes >= sizeof(Jump))
                redirect(object.l_addr + item.address, target);
    }

    void look() {
        Loaded now;
        for (const link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
            if (object->l_addr == own_base) continue;
            now.emplace(object, object->l_addr);
            if (!known.contains({object, object->l_addr})) follow(*object);
        }
        known = std::move(now);
    }
};

Redirection& redirection() {
    static auto* only = new Redirection;  // never destroyed: libraries may be loaded while the program ends
    return *only;
}

// The loader calls this when it has loaded a library, before the constructors, which register kernels.
void loaded() {
    if (_r_debug.r_state == r_debug::RT_CONSISTENT) redirection().look();
}

// The function that the loader calls for debuggers does nothing, and is filled up to 16 bytes.
void watch_loader() {
    const auto address = static_cast<std::uint64_t>(_r_debug.r_brk);
#if defined(__x86_64__)
    constexpr unsigned char returns[] = {0xC3}, marked[] = {0xF3, 0x0F, 0x1E, 0xFA, 0xC3};
#else
    constexpr unsigned char returns[] = {0xC0, 0x03, 0x5F, 0xD6};
    constexpr unsigned char marked[] = {0x5F, 0x24, 0x03, 0xD5, 0xC0, 0x03, 0x5F, 0xD6};
#endif
    const auto* code = reinterpret_cast<const unsigned char*>(address);
    if (code == nullptr || address % 16 != 0) return;
    if (memcmp(code, returns, sizeof returns) == 0 || memcmp(code, marked, sizeof marked) == 0)
        redirect(address, reinterpret_cast<const void*>(&loaded));
}

// Before the constructors of the program, which register its kernels.
__attribute__((constructor)) void redirect_static_runtimes() {
    Dl_info own;
    if (getenv("FORETELL_STANDIN") == nullptr || dladdr(reinterpret_cast<void*>(&loaded), &own) == 0) return;
    Redirection& all = redirection();
    all.self = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (all.self == nullptr) return;
    all.own_base = reinterpret_cast<std::uint64_t>(own.dli_fbase);
    all.look();
    watch_loader();
}

}  // namespace

bool has_redirected_runtime(const void* base) {
    return redirection().redirected.contains(reinterpret_cast<std::uint64_t>(base));
}

}  // namespace foretell::standin
