// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/sampled_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace psim::commands {
namespace {

using pipeline::CpiPart;

// Waits that differ between units of a loop for reasons outside of the core's steady state.
constexpr std::array kOutside{CpiPart::L2, CpiPart::Memory, CpiPart::Branch, CpiPart::WindowTrap,
                              CpiPart::Serial};

// The least share of a unit's instructions in whole iterations of the loop that it measures.
constexpr double kInLoop = 0.75;

// Work that does not depend on the data, and its difference per instruction by which code differs: loads,
// stores, branches, floating-point operations.
constexpr std::array<std::size_t, 4> kOfCode{0, 1, 2, 9};
constexpr double kOtherCode = 0.03;

// Looks for loops with several states take time.
constexpr std::uint64_t kUnitsBetweenLooks = 8;

bool lies_in_loop(const Totals& unit, const pipeline::MeasuredLoop& loop) {
  return static_cast<double>(loop.instructions) >= kInLoop * static_cast<double>(unit.instructions);
}

predict::LoopId id_of(const pipeline::MeasuredLoop& loop) { return {loop.head, loop.nest}; }

/// Returns the misses of the first data cache per instruction.
double misses_of(const pipeline::MeasuredLoop& loop) {
  return static_cast<double>(loop.l1d_misses) / static_cast<double>(loop.totals.instructions);
}

/// Returns counts in proportion.
Totals times(double scale, const Totals& counts) {
  const auto of = [scale](std::uint64_t count) { return whole(scale * static_cast<double>(count)); };
  Totals scaled = counts;
  scaled.cycles = of(counts.cycles);
  scaled.instructions = of(counts.instructions);
  scaled.flops = of(counts.flops);
  for (std::uint64_t& part : scaled.cpi) part = of(part);
  return scaled;
}

}  // namespace

void SampledProgram::on_start(const MeasuredUnit& start) {
  start_instructions_ = start.whole.instructions;
  program_.exact = start.whole;
  if (energy_) program_.exact_energy = energy_->energy_of(start.activity.front());
  for (const MeasuredUnit::Region& part : start.regions) {
    of_region(part.row).exact = part.totals;
    if (energy_) of_region(part.row).exact_energy = energy_->energy_of(part.activity.front());
  }
}

void SampledProgram::on_new_code(const MeasuredUnit& part) {
  const auto add = [this](SampledCounts& to, const Totals& counts,
                          const std::vector<pipeline::Activity>& activity) {
    to.add_exact(counts);
    if (energy_) to.exact_energy.add(1, energy_->without_waits(activity.front(), counts.cpi[kTransfer]));
  };
  if (part.burst)
    burst_instructions_ += part.whole.instructions;
  else if (part.transfers)
    episode_instructions_ += part.whole.instructions;
  add(program_, part.whole, part.activity);
  for (const MeasuredUnit::Region& region : part.regions)
    add(of_region(region.row), region.totals, region.activity);
}

void SampledProgram::on_start_of_burst(const MeasuredUnit& part, std::uint64_t lost) {
  const double scale = static_cast<double>(lost) / static_cast<double>(part.whole.instructions);
  const auto add = [&](SampledCounts& to, const Totals& counts,
                       const std::vector<pipeline::Activity>& activity) {
    const Totals scaled = times(scale, counts);
    to.add_exact(scaled);
    to.lost += static_cast<double>(scaled.cycles);
    if (energy_) to.exact_energy.add(scale, energy_->without_waits(activity.front(), counts.cpi[kTransfer]));
  };
  burst_instructions_ += lost;
  add(program_, part.whole, part.activity);
  for (const MeasuredUnit::Region& region : part.regions)
    add(of_region(region.row), region.totals, region.activity);
}

void SampledProgram::on_episode(std::uint64_t kind, const MeasuredUnit& episode) {
  episode_instructions_ += episode.whole.instructions;
  on_new_code(episode);
  if (!episode.complete) episodes_.measure_all(kind);
  if (!episodes_.add(kind, episode.complete && !episode.new_code,
                     static_cast<double>(episode.whole.instructions),
                     static_cast<double>(episode.whole.cycles)))
    return;
  const auto add = [&](SampledCounts& to, const Totals& part,
                       const std::vector<pipeline::Activity>& activity) {
    EpisodeCounts& counts = to.episodes[kind];
    counts.add(part);
    if (energy_) counts.energy.add(1, energy_->energy_of(activity.front()));
  };
  add(program_, episode.whole, episode.activity);
  for (const MeasuredUnit::Region& region : episode.regions)
    add(of_region(region.row), region.totals, region.activity);
  scale_episodes();
}

