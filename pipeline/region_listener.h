// SPDX-License-Identifier: Apache-2.0
// The totals of a core, and who receives them where a region begins or ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipeline/cpi_account.h"
#include "pipeline/observer.h"

namespace psim::pipeline {

/// Totals counted at W.
struct Totals {
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;  ///< of the program, which excludes spill and fill traps
  std::uint64_t flops = 0;
  CpiAccount::Stack cpi{};

  /// Adds the counts between two times.
  void add(const Totals& from, const Totals& to) {
    cycles += to.cycles - from.cycles;
    instructions += to.instructions - from.instructions;
    flops += to.flops - from.flops;
    const CpiAccount::Stack parts = CpiAccount::between(from.cpi, to.cpi);
    for (std::size_t part = 0; part < parts.size(); ++part) cpi[part] += parts[part];
  }
};

/// Receives region markers as they commit, with the totals up to and including that cycle.
class RegionListener {
 public:
  virtual ~RegionListener() = default;
  /// Returns, for the observers, the region's name and whether the marker begins it.
  virtual RegionMark on_region_marker(const Totals& totals) = 0;
};

}  // namespace psim::pipeline
