// SPDX-License-Identifier: Apache-2.0
#include "pipeline/simd/simd_stats.h"

#include <bit>

#include "pipeline/pe_activity.h"

namespace psim::pipeline {

void SimdStats::count(const InFlight& e) {
  const std::uint64_t taking_part = pes_of(e.record);
  ++instructions;
  pes.add(taking_part);
  operations += taking_part;
  if (!e.record.sbm) return;
  if (e.load) {
    sbm_loads += taking_part;
    sbm_bytes_read += taking_part * e.bytes;
  }
  if (e.store) {
    sbm_stores += taking_part;
    sbm_bytes_written += taking_part * e.bytes;
  }
}

}  // namespace psim::pipeline
