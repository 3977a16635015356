// SPDX-License-Identifier: Apache-2.0
// `psim predict`: from a marked MPI program to its time at numbers of ranks, in one command. Its steps are
// runs of `psim exec`, `psim net` and `psim cosim`, kept as points in a folder (psim/points.h), and files of
// models.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/parse_number.h"
#include "base/result_document.h"
#include "base/sha256.h"
#include "machines/machine.h"
#include "machines/network_machine.h"
#include "predict/measured_models.h"
#include "predict/model_file.h"
#include "psim/commands/command.h"
#include "psim/commands/fit_grid.h"
#include "psim/commands/predict_builds.h"
#include "psim/commands/predict_measured.h"
#include "psim/commands/result_file.h"
#include "psim/points.h"

namespace psim::commands {
namespace {

using nlohmann::json;
using predict::Estimate;
using predict::kOutside;
using predict::MeasuredRun;

struct PredictOptions {
  CommonOptions common;
  std::string ranks, core, network, flags = "-O2", value, measured;
  std::vector<std::string> arguments;
  std::vector<int> statuses;  ///< besides 0, of complete runs
  MeasuredNodes measured_on;
  double budget = 2e10;
  PointOptions points{"predict"};
};

std::vector<std::uint32_t> numbers_of_ranks(const std::string& text) {
  std::vector<std::uint32_t> all;
  for (const char *at = text.data(), *const end = at + text.size(); at <= end; ++at) {
    std::uint32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number == 0 || (next != end && *next != ','))
      throw UserError(
          fmt::format("--ranks {}: expected numbers of ranks with commas between, such as 8,64,512", text));
    if (std::ranges::find(all, number) == all.end()) all.push_back(number);
    at = next;
  }
  return all;
}

class Prediction {
 public:
  Prediction(PredictOptions& options, std::vector<std::string> words)
      : options_(options), words_(std::move(words)), result_("predict", options.common.json) {
    ranks_ = numbers_of_ranks(options.ranks);
    std::vector<std::string> measured = words_;
    if (!options.measured.empty()) {
      measured.resize(1);
      std::istringstream split(options.measured);
      for (std::string word; split >> word;) measured.push_back(word);
    }
    grid_ = options.arguments.empty() ? std::vector<GridPoint>{{.label = "", .words = measured, .values = {}}}
                                      : grid_of(measured, options.arguments);
    if (grid_.size() > 1 && options.arguments.size() != 1)
      throw UserError("--args: given more than once; expected one list, for {}");
    if (grid_.size() > 1 && options.value.empty())
      throw UserError("--args: needs --at VALUE, the value of {} that is predicted");
    if (options.arguments.empty() && !options.value.empty())
      throw UserError(fmt::format("--at {}: needs --args", options.value));
    options.measured_on.choose(*std::ranges::min_element(ranks_),
                               options.measured.empty() && options.arguments.empty() &&
                                   load_machine(options.common)->node.cores == 1);
    if (!options.common.report.empty()) report_.emplace(options.common.report, "--report");
    create_point_folder(options.points.folder, "--into");
    options.points.quiet = options.common.quiet;
    builds_ = builds_of(words_.front(), options.core, options.flags, options.points.folder);
  }

  int run() {
    say("1 of 4: run the program natively on {} ranks, to see its regions", fmt::join(ranks_, ", "));
    std::vector<Point> looks;
    for (const std::uint32_t ranks : ranks_) looks.push_back(net_point(ranks, ""));
    if (const auto end = run_all(looks)) return *end;
    say("2 of 4: count the instructions of {} on one core, without its time", builds_.core);
    if (const auto end = check_budget()) return *end;
    say("3 of 4: measure it cycle by cycle on {}, all regions in the program's own order",
        options_.measured_on.text());
    std::vector<Point> points;
    for (const GridPoint& grid : grid_) points.push_back(cosim_point(grid));
    if (const auto end = run_all(points)) return *end;
    std::vector<MeasuredRun> runs;
    for (std::size_t i = 0; i < points.size(); ++i)
      runs.push_back(measured_of(*points[i].finished(), grid_[i], notes_));
    if (runs.front().regions.empty())
      notes_.emplace_back(
          "no region is marked, so the whole program is one; PSIM_REGION_BEGIN(\"NAME\", …) and "
          "PSIM_REGION_END(\"NAME\") of psim.h mark regions");
    for (std::size_t i = 0; i < looks.size(); ++i)
      check_regions(*looks[i].finished(), ranks_[i], runs, options_.measured_on.nodes, notes_);
    say("4 of 4: run it on the network with the models");
    std::vector<Point> predictions;
    for (const std::uint32_t ranks : ranks_)
      predictions.push_back(net_point(ranks, write_models(runs, ranks)));
    if (const auto end = run_all(predictions)) return *end;
    for (std::size_t i = 0; i < ranks_.size(); ++i) add(*predictions[i].finished(), ranks_[i]);
    finish(points);
    return 0;
  }

