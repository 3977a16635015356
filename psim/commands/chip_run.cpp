// SPDX-License-Identifier: Apache-2.0
// Runs of several cores: CoreRun::simulate_chip(). The result has the totals of the chip, and those of each
// core under `cores`.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/statistics/print.h"
#include "energy/energy_account.h"
#include "guest/live_source.h"
#include "pipeline/chip.h"
#include "psim/commands/core_run.h"
#include "psim/commands/run_sources.h"
#include "psim/commands/totals_json.h"

namespace psim::commands {
namespace {

using Json = nlohmann::ordered_json;

/// The sources of instructions and the accounts of one core.
struct CoreOfChip {
  CoreOfChip(isa::Process& process, std::uint32_t number, std::uint64_t& left)
      : live(process, number), limited(live, left), regions([this] { return live.take_region(); }) {}

  isa::LiveSource live;
  LimitedSource limited;
  std::unique_ptr<ProgressSource> progress;
  pipeline::RegionAccount regions;
  statistics::Registry registry;
};

void add(pipeline::Totals& sum, const pipeline::Totals& core) {
  sum.instructions += core.instructions;
  sum.flops += core.flops;
  for (std::size_t part = 0; part < sum.cpi.size(); ++part) sum.cpi[part] += core.cpi[part];
}

/// Returns the regions of all cores: executions, instructions and flops are sums, cycles those of the core
/// with the most.
std::vector<pipeline::MeasuredRegion> joined(const std::vector<std::unique_ptr<CoreOfChip>>& cores) {
  std::vector<pipeline::MeasuredRegion> all;
  for (const auto& core : cores)
    for (const pipeline::MeasuredRegion& region : core->regions.regions()) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const pipeline::MeasuredRegion& other) {
        return other.name == region.name && other.arguments == region.arguments;
      });
      if (same == all.end()) {
        all.push_back(region);
        continue;
      }
      same->executions += region.executions;
      same->totals.cycles = std::max(same->totals.cycles, region.totals.cycles);
      add(same->totals, region.totals);
    }
  return all;
}

}  // namespace

void CoreRun::check_chip_options(bool record_trace, bool sampled) const {
  if (machine_->node.cores == 1) return;
  const RunOutputOptions& outputs = options_.outputs;
  for (const auto& [option, given] : {std::pair("--record-trace", record_trace),
                                      {"--sample", sampled},
                                      {"--kanata", !outputs.kanata.empty()},
                                      {"--o3", !outputs.o3.empty()},
                                      {"--statistics-every", outputs.statistics_every != 0},
                                      {"--profile, --profile-text, --callgrind", outputs.profiles()}})
    if (given)
      throw UserError(
          fmt::format("{}: needs a machine of one core, but node.cores = {}; expected --set "
                      "node.cores=1, or a run without the option",
                      option, machine_->node.cores));
}

bool CoreRun::simulate_chip(isa::Process& process) {
  std::uint64_t left = options_.max_instructions;
  Progress progress(options_.common.quiet);
  std::vector<std::unique_ptr<CoreOfChip>> cores;
  std::vector<isa::InstructionSource*> sources;
  for (std::uint32_t n = 0; n < machine_->node.cores; ++n) {
    CoreOfChip& core = *cores.emplace_back(std::make_unique<CoreOfChip>(process, n, left));
    isa::InstructionSource* source = &core.live;
    if (options_.max_instructions != 0) source = &core.limited;
    if (progress.enabled() || partials_.possible()) {
      end_ = {options_.max_instructions, true};
      core.progress = std::make_unique<ProgressSource>(*source, progress, partials_, end_);
      source = core.progress.get();
    }
    sources.push_back(source);
  }
  pipeline::Chip chip(*machine_, sources, {});
  process.threads.on_ready = [&chip](std::uint32_t core, std::uint64_t cycle) {
    chip.group.unpark(core, cycle);
  };
  chip.group.on_stuck = [&] {
    if (partials_.in_copy())
      process.exit(0);  // threads wait for others that go on in the original
    else if (!process.wait_for_relatives())
      process.end_in_deadlock();
  };
  for (std::size_t n = 0; n < cores.size(); ++n) {
    chip.tiles[n]->core.set_region_listener(&cores[n]->regions);
    chip.tiles[n]->register_core_statistics(cores[n]->registry);
    chip.tiles[n]->register_simd_statistics(cores[n]->registry);
    if (options_.energy) chip.tiles[n]->core.count_activity();
  }
  chip.run();
  process.threads.on_ready = nullptr;
  progress.clear();

  Json& body = result_.body();
  pipeline::Totals sum;
  Json rows = Json::array();
  std::uint64_t idle = 0;
  for (std::size_t n = 0; n < cores.size(); ++n) {
    const pipeline::Totals totals = chip.tiles[n]->core.totals();
    add(sum, totals);
    sum.cycles = std::max(sum.cycles, totals.cycles);
    Json& row = rows.emplace_back(Json{{"core", n}});
    fill_in_totals(row, totals, machine_->core.clock_hz);
    row["cpi_stack"]["idle"] = idle_cycles(totals);
    idle += idle_cycles(totals);
    row["regions"] = regions_json(cores[n]->regions.regions());
    add_idle_cycles(row["regions"], cores[n]->regions.regions());
    const statistics::Registry& registry = cores[n]->registry;
    row["statistics"] =
        statistics::to_json(registry.read(registry.snapshot(statistics::Registry::Detail::Buckets)));
    for (std::string& line : cores[n]->regions.notes()) note(fmt::format("core {}: {}", n, line));
  }
  fill_in_totals(body, sum, machine_->core.clock_hz);
  body["cpi_stack"]["idle"] = idle;
  body["regions"] = regions_json(joined(cores));
  body["cores"] = std::move(rows);
  if (options_.energy) {
    std::vector<pipeline::Activity> activities;
    for (const auto& tile : chip.tiles) activities.push_back(tile->core_activity());
    pipeline::Activity common;
    add_memory_activity(common, chip.memory);
    fill_in_chip_energy(body, *machine_, machine_->energy, machine_->schema.find("energy.gating")->text(),
                        activities, common);
    energy_ = fmt::format("{:.6g} J, {:.4g} W; ", body["energy"]["total_joules"].get<double>(),
                          body["energy"]["average_watts"].get<double>());
  }
  statistics::Registry shared;
  chip.register_shared_statistics(shared);
  statistics_ = shared.read(shared.snapshot(statistics::Registry::Detail::Buckets));
  body["statistics"] = statistics::to_json(statistics_);
  instructions_ = sum.instructions, cycles_ = sum.cycles;
  return options_.max_instructions != 0 && left == 0;
}

}  // namespace psim::commands
