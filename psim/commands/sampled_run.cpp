// SPDX-License-Identifier: Apache-2.0
// CoreRun::sample(): units of the program on the cycle-level core, functional execution between them, and
// estimates of the whole program with their intervals.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "energy/energy_account.h"
#include "energy/sampled_energy.h"
#include "guest/elf/debug_info.h"
#include "pipeline/sampling/live_stream.h"
#include "pipeline/sampling/sampler.h"
#include "pipeline/sampling/saved_stream.h"
#include "pipeline/wired_core.h"
#include "predict/episode_sample.h"
#include "predict/loop_states.h"
#include "predict/sample_estimate.h"
#include "predict/sample_plan.h"
#include "psim/commands/core_run.h"
#include "psim/commands/sample_options.h"
#include "psim/commands/saved_warm.h"
#include "psim/commands/trace_properties.h"

namespace psim::commands {
namespace {

using Json = nlohmann::ordered_json;
using pipeline::CpiAccount;
using pipeline::MeasuredRegion;
using pipeline::MeasuredUnit;
using pipeline::Totals;
using predict::SampledTotal;
using predict::UnsteadyLoop;
using UnsteadyLoops = std::vector<UnsteadyLoop>;

constexpr std::uint64_t kStart = 200'000;  // instructions measured completely

using pipeline::CpiPart;
// Waits that differ between units of a loop for reasons outside of the core's steady state.
constexpr std::array kOutside{CpiPart::L2, CpiPart::Memory, CpiPart::Branch, CpiPart::WindowTrap,
                              CpiPart::Serial};
constexpr auto kTransfer = static_cast<std::size_t>(CpiPart::Transfer);

// A burst is found after its first misses, which cost as much as those that follow: the interval allows for
// this share of their cycles.
constexpr double kLostAllowance = 0.5;

// The least share of a unit's instructions in whole iterations of the loop that it measures.
constexpr double kInLoop = 0.75;

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

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

/// Divides `cycles` in proportion to `parts`; the shares sum to it exactly.
CpiAccount::Stack shares(const std::array<double, pipeline::kCpiParts>& parts, std::uint64_t cycles) {
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
  double flops = 0;                                 // weighted
  std::array<double, pipeline::kCpiParts> cpi{};    // likewise
  double instructions = 0;                          // likewise
  std::map<std::uint64_t, double> loops;            // likewise, of units in one loop, by its head
  std::map<std::uint64_t, EpisodeCounts> episodes;  // by kind
  double lost = 0;                                  // cycles of bursts before their windows
  double spread = 0;  // half of the interval of the cycles of episodes that were not measured, relative

  void add(std::uint64_t number, double weight, const Totals& unit) {
    cycles.add(number, weight, static_cast<double>(unit.instructions),
               static_cast<double>(unit.cycles - unit.cpi[kTransfer]));
    instructions += weight * static_cast<double>(unit.instructions);
    flops += weight * static_cast<double>(unit.flops);
    for (std::size_t part = 0; part < cpi.size(); ++part)
      if (part != kTransfer) cpi[part] += weight * static_cast<double>(unit.cpi[part]);
  }
  /// Adds counts of a part that was measured completely, without its waits for block transfers.
  void add_exact(const Totals& part) {
    exact.instructions += part.instructions;
    exact.cycles += part.cycles - part.cpi[kTransfer];
    exact.flops += part.flops;
    for (std::size_t n = 0; n < part.cpi.size(); ++n)
      if (n != kTransfer) exact.cpi[n] += part.cpi[n];
  }
  void add_loop(std::uint64_t head, double weight, const Totals& unit) {
    loops[head] += weight * static_cast<double>(unit.instructions);
  }
  /// Returns a sum over the episodes that were not measured.
  template <typename Part>
  double passed(Part part) const {
    double sum = 0;
    for (const auto& [kind, counts] : episodes) sum += counts.scale * part(counts);
    return sum;
  }
  /// Returns the instructions for which units stand, of `all`.
  double more(std::uint64_t all) const {
    const double rest = static_cast<double>(all) - static_cast<double>(exact.instructions) -
                        passed([](const EpisodeCounts& counts) { return counts.instructions; });
    // A region whose episodes differ a little has a rest that units cannot stand for.
    const bool none = cycles.units() < 2 && !episodes.empty() && rest < 0.002 * static_cast<double>(all);
    return none ? 0 : std::max(0.0, rest);
  }
  double passed_cycles() const {
    return passed([](const EpisodeCounts& counts) { return counts.cycles; });
  }
  /// Returns the part of `all` instructions that a loop has.
  double instructions_of(const UnsteadyLoop& loop, std::uint64_t all) const {
    const auto found = loops.find(loop.head);
    return found == loops.end() ? 0 : found->second / instructions * more(all);
  }
  void add_energy(std::uint64_t number, double weight, std::uint64_t unit_instructions,
                  const EnergySum& unit) {
    joules.add(number, weight, static_cast<double>(unit_instructions), unit.total);
    energy.add(weight, unit);
  }
  /// Returns the joules of `all` instructions. The interval grows by the share by which that of the cycles
  /// grows: in another state of a loop, the energy changes at most as the cycles do.
  SampledTotal estimate_joules(std::uint64_t all, const UnsteadyLoops& unsteady) const {
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
  /// Adds total, interval and breakdown of the energy.
  void fill_in_energy(Json& to, const SampledEnergy& model, std::uint64_t all, const UnsteadyLoops& unsteady,
                      double clock_hz) const {
    const SampledTotal total = estimate_joules(all, unsteady);
    EnergySum shares = exact_energy;
    shares.add(1, waits_energy);
    shares.add(instructions == 0 ? 0 : more(all) / instructions, energy);
    for (const auto& [kind, counts] : episodes) shares.add(counts.scale, counts.energy);
    model.fill_in(to, {total.value, total.low, total.high}, shares, estimate(all).value / clock_hz);
  }
  /// Returns the cycles of `all` instructions, as if every loop had the states of the units.
  SampledTotal estimate(std::uint64_t all) const {
    SampledTotal total =
        with_passed(cycles.total(static_cast<double>(exact.cycles + waits), more(all)), passed_cycles());
    total.low -= kLostAllowance * lost, total.high += kLostAllowance * lost;
    return total;
  }
  /// Adds what episodes cost that were not measured.
  SampledTotal with_passed(SampledTotal total, double cost) const {
    if (cost == 0) return total;
    const double bias = predict::EpisodeSample::kAllowance * cost, half = spread * cost - bias;
    const double random = total.high - total.value - total.bias;
    total.value += cost;
    total.bias += bias;
    const double both = std::sqrt(random * random + half * half) + total.bias;
    total.low = std::max(total.low, total.value - both), total.high = total.value + both;
    return total;
  }
  /// Returns the same with the states to which entries of loops led. The interval also holds the case that
  /// loops stay in one of their states.
  SampledTotal estimate(std::uint64_t all, const UnsteadyLoops& unsteady) const {
    SampledTotal total = estimate(all);
    for (const UnsteadyLoop& loop : unsteady) {
      const double in_loop = instructions_of(loop, all),
                   change = (loop.entered_cost() - loop.cost()) * in_loop;
      total.value += change;
      total.low += change - loop.excess() * in_loop;
      total.high += change + loop.lack() * in_loop;
    }
    total.low = std::max(total.low, static_cast<double>(exact.cycles + waits));
    return total;
  }
  /// Returns true if the units can give an estimate.
  bool enough(std::uint64_t all) const { return more(all) == 0 || cycles.units() >= 2; }
  /// Adds cycles, their interval, flops and CPI stack.
  void fill_in(Json& to, std::uint64_t all, const UnsteadyLoops& unsteady) const {
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
    const CpiAccount::Stack shares = commands::shares(parts, whole(total.value));
    for (std::size_t part = 0; part < parts.size(); ++part)
      stack[std::string(name(static_cast<pipeline::CpiPart>(part)))] = shares[part];
  }
};

/// The estimates of a sampled run, and the plan of its units.
class SampledProgram final : public pipeline::Sampler::Client, public pipeline::LiveStream::Plan {
 public:
  explicit SampledProgram(const predict::SamplePlan::Config& plan)
      : plan_(plan), episodes_(plan.seed, plan.error) {}

  void on_start(const MeasuredUnit& start) override {
    start_instructions_ = start.whole.instructions;
    program_.exact = start.whole;
    if (energy_) program_.exact_energy = energy_->energy_of(start.activity);
    for (const MeasuredUnit::Region& part : start.regions) {
      of_region(part.row).exact = part.totals;
      if (energy_) of_region(part.row).exact_energy = energy_->energy_of(part.activity);
    }
  }

  void on_new_code(const MeasuredUnit& part) override {
    const auto add = [this](SampledCounts& to, const Totals& counts, const pipeline::Activity& activity) {
      to.add_exact(counts);
      if (energy_) to.exact_energy.add(1, energy_->without_waits(activity, counts.cpi[kTransfer]));
    };
    if (part.burst)
      burst_instructions_ += part.whole.instructions;
    else if (part.transfers)
      episode_instructions_ += part.whole.instructions;
    add(program_, part.whole, part.activity);
    for (const MeasuredUnit::Region& region : part.regions)
      add(of_region(region.row), region.totals, region.activity);
  }

  void on_start_of_burst(const MeasuredUnit& part, std::uint64_t lost) override {
    const double scale = static_cast<double>(lost) / static_cast<double>(part.whole.instructions);
    const auto add = [&](SampledCounts& to, const Totals& counts, const pipeline::Activity& activity) {
      const Totals scaled = times(scale, counts);
      to.add_exact(scaled);
      to.lost += static_cast<double>(scaled.cycles);
      if (energy_) to.exact_energy.add(scale, energy_->without_waits(activity, counts.cpi[kTransfer]));
    };
    burst_instructions_ += lost;
    add(program_, part.whole, part.activity);
    for (const MeasuredUnit::Region& region : part.regions)
      add(of_region(region.row), region.totals, region.activity);
  }

  void on_episode(std::uint64_t kind, const MeasuredUnit& episode) override {
    episode_instructions_ += episode.whole.instructions;
    on_new_code(episode);
    if (!episode.complete) episodes_.measure_all(kind);
    if (!episodes_.add(kind, episode.complete && !episode.new_code,
                       static_cast<double>(episode.whole.instructions),
                       static_cast<double>(episode.whole.cycles)))
      return;
    const auto add = [&](SampledCounts& to, const Totals& part, const pipeline::Activity& activity) {
      EpisodeCounts& counts = to.episodes[kind];
      counts.add(part);
      if (energy_) counts.energy.add(1, energy_->energy_of(activity));
    };
    add(program_, episode.whole, episode.activity);
    for (const MeasuredUnit::Region& region : episode.regions)
      add(of_region(region.row), region.totals, region.activity);
    scale_episodes();
  }

  void on_passed(const std::vector<pipeline::SampledStream::Passed>& passed) override {
    for (const auto& each : passed) episodes_.passed(each.kind, static_cast<double>(each.instructions));
    scale_episodes();
  }

  /// Lets the episodes that were measured stand for the others.
  void scale_episodes() {
    const SampledTotal all = episodes_.total();
    const auto update = [&](SampledCounts& counts) {
      for (auto& [kind, part] : counts.episodes) part.scale = episodes_.scale(kind);
      counts.spread = all.relative_error();
    };
    update(program_);
    for (SampledCounts& region : regions_) update(region);
  }

  bool passes(std::uint64_t kind) override { return episodes_.passes(kind); }

  void on_unit(const MeasuredUnit& unit) override {
    const auto weight = static_cast<double>(unit.weight);
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
    const bool in_loop =
        static_cast<double>(unit.loop.instructions) >= kInLoop * static_cast<double>(all.instructions);
    if (in_loop) add_loop(weight, unit);
    if (in_loop && unit.enters_loop) on_entered_loop(unit.loop);
    if (energy_) add_energy(program_, number, weight, all, unit.activity);
    for (const MeasuredUnit::Region& part : unit.regions) {
      of_region(part.row).add(number, weight, part.totals);
      if (in_loop) of_region(part.row).add_loop(unit.loop.head, weight, part.totals);
      if (energy_) add_energy(of_region(part.row), number, weight, part.totals, part.activity);
    }
    const SampledTotal now = program_.estimate(executed_);
    plan_.measured(
        {now.relative_error(), now.value == 0 ? 0 : now.bias / now.value, program_.cycles.effective_units()});
  }

  void on_entered_loop(const pipeline::MeasuredLoop& loop) override {
    if (loop.instructions != 0) loop_states_.enter(loop.head, inside_of(loop));
  }

  Window next_window(std::uint64_t instructions) override {
    executed_ = instructions;
    progress_(instructions);
    const std::uint64_t at = plan_.next(instructions);
    return {at, plan_.period()};
  }

  void on_waits(const pipeline::MeasuredWaits& waits, const std::vector<std::size_t>& rows) override {
    const EnergySum energy = energy_ ? energy_->waits(waits.cycles, waits.transfers) : EnergySum{};
    const auto add = [&](SampledCounts& counts) {
      counts.waits += waits.cycles;
      counts.waits_energy.add(1, energy);
    };
    add(program_);
    for (const std::size_t row : rows) add(of_region(row));
  }

  std::uint64_t pace(std::uint64_t instructions) override {
    const double waits = static_cast<double>(program_.waits + program_.exact.cpi[kTransfer]);
    const double cycles = program_.estimate(instructions).value - waits;
    const double pace = cycles / static_cast<double>(std::max<std::uint64_t>(instructions, 1));
    return std::max<std::uint64_t>(1, whole(pace * static_cast<double>(isa::Process::kCyclePace)));
  }

  /// Estimates energy, too. `energy` outlives the sample.
  void set_energy(const SampledEnergy& energy) { energy_ = &energy; }
  const SampledEnergy* energy() const { return energy_; }
  /// Calls `progress` before each window.
  void set_progress(std::function<void(std::uint64_t)> progress) { progress_ = std::move(progress); }

  const SampledCounts& program() const { return program_; }
  SampledCounts& of_region(std::size_t row) {
    if (regions_.size() <= row) regions_.resize(row + 1);
    return regions_[row];
  }
  std::uint64_t period() const { return plan_.period(); }
  /// Returns the instructions of the measured start.
  std::uint64_t start_instructions() const { return start_instructions_; }
  /// Returns the instructions of bursts, which are measured completely, too.
  std::uint64_t burst_instructions() const { return burst_instructions_; }
  /// Returns the instructions of episodes that were measured, and of those that were not.
  std::uint64_t episode_instructions() const { return episode_instructions_; }
  std::uint64_t passed_instructions() const { return whole(episodes_.passed()); }
  /// Returns the loops whose states can change the cycles of `all` instructions by more than the allowance
  /// for bias.
  UnsteadyLoops unsteady_loops(std::uint64_t all) const {
    UnsteadyLoops loops = loop_states_.unsteady();
    const double allowance = predict::kBias * program_.estimate(all).value;
    std::erase_if(loops, [&](const UnsteadyLoop& loop) {
      return std::max(loop.excess(), loop.lack()) * program_.instructions_of(loop, all) <= allowance;
    });
    return loops;
  }
  /// Returns the ratio of the estimates of two halves of the sample, minus 1.
  double halves_differ() const {
    return halves_[1].ratio() == 0 ? 0 : halves_[0].ratio() / halves_[1].ratio() - 1;
  }
  double unit_halves_differ() const {
    return second_halves_.ratio() == 0 ? 0 : first_halves_.ratio() / second_halves_.ratio() - 1;
  }

 private:
  /// Returns the cycles per instruction of a loop without waits outside of the core's steady state.
  static double inside_of(const pipeline::MeasuredLoop& loop) {
    std::uint64_t inside = loop.totals.cycles - loop.totals.cpi[kTransfer];
    for (const CpiPart part : kOutside) inside -= loop.totals.cpi[static_cast<std::size_t>(part)];
    return static_cast<double>(inside) / static_cast<double>(loop.totals.instructions);
  }
  void add_loop(double weight, const MeasuredUnit& unit) {
    const Totals& loop = unit.loop.totals;
    const double inside = inside_of(unit.loop);
    const double all =
        static_cast<double>(loop.cycles - loop.cpi[kTransfer]) / static_cast<double>(loop.instructions);
    loop_states_.add(unit.loop.head, weight * static_cast<double>(unit.whole.instructions), inside,
                     all - inside);
    program_.add_loop(unit.loop.head, weight, unit.whole);
  }
  void add_energy(SampledCounts& to, std::uint64_t number, double weight, const Totals& unit,
                  const pipeline::Activity& activity) const {
    to.add_energy(number, weight, unit.instructions, energy_->without_waits(activity, unit.cpi[kTransfer]));
  }

  predict::SamplePlan plan_;
  predict::EpisodeSample episodes_;
  predict::LoopStates loop_states_;
  const SampledEnergy* energy_ = nullptr;
  SampledCounts program_;
  std::vector<SampledCounts> regions_;              // by the row of SampledStream::regions()
  std::array<predict::RatioSum, 2> halves_;         // units of even and odd number
  predict::RatioSum first_halves_, second_halves_;  // of each unit
  std::uint64_t executed_ = 0, start_instructions_ = 0, burst_instructions_ = 0, episode_instructions_ = 0;
  std::function<void(std::uint64_t)> progress_ = [](std::uint64_t) {};
};

Json regions_json(SampledProgram& sample, const UnsteadyLoops& unsteady,
                  const std::vector<MeasuredRegion>& regions, std::vector<std::string>& without,
                  double clock_hz) {
  Json all = Json::array();
  for (std::size_t row = 0; row < regions.size(); ++row) {
    const MeasuredRegion& region = regions[row];
    const SampledCounts& counts = sample.of_region(row);
    Json one{{"name", region.name}, {"args", region.arguments}, {"executions", region.executions}};
    if (counts.enough(region.totals.instructions)) {
      counts.fill_in(one, region.totals.instructions, unsteady);
      if (const SampledEnergy* energy = sample.energy(); energy != nullptr) {
        const SampledTotal joules = counts.estimate_joules(region.totals.instructions, unsteady);
        one["energy_joules"] = joules.value;
        one["energy_joules_interval"] = {joules.low, joules.high};
        if (row < EnergyAccount::kDetailedRegions)
          counts.fill_in_energy(one["energy"], *energy, region.totals.instructions, unsteady, clock_hz);
      }
    } else {
      one["instructions"] = region.totals.instructions;
      without.push_back(region.name);
    }
    one["units"] = counts.cycles.units();
    if (!region.statistics.empty()) one["l1d_misses"] = region.statistics.totals.front();
    all.push_back(std::move(one));
  }
  return all;
}

Json loops_json(const SampledCounts& program, const UnsteadyLoops& unsteady, std::uint64_t instructions,
                const isa::SourceMap& source) {
  Json all = Json::array();
  for (const UnsteadyLoop& loop : unsteady) {
    Json states = Json::array();
    for (const predict::LoopState& state : loop.states)
      states.push_back({{"cpi", state.cost},
                        {"share", state.weight / loop.weight()},
                        {"units", state.units},
                        {"entries", state.entries}});
    all.push_back({{"address", fmt::format("0x{:x}", loop.head)},
                   {"where", source.locate(loop.head).text()},
                   {"instructions_share",
                    program.instructions_of(loop, instructions) / static_cast<double>(instructions)},
                   {"cpi", loop.cost()},
                   {"states", std::move(states)}});
  }
  return all;
}

/// Returns the line for the user about a loop with several states.
std::string loop_line(const Json& loop) {
  std::string states;
  const Json& all = loop.at("states");
  for (std::size_t i = 0; i < all.size(); ++i)
    states += fmt::format("{}{:.3g}",
                          i == 0               ? ""
                          : i + 1 < all.size() ? ", "
                                               : " or ",
                          all[i].at("cpi").get<double>());
  const auto where = loop.at("where").get<std::string>();
  return fmt::format(
      "warning: loop at {}{}, {:.0f} % of the instructions: units need {} cycles per instruction, depending "
      "on how the core entered it; the interval holds each case",
      loop.at("address").get<std::string>(), where.empty() ? "" : " " + where,
      100 * loop.at("instructions_share").get<double>(), states);
}

}  // namespace

bool CoreRun::sample(isa::Process& process, const SampleOptions& options, WarmSaving* saving,
                     WarmSource* saved) {
  const std::uint64_t limit = options_.max_instructions ? options_.max_instructions : pipeline::kNever;
  SampledProgram sample({.from = kStart + pipeline::Sampler::kFirstUnits * options.unit,
                         .window = options.unit + options.warm_up,
                         .period = options.period,
                         .error = options.requested_error(),
                         .seed = options.seed});
  Progress progress(options_.common.quiet);
  end_ = {options_.max_instructions, true};
  std::unique_ptr<pipeline::LiveStream> live;
  sample.set_progress([&](std::uint64_t instructions) {
    progress.update([&](double elapsed) { return instructions_line(elapsed, instructions, 0, end_); });
    if (partials_.wanted()) live->end_here();
  });
  const std::uint64_t wait = machine_->l2.latency + machine_->memory.latency;
  std::unique_ptr<pipeline::SampledStream> from_file;
  if (saved != nullptr)
    from_file = std::make_unique<pipeline::SavedStream>(saved->file);
  else
    live = std::make_unique<pipeline::LiveStream>(process, sample, limit, wait);
  if (saving != nullptr) live->save(*saving->file, saving->properties);
  pipeline::SampledStream& stream = live ? *live : *from_file;
  pipeline::Sampler sampler(
      stream, {.start = kStart, .warm_up = options.warm_up, .unit = options.unit, .wait = wait}, sample);
  pipeline::WiredCore simulation(*machine_, sampler, {});
  std::optional<SampledEnergy> energy;
  if (options_.energy) {
    energy.emplace(*machine_, machine_->energy, machine_->schema.find("energy.gating")->text());
    sample.set_energy(*energy);
    simulation.core.count_activity();
    sampler.measure_activity([&simulation] { return simulation.activity(); });
  }
  sampler.attach(simulation);
  simulation.run();
  sampler.finish();
  progress.clear();
  if (saving != nullptr && !partials_.in_copy()) saving->summary = live->finish_saving(trace_ending(process));

  const SampledCounts& program = sample.program();
  instructions_ = stream.instructions();
  // The units after the start stand for themselves only.
  const bool few = options.period != 0 && instructions_ > program.exact.instructions &&
                   program.cycles.units() < pipeline::Sampler::kFirstUnits + 2;
  if (partials_.in_copy() && (few || !program.enough(instructions_)))
    partials_.give_up(fmt::format("too few units for an estimate, {} in {} instructions",
                                  program.cycles.units(), instructions_));
  if (few || !program.enough(instructions_))
    throw UserError(
        fmt::format("--sample-period = {}: too few units for an estimate, {} in {} instructions; expected a "
                    "shorter period, "
                    "or none",
                    options.period, program.cycles.units(), instructions_));
  const UnsteadyLoops unsteady = sample.unsteady_loops(instructions_);
  const SampledTotal cycles = program.estimate(instructions_, unsteady);
  cycles_ = whole(cycles.value);
  Json& body = result_.body();
  program.fill_in(body, instructions_, unsteady);
  body["seconds"] = static_cast<double>(cycles_) / machine_->core.clock_hz;
  body["ipc"] = cycles_ == 0 ? 0.0 : static_cast<double>(instructions_) / static_cast<double>(cycles_);
  std::vector<std::string> without;
  body["regions"] = regions_json(sample, unsteady, stream.regions(), without, machine_->core.clock_hz);
  if (energy) {
    program.fill_in_energy(body["energy"], *energy, instructions_, unsteady, machine_->core.clock_hz);
    energy_ = fmt::format("{:.6g} J, {:.4g} W; ", body["energy"]["total_joules"].get<double>(),
                          body["energy"]["average_watts"].get<double>());
  }
  body["sample"] = {
      {"units", program.cycles.units()},
      {"detailed_instructions", sampler.detailed_instructions()},
      {"period", saved != nullptr ? saved->last_period() : sample.period()},
      {"unit", options.unit},
      {"warmup", options.warm_up},
      {"measured_start", sample.start_instructions()},
      {"new_code_instructions", program.exact.instructions - sample.start_instructions() -
                                    sample.burst_instructions() - sample.episode_instructions()},
      {"burst_instructions", sample.burst_instructions()},
      {"episode_instructions", sample.episode_instructions()},
      {"passed_instructions", sample.passed_instructions()},
      {"seed", options.seed},
      {"confidence", 0.95},
      {"relative_error", cycles.relative_error()},
      {"l2_misses", stream.l2().misses},
      {"l2_evictions", stream.l2().evictions},
      {"half_samples_differ", sample.halves_differ()},
      {"unit_halves_differ", sample.unit_halves_differ()},
      {"unsteady_loops", loops_json(program, unsteady, instructions_,
                                    isa::SourceMap(process.program_path(), process.load_bias()))}};
  precision_ = fmt::format(" ± {:.2g} % (95 % interval, {} units)", 100 * cycles.relative_error(),
                           program.cycles.units());
  for (const Json& loop : body["sample"]["unsteady_loops"]) note(loop_line(loop));
  for (std::string& line : stream.notes()) note(std::move(line));
  for (const std::string& region : without)
    note(fmt::format("region {}: fewer than two units executed it; its cycles are not estimated", region));
  note("--sample leaves out the statistics of the core");
  sample_period_ = sample.period();
  return stream.limit_reached();
}

}  // namespace psim::commands