 private:
  template <class... Values>
  void say(fmt::format_string<Values...> text, Values&&... values) const {
    if (!options_.common.quiet)
      console::log("psim: step {}\n", fmt::format(text, std::forward<Values>(values)...));
  }

  /// Runs points; the first that fails ends the command with the line that it printed.
  std::optional<int> run_all(const std::vector<Point>& points) const {
    if (const auto end = run_points(points, options_.points)) return end;
    for (const Point& point : points) {
      const auto result = point.finished();
      if (result && ended_well(*result, options_.statuses)) continue;
      throw UserError(
          fmt::format("{}: {}", point.label, why(point, result ? result->value("exit_status", 0) : 0)));
    }
    return std::nullopt;
  }

  /// Returns the line of psim in the output of a failed point, or else its status or first line.
  static std::string why(const Point& point, int status) {
    if (const auto message = point.message()) return *message;
    if (status != 0)
      return fmt::format(
          "the program returned status {0}; expected 0, or --allow-status {0}; its output is in {1}", status,
          point.output);
    const std::string line = point.first_line();
    return line.empty() ? "failed without a message" : line;
  }

  std::vector<std::string> program(const std::string& file, const std::vector<std::string>& words) const {
    std::vector<std::string> all{file};
    all.insert(all.end(), words.begin() + 1, words.end());
    return all;
  }

  Point make(const std::string& label, std::vector<std::string> command,
             const std::vector<std::string>& words) const {
    command.insert(command.end(), words.begin(), words.end());
    return {label, std::move(command), options_.points.folder};
  }

  Point net_point(std::uint32_t ranks, const std::string& models) const {
    std::vector<std::string> command{"psim", "net", "-n", std::to_string(ranks)};
    if (!options_.network.empty()) command.insert(command.end(), {"--machine", options_.network});
    if (!models.empty()) command.insert(command.end(), {"--compute", "model:" + models});
    std::vector<std::string> words = words_;
    if (!options_.arguments.empty()) words = grid_of(words_, {options_.value}).front().words;
    return make(fmt::format("{} ranks", ranks), std::move(command), program(builds_.ranks, words));
  }

  Point cosim_point(const GridPoint& grid) const {
    std::vector<std::string> command = options_.measured_on.command();
    if (!options_.common.machine.empty())
      command.insert(command.end(), {"--machine", options_.common.machine});
    if (!options_.network.empty()) command.insert(command.end(), {"--network", options_.network});
    return make(grid.label.empty() ? fmt::format("{} nodes", options_.measured_on.nodes) : grid.label,
                std::move(command), program(builds_.core, grid.words));
  }

  /// Counts the instructions of the measured runs. A program that needs several ranks is not counted.
  std::optional<int> check_budget() {
    std::vector<Point> counts;
    for (const GridPoint& grid : grid_)
      counts.push_back(make("count " + grid.label, {"psim", "exec"}, program(builds_.core, grid.words)));
    if (const auto end = run_points(counts, options_.points)) return end;
    double all = 0;
    for (const Point& count : counts) {
      const auto result = count.finished();
      if (!result) {
        if (options_.measured_on.nodes == 1) return run_all(counts);
        notes_.emplace_back(
            "the program does not run on one rank, so the work of the measurement was not compared with "
            "--budget");
        return std::nullopt;
      }
      all += result->at("instructions").get<double>() * options_.measured_on.cycle_level();
    }
    if (all > options_.budget)
      throw UserError(fmt::format(
          "--budget {:g}: the measurement needs some {:.2g} instructions; expected fewer steps of "
          "the program, or --budget {:.2g}",
          options_.budget, all, 1.05 * all));
    body_["instructions"] = static_cast<std::uint64_t>(all);
    return std::nullopt;
  }

  /// Writes the models for a number of ranks and returns the name of the file.
  std::string write_models(const std::vector<MeasuredRun>& runs, std::uint32_t ranks) {
    const double value = parse_number<double>(options_.value).value_or(0);
    const std::string text =
        predict::model_file_text(predict::models_at(runs, value, options_.measured_on.nodes, ranks));
    // The name has the contents, because a point is named after its words.
    const std::string path =
        fmt::format("{}/models-{}-{}.toml", options_.points.folder, ranks, sha256(text).substr(0, 12));
    const predict::ModelFile models = predict::ModelFile::parse(text, path);
    const Estimate outside = models.find(kOutside, 0).seconds({});
    outside_error_[ranks] = outside.value > 0 ? (outside.high - outside.value) / outside.value : 0;
    OutputFile file(path, "--into");
    file.write(text);
    file.commit();
    return path;
  }

