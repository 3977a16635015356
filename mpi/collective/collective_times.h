// SPDX-License-Identifier: Apache-2.0
// Times of collectives by size of the communicator and bytes, from a CSV file that psim net --table wrote or
// that was measured on a machine:
//
//     collective,ranks,bytes,seconds
//     bcast,64,1024,3.1e-5
//
// Columns have any order; others than these are ignored, as are lines that begin with #. `microseconds` may
// replace `seconds`. Rows of equal sizes count with their mean. Between rows the logarithm of the time is
// linear in the logarithms of bytes and ranks; 0 bytes count as 1. collective_times.cpp is part of psim and
// of the library of simulated programs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "mpi/collective/selection.h"

namespace psim::net::mpi {

class CollectiveTimes {
 public:
  CollectiveTimes() = default;
  /// Throws std::invalid_argument, "3: bytes = x: …", with the line of the first error.
  explicit CollectiveTimes(std::string_view csv);

  bool has(CollectiveKind collective) const { return !tables_[static_cast<std::size_t>(collective)].empty(); }
  /// Returns the time in ps; nothing if the table does not cover the size. `bytes` as of Selection::choose().
  std::optional<std::uint64_t> time(CollectiveKind collective, std::uint32_t ranks,
                                    std::uint64_t bytes) const;
  /// Returns the sizes that the table covers, "2 to 64 ranks; 0 to 65536 bytes with 64 ranks", those with the
  /// next smaller and the next larger number of ranks.
  std::string covered(CollectiveKind collective, std::uint32_t ranks) const;
  /// Returns the least time of all rows, ps; 0 for an empty table.
  std::uint64_t least() const;

 private:
  struct Sum {
    double seconds = 0;
    std::uint32_t rows = 0;
    double mean() const { return seconds / rows; }
  };
  using Curve = std::map<std::uint64_t, Sum>;    ///< by bytes
  using Table = std::map<std::uint32_t, Curve>;  ///< by ranks
  static std::optional<double> logarithm_at(const Curve& curve, std::uint64_t bytes);

  Table tables_[10];
};

}  // namespace psim::net::mpi
