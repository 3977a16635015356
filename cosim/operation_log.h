// SPDX-License-Identifier: Apache-2.0
// Puts and gets, and the time of their parts. Each part ends where the next begins, so the parts sum exactly
// to the whole. Times are ps since the start.
//
// The steps of an operation may occur in two host processes, that of its node and that of its peer. Each
// process notes the steps here; finish() puts them in order.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "netsim/parallel/host_processes.h"

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
  std::uint64_t rung = 0;       ///< the doorbell is in the interface
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
  /// Returns an operation of a node of this host process.
  Operation& operator[](std::uint64_t number) { return by_node_[number >> kNodeShift][number & kIndexMask]; }
  /// Completes the operations, after the run; in process 0 those of all processes.
  void finish(net::HostProcesses& processes);
  /// Returns, after finish(), the operations in the order in which their doorbells rang; those of one instant
  /// by node.
  const std::deque<Operation>& operations() const { return operations_; }

 private:
  static constexpr unsigned kNodeShift = 40;
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kNodeShift) - 1;
  /// A call of part(), crossed() or end().
  struct Step {
    enum class Kind : std::uint8_t { Part, Crossed, End };
    Kind kind;
    std::string name;  ///< of the part, or the prefix of those of crossed()
    std::uint64_t bytes, time;
  };
  void write(net::Parcel& parcel) const;
  void read(net::Parcel& parcel);
  void apply(Operation& operation, const Step& step) const;

  std::function<std::uint64_t(std::uint64_t)> on_channel_;
  std::vector<std::deque<std::uint64_t>> committed_;  ///< by node
  std::map<std::uint64_t, std::deque<Operation>> by_node_;
  std::map<std::uint64_t, std::vector<Step>> steps_;  ///< by number
  std::deque<Operation> operations_;
};

}  // namespace psim::cosim