void SampledProgram::on_passed(const std::vector<pipeline::SampledStream::Passed>& passed) {
  for (const auto& each : passed) episodes_.passed(each.kind, static_cast<double>(each.instructions));
  scale_episodes();
}

void SampledProgram::scale_episodes() {
  const SampledTotal all = episodes_.total();
  const auto update = [&](SampledCounts& counts) {
    for (auto& [kind, part] : counts.episodes) part.scale = episodes_.scale(kind);
    counts.spread = all.relative_error();
  };
  update(program_);
  for (SampledCounts& region : regions_) update(region);
}

/// Returns the instructions that a unit stands for: those of the periods since the last unit, without those
/// that are counted in other ways. Else units would stand for the rest of a burst as if it were the whole.
double SampledProgram::weight_of(const MeasuredUnit& unit) {
  due_ = 0;
  const double before =
      std::exchange(elsewhere_, static_cast<double>(program_.exact.instructions) + episodes_.passed());
  return std::max(static_cast<double>(unit.whole.instructions),
                  static_cast<double>(unit.weight) - (elsewhere_ - before));
}

void SampledProgram::on_unit(const MeasuredUnit& unit) {
  const double weight = weight_of(unit);
  const Totals& all = unit.whole;
  const std::uint64_t number = program_.cycles.units();
  program_.add(number, weight, all);
  halves_[number % 2].add(number, weight, static_cast<double>(all.instructions),
                          static_cast<double>(all.cycles));
  const Totals& first = unit.first_half;
  if (first.instructions != 0) {  // else an episode cuts it off
    first_halves_.add(number, weight, static_cast<double>(first.instructions),
                      static_cast<double>(first.cycles));
    second_halves_.add(number, weight, static_cast<double>(all.instructions - first.instructions),
                       static_cast<double>(all.cycles - first.cycles));
  }
  const bool in_loop = lies_in_loop(all, unit.loop);
  const pipeline::MeasuredLoop& loop = in_loop ? unit.loop : unit.nest;
  if (loop.instructions != 0) add_loop(weight, unit, loop);
  late_units_.add_unit(loop.head);
  if (in_loop && unit.enters_loop) on_entered_loop(unit.loop);
  if (energy_) add_energy(program_, number, weight, all, unit.activity.front());
  for (const MeasuredUnit::Region& part : unit.regions) {
    of_region(part.row).add(number, weight, part.totals);
    if (loop.instructions != 0) of_region(part.row).add_loop(id_of(loop), weight, part.totals);
    if (energy_) add_energy(of_region(part.row), number, weight, part.totals, part.activity.front());
  }
  // Bursts have no units, but those that were not found are among the misses of the rest.
  if (burst_instructions_ != 0)
    for (const std::size_t count : pipeline::Work::kMisses) regression_.leave_out(count);
  if (uses_work_)
    regression_.add(weight, static_cast<double>(all.instructions),
                    static_cast<double>(all.cycles - all.cpi[kTransfer]), unit.work.counts());
  // Regions and joules are estimated by their units alone, and a loop has its states without a difference in
  // work.
  if (number % kUnitsBetweenLooks == 0) unsteady_ = !unsteady_loops(executed_).empty();
  if (!plan_.needs_variance()) return plan_.measured(0);
  const bool corrects = uses_work_ && regions_.empty() && energy_ == nullptr && !unsteady_ &&
                        program_.cycles.units() >= predict::RegressionSum::kFewestUnits;
  const double share = share_of_units();
  plan_.measured(share * share * (corrects ? regression_.unit_variance() : program_.cycles.unit_variance()));
}

