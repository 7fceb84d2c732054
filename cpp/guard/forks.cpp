#include "guard/forks.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace foretell::guard {
namespace {

// include/uapi/linux/seccomp.h, which older systems have without these. The kernel's own structures may grow: it is given
// more room than it takes today.
struct SystemCall {
    std::int32_t number;
    std::uint32_t architecture;
    std::uint64_t instruction, arguments[6];
};
struct Waiting {
    std::uint64_t id;
    std::uint32_t process, flags;
    SystemCall call;
};
struct Answer {
    std::uint64_t id;
    std::int64_t value;
    std::int32_t error;
    std::uint32_t flags;
};
constexpr unsigned set_filter = 1;
// Speculation stays as it is: without this, older kernels slow down loads and jumps of a program that has a filter.
constexpr unsigned keep_speculation = 1 << 2, new_listener = 1 << 3, signals_wait = 1 << 5;
constexpr std::uint32_t allow = 0x7fff0000, ask = 0x7fc00000, go_on = 1;
constexpr unsigned long receive_waiting = _IOWR('!', 0, Waiting), send_answer = _IOWR('!', 1, Answer);
constexpr std::size_t room = 512;

// System calls that make a process: clone3 has one number everywhere, the others differ.
constexpr std::uint32_t clone3_call = 435;
#if defined(__x86_64__)
constexpr std::uint32_t native = AUDIT_ARCH_X86_64, narrow = AUDIT_ARCH_I386;
constexpr std::uint32_t native_calls[] = {56, 57, 58};  // clone, fork, vfork
#elif defined(__aarch64__)
constexpr std::uint32_t native = AUDIT_ARCH_AARCH64, narrow = AUDIT_ARCH_ARM;
constexpr std::uint32_t native_calls[] = {220, 220, 220};  // clone
#else
constexpr std::uint32_t native = 0, narrow = 0;
constexpr std::uint32_t native_calls[] = {0, 0, 0};
#endif
constexpr std::uint32_t narrow_calls[] = {120, 2, 190};
constexpr std::uint32_t of_x32 = 0x40000000;  // bit in the number of a call of 64-bit code with short pointers

constexpr sock_filter load(std::size_t offset) {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
constexpr sock_filter skip_if(std::uint32_t value, std::uint8_t count, std::uint8_t otherwise = 0) {
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, count, otherwise);
}
constexpr sock_filter answer(std::uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }

// A message of one byte that carries a descriptor.
struct Parcel {
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};

    Parcel() {
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
    }
    Parcel(const Parcel&) = delete;  // the message points into its parcel
    Parcel& operator=(const Parcel&) = delete;
};

bool sent(int socket, int descriptor) {
    Parcel parcel;
    cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &parcel.message, MSG_NOSIGNAL) == 1;
}

}  // namespace

bool make_forks_wait(int socket) {
    if (native == 0) return false;
    sock_filter instructions[] = {
        load(offsetof(SystemCall, architecture)),
        skip_if(native, 2),  // to the numbers of 64-bit code
        skip_if(narrow, 7),  // to those of 32-bit code
        answer(allow),
        load(offsetof(SystemCall, number)),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~of_x32),
        skip_if(native_calls[0], 9),
        skip_if(native_calls[1], 8),
        skip_if(native_calls[2], 7),
        skip_if(clone3_call, 6, 5),
        load(offsetof(SystemCall, number)),
        skip_if(narrow_calls[0], 4),
        skip_if(narrow_calls[1], 3),
        skip_if(narrow_calls[2], 2),
        skip_if(clone3_call, 1),
        answer(allow),
        answer(ask),
    };
    sock_fprog program{sizeof instructions / sizeof *instructions, instructions};
    const unsigned flags = keep_speculation | new_listener | signals_wait;
    const int listener = static_cast<int>(syscall(SYS_seccomp, set_filter, flags, &program));
    if (listener < 0) return false;
    const bool done = sent(socket, listener);
    close(listener);
    return done;
}

int listener_of_forks(int socket) {
    Parcel parcel;
    int listener = -1;
    if (recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC) != 1) return -1;
    const cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) memcpy(&listener, CMSG_DATA(header), sizeof listener);
    return listener;
}

bool let_fork(int listener) {
    alignas(Waiting) char waiting[room] = {}, reply[room] = {};
    if (ioctl(listener, receive_waiting, waiting) != 0) return errno == ENOENT || errno == EINTR;  // it was killed
    Answer go{};
    memcpy(&go.id, waiting, sizeof go.id);
    go.flags = go_on;
    memcpy(reply, &go, sizeof go);
    (void)ioctl(listener, send_answer, reply);  // fails where it was killed meanwhile
    return true;
}

}  // namespace foretell::guard
