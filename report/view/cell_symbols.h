// SPDX-License-Identifier: Apache-2.0
// How the terminal view shows a stage or a stall: one character and one colour each. psim's own names have
// fixed ones, those of other tools get what is free, in order of appearance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/dump/dumped_instruction.h"

namespace psim::view {

struct CellSymbol {
  char letter;
  /// What follows ESC [ and precedes m: "1;36" …
  std::string colour;
};

class CellSymbols {
 public:
  /// Gives every name of lanes 0 and 1 of `instructions` a symbol.
  CellSymbols(const std::vector<pipeline::dump::DumpedInstruction>& instructions,
              const pipeline::dump::StageNames& names);

  const CellSymbol& stage(std::uint32_t name) const { return stages_[name]; }
  const CellSymbol& stall(std::uint32_t name) const { return stalls_[name]; }
  /// What each symbol stands for, wrapped at `width` columns; with colours if asked.
  std::string legend(std::size_t width, bool colour) const;

 private:
  struct Entry {
    CellSymbol symbol;
    std::string name;
  };
  std::vector<CellSymbol> stages_, stalls_;  ///< by number of name; letter 0: not met in that lane
  std::vector<Entry> stage_legend_, stall_legend_;
};

}  // namespace psim::view
