// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/fit_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/console.h"
#include "base/error.h"
#include "base/sha256.h"
#include "predict/model_file.h"
#include "predict/model_source.h"
#include "predict/pieces.h"
#include "report/report.h"

namespace psim::commands {
namespace {

using nlohmann::json;
using predict::CostFit;
using predict::Estimate;
using predict::Measurement;
using predict::Model;
using predict::RegionFit;

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

void write(std::optional<OutputFile>& file, const std::string& text) {
  file->write(text);
  file->commit();
}

}  // namespace

FitOutputs::FitOutputs(const FitPlan& plan, const CommonOptions& options, const FitFiles& names)
    : plan_(plan), options_(options), names_(names), result_("fit", options.json) {
  for (const FitMachine& machine : plan.machines) {
    Files& files = files_.emplace_back();
    open(files.out, plan.out, "--out", machine);
    open(files.header, names.header, "--header", machine);
    open(files.module, names.module, "--module", machine);
    open(files.page, options.report, "--report", machine);
  }
}

void FitOutputs::open(std::optional<OutputFile>& file, const std::string& path, const char* option,
                      const FitMachine& machine) {
  if (!path.empty()) file.emplace(path_for(path, plan_, machine, option), option);
}

void FitOutputs::fit_machine(std::size_t number,
                             const std::vector<std::pair<const FitProgram*, MeasuredProgram>>& ran) {
  const FitMachine& machine = plan_.machines[number];
  Files& files = files_[number];
  if (plan_.machines.size() > 1 && !options_.quiet) console::print("{}\n", machine.name);
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
    write(files.module, predict::fortran_module(models, path_for(names_.module, plan_, machine, "--module")));
  title_ = "models of " + ran.front().second.program;
  describe(ran);
}

void FitOutputs::finish() {
  auto& body = result_.body();
  body["regions"] = regions_;
  if (!plan_.spec.empty()) body["inputs"]["spec"] = {{"sha256", sha256(plan_.spec)}};
  result_.page()["title"] = title_;
  result_.page()["fits"] = pages_;
  result_.finish();
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (files_[i].page) write(files_[i].page, report::result_page(of_machine(i), {}));
}

/// Adds a region of the machine of this number.
void FitOutputs::add_region(std::size_t number, const FittedRegion& fitted, const Model& model,
                            const FitProgram& program, const RegionPoints& points) {
  const RegionFit& fit = fitted.fit;
  const bool quiet = options_.quiet;
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
nlohmann::ordered_json FitOutputs::of_machine(std::size_t number) const {
  auto document = nlohmann::ordered_json::parse(result_.text());
  if (plan_.machines.size() == 1) return document;
  json regions = json::array(), fits = json::array();
  for (std::size_t i = 0; i < regions_.size(); ++i)
    if (machines_[i] == number) regions.push_back(regions_[i]), fits.push_back(pages_[i]);
  document["regions"] = regions, document["page"]["fits"] = fits;
  return document;
}

/// Adds the machine and the programs to the result.
void FitOutputs::describe(const std::vector<std::pair<const FitProgram*, MeasuredProgram>>& ran) {
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

}  // namespace psim::commands
