// SPDX-License-Identifier: Apache-2.0
// Statistics of the SIMD-PEs, counted as instructions commit.
#pragma once

#include "base/statistics/statistic.h"
#include "isa/state/simd_config.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

struct SimdStats : statistics::Group {
  Counter instructions{*this, "instructions", "instructions",
                       "instructions committed that operate in PEs, load for them, or access SBM"};
  Distribution pes{*this, "pes", "PEs", "PEs that took part in such an instruction", isa::kMostPes};
  Counter operations{*this, "operations", "operations",
                     "operations of PEs: PEs times instructions; loads and stores too"};
  Ratio busy{*this,
             "operations_per_cycle",
             "operations/cycle",
             "operations of PEs per cycle: PEs busy on average",
             {operations},
             {Run::Cycles}};
  Counter sbm_loads{*this, "sbm_loads", "accesses", "loads from SBM, by PE"};
  Counter sbm_stores{*this, "sbm_stores", "accesses", "stores to SBM, by PE"};
  Counter sbm_bytes_read{*this, "sbm_bytes_read", "bytes", "bytes that loads read from SBMs"};
  Counter sbm_bytes_written{*this, "sbm_bytes_written", "bytes", "bytes that stores wrote to SBMs"};

  /// Counts, at its W, an instruction that is in the PEs or accesses SBM.
  void count(const InFlight& e);
};

}  // namespace psim::pipeline
