// SPDX-License-Identifier: Apache-2.0
#include "report/view/cell_symbols.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/printable.h"
#include "pipeline/observer.h"

namespace psim::view {

using pipeline::StallCause;
using pipeline::dump::DumpedInstruction;
using pipeline::dump::DumpedStage;
using pipeline::dump::StageNames;

namespace {

struct Known {
  std::string_view name;
  char letter;
  const char* colour;
};

// Fetch in cyan, issue in blue, execution in green, cache access in yellow, completion in magenta.
constexpr std::array kStages{
    Known{"IA", 'a', "36"},
    Known{"IT", 't', "36"},
    Known{"IM", 'm', "36"},
    Known{"IB", 'b', "36"},
    Known{"IR", 'r', "36"},
    Known{"E", 'E', "1;34"},
    Known{"D", 'D', "1;34"},
    Known{"C", 'C', "1;32"},
    Known{"P", 'P', "1;32"},
    Known{"B", 'B', "1;32"},
    Known{"X", 'X', "1;32"},
    Known{"Ps", '1', "33"},
    Known{"Ts", '2', "33"},
    Known{"Ms", '3', "33"},
    Known{"Bs", '4', "33"},
    Known{"Rs", '5', "33"},
    Known{"U", 'U', "1;35"},
    Known{"W1", 'w', "1;35"},
    Known{"W", 'W', "1;35"},
    // gem5's O3PipeView, with the letters of its own viewer.
    Known{"fetch", 'f', "36"},
    Known{"decode", 'd', "1;34"},
    Known{"rename", 'n', "1;34"},
    Known{"dispatch", 'p', "1;34"},
    Known{"issue", 'i', "1;32"},
    Known{"complete", 'c', "1;32"},
    Known{"retire", 'r', "1;35"},
};

struct KnownStall {
  StallCause cause;
  char letter;
  const char* colour;
};
// Front end on cyan, full structures on magenta, operands and pipes on blue or grey, memory on red and
// yellow.
constexpr std::array kStalls{
    KnownStall{StallCause::None, ' ', "0"},
    KnownStall{StallCause::InstructionCache, '%', "30;46"},
    KnownStall{StallCause::BranchRedirect, '<', "30;46"},
    KnownStall{StallCause::InstructionBufferFull, '[', "30;46"},
    KnownStall{StallCause::Serialise, '|', "30;47"},
    KnownStall{StallCause::ReservationStationFull, '#', "30;45"},
    KnownStall{StallCause::ReorderBufferFull, '&', "30;45"},
    KnownStall{StallCause::RenameFull, '@', "30;45"},
    KnownStall{StallCause::StoreQueueFull, '$', "30;45"},
    KnownStall{StallCause::LoadQueueFull, '?', "30;45"},
    KnownStall{StallCause::Operand, '-', "97;44"},
    KnownStall{StallCause::PipeBusy, '=', "97;44"},
    KnownStall{StallCause::Cancelled, '*', "97;41"},
    KnownStall{StallCause::L1Miss, '~', "30;43"},
    KnownStall{StallCause::L2Miss, '!', "97;41"},
    KnownStall{StallCause::StoreForward, '>', "30;43"},
    KnownStall{StallCause::CommitWidth, ',', "30;47"},
    KnownStall{StallCause::WindowTrap, '+', "30;42"},
    KnownStall{StallCause::TransferQueueFull, ']', "30;45"},
    KnownStall{StallCause::Transfer, '^', "30;43"},
};
static_assert(kStalls.size() == pipeline::kStallCauses, "every stall cause has a symbol");

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kMarks = "-=+*#%&@!?$<>~,[]|^/";
constexpr std::array<const char*, 6> kColours{"36", "1;34", "1;32", "33", "1;35", "1;31"};

class Letters {
 public:
  bool take(char letter) {
    if (used_.find(letter) != used_.npos) return false;
    used_.push_back(letter);
    return true;
  }
  char first_free(std::string_view wanted, std::string_view pool) {
    for (const char letter : wanted)
      if (pool.find(letter) != pool.npos && take(letter)) return letter;
    for (const char letter : pool)
      if (take(letter)) return letter;
    return '?';  // more names than characters
  }

 private:
  std::string used_;
};

std::string painted(const CellSymbol& symbol, bool colour) {
  if (!colour) return {symbol.letter};
  std::string text("\x1b[");
  text.append(symbol.colour).append("m").push_back(symbol.letter);
  return text.append("\x1b[0m");
}

}  // namespace

CellSymbols::CellSymbols(const std::vector<DumpedInstruction>& instructions, const StageNames& names)
    : stages_(names.size(), CellSymbol{0, ""}), stalls_(names.size(), CellSymbol{0, ""}) {
  std::vector<bool> in_stages(names.size()), in_stalls(names.size());
  for (const DumpedInstruction& instruction : instructions)
    for (const DumpedStage& stage : instruction.stages)
      (stage.lane == 0 ? in_stages : in_stalls)[stage.name] = true;

  Letters letters, marks;
  const auto add = [](std::vector<CellSymbol>& symbols, std::vector<Entry>& legend, std::uint32_t number,
                      const std::string& name, CellSymbol symbol) {
    symbols[number] = symbol;
    legend.push_back({std::move(symbol), one_column_each(name)});
  };
  for (const Known& known : kStages)  // in pipeline order, also in the legend
    for (std::uint32_t i = 0; i < names.size(); ++i)
      if (in_stages[i] && names[i] == known.name && letters.take(known.letter))
        add(stages_, stage_legend_, i, names[i], {known.letter, known.colour});
  for (const KnownStall& known : kStalls)
    for (std::uint32_t i = 0; i < names.size(); ++i)
      if (in_stalls[i] && names[i] == pipeline::name(known.cause) && marks.take(known.letter))
        add(stalls_, stall_legend_, i, names[i], {known.letter, known.colour});
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (in_stages[i] && stages_[i].letter == 0)
      add(stages_, stage_legend_, i, names[i],
          {letters.first_free(names[i], kLetters), kColours[stage_legend_.size() % kColours.size()]});
    if (in_stalls[i] && stalls_[i].letter == 0)
      add(stalls_, stall_legend_, i, names[i], {marks.first_free("", kMarks), "97;41"});
  }
}

std::string CellSymbols::legend(std::size_t width, bool colour) const {
  std::string text;
  const auto list = [&](std::string_view title, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    std::size_t column = title.size();
    text += title;
    for (const Entry& entry : entries) {
      const std::size_t length = entry.name.size() + 4;
      if (column + length > width && column > title.size()) {
        text.append("\n").append(title.size(), ' ');
        column = title.size();
      }
      text += "  " + painted(entry.symbol, colour) + " " + entry.name;
      column += length;
    }
    text += "\n";
  };
  list("stages:", stage_legend_);
  list("waits: ", stall_legend_);
  text += "        .  in the stage  x  flushed  :  cycles left out, in which nothing changes  >  goes on\n";
  return text;
}

}  // namespace psim::view
