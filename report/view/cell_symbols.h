// SPDX-License-Identifier: Apache-2.0
// The symbols of stages and stalls in the terminal view: one character and one colour each. psim's own names
// have fixed symbols; those of other tools get free ones, in order of appearance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/dump/dumped_instruction.h"

namespace psim::view {

struct CellSymbol {
  char letter;
  /// The text between ESC [ and m: "1;36" …
  std::string colour;
};

class CellSymbols {
 public:
  /// Assigns a symbol to every name of lanes 0 and 1 of `instructions`.
  CellSymbols(const std::vector<pipeline::dump::DumpedInstruction>& instructions,
              const pipeline::dump::StageNames& names);

  const CellSymbol& stage(std::uint32_t name) const { return stages_[name]; }
  const CellSymbol& stall(std::uint32_t name) const { return stalls_[name]; }
  /// Returns the meaning of each symbol, wrapped at `width` columns; with colours if `colour`.
  std::string legend(std::size_t width, bool colour) const;

 private:
  struct Entry {
    CellSymbol symbol;
    std::string name;
  };
  std::vector<CellSymbol> stages_, stalls_;  ///< by number of name; letter 0: not in that lane
  std::vector<Entry> stage_legend_, stall_legend_;
};

}  // namespace psim::view
