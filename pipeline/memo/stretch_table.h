// SPDX-License-Identifier: Apache-2.0
// Remembered stretches by the states in which they begin. Cores of equal configurations may share a table: a
// stretch depends on no core. Instructions are compared by address, so these cores' programs must share their
// analysed words, too; otherwise each core finds its own stretches only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/state/instruction_source.h"
#include "pipeline/memo/outcome_tape.h"

namespace psim::pipeline {

struct StoredState;

/// Values of all sampled distributions, by the cycles since the start from which they hold.
struct Occupancy {
  std::vector<std::uint32_t> from;
  std::vector<std::uint16_t> values;
};

/// Numbers of counts (CoreCounts) and what is added to them.
using CountDeltas = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

struct Stretch {
  StoredState* end = nullptr;
  std::unique_ptr<Stretch> next;  ///< from the same state
  std::uint32_t cycles = 0, committed = 0, instructions = 0;
  std::vector<TapedCall> calls;
  std::vector<isa::InstructionRecord> records;
  std::vector<std::uint32_t> texts;  ///< the numbers of records before TapedCall::Kind::Text, ascending
  CountDeltas deltas;
  Occupancy occupancy;
  std::uint64_t uses = 0;  ///< whose effects are not added yet
};

/// A timing state of the core in canonical form, and the stretches that begin in it.
struct StoredState {
  std::vector<std::uint8_t> bytes;
  std::unique_ptr<Stretch> first;  ///< the one used last
  std::uint32_t stretches = 0;
};

class StretchTable {
 public:
  using States = std::unordered_multimap<std::uint64_t, std::unique_ptr<StoredState>>;  // by hash

  StretchTable();
  /// Returns the entry of a state; null if the state, or one with a similar hash, has not come before, unless
  /// `always`. The first time a state leaves a mark only, since most states of irregular code never come
  /// back.
  StoredState* at(std::span<const std::uint8_t> state, bool always);
  /// Adds a stretch that begins in `from`, unless there are enough.
  void add(StoredState& from, std::unique_ptr<Stretch> stretch);
  /// Begins an empty table if this one has reached its size. Entries live as long as their generation is
  /// held.
  void bound();
  const std::shared_ptr<States>& generation() const { return states_; }

 private:
  static constexpr std::uint32_t kMostStretches = 12;  // from one state
  static constexpr std::size_t kMostBytes = std::size_t{24} << 20;
  static constexpr std::size_t kMarks = std::size_t{1} << 15;

  std::shared_ptr<States> states_;
  std::vector<std::uint16_t> marks_;  // of states that came once
  std::size_t bytes_ = 0;
};

}  // namespace psim::pipeline
