// SPDX-License-Identifier: Apache-2.0
// Functional first, timing beside: the retired-path instruction records that a timing model consumes,
// whether they come from a running program or from a recorded trace. A consumer cannot change what is
// computed.
#pragma once

#include <cstdint>

#include "isa/static_instruction.h"

namespace psim::isa {

enum class RecordKind : std::uint8_t {
  Instruction,
  SpillStore,  ///< one of 16 stores of a window-spill trap, before the save that raised it
  FillLoad,    ///< one of 16 loads of a window-fill trap, before the restore that raised it
};

/// One instruction of the retired path, in program order. 40 bytes.
struct InstructionRecord {
  std::uint64_t pc = 0;
  std::uint64_t address = 0;  ///< effective address of a memory access
  std::uint64_t target =
      0;  ///< of a control transfer: where control goes after the delay slot (taken or not)
  const StaticInstruction* instruction = nullptr;
  RecordKind kind = RecordKind::Instruction;
  std::uint8_t window =
      0;               ///< CWP before the instruction; with NWINDOWS windows, the physical window of r8–r31
  bool taken = false;  ///< a control transfer that was taken
  bool annulled_slot = false;          ///< its delay slot is annulled: the next record is at `target`
  bool region_marker = false;          ///< a PSIM_REGION_BEGIN or END; ask the source with region_of()
  std::uint8_t first_of_trap : 1 = 0;  ///< first record of a spill or fill trap: trap entry is charged here
  std::uint8_t signal : 1 = 0;  ///< control came here by a signal or a trap, not by fall-through or branch
};

enum class Pull : std::uint8_t {
  Record,           ///< `out` is filled
  WaitUntilOldest,  ///< the next instruction is timed: ask again with oldest = true when nothing older is in
                    ///< flight
  End,              ///< the program has ended
};

/// Implementations run ahead only as far as they are pulled.
class InstructionSource {
 public:
  virtual ~InstructionSource() = default;
  /// The next retired-path record at `cycle`. `oldest` says that all earlier records have committed.
  virtual Pull next(std::uint64_t cycle, bool oldest, InstructionRecord& out) = 0;
  /// The instruction at `pc` in the text image, for wrong-path fetch; null where there is no text.
  virtual const StaticInstruction* text(std::uint64_t pc) = 0;
};

}  // namespace psim::isa
