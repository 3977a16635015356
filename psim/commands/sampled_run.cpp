// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/sampled_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "pipeline/sampling/live_stream.h"
#include "pipeline/sampling/sampler.h"
#include "pipeline/sampling/saved_stream.h"
#include "pipeline/wired_core.h"
#include "predict/sample_estimate.h"
#include "predict/sample_plan.h"
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

constexpr std::uint64_t kStart = 1'000'000;  // instructions measured completely
// Instructions after each window that --save-warm saves: a core with a larger window fetches further.
constexpr std::uint64_t kMoreSaved = 1'024;

/// Returns the error of --sample-error as a fraction; 0 if it is none.
double error_of(const std::string& text) {
  double percent = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, percent);
  const bool complete = rest == end || std::string_view(rest, end) == "%";
  return error == std::errc{} && complete && percent >= 0.01 && percent <= 50 ? percent / 100 : 0;
}

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

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

/// The counts of the program or of a region: of its start, exactly, and of the units.
struct SampledCounts {
  Totals start;
  predict::RatioSum cycles;
  double flops = 0;                               // weighted
  std::array<double, pipeline::kCpiParts> cpi{};  // likewise
  double instructions = 0;                        // likewise

  void add(std::uint64_t number, double weight, const Totals& unit) {
    cycles.add(number, weight, static_cast<double>(unit.instructions), static_cast<double>(unit.cycles));
    instructions += weight * static_cast<double>(unit.instructions);
    flops += weight * static_cast<double>(unit.flops);
    for (std::size_t part = 0; part < cpi.size(); ++part)
      cpi[part] += weight * static_cast<double>(unit.cpi[part]);
  }
  /// Returns the cycles of `all` instructions.
  SampledTotal estimate(std::uint64_t all) const {
    const double more = all > start.instructions ? static_cast<double>(all - start.instructions) : 0;
    return cycles.total(static_cast<double>(start.cycles), more);
  }
  /// Returns true if the units can give an estimate.
  bool enough(std::uint64_t all) const { return all <= start.instructions || cycles.units() >= 2; }
  /// Adds cycles, their interval, flops and CPI stack.
  void fill_in(Json& to, std::uint64_t all) const {
    const SampledTotal total = estimate(all);
    const double more = all > start.instructions ? static_cast<double>(all - start.instructions) : 0;
    const double scale = instructions == 0 ? 0 : more / instructions;
    to["cycles"] = whole(total.value);
    to["cycles_interval"] = {static_cast<std::uint64_t>(std::floor(total.low)),
                             static_cast<std::uint64_t>(std::ceil(total.high))};
    to["instructions"] = all;
    to["flops"] = start.flops + whole(flops * scale);
    std::array<double, pipeline::kCpiParts> parts{};
    for (std::size_t part = 0; part < parts.size(); ++part)
      parts[part] = static_cast<double>(start.cpi[part]) + cpi[part] * scale;
    Json& stack = to["cpi_stack"] = Json::object();
    const CpiAccount::Stack shares = commands::shares(parts, whole(total.value));
    for (std::size_t part = 0; part < parts.size(); ++part)
      stack[std::string(name(static_cast<pipeline::CpiPart>(part)))] = shares[part];
  }
};

/// The estimates of a sampled run, and the plan of its units.
class SampledProgram final : public pipeline::Sampler::Client, public pipeline::LiveStream::Plan {
 public:
  explicit SampledProgram(const predict::SamplePlan::Config& plan) : plan_(plan) {}

  void on_start(const MeasuredUnit& start) override {
    program_.start = start.whole;
    for (const auto& [row, part] : start.regions) of_region(row).start = part;
  }

  void on_unit(const MeasuredUnit& unit) override {
    const auto weight = static_cast<double>(unit.weight);
    const Totals& all = unit.whole;
    const std::uint64_t number = program_.cycles.units();
    program_.add(number, weight, all);
    halves_[number % 2].add(number, weight, static_cast<double>(all.instructions),
                            static_cast<double>(all.cycles));
    const Totals& first = unit.first_half;
    first_halves_.add(number, weight, static_cast<double>(first.instructions),
                      static_cast<double>(first.cycles));
    second_halves_.add(number, weight, static_cast<double>(all.instructions - first.instructions),
                       static_cast<double>(all.cycles - first.cycles));
    for (const auto& [row, part] : unit.regions) of_region(row).add(number, weight, part);
    plan_.measured(program_.estimate(executed_).relative_error());
  }

  Window next_window(std::uint64_t instructions) override {
    executed_ = instructions;
    progress_(instructions);
    const std::uint64_t at = plan_.next(instructions);
    return {at, plan_.period()};
  }

