// Graphs of the driver interface: as those of the runtime. Of copies the parameters differ, which are in shapes.cpp.
#include "standin/runtime/graphs/graphs.hpp"
#include "standin/driver/same.hpp"

using namespace foretell::standin;

using Size = std::size_t;
using Nodes = void* const*;
using Id = unsigned long long;

SAME(cuStreamBeginCapture_v2, cudaStreamBeginCapture, (void* stream, int mode), (stream, mode))
SAME(cuStreamEndCapture, cudaStreamEndCapture, (void* stream, void** graph), (stream, graph))
SAME(cuStreamIsCapturing, cudaStreamIsCapturing, (void* stream, int* status), (stream, status))
SAME(cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode, (int* mode), (mode))
SAME(cuGraphCreate, cudaGraphCreate, (void** graph, unsigned flags), (graph, flags))
SAME(cuGraphClone, cudaGraphClone, (void** result, void* graph), (result, graph))
SAME(cuGraphInstantiateWithFlags, cudaGraphInstantiateWithFlags, (void** result, void* graph, unsigned long long flags),
     (result, graph, flags))
SAME(cuGraphUpload, cudaGraphUpload, (void* graph, void* stream), (graph, stream))
SAME(cuGraphLaunch, cudaGraphLaunch, (void* graph, void* stream), (graph, stream))
SAME(cuGraphDestroy, cudaGraphDestroy, (void* graph), (graph))
SAME(cuGraphExecDestroy, cudaGraphExecDestroy, (void* graph), (graph))
SAME(cuGraphExecUpdate_v2, cudaGraphExecUpdate, (void* executable, void* graph, void* result),
     (executable, graph, result))
SAME(cuGraphGetNodes, cudaGraphGetNodes, (void* graph, void** nodes, Size* count), (graph, nodes, count))
SAME(cuGraphGetRootNodes, cudaGraphGetRootNodes, (void* graph, void** nodes, Size* count), (graph, nodes, count))
SAME(cuGraphNodeGetType, cudaGraphNodeGetType, (void* node, int* kind), (node, kind))
SAME(cuGraphDestroyNode, cudaGraphDestroyNode, (void* node), (node))
SAME(cuGraphAddKernelNode_v2, cudaGraphAddKernelNode,
     (void** node, void* graph, void* const* after, Size count, const void* how), (node, graph, after, count, how))
SAME(cuGraphAddHostNode, cudaGraphAddHostNode,
     (void** node, void* graph, void* const* after, Size count, const void* how), (node, graph, after, count, how))
SAME(cuGraphAddEmptyNode, cudaGraphAddEmptyNode, (void** node, void* graph, void* const* after, Size count),
     (node, graph, after, count))
SAME(cuGraphAddChildGraphNode, cudaGraphAddChildGraphNode,
     (void** node, void* graph, void* const* after, Size count, void* child), (node, graph, after, count, child))
SAME(cuGraphExecKernelNodeSetParams_v2, cudaGraphExecKernelNodeSetParams,
     (void* executable, void* node, const void* how), (executable, node, how))

// The context of the node is the only one.
extern "C" int cudaGraphAddMemsetNode(void** node, void* graph, void* const* after, Size count, const void* how);
STANDIN_API int cuGraphAddMemsetNode(void** node, void* graph, void* const* after, Size count, const void* how, void*) {
    return quietly_called([&] { return cudaGraphAddMemsetNode(node, graph, after, count, how); });
}

SAME(cuStreamBeginCaptureToGraph, cudaStreamBeginCaptureToGraph,
     (void* stream, void* graph, Nodes after, const void* edges, Size count, int mode),
     (stream, graph, after, edges, count, mode))
SAME(cuStreamGetCaptureInfo_v2, cudaStreamGetCaptureInfo_v2,
     (void* stream, int* status, Id* id, void** graph, const void* const** after, Size* count),
     (stream, status, id, graph, after, count))
SAME(cuStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo_v3,
     (void* stream, int* status, Id* id, void** graph, const void* const** after, const void** edges, Size* count),
     (stream, status, id, graph, after, edges, count))
SAME(cuStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies,
     (void* stream, void** nodes, std::uintptr_t edges, Size count, unsigned flags),
     (stream, nodes, edges, count, flags))
SAME(cuStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies,
     (void* stream, void** nodes, std::uintptr_t edges, Size count, unsigned flags),
     (stream, nodes, edges, count, flags))
SAME(cuGraphInstantiateWithParams, cudaGraphInstantiateWithParams, (void** result, void* graph, void* how),
     (result, graph, how))
SAME(cuGraphAddDependencies_v2, cudaGraphAddDependencies,
     (void* graph, Nodes from, Nodes to, const void* edges, Size count), (graph, from, to, edges, count))
SAME(cuGraphRemoveDependencies_v2, cudaGraphRemoveDependencies,
     (void* graph, Nodes from, Nodes to, const void* edges, Size count), (graph, from, to, edges, count))
