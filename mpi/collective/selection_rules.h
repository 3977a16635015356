// SPDX-License-Identifier: Apache-2.0
// The rows of the table of algorithms, for checks and reports. selection.cpp is part of psim and of the
// library of simulated programs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mpi/collective/selection.h"

namespace psim::net::mpi {

/// Limits of a SelectionRule without limits.
inline constexpr std::uint32_t kAnyRanks = ~0u;
inline constexpr std::uint64_t kAnyBytes = ~std::uint64_t{0};

/// Returns the user's rules (MpiConfig::algorithms) in their order, then the built-in ones, whose last row
/// for each collective has no limits. Throws std::invalid_argument for an error in `user`.
std::vector<SelectionRule> selection_rules(std::string_view user);

}  // namespace psim::net::mpi
