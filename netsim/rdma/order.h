// SPDX-License-Identifier: Apache-2.0
// The pending operations of one rank: which may start (by ACP's order handles and by a limit on operations
// under way), and which have completed, alone or with all earlier ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "netsim/rdma/operation.h"

namespace psim::net::rdma {

// A queue with access by index. It takes no memory until its first use; std::deque takes half a kilobyte, and
// each rank has two queues.

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

/// The condition under which an operation may start.
struct Order {
  enum class Kind : std::uint8_t {
    Now,
    AfterAll,  ///< when all earlier ones have completed
    After,     ///< when `handle` and all earlier ones have completed
    Continue   ///< with the one before, if that is a copy between the same ranks; else as AfterAll
  };
  Kind kind = Kind::Now;
  Handle handle = 0;
};

class OperationOrder {
 public:
  /// `most` operations are under way at once; 0: any number.
  explicit OperationOrder(std::uint32_t most) : most_(most) {}

  /// Returns the last handle issued; 0: none.
  Handle last() const { return first_ + entries_.size() - 1; }
  /// Returns the first handle that has not completed; last() + 1 if there is none.
  Handle first() const { return first_; }
  /// Adds an operation. Appends the operations that start now to `start`, in order.
  Handle add(const Operation& operation, Order order, std::vector<Handle>& start);
  /// Completes an operation. Appends the operations that start now to `start`.
  void done(Handle handle, std::vector<Handle>& start);

  std::uint32_t under_way() const { return under_way_; }
  /// Returns the number of issued operations for which all_complete() is false.
  std::uint64_t open() const { return entries_.size(); }
  /// Returns true once the operation has completed, and for a handle that was never issued.
  bool complete(Handle handle) const {
    return handle < first_ || handle > last() || entries_[handle - first_].done;
  }
  /// Returns true once the operation and all earlier ones have completed.
  bool all_complete(Handle handle) const { return handle < first_ || handle > last(); }
  /// Returns a pending operation.
  const Operation& operator[](Handle handle) const { return entries_[handle - first_].operation; }
  /// Returns the pending handle with these lower 32 bits.
  Handle whole(std::uint32_t low) const { return first_ + (low - static_cast<std::uint32_t>(first_)); }
  /// Returns the first operation under way for which `wanted(operation)`; 0: none.
  template <class Wanted>
  Handle find(Wanted wanted) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].started && !entries_[i].done && wanted(entries_[i].operation)) return first_ + i;
    return 0;
  }

 private:
  struct Entry {
    Operation operation;
    bool follows = false;  ///< starts together with the one before
    bool started = false, done = false;
  };

  Entry& at(Handle handle) { return entries_[handle - first_]; }
  /// Starts an operation, and those that follow it, unless the limit holds them back.
  void ready(Handle handle, std::vector<Handle>& start);

  std::uint32_t most_;
  std::uint32_t under_way_ = 0;
  Handle first_ = 1;  ///< first pending one
  Fifo<Entry> entries_;
  Fifo<Handle> held_;  ///< held back by the limit
  /// (handle that must complete with all earlier ones, waiting handle): least first.
  std::priority_queue<std::pair<Handle, Handle>, std::vector<std::pair<Handle, Handle>>, std::greater<>>
      later_;
};

}  // namespace psim::net::rdma
