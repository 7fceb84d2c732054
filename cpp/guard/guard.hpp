// Runs a program of somebody else so that nothing of it is left: not when it ends, nor when we do.
//
//   foretell ── supervisor ── first process ── program ── …
//
// The supervisor is a subreaper: whatever the program starts, also daemons, ends up as its child. The first process is
// number 1 of a process-id namespace where the kernel gives one, so that its end is the end of all others. A pipe from
// foretell tells the supervisor to stop; it is also closed when foretell dies, of whatever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace foretell::guard {

struct Request {
    std::string program;                   // path of the file that is executed
    std::vector<std::string> command;      // its words, with the name that it gets
    std::vector<std::string> environment;  // NAME=VALUE
    std::string folder;                    // working directory; empty: ours
    int input = -1, output = -1, errors = -1;
    std::int64_t cpu_seconds = -1;   // of one process; -1: unlimited, here and below
    std::int64_t memory_bytes = -1;  // address space of one process
    std::int64_t file_bytes = -1;    // of one file
    std::int64_t stack_bytes = -1;   // raised to this, where the system permits
    std::int64_t processes = -1;     // alive at once
    bool confined = false;           // writes only below `writable`, no network
    bool network = false;            // all the same
    std::vector<std::string> writable;
};

// What is not possible here, as bits of `Report::lacking`.
enum Lacking : std::int32_t { no_pid_namespace = 1, no_write_limit = 2, no_network_limit = 4 };

// Why a program ended.
enum class Cause : std::int32_t { ended = 0, not_started = 1, stopped = 2, too_many_processes = 3 };

struct Report {
    std::int32_t cause = 0;   // Cause
    std::int32_t status = 0;  // as of waitpid, or errno where it was not started
    std::int32_t lacking = 0;
    double processor_seconds = 0;  // of the program and what it waited for
    double elapsed_seconds = 0;    // from its start to its end
};

struct Running {
    int supervisor = -1;  // process id
    int life = -1;        // closing it ends everything
    int report = -1;      // a Report can be read here when nothing is left
};

// This process is killed when its parent, or the thread of it that made us, ends.
void die_with_parent(int parent);

// This thread, and what it starts from now on, reads and executes only below `readable`, reads and writes (but does not
// execute) below `writable`, and makes no TCP connection. False where the kernel cannot do this (no Landlock).
bool confine(const std::vector<std::string>& readable, const std::vector<std::string>& writable);

// Throws std::system_error where no process can be made.
Running start(const Request&);

}  // namespace foretell::guard
