// SPDX-License-Identifier: Apache-2.0
#include "cosim/operation_log.h"

#include <algorithm>

namespace psim::cosim {
namespace {

/// Extends an operation by a part up to `time`.
void extend(Operation& operation, const std::string& name, std::uint64_t time) {
  if (operation.ended || time == operation.at) return;
  operation.parts.emplace_back(name, time - operation.at);
  operation.at = time;
}

}  // namespace

void OperationLog::doorbell_committed(std::uint32_t node, std::uint64_t time) {
  if (committed_.size() <= node) committed_.resize(node + 1);
  committed_[node].push_back(time);
}

std::uint64_t OperationLog::begin(Operation operation, std::uint64_t time) {
  std::deque<std::uint64_t>& stores = committed_.at(operation.node);
  operation.begun = operation.at = stores.front();
  operation.rung = time;
  stores.pop_front();
  std::deque<Operation>& of_node = by_node_[operation.node];
  const std::uint64_t number = std::uint64_t{operation.node} << kNodeShift | of_node.size();
  of_node.push_back(std::move(operation));
  part(number, "store to doorbell", time);
  return number;
}

void OperationLog::part(std::uint64_t number, const std::string& name, std::uint64_t time) {
  steps_[number].push_back({Step::Kind::Part, name, 0, time});
}

void OperationLog::crossed(std::uint64_t number, const std::string& prefix, std::uint64_t bytes,
                           std::uint64_t time) {
  steps_[number].push_back({Step::Kind::Crossed, prefix, bytes, time});
}

void OperationLog::end(std::uint64_t number, const std::string& name, std::uint64_t time) {
  steps_[number].push_back({Step::Kind::End, name, 0, time});
}

void OperationLog::apply(Operation& operation, const Step& step) const {
  if (step.kind == Step::Kind::Crossed) {
    extend(operation, step.name + "packet", std::min(step.time, operation.at + on_channel_(step.bytes)));
    return extend(operation, step.name + "routers", step.time);
  }
  extend(operation, step.name, step.time);
  operation.ended |= step.kind == Step::Kind::End;
}

void OperationLog::finish(net::HostProcesses& processes) {
  processes.gather([&](net::Parcel& parcel) { write(parcel); }, [&](net::Parcel& parcel) { read(parcel); });
  for (auto& [number, steps] : steps_) {
    const auto node = by_node_.find(number >> kNodeShift);
    if (node == by_node_.end()) continue;  // of another process
    std::ranges::stable_sort(steps, {}, &Step::time);
    for (const Step& step : steps) apply(node->second[number & kIndexMask], step);
  }
  for (auto& [node, of_node] : by_node_)
    operations_.insert(operations_.end(), std::make_move_iterator(of_node.begin()),
                       std::make_move_iterator(of_node.end()));
  std::ranges::stable_sort(operations_, {}, &Operation::rung);
  by_node_.clear();
  steps_.clear();
}

void OperationLog::write(net::Parcel& parcel) const {
  parcel.put(std::uint64_t{by_node_.size()});
  for (const auto& [node, of_node] : by_node_) {
    parcel.put(node);
    parcel.put(std::uint64_t{of_node.size()});
    for (const Operation& operation : of_node) {
      parcel.put(operation.put);
      for (const std::uint64_t value : {std::uint64_t{operation.peer}, operation.bytes, operation.begun,
                                        operation.completed, operation.rung})
        parcel.put(value);
    }
  }
  parcel.put(std::uint64_t{steps_.size()});
  for (const auto& [number, steps] : steps_) {
    parcel.put(number);
    parcel.put(std::uint64_t{steps.size()});
    for (const Step& step : steps) {
      parcel.put(step.kind);
      parcel.put_text(step.name);
      parcel.put(step.bytes);
      parcel.put(step.time);
    }
  }
}

void OperationLog::read(net::Parcel& parcel) {
  for (auto nodes = parcel.take<std::uint64_t>(); nodes != 0; --nodes) {
    const auto node = parcel.take<std::uint64_t>();
    for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
      Operation operation{.put = parcel.take<bool>(), .node = static_cast<std::uint32_t>(node)};
      operation.peer = static_cast<std::uint32_t>(parcel.take<std::uint64_t>());
      operation.bytes = parcel.take<std::uint64_t>();
      operation.begun = operation.at = parcel.take<std::uint64_t>();
      operation.completed = parcel.take<std::uint64_t>();
      operation.rung = parcel.take<std::uint64_t>();
      by_node_[node].push_back(std::move(operation));
    }
  }
  for (auto numbers = parcel.take<std::uint64_t>(); numbers != 0; --numbers) {
    std::vector<Step>& steps = steps_[parcel.take<std::uint64_t>()];
    for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
      Step step{.kind = parcel.take<Step::Kind>(), .name = parcel.take_text(), .bytes = 0, .time = 0};
      step.bytes = parcel.take<std::uint64_t>();
      step.time = parcel.take<std::uint64_t>();
      steps.push_back(std::move(step));
    }
  }
}

}  // namespace psim::cosim
