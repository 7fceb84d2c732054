// What belongs to graphs beside their nodes: objects of the program that live as long as they do, parts, and pictures.
#include <cstdio>
#include <memory>

#include "standin/runtime/graphs/graphs.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace {

// An object is destroyed when nobody refers to it; graphs, and what was made of them, refer to what they were given.
struct UserObject {
    void* data;
    void (*destroy)(void*);
    unsigned references;

    void retain(unsigned count) { references += count; }
    void release(unsigned count) {
        references -= count < references ? count : references;
        if (references == 0) destroy(data);
    }
};

template <class Use>
int on_object(void* handle, unsigned count, Use&& use) {
    if (handle == nullptr || count == 0) return invalid_value;
    return call([&](Device&) {
        use(*static_cast<UserObject*>(handle));
        return static_cast<int>(success);
    });
}

const char* kind_name(int kind) {
    constexpr const char* names[] = {"kernel",     "copy",         "set",  "host", "graph", "empty",
                                     "event wait", "event record", "node", "node", "alloc", "free"};
    return kind >= 0 && kind < 12 ? names[kind] : "node";
}

}  // namespace

STANDIN_API int cudaUserObjectCreate(void** result, void* data, void (*destroy)(void*), unsigned references, unsigned) {
    return call([&](Device&) -> int {
        if (result == nullptr || destroy == nullptr || references == 0) return invalid_value;
        *result = new UserObject{data, destroy, references};
        return success;
    });
}
STANDIN_API int cudaUserObjectRetain(void* object, unsigned count) {
    return on_object(object, count, [&](UserObject& own) { own.retain(count); });
}
STANDIN_API int cudaUserObjectRelease(void* object, unsigned count) {
    return on_object(object, count, [&](UserObject& own) { own.release(count); });
}
// With the flag cudaGraphUserObjectMove the graph takes over references of the caller.
STANDIN_API int cudaGraphRetainUserObject(void* graph, void* object, unsigned count, unsigned flags) {
    constexpr unsigned moves = 1;
    if (graph == nullptr) return invalid_value;
    return on_object(object, count, [&](UserObject& own) {
        if ((flags & moves) == 0) own.retain(count);
        for (unsigned place = 0; place < count; ++place)
            graph_of(graph).objects.emplace_back(&own, [](void* kept) { static_cast<UserObject*>(kept)->release(1); });
    });
}
STANDIN_API int cudaGraphReleaseUserObject(void* graph, void* object, unsigned count) {
    if (graph == nullptr) return invalid_value;
    return on_object(object, count, [&](UserObject& own) {
        auto& kept = graph_of(graph).objects;
        for (auto at = kept.begin(); at != kept.end() && count > 0;) {
            const bool found = at->get() == &own;
            at = found ? kept.erase(at) : at + 1;
            count -= found;
        }
    });
}

STANDIN_API int cudaGraphChildGraphNodeGetGraph(void* node, void** graph) {
    return call([&](Device&) -> int {
        if (node == nullptr || graph == nullptr || !node_of(node).child) return invalid_value;
        *graph = handle_of(node_of(node).child);
        return success;
    });
}
STANDIN_API int cudaGraphExecChildGraphNodeSetParams(void* executable, void* node, void* child) {
    return call([&](Device&) -> int {
        Node* own = executable == nullptr || node == nullptr ? nullptr : node_in(executable, node);
        if (own == nullptr || !own->child || child == nullptr) return invalid_value;
        auto copy = graph_of(child).copied();
        if (!copy->sort()) return invalid_value;
        own->child = copy;
        own->run = [copy](std::uint32_t stream) { return copy->run(stream); };
        return success;
    });
}

// In the language of Graphviz.
STANDIN_API int cudaGraphDebugDotPrint(void* graph, const char* path, unsigned) {
    return call([&](Device&) -> int {
        if (graph == nullptr || path == nullptr) return invalid_value;
        const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path, "w"), &fclose);
        if (file == nullptr) return invalid_value;
        fputs("digraph dot {\n", file.get());
        for (void* item : visible(graph_of(graph))) {
            const Node& node = node_of(item);
            const char* label = node.kernel ? node.kernel->function->name.c_str() : kind_name(node.kind);
            const auto number = static_cast<unsigned long long>(node.number);
            fprintf(file.get(), "\"node_%llu\" [label=\"%s\"];\n", number, label);
            for (const std::uint64_t before : node.after)
                fprintf(file.get(), "\"node_%llu\" -> \"node_%llu\";\n", static_cast<unsigned long long>(before),
                        number);
        }
        fputs("}\n", file.get());
        return success;
    });
}
