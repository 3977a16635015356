// SPDX-License-Identifier: Apache-2.0
// Names a program counter by function and source line. Read only when a report needs it: opening DWARF takes
// longer than a short program runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace psim::isa {

struct SourceLocation {
  std::string function;  ///< in the source's spelling; empty if no symbol covers the address
  std::string file;      ///< empty without line information
  int line = 0;

  /// Returns "in f at a.c:12", "in f", or an empty string.
  std::string text() const;
};

class SourceMap {
 public:
  /// `load_bias` is added to the addresses of the file (0 for ET_EXEC). A file that cannot be read, or has no
  /// debugging information, gives empty locations.
  SourceMap(const std::string& elf_path, std::uint64_t load_bias);
  ~SourceMap();
  SourceLocation locate(std::uint64_t pc) const;
  /// Likewise without the function, which is much faster.
  SourceLocation line_of(std::uint64_t pc) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace psim::isa
