// SPDX-License-Identifier: Apache-2.0
// The events that the core announces while it runs. Stage dumps, reports and energy observe them. The core
// depends on none of these, and a run without observers has no cost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/table/static_instruction.h"

namespace psim::pipeline {

/// Pipeline stages in order (JPS1-V ch. 6). C and W1 belong to the SIMD-PEs.
enum class Stage : std::uint8_t { IA, IT, IM, IB, IR, E, D, P, B, C, X, Ps, Ts, Ms, Bs, Rs, U, W1, W };
inline constexpr std::array<std::string_view, 19> kStageNames{
    "IA", "IT", "IM", "IB", "IR", "E", "D", "P", "B", "C", "X", "Ps", "Ts", "Ms", "Bs", "Rs", "U", "W1", "W"};

/// The cause for which an instruction waited, for lane 1 of a dump and the colour of a view.
enum class StallCause : std::uint8_t {
  None,
  InstructionCache,
  BranchRedirect,
  InstructionBufferFull,
  Serialise,
  ReservationStationFull,
  ReorderBufferFull,
  RenameFull,
  StoreQueueFull,
  LoadQueueFull,
  Operand,
  PipeBusy,
  Cancelled,
  L1Miss,
  L2Miss,
  StoreForward,
  CommitWidth,
  WindowTrap,
  TransferQueueFull,
  Transfer,
};
inline constexpr std::size_t kStallCauses = static_cast<std::size_t>(StallCause::Transfer) + 1;
std::string_view name(StallCause cause);  ///< the stage name of lane 1, e.g. "l1_miss"

struct StageEvent {
  std::uint64_t cycle;  ///< first cycle in the stage
  Stage stage;
};
struct StallSpan {
  std::uint64_t begin, end;  ///< cycles [begin, end)
  StallCause cause;
};
struct Wakeup {
  std::uint64_t producer;  ///< sequence of the instruction that supplied the operand
  std::uint64_t cycle;
};

/// The whole life of one instruction, announced once, when it commits or is flushed. Spans are valid only
/// during the call. In the order of announcement `sequence` may go back by at most the instructions in
/// flight.
struct InstructionTimeline {
  std::uint64_t sequence;  ///< fetch order, from 0, wrong path included
  std::uint64_t retired;   ///< commit order, from 0; meaningless if flushed
  std::uint64_t pc;
  std::uint64_t address;  ///< effective address, 0 if none
  const isa::StaticInstruction* instruction;
  std::span<const StageEvent> stages;  ///< by cycle; a cancelled instruction passes P, B, X again
  std::span<const StallSpan> stalls;
  std::span<const Wakeup> wakeups;
  std::uint64_t end;     ///< cycle after its last one
  bool flushed;          ///< wrong path
  std::uint8_t pes = 0;  ///< PEs that take part in it
  bool sbm = false;      ///< a load or store that went to SBM
};

/// The division of an interval's cycles. The parts sum exactly to its cycles.
enum class CpiPart : std::uint8_t {
  Base,
  FrontEnd,
  Branch,
  ReservationStation,
  ReorderBuffer,
  IntLatency,
  FpLatency,
  StoreQueue,
  L1,
  L2,
  Memory,
  Sbm,        ///< a pending SBM access
  Transfer,   ///< waiting for a block transfer, or for room for another
  PeTransit,  ///< stages C and W1
  WindowTrap,
  Serial,
  Drain,
};
inline constexpr std::size_t kCpiParts = static_cast<std::size_t>(CpiPart::Drain) + 1;
std::string_view name(CpiPart part);  ///< the key it prints under, e.g. "front_end"

struct Interval {
  std::uint64_t begin_cycle, end_cycle;
  std::uint64_t instructions;  ///< committed in it
  std::array<std::uint64_t, kCpiParts> cpi;
};

/// A region marker of the program (PSIM_REGION_BEGIN or END), announced when it commits, before the marker
/// instruction's own on_leave.
struct RegionMark {
  std::uint64_t sequence;  ///< of the marker instruction; 0 if no observer uses timelines
  std::uint64_t cycle;     ///< in which it commits
  std::string_view name;
  bool begin;  ///< otherwise end
};

class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  /// Returns whether the observer uses on_leave(). Timelines are costly and kept only if an observer uses
  /// them.
  virtual bool needs_timelines() const { return true; }
  virtual void on_leave(const InstructionTimeline&) {}
  virtual void on_region(const RegionMark&) {}
  virtual void on_interval(const Interval&) {}
};

}  // namespace psim::pipeline