  void add_row(std::uint32_t ranks, const std::string& name, std::uint64_t count, double seconds, double low,
               double high, double total) {
    body_["regions"].push_back({{"ranks", ranks},
                                {"name", name},
                                {"executions", count},
                                {"seconds", seconds},
                                {"low_seconds", std::max(low, 0.0)},
                                {"high_seconds", high},
                                {"share", total > 0 ? seconds / total : 0}});
  }

  /// Adds the prediction for a number of ranks. Times of regions are those of the mean rank.
  void add(const json& result, std::uint32_t ranks) {
    if (!result.contains("seconds_interval"))
      throw UserError(fmt::format(
          "{} ranks: the runs with the ends of the models' intervals did not finish; expected a program "
          "that ends with any times",
          ranks));
    const json& compute = result.at("compute");
    const auto mean = [&](const json& of, const char* key) { return of.at(key).get<double>() / ranks; };
    const double total = mean(compute.at("total"), "seconds");
    bool extrapolated = false;
    body_["predictions"].push_back({{"ranks", ranks},
                                    {"seconds", result.at("seconds")},
                                    {"low_seconds", result.at("seconds_interval").at(0)},
                                    {"high_seconds", result.at("seconds_interval").at(1)}});
    for (const json& region : compute.at("regions")) {
      extrapolated |= region.value("extrapolated", 0) != 0;
      const double seconds = mean(region, "seconds"), computing = mean(region, "compute");
      const double low = computing - region.at("compute_interval").at(0).get<double>() / ranks;
      const double high = region.at("compute_interval").at(1).get<double>() / ranks - computing;
      add_row(ranks, region.at("name"), region.at("count"), seconds, seconds - low, seconds + high, total);
    }
    const double outside = mean(compute.at("outside"), "seconds");
    const double constant = mean(compute.at("outside"), "compute");
    const double error = outside_error_.at(ranks);
    add_row(ranks, kOutside, 0, outside, outside - error * constant, outside + error * constant, total);
    body_["predictions"].back()["extrapolated"] = extrapolated;
  }

  void finish(const std::vector<Point>& points) {
    auto& body = result_.body();
    const json first = *points.front().finished();
    body["machine"] = first.at("machine");
    body["inputs"] = {{"program", first.at("inputs").at("program")}};
    body["measured_nodes"] = options_.measured_on.nodes;
    if (!options_.measured_on.detailed.empty()) body["detailed_nodes"] = options_.measured_on.detailed;
    for (const char* key : {"instructions", "predictions", "regions"}) body[key] = body_[key];
    if (const int status = first.value("exit_status", 0); status != 0)
      notes_.push_back(fmt::format("the program returned status {}, which is allowed", status));
    add_assumptions();
    body["assumptions"] = notes_;
    result_.page()["title"] = fmt::format("prediction of {}", fmt::join(words_, " "));
    if (!options_.common.quiet) print();
    result_.finish();
    write_page(report_, result_);
  }

  /// Adds what every prediction rests on.
  void add_assumptions() {
    notes_.push_back(fmt::format(
        "interval of 95 %: that of the models, with an assumed standard error of {:g} %, of {:g} % for each "
        "factor e between measured nodes and predicted ranks, and of {:g} % of the software of MPI calls on "
        "other numbers of ranks than measured; the network's own error is not in it",
        100 * predict::kRankError, 100 * predict::kRankGrowth, 100 * predict::kCallError));
    if (!options_.measured_on.detailed.empty()) notes_.push_back(options_.measured_on.note());
    notes_.emplace_back(
        "regions take the mean time of their measured executions for any number of ranks, so each rank must "
        "have the work of a measured one; the time outside of regions passes at the start of each rank");
  }

  void print() const {
    for (const std::string& note : notes_) console::log("psim: {}\n", note);
    for (const auto& run : body_.at("predictions")) {
      const auto us = [](const auto& row, const char* key) {
        return row.at(key).template get<double>() * 1e6;
      };
      console::print("{} ranks: {:.3f} µs, from {:.3f} to {:.3f} µs{}\n",
                     run.at("ranks").get<std::uint32_t>(), us(run, "seconds"), us(run, "low_seconds"),
                     us(run, "high_seconds"), run.at("extrapolated").get<bool>() ? "; extrapolated" : "");
      for (const auto& row : body_.at("regions"))
        if (row.at("ranks") == run.at("ranks"))
          console::print("  {:<24} {:>12.3f} µs, from {:>12.3f} to {:>12.3f} µs  {:>5.1f} %\n",
                         row.at("name").get<std::string>(), us(row, "seconds"), us(row, "low_seconds"),
                         us(row, "high_seconds"), 100 * row.at("share").get<double>());
    }
  }

