// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/core_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/statistics/print.h"
#include "energy/energy_account.h"
#include "isa/table/disassemble.h"
#include "pipeline/region_account.h"
#include "pipeline/wired_core.h"
#include "psim/commands/run_sources.h"
#include "psim/commands/totals_json.h"
#include "report/profile/profile_json.h"
#include "report/profile/profile_text.h"

namespace psim::commands {
namespace {

/// Returns the functions that a tail call can enter. The part of a function that the compiler moved away is
/// not one (gcc names it f.cold).
std::vector<pipeline::FunctionRange> function_ranges(const report::CodeNames& names) {
  std::vector<pipeline::FunctionRange> ranges;
  for (auto f = names.functions.begin(); f != names.functions.end(); ++f) {
    const std::uint64_t next =
        std::next(f) == names.functions.end() ? ~std::uint64_t{0} : std::next(f)->address;
    const std::uint64_t end = f->bytes == 0 ? next : std::min(f->address + f->bytes, next);
    if (!f->name.ends_with(".cold") && !f->name.ends_with("[clone .cold]"))
      ranges.push_back({f->address, end});
  }
  return ranges;
}

}  // namespace

void add_core_run(CLI::App& app, CoreRunOptions& options, unsigned which) {
  add_common(app, options.common, which);
  add_run_outputs(app, options.outputs);
  app.add_flag("--energy", options.energy, "measure energy too, with the coefficients of [energy]");
  add_no_memoize(app, options.memoize);
  PartialResults::add_option(app, options.partial_every);
  app.add_option("--max-instructions", options.max_instructions,
                 "stop after N instructions; psim then ends with status 124")
      ->type_name("N")
      ->check(whole_number(1));
}

CoreRun::CoreRun(std::string_view command, const CoreRunOptions& options)
    : options_(options),
      partials_(options.common.json, options.common.report, options.partial_every, options.common.quiet),
      machine_(load_machine(options.common)),
      result_(command, options.common.json) {}

CoreRun::~CoreRun() = default;

void CoreRun::open_outputs(std::optional<std::uint64_t> main_pc) {
  pipeline::dump::Remark remark;
  if (options_.energy) remark = energy_remark(*machine_, machine_->energy);
  outputs_ = std::make_unique<RunOutputs>(options_.outputs, options_.common, main_pc, remark);
}

bool CoreRun::simulate(isa::InstructionSource& source, std::function<isa::RegionMarker()> next_region,
                       std::uint64_t instructions) {
  if (machine_->node.cores > 1)
    throw UserError(
        fmt::format("machine {}: node.cores = {}: only psim run simulates several cores; expected "
                    "--set node.cores=1",
                    machine_->name, machine_->node.cores));
  std::uint64_t left = options_.max_instructions;
  LimitedSource limited(source, left);
  isa::InstructionSource* pulled = options_.max_instructions ? &limited : &source;
  Progress progress(options_.common.quiet);
  const std::uint64_t limit = options_.max_instructions;
  const bool limits = limit != 0 && (instructions == 0 || limit < instructions);
  end_ = {limits ? limit : instructions, limits && instructions == 0};
  ProgressSource source_with_progress(*pulled, progress, partials_, end_);
  const bool replays = instructions != 0;  // a program ends by its own signals
  if (replays || progress.enabled() || partials_.possible()) pulled = &source_with_progress;
  const std::uint64_t interval = options_.energy ? kEnergyInterval : outputs_->interval();
  pipeline::WiredCore simulation(*machine_, *pulled,
                                 {.skip_idle = true, .interval = interval, .memoize = options_.memoize});
  pipeline::RegionAccount regions(std::move(next_region));
  simulation.core.set_region_listener(&regions);
  statistics::Registry registry;
  simulation.register_statistics(registry);
  outputs_->follow_statistics(registry, simulation.core);
  regions.measure_statistics([&registry] { return registry.snapshot(); });
  if (profiles()) {
    profile_ = std::make_unique<pipeline::Profile>();
    profile_->set_functions(function_ranges(names_));
    simulation.core.set_profile(*profile_);
  }
  std::optional<EnergyAccount> energy;
  if (options_.energy)
    energy.emplace(*machine_, machine_->energy, machine_->schema.find("energy.gating")->text(), simulation,
                   regions);
  for (pipeline::CoreObserver* observer : outputs_->observers()) simulation.core.attach(*observer);
  simulation.run();
  progress.clear();
  if (profile_) profile_->finish();
  const pipeline::Totals totals = simulation.core.totals();
  fill_in_totals(result_.body(), totals, machine_->core.clock_hz);
  result_.body()["regions"] = regions_json(regions.regions());
  // Only a program with threads can leave its core without one.
  if (const std::uint64_t idle = idle_cycles(totals); idle != 0) {
    result_.body()["cpi_stack"]["idle"] = idle;
    add_idle_cycles(result_.body()["regions"], regions.regions());
  }
  statistics_ = registry.read(registry.snapshot(statistics::Registry::Detail::Buckets));
  result_.body()["statistics"] = statistics::to_json(statistics_);
  for (std::size_t i = 0; i < regions.regions().size(); ++i)
    if (const statistics::Snapshot& inside = regions.regions()[i].statistics; !inside.empty())
      result_.body()["regions"][i]["statistics"] = statistics::to_json(registry.read(inside));
  if (energy) {
    energy->fill_in(result_.body(), regions.regions());
    energy_ = energy->summary() + "; ";
  }
  instructions_ = totals.instructions, cycles_ = totals.cycles;
  for (std::string& line : regions.notes()) note(std::move(line));
  return options_.max_instructions && limited.reached();
}

void CoreRun::finish_copy(const std::vector<std::string>& words, const std::function<void()>& describe) {
  if (!partials_.in_copy()) return;
  PartialResults::SoFar so_far{.seconds = static_cast<double>(cycles_) / machine_->core.clock_hz};
  if (end_.count != 0) {
    so_far.fraction = static_cast<double>(instructions_) / static_cast<double>(end_.count);
    so_far.of = end_.count == options_.max_instructions ? "instructions of --max-instructions"
                                                        : "instructions of the trace";
  }
  partials_.finish(result_, so_far, [&] {
    if (describe) describe();
    finish(words);
  });
}

void CoreRun::finish(const std::vector<std::string>& words) {
  const std::string title = fmt::format("{}", fmt::join(words, " "));
  // Keys that a run does not use have no influence on its result.
  if (!options_.energy) result_.body()["machine"].erase("energy");
  result_.speed("instructions_per_second", instructions_);
  for (std::string& line : outputs_->finish_dumps()) note(std::move(line));
  std::optional<report::NamedProfile> profile;
  if (profile_) {
    names_.disassemble = isa::disassemble;
    profile.emplace(*profile_, names_);
    if (!options_.common.json.empty() || !options_.common.report.empty())
      result_.body()["profile"] = report::profile_json(*profile);
  }
  outputs_->add_page(result_.page(), title);
  result_.finish();
  outputs_->finish_statistics(statistics_);
  if (profile) outputs_->finish_profile(*profile, words[0], title);
  outputs_->finish_report(result_, statistics_);
  if (profile && options_.outputs.profile && !options_.common.quiet)
    console::log("{}", report::profile_text(*profile, {}));
  for (const std::string& line : notes_) console::log("psim: {}\n", line);
  if (!options_.common.quiet)
    console::log(
        "psim: {} instructions, {} cycles{}, IPC {:.3f}, {:.6g} s at {:.4g} GHz; {}{:.2f} M "
        "instructions/s of CPU time\n",
        instructions_, cycles_, precision_, result_.body()["ipc"].get<double>(),
        result_.body()["seconds"].get<double>(), machine_->core.clock_hz / 1e9, energy_,
        result_.host()["instructions_per_second"].get<double>() / 1e6);
}

}  // namespace psim::commands
