// SPDX-License-Identifier: Apache-2.0
#include "cosim/operation_log.h"

#include <algorithm>

namespace psim::cosim {

void OperationLog::doorbell_committed(std::uint32_t node, std::uint64_t time) {
  if (committed_.size() <= node) committed_.resize(node + 1);
  committed_[node].push_back(time);
}

std::uint64_t OperationLog::begin(Operation operation, std::uint64_t time) {
  std::deque<std::uint64_t>& stores = committed_.at(operation.node);
  operation.begun = operation.at = stores.front();
  stores.pop_front();
  operations_.push_back(std::move(operation));
  const std::uint64_t number = operations_.size() - 1;
  part(number, "store to doorbell", time);
  return number;
}

void OperationLog::part(std::uint64_t number, const std::string& name, std::uint64_t time) {
  Operation& operation = operations_[number];
  if (operation.ended || time == operation.at) return;
  operation.parts.emplace_back(name, time - operation.at);
  operation.at = time;
}

void OperationLog::crossed(std::uint64_t number, const std::string& prefix, std::uint64_t bytes,
                           std::uint64_t time) {
  const std::uint64_t begun = operations_[number].at;
  part(number, prefix + "packet", std::min(time, begun + on_channel_(bytes)));
  part(number, prefix + "routers", time);
}

void OperationLog::end(std::uint64_t number, const std::string& name, std::uint64_t time) {
  part(number, name, time);
  operations_[number].ended = true;
}

}  // namespace psim::cosim
