// SPDX-License-Identifier: Apache-2.0
// The rows of the table of algorithms, for those who check or print it. selection.cpp is part of psim and of
// the library of simulated programs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mpi/collective/selection.h"

namespace psim::net::mpi {

/// Limits of a SelectionRule that has none.
inline constexpr std::uint32_t kAnyRanks = ~0u;
inline constexpr std::uint64_t kAnyBytes = ~std::uint64_t{0};

/// The user's rules (MpiConfig::algorithms) in their order, then the built-in ones, which end with one
/// without limits for each collective. Throws std::invalid_argument if they cannot be read.
std::vector<SelectionRule> selection_rules(std::string_view user);

}  // namespace psim::net::mpi
