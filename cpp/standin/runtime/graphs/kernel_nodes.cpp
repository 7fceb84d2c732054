// Kernels of graphs: their parameters, also of those that were captured, and their attributes.
#include <algorithm>
#include <cstring>

#include "standin/runtime/graphs/graphs.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace {

// cudaLaunchAttributeID and cudaLaunchAttributeValue; other attributes are hints
constexpr int cooperative_attribute = 2, cluster_attribute = 4;
union Attribute {
    Dim3 cluster;
    int number;
    char bytes[64];
};

// Clusters and cooperation of a node stay when it gets other parameters.
int submit(Device& gpu, Stream* writer, const KernelNode& how, const KernelCall* before) {
    Function* known = kernel(how.host);
    if (known == nullptr) return invalid_function;
    if (how.arguments == nullptr && how.packed != nullptr) missing("parameters of a graph's kernel in one buffer");
    if (const int error = gpu.resolve(*known); error != success) return error;
    Launch launch = before == nullptr ? Launch{} : before->launch;
    launch.grid = how.grid;
    launch.block = how.block;
    launch.shared_bytes = how.shared_bytes;
    return gpu.launch(*known, launch, gathered(*known, how.arguments), writer);
}

template <class Use>
int on_kernel(void* node, Use&& use) {
    return call([&](Device&) -> int {
        if (node == nullptr || !node_of(node).kernel) return invalid_value;
        return use(node_of(node));
    });
}

int with_launch(void* node, const Launch& launch) {
    const auto kept = node_of(node).kernel;
    return change_node(nullptr, node, [&](Device& gpu, Stream* writer) {
        return gpu.launch(*kept->function, launch, kept->arguments, writer);
    });
}

}  // namespace

int foretell::standin::runtime::add_kernel(void** node, void* graph, void* const* after, std::size_t count,
                                           const KernelNode* how) {
    if (how == nullptr) return invalid_value;
    return add_node(node, graph, after, count,
                    [&](Device& gpu, Stream* writer) { return submit(gpu, writer, *how, nullptr); });
}

int foretell::standin::runtime::change_kernel(void* executable, void* node, const KernelNode* how) {
    if (how == nullptr || node == nullptr) return invalid_value;
    const Node* own = node_in(executable, node);
    const auto before = own == nullptr ? nullptr : own->kernel;
    return change_node(executable, node,
                       [&](Device& gpu, Stream* writer) { return submit(gpu, writer, *how, before.get()); });
}

STANDIN_API int cudaGraphAddKernelNode(void** node, void* graph, void* const* after, std::size_t count,
                                       const KernelNode* how) {
    return add_kernel(node, graph, after, count, how);
}
STANDIN_API int cudaGraphKernelNodeSetParams(void* node, const KernelNode* how) {
    return change_kernel(nullptr, node, how);
}
STANDIN_API int cudaGraphExecKernelNodeSetParams(void* executable, void* node, const KernelNode* how) {
    return change_kernel(executable, node, how);
}
STANDIN_API int cudaGraphKernelNodeGetParams(void* node, KernelNode* result) {
    return on_kernel(node, [&](Node& own) -> int {
        if (result == nullptr) return invalid_value;
        KernelCall& kept = *own.kernel;
        const void* host = kept.function->host == nullptr ? kept.function : kept.function->host;
        const auto shared = static_cast<unsigned>(kept.launch.shared_bytes);
        *result = {host, kept.launch.grid, kept.launch.block, shared, kept.each.data(), nullptr};
        return success;
    });
}

STANDIN_API int cudaGraphKernelNodeSetAttribute(void* node, int attribute, const Attribute* value) {
    Launch launch;
    const int error = on_kernel(node, [&](Node& own) -> int {
        launch = own.kernel->launch;
        return value == nullptr ? invalid_value : success;
    });
    if (error != success || (attribute != cooperative_attribute && attribute != cluster_attribute)) return error;
    if (attribute == cooperative_attribute) launch.cooperative = value->number != 0;
    else launch.cluster = value->cluster;
    return with_launch(node, launch);
}
STANDIN_API int cudaGraphKernelNodeGetAttribute(void* node, int attribute, Attribute* value) {
    return on_kernel(node, [&](Node& own) -> int {
        if (value == nullptr) return invalid_value;
        std::memset(static_cast<void*>(value), 0, sizeof *value);
        if (attribute == cooperative_attribute) value->number = own.kernel->launch.cooperative;
        if (attribute == cluster_attribute) value->cluster = own.kernel->launch.cluster;
        return success;
    });
}
STANDIN_API int cudaGraphKernelNodeCopyAttributes(void* to, void* from) {
    Launch launch;
    const int error = on_kernel(from, [&](Node& source) {
        return on_kernel(to, [&](Node& own) {
            launch = own.kernel->launch;
            launch.cluster = source.kernel->launch.cluster;
            launch.cooperative = source.kernel->launch.cooperative;
            return static_cast<int>(success);
        });
    });
    return error == success ? with_launch(to, launch) : error;
}