void SampledProgram::on_late_unit(const MeasuredUnit& unit, const pipeline::MeasuredLateUnit& late) {
  const auto per = [](double count, const Totals& of) {
    return count / static_cast<double>(of.instructions);
  };
  const auto cost = [&](const Totals& totals) {
    return per(static_cast<double>(totals.cycles - totals.cpi[kTransfer]), totals);
  };
  const pipeline::MeasuredLoop& loop = lies_in_loop(unit.whole, unit.loop) ? unit.loop : unit.nest;
  if (loop.head == 0 || id_of(loop) != id_of(lies_in_loop(late.totals, late.loop) ? late.loop : late.nest))
    return;
  predict::RegressionSum::Counts counts = late.work.counts();
  const predict::RegressionSum::Counts before = unit.work.counts();
  for (std::size_t n = 0; n < counts.size(); ++n)
    counts[n] = per(counts[n], late.totals) - per(before[n], unit.whole);
  for (const std::size_t count : kOfCode)
    if (std::abs(counts[count]) > kOtherCode) return;
  double difference = cost(late.totals) - cost(unit.whole), variance = program_.cycles.unit_variance();
  if (program_.cycles.units() >= predict::RegressionSum::kFewestUnits) {
    // Slopes of other code may explain too much.
    const double rest = difference - regression_.cost_of(counts);
    difference = rest * difference <= 0 ? 0 : std::abs(rest) < std::abs(difference) ? rest : difference;
    variance = std::min(variance, regression_.unit_variance());
  }
  late_units_.add(difference / program_.cycles.ratio(), std::sqrt(variance));
}

void SampledProgram::allow_for_late_units(const UnsteadyLoops& unsteady) {
  std::map<std::uint64_t, double> differences = late_units_.differences();
  for (const UnsteadyLoop& loop : unsteady) differences.erase(loop.id.head);
  const auto late = [&](const SampledCounts& counts) {
    double sum = 0;
    for (const auto& [loop, instructions] : counts.loops)
      if (const auto found = differences.find(loop.head); found != differences.end())
        sum += found->second * program_.cycles.ratio() * instructions / counts.instructions;
    return sum;
  };
  if (std::abs(late(program_)) < predict::LateUnits::kLeastOfAll * program_.cycles.ratio()) return;
  program_.late = late(program_);
  for (SampledCounts& region : regions_) region.late = late(region);
}

double SampledProgram::late_units_differ() const {
  return program_.late == 0 ? 0 : program_.late / program_.cycles.ratio();
}

void SampledProgram::correct(const pipeline::Work& sampled) {
  if (!uses_work_ || sampled.instructions == 0 ||
      program_.cycles.units() < predict::RegressionSum::kFewestUnits)
    return;
  predict::RegressionSum::Counts means = sampled.counts();
  for (double& mean : means) mean /= static_cast<double>(sampled.instructions);
  const predict::CostEstimate corrected = regression_.estimate(means);
  // Far from the units, the slopes may have a larger error than the costs without them.
  if (corrected.error < program_.cycles.standard_error()) program_.corrected = corrected;
}

double SampledProgram::correction() const {
  return program_.corrected ? program_.corrected->cost / program_.cycles.ratio() - 1 : 0;
}

/// Returns the share of the cycles that units stand for, or that count exactly outside of episodes. The error
/// of units is that of this share of the program.
double SampledProgram::share_of_units() const {
  const double all = program_.cycles_of(executed_);
  return all <= 0 ? 1 : std::clamp(1 - episodes_.cycles() / all, 0.0, 1.0);
}

void SampledProgram::on_entered_loop(const pipeline::MeasuredLoop& loop) {
  if (loop.instructions == 0) return;
  const double inside = inside_of(loop);
  loop_states_.enter(id_of(loop), inside, cost_of(loop) - inside, misses_of(loop));
}

SampledProgram::Window SampledProgram::next_window(std::uint64_t instructions) {
  executed_ = instructions;
  progress_(instructions);
  const std::uint64_t at = plan_.next(instructions);
  due_ += plan_.period();
  return {at, due_};
}

SampledProgram::Window SampledProgram::on_part(const pipeline::Work& part, std::uint64_t instructions,
                                               const Window& planned) {
  if (!uses_work_) return planned;
  predict::WorkKinds::Counts counts = part.counts();
  for (double& count : counts) count /= static_cast<double>(part.instructions);
  due_ -= plan_.period();
  const std::uint64_t at = plan_.enter(kinds_.kind_of(counts), instructions, planned.at);
  due_ += plan_.period();
  return {at, due_};
}

