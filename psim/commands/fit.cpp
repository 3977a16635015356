// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/output_file.h"
#include "base/result_document.h"
#include "base/sha256.h"
#include "predict/fit.h"
#include "predict/model_file.h"
#include "predict/model_source.h"
#include "psim/commands/command.h"
#include "psim/commands/fit_grid.h"
#include "psim/points.h"
#include "report/fit_page.h"

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
  std::string out, header, module, into = "fit";
  unsigned parallel = 0;
  bool energy = false;
};

/// The measurements of a region.
struct RegionPoints {
  std::vector<std::vector<std::int64_t>> arguments;
  std::vector<double> cycles, joules;                     ///< of one execution
  std::vector<double> memory_share;                       ///< of the cycles: waits for L2 and memory
  std::map<std::string, std::vector<std::string>> swept;  ///< by name of an axis: its value at each point
};

/// The common properties of all points.
struct Measured {
  std::map<std::string, RegionPoints> regions;
  std::vector<std::string> order;  ///< names, in the order of the first point
  std::string machine, machine_sha256, program, program_sha256;
  double clock_hz = 0;
};

double memory_share(const json& region) {
  const json& stack = region.at("cpi_stack");
  double sum = 0;
  for (const auto& part : stack) sum += part.get<double>();
  return sum == 0 ? 0 : (stack.at("l2").get<double>() + stack.at("memory").get<double>()) / sum;
}

void add_point(Measured& measured, const json& result, const GridPoint& grid, bool energy) {
  for (const json& region : result.at("regions")) {
    const auto executions = region.at("executions").get<double>();
    if (executions == 0) continue;
    const auto name = region.at("name").get<std::string>();
    const auto arguments = region.at("args").get<std::vector<std::int64_t>>();
    if (!measured.regions.contains(name)) measured.order.push_back(name);
    RegionPoints& points = measured.regions[name];
    if (!points.arguments.empty() && points.arguments[0].size() != arguments.size())
      throw UserError(
          fmt::format("region {}: {} arguments in one execution and {} in another; expected the same", name,
                      points.arguments[0].size(), arguments.size()));
    points.arguments.push_back(arguments);
    points.cycles.push_back(region.at("cycles").get<double>() / executions);
    if (energy) points.joules.push_back(region.at("energy").at("total_joules").get<double>() / executions);
    points.memory_share.push_back(memory_share(region));
    for (const auto& [axis, value] : grid.values) points.swept[axis].push_back(value);
  }
}

Measured measure(const std::vector<Point>& points, const std::vector<GridPoint>& grid, bool energy) {
  Measured measured;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto result = points[i].finished();
    if (!result) throw UserError(fmt::format("{}: failed: {}", points[i].label, points[i].first_line()));
    if (const int status = result->value("exit_status", 0); status != 0)
      throw UserError(fmt::format("{}: the program ended with status {}; expected 0; its output is in {}",
                                  points[i].label, status, points[i].output));
    add_point(measured, *result, grid[i], energy);
    json machine = result->at("machine");
    measured.machine = machine.value("name", "");
    machine.erase("name"), machine.erase("description");
    measured.machine_sha256 = sha256(machine.dump());
    measured.program_sha256 = result->at("inputs").at("program").at("sha256").get<std::string>();
    measured.clock_hz = std::round(result->at("cycles").get<double>() / result->at("seconds").get<double>());
  }
  return measured;
}

/// Returns names for the arguments of a region: that of the axis with the same values, or n, m, k, l.
std::vector<std::string> parameter_names(const RegionPoints& points) {
  std::vector<std::string> names(points.arguments[0].size());
  for (std::size_t p = 0; p < names.size(); ++p)
    for (const auto& [axis, values] : points.swept) {
      bool same = predict::Expression::is_parameter_name(axis) &&
                  std::find(names.begin(), names.end(), axis) == names.end();
      for (std::size_t i = 0; same && i < values.size(); ++i)
        same = values[i] == std::to_string(points.arguments[i][p]);
      if (same && names[p].empty()) names[p] = axis;
    }
  for (std::string& name : names)
    for (const char* other : {"n", "m", "k", "l"})
      if (name.empty() && std::find(names.begin(), names.end(), other) == names.end()) name = other;
  return names;
}

std::vector<Measurement> measurements_of(const RegionPoints& points, const std::vector<double>& costs) {
  std::vector<Measurement> all;
  for (std::size_t i = 0; i < costs.size(); ++i)
    all.push_back({{points.arguments[i].begin(), points.arguments[i].end()}, costs[i]});
  return all;
}

