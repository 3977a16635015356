// SPDX-License-Identifier: Apache-2.0
// Models of an MPI program's regions, and of the rest of it, from runs on cycle-level nodes (`psim predict`).
//
// Times have an interval for ranks that no run had: docs/decisions/0090.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "predict/model_file.h"

namespace psim::predict {

/// Name of the model of everything outside of regions, as ranks/job/rank_load.cpp expects it.
inline constexpr const char* kOutside = "(outside)";

/// Relative standard error of a time on other ranks than the measured ones, and its growth for each factor e
/// of their number. kCallError: of the software of MPI calls, in which other ranks than measured take part.
inline constexpr double kRankError = 0.01, kRankGrowth = 0.02, kCallError = 0.5;
/// Relative standard error of the software of MPI calls with functional partners.
inline constexpr double kPartnerError = 0.1;

/// Ratio of the half width of an interval of 95 % to the standard error.
inline constexpr double kNormal95 = 1.96;

/// Seconds of one execution of a region.
struct MeasuredRegion {
  std::vector<Range> arguments;
  double seconds = 0;
  double spread = 0;                  ///< relative standard error of a rank's mean, from the ranks measured
  double calls = 0;                   ///< share of MPI calls in the time
  std::vector<double> of_ranks = {};  ///< factors of the time on the measured ranks; empty: not known
  std::vector<std::vector<double>> at_steps = {};  ///< RegionFit::at_steps
};

/// A run on nodes: times by region, and of the rest of a rank.
struct MeasuredRun {
  std::string label, size;  ///< `size`: the argument of the program that differs between runs, a whole number
  std::map<std::string, MeasuredRegion> regions{};
  double outside = 0, outside_calls = 0;
  std::vector<double> outside_of_ranks = {};
  std::vector<std::vector<double>> outside_at_steps = {};
  bool functional_partners = false;  ///< some nodes executed functionally
};

/// Returns the models for a number of ranks. With several runs, regions are fitted by their arguments, or
/// by `size` if they have none. Throws UserError for arguments that differ within a run, and for sizes that
/// are no whole numbers.
/// @param runs at least one
/// @param nodes the nodes of each run
std::vector<RegionFit> models_at(const std::vector<MeasuredRun>& runs, double size, std::uint32_t nodes,
                                 std::uint32_t ranks);

}  // namespace psim::predict
