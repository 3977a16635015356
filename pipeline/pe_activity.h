// SPDX-License-Identifier: Apache-2.0
// Counts the steps of an instruction in the PEs, stage by stage. Instructions of the scalar part alone are
// accepted, too; nothing is counted for them.
#pragma once

#include "isa/state/instruction_source.h"
#include "pipeline/activity.h"

namespace psim::pipeline {

/// Returns the number of PEs that take part: the enabled ones, or one. It is one for a move to or from one
/// PE, an integer result, an integer load from SBM, and the accesses of scalar state to SBM. 0: the scalar
/// part alone.
std::uint8_t pes_of(const isa::InstructionRecord& record);

class PeWork {
 public:
  /// Starts the counts of an instruction. `pes` is from pes_of(). `to` and `instruction` outlive the object.
  PeWork(PeActivity& to, const isa::StaticInstruction& instruction, std::uint8_t pes, bool sbm);

  void entered();                       ///< D
  void sent(std::uint64_t cycles);      ///< C, `cycles` cycles of it; 0: not begun
  void executed(std::uint64_t cycles);  ///< X, `cycles` cycles of it
  void read();                          ///< the access of a load to SBM
  void finished();                      ///< U
  void noticed(std::uint64_t cycles);   ///< W1, `cycles` cycles of it; 0: not begun
  void retired();                       ///< W

 private:
  PeActivity& to_;
  const isa::StaticInstruction& instruction_;
  const std::uint64_t pes_;
  const bool sbm_, involved_;
};

}  // namespace psim::pipeline
