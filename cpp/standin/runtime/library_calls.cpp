#include "standin/runtime/library_calls.hpp"

namespace foretell::standin {

int library_call(void* stream, LibraryCall what, std::function<void()> body) {
    constexpr int kernel_node = 0;
    return call([&](Device& gpu) -> int {
        Stream* where = gpu.stream(stream);
        if (where == nullptr) return invalid_handle;
        const bool waits = what.waits;
        auto run = [&gpu, what = std::move(what), body = std::move(body)](std::uint32_t number) {
            body();
            Writer message;
            message.put(number).put(static_cast<std::uint32_t>(what.family));
            message.put(static_cast<std::uint32_t>(what.numbers));
            for (const std::uint64_t size : what.sizes) message.put(size);
            message.put(reinterpret_cast<std::uint64_t>(what.written)).put(what.written_bytes);
            message.put(std::string_view(what.name));
            gpu.channel.tell(Operation::library, message);
            return static_cast<int>(success);
        };
        const int error = gpu.submit(where, kernel_node, std::move(run));
        return error == success && waits ? gpu.synchronise(where) : error;
    });
}

bool is_device_memory(const void* address, std::uint64_t bytes) {
    bool is_inside = false;
    const auto first = reinterpret_cast<std::uint64_t>(address);
    call([&](Device& gpu) {
        const Allocation* known = gpu.memory.find(first);
        is_inside = known != nullptr && first + bytes <= known->address + known->bytes;
        return static_cast<int>(success);
    });
    return is_inside || bytes == 0;
}

}  // namespace foretell::standin
