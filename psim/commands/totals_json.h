// SPDX-License-Identifier: Apache-2.0
// The totals of a core and its regions, as keys of a result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "pipeline/region_account.h"

namespace psim::commands {

/// Returns {"base": 12, "front_end": 3, …}.
nlohmann::ordered_json cpi_json(const pipeline::CpiAccount::Stack& cpi);
/// Adds instructions, cycles, seconds, ipc, flops and cpi_stack.
void fill_in_totals(nlohmann::ordered_json& body, const pipeline::Totals& totals, double clock_hz);
nlohmann::ordered_json regions_json(const std::vector<pipeline::MeasuredRegion>& regions);
/// Returns the cycles that are in no part of the CPI stack: those without a thread to run.
std::uint64_t idle_cycles(const pipeline::Totals& totals);
/// Adds `idle` to each CPI stack of the rows of regions_json().
void add_idle_cycles(nlohmann::ordered_json& rows, const std::vector<pipeline::MeasuredRegion>& regions);

}  // namespace psim::commands
