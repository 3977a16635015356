// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/console.h"
#include "base/error.h"
#include "psim/commands/command.h"
#include "psim/commands/fit_added.h"
#include "psim/commands/fit_outputs.h"
#include "psim/commands/fit_plan.h"
#include "psim/commands/fit_points.h"
#include "psim/points.h"

namespace psim::commands {
namespace {

struct FitCommandOptions {
  CommonOptions common;
  FitWords words;
  FitFiles files;
  PointOptions points{"fit"};
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

/// Throws UserError for a prediction whose number of arguments no region has.
void check_predictions(const FitWork& work, const FitPlan& plan) {
  if (work.program.predicted.empty()) return;
  const MeasuredProgram measured =
      measure(work.program, plan.machines[work.machine], work.points, plan.energy);
  std::vector<std::string> regions;
  std::set<std::size_t> numbers;
  for (const std::string& name : measured.chosen(work.program)) {
    const std::size_t number = measured.regions.at(name).arguments.front().size();
    regions.push_back(fmt::format("{} ({})", name, number));
    numbers.insert(number);
  }
  for (const std::vector<std::int64_t>& arguments : work.program.predicted)
    if (!numbers.contains(arguments.size()))
      throw UserError(fmt::format("prediction {}: no region has {} argument{}; expected the number of {}",
                                  fmt::join(arguments, ","), arguments.size(),
                                  arguments.size() == 1 ? "" : "s", fmt::join(regions, " or ")));
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
  options.words.machine = options.common;
  options.words.words = program_of(app);
  const FitPlan plan = is_fit_spec(options.words) ? read_fit_spec(options.words) : plan_of(options.words);
  FitOutputs outputs(plan, options.common, options.files);
  create_point_folder(options.points.folder, "--into");
  std::vector<FitWork> work;
  for (std::size_t i = 0; i < plan.machines.size(); ++i)
    for (const FitProgram& program : plan.programs)
      if (runs_on(program, plan.machines[i])) work.push_back({i, program, plan.added});
  options.points.quiet = options.common.quiet;
  if (const auto end = run(work, plan, options.points)) return *end;
  for (const FitWork& each : work) check_predictions(each, plan);
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
  app.add_option("--region", options->words.regions, "region to fit; repeatable [all regions of the program]")
      ->type_name("NAME");
  app.add_option(
         "--args", options->words.arguments,
         "values of the program's argument {}, \"64 96 128\", or of {NAME}, \"NAME=64 96 128\"; repeatable: "
         "all combinations run")
      ->type_name("VALUES");
  app.add_option("--predict", options->words.predicted,
                 "print the prediction for these arguments of the region, \"512\" or \"512,4\"; repeatable")
      ->type_name("ARGS");
  app.add_option("--allow-status", options->words.statuses,
                 "also fit points whose program returns this exit status besides 0; repeatable")
      ->type_name("STATUS")
      ->check(CLI::Range(1, kMostStatus));
  app.add_option("--env", options->words.environment,
                 "set a variable of the program's environment; repeatable")
      ->type_name("NAME=VALUE")
      ->take_all();
  app.add_option("-o,--out", options->words.out,
                 "write the models, which `psim net --compute model:FILE` reads")
      ->type_name("FILE.toml");
  app.add_option("--header", options->files.header, "write the models as functions in C")
      ->type_name("FILE.h");
  app.add_option("--module", options->files.module, "write the models as functions in Fortran")
      ->type_name("FILE.f90");
  app.add_flag("--energy", options->words.energy, "fit the energy of regions, too");
  app.add_flag(
      "--sample", options->words.sample,
      "estimate long points from units, as psim run --sample does; their intervals weigh the points");
  app.add_option(
         "--add-points", options->words.add_points,
         "add at most N points if the data of a prediction outgrow a cache and those of the points do not "
         "[10]")
      ->type_name("N")
      ->check(CLI::Range(0u, kMostAddedPoints));
  app.add_option("--budget", options->words.budget, "most instructions of the added points [3e9]")
      ->type_name("INSTRUCTIONS")
      ->check(number_in(1.0, kMostBudget));
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
