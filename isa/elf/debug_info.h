// SPDX-License-Identifier: Apache-2.0
// Names a program counter by function and source line. Read only when a report needs it: opening DWARF takes
// longer than a short program runs.
#pragma once

#include <cstdint>
#include <string>

namespace psim::isa {

struct SourceLocation {
  std::string function;  ///< linkage name, empty if no symbol covers the address
  std::string file;      ///< empty without line information
  int line = 0;

  /// "in f at a.c:12", "in f", or empty.
  std::string text() const;
};

/// `load_bias` is what placing the program added to its addresses (0 for ET_EXEC). Anything unreadable gives
/// an empty location.
SourceLocation locate(const std::string& elf_path, std::uint64_t pc, std::uint64_t load_bias);

}  // namespace psim::isa
