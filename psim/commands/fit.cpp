// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/result_document.h"
#include "base/sha256.h"
#include "predict/fit.h"
#include "predict/model_file.h"
#include "predict/model_source.h"
#include "predict/pieces.h"
#include "psim/commands/command.h"
#include "psim/commands/fit_added.h"
#include "psim/commands/fit_plan.h"
#include "psim/commands/fit_points.h"
#include "psim/points.h"
#include "report/report.h"

namespace psim::commands {
namespace {

using nlohmann::json;
using predict::CostFit;
using predict::Estimate;
using predict::Measurement;
using predict::Model;
using predict::RegionFit;

struct FitCommandOptions {
  CommonOptions common;
  std::vector<std::string> regions, arguments, predicted;
  std::vector<int> statuses;
  std::vector<std::string> environment;
  std::string out, header, module;
  PointOptions points{"fit"};
  bool energy = false, sample = false;
  std::optional<std::uint32_t> add_points;
  std::optional<double> budget;
};

/// A fitted region.
struct FittedRegion {
  RegionFit fit;
  CostFit time;
  std::size_t pieces = 1;
};

/// Adds the data that fit in L2 at all points, and the waits that would follow if they did not: each miss of
/// the first level at the rate of the dearest point, alone, for memory.
void add_data(RegionFit& fit, const RegionPoints& points, const MeasuredProgram& measured,
              const FitMachine& machine) {
  if (!measured.fits_in_l2) return;
  fit.data_bytes = points.data_expression();
  if (fit.data_bytes.empty()) return;
  const auto dearest = std::max_element(points.cycles.begin(), points.cycles.end()) - points.cycles.begin();
  fit.cache_bytes = machine.cache_bytes;
  fit.memory_wait =
      points.miss_rate[static_cast<std::size_t>(dearest)] * static_cast<double>(machine.memory_cycles);
}

FittedRegion fit_region(const std::string& name, const MeasuredProgram& measured, const FitMachine& machine,
                        bool energy) {
  const RegionPoints& points = measured.regions.at(name);
  FittedRegion fitted;
  RegionFit& fit = fitted.fit;
  fit.region = name;
  fit.parameters = points.parameter_names();
  const std::vector<Measurement> times = points.measurements(points.cycles, points.cycles_error);
  const auto regimes = predict::find_regimes(points.regime_points());
  fitted.time = predict::fit_pieces(times, regimes, fit.parameters, "region " + name);
  fitted.pieces = predict::count_pieces(times, regimes);
  fit.ranges = predict::ranges_of(times);
  fit.cycles = fitted.time.expression;
  fit.time_errors = fitted.time.errors;
  fit.clock_hz = static_cast<std::uint64_t>(measured.clock_hz);
  fit.machine = measured.machine, fit.machine_sha256 = measured.machine_sha256;
  fit.program = measured.program, fit.program_sha256 = measured.program_sha256;
  add_data(fit, points, measured, machine);
  if (energy) {
    const CostFit joules = predict::fit_pieces(points.measurements(points.joules, points.joules_error),
                                               regimes, fit.parameters, "energy of region " + name);
    fit.joules = joules.expression, fit.joules_errors = joules.errors;
  }
  return fitted;
}

std::string interval_text(const Estimate& estimate, const char* unit) {
  return fmt::format("{:.6g} {} ({:.6g} … {:.6g}){}", estimate.value, unit, estimate.low, estimate.high,
                     estimate.beyond_cache   ? ", extrapolated, data beyond the second-level cache"
                     : estimate.extrapolated ? ", extrapolated"
                                             : "");
}

json estimate_json(const Estimate& estimate) {
  return {{"value", estimate.value},
          {"standard_error", estimate.standard_error},
          {"interval", {estimate.low, estimate.high}},
          {"extrapolated", estimate.extrapolated},
          {"beyond_cache", estimate.beyond_cache}};
}

/// Prints the predictions of a model and returns them for the result.
json predict_all(const Model& model, const std::vector<std::vector<std::int64_t>>& asked, bool quiet) {
  json all = json::array();
  for (const std::vector<std::int64_t>& arguments : asked) {
    if (arguments.size() != model.arguments()) continue;
    const Estimate seconds = model.seconds(arguments);
    Estimate cycles = seconds;
    const auto clock = static_cast<double>(model.fit().clock_hz);
    for (double* part : {&cycles.value, &cycles.standard_error, &cycles.low, &cycles.high}) *part *= clock;
    json row{{"args", arguments}, {"cycles", estimate_json(cycles)}, {"seconds", estimate_json(seconds)}};
    const auto joules = model.joules(arguments);
    if (joules) row["joules"] = estimate_json(*joules);
    all.push_back(std::move(row));
    if (quiet) continue;
    console::print("  ({}): {}\n", fmt::join(arguments, ", "), interval_text(cycles, "cycles"));
    console::print("  ({}): {}\n", fmt::join(arguments, ", "), interval_text(seconds, "s"));
    if (joules) console::print("  ({}): {}\n", fmt::join(arguments, ", "), interval_text(*joules, "J"));
  }
  return all;
}

json region_json(const FittedRegion& fitted, const RegionPoints& points) {
  json rows = json::array();
  for (std::size_t i = 0; i < points.cycles.size(); ++i) {
    rows.push_back(
        {{"args", points.arguments[i]}, {"cycles", points.cycles[i]}, {"fitted", fitted.time.fitted[i]}});
    if (!points.joules.empty()) rows.back()["joules"] = points.joules[i];
    if (points.exit_status[i] != 0) rows.back()["exit_status"] = points.exit_status[i];
    if (points.added[i]) rows.back()["added"] = true;
  }
  json out{{"name", fitted.fit.region},
           {"parameters", fitted.fit.parameters},
           {"cycles", fitted.fit.cycles},
           {"cross_validation_error", fitted.time.cross_validation_error},
           {"largest_error", fitted.time.largest_error},
           {"pieces", fitted.pieces},
           {"degrees_of_freedom", fitted.time.errors.degrees_of_freedom},
           {"alternatives", fitted.time.errors.alternatives},
           {"weights", fitted.time.errors.weights},
           {"points", rows}};
  if (!fitted.fit.joules.empty()) out["joules"] = fitted.fit.joules;
  return out;
}

/// Describes the points whose program returned a status besides 0, for people.
std::vector<std::string> status_notes(const RegionPoints& points) {
  std::map<int, int> counts;
  for (const int status : points.exit_status)
    if (status != 0) ++counts[status];
  std::vector<std::string> notes;
  for (const auto& [status, count] : counts)
    notes.push_back(fmt::format("the program returned status {} at {} of {} points, which is allowed", status,
                                count, points.exit_status.size()));
  return notes;
}

/// Adds warnings of predictions for matrices whose columns can collide in a cache, if no point has such a
/// size.
void add_collisions(std::vector<std::string>& warnings, const Model& model, const FitProgram& program,
                    const RegionPoints& points) {
  constexpr std::int64_t kElements = 512;  // of 8 bytes: 4 KiB, which is a whole part of each way of a cache
  const auto collides = [](const std::vector<std::int64_t>& arguments) {
    return arguments[0] % kElements == 0;
  };
  if (model.arguments() != 1 || std::ranges::any_of(points.arguments, collides)) return;
  for (const auto& arguments : program.predicted) {
    if (arguments.size() != 1 || !collides(arguments)) continue;
    // The cost of matrices grows at least with the square.
    if (model.mean_seconds(std::vector{2 * arguments[0]}) < 3 * model.mean_seconds(arguments)) continue;
    warnings.push_back(fmt::format(
        "region {}({}): rows of a multiple of {} elements can collide in a cache, and no point has "
        "such rows; predict {}, too",
        model.fit().region, arguments[0], kElements, arguments[0] + 8));
  }
}

/// Returns what the page shows of a region in addition to the result. The curve runs to the farthest
/// prediction.
json page_json(const FittedRegion& fitted, const Model& model, const RegionPoints& points,
               const std::vector<std::vector<std::int64_t>>& asked) {
  constexpr int kSteps = 60;
  std::vector<std::size_t> varying;
  for (std::size_t p = 0; p < fitted.fit.ranges.size(); ++p)
    if (fitted.fit.ranges[p].low < fitted.fit.ranges[p].high) varying.push_back(p);
  const bool one = varying.size() == 1 && fitted.fit.ranges[varying[0]].low > 0;
  json page{{"x_name", one ? fitted.fit.parameters[varying[0]] : "fitted cycles"},
            {"x", json::array()},
            {"curve", json::array()}};
  for (std::size_t i = 0; i < points.cycles.size(); ++i)
    page["x"].push_back(one ? static_cast<double>(points.arguments[i][varying[0]]) : fitted.time.fitted[i]);
  if (!one) return page;
  double high = fitted.fit.ranges[varying[0]].high;
  for (const auto& arguments : asked)
    if (arguments.size() == model.arguments())
      high = std::max(high, static_cast<double>(arguments[varying[0]]));
  std::vector<std::int64_t> arguments = points.arguments[0];
  const double low = fitted.fit.ranges[varying[0]].low;
  const auto clock = static_cast<double>(fitted.fit.clock_hz);
  for (int step = 0; step <= kSteps; ++step) {
    const auto x = static_cast<std::int64_t>(std::llround(low * std::pow(high / low, step / double{kSteps})));
    if (step != 0 && x == arguments[varying[0]]) continue;
    arguments[varying[0]] = x;
    const Estimate estimate = model.seconds(arguments);
    page["curve"].push_back({x, clock * estimate.value, clock * estimate.low, clock * estimate.high});
  }
  return page;
}

/// The files and the result of a command; they are opened before any point runs.
class FitOutputs {
 public:
  FitOutputs(const FitPlan& plan, const FitCommandOptions& options)
      : plan_(plan), options_(options), result_("fit", options.common.json) {
    for (const FitMachine& machine : plan.machines) {
      Files& files = files_.emplace_back();
      open(files.out, plan.out, "--out", machine);
      open(files.header, options.header, "--header", machine);
      open(files.module, options.module, "--module", machine);
      open(files.page, options.common.report, "--report", machine);
    }
  }

