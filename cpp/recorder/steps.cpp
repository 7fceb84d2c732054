#include "recorder/steps.hpp"

#include <ctime>

namespace foretell::recorder {

namespace {

constexpr std::uint64_t every_stream = 0xFFFFFFFFU;
constexpr std::uint64_t most_steps = 10'000'000;  // what a capture may have (frontends/gpu/recorded_program.py)
constexpr int host_type = 1, type_of_pointer = 2, is_managed = 8;  // CU_MEMORYTYPE_HOST, CU_POINTER_ATTRIBUTE_*
constexpr std::uint64_t by_legacy = 0, by_thread = 2;              // handles of default streams, as numbers

std::uint64_t now_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

Space space_of(Address address, const Driver& driver) {
    int type = 0, managed = 0;
    if (driver.pointer_attribute(&type, type_of_pointer, address) != 0 || type == 0) return Space::pageable;
    if (driver.pointer_attribute(&managed, is_managed, address) == 0 && managed != 0) return Space::managed;
    return type == host_type ? Space::pinned : Space::device;
}

template <class End>
Space space_of(const End& end, const Driver& driver) {
    if (end.type == 3) return Space::device;  // an array
    return space_of(end.type == host_type ? end.host : end.device, driver);
}

template <class P>
const P& as(const void* parameters) {
    return *static_cast<const P*>(parameters);
}

// Bytes of an element of a set, and whether it has rows, is asynchronous, and of the stream of its thread.
struct SetCall {
    std::uint32_t id;
    unsigned bytes;
    bool rows, asynchronous, per_thread;
};

constexpr SetCall set_calls[] = {
    {set_8, 1, false, false, false},
    {set_16, 2, false, false, false},
    {set_32, 4, false, false, false},
    {set_rows_8, 1, true, false, false},
    {set_rows_16, 2, true, false, false},
    {set_rows_32, 4, true, false, false},
    {set_8_async, 1, false, true, false},
    {set_16_async, 2, false, true, false},
    {set_32_async, 4, false, true, false},
    {set_rows_8_async, 1, true, true, false},
    {set_rows_16_async, 2, true, true, false},
    {set_rows_32_async, 4, true, true, false},
    {set_8_ptds, 1, false, false, true},
    {set_16_ptds, 2, false, false, true},
    {set_32_ptds, 4, false, false, true},
    {set_rows_8_ptds, 1, true, false, true},
    {set_rows_16_ptds, 2, true, false, true},
    {set_rows_32_ptds, 4, true, false, true},
    {set_8_async_ptsz, 1, false, true, true},
    {set_16_async_ptsz, 2, false, true, true},
    {set_32_async_ptsz, 4, false, true, true},
    {set_rows_8_async_ptsz, 1, true, true, true},
    {set_rows_16_async_ptsz, 2, true, true, true},
    {set_rows_32_async_ptsz, 4, true, true, true},
};

struct CopyCall {
    std::uint32_t id;
    int dimensions;
    bool asynchronous, per_thread;
};

constexpr CopyCall copy_calls[] = {
    {copy, 1, false, false},
    {copy_to_device, 1, false, false},
    {copy_to_host, 1, false, false},
    {copy_within, 1, false, false},
    {copy_ptds, 1, false, true},
    {copy_to_device_ptds, 1, false, true},
    {copy_to_host_ptds, 1, false, true},
    {copy_within_ptds, 1, false, true},
    {copy_async, 1, true, false},
    {copy_to_device_async, 1, true, false},
    {copy_to_host_async, 1, true, false},
    {copy_within_async, 1, true, false},
    {copy_async_ptsz, 1, true, true},
    {copy_to_device_async_ptsz, 1, true, true},
    {copy_to_host_async_ptsz, 1, true, true},
    {copy_within_async_ptsz, 1, true, true},
    {copy_2d, 2, false, false},
    {copy_2d_unaligned, 2, false, false},
    {copy_2d_ptds, 2, false, true},
    {copy_2d_unaligned_ptds, 2, false, true},
    {copy_2d_async, 2, true, false},
    {copy_2d_async_ptsz, 2, true, true},
    {copy_3d, 3, false, false},
    {copy_3d_ptds, 3, false, true},
    {copy_3d_async, 3, true, false},
    {copy_3d_async_ptsz, 3, true, true},
};

template <class Table>
auto* entry(const Table& table, std::uint32_t id) {
    for (const auto& item : table)
        if (item.id == id) return &item;
    return static_cast<decltype(&table[0])>(nullptr);
}

}  // namespace

// ------------------------------------------------------------------------------------------ time

void HostClock::enter() {
    const std::lock_guard lock(mutex_);
    if (depth_++ == 0 && left_ns_ != 0) counted_ns_ += now_ns() - left_ns_;
}

void HostClock::leave() {
    const std::lock_guard lock(mutex_);
    if (depth_ > 0) --depth_;  // the call in which recording began is left, and was not entered
    if (depth_ == 0) left_ns_ = now_ns();
}

std::uint64_t HostClock::taken() {
    const std::lock_guard lock(mutex_);
    const std::uint64_t result = counted_ns_;
    counted_ns_ = 0;
    return result;
}

void HostClock::forget() { taken(); }

// ------------------------------------------------------------------------------------------ steps

void Steps::write(Step kind, std::initializer_list<std::uint64_t> numbers) {
    if (++written_ > most_steps) return log_.note("what the program did after 10 million calls is missing");
    polled_ = false;
    entry_.clear().put(kind).put(clock_.taken());
    for (const std::uint64_t number : numbers) entry_.put(number);
    log_.write(Entry::step, entry_);
}

std::uint64_t Steps::stream(void* handle, bool per_thread) {
    const auto value = reinterpret_cast<std::uint64_t>(handle);
    if (value == 1 || (value == 0 && !per_thread)) return by_legacy;
    if (value <= 2) handle = reinterpret_cast<void*>(by_thread);
    const auto [at, is_new] = streams_.try_emplace(handle, next_stream_);
    if (is_new) ++next_stream_;
    return at->second;
}

std::uint64_t Steps::event(void* handle) { return events_.try_emplace(handle, events_.size() + 1).first->second; }

bool Steps::in_graph(void* stream, const Driver& driver) const {
    int status = 0;
    return capturing > 0 && driver.stream_capturing(stream, &status) == 0 && status != 0;
}

bool Steps::entered(std::uint32_t id, const void* parameters, std::uint32_t correlation, const Driver& driver) {
    return copy_call(id, parameters, correlation, driver) || set_call(id, parameters, correlation, driver) ||
           stream_call(id, parameters, driver);
}

void Steps::copied(Address to, Address from, std::uint64_t bytes, std::uint64_t stream, bool asynchronous,
                   std::uint32_t correlation, const Driver& driver) {
    write(Step::copy, {stream, static_cast<std::uint64_t>(space_of(from, driver)),
                       static_cast<std::uint64_t>(space_of(to, driver)), bytes, asynchronous, correlation});
}

void Steps::copied(const BoxCopy& box, std::uint64_t stream, bool asynchronous, std::uint32_t correlation,
                   const Driver& driver) {
    write(Step::copy, {stream, static_cast<std::uint64_t>(space_of(box.from, driver)),
                       static_cast<std::uint64_t>(space_of(box.to, driver)), box.width * box.height * box.depth,
                       asynchronous, correlation});
}

bool Steps::copy_call(std::uint32_t id, const void* parameters, std::uint32_t correlation, const Driver& driver) {
    const CopyCall* call = entry(copy_calls, id);
    if (call == nullptr) return false;
    const auto& plain = as<CopyParameters>(parameters);
    const auto& shaped = as<ShapedCopyParameters<RowsCopy>>(parameters);
    void* handle = !call->asynchronous ? nullptr : call->dimensions == 1 ? plain.stream : shaped.stream;
    if (in_graph(handle, driver)) return true;
    const std::uint64_t where = stream(handle, call->per_thread);
    if (call->dimensions == 1) {
        copied(plain.to, plain.from, plain.bytes, where, call->asynchronous, correlation, driver);
    } else if (call->dimensions == 2) {
        const RowsCopy& rows = *shaped.copy;
        write(Step::copy, {where, static_cast<std::uint64_t>(space_of(rows.from, driver)),
                           static_cast<std::uint64_t>(space_of(rows.to, driver)), rows.width * rows.height,
                           call->asynchronous, correlation});
    } else {
        copied(*as<ShapedCopyParameters<BoxCopy>>(parameters).copy, where, call->asynchronous, correlation, driver);
    }
    return true;
}

bool Steps::set_call(std::uint32_t id, const void* parameters, std::uint32_t correlation, const Driver& driver) {
    const SetCall* call = entry(set_calls, id);
    if (call == nullptr) return false;
    const auto& plain = as<SetParameters>(parameters);
    const auto& rows = as<SetRowsParameters>(parameters);
    void* handle = !call->asynchronous ? nullptr : call->rows ? rows.stream : plain.stream;
    const std::uint64_t count = call->rows ? rows.width * rows.height : plain.count;
    if (!in_graph(handle, driver))
        write(Step::set, {stream(handle, call->per_thread), count * call->bytes, correlation});
    return true;
}

bool Steps::stream_call(std::uint32_t id, const void* parameters, const Driver& driver) {
    const auto& events = as<EventParameters>(parameters);
    const auto& waits = as<WaitParameters>(parameters);
    switch (id) {
        case context_synchronise:
        case context_synchronise_2: write(Step::synchronise, {every_stream, 0}); return true;
        case stream_synchronise:
        case stream_synchronise_ptsz:
            write(Step::synchronise, {stream(waits.stream, id == stream_synchronise_ptsz), 0});
            return true;
        case event_synchronise: write(Step::synchronise, {0, event(events.event)}); return true;
        case event_record:
        case event_record_ptsz:
        case event_record_flags:
        case event_record_flags_ptsz:
            if (!in_graph(events.stream, driver))
                write(Step::record, {event(events.event),
                                     stream(events.stream, id == event_record_ptsz || id == event_record_flags_ptsz)});
            return true;
        case stream_wait:
        case stream_wait_ptsz:
            if (!in_graph(waits.stream, driver))
                write(Step::wait, {stream(waits.stream, id == stream_wait_ptsz), event(waits.event)});
            return true;
        case stream_query:
        case stream_query_ptsz:
        case event_query:
            if (polled_) clock_.forget();  // since the query before the host did nothing but ask
            return true;
        case stream_destroy: streams_.erase(waits.stream); return true;
        default: return false;
    }
}

// A query that finds everything done is the end of waiting.
void Steps::left(std::uint32_t id, const void* parameters, int result) {
    if (id == stream_create || id == stream_create_priority) {
        const auto& made = as<StreamCreateParameters>(parameters);
        if (result == 0) write(Step::stream, {stream(*made.result), made.flags});
        return;
    }
    if (id != event_query && id != stream_query && id != stream_query_ptsz) return;
    polled_ = result != 0;
    if (polled_) return;
    if (id == event_query) write(Step::synchronise, {0, event(as<EventParameters>(parameters).event)});
    else write(Step::synchronise, {stream(as<StreamParameters>(parameters).stream, id == stream_query_ptsz), 0});
}

}  // namespace foretell::recorder
