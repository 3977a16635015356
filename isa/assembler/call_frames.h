// SPDX-License-Identifier: Apache-2.0
// The `.cfi_…` directives of a function's frame, and the descriptions made from them, by which an unwinder
// finds the caller's registers at every instruction (DWARF 4, 6.4; LSB Core 5, 10.6 for .eh_frame).
//
// Each function becomes an entry (FDE) that refers to a common part (CIE). A CIE holds the rules that hold
// from the first instruction on; an entry holds the changes, each at its distance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

class Unit;

class CallFrames {
 public:
  /// Carries out a `.cfi_…` directive; returns false if there is none of this name. Throws Complaint.
  bool carry_out(const Statement& statement, Unit& unit);
  /// Returns the names of all directives.
  static std::vector<std::string> directives();
  /// Writes .eh_frame, and .debug_frame if requested, after everything was read. Reports mistakes to `unit`.
  void write(Unit& unit) const;

  /// An address with its DW_EH_PE_… encoding.
  struct Encoded {
    static constexpr std::uint8_t kOmitted = 0xff;
    std::uint8_t encoding = kOmitted;
    Expression address;
  };
  /// A function, or a part of one.
  struct Frame {
    std::uint32_t section = 0, line = 0, column = 0;
    std::uint64_t begin = 0, end = 0;  ///< offsets in the section
    bool open = true;
    bool signal = false;              ///< a signal's handler returns to it
    std::uint8_t return_column = 15;  ///< %o7
    Encoded personality, lsda;
    std::string initial, changes;  ///< encoded rules
    bool changing = false;         ///< rules go to `changes`
    std::uint64_t at = 0;          ///< offset that `changes` has reached
    std::int64_t cfa_offset = 0;
    std::vector<std::int64_t> remembered;  ///< cfa_offset of each .cfi_remember_state
  };

 private:
  std::vector<Frame> frames_;
  bool eh_frame_ = true, debug_frame_ = false;
};

}  // namespace psim::isa::assembler