  /// Fits the regions of the programs that ran on a machine, prints them, and writes its files.
  void fit_machine(std::size_t number,
                   const std::vector<std::pair<const FitProgram*, MeasuredProgram>>& ran) {
    const FitMachine& machine = plan_.machines[number];
    Files& files = files_[number];
    if (plan_.machines.size() > 1 && !options_.common.quiet) console::print("{}\n", machine.name);
    std::vector<RegionFit> fits;
    std::vector<Model> models;
    for (const auto& [program, measured] : ran)
      for (const std::string& name : measured.chosen(*program)) {
        for (const RegionFit& fit : fits)
          if (fit.region == name)
            throw UserError(
                fmt::format("{}: region {}: {} has it, too; expected regions = \"…\" with different ones",
                            program->where, name, fit.program));
        const FittedRegion fitted = fit_region(name, measured, machine, plan_.energy);
        fits.push_back(fitted.fit);
        models.emplace_back(fitted.fit, plan_.out.empty() ? "fit" : plan_.out);
        add_region(number, fitted, models.back(), *program, measured.regions.at(name));
      }
    if (files.out) write(files.out, predict::model_file_text(fits));
    if (files.header) write(files.header, predict::c_header(models));
    if (files.module)
      write(files.module,
            predict::fortran_module(models, path_for(options_.module, plan_, machine, "--module")));
    title_ = "models of " + ran.front().second.program;
    describe(ran);
  }

