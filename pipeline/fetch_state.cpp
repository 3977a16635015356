// SPDX-License-Identifier: Apache-2.0
// The state of FetchUnit as others see it: for stalls, repeated stretches and messages.
#include <fmt/format.h>

#include "pipeline/fetch_unit.h"
#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

StallCause FetchUnit::stall() const {
  switch (blame_) {
    case CpiPart::Branch:
      return StallCause::BranchRedirect;
    case CpiPart::Serial:
      return StallCause::Serialise;
    case CpiPart::WindowTrap:
      return StallCause::WindowTrap;
    default:
      return waiting_ == Waiting::Line ? StallCause::InstructionCache : StallCause::None;
  }
}

void FetchUnit::timing_state(TimingState& state) {
  state.value(pulled_);
  state.cycle(resume_);
  state.value(waiting_), state.value(trap_), state.value(ended_), state.value(parked_), state.value(blame_);
  state.near(block_, 0);
  state.value(refused_), state.value(line_ready_);
  if (refused_) state.cycle(translated_);
  if (line_ready_) state.cycle(usable_, 64);
  state.value(after_slot_);
  if (after_slot_ != AfterSlot::Nothing) {
    state.cycle(after_slot_resume_);
    state.near(after_slot_pc_, block_);
  }
  state.in_flight(mispredicted_);
  state.value(on_wrong_path_);
  if (mispredicted_ != 0 || on_wrong_path_) {
    state.near(wrong_pc_, block_);
    state.near(wrong_next_, wrong_pc_);
    state.value(wrong_simd_), state.value(wrong_pes_), state.value(wrong_window_);
    state.near(wrong_first_, state.head());
  }
  state.cycle(resolve_at_);
  returns_.timing_state(state, mispredicted_ != 0 ? &returns_mark_ : nullptr);
  prefetcher_.timing_state(state);
}

std::string FetchUnit::describe() const {
  const char* what = ended_                       ? "all instructions are fetched"
                     : parked_                    ? "has no thread to run"
                     : waiting_ == Waiting::Line  ? "waits for an instruction cache line"
                     : waiting_ == Waiting::Empty ? "waits until the next instruction is the oldest"
                     : trap_ != Trap::None        ? "is in a window trap"
                     : on_wrong_path_             ? "is on a wrong path"
                     : resume_ == kNever          ? "is stopped"
                                                  : "runs";
  return fmt::format("fetch: {}; resumes in cycle {}; {} instructions in the buffer; mispredicted branch {}",
                     what, resume_ == kNever ? std::string("-") : std::to_string(resume_),
                     window_.in_instruction_buffer(), mispredicted_);
}

}  // namespace psim::pipeline