  std::uint64_t pace() override {
    const SampledTotal cycles = program_.estimate(executed_);
    const double pace = cycles.value / static_cast<double>(std::max<std::uint64_t>(executed_, 1));
    return std::max<std::uint64_t>(1, whole(pace * static_cast<double>(isa::Process::kCyclePace)));
  }

  /// Calls `progress` before each window.
  void set_progress(std::function<void(std::uint64_t)> progress) { progress_ = std::move(progress); }

  const SampledCounts& program() const { return program_; }
  SampledCounts& of_region(std::size_t row) {
    if (regions_.size() <= row) regions_.resize(row + 1);
    return regions_[row];
  }
  std::uint64_t period() const { return plan_.period(); }
  /// Returns the ratio of the estimates of two halves of the sample, minus 1.
  double halves_differ() const {
    return halves_[1].ratio() == 0 ? 0 : halves_[0].ratio() / halves_[1].ratio() - 1;
  }
  double unit_halves_differ() const {
    return second_halves_.ratio() == 0 ? 0 : first_halves_.ratio() / second_halves_.ratio() - 1;
  }

 private:
  predict::SamplePlan plan_;
  SampledCounts program_;
  std::vector<SampledCounts> regions_;              // by the row of SampledStream::regions()
  std::array<predict::RatioSum, 2> halves_;         // units of even and odd number
  predict::RatioSum first_halves_, second_halves_;  // of each unit
  std::uint64_t executed_ = 0;
  std::function<void(std::uint64_t)> progress_ = [](std::uint64_t) {};
};