  void finish() {
    auto& body = result_.body();
    body["regions"] = regions_;
    if (!plan_.spec.empty()) body["inputs"]["spec"] = {{"sha256", sha256(plan_.spec)}};
    result_.page()["title"] = title_;
    result_.page()["fits"] = pages_;
    result_.finish();
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (files_[i].page) write(files_[i].page, report::result_page(of_machine(i), {}));
  }

 private:
  struct Files {
    std::optional<OutputFile> out, header, module, page;
  };

  void open(std::optional<OutputFile>& file, const std::string& path, const char* option,
            const FitMachine& machine) {
    if (!path.empty()) file.emplace(path_for(path, plan_, machine, option), option);
  }
  static void write(std::optional<OutputFile>& file, const std::string& text) {
    file->write(text);
    file->commit();
  }

  /// Adds a region of the machine of this number.
  void add_region(std::size_t number, const FittedRegion& fitted, const Model& model,
                  const FitProgram& program, const RegionPoints& points) {
    const RegionFit& fit = fitted.fit;
    const bool quiet = options_.common.quiet;
    if (!quiet) {
      console::print("{}({}) = {} cycles\n", fit.region, fmt::join(fit.parameters, ", "), fit.cycles);
      console::print("  {} points; largest error {:.3g} %; error of left-out points {:.3g} %\n",
                     points.cycles.size(), 100 * fitted.time.largest_error,
                     100 * fitted.time.cross_validation_error);
      if (fitted.pieces > 1)
        console::print("  {} pieces that join, because the data outgrow a cache between the points\n",
                       fitted.pieces);
      if (plan_.energy) console::print("  {} J\n", fit.joules);
    }
    const std::vector<std::string> notes = status_notes(points);
    if (!quiet)
      for (const std::string& note : notes) console::print("  {}\n", note);
    std::vector<std::string> warnings = program.warnings;
    if (fitted.pieces == 1)
      for (const predict::RegimeChange& change : predict::find_regime_changes(points.regime_points()))
        warnings.push_back(predict::text_of(change, fit.region, fit.parameters));
    add_collisions(warnings, model, program, points);
    for (const std::string& warning : warnings)
      if (!quiet) console::log("psim: warning: {}\n", warning);
    json row = region_json(fitted, points);
    row["machine"] = fit.machine, row["program"] = fit.program;
    if (!warnings.empty()) row["warnings"] = warnings;
    if (!program.predicted.empty()) row["predictions"] = predict_all(model, program.predicted, quiet);
    regions_.push_back(std::move(row));
    machines_.push_back(number);
    pages_.push_back(page_json(fitted, model, points, program.predicted));
    if (!notes.empty()) pages_.back()["notes"] = notes;
  }

