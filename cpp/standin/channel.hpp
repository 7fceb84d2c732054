// The connection of a CUDA program to foretell, and the time that the program spends outside of CUDA.
#pragma once

#include <sys/types.h>

#include "message.hpp"

namespace foretell::standin {

class Channel {
public:
    // Connects to the socket that FORETELL_STANDIN names; false where there is none.
    bool open();
    // Sends a message; one that asks waits for its answer. A lost connection ends the program.
    void tell(Operation, const Writer&);
    Answer ask(Operation, const Writer&);
    // The descriptor that came with an answer, or -1.
    int descriptor() const { return descriptor_; }

    // Time of the host outside of CUDA calls: `enter` and `leave` stand around each call. What a loaded machine adds, time
    // in which the thread could run and had no processor, is not counted; sleeping and input are.
    void enter();
    void leave();

private:
    void note_leaving();
    void send(Operation, const Writer&);
    void read(char* to, std::size_t bytes);

    int socket_ = -1, descriptor_ = -1, depth_ = 0;
    std::uint64_t left_ns_ = 0, left_delay_ns_ = 0, host_ns_ = 0;
    pid_t left_thread_ = 0;
};

// Ends the program, because it needs something that is not here; foretell says what and exits with 3.
[[noreturn]] void give_up();

}  // namespace foretell::standin
