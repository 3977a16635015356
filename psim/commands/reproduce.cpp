// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/console.h"
#include "base/error.h"
#include "base/process_pool.h"
#include "guest/host_signals.h"
#include "guest/signal_numbers.h"
#include "papers/experiment.h"
#include "papers/psim_process.h"
#include "papers/published.h"
#include "papers/real_machine_set.h"
#include "papers/reproduction.h"
#include "psim/commands/command.h"
#include "psim/commands/reproduce_all.h"
#include "psim/commands/result_file.h"

namespace psim::commands {
namespace {

using reproduce::Experiment;

/// Options that single experiments have.
constexpr const char* kOwnOptions[] = {"SET",     "--fit-to", "--expert",  "--sensitivity", "--most-ranks",
                                       "--loops", "--sample", "--machine", "--only",        "--set"};

struct ReproduceOptions {
  std::string experiment;
  bool all = false, explains = false;
  reproduce::ExperimentOptions how;
  std::string csv;
  CommonOptions common;
};

int list() {
  for (const Experiment* experiment : reproduce::experiments())
    console::print("{:<18} {}\n", experiment->name, experiment->summary);
  return 0;
}

/// Returns the data file that names the experiment.
reproduce::Published published_of(const ReproduceOptions& options) {
  if (!options.how.set.empty()) return reproduce::load_real_machine(options.how.set).published;
  for (const std::string& name : reproduce::published_names()) {
    reproduce::Published published = reproduce::load_published(name);
    if (published.command[0] == "reproduce" && published.command[1] == options.experiment) return published;
  }
  throw UserError(
      fmt::format("reproduce: {}: its data file is missing; it is installed with psim", options.experiment));
}

/// Returns the paper's numbers next to ours.
reproduce::ReproducedExperiment judged(ResultDocument& result, reproduce::Published published,
                                       const ReproduceOptions& options) {
  reproduce::ReproducedExperiment one;
  one.published = std::move(published);
  one.command = {"reproduce", options.experiment};
  if (!options.how.set.empty()) one.command.push_back(options.how.set);
  if (options.how.quick) one.command.emplace_back("--quick");
  one.result = result.body();
  one.result["host"] = result.host();
  one.cpu_seconds = result.host()["simulations_cpu_seconds"].get<double>();
  reproduce::judge_values(one);
  return one;
}

/// Throws UserError if the experiment lacks an option.
void check_own(const Experiment& experiment, const char* own) {
  if (std::string_view(experiment.options).find(fmt::format(" {} ", own)) == std::string_view::npos)
    throw UserError(fmt::format("reproduce: {}: {} does not have this option", own, experiment.name));
}

int reproduce_one(const CLI::App& app, ReproduceOptions& options) {
  const Experiment& experiment = reproduce::find_experiment(options.experiment);
  for (const char* own : kOwnOptions)
    if (app.count(own) != 0) check_own(experiment, own);
  if (experiment.one_at_a_time && app.count("--jobs") != 0)
    throw UserError(fmt::format("reproduce: --jobs: {} runs one simulation at a time; expected no --jobs",
                                experiment.name));
  if (experiment.one_at_a_time) options.how.jobs = 1;
  if (!options.how.quick) options.how.expert = true;
  options.how.quiet = options.common.quiet;
  reproduce::prepare_to_keep(options.how.into);
  ResultDocument result("reproduce", options.common.json);
  std::optional<OutputFile> page;
  if (!options.common.report.empty()) page.emplace(options.common.report, "--report");
  result.body()["experiment"] = experiment.name;
  // The data file is read first, because a run may take hours. Without its set, an experiment ends by itself.
  const bool takes_set = std::string_view(experiment.options).find(" SET ") != std::string_view::npos;
  std::optional<reproduce::Published> published;
  if (!takes_set || !options.how.set.empty()) published = published_of(options);
  experiment.run(options.how, result);
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  result.host()["simulations_cpu_seconds"] =
      static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
  result.host()["processes"] = options.how.jobs;
  std::vector<reproduce::ReproducedExperiment> all;
  all.push_back(judged(result, std::move(*published), options));
  console::print("{}", table_of(all[0]));
  result.body()["values"] = json_of(all[0], false);
  result.host()["values"] = json_of(all[0], true);
  const int status = experiment.judge != nullptr ? experiment.judge(all[0], result)
                                                 : status_of(all[0], experiment.judges_host);
  nlohmann::ordered_json& to = experiment.judges_host ? result.host() : result.body();
  to["within_goal"] = status == 0 && std::ranges::none_of(all[0].values, [](const auto& one) {
                        return one.outcome == reproduce::Outcome::Explained;  // it differs all the same
                      });
  to["exit_status"] = status;
  add_experiments(result, all, fmt::format("Published result: psim {}", fmt::join(all[0].command, " ")));
  result.finish();
  write_page(page, result);
  return status;
}

/// Throws UserError if there is no data file whose causes could be run.
void check_explained(const std::string& name) {
  const std::vector<std::string> names = reproduce::published_names();
  if (std::ranges::find(names, name) == names.end())
    throw UserError(fmt::format("reproduce: --explain {}: expected --all, or one of {}", name.substr(0, 100),
                                fmt::join(names, ", ")));
  if (reproduce::load_published(name).causes.empty())
    throw UserError(fmt::format("reproduce: --explain {}: its data file has no causes", name));
}

/// Throws UserError for options that the other form of the command has.
void check_form(const CLI::App& app, const ReproduceOptions& options) {
  if (options.all && !options.experiment.empty())
    throw UserError(fmt::format("reproduce: --all runs all experiments; expected no {}", options.experiment));
  if (app.count("--csv") != 0 && !options.all && !options.explains)
    throw UserError("reproduce: --csv: expected together with --all or --explain");
  if (options.explains && !options.all) check_explained(options.experiment);
  if (app.count("--cause") != 0 && (!options.explains || options.all))
    throw UserError("reproduce: --cause: expected together with --explain and one experiment");
  if (app.count("--report") != 0 && !options.all && options.experiment.empty())
    throw UserError("reproduce: --report: expected an experiment, or --all");
  for (const std::string_view own : kOwnOptions) {
    if (app.count(std::string(own)) == 0 || (!options.all && !options.explains)) continue;
    if (options.all || (own != "--only" && own != "--sample"))
      throw UserError(
          fmt::format("reproduce: {}: expected with one experiment, not with --all or --explain", own));
    check_own(reproduce::find_experiment(options.experiment), own.data());
  }
}

int run(const CLI::App& app, ReproduceOptions& options) {
  check_form(app, options);
  if (options.experiment.empty() && !options.all && !options.explains) return list();
  int signal = 0;
  try {
    if (!options.all && !options.explains) return reproduce_one(app, options);
    options.how.quiet = options.common.quiet;
    return reproduce_all(options.how, options.experiment, options.explains,
                         {options.common.json, options.common.report, options.csv});
  } catch (const Interrupted& interrupt) {
    signal = interrupt.signal;  // unfinished files have been removed
  }
  if (!options.how.into.empty() && !options.how.quiet)
    console::log("psim: interrupted; the same command continues with the results in {}\n", options.how.into);
  isa::die_by_signal(isa::sig::from_host(signal));
}

std::function<int()> set_up_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  options->how.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  app.add_option("EXPERIMENT", options->experiment, "experiment to reproduce [list all experiments]");
  app.add_option("SET", options->how.set,
                 "real-machine: set of measurements, a name or a folder (with a /) [an error lists all]");
  app.add_flag("--quick", options->how.quick, "run only small sizes (table2: results by fit from them)");
  app.add_flag("--expert", options->how.expert,
               "also run the programs of an expert (always, unless --quick)");
  app.add_flag("--sensitivity", options->how.sensitivity, "also run other forms of the programs");
  app.add_flag("--sample", options->how.sample,
               "table2: estimate long runs from units, as psim run --sample does");
  app.add_option("--fit-to", options->how.fit_to, "largest size that the fit uses [256]")
      ->type_name("N")
      ->check(CLI::Range(192, 512));
  app.add_option("--most-ranks", options->how.most_ranks,
                 "nsim-table3, real-machine: largest number of ranks [131072]")
      ->type_name("N")
      ->check(CLI::Range(2, 131'072));
  app.add_option("--loops", options->how.loops,
                 "nsim-table3: loops of the random ring [5; 1 with --quick and from 65536 ranks]")
      ->type_name("N")
      ->check(CLI::Range(1, 5));
  app.add_option("--machine", options->how.machine,
                 "real-machine: predict on a machine as it is, a name or a file, without a calibration")
      ->type_name("NAME|FILE");
  app.add_option(
         "--only", options->how.only,
         "run one part: table2 a kernel; tracerp figure2 to figure5; pq580 hpl, phase, fmo-eri or a row of "
         "hpl; petascale hpl, phase or phase-alone; bluegene-alltoall adaptive or dimension-order; "
         "real-machine a benchmark")
      ->type_name("PART");
  app.add_option("--set", options->how.settings,
                 "set a key of the machine or an input that the paper leaves open, to find the cause of a "
                 "difference")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--jobs", options->how.jobs, "simulations at a time [the processors of this host]")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  app.add_option("--into", options->how.into,
                 "folder that keeps the results of simulations: the same command continues there after an "
                 "interruption")
      ->type_name("FOLDER");
  app.add_flag("--all", options->all, "run every published result and compare all numbers with the papers'");
  app.add_flag("--explain", options->explains,
               "with --all or one experiment: also vary the unknown inputs that explain differences");
  app.add_option("--cause", options->how.cause, "--explain: vary one input only, a table [cause.NAME]")
      ->type_name("NAME");
  app.add_option("--csv", options->csv, "--all, --explain: write all numbers to FILE")->type_name("FILE");
  add_common(app, options->common, kJson | kReport | kQuiet);
  return [&app, options] { return run(app, *options); };
}

}  // namespace

const Command kReproduce{
    .name = "reproduce",
    .usage = "[EXPERIMENT [SET]]",
    .summary = "reproduce a published result: paper, ours, error; status 0 only within the goal, else 1",
    .examples =
        "  psim reproduce                                 # what there is\n"
        "  psim reproduce table2 --quick                  # a minute: by fit from small matrices\n"
        "  psim reproduce table2 --report table2.html     # half an hour: matrices of order 1024, run whole\n"
        "  psim reproduce table2 --sample                 # the same matrices, estimated from units\n"
        "  psim reproduce table2 --quick --sensitivity    # and what other blocks and tiles would give\n"
        "  psim reproduce bluegene-alltoall               # a network, against a closed form\n"
        "  psim reproduce pq580 --quick                   # a skeleton of HPL on the analytic network\n"
        "  psim reproduce nsim-table3 --most-ranks 8192   # how long networks take to simulate\n"
        "  psim reproduce nsim-table3 --loops 5           # all loops of the largest, too: hours\n"
        "  psim reproduce real-machine deep-est --into deep-est   # measurements of a real cluster\n"
        "  psim reproduce tracerp --quick --explain       # vary what the paper leaves open\n"
        "  psim reproduce --all --quick --into results --report results.html   # everything, in small "
        "sizes\n",
    .setup = set_up_reproduce,
};

}  // namespace psim::commands