SAME(cuGraphGetEdges_v2, cudaGraphGetEdges, (void* graph, void** from, void** to, void* edges, Size* count),
     (graph, from, to, edges, count))
SAME(cuGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies, (void* node, void** nodes, void* edges, Size* count),
     (node, nodes, edges, count))
SAME(cuGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes,
     (void* node, void** nodes, void* edges, Size* count), (node, nodes, edges, count))
SAME(cuGraphNodeFindInClone, cudaGraphNodeFindInClone, (void** result, void* node, void* clone), (result, node, clone))
SAME(cuGraphNodeSetEnabled, cudaGraphNodeSetEnabled, (void* executable, void* node, unsigned enabled),
     (executable, node, enabled))
SAME(cuGraphNodeGetEnabled, cudaGraphNodeGetEnabled, (void* executable, void* node, unsigned* enabled),
     (executable, node, enabled))
SAME(cuGraphConditionalHandleCreate, cudaGraphConditionalHandleCreate,
     (std::uint64_t* handle, void* graph, unsigned value, unsigned flags), (handle, graph, value, flags))
SAME(cuGraphAddEventRecordNode, cudaGraphAddEventRecordNode,
     (void** node, void* graph, Nodes after, Size count, void* event), (node, graph, after, count, event))
SAME(cuGraphAddEventWaitNode, cudaGraphAddEventWaitNode,
     (void** node, void* graph, Nodes after, Size count, void* event), (node, graph, after, count, event))
SAME(cuGraphAddMemAllocNode, cudaGraphAddMemAllocNode, (void** node, void* graph, Nodes after, Size count, void* how),
     (node, graph, after, count, how))
SAME(cuGraphAddMemFreeNode, cudaGraphAddMemFreeNode, (void** node, void* graph, Nodes after, Size count, void* address),
     (node, graph, after, count, address))
SAME(cuGraphKernelNodeSetParams_v2, cudaGraphKernelNodeSetParams, (void* node, const void* how), (node, how))
SAME(cuGraphKernelNodeSetAttribute, cudaGraphKernelNodeSetAttribute, (void* node, int attribute, const void* value),
     (node, attribute, value))
SAME(cuGraphKernelNodeGetAttribute, cudaGraphKernelNodeGetAttribute, (void* node, int attribute, void* value),
     (node, attribute, value))
SAME(cuGraphKernelNodeCopyAttributes, cudaGraphKernelNodeCopyAttributes, (void* to, void* from), (to, from))
SAME(cuGraphHostNodeGetParams, cudaGraphHostNodeGetParams, (void* node, void* result), (node, result))
SAME(cuGraphMemsetNodeGetParams, cudaGraphMemsetNodeGetParams, (void* node, void* result), (node, result))
SAME(cuGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph, (void* node, void** graph), (node, graph))
SAME(cuGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams,
     (void* executable, void* node, void* child), (executable, node, child))
SAME(cuGraphDebugDotPrint, cudaGraphDebugDotPrint, (void* graph, const char* path, unsigned flags),
     (graph, path, flags))
SAME(cuUserObjectCreate, cudaUserObjectCreate,
     (void** result, void* data, void (*destroy)(void*), unsigned references, unsigned flags),
     (result, data, destroy, references, flags))
SAME(cuUserObjectRetain, cudaUserObjectRetain, (void* object, unsigned count), (object, count))
SAME(cuUserObjectRelease, cudaUserObjectRelease, (void* object, unsigned count), (object, count))
SAME(cuGraphRetainUserObject, cudaGraphRetainUserObject, (void* graph, void* object, unsigned count, unsigned flags),
     (graph, object, count, flags))
SAME(cuGraphReleaseUserObject, cudaGraphReleaseUserObject, (void* graph, void* object, unsigned count),
     (graph, object, count))

// CUDA_KERNEL_NODE_PARAMS begins as that of the runtime; a kernel and a context follow.
struct DriverKernelNode {
    runtime::KernelNode own;
    void *kernel, *context;
};
extern "C" int cudaGraphKernelNodeGetParams(void* node, runtime::KernelNode* result);
STANDIN_API int cuGraphKernelNodeGetParams_v2(void* node, DriverKernelNode* result) {
    if (result == nullptr) return invalid_value;
    result->kernel = result->context = nullptr;
    return quietly_called([&] { return cudaGraphKernelNodeGetParams(node, &result->own); });
}
// CUgraphNodeParams is that of the runtime, but for copies.
extern "C" int cudaGraphAddNode(void** node, void* graph, Nodes after, std::uintptr_t edges_or_count,
                                std::uintptr_t count_or_how, void* last);
STANDIN_API int cuGraphAddNode_v2(void** node, void* graph, Nodes after, std::uintptr_t edges, std::uintptr_t count,
                                  void* how) {
    constexpr int copy_node = 1;
    if (how != nullptr && *static_cast<int*>(how) == copy_node) missing("cuGraphAddNode of a copy");
    return quietly_called([&] { return cudaGraphAddNode(node, graph, after, edges, count, how); });
}
