// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/sampled_counts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "predict/episode_sample.h"

namespace psim::commands {
namespace {

using Json = nlohmann::ordered_json;
using pipeline::CpiAccount;

// A burst is found after its first misses, which cost as much as those that follow: the interval allows for
// this share of their cycles.
constexpr double kLostAllowance = 0.5;

// The part of the waits for the store queue by which units may have too few: a unit begins with an empty
// queue, and lines on their way to memory may fill it for longer than a warm-up
// (docs/records/sampling-trials.md).
constexpr double kQueueAllowance = 0.02;

/// Divides `cycles` in proportion to `parts`; the shares sum to it exactly.
CpiAccount::Stack shares_of(const std::array<double, pipeline::kCpiParts>& parts, std::uint64_t cycles) {
  CpiAccount::Stack shares{};
  double sum = 0, before = 0;
  for (const double part : parts) sum += part;
  if (sum == 0) return shares;
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    before += parts[i];
    const std::uint64_t up_to =
        i + 1 == parts.size() ? cycles : whole(static_cast<double>(cycles) * (before / sum));
    shares[i] = up_to - given;
    given = up_to;
  }
  return shares;
}

}  // namespace

void SampledCounts::add(std::uint64_t number, double weight, const Totals& unit) {
  cycles.add(number, weight, static_cast<double>(unit.instructions),
             static_cast<double>(unit.cycles - unit.cpi[kTransfer]));
  instructions += weight * static_cast<double>(unit.instructions);
  flops += weight * static_cast<double>(unit.flops);
  for (std::size_t part = 0; part < cpi.size(); ++part)
    if (part != kTransfer) cpi[part] += weight * static_cast<double>(unit.cpi[part]);
}

void SampledCounts::add_exact(const Totals& part) {
  exact.instructions += part.instructions;
  exact.cycles += part.cycles - part.cpi[kTransfer];
  exact.flops += part.flops;
  for (std::size_t n = 0; n < part.cpi.size(); ++n)
    if (n != kTransfer) exact.cpi[n] += part.cpi[n];
}

void SampledCounts::add_loop(predict::LoopId loop, double weight, const Totals& unit) {
  loops[loop] += weight * static_cast<double>(unit.instructions);
}

double SampledCounts::more(std::uint64_t all) const {
  const double rest = static_cast<double>(all) - static_cast<double>(exact.instructions) -
                      passed([](const EpisodeCounts& counts) { return counts.instructions; });
  // A region whose episodes differ a little has a rest that units cannot stand for.
  const bool none = cycles.units() < 2 && !episodes.empty() && rest < 0.002 * static_cast<double>(all);
  return none ? 0 : std::max(0.0, rest);
}

double SampledCounts::passed_cycles() const {
  return passed([](const EpisodeCounts& counts) { return counts.cycles; });
}

double SampledCounts::instructions_of(const UnsteadyLoop& loop, std::uint64_t all) const {
  const auto found = loops.find(loop.id);
  return found == loops.end() ? 0 : found->second / instructions * more(all);
}

void SampledCounts::add_energy(std::uint64_t number, double weight, std::uint64_t unit_instructions,
                               const EnergySum& unit) {
  joules.add(number, weight, static_cast<double>(unit_instructions), unit.total);
  energy.add(weight, unit);
}

SampledTotal SampledCounts::estimate_joules(std::uint64_t all, const UnsteadyLoops& unsteady) const {
  const double known = exact_energy.total + waits_energy.total;
  SampledTotal total = with_passed(joules.total(known, more(all)),
                                   passed([](const EpisodeCounts& counts) { return counts.energy.total; }));
  const SampledTotal one_state = estimate(all), cycles = estimate(all, unsteady);
  if (cycles.value == 0) return total;
  total.low =
      std::max(known, total.low - std::max(0.0, one_state.low - cycles.low) / cycles.value * total.value);
  total.high += std::max(0.0, cycles.high - one_state.high) / cycles.value * total.value;
  return total;
}

