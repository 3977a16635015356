// SPDX-License-Identifier: Apache-2.0
// A queue with access by index. It takes no memory until its first use; std::deque takes half a kilobyte, and
// each rank has two queues.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace psim::net::rdma {

template <class T>
class Fifo {
 public:
  bool empty() const { return first_ == items_.size(); }
  std::size_t size() const { return items_.size() - first_; }
  T& operator[](std::size_t i) { return items_[first_ + i]; }
  const T& operator[](std::size_t i) const { return items_[first_ + i]; }
  T& front() { return items_[first_]; }
  T& back() { return items_.back(); }
  void push_back(T item) { items_.push_back(std::move(item)); }
  void pop_front() {
    if (++first_ * 2 < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;
};

}  // namespace psim::net::rdma
