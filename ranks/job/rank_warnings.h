// SPDX-License-Identifier: Apache-2.0
// Warnings about ranks of one program: one line for each kind, with the ranks concerned.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "netsim/parallel/parcel.h"

namespace psim::net {

class RankWarnings {
 public:
  static constexpr std::size_t kMostLines = 16, kMostRuns = 8;

  /// Adds a warning. `what` follows the names of the ranks: "ended without MPI_Finalize". `number`: of
  /// objects concerned, or 0.
  void add(std::string_view what, std::uint32_t rank, std::uint64_t number = 0);
  /// Returns "ranks 0-3 and 7 ended without MPI_Finalize", "rank 3 ended with requests that …: 2"; at most
  /// kMostLines, of which the last then counts the rest. `job`: prefix of each line, if not empty.
  std::vector<std::string> lines(std::string_view job) const;

  void write(Parcel& parcel) const;
  /// Adds the warnings of another host process.
  void read(Parcel& parcel);

 private:
  struct Kind {
    std::vector<std::uint32_t> ranks;
    std::uint64_t number = 0;
  };
  std::map<std::string, Kind, std::less<>> kinds_;
};

}  // namespace psim::net