Json regions_json(SampledProgram& sample, const std::vector<MeasuredRegion>& regions,
                  std::vector<std::string>& without) {
  Json all = Json::array();
  for (std::size_t row = 0; row < regions.size(); ++row) {
    const MeasuredRegion& region = regions[row];
    const SampledCounts& counts = sample.of_region(row);
    Json one{{"name", region.name}, {"args", region.arguments}, {"executions", region.executions}};
    if (counts.enough(region.totals.instructions)) {
      counts.fill_in(one, region.totals.instructions);
    } else {
      one["instructions"] = region.totals.instructions;
      without.push_back(region.name);
    }
    one["units"] = counts.cycles.units();
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

bool SampleOptions::requested() const {
  const std::vector<const CLI::Option*> given = app->get_options([](const CLI::Option* option) {
    const std::string name = option->get_name();
    return option->count() != 0 &&
           (name.starts_with("--sample") || name == "--save-warm" || name == "--from-warm");
  });
  return !given.empty();
}

void add_sample_options(CLI::App& app, SampleOptions& options) {
  options.app = &app;
  app.add_flag(
      "--sample", options.sample,
      "measure units of the program in cycles, run it functionally between them, and estimate cycles, "
      "CPI stack and regions with intervals of 95 %");
  app.add_option("--sample-error", options.error,
                 "adapt the period so that the interval of the cycles is at most ±P % wide [2%]")
      ->type_name("P%")
      ->check([](const std::string& text) {
        return error_of(text) != 0 ? std::string() : text + ": expected a percentage from 0.01% to 50%";
      });
  app.add_option("--sample-period", options.period,
                 "measure one unit in each N instructions [adapted to --sample-error]")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--sample-unit", options.unit, "instructions of a unit [1000]")
      ->type_name("N")
      ->check(whole_number(2));
  app.add_option("--sample-warmup", options.warm_up,
                 "instructions in cycles before each unit, which are not measured [2000]")
      ->type_name("N")
      ->check(whole_number(0));
  app.add_option("--save-warm", options.save_warm,
                 "save the warm state and the instructions of each window in a file, or under a name of its "
                 "own in a folder; implies --sample")
      ->type_name("FILE|DIR")
      ->check(file_name());
  app.add_option("--from-warm", options.from_warm,
                 "run the windows that --save-warm saved, without the program between them; latencies, "
                 "widths and buffers may differ; implies --sample")
      ->type_name("FILE|DIR")
      ->check(file_name());
  app.add_option("--sample-seed", options.seed, "seed of the places of the units [1]")
      ->type_name("N")
      ->check(whole_number(0));
}

void check_sample_options(const SampleOptions& options, const CoreRunOptions& core) {
  const RunOutputOptions& outputs = core.outputs;
  const std::array<std::pair<const char*, bool>, 10> whole_runs{
      {{"--report", !core.common.report.empty()},
       {"--kanata", !outputs.kanata.empty()},
       {"--o3", !outputs.o3.empty()},
       {"--window", !outputs.window.empty()},
       {"--statistics", !outputs.statistics.empty()},
       {"--statistics-every", outputs.statistics_every != 0},
       {"--profile", outputs.profile},
       {"--profile-text", !outputs.profile_text.empty()},
       {"--callgrind", !outputs.callgrind.empty()},
       {"--energy", core.energy}}};
  for (const auto& [name, given] : whole_runs)
    if (given)
      throw UserError(
          fmt::format("{}: needs every cycle of the program; expected a run without --sample", name));
  if (!options.save_warm.empty() && !options.from_warm.empty())
    throw UserError("--save-warm and --from-warm: expected one of them");
  const CLI::Option* const error = options.app->get_option("--sample-error");
  if (options.period != 0 && error->count() != 0)
    throw UserError(fmt::format("--sample-period {} and --sample-error {}: expected one of them",
                                options.period, options.error));
  if (options.period != 0 && options.period < options.unit + options.warm_up)
    throw UserError(fmt::format(
        "--sample-period = {}: shorter than a unit with its warm-up; expected at least {}, the sum of "
        "--sample-unit and --sample-warmup",
        options.period, options.unit + options.warm_up));
}

bool CoreRun::sample(isa::Process& process, const SampleOptions& options, WarmSaving* saving,
                     WarmSource* saved) {
  const std::uint64_t limit = options_.max_instructions ? options_.max_instructions : pipeline::kNever;
  SampledProgram sample({.from = kStart,
                         .window = options.unit + options.warm_up,
                         .period = options.period,
                         .error = error_of(options.error),
                         .seed = options.seed});
  Progress progress(options_.common.quiet);
  sample.set_progress([&](std::uint64_t instructions) {
    progress.update([&](double elapsed) {
      return instructions_line(elapsed, instructions, 0, {options_.max_instructions, true});
    });
  });
  std::unique_ptr<pipeline::LiveStream> live;
  std::unique_ptr<pipeline::SampledStream> from_file;
  if (saved != nullptr)
    from_file = std::make_unique<pipeline::SavedStream>(saved->file);
  else
    live = std::make_unique<pipeline::LiveStream>(process, sample, limit);
  if (saving != nullptr) live->save(*saving->file, saving->properties, kMoreSaved);
  pipeline::SampledStream& stream = live ? *live : *from_file;
  pipeline::Sampler sampler(stream, {.start = kStart, .warm_up = options.warm_up, .unit = options.unit},
                            sample);
  pipeline::WiredCore simulation(*machine_, sampler, {});
  sampler.attach(simulation);
  simulation.run();
  sampler.finish();
  progress.clear();
  if (saving != nullptr) saving->summary = live->finish_saving(trace_ending(process));

  const SampledCounts& program = sample.program();
  instructions_ = stream.instructions();
  if (!program.enough(instructions_))
    throw UserError(
        fmt::format("--sample-period = {}: too few units for an estimate, {} in {} instructions; expected a "
                    "shorter period, "
                    "or none",
                    options.period, program.cycles.units(), instructions_));
  const SampledTotal cycles = program.estimate(instructions_);
  cycles_ = whole(cycles.value);
  Json& body = result_.body();
  program.fill_in(body, instructions_);
  body["seconds"] = static_cast<double>(cycles_) / machine_->core.clock_hz;
  body["ipc"] = cycles_ == 0 ? 0.0 : static_cast<double>(instructions_) / static_cast<double>(cycles_);
  std::vector<std::string> without;
  body["regions"] = regions_json(sample, stream.regions(), without);
  body["sample"] = {{"units", program.cycles.units()},
                    {"detailed_instructions", sampler.detailed_instructions()},
                    {"period", saved != nullptr ? saved->last_period() : sample.period()},
                    {"unit", options.unit},
                    {"warmup", options.warm_up},
                    {"measured_start", program.start.instructions},
                    {"seed", options.seed},
                    {"confidence", 0.95},
                    {"relative_error", cycles.relative_error()},
                    {"half_samples_differ", sample.halves_differ()},
                    {"unit_halves_differ", sample.unit_halves_differ()}};
  precision_ = fmt::format(" ± {:.2g} % (95 % interval, {} units)", 100 * cycles.relative_error(),
                           program.cycles.units());
  for (std::string& line : stream.notes()) note(std::move(line));
  for (const std::string& region : without)
    note(fmt::format("region {}: fewer than two units executed it; its cycles are not estimated", region));
  note("--sample leaves out the statistics of the core");
  sample_period_ = sample.period();
  return stream.limit_reached();
}

}  // namespace psim::commands
