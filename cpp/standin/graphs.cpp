// Graphs of the simulated device: captured from streams, or made of nodes one by one.
#include <algorithm>

#include "standin/device.hpp"

namespace foretell::standin {

namespace {

constexpr int wait_node = 6, record_node = 7;

}  // namespace

Graph::Node* Graph::find(std::uint64_t number) const {
    for (const auto& node : nodes)
        if (node->number == number) return node.get();
    return nullptr;
}

std::shared_ptr<Graph> Graph::copied() const {
    auto result = std::make_shared<Graph>();
    result->origin = origin;
    result->conditions = conditions;
    result->objects = objects;
    for (const auto& node : nodes) {
        result->nodes.push_back(std::make_shared<Node>(*node));
        if (node->child) result->nodes.back()->child = node->child->copied();
    }
    return result;
}

bool Graph::sort() {
    std::set<std::uint64_t> waiting;  // numbers of nodes that are not in their place yet
    for (const auto& node : nodes) waiting.insert(node->number);
    const auto ready = [&](const auto& node) {
        return std::none_of(node->after.begin(), node->after.end(),
                            [&](std::uint64_t number) { return waiting.count(number) != 0; });
    };
    for (auto place = nodes.begin(); place != nodes.end(); ++place) {
        const auto next = std::find_if(place, nodes.end(), ready);
        if (next == nodes.end()) return false;
        std::rotate(place, next, next + 1);
        waiting.erase((*place)->number);
    }
    return true;
}

int Device::begin_capture(Stream* where, std::shared_ptr<Graph> into, std::vector<std::uint64_t> after) {
    if (where == nullptr || where == &legacy_) return capture_unsupported;
    if (where->capture) return capture_unsupported;
    where->capture = into ? std::move(into) : std::make_shared<Graph>();
    where->capture->origin = where->id;
    where->capture->joined.insert(where);
    where->capture->last[where->id] = std::move(after);
    where->origin = true;
    return success;
}

int Device::end_capture(Stream* where, std::shared_ptr<Graph>& result) {
    if (where == nullptr || !where->capture || !where->origin) return capture_invalidated;
    result = where->capture;
    where->origin = false;
    for (Stream* joined : result->joined) joined->capture.reset();
    for (auto& [handle, item] : events_)
        if (item->capture == result) item->capture.reset();
    result->joined.clear();
    result->last.clear();
    result->events.clear();
    return success;
}

int Graph::run(std::uint32_t stream) const {
    for (const Condition& item : conditions) *reinterpret_cast<std::uint32_t*>(item.address) = item.value;
    int error = success;
    for (const auto& node : nodes)
        if (error == success && node->enabled) {
            const bool own = node->stream == origin || node->stream == explicit_graph;
            error = node->run(own ? stream : node->stream);
        }
    return error;
}

int Device::run_graph(const Graph& graph, Stream* where) {
    channel.tell(Operation::graph, Writer().put(where->id).put(std::uint32_t{1}));
    const int error = graph.run(where->id);
    channel.tell(Operation::graph, Writer().put(where->id).put(std::uint32_t{0}));
    return error;
}

int Device::submit(Stream* where, int kind, std::function<int(std::uint32_t)> run) {
    if (where == nullptr) return invalid_handle;
    if (!where->capture) return run(where->id);
    auto node = std::make_shared<Graph::Node>();
    node->stream = where->id;
    node->kind = kind;
    node->inner = kind == wait_node || kind == record_node;
    node->run = std::move(run);
    node->number = next_node();
    Graph& graph = *where->capture;
    node->after = graph.last[where->id];
    if (!node->inner) graph.last[where->id] = {node->number};
    graph.nodes.push_back(std::move(node));
    return success;
}

}  // namespace foretell::standin
