#include "guard/guard.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unordered_set>

#include "guard/forks.hpp"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

namespace foretell::guard {
namespace {

constexpr int life_fd = 3, report_fd = 4, first_free_fd = 5;
constexpr int poll_ms = 5;
constexpr double longest_end_s = 4.0;  // how long the supervisor kills what appears anew, without a namespace

// ---------------------------------------------------------------------------------------------- Landlock
// include/uapi/linux/landlock.h; all rights that change a file system, by version of the interface

constexpr std::uint64_t execute_file = 1 << 0, write_file = 1 << 1, read_file = 1 << 2, read_folder = 1 << 3;
constexpr std::uint64_t change_tree = 0x1ff0, refer = 1 << 13, truncate_file = 1 << 14, control_device = 1 << 15;
constexpr std::uint64_t of_files = execute_file | write_file | read_file | truncate_file;
constexpr std::uint64_t bind_and_connect = 3;     // TCP
constexpr std::uint64_t sockets_and_signals = 3;  // abstract sockets of others, signals to others

struct Ruleset {
    std::uint64_t handled, network, scope;
};
struct __attribute__((packed)) PathRule {
    std::uint64_t allowed;
    std::int32_t parent;
};

long landlock_version() { return syscall(SYS_landlock_create_ruleset, nullptr, 0, 1); }

std::uint64_t write_rights(long version) {
    return write_file | change_tree | (version >= 2 ? refer : 0) | (version >= 3 ? truncate_file : 0);
}

int make_rules(const Ruleset& set, long version) {
    const std::size_t size = version >= 6 ? sizeof set : version >= 4 ? 2 * sizeof set.handled : sizeof set.handled;
    return static_cast<int>(syscall(SYS_landlock_create_ruleset, &set, size, 0));
}

void permit(int rules, const std::vector<std::string>& paths, std::uint64_t rights) {
    for (const std::string& path : paths) {
        const int at = open(path.c_str(), O_PATH | O_CLOEXEC);
        if (at < 0) continue;
        struct stat status;
        const bool folder = fstat(at, &status) == 0 && S_ISDIR(status.st_mode);
        const PathRule rule{folder ? rights : rights & of_files, at};
        syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
        close(at);
    }
}

bool enforce(int rules) {
    const bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

bool limit_writes(const Request& request) {
    const long version = landlock_version();
    if (version < 1) return false;
    const std::uint64_t rights = write_rights(version);
    const int rules = make_rules({rights, 0, 0}, version);
    if (rules < 0) return false;
    permit(rules, request.writable, rights);
    return enforce(rules);
}

// ---------------------------------------------------------------------------------------------- namespaces

bool write_text(const char* path, const char* text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t length = static_cast<ssize_t>(strlen(text));
    const bool done = write(file, text, static_cast<std::size_t>(length)) == length;
    close(file);
    return done;
}

bool can_write(const char* path) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file >= 0) close(file);
    return file >= 0;
}

// A process-id namespace, and one without network where that is wanted; a user who may not have them needs a user
// namespace around them, in which he is himself.
int enter_namespaces(bool without_network) {
    const int network = without_network ? CLONE_NEWNET : 0;
    const unsigned user = getuid(), group = getgid();
    int lacking = 0;
    if (unshare(CLONE_NEWPID | network) == 0) return 0;
    // a confined process cannot say who he is there: he would be nobody, and his own files closed to him
    if (!can_write("/proc/self/uid_map")) return no_pid_namespace | (without_network ? no_network_limit : 0);
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID | network) != 0) {
        if (without_network) lacking |= no_network_limit;
        return lacking | no_pid_namespace;
    }
    char map[64];
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", user, user);
    write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", group, group);
    write_text("/proc/self/gid_map", map);
    return lacking;
}

// ---------------------------------------------------------------------------------------------- the program