void SampledProgram::on_waits(const pipeline::MeasuredWaits& waits, const std::vector<std::size_t>& rows) {
  const EnergySum energy = energy_ ? energy_->waits(waits.cycles, waits.transfers) : EnergySum{};
  const auto add = [&](SampledCounts& counts) {
    counts.waits += waits.cycles;
    counts.waits_energy.add(1, energy);
  };
  add(program_);
  for (const std::size_t row : rows) add(of_region(row));
}

std::uint64_t SampledProgram::pace(std::uint64_t instructions) {
  const double waits = static_cast<double>(program_.waits + program_.exact.cpi[kTransfer]);
  const double cycles = program_.cycles_of(instructions) - waits;
  const double pace = cycles / static_cast<double>(std::max<std::uint64_t>(instructions, 1));
  return std::max<std::uint64_t>(1, whole(pace * static_cast<double>(isa::Process::kCyclePace)));
}

SampledCounts& SampledProgram::of_region(std::size_t row) {
  if (regions_.size() <= row) regions_.resize(row + 1);
  return regions_[row];
}

UnsteadyLoops SampledProgram::unsteady_loops(std::uint64_t all) const {
  UnsteadyLoops loops = loop_states_.unsteady();
  const double allowance = predict::kBias * program_.estimate(all).value;
  std::erase_if(loops, [&](const UnsteadyLoop& loop) {
    return std::max(loop.excess(), loop.lack()) * program_.instructions_of(loop, all) <= allowance;
  });
  return loops;
}

double SampledProgram::halves_differ() const {
  return halves_[1].ratio() == 0 ? 0 : halves_[0].ratio() / halves_[1].ratio() - 1;
}

double SampledProgram::unit_halves_differ() const {
  return second_halves_.ratio() == 0 ? 0 : first_halves_.ratio() / second_halves_.ratio() - 1;
}

double SampledProgram::inside_of(const pipeline::MeasuredLoop& loop) {
  std::uint64_t inside = loop.totals.cycles - loop.totals.cpi[kTransfer];
  for (const CpiPart part : kOutside) inside -= loop.totals.cpi[static_cast<std::size_t>(part)];
  return static_cast<double>(inside) / static_cast<double>(loop.totals.instructions);
}

double SampledProgram::cost_of(const pipeline::MeasuredLoop& loop) {
  return static_cast<double>(loop.totals.cycles - loop.totals.cpi[kTransfer]) /
         static_cast<double>(loop.totals.instructions);
}

void SampledProgram::add_loop(double weight, const MeasuredUnit& unit, const pipeline::MeasuredLoop& loop) {
  const double inside = inside_of(loop), cost = cost_of(loop);
  loop_states_.add(id_of(loop), weight * static_cast<double>(unit.whole.instructions), inside, cost - inside,
                   unit.in_one_loop, misses_of(loop));
  program_.add_loop(id_of(loop), weight, unit.whole);
  if (!uses_work_ || unit.first_half.instructions == 0) return;
  const Totals &all = unit.whole, &first = unit.first_half;
  const auto per = [](std::uint64_t count, std::uint64_t instructions) {
    return static_cast<double>(count) / static_cast<double>(instructions);
  };
  const pipeline::Work& w = unit.work;
  const std::uint64_t n = all.instructions;
  loop_states_.add_work(id_of(loop), cost,
                        {.counts = {per(w.loads, n), per(w.stores, n), per(w.branches, n), per(w.taken, n),
                                    per(w.divisions, n), per(w.multiplications, n), per(w.fp_operations, n)},
                         .events = {per(w.mispredicted, n), per(w.l1d_misses, n), per(w.l2_misses, n)},
                         .first_half = per(first.cycles, first.instructions),
                         .second_half = per(all.cycles - first.cycles, n - first.instructions)});
}

void SampledProgram::add_energy(SampledCounts& to, std::uint64_t number, double weight, const Totals& unit,
                                const pipeline::Activity& activity) const {
  to.add_energy(number, weight, unit.instructions, energy_->without_waits(activity, unit.cpi[kTransfer]));
}

}  // namespace psim::commands
