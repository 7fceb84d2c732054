// Forks that wait for the supervisor: processes that multiply cannot outrun it, whatever the machine is busy with.
//
// A filter of system calls (seccomp, Linux 5.19) stops each fork of a program, and of all that it starts, until whoever
// holds the other end, the listener, lets it go on. Threads are made by the same system calls and wait as well.
#pragma once

namespace foretell::guard {

// In the program, before it is executed: its forks wait from now on, and the listener is sent through `socket`. False
// where the kernel cannot do this, or an enclosing filter has a listener already.
bool make_forks_wait(int socket);

// In the supervisor: the listener, or -1 where none was sent.
int listener_of_forks(int socket);

// Lets the fork that waits go on; false where no program is left that could fork.
bool let_fork(int listener);

}  // namespace foretell::guard
