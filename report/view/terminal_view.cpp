// SPDX-License-Identifier: Apache-2.0
#include "report/view/terminal_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "report/dump/dumped_instruction.h"
#include "report/view/cell_symbols.h"

namespace psim::view {

using pipeline::dump::DumpedInstruction;
using pipeline::dump::DumpedStage;
using pipeline::dump::StageNames;

std::optional<std::uint64_t> pc_of(std::string_view text) {
  const bool prefixed = text.starts_with("0x");
  if (prefixed) text.remove_prefix(2);
  std::uint64_t pc = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pc, 16);
  if (error != std::errc{}) return std::nullopt;
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (!prefixed && digits < 4) return std::nullopt;  // "add" is a mnemonic
  const auto rest = text.substr(digits);
  if (!rest.empty() && rest.front() != ':' && rest.front() != ' ') return std::nullopt;
  return pc;
}

bool ViewFilter::takes(const DumpedInstruction& instruction) {
  ++seen_;
  if (taken_ >= options_.count) return false;
  if (instruction.end <= options_.from || instruction.begin >= options_.to) return false;
  if (taken_ == 0 && options_.pc && pc_of(instruction.text) != options_.pc) return false;
  ++taken_;
  return true;
}

void ViewSelection::instruction(DumpedInstruction&& instruction) {
  if (!filter_.takes(instruction)) return;
  if (instructions_.size() == kMost)
    throw UserError(fmt::format(
        "over {} instructions are chosen; expected fewer: choose with --from, --to, --pc, --count", kMost));
  instructions_.push_back(std::move(instruction));
}

namespace {

struct CycleColumn {
  std::uint64_t cycle;
  bool squeezed;  ///< stands for all cycles from here to the next column's
};

/// The cycle that each column of a block of rows shows. Long spans in which nothing changes take three
/// columns.
class CycleColumns {
 public:
  /// Computes the columns that show `rows` from the earliest begin to the latest end, both within [from, to).
  CycleColumns(const std::vector<const pipeline::dump::DumpedInstruction*>& rows, std::uint64_t from,
               std::uint64_t to, bool squeeze);
  std::size_t size() const { return columns_.size(); }
  const CycleColumn& operator[](std::size_t column) const { return columns_[column]; }
  /// Drops columns from the right.
  void limit(std::size_t width) {
    if (columns_.size() > width) columns_.resize(width);
  }
  /// Returns a line of marks over the columns, labelled with cycles if `width` leaves room.
  std::string ruler(std::size_t width) const;

  static constexpr std::uint64_t kShown = 12;  ///< a longer span without a change is squeezed

 private:
  std::vector<CycleColumn> columns_;
};

using pipeline::dump::DumpedInstruction;
using pipeline::dump::DumpedStage;

constexpr std::size_t kMost = 1 << 16;  // columns, far above any width, so that no span fills the memory

CycleColumns::CycleColumns(const std::vector<const DumpedInstruction*>& rows, std::uint64_t from,
                           std::uint64_t to, bool squeeze) {
  std::vector<std::uint64_t> changes;
  const auto change = [&](std::uint64_t cycle) { changes.push_back(std::clamp(cycle, from, to)); };
  for (const DumpedInstruction* row : rows) {
    change(row->begin);
    change(row->end);
    if (row->flushed) change(row->end + 1);  // room for its mark
    for (const DumpedStage& stage : row->stages) {
      change(stage.begin);
      change(stage.end);
    }
  }
  std::sort(changes.begin(), changes.end());
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    const std::uint64_t begin = changes[i], end = changes[i + 1];
    if (squeeze && end - begin > kShown) {
      columns_.insert(columns_.end(), {{begin, false}, {begin + 1, true}, {end - 1, false}});
    } else {
      for (std::uint64_t cycle = begin; cycle < end && columns_.size() < kMost; ++cycle)
        columns_.push_back({cycle, false});
    }
  }
}

std::string CycleColumns::ruler(std::size_t width) const {
  std::string line(std::max(width, columns_.size()), ' ');
  std::size_t free = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].squeezed) {
      if (i >= free) line[i] = ':';
      continue;
    }
    const bool after_squeeze = i >= 1 && columns_[i - 1].squeezed;
    if (i != 0 && columns_[i].cycle % 10 != 0 && !after_squeeze) continue;
    std::string label(1, '|');
    label += std::to_string(columns_[i].cycle);
    if (i < free) continue;
    if (i + label.size() <= line.size()) {
      line.replace(i, label.size(), label);
      free = i + label.size();
    } else {
      line[i] = '|';
    }
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

constexpr std::size_t kRows = 48;  // most rows of a block, so that the ruler stays near
constexpr std::size_t kLongestText = 44;
constexpr std::size_t kFewestCells = 20;

