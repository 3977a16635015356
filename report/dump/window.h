// SPDX-License-Identifier: Apache-2.0
// Which instructions of a run a dump shows: a range of cycles, so many instructions from a PC, or one
// execution of a region. A window is contiguous in order of fetch, wrong path included.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "pipeline/observer.h"

namespace psim::pipeline::dump {

/// From the first instruction still in flight at `begin` to the last one fetched before `end`.
struct CycleWindow {
  std::uint64_t begin = 0, end = std::numeric_limits<std::uint64_t>::max();
};
/// From the first committed instruction at `pc`, `instructions` committed ones.
struct PcWindow {
  std::uint64_t pc = 0, instructions = 1000;
};
/// From the begin marker to the end marker of the `occurrence`-th (from 1) execution of a region.
struct RegionWindow {
  std::string name;
  std::uint64_t occurrence = 1;
};
using WindowSpec = std::variant<CycleWindow, PcWindow, RegionWindow>;

/// Reads `cycles=A:B`, `pc=0xADDR[:N]` or `region=NAME[:K]`; either of A and B may be left out. Throws
/// UserError.
WindowSpec parse_window(std::string_view text);
/// The text that parse_window reads.
std::string to_string(const WindowSpec& window);

/// Follows a run and says of each instruction, in order of sequence, whether the window shows it.
class Window {
 public:
  explicit Window(WindowSpec spec) : spec_(std::move(spec)) {}
  /// At the announcement of a mark (before the marker instruction is asked about).
  void on_region(const RegionMark& mark);
  /// In order of sequence.
  bool shows(const InstructionTimeline& timeline);
  /// Nothing more will be shown.
  bool closed() const { return state_ == State::Closed; }
  bool opened() const { return state_ != State::Waiting; }
  const WindowSpec& spec() const { return spec_; }

 private:
  bool shows(const CycleWindow& window, const InstructionTimeline& timeline);
  bool shows(const PcWindow& window, const InstructionTimeline& timeline);
  bool shows(const RegionWindow& window, const InstructionTimeline& timeline);

  enum class State { Waiting, Open, Closed };
  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

  WindowSpec spec_;
  State state_ = State::Waiting;
  std::uint64_t shown_ = 0;              ///< committed instructions of a PC window
  std::uint64_t begun_ = 0, depth_ = 0;  ///< executions begun, and markers now open, of the region
  std::uint64_t first_ = kUnknown, last_ = kUnknown;  ///< sequences of the region's markers
};

}  // namespace psim::pipeline::dump
