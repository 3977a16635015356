// SPDX-License-Identifier: Apache-2.0
// CoreRun::sample(): units of the program on the cycle-level core, functional execution between them, and
// estimates of the whole program with their intervals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "energy/energy_account.h"
#include "guest/elf/debug_info.h"
#include "pipeline/sampling/live_stream.h"
#include "pipeline/sampling/sampler.h"
#include "pipeline/sampling/saved_stream.h"
#include "pipeline/wired_core.h"
#include "psim/commands/core_run.h"
#include "psim/commands/sample_options.h"
#include "psim/commands/sampled_program.h"
#include "psim/commands/saved_warm.h"
#include "psim/commands/trace_properties.h"

namespace psim::commands {
namespace {

using Json = nlohmann::ordered_json;
using pipeline::MeasuredRegion;

constexpr std::uint64_t kStart = pipeline::SamplerConfig{}.start;  // instructions measured completely

/// Returns the half width above which an interval has a warning. The plan of units foresees the error at the
/// end and is some tenths off. No unit reduces the allowance for bias.
double wide(double requested) { return 1.25 * std::max(requested, predict::kBias + requested / 4); }

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
    all.push_back({{"address", fmt::format("0x{:x}", loop.id.head)},
                   {"where", source.locate(loop.id.head).text()},
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
  // The work of PEs is not counted.
  if (machine_->simd.pes == 0) sample.use_work(), sampler.count_work();
  sampler.attach(simulation);
  simulation.run();
  sampler.finish();
  sample.correct(sampler.sampled_work());
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
  sample.allow_for_late_units(unsteady);
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
      {"late_units", sample.late_units()},
      {"late_units_differ", sample.late_units_differ()},
      {"correction", sample.correction()},
      {"unsteady_loops", loops_json(program, unsteady, instructions_,
                                    isa::SourceMap(process.program_path(), process.load_bias()))}};
  precision_ = fmt::format(" ± {:.2g} % (95 % interval, {} units)", 100 * cycles.relative_error(),
                           program.cycles.units());
  for (const Json& loop : body["sample"]["unsteady_loops"]) note(loop_line(loop));
  if (program.late != 0)
    note(fmt::format(
        "warning: units begin before the core is in its steady state, which costs {:.2g} % {}; the interval "
        "reaches to that; with --sample-warmup {} units begin later",
        100 * std::abs(sample.late_units_differ()), program.late > 0 ? "more" : "less",
        2 * predict::LateUnits::kTest));
  if (const double requested = options.requested_error(); options.period == 0 && unsteady.empty() &&
                                                          program.late == 0 &&
                                                          cycles.relative_error() > wide(requested))
    note(fmt::format(
        "warning: the interval is wider than the ± {:.2g} % of --sample-error: the program is too short, or "
        "its "
        "parts differ too much; a run without --sample is exact, and --sample-period N measures more",
        100 * requested));
  for (std::string& line : stream.notes()) note(std::move(line));
  for (const std::string& region : without)
    note(fmt::format("region {}: fewer than two units executed it; its cycles are not estimated", region));
  note("--sample leaves out the statistics of the core");
  sample_period_ = sample.period();
  return stream.limit_reached();
}

}  // namespace psim::commands
