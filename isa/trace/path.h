// SPDX-License-Identifier: Apache-2.0
// The flow of control from one instruction to the next (V9 manual, 6.3.4): the part that a trace omits
// because the instruction and one bit determine it.
#pragma once

#include <cstdint>

#include "isa/exec/executor.h"
#include "isa/state/alternate_space.h"
#include "isa/state/cpu_state.h"
#include "isa/state/instruction_source.h"
#include "isa/trace/text_image.h"

namespace psim::isa::trace {

/// The information that determines an instruction's outcome.
enum class Outcome : std::uint8_t {
  Known,   ///< nothing: no control transfer, or always the same
  Branch,  ///< one bit: taken or not
  Target,  ///< the address it jumps to
  Trap,    ///< whether a conditional software trap is taken: seldom
};
Outcome outcome_of(const TextImage::Entry& entry);

/// Returns true if a trace must record whether a memory access goes to SBM: in SIMD state, and for accesses
/// by an ASI.
inline bool may_reach_sbm(const InstructionRecord& access) {
  return access.simd || is_alternate_access(access.instruction->word);
}

/// The position of control between two instructions.
struct Path {
  std::uint64_t pc = 0, npc = 4;
  std::uint8_t window = 0;  ///< CWP, 0 to kWindows - 1
  bool simd = false;        ///< SIMD state
  std::uint8_t pes = 0;     ///< enabled PEs

  void go_to(std::uint64_t new_pc, std::uint8_t new_window) {
    pc = new_pc, npc = new_pc + 4, window = new_window;
  }
  /// Fills in `record`, except for address and marks, and moves past the instruction. `taken` and `target`
  /// are used as outcome_of() requires.
  void pass(const TextImage::Entry& entry, bool taken, std::uint64_t target, InstructionRecord& record);
};
/// Returns the position of a processor.
Path path_of(Executor& executor);

}  // namespace psim::isa::trace
