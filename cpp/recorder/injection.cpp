// The entry of CUDA's driver into this library, and the callbacks of CUPTI.
#include <cstdio>
#include <cstdlib>

#include "recorder/recorder.hpp"

namespace foretell::recorder {

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

Recorder& recorder() {
    static auto* only = new Recorder;  // never destroyed: CUDA may call us while the program ends
    return *only;
}

thread_local bool inside = false;

// Calls that the recorder itself makes are not recorded. The runtime's are told for their time alone.
void told(void*, int domain, std::uint32_t id, const void* data) {
    if (domain == resource_domain && id == module_loaded)
        if (const ModuleData* module = static_cast<const ResourceData*>(data)->module; module != nullptr)
            recorder().loaded(*module);
    if ((domain != driver_domain && domain != runtime_domain) || inside) return;
    const auto& call = *static_cast<const CallbackData*>(data);
    if (call.site == 0) recorder().clock.enter();
    if (domain == driver_domain) {
        inside = true;
        recorder().call(id, call);
        inside = false;
    }
    if (call.site != 0) recorder().clock.leave();
}

void requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most) {
    *buffer = static_cast<std::uint8_t*>(aligned_alloc(64, buffer_bytes));
    *bytes = buffer_bytes;
    *most = 0;
}

void completed(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    recorder().activities(buffer, valid);
    free(buffer);
}

}  // namespace

}  // namespace foretell::recorder

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    using namespace foretell::recorder;
    static bool started = false;
    if (started) return 1;
    started = true;
    if (!recorder().start()) return 1;
    const Cupti& cupti = recorder().cupti;
    void* subscriber = nullptr;
    if (cupti.subscribe(&subscriber, told, nullptr) != 0) {
        fputs("foretell: CUPTI is used by another tool; the program is not recorded\n", stderr);
        return 1;
    }
    cupti.enable(1, subscriber, resource_domain, module_loaded);
    cupti.enable_domain(1, subscriber, driver_domain);
    cupti.enable_domain(1, subscriber, runtime_domain);
    cupti.activity_callbacks(requested, completed);
    cupti.activity_enable(concurrent_kernel);  // not copies: those that the recorder makes have the number of its call
    atexit([] { recorder().finish(); });
    return 1;
}
