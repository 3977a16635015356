// SPDX-License-Identifier: Apache-2.0
// Puts and gets, and where their time went: each part ends where the next begins, so the parts sum to the
// whole exactly. Times are ps since the start.
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
  std::uint64_t at = 0;     ///< up to which `parts` reach
  std::vector<std::pair<std::string, std::uint64_t>> parts = {};
  bool ended = false;           ///< the program has seen it, or nobody was to be told
  std::uint64_t completed = 0;  ///< the flag `done` is in memory; 0: not yet, or none was asked for
};

class OperationLog {
 public:
  /// `on_channel`: how long so many bytes take on the channel of an interface, ps.
  explicit OperationLog(std::function<std::uint64_t(std::uint64_t bytes)> on_channel)
      : on_channel_(std::move(on_channel)) {}

  /// A store to a doorbell of `node` has committed; those of a node reach its interface in this order.
  void doorbell_committed(std::uint32_t node, std::uint64_t time);
  /// It is there: a new operation, whose parts begin with it. Returns its number.
  std::uint64_t begin(Operation operation, std::uint64_t time);
  /// What `number` did up to `time`. Nothing is added to an operation that has ended; parts of no length are
  /// left out.
  void part(std::uint64_t number, const std::string& name, std::uint64_t time);
  /// The same for a message of `bytes` that has crossed the network: the time of its bytes on the channel,
  /// and the rest.
  void crossed(std::uint64_t number, const std::string& prefix, std::uint64_t bytes, std::uint64_t time);
  /// `name` is its last part.
  void end(std::uint64_t number, const std::string& name, std::uint64_t time);
  Operation& operator[](std::uint64_t number) { return operations_[number]; }
  const std::deque<Operation>& operations() const { return operations_; }

 private:
  std::function<std::uint64_t(std::uint64_t)> on_channel_;
  std::vector<std::deque<std::uint64_t>> committed_;  ///< by node
  std::deque<Operation> operations_;
};

}  // namespace psim::cosim
