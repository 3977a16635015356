// SPDX-License-Identifier: Apache-2.0
// An instruction as a stage dump describes it, whichever tool wrote the dump.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace psim::pipeline::dump {

/// The stage names of one dump, numbered in order of appearance.
class StageNames {
 public:
  std::uint32_t number(std::string_view name);
  const std::string& operator[](std::uint32_t number) const { return names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

struct DumpedStage {
  std::uint32_t lane;        ///< 0: pipeline stages, 1: stall causes
  std::uint32_t name;        ///< number in the dump's StageNames
  std::uint64_t begin, end;  ///< cycles [begin, end)
};

struct DumpedWakeup {
  std::uint64_t producer;  ///< id in the file
  std::uint64_t cycle;
};

struct DumpedInstruction {
  std::uint64_t id = 0;       ///< in the file, in order of fetch
  std::string sequence;       ///< the simulator's own number, as written
  std::uint64_t retired = 0;  ///< order of retirement; meaningless if flushed
  bool flushed = false;
  bool complete = false;             ///< its end was in the dump
  std::uint64_t line = 0;            ///< at which the dump first mentions it
  std::uint64_t begin = 0, end = 0;  ///< cycles [begin, end)
  std::string text;                  ///< usually "PC: assembly"
  std::string details;               ///< additional text, for a hover
  std::vector<DumpedStage> stages;   ///< in order of begin
  std::vector<DumpedWakeup> wakeups;
};

/// Receives instructions in order of id.
class DumpSink {
 public:
  virtual ~DumpSink() = default;
  virtual void instruction(DumpedInstruction&& instruction) = 0;
};

/// Ticks per cycle in O3PipeView: gem5's default, and always psim's.
inline constexpr std::uint64_t kTicksPerCycle = 1000;

/// The strictness of a reader.
struct ReadOptions {
  /// Checks also the properties that only psim guarantees: ids from 0 without gap, a C= line, every E naming
  /// an open stage, wake-ups of live consumers, retire ids from the first in order without gap.
  bool strict = false;
  /// Accepts a dump that ends before its instructions do (a copy of a file still being written).
  bool partial = false;
  /// O3PipeView: ticks per cycle.
  std::uint64_t ticks_per_cycle = kTicksPerCycle;
};

}  // namespace psim::pipeline::dump
