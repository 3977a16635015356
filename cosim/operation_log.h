// SPDX-License-Identifier: Apache-2.0
// Puts and gets, and the time of their parts. Each part ends where the next begins, so the parts sum exactly
// to the whole. Times are ps since the start.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace psim::cosim {

struct Operation {
  bool put = true;  ///< else a get
  std::uint32_t node = 0, peer = 0;
  std::uint64_t bytes = 0;
  std::uint64_t begun = 0;  ///< the doorbell's store commits
  std::uint64_t at = 0;     ///< end of `parts` so far
  std::vector<std::pair<std::string, std::uint64_t>> parts = {};
  bool ended = false;           ///< the program has seen it, or no flag was requested
  std::uint64_t completed = 0;  ///< the flag `done` is in memory; 0: not yet, or none was requested
};

class OperationLog {
 public:
  /// `on_channel` returns the time of `bytes` on the channel of an interface, ps.
  explicit OperationLog(std::function<std::uint64_t(std::uint64_t bytes)> on_channel)
      : on_channel_(std::move(on_channel)) {}

  /// Called when a store to a doorbell of `node` has committed; stores of a node reach its interface in this
  /// order.
  void doorbell_committed(std::uint32_t node, std::uint64_t time);
  /// Called when the store has arrived: begins a new operation, whose parts begin with the store. Returns its
  /// number.
  std::uint64_t begin(Operation operation, std::uint64_t time);
  /// Adds a part of `number` up to `time`. An operation that has ended gets no more parts; parts of no length
  /// are left out.
  void part(std::uint64_t number, const std::string& name, std::uint64_t time);
  /// Adds the parts of a message of `bytes` that has crossed the network: the time of its bytes on the
  /// channel, and the rest.
  void crossed(std::uint64_t number, const std::string& prefix, std::uint64_t bytes, std::uint64_t time);
  /// Ends an operation with the last part `name`.
  void end(std::uint64_t number, const std::string& name, std::uint64_t time);
  Operation& operator[](std::uint64_t number) { return operations_[number]; }
  const std::deque<Operation>& operations() const { return operations_; }

 private:
  std::function<std::uint64_t(std::uint64_t)> on_channel_;
  std::vector<std::deque<std::uint64_t>> committed_;  ///< by node
  std::deque<Operation> operations_;
};

}  // namespace psim::cosim
