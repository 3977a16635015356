// SPDX-License-Identifier: Apache-2.0
// The operations of one rank that are not over: which may start (ACP's order handles, a limit of those under
// way), and which are over, with all before them or alone.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "netsim/rdma/fifo.h"
#include "netsim/rdma/operation.h"

namespace psim::net::rdma {

/// When an operation may start.
struct Order {
  enum class Kind : std::uint8_t {
    Now,
    AfterAll,  ///< when all earlier ones are over
    After,     ///< when `handle` and all before it are over
    Continue   ///< behind the one before, if that is a copy the same way; else as AfterAll
  };
  Kind kind = Kind::Now;
  Handle handle = 0;
};

class OperationOrder {
 public:
  /// `most` operations are under way at once; 0: any number.
  explicit OperationOrder(std::uint32_t most) : most_(most) {}

  /// The last handle given out; 0: none.
  Handle last() const { return first_ + entries_.size() - 1; }
  /// The first that is not over, if any is.
  Handle first() const { return first_; }
  /// Takes an operation. Adds to `start`, in order, those that start now.
  Handle add(const Operation& operation, Order order, std::vector<Handle>& start);
  /// It is over. Adds to `start` those that start now.
  void done(Handle handle, std::vector<Handle>& start);

  std::uint32_t under_way() const { return under_way_; }
  /// Given out and not over, or not all before it are.
  std::uint64_t open() const { return entries_.size(); }
  /// Whether it is over. Handles never given out are.
  bool over(Handle handle) const {
    return handle < first_ || handle > last() || entries_[handle - first_].done;
  }
  /// Whether it and all before it are.
  bool all_over(Handle handle) const { return handle < first_ || handle > last(); }
  /// Of one that is not over.
  const Operation& operator[](Handle handle) const { return entries_[handle - first_].operation; }
  /// The handle whose lower 32 bits these are, of one that is not over.
  Handle whole(std::uint32_t low) const { return first_ + (low - static_cast<std::uint32_t>(first_)); }
  /// The first that is under way and for which `wanted(operation)`; 0: none.
  template <class Wanted>
  Handle find(Wanted wanted) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].started && !entries_[i].done && wanted(entries_[i].operation)) return first_ + i;
    return 0;
  }

 private:
  struct Entry {
    Operation operation;
    bool follows = false;  ///< starts with the one before
    bool started = false, done = false;
  };

  Entry& at(Handle handle) { return entries_[handle - first_]; }
  /// Only the limit can hold it back. Those that follow it start with it.
  void ready(Handle handle, std::vector<Handle>& start);

  std::uint32_t most_;
  std::uint32_t under_way_ = 0;
  Handle first_ = 1;  ///< that is not over
  Fifo<Entry> entries_;
  Fifo<Handle> held_;  ///< by the limit
  /// (wait for it and all before it, handle): least first.
  std::priority_queue<std::pair<Handle, Handle>, std::vector<std::pair<Handle, Handle>>, std::greater<>>
      later_;
};

}  // namespace psim::net::rdma
