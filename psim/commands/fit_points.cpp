// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/fit_points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/sha256.h"
#include "isa/trace/trace_file.h"
#include "machines/machine_hash.h"
#include "psim/commands/trace_input.h"

namespace psim::commands {
namespace {

using nlohmann::json;

constexpr const char* kRecordAgain =
    "mark the region with PSIM_REGION_BEGIN(\"NAME\", n) and PSIM_REGION_END(\"NAME\"), and record again "
    "with "
    "psim run --record-trace; a text trace has lines begin \"NAME\" n and end \"NAME\"";

/// Returns the share of a part of a region's CPI stack.
double share_of(const json& region, const char* part) {
  const json& stack = region.at("cpi_stack");
  double sum = 0;
  for (const auto& each : stack) sum += each.get<double>();
  return sum == 0 ? 0 : stack.at(part).get<double>() / sum;
}

/// Returns a count of the statistics, or of a sampled run, which has it elsewhere; 0 if there is none.
double count_of(const json& result, const char* at, const char* sampled) {
  return result.value(json::json_pointer(at), result.value(json::json_pointer(sampled), 0.0));
}

/// Returns the relative standard error of an estimate with an interval of 95 %; 0 without an interval.
double error_of_interval(const json& region, const char* at) {
  const json interval = region.value(json::json_pointer(at), json());
  if (interval.is_null()) return 0;
  const auto low = interval.at(0).get<double>(), high = interval.at(1).get<double>();
  return low + high == 0 ? 0 : (high - low) / (high + low) / 1.96;
}

void add_regions(MeasuredProgram& measured, const json& result, const GridPoint& grid,
                 const FitMachine& machine, bool energy) {
  // While nothing is evicted, each line of the data misses once.
  const double misses = count_of(result, "/statistics/l2/misses", "/sample/l2_misses");
  const double evictions = count_of(result, "/statistics/l2/evictions", "/sample/l2_evictions");
  const bool fits = misses > 0 && evictions <= 0.05 * misses;
  measured.fits_in_l2 &= fits;
  for (const json& region : result.at("regions")) {
    const auto executions = region.at("executions").get<double>();
    if (executions == 0) continue;
    const auto name = region.at("name").get<std::string>();
    if (!region.contains("cycles") && grid.added)
      continue;  // too short to be estimated: the point tells nothing
    if (!region.contains("cycles"))
      throw UserError(
          fmt::format("{}: region {}: fewer than two units of the sample executed it; expected a run without "
                      "--sample",
                      grid.label, name));
    const auto arguments = region.at("args").get<std::vector<std::int64_t>>();
    if (!measured.regions.contains(name)) measured.order.push_back(name);
    RegionPoints& points = measured.regions[name];
    if (!points.arguments.empty() && points.arguments[0].size() != arguments.size())
      throw UserError(
          fmt::format("region {}: {} arguments in one execution and {} in another; expected the same", name,
                      points.arguments[0].size(), arguments.size()));
    points.arguments.push_back(arguments);
    points.cycles.push_back(region.at("cycles").get<double>() / executions);
    points.cycles_error.push_back(error_of_interval(region, "/cycles_interval"));
    if (energy) {
      points.joules.push_back(region.at("energy").at("total_joules").get<double>() / executions);
      points.joules_error.push_back(error_of_interval(region, "/energy/total_joules_interval"));
    }
    points.l2_share.push_back(share_of(region, "l2"));
    points.memory_share.push_back(share_of(region, "memory"));
    points.data_bytes.push_back(misses * static_cast<double>(machine.line_bytes));
    points.miss_rate.push_back(count_of(region, "/statistics/l1d/misses", "/l1d_misses") /
                               std::max(region.at("cycles").get<double>(), 1.0));
    points.fits_in_l2.push_back(fits);
    points.instructions.push_back(result.value("instructions", 0.0));
    points.added.push_back(grid.added);
    points.exit_status.push_back(result.value("exit_status", 0));
    for (const auto& [axis, value] : grid.values) points.swept[axis].push_back(value);
  }
}

/// Checks that a trace has the regions to fit, with arguments.
void check_trace(const FitProgram& program, const json& result, const std::string& trace) {
  const json& regions = result.at("regions");
  const auto has = [&](const std::string& name) {
    return std::any_of(regions.begin(), regions.end(), [&](const json& region) {
      return region.at("name") == name && region.at("executions") != 0;
    });
  };
  if (std::none_of(regions.begin(), regions.end(),
                   [](const json& region) { return region.at("executions") != 0; }))
    throw UserError(fmt::format("{}: the trace has no whole region; {}", trace, kRecordAgain));
  for (const std::string& name : program.regions)
    if (!has(name))
      throw UserError(
          fmt::format("{}: the trace has no region {}; expected a trace of a program that executes "
                      "it; {}",
                      trace, name, kRecordAgain));
  for (const json& region : regions)
    if (region.at("args").empty() && program.grid.size() > 1 &&
        (program.regions.empty() || std::find(program.regions.begin(), program.regions.end(),
                                              region.at("name")) != program.regions.end()))
      throw UserError(
          fmt::format("{}: region {} has no arguments in the trace; expected those that determine "
                      "its time; {}",
                      trace, region.at("name").get<std::string>(), kRecordAgain));
}

/// Takes the name of the recorded program from a trace.
void name_program(MeasuredProgram& measured, const std::string& trace) {
  const auto bytes = open_trace(trace);
  const isa::trace::TraceFile file(trace, *bytes);
  measured.program = file.property("program").empty() ? trace : file.property("program");
  measured.program_sha256 = file.property("program_sha256");
}

}  // namespace

std::vector<std::string> RegionPoints::parameter_names() const {
  std::vector<std::string> names(arguments[0].size());
  for (std::size_t p = 0; p < names.size(); ++p)
    for (const auto& [axis, values] : swept) {
      bool same = predict::Expression::is_parameter_name(axis) &&
                  std::find(names.begin(), names.end(), axis) == names.end();
      for (std::size_t i = 0; same && i < values.size(); ++i)
        same = values[i] == std::to_string(arguments[i][p]);
      if (same && names[p].empty()) names[p] = axis;
    }
  for (std::string& name : names)
    for (const char* other : {"n", "m", "k", "l"})
      if (name.empty() && std::find(names.begin(), names.end(), other) == names.end()) name = other;
  return names;
}

std::vector<predict::Measurement> RegionPoints::measurements(const std::vector<double>& costs,
                                                             const std::vector<double>& errors) const {
  std::vector<predict::Measurement> all;
  for (std::size_t i = 0; i < costs.size(); ++i)
    all.push_back({{arguments[i].begin(), arguments[i].end()}, costs[i], errors.empty() ? 0 : errors[i]});
  return all;
}

std::vector<predict::RegimePoint> RegionPoints::regime_points() const {
  std::vector<predict::RegimePoint> all;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    all.push_back({{arguments[i].begin(), arguments[i].end()}, l2_share[i], memory_share[i]});
  return all;
}

std::string RegionPoints::data_expression() const {
  std::vector<predict::Measurement> known = measurements(data_bytes);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (fits_in_l2[i]) known[kept++] = known[i];
  known.resize(kept);
  try {
    return known.empty() ? "" : predict::fit_cost(known, parameter_names(), "data").expression;
  } catch (const UserError&) {
    return "";
  }
}

std::vector<std::string> MeasuredProgram::chosen(const FitProgram& program) const {
  if (order.empty())
    throw UserError(
        fmt::format("{}: the program executes no region; mark one with PSIM_REGION_BEGIN and "
                    "PSIM_REGION_END of psim.h or psim.f90",
                    program.where));
  for (const std::string& name : program.regions) {
    if (regions.contains(name)) continue;
    throw UserError(
        fmt::format("{} {}: no point executes it{}", program.region_option, name,
                    did_you_mean(name, order, fmt::format("expected one of {}", fmt::join(order, ", ")))));
  }
  return program.regions.empty() ? order : program.regions;
}

std::vector<Point> points_of(const FitProgram& program, const FitMachine& machine, const FitPlan& plan,
                             const std::string& folder) {
  std::vector<Point> points;
  for (const GridPoint& point : program.grid) {
    std::vector<std::string> words{command_line().front(), program.traces ? "replay" : "run"};
    words.insert(words.end(), machine.options.begin(), machine.options.end());
    if (plan.energy) words.emplace_back("--energy");
    if ((plan.sample || point.sample) && !program.traces) words.emplace_back("--sample");
    for (const std::string& variable : program.environment) words.insert(words.end(), {"--env", variable});
    words.insert(words.end(), point.words.begin(), point.words.end());
    points.emplace_back(point.label, std::move(words), folder);
  }
  return points;
}

MeasuredProgram measure(const FitProgram& program, const FitMachine& machine,
                        const std::vector<Point>& points, bool energy) {
  MeasuredProgram measured;
  measured.program = program.name();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto result = points[i].finished();
    if (!result) throw UserError(fmt::format("{}: failed: {}", points[i].label, points[i].first_line()));
    const int status = result->value("exit_status", 0);
    if (status != 0 && std::ranges::find(program.statuses, status) == program.statuses.end())
      throw UserError(
          fmt::format("{}: the program ended with status {}; expected 0, or {}; its output is in {}",
                      points[i].label, status,
                      program.status_key.empty() ? fmt::format("--allow-status {}", status)
                                                 : fmt::format("{} = \"{}\"", program.status_key, status),
                      points[i].output));
    if (program.traces) check_trace(program, *result, program.grid[i].words.front());
    add_regions(measured, *result, program.grid[i], machine, energy);
    const json& ran_on = result->at("machine");
    measured.machine = ran_on.value("name", "");
    measured.machine_sha256 = core_sha256(ran_on);
    if (!program.traces)
      measured.program_sha256 = result->at("inputs").at("program").at("sha256").get<std::string>();
    measured.clock_hz = std::round(result->at("cycles").get<double>() / result->at("seconds").get<double>());
  }
  if (program.traces) name_program(measured, program.grid.front().words.front());
  return measured;
}

}  // namespace psim::commands