void SampledCounts::fill_in_energy(Json& to, const SampledEnergy& model, std::uint64_t all,
                                   const UnsteadyLoops& unsteady, double clock_hz) const {
  const SampledTotal total = estimate_joules(all, unsteady);
  EnergySum shares = exact_energy;
  shares.add(1, waits_energy);
  shares.add(instructions == 0 ? 0 : more(all) / instructions, energy);
  for (const auto& [kind, counts] : episodes) shares.add(counts.scale, counts.energy);
  model.fill_in(to, {total.value, total.low, total.high}, shares, estimate(all).value / clock_hz);
}

SampledTotal SampledCounts::estimate(std::uint64_t all) const {
  const predict::CostEstimate cost = corrected.value_or(cycles.estimate());
  SampledTotal total =
      with_passed(cost.total(static_cast<double>(exact.cycles + waits), more(all)), passed_cycles());
  total.low -= kLostAllowance * lost, total.high += kLostAllowance * lost;
  if (instructions != 0)
    total.high += kQueueAllowance * cpi[static_cast<std::size_t>(pipeline::CpiPart::StoreQueue)] * more(all) /
                  instructions;
  return total;
}

SampledTotal SampledCounts::with_passed(SampledTotal total, double cost) const {
  if (cost == 0) return total;
  const double bias = predict::EpisodeSample::kAllowance * cost, half = spread * cost - bias;
  const double random = total.high - total.value - total.bias;
  total.value += cost;
  total.bias += bias;
  const double both = std::sqrt(random * random + half * half) + total.bias;
  total.low = std::max(total.low, total.value - both), total.high = total.value + both;
  return total;
}

SampledTotal SampledCounts::estimate(std::uint64_t all, const UnsteadyLoops& unsteady) const {
  SampledTotal total = estimate(all);
  for (const UnsteadyLoop& loop : unsteady) {
    const double in_loop = instructions_of(loop, all), change = (loop.entered_cost() - loop.cost()) * in_loop;
    total.value += change;
    total.low += change - loop.excess() * in_loop;
    total.high += change + loop.lack() * in_loop;
  }
  const double in_late_units = late * more(all);
  total.low += std::min(0.0, in_late_units), total.high += std::max(0.0, in_late_units);
  total.low = std::max(total.low, static_cast<double>(exact.cycles + waits));
  return total;
}

void SampledCounts::fill_in(Json& to, std::uint64_t all, const UnsteadyLoops& unsteady) const {
  const SampledTotal total = estimate(all, unsteady);
  const double scale = instructions == 0 ? 0 : more(all) / instructions;
  to["cycles"] = whole(total.value);
  to["cycles_interval"] = {static_cast<std::uint64_t>(std::floor(total.low)),
                           static_cast<std::uint64_t>(std::ceil(total.high))};
  to["instructions"] = all;
  to["flops"] =
      exact.flops + whole(flops * scale + passed([](const EpisodeCounts& counts) { return counts.flops; }));
  std::array<double, pipeline::kCpiParts> parts{};
  for (std::size_t part = 0; part < parts.size(); ++part)
    parts[part] = static_cast<double>(exact.cpi[part]) + cpi[part] * scale +
                  passed([part](const EpisodeCounts& counts) { return counts.cpi[part]; });
  parts[kTransfer] += static_cast<double>(waits);
  Json& stack = to["cpi_stack"] = Json::object();
  // Transfers are counted: states of loops, which change the total, do not change them.
  const std::uint64_t sum = whole(total.value);
  const std::uint64_t transfer = std::min(sum, whole(std::exchange(parts[kTransfer], 0)));
  CpiAccount::Stack shares = shares_of(parts, sum - transfer);
  shares[kTransfer] = transfer;
  for (std::size_t part = 0; part < parts.size(); ++part)
    stack[std::string(name(static_cast<pipeline::CpiPart>(part)))] = shares[part];
}

}  // namespace psim::commands
