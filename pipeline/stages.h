// SPDX-License-Identifier: Apache-2.0
// Distances between pipeline stages, in cycles, from the depths of the stages (JPS1-V pp. 31-34; C and W1:
// paper 003 3.3). The caches' latencies cover IA IT IM IB and Ps Ts Ms Bs; core.latency covers X.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pipeline/config.h"

namespace psim::pipeline {

class Stages {
 public:
  // The distances follow the names of the stages that they count; a number is the depth of a stage of one
  // cycle.
  constexpr explicit Stages(const StageDepths& depths = {})
      : depth(depths),
        to_decode(depths.ib + depths.ir + depths.e),
        execute(1 + depths.b),
        simd_execute(1 + depths.b + depths.c),
        to_scalar(depths.c + depths.w1),
        sbm_access(1 + depths.b + 1 + depths.c),
        tag(execute + 3),
        access_done(execute + 5 + depths.rs),
        after_data(1 + depths.rs),
        settled(tag + 1),
        at_rest(std::max(tag + 1, sbm_access + 1)),
        filled(depths.d + 1 + depths.b + 1 + depths.u) {}

  StageDepths depth;
  std::uint64_t to_decode;     ///< IB (IR E) to the first D
  std::uint64_t execute;       ///< P (B) to X; a station entry is released at X
  std::uint64_t simd_execute;  ///< P (B C) to X in the PEs
  std::uint64_t to_scalar;     ///< C and W1: the delay of a result of the PEs in the scalar part
  std::uint64_t sbm_access;    ///< P (B X C) to the first cycle of an access to SBM
  std::uint64_t tag;           ///< P (B X Ps Ts) to Ms: hit or miss of an operand access is known
  std::uint64_t access_done;   ///< P (B X Ps Ts Ms Bs Rs) to U of an operand access
  std::uint64_t after_data;    ///< data of a load usable in X (Bs), Rs, to U
  std::uint64_t settled;       ///< from P on, no outcome of a load can cancel an announcement
  std::uint64_t at_rest;       ///< P (B X Ps Ts Ms) to Bs, or past C: the rest is known beforehand
  std::uint64_t filled;        ///< D (P B X U) to W: the least time of an instruction

  /// Returns the last cycle of U for an instruction that enters U in cycle `cycle`.
  std::uint64_t end_of_u(std::uint64_t cycle) const { return cycle + depth.u - 1; }
};

inline constexpr std::uint32_t kDeepestStage = 8;  ///< cycles of one stage
inline constexpr std::uint64_t kPredict = 2;  ///< IA (IT) to IM: branch history and cache tags have answered

}  // namespace psim::pipeline
