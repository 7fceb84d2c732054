#include "standin/channel.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace foretell::standin {

namespace {

constexpr int ended_by_standin = 3;

std::uint64_t now_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

// Nanoseconds in which a thread could have run and had no processor: the second number of its schedstat (Linux,
// Documentation/scheduler/sched-stats). 0 where the kernel does not count them.
class RunDelay {
public:
    ~RunDelay() {
        if (file_ >= 0) close(file_);
    }
    std::uint64_t now_ns() {
        if (file_ == unopened) file_ = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
        char text[96];
        const ssize_t bytes = file_ < 0 ? -1 : pread(file_, text, sizeof text - 1, 0);
        if (bytes <= 0) return 0;
        text[bytes] = 0;
        unsigned long long runs = 0, waits = 0;
        return sscanf(text, "%llu %llu", &runs, &waits) == 2 ? waits : 0;
    }

private:
    static constexpr int unopened = -2;
    int file_ = unopened;
};

thread_local RunDelay run_delay;

}  // namespace

void give_up() {
    fflush(nullptr);
    _exit(ended_by_standin);
}

bool Channel::open() {
    const char* path = getenv("FORETELL_STANDIN");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path == nullptr || strlen(path) >= sizeof address.sun_path) return false;
    strcpy(address.sun_path, path);
    socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) return false;
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        close(socket_);
        socket_ = -1;
        return false;
    }
    note_leaving();
    return true;
}

void Channel::enter() {
    if (depth_++ != 0 || left_ns_ == 0) return;
    const std::uint64_t passed = now_ns() - left_ns_;
    const bool same_thread = left_thread_ == gettid();
    const std::uint64_t delayed = same_thread ? run_delay.now_ns() - left_delay_ns_ : 0;
    host_ns_ += passed - std::min(passed, delayed);
}

void Channel::leave() {
    if (--depth_ == 0 && socket_ >= 0) note_leaving();
}

void Channel::note_leaving() {
    left_thread_ = gettid();
    left_delay_ns_ = run_delay.now_ns();
    left_ns_ = now_ns();
}

void Channel::send(Operation operation, const Writer& message) {
    Writer whole;
    whole.put(static_cast<std::uint32_t>(operation)).put(static_cast<std::uint32_t>(message.bytes().size()));
    whole.put(host_ns_);
    host_ns_ = 0;
    for (const auto* part : {&whole.bytes(), &message.bytes()}) {
        std::size_t sent = 0;
        while (sent < part->size()) {
            const ssize_t count = ::send(socket_, part->data() + sent, part->size() - sent, MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) give_up();
            sent += static_cast<std::size_t>(count);
        }
    }
}

void Channel::read(char* to, std::size_t bytes) {
    while (bytes > 0) {
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
        iovec part{to, bytes};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        const ssize_t count = recvmsg(socket_, &header, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) give_up();
        for (cmsghdr* item = CMSG_FIRSTHDR(&header); item != nullptr; item = CMSG_NXTHDR(&header, item))
            if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS)
                memcpy(&descriptor_, CMSG_DATA(item), sizeof descriptor_);
        to += count;
        bytes -= static_cast<std::size_t>(count);
    }
}

void Channel::tell(Operation operation, const Writer& message) { send(operation, message); }

Answer Channel::ask(Operation operation, const Writer& message) {
    send(operation, message);
    struct {
        std::int32_t status;
        std::uint32_t bytes;
    } head;
    read(reinterpret_cast<char*>(&head), sizeof head);
    Answer answer;
    answer.status = head.status;
    answer.bytes.resize(head.bytes);
    read(answer.bytes.data(), head.bytes);
    if (head.status < 0) give_up();  // foretell has said why
    return answer;
}

}  // namespace foretell::standin
