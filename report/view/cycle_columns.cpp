// SPDX-License-Identifier: Apache-2.0
#include "report/view/cycle_columns.h"

#include <algorithm>

namespace psim::view {

using pipeline::dump::DumpedInstruction;
using pipeline::dump::DumpedStage;

namespace {
constexpr std::size_t kMost = 1 << 16;  // columns, far above any width, so that no span fills the memory
}  // namespace

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

}  // namespace psim::view
