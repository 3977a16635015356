// SPDX-License-Identifier: Apache-2.0
// What `.cfi_…` directives say of a function's frame, and the descriptions made of it, by which an unwinder
// finds the caller's registers at every instruction (DWARF 4, 6.4; LSB Core 5, 10.6 for .eh_frame).
//
// Each function becomes an entry (FDE) that names what it has in common with others (CIE). A CIE holds the
// rules that hold from the first instruction on; an entry holds the changes, each at its distance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

class Unit;

class CallFrames {
 public:
  /// Carries out a directive of these; false if there is none of this name. Throws Complaint.
  bool carry_out(const Statement& statement, Unit& unit);
  /// Their names.
  static std::vector<std::string> directives();
  /// Everything was read: writes .eh_frame, and .debug_frame where asked for. Tells `unit` its mistakes.
  void write(Unit& unit) const;

  /// An address, encoded as a DW_EH_PE_… number says.
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
