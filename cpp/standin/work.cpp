// Allocations, copies, streams, events and graphs of the simulated device.
#include <cstdio>

#include "standin/device.hpp"
#include "standin/runtime/registered.hpp"

namespace foretell::standin {

namespace {

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

constexpr int heap_limit = 2;  // cudaLimitMallocHeapSize
constexpr int copy_node = 1, set_node = 2, host_node = 3, wait_node = 6, record_node = 7;

}  // namespace

// ------------------------------------------------------------------------------------------ memory

int Device::allocate(void** result, std::uint64_t bytes, Space space, unsigned flags) {
    if (result == nullptr) return invalid_value;
    *result = nullptr;
    if (bytes == 0) return success;
    const std::uint64_t address = memory.allocate(bytes, space, flags);
    if (address == 0) {
        channel.tell(Operation::allocate,
                     Writer().put(std::uint64_t{0}).put(bytes).put(static_cast<std::uint32_t>(space)));
        return out_of_memory;
    }
    channel.tell(Operation::allocate, Writer().put(address).put(bytes).put(static_cast<std::uint32_t>(space)));
    *result = reinterpret_cast<void*>(address);
    return success;
}

int Device::release(void* address, bool host) {
    if (address == nullptr) return success;
    const Allocation* known = memory.find(number(address));
    if (known == nullptr || known->address != number(address)) return invalid_value;
    if ((known->space == Space::host) != host || known->space == Space::module) return invalid_value;
    channel.tell(Operation::release, Writer().put(number(address)));
    runtime::given_back(number(address));
    return memory.release(number(address)) ? success : invalid_value;
}

// The space that a range lies in; an error for a range that is not wholly inside of its allocation.
int Device::sorted(std::uint64_t address, std::uint64_t bytes, Space& space) const {
    const Allocation* known = memory.find(address);
    space = known == nullptr ? Space::unregistered : known->space;
    if (known == nullptr) return memory.inside(address) ? invalid_value : success;
    return address + bytes <= known->address + known->bytes ? success : invalid_value;
}

int Device::copy(void* to, const void* from, std::uint64_t bytes, int direction, Stream* where, bool asynchronous) {
    return copy_rows(to, bytes, from, bytes, bytes, 1, direction, where, asynchronous);
}

int Device::copy_rows(void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch, std::uint64_t width,
                      std::uint64_t rows, int direction, Stream* where, bool asynchronous) {
    if (direction < 0 || direction > 4) return invalid_direction;
    if (width == 0 || rows == 0) return success;
    if (to == nullptr || from == nullptr) return invalid_value;
    if (to_pitch < width || from_pitch < width) return invalid_pitch;
    Space target, source;
    if (const int error = sorted(number(to), to_pitch * (rows - 1) + width, target)) return error;
    if (const int error = sorted(number(from), from_pitch * (rows - 1) + width, source)) return error;
    const bool on_device[] = {target == Space::device || target == Space::module,
                              source == Space::device || source == Space::module};
    const bool outside[] = {target == Space::unregistered, source == Space::unregistered};
    // A host pointer where the direction asks for a device one is refused, and the other way round.
    const bool to_device = direction == 1 || direction == 3, from_device = direction == 2 || direction == 3;
    if (direction < 4 && ((to_device && outside[0]) || (from_device && outside[1]))) return invalid_value;
    if (direction < 4 && ((!to_device && on_device[0]) || (!from_device && on_device[1]))) return invalid_value;
    auto run = [=, this](std::uint32_t stream) {
        auto* write = static_cast<char*>(to);
        const auto* read = static_cast<const char*>(from);
        if (to_pitch == width && from_pitch == width) memmove(write, read, width * rows);
        else
            for (std::uint64_t row = 0; row < rows; ++row)
                memmove(write + row * to_pitch, read + row * from_pitch, width);
        channel.tell(Operation::copy, Writer()
                                          .put(stream)
                                          .put(static_cast<std::uint32_t>(source))
                                          .put(static_cast<std::uint32_t>(target))
                                          .put(width)
                                          .put(rows)
                                          .put<std::uint32_t>(asynchronous)
                                          .put(number(to))
                                          .put(number(from)));
        return asynchronous ? static_cast<int>(success) : finished();
    };
    return submit(where, copy_node, run);
}

int Device::prefetch(const void* address, std::uint64_t bytes, Stream* where) {
    constexpr std::uint32_t prefetched = 6;  // uses/program_run/memory/device_memory.py
    return submit(where, copy_node, [=, this](std::uint32_t stream) {
        channel.tell(Operation::copy, Writer()
                                          .put(stream)
                                          .put(static_cast<std::uint32_t>(Space::managed))
                                          .put(prefetched)
                                          .put(bytes)
                                          .put(std::uint64_t{1})
                                          .put(std::uint32_t{1})
                                          .put(number(address))
                                          .put(number(address)));
        return static_cast<int>(success);
    });
}

int Device::set_rows(void* to, std::uint64_t pitch, unsigned value, unsigned element, std::uint64_t count,
                     std::uint64_t rows, Stream* where, bool asynchronous) {
    if (count == 0 || rows == 0) return success;
    const std::uint64_t width = count * element;
    if (to == nullptr || pitch < width) return invalid_value;
    Space target;
    if (const int error = sorted(number(to), pitch * (rows - 1) + width, target)) return error;
    if (target == Space::unregistered) return invalid_value;
    auto run = [=, this](std::uint32_t stream) {
        for (std::uint64_t row = 0; row < rows; ++row) {
            char* write = static_cast<char*>(to) + row * pitch;
            if (element == 1) {
                memset(write, static_cast<int>(value), width);
                continue;
            }
            for (std::uint64_t item = 0; item < count; ++item) memcpy(write + item * element, &value, element);
        }
        channel.tell(Operation::set,
                     Writer().put(stream).put(width * rows).put<std::uint32_t>(asynchronous).put(number(to)));
        return static_cast<int>(success);
    };
    return submit(where, set_node, run);
}

// ------------------------------------------------------------------------------------------ streams and events

Stream* Device::stream(void* handle) {
    if (handle == nullptr || handle == reinterpret_cast<void*>(1)) return &legacy_;
    if (handle == reinterpret_cast<void*>(2)) return &per_thread_;
    const auto known = streams_.find(handle);
    return known == streams_.end() ? nullptr : known->second.get();
}

Stream* Device::new_stream(unsigned flags, int priority) {
    auto made = std::make_unique<Stream>();
    made->id = next_stream_++;
    made->flags = flags;
    made->priority = priority;
    Stream* handle = made.get();
    streams_[handle] = std::move(made);
    channel.tell(Operation::stream, Writer().put(handle->id).put(flags).put(priority));
    return handle;
}

int Device::drop_stream(Stream* item) {
    return item != nullptr && streams_.erase(item) == 1 ? success : invalid_handle;
}

Event* Device::event(void* handle) {
    const auto known = events_.find(handle);
    return known == events_.end() ? nullptr : known->second.get();
}

Event* Device::new_event(unsigned flags) {
    auto made = std::make_unique<Event>();
    made->id = next_event_++;
    made->flags = flags;
    Event* handle = made.get();
    events_[handle] = std::move(made);
    return handle;
}

int Device::drop_event(Event* item) { return item != nullptr && events_.erase(item) == 1 ? success : invalid_handle; }

int Device::record(Event* item, Stream* where) {
    if (item == nullptr || where == nullptr) return invalid_handle;
    item->recorded = true;
    item->capture = where->capture;
    const std::uint32_t number = item->id;
    if (where->capture) where->capture->events[number] = where->capture->last[where->id];
    return submit(where, record_node, [this, number](std::uint32_t stream) {
        channel.tell(Operation::record, Writer().put(number).put(stream));
        return static_cast<int>(success);
    });
}

int Device::wait(Stream* where, Event* item) {
    if (item == nullptr || where == nullptr) return invalid_handle;
    if (!item->recorded) return success;
    if (item->capture && !where->capture) {  // the stream joins the capture of the event
        where->capture = item->capture;
        item->capture->joined.insert(where);
    }
    const std::uint32_t number = item->id;
    if (where->capture) {
        auto& before = where->capture->last[where->id];
        const auto& others = where->capture->events[number];
        before.insert(before.end(), others.begin(), others.end());
    }
    return submit(where, wait_node, [this, number](std::uint32_t stream) {
        channel.tell(Operation::wait, Writer().put(stream).put(number));
        return static_cast<int>(success);
    });
}

// What waits for the device also shows what kernels printed, and learns of their errors.
int Device::finished() {
    if (!printed_.empty()) {
        fwrite(printed_.data(), 1, printed_.size(), stdout);
        printed_.clear();
    }
    if (broken_with_ != success) broken = true;
    return broken_with_;
}

int Device::synchronise(Stream* where) {
    if (where != nullptr && where->capture) return capture_unsupported;
    const std::uint32_t every = 0xFFFFFFFFU;
    channel.tell(Operation::synchronise, Writer().put(where == nullptr ? every : where->id).put(std::uint32_t{0}));
    return finished();
}

int Device::synchronise(Event* item) {
    if (item == nullptr) return invalid_handle;
    if (item->recorded) channel.tell(Operation::synchronise, Writer().put(std::uint32_t{0}).put(item->id));
    return finished();
}

int Device::elapsed(Event* first, Event* last, float& milliseconds) {
    constexpr unsigned without_timing = 2;
    if (first == nullptr || last == nullptr || !first->recorded || !last->recorded) return invalid_handle;
    if (((first->flags | last->flags) & without_timing) != 0) return invalid_handle;
    Answer answer = channel.ask(Operation::elapsed, Writer().put(first->id).put(last->id));
    milliseconds = static_cast<float>(answer.get<double>() * 1e3);
    return answer.status;
}

int Device::call_host(Stream* where, std::function<void()> body) {
    return submit(where, host_node, [this, body = std::move(body)](std::uint32_t stream) {
        channel.tell(Operation::synchronise, Writer().put(stream).put(std::uint32_t{0}));
        const int error = finished();
        body();
        return error;
    });
}

// ------------------------------------------------------------------------------------------ limits

std::size_t Device::limit(int number) const {
    constexpr std::size_t defaults[] = {1024, 1 << 20, 8 << 20};  // stack, printf, heap
    if (const auto set = limits.find(number); set != limits.end()) return set->second;
    return number >= 0 && number < 3 ? defaults[number] : 0;
}

int Device::set_limit(int number, std::size_t value) {
    if (number < 0 || number >= known_limits) return unsupported_limit;
    if (number == heap_limit && heap_ != 0) return invalid_value;  // it is in use
    limits[number] = value;
    return success;
}

// Memory for malloc in kernels, when the first module that calls it is loaded.
int Device::make_heap() {
    if (heap_ != 0) return success;
    const std::uint64_t bytes = limit(heap_limit);
    heap_ = memory.allocate(bytes, Space::module, 0);
    if (heap_ == 0) return out_of_memory;
    channel.tell(Operation::allocate, Writer().put(heap_).put(bytes).put(static_cast<std::uint32_t>(Space::module)));
    channel.tell(Operation::heap, Writer().put(heap_).put(bytes));
    return success;
}

}  // namespace foretell::standin
