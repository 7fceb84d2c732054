// Passes references to the locality engines: a ring of buffers, filled by the instrumented program and processed by
// itself or by a helper thread; marks in it assign references to loops. Part of runtime.cpp.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <new>

#include "lru.hpp"
#include "runtime.hpp"

namespace foretell::trace {
namespace {

constexpr int kBuffers = 4;
constexpr std::size_t kMarks = kRing / 4;

std::uint64_t sample_limit = 0;  // lines with a hash below are sampled; 0: every line
unsigned sample_shift = 0;
std::uint64_t buffers[kBuffers][kRing];
std::size_t lengths[kBuffers];
struct Mark {  // from this reference of a buffer on, references belong to another loop
    std::size_t at;
    Loop* loop;
};
Mark marks[kBuffers][kMarks];
std::size_t mark_counts[kBuffers];
std::atomic<std::uint64_t> produced{0}, consumed{0};
bool helper = false;
pthread_t helper_thread;
std::atomic<bool> stopping{false};
FILE* dump = nullptr;  // writes every reference, for tests
Lru* engines[kMostEngines];
int engine_count = 0;
alignas(Lru) char engine_memory[kMostEngines][sizeof(Lru)];

void consume(std::size_t buffer, std::size_t length) {
    const std::uint64_t* first = buffers[buffer];
    if (dump != nullptr) fwrite(first, sizeof *first, length, dump);
    for (int engine = 0; engine < engine_count; ++engine) {
        std::size_t from = 0;
        for (std::size_t mark = 0; mark < mark_counts[buffer]; ++mark) {
            const Mark& next = marks[buffer][mark];
            engines[engine]->touch(first + from, first + next.at);
            engines[engine]->count_in(next.loop->distances[engine]);
            from = next.at;
        }
        engines[engine]->touch(first + from, first + length);
    }
    mark_counts[buffer] = 0;
}

void* help(void*) {
    std::uint64_t next = 0;
    for (;;) {
        if (produced.load(std::memory_order_acquire) == next) {
            if (stopping.load(std::memory_order_acquire) && produced.load(std::memory_order_acquire) == next)
                return nullptr;
            sched_yield();
            continue;
        }
        consume(next % kBuffers, lengths[next % kBuffers]);
        consumed.store(++next, std::memory_order_release);
    }
}

void open_buffer(std::uint64_t number) {
    ft_cursor = buffers[number % kBuffers];
    ft_end = ft_cursor + kRing;
}

void submit_buffer() {
    const std::uint64_t number = produced.load(std::memory_order_relaxed);
    std::uint64_t* first = buffers[number % kBuffers];
    if (!helper) {
        consume(number % kBuffers, static_cast<std::size_t>(ft_cursor - first));
        ft_cursor = first;
        return;
    }
    lengths[number % kBuffers] = static_cast<std::size_t>(ft_cursor - first);
    produced.store(number + 1, std::memory_order_release);
    while (number + 1 - consumed.load(std::memory_order_acquire) >= kBuffers) sched_yield();
    open_buffer(number + 1);
}

// Assigns references from here on to a loop; the last of several marks at one position counts.
void mark(Loop* loop) {
    if (engine_count == 0) return;
    std::size_t buffer = produced.load(std::memory_order_relaxed) % kBuffers;
    if (mark_counts[buffer] == kMarks) {
        submit_buffer();
        buffer = produced.load(std::memory_order_relaxed) % kBuffers;
    }
    const std::size_t at = static_cast<std::size_t>(ft_cursor - buffers[buffer]);
    std::size_t& count = mark_counts[buffer];
    if (count > 0 && marks[buffer][count - 1].at == at) --count;
    marks[buffer][count++] = {at, loop};
}

void push(std::uint64_t reference) {
    if (ft_cursor == ft_end) submit_buffer();
    *ft_cursor++ = reference;
}

void touch_range(std::uint64_t address, std::uint64_t size, unsigned shift) {
    push(address);
    const std::uint64_t last = (address + size - 1) >> shift;
    for (std::uint64_t line = (address >> shift) + 1; line <= last; ++line) push((line << shift) | kContinued);
}

// Whether a line is sampled: compares its hash with the limit, as helpers.py does. Multiples of the golden ratio are
// evenly distributed: every range of lines has its share of sampled ones.
bool sampled(std::uint64_t address) { return (address >> sample_shift) * 0x9e3779b97f4a7c15ull < sample_limit; }

void start_engines() {
    const char* shifts = getenv("FORETELL_LINES");  // e.g. "6,7"
    for (const char* at = shifts; at != nullptr && *at && engine_count < kMostEngines; ++at) {
        engines[engine_count] = new (engine_memory[engine_count]) Lru(static_cast<unsigned>(atoi(at)), nullptr);
        ++engine_count;
        at = strchr(at, ',');
        if (at == nullptr) break;
    }
    open_buffer(0);
    if (const char* path = getenv("FORETELL_DUMP")) dump = fopen(path, "wb");
    const char* wanted = getenv("FORETELL_HELPER");
    helper = wanted != nullptr && *wanted == '1' && pthread_create(&helper_thread, nullptr, help, nullptr) == 0;
    if (const char* chosen = getenv("FORETELL_SAMPLE")) {  // bits removed from an address, and the limit of its hash
        char* rest = nullptr;
        sample_shift = static_cast<unsigned>(strtoul(chosen, &rest, 10));
        sample_limit = strtoull(rest, nullptr, 10);
    }
}

void stop_engines() {
    submit_buffer();
    if (helper) {
        stopping.store(true, std::memory_order_release);
        pthread_join(helper_thread, nullptr);
    }
    for (int engine = 0; engine < engine_count; ++engine) engines[engine]->flush();
    if (dump != nullptr) fclose(dump);
}

}  // namespace
}  // namespace foretell::trace
