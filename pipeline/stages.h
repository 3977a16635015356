// SPDX-License-Identifier: Apache-2.0
// Distances between pipeline stages, in cycles, counted from the stage names of JPS1-V pp. 31-34.
#pragma once

#include <cstdint>

namespace psim::pipeline::stages {

inline constexpr std::uint64_t kPredict = 2;      ///< IA to IM: branch history and cache tags have answered
inline constexpr std::uint64_t kDeliver = 3;      ///< IA to IB: the block is read
inline constexpr std::uint64_t kDecode = 6;       ///< IA (IT IM IB IR E) to the first D
inline constexpr std::uint64_t kExecute = 2;      ///< P (B) to X; a station entry is released at X
inline constexpr std::uint64_t kSimdExecute = 3;  ///< P (B C) to X in the PEs
inline constexpr std::uint64_t kToScalar =
    2;  ///< C and W1: what a result in the PEs is later in the scalar part
inline constexpr std::uint64_t kSbmAccess = 4;   ///< P (B X C) to the first cycle of an access to SBM
inline constexpr std::uint64_t kTag = 5;         ///< P (B X Ps Ts) to Ms: an operand access knows hit or miss
inline constexpr std::uint64_t kAccessDone = 8;  ///< P (B X Ps Ts Ms Bs Rs) to U of an operand access
inline constexpr std::uint64_t kAfterData = 2;   ///< data of a load usable in X (Bs), Rs, U
inline constexpr std::uint64_t kSettled = 6;  ///< from P on, nothing a load does can cancel an announcement

inline constexpr std::uint64_t kAtRest = 6;  ///< P (B X Ps Ts Ms) to Bs: what follows is known beforehand
inline constexpr std::uint64_t kFilled = 5;  ///< D (P B X U) to W: the least an instruction needs

}  // namespace psim::pipeline::stages
