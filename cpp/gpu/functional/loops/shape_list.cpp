#include "gpu/functional/loops/shape_list.hpp"

#include <algorithm>
#include <numeric>

namespace foretell::functional {

void ShapeList::follow(const ShapeList& other) {
    if (other.list_ == nullptr) return;
    if (list_ == nullptr) list_ = other.list_;
    else others_.push_back(other.list_);
}

void ShapeList::append(const std::vector<std::uint32_t>& shapes) {
    if (recent_.size() >= piece) settle();
    recent_.insert(recent_.end(), shapes.begin(), shapes.end());
}

void ShapeList::append_from(std::uint32_t first, std::uint32_t count) {
    if (recent_.size() >= piece) settle();
    recent_.resize(recent_.size() + count);
    std::iota(recent_.end() - count, recent_.end(), first);
}

void ShapeList::cut(std::size_t size) {
    if (size >= settled_) return recent_.resize(size - settled_);
    recent_.clear();
    settled_ = size;
    if (!follows_) list_->resize(size);
}

void ShapeList::settle() {
    if (follows_ && !(list_ != nullptr && same(*list_))) leave();
    if (!follows_) list_->insert(list_->end(), recent_.begin(), recent_.end());
    settled_ += recent_.size();
    recent_.clear();
}

void ShapeList::close() {
    settle();
    if (list_ == nullptr || (follows_ && list_->size() != settled_)) own();
    recent_ = {};
    others_ = {};
}

bool ShapeList::same(const std::vector<std::uint32_t>& other) const {
    const auto begin = other.begin() + static_cast<std::ptrdiff_t>(settled_);
    return settled_ + recent_.size() <= other.size() && std::equal(recent_.begin(), recent_.end(), begin);
}

void ShapeList::leave() {
    const auto settled = static_cast<std::ptrdiff_t>(settled_);
    for (const auto& other : others_)
        if (same(*other) && std::equal(list_->begin(), list_->begin() + settled, other->begin())) {
            list_ = other;
            return;
        }
    own();
}

void ShapeList::own() {
    auto copy = std::make_shared<std::vector<std::uint32_t>>();
    if (list_ != nullptr) copy->assign(list_->begin(), list_->begin() + static_cast<std::ptrdiff_t>(settled_));
    list_ = std::move(copy);
    follows_ = false;
}

}  // namespace foretell::functional
