// SPDX-License-Identifier: Apache-2.0
// Counts of a sampled program or region, and what follows for all of its instructions: cycles, flops, CPI
// stack and energy with their intervals (docs/sampling.md).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "energy/sampled_energy.h"
#include "pipeline/sampling/sampler.h"
#include "predict/loop_states.h"
#include "predict/sample_estimate.h"

namespace psim::commands {

using pipeline::Totals;
using predict::SampledTotal;
using predict::UnsteadyLoop;
using UnsteadyLoops = std::vector<UnsteadyLoop>;

inline constexpr auto kTransfer = static_cast<std::size_t>(pipeline::CpiPart::Transfer);

inline std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

/// The counts of episodes of one kind that stand for others, with their waits for block transfers. `scale`:
/// instructions of episodes that were not measured for each one of theirs.
struct EpisodeCounts {
  double cycles = 0, instructions = 0, flops = 0, scale = 0;
  std::array<double, pipeline::kCpiParts> cpi{};
  EnergySum energy;

  void add(const Totals& part) {
    cycles += static_cast<double>(part.cycles);
    instructions += static_cast<double>(part.instructions);
    flops += static_cast<double>(part.flops);
    for (std::size_t n = 0; n < cpi.size(); ++n) cpi[n] += static_cast<double>(part.cpi[n]);
  }
};

/// The counts of the program or of a region: of its start and of new code, exactly, and of the units.
///
/// Code that runs for the first time runs in cycles. It is rare and expensive, so a unit that holds it would
/// make the estimate much too large, and without such a unit it would be too small. Block transfers, and the
/// waits for them, run in cycles even outside of the units: they are rare and long, and hardly a unit would
/// hold one. Their waits are exact, and the units count without them.
struct SampledCounts {
  Totals exact;
  std::uint64_t waits = 0;  // after the start
  predict::RatioSum joules;
  EnergySum exact_energy, waits_energy, energy;  // `energy`: weighted, of the units
  predict::RatioSum cycles;
  std::optional<predict::CostEstimate> corrected;   // of `cycles`, by the counts of the whole program
  double flops = 0;                                 // weighted
  std::array<double, pipeline::kCpiParts> cpi{};    // likewise
  double instructions = 0;                          // likewise
  std::map<predict::LoopId, double> loops;          // likewise, of units in one loop
  std::map<std::uint64_t, EpisodeCounts> episodes;  // by kind
  double lost = 0;                                  // cycles of bursts before their windows
  double late = 0;    // cycles per instruction that late units have more (predict/late_units.h)
  double spread = 0;  // half of the interval of the cycles of episodes that were not measured, relative

  void add(std::uint64_t number, double weight, const Totals& unit);
  /// Adds counts of a part that was measured completely, without its waits for block transfers.
  void add_exact(const Totals& part);
  void add_loop(predict::LoopId loop, double weight, const Totals& unit);
  /// Returns a sum over the episodes that were not measured.
  template <typename Part>
  double passed(Part part) const {
    double sum = 0;
    for (const auto& [kind, counts] : episodes) sum += counts.scale * part(counts);
    return sum;
  }
  /// Returns the instructions for which units stand, of `all`.
  double more(std::uint64_t all) const;
  double passed_cycles() const;
  /// Returns the part of `all` instructions that a loop has.
  double instructions_of(const UnsteadyLoop& loop, std::uint64_t all) const;
  void add_energy(std::uint64_t number, double weight, std::uint64_t unit_instructions,
                  const EnergySum& unit);
  /// Returns the joules of `all` instructions. The interval grows by the share by which that of the cycles
  /// grows: in another state of a loop, the energy changes at most as the cycles do.
  SampledTotal estimate_joules(std::uint64_t all, const UnsteadyLoops& unsteady) const;
  /// Adds total, interval and breakdown of the energy.
  void fill_in_energy(nlohmann::ordered_json& to, const SampledEnergy& model, std::uint64_t all,
                      const UnsteadyLoops& unsteady, double clock_hz) const;
  /// Returns the value of estimate(all).
  double cycles_of(std::uint64_t all) const {
    return cycles.value(static_cast<double>(exact.cycles + waits), more(all)) + passed_cycles();
  }
  /// Returns the cycles of `all` instructions, as if every loop had the states of the units.
  SampledTotal estimate(std::uint64_t all) const;
  /// Adds what episodes cost that were not measured.
  SampledTotal with_passed(SampledTotal total, double cost) const;
  /// Returns the same with the states to which entries of loops led. The interval also holds the case that
  /// loops stay in one of their states.
  SampledTotal estimate(std::uint64_t all, const UnsteadyLoops& unsteady) const;
  /// Returns true if the units can give an estimate.
  bool enough(std::uint64_t all) const { return more(all) == 0 || cycles.units() >= 2; }
  /// Adds cycles, their interval, flops and CPI stack.
  void fill_in(nlohmann::ordered_json& to, std::uint64_t all, const UnsteadyLoops& unsteady) const;
};

}  // namespace psim::commands