  PredictOptions& options_;
  const std::vector<std::string> words_;
  ResultDocument result_;
  std::optional<OutputFile> report_;
  std::vector<std::uint32_t> ranks_;
  std::vector<GridPoint> grid_;
  ProgramBuilds builds_;
  std::vector<std::string> notes_;
  std::map<std::uint32_t, double> outside_error_;  ///< relative, by ranks
  nlohmann::ordered_json body_;
};

std::function<int()> set_up_predict(CLI::App& app) {
  auto options = std::make_shared<PredictOptions>();
  take_program(app);
  app.add_option("--ranks", options->ranks, "numbers of ranks to predict, with commas between them")
      ->type_name("N,N…")
      ->required();
  app.add_option("--core", options->core,
                 "the program as psim-sparc-cc builds it; PROG is then that of psim-cc [PROG.sparc; both are "
                 "built if PROG is "
                 "a source file]")
      ->type_name("FILE");
  app.add_option("--flags", options->flags, "options of the compilers, if PROG is a source file")
      ->type_name("FLAGS")
      ->capture_default_str();
  app.add_option("--nodes", options->measured_on.nodes,
                 "nodes to measure on [the least of --ranks if that is 8 at most, else 1]")
      ->type_name("N")
      ->check(CLI::Range(1u, 4096u));
  app.add_option("--detailed", options->measured_on.detailed,
                 "of these, the nodes that run cycle by cycle, such as 0,7 [with --nodes all of them, "
                 "without it the first "
                 "and the middle]")
      ->type_name("NODES");
  app.add_option("--measure", options->measured,
                 "arguments of the program on the measured nodes, if they differ from those on the ranks, as "
                 "those of "
                 "programs with the grid of ranks in their arguments do")
      ->type_name("ARGS");
  app.add_option("--args", options->arguments,
                 "values of the program's argument {} to measure, \"32 48 64 96\"; regions are then fitted "
                 "by their arguments")
      ->type_name("VALUES");
  app.add_option("--at", options->value, "the value of {} to predict, with --args")->type_name("VALUE");
  app.add_option("--budget", options->budget, "most instructions of the measurement [2e10]")
      ->type_name("INSTRUCTIONS")
      ->check(number_in(1.0, 1e15));
  app.add_option("--allow-status", options->statuses,
                 "also take runs whose program returns this exit status besides 0; repeatable")
      ->type_name("STATUS")
      ->check(CLI::Range(1, kMostStatus));
  app.add_option(
         "--machine", options->common.machine,
         fmt::format("machine of a node: a name, as psim config list shows, or a file [{}]", kDefaultMachine))
      ->type_name("NAME|FILE");
  app.add_option("--network", options->network,
                 fmt::format("network: a name or a file [{}]", kDefaultNetwork))
      ->type_name("NAME|FILE");
  for (CLI::Option* option : add_point_options(app, options->points))
    if (option->check_lname("shard")) app.remove_option(option);
  add_common(app, options->common, kJson | kReport | kQuiet);
  return [&app, options] { return Prediction(*options, program_of(app)).run(); };
}

}  // namespace

const Command kPredict{
    .name = "predict",
    .usage = "PROG|SOURCE [ARG…]",
    .summary = "predict the time of an MPI program on numbers of ranks, from a run on a few nodes",
    .examples =
        "  psim predict --ranks 8,64,512 app.c 64 10          # builds app.c for the core and for ranks\n"
        "  psim predict --ranks 8,64 --core app.sparc ./app 64 10     # your own builds\n"
        "  psim predict --ranks 64,512 --nodes 8 --detailed 0,7 --core app.sparc ./app    # on 2 of 8\n"
        "  psim predict --ranks 64 --measure '-x 4 -y 4' --core app.sparc ./app -i 8 -j 8 -x 32 -y 32\n"
        "  psim predict --ranks 8 --args \"32 48 64 80\" --at 96 --core app.sparc ./app {} 10   # by size\n"
        "  psim predict --ranks 8 --json app.json app.c && psim show app.json\n",
    .setup = set_up_predict,
};

}  // namespace psim::commands
