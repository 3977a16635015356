// SPDX-License-Identifier: Apache-2.0
#include "netsim/rdma/order.h"

#include <algorithm>

namespace psim::net::rdma {

Handle OperationOrder::add(const Operation& operation, Order order, std::vector<Handle>& start) {
  const Handle before = last(), handle = before + 1;
  Handle awaited = 0;
  bool follows = false;
  switch (order.kind) {
    case Order::Kind::Now:
      break;
    case Order::Kind::AfterAll:
      awaited = before;
      break;
    case Order::Kind::After:
      awaited = std::min(order.handle, before);
      break;
    case Order::Kind::Continue:
      follows = !entries_.empty() && operation.follows(entries_.back().operation);
      if (!follows) awaited = before;
  }
  // After an operation that has started there is nothing to wait for.
  const bool waits = follows && !entries_.back().started;
  entries_.push_back({operation, waits});
  if (awaited >= first_)
    later_.push({awaited, handle});
  else if (!waits)
    ready(handle, start);
  return handle;
}

void OperationOrder::ready(Handle handle, std::vector<Handle>& start) {
  for (;; ++handle) {
    if (most_ != 0 && under_way_ >= most_) return held_.push_back(handle);
    at(handle).started = true;
    ++under_way_;
    start.push_back(handle);
    if (handle == last() || !at(handle + 1).follows) return;
  }
}

void OperationOrder::done(Handle handle, std::vector<Handle>& start) {
  at(handle).done = true;
  --under_way_;
  while (!entries_.empty() && entries_.front().done) {
    entries_.pop_front();
    ++first_;
  }
  while (!held_.empty() && under_way_ < most_) {
    const Handle next = held_.front();
    held_.pop_front();
    ready(next, start);
  }
  while (!later_.empty() && later_.top().first < first_) {
    const Handle next = later_.top().second;
    later_.pop();
    ready(next, start);
  }
}

}  // namespace psim::net::rdma
