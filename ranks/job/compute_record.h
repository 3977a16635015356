// SPDX-License-Identifier: Apache-2.0
// The host's processor times of the code between calls of each rank, as `--record-compute` writes and
// `--compute recorded:FILE` reads them. Text:
//
//     psim compute 1
//     ranks 2
//     0: 1200 35 …      (nanoseconds, in the order of the rank's calls)
//     1: …
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace psim::net {

struct ComputeRecord {
  std::string path;                               ///< for messages
  std::vector<std::vector<std::uint64_t>> times;  ///< by rank over all jobs, ns

  /// Reads a record. Throws UserError with file and line.
  static ComputeRecord parse(const std::string& path, const std::string& text);
  std::string text() const;
};

}  // namespace psim::net