/// Returns a warning if the share of waits for L2 and memory jumps between two points: the data then no
/// longer fits in a cache, and the sum of terms describes two regimes.
std::string regime_change(const std::string& name, const RegionPoints& points) {
  constexpr double kJump = 0.1;
  std::vector<std::size_t> order(points.arguments.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return points.arguments[a] < points.arguments[b]; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::size_t a = order[i - 1], b = order[i];
    if (points.memory_share[b] - points.memory_share[a] > kJump)
      return fmt::format(
          "region {}: waits for L2 and memory rise from {:.0f} % of the cycles at ({}) to {:.0f} % at "
          "({}); "
          "one model covers both, so check it, or fit the parts separately",
          name, 100 * points.memory_share[a], fmt::join(points.arguments[a], ", "),
          100 * points.memory_share[b], fmt::join(points.arguments[b], ", "));
  }
  return {};
}

/// A fitted region.
struct FittedRegion {
  RegionFit fit;
  CostFit time;
};

FittedRegion fit_region(const std::string& name, const Measured& measured, bool energy) {
  const RegionPoints& points = measured.regions.at(name);
  FittedRegion fitted;
  RegionFit& fit = fitted.fit;
  fit.region = name;
  fit.parameters = parameter_names(points);
  const std::vector<Measurement> times = measurements_of(points, points.cycles);
  fitted.time = predict::fit_cost(times, fit.parameters, "region " + name);
  fit.ranges = predict::ranges_of(times);
  fit.cycles = fitted.time.expression;
  fit.time_errors = fitted.time.errors;
  fit.clock_hz = static_cast<std::uint64_t>(measured.clock_hz);
  fit.machine = measured.machine, fit.machine_sha256 = measured.machine_sha256;
  fit.program = measured.program, fit.program_sha256 = measured.program_sha256;
  if (energy) {
    const CostFit joules =
        predict::fit_cost(measurements_of(points, points.joules), fit.parameters, "energy of region " + name);
    fit.joules = joules.expression, fit.joules_errors = joules.errors;
  }
  return fitted;
}

std::vector<std::string> chosen_regions(const FitCommandOptions& options, const Measured& measured) {
  if (measured.order.empty())
    throw UserError(
        "fit: the program executes no region; mark one with PSIM_REGION_BEGIN and PSIM_REGION_END "
        "of psim.h or psim.f90");
  for (const std::string& name : options.regions) {
    if (measured.regions.contains(name)) continue;
    const std::string near = nearest(name.substr(0, 255), measured.order);
    throw UserError(fmt::format("--region {}: no point executes it; {}", name,
                                near.empty()
                                    ? fmt::format("expected one of {}", fmt::join(measured.order, ", "))
                                    : "did you mean " + near + "?"));
  }
  return options.regions.empty() ? measured.order : options.regions;
}

std::string interval_text(const Estimate& estimate, const char* unit) {
  return fmt::format("{:.6g} {} ({:.6g} … {:.6g}){}", estimate.value, unit, estimate.low, estimate.high,
                     estimate.extrapolated ? ", extrapolated" : "");
}

json estimate_json(const Estimate& estimate) {
  return {{"value", estimate.value},
          {"standard_error", estimate.standard_error},
          {"interval", {estimate.low, estimate.high}},
          {"extrapolated", estimate.extrapolated}};
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
  }
  json out{{"name", fitted.fit.region},
           {"parameters", fitted.fit.parameters},
           {"cycles", fitted.fit.cycles},
           {"cross_validation_error", fitted.time.cross_validation_error},
           {"largest_error", fitted.time.largest_error},
           {"degrees_of_freedom", fitted.time.errors.degrees_of_freedom},
           {"alternatives", fitted.time.errors.alternatives},
           {"weights", fitted.time.errors.weights},
           {"points", rows}};
  if (!fitted.fit.joules.empty()) out["joules"] = fitted.fit.joules;
  return out;
}

/// Returns a region's part of the report. The curve runs to the farthest prediction.
report::FitSection section_of(const FittedRegion& fitted, const Model& model, const RegionPoints& points,
                              const std::string& warning,
                              const std::vector<std::vector<std::int64_t>>& asked) {
  constexpr int kSteps = 60;
  report::FitSection section;
  section.region = fitted.fit.region, section.expression = fitted.fit.cycles, section.unit = "cycles";
  section.notes.push_back(fmt::format(
      "{} points; error of left-out points {:.3g} %; the band is the {:.0f} % "
      "prediction interval of one execution",
      points.cycles.size(), 100 * fitted.time.cross_validation_error, 100 * predict::kConfidence));
  if (!warning.empty()) section.notes.push_back(warning);
  std::vector<std::size_t> varying;
  for (std::size_t p = 0; p < fitted.fit.ranges.size(); ++p)
    if (fitted.fit.ranges[p].low < fitted.fit.ranges[p].high) varying.push_back(p);
  const bool one = varying.size() == 1 && fitted.fit.ranges[varying[0]].low > 0;
  section.x_name = one ? fitted.fit.parameters[varying[0]] : "fitted cycles";
  for (std::size_t i = 0; i < points.cycles.size(); ++i)
    section.rows.push_back(
        {fmt::format("{}", fmt::join(points.arguments[i], ", ")),
         one ? static_cast<double>(points.arguments[i][varying[0]]) : fitted.time.fitted[i], points.cycles[i],
         fitted.time.fitted[i]});
  if (!one) return section;
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
    section.curve.push_back(
        {static_cast<double>(x), clock * estimate.value, clock * estimate.low, clock * estimate.high});
  }
  return section;
}