class View {
 public:
  View(const std::vector<DumpedInstruction>& instructions, const StageNames& names,
       const ViewOptions& options)
      : options_(options), symbols_(instructions, names) {
    for (const DumpedInstruction& instruction : instructions) {
      sequence_width_ = std::max(sequence_width_, std::min<std::size_t>(instruction.sequence.size(), 12));
      text_width_ = std::max(text_width_, std::min(instruction.text.size(), kLongestText));
    }
    const std::size_t left = sequence_width_ + 3;
    if (left + text_width_ + kFewestCells > options_.width)
      text_width_ = options_.width > left + kFewestCells + 10 ? options_.width - left - kFewestCells : 10;
    cells_ = std::max(options_.width, left + text_width_ + kFewestCells) - left - text_width_;
  }

  std::string legend() const { return symbols_.legend(options_.width, options_.colour); }

  /// Returns the block that begins with `first`, and moves `first` past it.
  std::string block(const std::vector<DumpedInstruction>& instructions, std::size_t& first) const {
    std::vector<const DumpedInstruction*> rows{&instructions[first]};
    CycleColumns columns(rows, options_.from, options_.to, options_.squeeze);
    while (++first < instructions.size() && rows.size() < kRows) {
      rows.push_back(&instructions[first]);
      CycleColumns wider(rows, options_.from, options_.to, options_.squeeze);
      if (wider.size() > cells_) {
        rows.pop_back();
        break;
      }
      columns = std::move(wider);
    }
    const bool cut = columns.size() > cells_;
    columns.limit(cells_);
    std::string text = dim("cycle") + std::string(sequence_width_ + text_width_ - 2, ' ') +
                       dim(columns.ruler(cells_)) + "\n";
    for (const DumpedInstruction* row : rows) text += line(*row, columns, cut);
    return text;
  }

 private:
  std::string dim(const std::string& text) const {
    return options_.colour ? std::string("\x1b[2m").append(text).append("\x1b[0m") : text;
  }

  std::string line(const DumpedInstruction& row, const CycleColumns& columns, bool cut) const {
    std::string sequence = one_column_each(row.sequence).substr(0, sequence_width_);
    sequence.insert(0, sequence_width_ - sequence.size(), ' ');
    std::string text = one_column_each(row.text);
    const bool long_text = text.size() > text_width_;
    text.resize(text_width_, ' ');
    if (long_text) text.back() = '>';
    std::string left = std::move(sequence);
    left.append(row.flushed ? "x" : " ").append(text).append("  ");
    std::string made = row.flushed ? dim(left) : left;
    std::string colour;  // the active colour
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool last = cut && i + 1 == columns.size();
      const CellSymbol symbol =
          last && row.end > columns[i].cycle + 1 ? CellSymbol{'>', "0"} : cell(row, columns[i]);
      if (options_.colour && symbol.colour != colour)
        made.append("\x1b[0m\x1b[").append(symbol.colour).push_back('m');
      colour = symbol.colour;
      made += symbol.letter;
    }
    while (made.ends_with(' ')) made.pop_back();
    return made + (options_.colour ? "\x1b[0m\n" : "\n");
  }

  CellSymbol cell(const DumpedInstruction& row, const CycleColumn& column) const {
    const std::uint64_t cycle = column.cycle;
    const char* const plain = "0";
    if (row.flushed && cycle == row.end) return {'x', "1;31"};
    if (cycle < row.begin || cycle >= row.end) return {' ', plain};
    const DumpedStage *stage = nullptr, *stall = nullptr;
    for (const DumpedStage& at : row.stages) {
      const bool here = at.begin <= cycle && (cycle < at.end || (at.begin == cycle && at.lane == 0));
      if (here) (at.lane == 0 ? stage : stall) = &at;
    }
    if (column.squeezed) return {':', stall != nullptr ? symbols_.stall(stall->name).colour : plain};
    if (stage != nullptr && stage->begin == cycle) {
      CellSymbol symbol = symbols_.stage(stage->name);
      if (stall != nullptr) symbol.colour = symbols_.stall(stall->name).colour;
      return symbol;
    }
    if (stall != nullptr) return symbols_.stall(stall->name);
    return {stage != nullptr ? '.' : ' ', stage != nullptr ? symbols_.stage(stage->name).colour : plain};
  }

  const ViewOptions& options_;
  CellSymbols symbols_;
  std::size_t sequence_width_ = 3, text_width_ = 10, cells_ = 0;
};

}  // namespace

void print_view(const std::vector<DumpedInstruction>& instructions, const StageNames& names,
                const ViewOptions& options, const std::function<bool(std::string_view)>& out) {
  if (instructions.empty()) return;
  const View view(instructions, names, options);
  if (!out(view.legend())) return;
  for (std::size_t first = 0; first < instructions.size();)
    if (!out("\n") || !out(view.block(instructions, first))) return;
}

}  // namespace psim::view
