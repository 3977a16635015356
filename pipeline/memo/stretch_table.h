// SPDX-License-Identifier: Apache-2.0
// Remembered stretches by the states in which they begin, and by the calls after which those of one state
// part. Cores of equal configurations may share a table: a stretch depends on no core. Instructions are
// compared by address, so these cores' programs must share their analysed words, too; otherwise each core
// finds its own stretches only.
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
  std::unique_ptr<Stretch> next;  ///< recorded before from the same state
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
  std::unique_ptr<Stretch> all;  ///< the one recorded last, which holds the others
  Stretch* first = nullptr;      ///< the one to try first: the one used last
  std::uint32_t stretches = 0;
};

/// The calls from a state on, with their answers and records, as a number: stretches that are equal up to a
/// call have equal keys there.
class ForkKey {
 public:
  explicit ForkKey(const StoredState& from) : hash_(reinterpret_cast<std::uintptr_t>(&from)) {}
  void add(const TapedCall& call);
  void add(const isa::InstructionRecord& record);
  std::uint64_t value() const { return hash_; }

 private:
  void mix(std::uint64_t word) { hash_ = hash_ * 0x9E3779B97F4A7C15u + (word ^ word >> 32); }
  std::uint64_t hash_;
};

/// Where what happens leaves the stretch `tried`: after `calls` calls, the last of which may be another one
/// than that of the stretch. `key`: of these calls. Nothing was tried: null.
struct Fork {
  Stretch* tried = nullptr;
  std::size_t calls = 0;
  std::uint64_t key = 0;
};

class StretchTable {
 public:
  using Forks = std::unordered_multimap<std::uint64_t, Stretch*>;
  struct Entries {
    std::unordered_multimap<std::uint64_t, std::unique_ptr<StoredState>> states;  ///< by hash
    Forks forks;                                                                  ///< by key
  };

  StretchTable();
  /// Returns the entry of a state; null if the state, or one with a similar hash, has not come before, unless
  /// `always`. The first time a state leaves a mark only, since most states of irregular code never come
  /// back.
  StoredState* at(std::span<const std::uint8_t> state, bool always);
  /// Adds a stretch that begins in `from`, and follows others up to `fork`.
  void add(StoredState& from, std::unique_ptr<Stretch> stretch, const Fork& fork);
  /// Begins an empty table if this one has reached its size. Entries live as long as their generation is
  /// held.
  void bound();
  const std::shared_ptr<Entries>& generation() const { return entries_; }

 private:
  void note(std::uint64_t key, Stretch& stretch);

  static constexpr std::uint32_t kMostStretches = 1024, kMostUnforked = 12;  // from one state
  static constexpr std::size_t kMostBytes = std::size_t{24} << 20;
  static constexpr std::size_t kMarks = std::size_t{1} << 15;

  std::shared_ptr<Entries> entries_;
  std::vector<std::uint16_t> marks_;  // of states that came once
  std::size_t bytes_ = 0;
};

}  // namespace psim::pipeline
