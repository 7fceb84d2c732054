// The allocations of a recorded program, and what a launch meets in them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "recorder/library.hpp"
#include "recorder/log.hpp"

namespace foretell::recorder {

enum class Contents { none, index, all };

struct Allocation {
    Address address = 0;
    std::size_t bytes = 0;
    bool host = false;
    std::uint32_t number = 0;
    bool read = false;                  // whether `blocks` were ever read
    std::vector<std::uint32_t> blocks;  // what was read last; empty: nothing is recorded of it
    std::uint64_t turn = 0;             // in which it was reached last
};

class Memory {
public:
    void allocate(Address, std::size_t bytes, bool host);
    void release(Address);
    Allocation* at(Address);

    // The allocations that these parameters, or what is recorded of other allocations, point into.
    // `fresh`: their memory is read now; otherwise it is what was read before. Valid until the next question.
    const std::vector<Allocation*>& reached(const std::string& parameters, const std::vector<Allocation*>& variables,
                                            bool fresh, Contents, const Driver&, Log&);

private:
    void read(Allocation&, Contents, const Driver&, Log&, std::vector<Allocation*>& waiting);
    template <class Use>
    bool each_part(const Allocation&, const Driver&, Use&&);
    bool prepare(const Driver&);
    bool steers(const char* bytes, std::size_t count);
    void follow(const char* bytes, std::size_t count, std::vector<Allocation*>& waiting);

    std::map<Address, Allocation> allocations_;
    Address lowest_ = ~Address{0}, end_ = 0;  // no allocation is outside
    std::uint32_t count_ = 0;
    void* stream_ = nullptr;
    char* parts_[2] = {};  // pinned: one is read while the other is looked at
    std::vector<char> kept_;
    std::vector<Allocation*> waiting_, reached_;
    std::uint64_t turn_ = 0;
};

}  // namespace foretell::recorder
