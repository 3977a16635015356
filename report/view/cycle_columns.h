// SPDX-License-Identifier: Apache-2.0
// The cycle that each column of a block of rows shows. Long spans in which nothing changes take three
// columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/dump/dumped_instruction.h"

namespace psim::view {

struct CycleColumn {
  std::uint64_t cycle;
  bool squeezed;  ///< stands for all cycles from here to the next column's
};

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

}  // namespace psim::view