void limit(int kind, std::int64_t most) {
    if (most < 0) return;
    rlimit now;
    if (getrlimit(static_cast<__rlimit_resource>(kind), &now) != 0) return;
    const auto wanted = static_cast<rlim_t>(most);
    const rlim_t value = now.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, now.rlim_max);
    const rlimit set{value, value};
    setrlimit(static_cast<__rlimit_resource>(kind), &set);
}

void raise_stack(std::int64_t wanted) {
    rlimit now;
    if (wanted < 0 || getrlimit(RLIMIT_STACK, &now) != 0 || now.rlim_cur == RLIM_INFINITY) return;
    const auto most = static_cast<rlim_t>(wanted);
    now.rlim_cur = std::max(now.rlim_cur, now.rlim_max == RLIM_INFINITY ? most : std::min(most, now.rlim_max));
    setrlimit(RLIMIT_STACK, &now);
}

[[noreturn]] void become(const Request& request, char* const* command, char* const* environment, int failed, int gate) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGXFSZ}) signal(number, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, request.cpu_seconds);
    limit(RLIMIT_AS, request.memory_bytes);
    limit(RLIMIT_FSIZE, request.file_bytes);
    raise_stack(request.stack_bytes);
    std::int32_t answer[2] = {0, 0};  // errno, what is lacking
    if (!request.folder.empty() && chdir(request.folder.c_str()) != 0) {
        answer[0] = errno;
    } else {
        if (request.confined && !limit_writes(request)) answer[1] = no_write_limit;
        if (request.processes >= 0) make_forks_wait(gate);
        close(gate);
        if (write(failed, answer, sizeof answer) < 0) _exit(127);
        execve(request.program.c_str(), command, environment);
        answer[0] = errno;
    }
    (void)!write(failed, answer, sizeof answer);
    _exit(127);
}

// ---------------------------------------------------------------------------------------------- the first process

struct Outcome {
    std::int32_t started[2] = {0, 0};
    std::int32_t status = 0;
    double seconds = 0, elapsed = 0;
};

double now_s() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(const rusage& used) {
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// Starts the program, buries what it leaves, and tells the supervisor of its end.
[[noreturn]] void first_process(const Request& request, char* const* command, char* const* environment, int told,
                                int gate) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int failed[2];
    Outcome outcome;
    if (pipe2(failed, O_CLOEXEC) != 0) _exit(1);
    const double begun = now_s();
    const pid_t program = fork();
    if (program == 0) become(request, command, environment, failed[1], gate);
    close(failed[1]);
    close(gate);
    for (const int stream : {0, 1, 2}) close(stream);  // the program alone keeps them open
    std::int32_t answer[2];
    while (read(failed[0], answer, sizeof answer) == sizeof answer)
        for (const int k : {0, 1}) outcome.started[k] |= answer[k];
    if (program < 0) outcome.started[0] = EAGAIN;
    for (;;) {
        rusage used;
        const pid_t ended = wait4(-1, &outcome.status, 0, &used);
        if (ended < 0 && errno != EINTR) break;
        if (ended == program) {
            outcome.seconds = seconds_of(used);
            outcome.elapsed = now_s() - begun;
            break;
        }
    }
    (void)!write(told, &outcome, sizeof outcome);
    _exit(0);
}

// ---------------------------------------------------------------------------------------------- the supervisor

pid_t parent_of(const char* process) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return -1;
    text[length] = 0;
    const char* end = strrchr(text, ')');  // the name may hold anything
    pid_t parent = -1;
    char state = 0;
    return end != nullptr && sscanf(end + 1, " %c %d", &state, &parent) == 2 ? parent : -1;
}

