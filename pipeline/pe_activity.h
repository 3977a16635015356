// SPDX-License-Identifier: Apache-2.0
// What an instruction does in the PEs, counted stage by stage as it comes there. Instructions that only the
// scalar part has may be given too: nothing is counted for them.
#pragma once

#include "isa/instruction_source.h"
#include "pipeline/activity.h"

namespace psim::pipeline {

/// PEs that take part in it: the enabled ones, or one of a move to or from one PE, of an integer result, of
/// an integer load from SBM and of what scalar state reads and writes there. 0: the scalar part alone.
std::uint8_t pes_of(const isa::InstructionRecord& record);

class PeWork {
 public:
  /// `pes` of pes_of(); both outlive this.
  PeWork(PeActivity& to, const isa::StaticInstruction& instruction, std::uint8_t pes, bool sbm);

  void entered();                       ///< D
  void sent(std::uint64_t cycles);      ///< C, `cycles` cycles of it; 0: not begun
  void executed(std::uint64_t cycles);  ///< X, so many cycles of it
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
