#include "guard/guard.hpp"

#include <unistd.h>

#include "bind.hpp"

namespace gd = foretell::guard;

namespace {

// Names of files, words and variables are any bytes, not always UTF-8.
std::string text(const nb::bytes& given) { return {given.c_str(), given.size()}; }

std::vector<std::string> texts(const std::vector<nb::bytes>& given) {
    std::vector<std::string> result;
    for (const nb::bytes& one : given) result.push_back(text(one));
    return result;
}

}  // namespace

void bind_guard(nb::module_& m) {
    m.def(
        "guard_start",
        [](const nb::bytes& program, const std::vector<nb::bytes>& command, const std::vector<nb::bytes>& environment,
           const nb::bytes& folder, std::tuple<int, int, int> streams, std::int64_t cpu_seconds,
           std::int64_t memory_bytes, std::int64_t file_bytes, std::int64_t stack_bytes, std::int64_t processes,
           bool confined, bool network, const std::vector<nb::bytes>& writable) {
            if (command.empty()) throw std::invalid_argument("no command");
            gd::Request request;
            request.program = text(program);
            request.command = texts(command);
            request.environment = texts(environment);
            request.folder = text(folder);
            std::tie(request.input, request.output, request.errors) = streams;
            request.cpu_seconds = cpu_seconds;
            request.memory_bytes = memory_bytes;
            request.file_bytes = file_bytes;
            request.stack_bytes = stack_bytes;
            request.processes = processes;
            request.confined = confined;
            request.network = network;
            request.writable = texts(writable);
            const gd::Running running = gd::start(request);
            return std::make_tuple(running.supervisor, running.life, running.report);
        },
        nb::arg("program"), nb::arg("command"), nb::arg("environment"), nb::kw_only(), nb::arg("folder"),
        nb::arg("streams"), nb::arg("cpu_seconds"), nb::arg("memory_bytes"), nb::arg("file_bytes"),
        nb::arg("stack_bytes"), nb::arg("processes"), nb::arg("confined"), nb::arg("network"), nb::arg("writable"),
        "Starts a program under a supervisor: its process id, the pipe that ends it when closed, and that of its "
        "report.");
    m.def("guard_die_with_parent", &gd::die_with_parent, nb::arg("parent"),
          "This process is killed when its parent ends.");
    m.def("guard_confine", &gd::confine, nb::arg("readable"), nb::arg("writable"),
          "This thread, and what it starts, sees only these files; False where the kernel cannot do this.");
    m.def(
        "guard_report",
        [](nb::bytes data) {
            gd::Report report;
            if (data.size() != sizeof report) throw std::invalid_argument("not a report");
            std::memcpy(&report, data.c_str(), sizeof report);
            return std::make_tuple(report.cause, report.status, report.lacking, report.processor_seconds,
                                   report.elapsed_seconds);
        },
        nb::arg("data"), "Cause, status, what is lacking, processor seconds, elapsed seconds.");
}