// Descendants of the supervisor, or the first so many: processes that multiply faster than all of them can be read must be
// noticed all the same. /proc lists in ascending order, and parents are mostly older than their children.
std::vector<pid_t> descendants(std::size_t most = SIZE_MAX) {
    std::vector<std::pair<pid_t, pid_t>> others;  // (process, parent)
    std::vector<pid_t> below;
    std::unordered_set<pid_t> known{getpid()};
    const auto is_added = [&](pid_t process, pid_t parent) {
        if (known.count(parent) == 0 || !known.insert(process).second) return false;
        below.push_back(process);
        return true;
    };
    DIR* folder = opendir("/proc");
    while (const dirent* entry = folder != nullptr && below.size() < most ? readdir(folder) : nullptr) {
        const pid_t process = atoi(entry->d_name), parent = process > 0 ? parent_of(entry->d_name) : -1;
        if (parent > 0 && !is_added(process, parent)) others.emplace_back(process, parent);
    }
    if (folder != nullptr) closedir(folder);
    for (std::size_t before = SIZE_MAX; before != below.size() && below.size() < most;) {
        before = below.size();
        for (const auto& [process, parent] : others) is_added(process, parent);
    }
    return below;
}

// Ends all that is left. In a namespace the death of the first process has done it; else what is forked meanwhile is
// found in the next round: stopped first, so that rounds get shorter.
void end_all(pid_t first, bool in_namespace) {
    kill(first, SIGKILL);
    if (in_namespace) {  // its number 1 is buried after all others
        while (waitpid(first, nullptr, 0) < 0 && errno == EINTR) {}
        return;
    }
    const double begun = now_s();
    while (now_s() - begun < longest_end_s) {
        while (waitpid(-1, nullptr, WNOHANG) > 0) {}
        const std::vector<pid_t> left = descendants();
        if (left.empty() && waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return;
        for (const pid_t process : left) kill(process, SIGSTOP);
        for (const pid_t process : left) kill(process, SIGKILL);
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    }
}

unsigned processes_of_all() {
    struct sysinfo info;
    return sysinfo(&info) == 0 ? info.procs : 0;
}

// Counts processes below the supervisor. Where forks wait for it, it is asked before each one and needs to count only
// when as many have forked as were allowed more; else it looks every few milliseconds.
class Population {
public:
    Population(std::int64_t most, int gate)
        : limited_(most >= 0), most_(static_cast<std::size_t>(std::max<std::int64_t>(most, 0))), gate_(gate) {}

    int wait_ms() const { return limited_ && !gated_ ? poll_ms : -1; }
    int descriptor() const { return gate_; }

    // After a wait; `asked`: something can be read from the descriptor. False: there are too many.
    bool is_allowed(bool asked) {
        if (!limited_) return true;
        if (!gated_) {
            if (asked) open_gate();
            return processes_of_all() <= before_ + most_ || count() <= most_;
        }
        if (!asked) return true;
        if (++at_most_ > most_) at_most_ = count() + 1;  // with the one that is asked for
        if (at_most_ > most_) return false;
        if (!let_fork(gate_)) leave();
        return true;
    }

private:
    std::size_t count() const { return descendants(most_ + 1).size(); }
    void leave() {
        close(gate_);
        gate_ = -1;
    }
    void open_gate() {
        const int listener = listener_of_forks(gate_);
        leave();
        gated_ = listener >= 0;
        gate_ = listener;
        at_most_ = most_;  // the first to fork is counted
    }

    bool limited_, gated_ = false;
    std::size_t most_, before_ = processes_of_all(), at_most_ = 0;
    int gate_;
};

// Waits for the end of the program, the word to stop, or too many processes.
Cause watched(int told, Population& population, Outcome& outcome) {
    for (;;) {
        pollfd files[3] = {{told, POLLIN, 0}, {life_fd, POLLIN, 0}, {population.descriptor(), POLLIN, 0}};
        const int ready = poll(files, 3, population.wait_ms());
        if (ready < 0 && errno != EINTR) return Cause::stopped;
        if (ready > 0 && files[0].revents != 0) {
            const bool whole = read(told, &outcome, sizeof outcome) == sizeof outcome;
            if (!whole) return Cause::stopped;
            return outcome.started[0] != 0 ? Cause::not_started : Cause::ended;
        }
        if (ready > 0 && files[1].revents != 0) return Cause::stopped;
        if (!population.is_allowed(ready > 0 && files[2].revents != 0)) return Cause::too_many_processes;
    }
}

[[noreturn]] void supervise(const Request& request, char* const* command, char* const* environment) {
    setsid();
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(number, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    Report report;
    report.lacking = enter_namespaces(request.confined && !request.network);
    int told[2], gate[2];
    if (pipe2(told, O_CLOEXEC) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) != 0) _exit(1);
    const pid_t first = fork();
    if (first == 0) {
        close(gate[0]);
        first_process(request, command, environment, told[1], gate[1]);
    }
    // Processes that multiply must not keep the supervisor from its turn (where it may: root, or CAP_SYS_NICE).
    setpriority(PRIO_PROCESS, 0, -20);
    close(told[1]);
    close(gate[1]);
    Population population(request.processes, gate[0]);
    for (const int stream : {0, 1, 2}) close(stream);
    Outcome outcome;
    Cause cause = Cause::not_started;
    if (first < 0) outcome.started[0] = errno;
    else cause = watched(told[0], population, outcome);
    if (first > 0) end_all(first, (report.lacking & no_pid_namespace) == 0);
    report.cause = static_cast<std::int32_t>(cause);
    report.status = cause == Cause::not_started ? outcome.started[0] : outcome.status;
    report.lacking |= outcome.started[1];
    report.processor_seconds = outcome.seconds;
    report.elapsed_seconds = outcome.elapsed;
    (void)!write(report_fd, &report, sizeof report);
    _exit(0);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> result;
    for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

// Puts the streams and pipes in their places, and closes all else: other runs must not see our pipes.
void arrange(const Request& request, int life, int report) {
    const int from[] = {request.input, request.output, request.errors, life, report};
    int moved[5];
    for (int k = 0; k < 5; ++k) moved[k] = fcntl(from[k], F_DUPFD, 32);
    for (int k = 0; k < 5; ++k) dup2(moved[k], k);
    fcntl(life_fd, F_SETFD, FD_CLOEXEC);
    fcntl(report_fd, F_SETFD, FD_CLOEXEC);
    if (syscall(SYS_close_range, first_free_fd, ~0U, 0) != 0)
        for (int fd = first_free_fd; fd < 1024; ++fd) close(fd);
}

}  // namespace

void die_with_parent(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // it ended before
}

bool confine(const std::vector<std::string>& readable, const std::vector<std::string>& writable) {
    const long version = landlock_version();
    if (version < 1) return false;
    const std::uint64_t reads = execute_file | read_file | read_folder, writes = write_rights(version);
    const std::uint64_t every = reads | writes | (version >= 5 ? control_device : 0);
    const int rules =
        make_rules({every, version >= 4 ? bind_and_connect : 0, version >= 6 ? sockets_and_signals : 0}, version);
    if (rules < 0) return false;
    permit(rules, readable, reads);
    permit(rules, writable, (reads | writes) & ~execute_file);
    return enforce(rules);
}

Running start(const Request& request) {
    int life[2], report[2];
    if (pipe2(life, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    if (pipe2(report, O_CLOEXEC) != 0) {
        for (const int end : life) close(end);
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    const std::vector<char*> command = pointers(request.command), environment = pointers(request.environment);
    const pid_t supervisor = fork();
    if (supervisor == 0) {
        arrange(request, life[0], report[1]);
        supervise(request, command.data(), environment.data());
    }
    const int error = errno;
    close(life[0]);
    close(report[1]);
    if (supervisor < 0) {
        close(life[1]);
        close(report[0]);
        throw std::system_error(error, std::generic_category(), "fork");
    }
    return {supervisor, life[1], report[0]};
}

}  // namespace foretell::guard
