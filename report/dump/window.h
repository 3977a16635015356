// SPDX-License-Identifier: Apache-2.0
// The instructions of a run that a dump shows: a range of cycles, a number of instructions from a PC, or one
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
/// `instructions` committed instructions, from the first one at `pc`.
struct PcWindow {
  std::uint64_t pc = 0, instructions = 1000;
};
/// From the begin marker to the end marker of the `occurrence`-th (from 1) execution of a region.
struct RegionWindow {
  std::string name;
  std::uint64_t occurrence = 1;
};
/// `instructions` committed instructions around one end of a message between nodes: from the first one in
/// flight when the store to the doorbell, or the load that sees the message, is fetched. The run opens it.
struct MessageWindow {
  std::uint32_t rank = 0;    ///< that sends the message
  std::uint64_t number = 0;  ///< of the message there
  std::uint64_t instructions = 400;
};
using WindowSpec = std::variant<CycleWindow, PcWindow, RegionWindow, MessageWindow>;

/// Parses `cycles=A:B`, `pc=0xADDR[:N]`, `region=NAME[:K]` or `message=RANK.NUMBER[:N]`; either of A and B
/// may be omitted. Throws UserError.
WindowSpec parse_window(std::string_view text);
/// Returns the text that parse_window reads.
std::string to_string(const WindowSpec& window);

/// Follows a run and decides for each instruction, in order of sequence, whether the window shows it.
class Window {
 public:
  explicit Window(WindowSpec spec) : spec_(std::move(spec)) {}
  /// Records a mark when it is announced, before the call of shows() for the marker instruction.
  void on_region(const RegionMark& mark);
  /// Opens the window of a message with the instructions that are in flight at `cycle`; the first time
  /// counts.
  void open_message(std::uint64_t cycle);
  /// Returns whether the window shows the instruction. Call it in order of sequence.
  bool shows(const InstructionTimeline& timeline);
  /// Returns true once the window shows no further instruction.
  bool closed() const { return state_ == State::Closed; }
  bool opened() const { return state_ != State::Waiting; }
  const WindowSpec& spec() const { return spec_; }

 private:
  bool shows(const CycleWindow& window, const InstructionTimeline& timeline);
  bool shows(const PcWindow& window, const InstructionTimeline& timeline);
  bool shows(const RegionWindow& window, const InstructionTimeline& timeline);
  bool shows(const MessageWindow& window, const InstructionTimeline& timeline);

  enum class State { Waiting, Open, Closed };
  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

  WindowSpec spec_;
  State state_ = State::Waiting;
  std::uint64_t shown_ = 0;              ///< committed instructions of a window of a PC or a message
  std::uint64_t opens_ = kUnknown;       ///< cycle of open_message()
  std::uint64_t begun_ = 0, depth_ = 0;  ///< executions begun, and markers now open, of the region
  std::uint64_t first_ = kUnknown, last_ = kUnknown;  ///< sequences of the region's markers
};

}  // namespace psim::pipeline::dump