  /// Returns the result with the regions of one machine; each machine has a page.
  nlohmann::ordered_json of_machine(std::size_t number) const {
    auto document = nlohmann::ordered_json::parse(result_.text());
    if (plan_.machines.size() == 1) return document;
    json regions = json::array(), fits = json::array();
    for (std::size_t i = 0; i < regions_.size(); ++i)
      if (machines_[i] == number) regions.push_back(regions_[i]), fits.push_back(pages_[i]);
    document["regions"] = regions, document["page"]["fits"] = fits;
    return document;
  }

  /// Adds the machine and the programs to the result.
  void describe(const std::vector<std::pair<const FitProgram*, MeasuredProgram>>& ran) {
    auto& body = result_.body();
    for (const auto& [program, measured] : ran) {
      const json machine{{"name", measured.machine}, {"sha256", measured.machine_sha256}};
      if (plan_.machines.size() == 1)
        body["machine"] = machine;
      else
        body["machine"][measured.machine] = machine;
      const std::string role = plan_.programs.size() == 1 ? "program" : measured.program;
      body["inputs"][role] = {{"sha256", measured.program_sha256}};
    }
  }

  const FitPlan& plan_;
  const FitCommandOptions& options_;
  ResultDocument result_;
  std::deque<Files> files_;
  std::string title_;
  std::vector<std::size_t> machines_;  ///< by region
  json regions_ = json::array(), pages_ = json::array();
};

bool runs_on(const FitProgram& program, const FitMachine& machine) {
  return std::find(program.machines.begin(), program.machines.end(), machine.name) != program.machines.end();
}

/// The most rounds in which points are added.
constexpr int kRounds = 3;

/// A program on a machine, with its points.
struct FitWork {
  std::size_t machine;
  FitProgram program;
  AddedLimits limits;  ///< what is left of them
  std::vector<Point> points{};
};

/// Runs the points of the grids that are not among those of `work` yet. Returns as run_points() does.
std::optional<int> run(std::vector<FitWork>& work, const FitPlan& plan, const PointOptions& options) {
  std::vector<Point> earlier, points;
  for (FitWork& each : work) {
    earlier.insert(earlier.end(), each.points.begin(), each.points.end());
    const FitMachine& machine = plan.machines[each.machine];
    std::vector<Point> all = points_of(each.program, machine, plan, options.folder);
    for (Point& point : all)
      if (plan.machines.size() > 1) point.label = machine.name + " " + point.label;
    for (std::size_t i = each.points.size(); i < all.size(); ++i) points.push_back(all[i]);
    each.points = std::move(all);
  }
  return points.empty() ? std::nullopt : run_points(points, options, earlier);
}

/// Extends the grid by the points that the predictions need, and prints them. Takes them from the limits.
void add_points(FitWork& work, const FitPlan& plan, bool quiet) {
  const FitMachine& machine = plan.machines[work.machine];
  if (work.limits.points == 0 || work.program.predicted.empty()) return;
  const AddedPoints added = points_to_add(
      work.program, measure(work.program, machine, work.points, plan.energy), machine, work.limits);
  extend_grid(work.program, added);
  work.limits.points -= static_cast<std::uint32_t>(added.values.size());
  work.limits.instructions -= added.spent;
  if (added.values.size() < added.needed) {
    work.limits.points = 0;  // further rounds would lack the same
    work.program.warnings.push_back(
        fmt::format("a model of this regime needs {} points of some {:.2g} instructions; allow more with "
                    "--add-points and --budget",
                    added.needed, added.instructions));
  }
  if (quiet || added.needed == 0) return;
  console::log("psim: {}: {}\n", added.reason,
               added.values.empty()
                   ? "none is added"
                   : fmt::format("added {} = {}", work.program.grid.front().values.front().first,
                                 fmt::join(added.values, ", ")));
}

int fit(const CLI::App& app, FitCommandOptions& options) {
  const FitWords words{.machine = options.common,
                       .words = program_of(app),
                       .regions = options.regions,
                       .arguments = options.arguments,
                       .predicted = options.predicted,
                       .statuses = options.statuses,
                       .environment = options.environment,
                       .out = options.out,
                       .energy = options.energy,
                       .sample = options.sample,
                       .add_points = options.add_points,
                       .budget = options.budget};
  const FitPlan plan = is_fit_spec(words) ? read_fit_spec(words) : plan_of(words);
  FitOutputs outputs(plan, options);
  create_point_folder(options.points.folder, "--into");
  std::vector<FitWork> work;
  for (std::size_t i = 0; i < plan.machines.size(); ++i)
    for (const FitProgram& program : plan.programs)
      if (runs_on(program, plan.machines[i])) work.push_back({i, program, plan.added});
  options.points.quiet = options.common.quiet;
  if (const auto end = run(work, plan, options.points)) return *end;
  options.points.shard.clear();  // the shard that continues has all points of the user
  // The first round crosses a cache; the second one shows how the cost grows beyond.
  for (int round = 0; round < kRounds; ++round) {
    for (FitWork& each : work) add_points(each, plan, options.common.quiet);
    if (const auto end = run(work, plan, options.points)) return *end;
  }
  for (std::size_t i = 0; i < plan.machines.size(); ++i) {
    std::vector<std::pair<const FitProgram*, MeasuredProgram>> ran;
    for (const FitWork& each : work)
      if (each.machine == i)
        ran.emplace_back(&each.program, measure(each.program, plan.machines[i], each.points, plan.energy));
    if (!ran.empty()) outputs.fit_machine(i, ran);
  }
  outputs.finish();
  return 0;
}

std::function<int()> set_up_fit(CLI::App& app) {
  auto options = std::make_shared<FitCommandOptions>();
  take_program(app);
  app.add_option("--region", options->regions, "region to fit; repeatable [all regions of the program]")
      ->type_name("NAME");
  app.add_option(
         "--args", options->arguments,
         "values of the program's argument {}, \"64 96 128\", or of {NAME}, \"NAME=64 96 128\"; repeatable: "
         "all combinations run")
      ->type_name("VALUES");
  app.add_option("--predict", options->predicted,
                 "print the prediction for these arguments of the region, \"512\" or \"512,4\"; repeatable")
      ->type_name("ARGS");
  app.add_option("--allow-status", options->statuses,
                 "also fit points whose program returns this exit status besides 0; repeatable")
      ->type_name("STATUS")
      ->check(CLI::Range(1, kMostStatus));
  app.add_option("--env", options->environment, "set a variable of the program's environment; repeatable")
      ->type_name("NAME=VALUE")
      ->take_all();
  app.add_option("-o,--out", options->out, "write the models, which `psim net --compute model:FILE` reads")
      ->type_name("FILE.toml")
      ->check(file_name());
  app.add_option("--header", options->header, "write the models as functions in C")
      ->type_name("FILE.h")
      ->check(file_name());
  app.add_option("--module", options->module, "write the models as functions in Fortran")
      ->type_name("FILE.f90")
      ->check(file_name());
  app.add_flag("--energy", options->energy, "fit the energy of regions, too");
  app.add_flag(
      "--sample", options->sample,
      "estimate long points from units, as psim run --sample does; their intervals weigh the points");
  app.add_option(
         "--add-points", options->add_points,
         "add at most N points if the data of a prediction outgrow a cache and those of the points do not "
         "[10]")
      ->type_name("N")
      ->check(CLI::Range(0u, kMostAddedPoints));
  app.add_option("--budget", options->budget, "most instructions of the added points [3e9]")
      ->type_name("INSTRUCTIONS")
      ->check(CLI::Range(1.0, kMostBudget));
  add_point_options(app, options->points);
  add_common(app, options->common, kMachine | kJson | kReport | kQuiet);
  return [&app, options] { return fit(app, *options); };
}

}  // namespace

const Command kFit{
    .name = "fit",
    .usage = "PROG [ARG…] | TRACE… | SPEC.toml",
    .summary = "fit models of the time of a program's regions, from runs with different arguments",
    .examples =
        "  psim fit --args \"64 96 128 192 256\" --machine simd16 -o fits.toml ./zgemm simd {}\n"
        "  psim fit --region fft --args \"64 128 256 512\" --predict 4096 ./fft scalar {}\n"
        "  psim fit --args \"n=16 32 64\" --args \"m=2 4 8 16\" -o fits.toml ./stencil {n} {m}\n"
        "  psim fit --region zgemm -o fits.toml n64.trace n96.trace n128.trace n192.trace\n"
        "  psim fit three.toml                          # programs, arguments and machines from a file\n"
        "  psim fit --sample --args \"256 384 512 768\" ./zgemm simd {}     # long points, in a fraction of "
        "the time\n"
        "  psim fit --shard 2/8 --into /shared/fit three.toml    # the second of eight hosts\n"
        "  psim fit --energy --args \"16 32 48 64\" --header model.h --module model.f90 ./a.out {}\n",
    .setup = set_up_fit,
};

}  // namespace psim::commands
