#include "recorder/library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <initializer_list>

namespace foretell::recorder {

namespace {

void* opened(const char* variable, std::initializer_list<const char*> names) {
    if (const char* path = getenv(variable); path != nullptr && path[0] != '\0') return dlopen(path, RTLD_NOW);
    for (const char* name : names)
        if (void* library = dlopen(name, RTLD_NOW)) return library;
    return nullptr;
}

template <class F>
bool bind(void* library, F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace

bool Cupti::load() {
    void* library = opened("FORETELL_CUPTI", {"libcupti.so.13", "libcupti.so.12", "libcupti.so"});
    return library != nullptr && bind(library, subscribe, "cuptiSubscribe") &&
           bind(library, enable, "cuptiEnableCallback") && bind(library, enable_domain, "cuptiEnableDomain") &&
           bind(library, activity_callbacks, "cuptiActivityRegisterCallbacks") &&
           bind(library, activity_enable, "cuptiActivityEnable") &&
           bind(library, activity_next, "cuptiActivityGetNextRecord") &&
           bind(library, activity_flush, "cuptiActivityFlushAll");
}

bool Driver::load() {
    void* library = opened("FORETELL_CUDA", {"libcuda.so.1"});
    if (library != nullptr) bind(library, function_load, "cuFuncLoad");  // of CUDA 12.4, only useful with lazy loading
    return library != nullptr && bind(library, function_module, "cuFuncGetModule") &&
           bind(library, function_name, "cuFuncGetName") && bind(library, function_parameter, "cuFuncGetParamInfo") &&
           bind(library, kernel_function, "cuKernelGetFunction") && bind(library, global, "cuModuleGetGlobal_v2") &&
           bind(library, copy, "cuMemcpyDtoHAsync_v2") && bind(library, stream_create, "cuStreamCreate") &&
           bind(library, stream_synchronise, "cuStreamSynchronize") &&
           bind(library, stream_capturing, "cuStreamIsCapturing") &&
           bind(library, context_synchronise, "cuCtxSynchronize") &&
           bind(library, capture_mode, "cuThreadExchangeStreamCaptureMode") &&
           bind(library, pointer_attribute, "cuPointerGetAttribute") && bind(library, pinned, "cuMemHostAlloc") &&
           bind(library, graph_nodes, "cuGraphGetNodes") && bind(library, node_type, "cuGraphNodeGetType") &&
           bind(library, kernel_node, "cuGraphKernelNodeGetParams_v2") &&
           bind(library, copy_node, "cuGraphMemcpyNodeGetParams") &&
           bind(library, set_node, "cuGraphMemsetNodeGetParams") &&
           bind(library, child_graph, "cuGraphChildGraphNodeGetGraph");
}

}  // namespace foretell::recorder