std::vector<std::string> run_command(const FitCommandOptions& options,
                                     const std::vector<std::string>& program) {
  std::vector<std::string> words{command_line().front(), "run"};
  if (!options.common.machine.empty()) words.insert(words.end(), {"--machine", options.common.machine});
  for (const std::string& set : options.common.sets) words.insert(words.end(), {"--set", set});
  if (options.energy) words.emplace_back("--energy");
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

int fit(const CLI::App& app, FitCommandOptions& options) {
  const std::vector<std::string> program = program_of(app);
  const std::vector<GridPoint> grid = grid_of(program, options.arguments);
  std::vector<std::vector<std::int64_t>> asked;
  for (const std::string& text : options.predicted) asked.push_back(parse_arguments(text));
  ResultDocument result("fit", options.common.json);
  std::optional<OutputFile> out, header, module, page;
  if (!options.out.empty()) out.emplace(options.out, "--out");
  if (!options.header.empty()) header.emplace(options.header, "--header");
  if (!options.module.empty()) module.emplace(options.module, "--module");
  if (!options.common.report.empty()) page.emplace(options.common.report, "--report");
  create_point_folder(options.into, "--into");
  std::vector<Point> points;
  for (const GridPoint& point : grid)
    points.emplace_back(point.label, run_command(options, point.words), options.into);
  const int interrupted = run_points(points, {options.into, options.parallel, options.common.quiet});
  if (interrupted != 0) return interrupted;

  Measured measured = measure(points, grid, options.energy);
  measured.program = program.front().substr(program.front().rfind('/') + 1);
  std::vector<RegionFit> fits;
  std::vector<Model> models;
  std::vector<report::FitSection> sections;
  json rows = json::array();
  for (const std::string& name : chosen_regions(options, measured)) {
    const RegionPoints& region = measured.regions.at(name);
    const FittedRegion fitted = fit_region(name, measured, options.energy);
    fits.push_back(fitted.fit);
    models.emplace_back(fitted.fit, options.out.empty() ? "fit" : options.out);
    if (!options.common.quiet) {
      console::print("{}({}) = {} cycles\n", name, fmt::join(fitted.fit.parameters, ", "), fitted.fit.cycles);
      console::print("  {} points; largest error {:.3g} %; error of left-out points {:.3g} %\n",
                     region.cycles.size(), 100 * fitted.time.largest_error,
                     100 * fitted.time.cross_validation_error);
      if (options.energy) console::print("  {} J\n", fitted.fit.joules);
    }
    const std::string warning = regime_change(name, region);
    if (!warning.empty() && !options.common.quiet) console::log("psim: warning: {}\n", warning);
    rows.push_back(region_json(fitted, region));
    if (page) sections.push_back(section_of(fitted, models.back(), region, warning, asked));
    if (!warning.empty()) rows.back()["warning"] = warning;
    if (!asked.empty()) rows.back()["predictions"] = predict_all(models.back(), asked, options.common.quiet);
  }
  result.body()["machine"] = {{"name", measured.machine}, {"sha256", measured.machine_sha256}};
  result.body()["inputs"] = {{"program", {{"sha256", measured.program_sha256}}}};
  result.body()["regions"] = rows;
  if (out) out->write(predict::model_file_text(fits)), out->commit();
  if (header) header->write(predict::c_header(models)), header->commit();
  if (module) module->write(predict::fortran_module(models, options.module)), module->commit();
  if (page) page->write(report::fit_page(measured.program, measured.machine, sections)), page->commit();
  result.finish();
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
  app.add_option("--into", options->into, "folder of the points' results, which later runs reuse [fit]")
      ->type_name("FOLDER")
      ->check(file_name());
  app.add_option("--parallel", options->parallel, "points at a time [the processors of this host]")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  add_common(app, options->common, kMachine | kJson | kReport | kQuiet);
  return [&app, options] { return fit(app, *options); };
}

}  // namespace

const Command kFit{
    .name = "fit",
    .usage = "PROG [ARG…]",
    .summary = "fit models of the time of a program's regions, from runs with different arguments",
    .examples =
        "  psim fit --args \"64 96 128 192 256\" --machine simd16 -o fits.toml ./zgemm simd {}\n"
        "  psim fit --region fft --args \"64 128 256 512\" --predict 4096 ./fft scalar {}\n"
        "  psim fit --args \"n=16 32 64\" --args \"m=2 4 8 16\" -o fits.toml ./stencil {n} {m}\n"
        "  psim fit --energy --args \"16 32 48 64\" --header model.h --module model.f90 ./a.out {}\n",
    .setup = set_up_fit,
};

}  // namespace psim::commands
