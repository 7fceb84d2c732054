// The executed shapes of a warp. Warps that execute the same share one list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace foretell::functional {

// Shapes are compared with those of warps that are followed, a piece at a time, and stored where none of these executed
// the same: most warps of a grid execute what others did, and writing their shapes again would take most of the time of
// long loops. A followed list may still grow, but what is settled of it does not change.
class ShapeList {
public:
    void follow(const ShapeList& other);
    std::size_t size() const { return settled_ + recent_.size(); }
    // Shapes in a list of its own.
    std::size_t stored() const { return follows_ ? 0 : size(); }

    void push_back(std::uint32_t shape) {
        if (recent_.size() >= piece) settle();
        recent_.push_back(shape);
    }
    void replace_last(std::uint32_t shape) { recent_.back() = shape; }
    void append(const std::vector<std::uint32_t>& shapes);
    void append_from(std::uint32_t first, std::uint32_t count);  // consecutive numbers

    std::uint32_t operator[](std::size_t place) const {
        return place < settled_ ? (*list_)[place] : recent_[place - settled_];
    }
    void cut(std::size_t size);
    void settle();
    void close();                                                // no further shape comes
    std::vector<std::uint32_t>& list() const { return *list_; }  // of a closed one

private:
    static constexpr std::size_t piece = 1 << 13;
    bool same(const std::vector<std::uint32_t>& other) const;  // as far as it is known
    void leave();  // goes on with another list that has the same, or with one of its own
    void own();    // copies what is settled into a list of its own

    std::shared_ptr<std::vector<std::uint32_t>> list_;
    std::vector<std::shared_ptr<std::vector<std::uint32_t>>> others_;  // that it may follow instead
    std::vector<std::uint32_t> recent_;
    std::size_t settled_ = 0;
    bool follows_ = true;
};

}  // namespace foretell::functional
