// SPDX-License-Identifier: Apache-2.0
// Published measurements of real machines: psim calibrate sees the point-to-point table of a set, and all
// other judged numbers are predicted on the machine that it writes. docs/records/real-machines.md fixed data
// and rules before any comparison.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/error.h"
#include "machines/network_machine.h"
#include "netsim/topology/topology.h"
#include "papers/experiment.h"
#include "papers/hpl_models.h"
#include "papers/psim_process.h"
#include "papers/real_machine_set.h"
#include "papers/region_models.h"
#include "papers/reproduction.h"

namespace psim::reproduce {
namespace {

using nlohmann::ordered_json;

constexpr const char* kKinds[] = {"latencies and bandwidths", "collectives and load"};

// HPL on AlaSKA: IntelHpl_all of the source, and the rate of one node alone, IntelHpl_single.
const HplSystem kHpl{419'328, 192, 4, 4};
constexpr double kHplRate = 1016.54e9;

// --quick
constexpr std::uint32_t kMostQuickRanks = 64;
constexpr std::uint64_t kMostQuickBytes = 4096;

/// The sizes of errors of a group of values.
struct ErrorSummary {
  std::string name;
  std::vector<double> errors;  ///< signed

  double median() const {
    std::vector<double> sizes;
    for (const double error : errors) sizes.push_back(std::abs(error));
    std::ranges::sort(sizes);
    const std::size_t half = sizes.size() / 2;
    return sizes.size() % 2 == 1 ? sizes[half] : (sizes[half - 1] + sizes[half]) / 2;
  }
  double mean() const {
    double sum = 0;
    for (const double error : errors) sum += error;
    return sum / static_cast<double>(errors.size());
  }
  /// Returns the error of the largest size, with its sign.
  double largest() const {
    return *std::ranges::max_element(errors, {}, [](double error) { return std::abs(error); });
  }
  ordered_json json() const {
    return {{"name", name},
            {"values", errors.size()},
            {"median_error", median()},
            {"mean_error", mean()},
            {"largest_error", largest()}};
  }
};

/// The machine that predicts: the one that psim calibrate writes, or that of --machine.
struct PredictingMachine {
  std::string file;         ///< or a name
  ordered_json result;      ///< of the calibration, if there is one
  std::uint32_t nodes = 0;  ///< of its topology, if it has a shape
};

void count_nodes(PredictingMachine& made) {
  MachineChoice choice;
  choice.machine = made.file;
  const std::unique_ptr<NetworkMachine> machine = load_network(choice);
  if (!machine->network.topology.shape.empty())
    made.nodes = net::make_topology(machine->network, 0).graph.nodes();
}

PredictingMachine calibrate(const RealMachineSet& set, const std::string& folder) {
  PredictingMachine made;
  made.file = fmt::format("{}/{}.toml", folder, set.name);
  const PsimOutcome outcome = run_psim_to_its_end(
      {"calibrate", "--base", set.file("machine.toml"), "-o", made.file, set.file("point-to-point.txt")});
  if (outcome.status != 0) {
    std::string text = outcome.errors;
    if (text.starts_with("psim: ")) text.erase(0, 6);
    while (text.ends_with('\n')) text.pop_back();
    throw UserError(fmt::format("reproduce: real-machine: {}: {}", set.name, text));
  }
  made.result = ordered_json::parse(outcome.json);
  return made;
}

/// The benchmarks of a set with their simulations.
class Benchmarks {
 public:
  Benchmarks(const RealMachineSet& set, const ExperimentOptions& options, const PredictingMachine& machine)
      : set_(set) {
    for (const MeasuredBenchmark& row : set.judged) {
      if (options.quick &&
          (row.ranks > kMostQuickRanks || row.bytes > kMostQuickBytes || row.benchmark == "hpl"))
        continue;
      if (row.ranks > options.most_ranks || (!options.only.empty() && row.benchmark != options.only))
        continue;
      rows_.push_back(&row);
    }
    if (!options.only.empty() &&
        std::ranges::find(set.judged, options.only, &MeasuredBenchmark::benchmark) == set.judged.end())
      refuse_only(options.only);
    if (rows_.empty() && !options.quick)
      throw UserError(fmt::format("reproduce: --most-ranks {}: {} has no number of at most this many ranks",
                                  options.most_ranks, set.name));
    std::ranges::stable_sort(rows_, std::ranges::greater{}, &MeasuredBenchmark::work);
    for (const MeasuredBenchmark* row : rows_) {
      runs_.push_back(row->benchmark == "hpl" ? hpl(*row, machine, options.into)
                                              : run_of(set, *row, machine.file, machine.nodes));
      for (const std::string& setting : options.settings) runs_.back().settings.push_back(setting);
    }
  }

  void simulate_all(const SimulationOptions& options) { costs_ = simulate(runs_, options); }

  void write(ordered_json& body, ordered_json& host) const {
    body["runs"] = ordered_json::array();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const MeasuredBenchmark& row = *rows_[i];
      ordered_json entry{{"benchmark", row.benchmark}, {"algorithm", row.algorithm}, {"nodes", row.nodes}};
      entry.update(json_of(runs_[i], costs_[i]));
      entry["ranks"] = row.ranks;
      entry["bytes"] = row.bytes;
      entry[row.key()] = row.benchmark == "hpl" ? kHpl.operations() / hpl_seconds(costs_[i]) * 1e-9
                                                : number_of(set_, row, costs_[i].output);
      body["runs"].push_back(entry);
      host["runs"].push_back(host_json_of(costs_[i]));
    }
  }

 private:
  [[noreturn]] void refuse_only(const std::string& only) const {
    std::vector<std::string> names;
    for (const MeasuredBenchmark& row : set_.judged)
      if (std::ranges::find(names, row.benchmark) == names.end()) names.push_back(row.benchmark);
    throw UserError(
        fmt::format("reproduce: --only {}: {} has no such benchmark{}", only.substr(0, 200), set_.name,
                    did_you_mean(only, names, fmt::format("there are {}", fmt::join(names, ", ")))));
  }

  NetworkRun hpl(const MeasuredBenchmark& row, const PredictingMachine& machine, const std::string& into) {
    if (row.ranks != kHpl.p * kHpl.q)
      throw UserError(fmt::format("{}: hpl on {} ranks: expected {}", set_.name, row.ranks, kHpl.p * kHpl.q));
    NetworkRun run = hpl_run(kHpl, models_.emplace_back(hpl_models(2 / kHplRate, 1), into), machine.file, {});
    // Packets of 2 KiB would be 10^9: a run of hours.
    run.options.insert(run.options.end(), {"--network", "analytic"});
    return run;
  }

  const RealMachineSet& set_;
  std::vector<const MeasuredBenchmark*> rows_;
  std::deque<RegionModels> models_;
  std::vector<NetworkRun> runs_;
  std::vector<NetworkCost> costs_;
};

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }
std::string signed_percent(double part) { return fmt::format("{:+.1f} %", 100 * part); }

/// Returns the groups that have values.
std::vector<ErrorSummary> with_values(std::vector<ErrorSummary> groups) {
  std::erase_if(groups, [](const ErrorSummary& group) { return group.errors.empty(); });
  return groups;
}

/// Returns the errors of judged values by tolerance: the goals of single pairs, and of all others.
std::vector<ErrorSummary> by_kind(const ReproducedExperiment& judged) {
  std::vector<ErrorSummary> groups{{kKinds[0], {}}, {kKinds[1], {}}};
  for (const JudgedValue& one : judged.values)
    if (one.value->tolerance && one.error())
      groups[*one.value->tolerance > kGoals[0] ? 1 : 0].errors.push_back(*one.error());
  return groups;
}

/// Returns the errors by benchmark: the first key of a value's path, runs[benchmark=…].
std::vector<ErrorSummary> by_benchmark(const ReproducedExperiment& judged) {
  std::vector<ErrorSummary> groups;
  for (const JudgedValue& one : judged.values) {
    if (!one.value->tolerance || !one.error()) continue;
    const std::string name = one.value->text.substr(0, one.value->text.find(','));
    auto group = std::ranges::find(groups, name, &ErrorSummary::name);
    if (group == groups.end()) group = groups.insert(groups.end(), ErrorSummary{name, {}});
    group->errors.push_back(*one.error());
  }
  return groups;
}

void run_real_machine(const ExperimentOptions& options, ResultDocument& result) {
  if (options.set.empty())
    throw UserError(fmt::format("reproduce: real-machine: the set is missing; there are {}",
                                fmt::join(real_machine_names(), ", ")));
  const RealMachineSet set = load_real_machine(options.set);
  ordered_json& body = result.body();
  body["quick"] = options.quick;
  body["set"] = set.name;
  body["settings"] = options.settings;
  body["runs"] = ordered_json::array();
  result.host()["runs"] = ordered_json::array();
  std::optional<TemporaryFolder> temporary;
  if (options.into.empty()) temporary = temporary_folder();
  if (set.has_network) {
    PredictingMachine machine{options.machine, {}, 0};
    if (options.machine.empty()) {
      machine = calibrate(set, temporary ? temporary->path() : options.into);
      for (const char* key : {"machine", "mean_error", "assumptions"})
        body["calibration"][key] = machine.result[key];
    } else {
      body["uncalibrated"] = options.machine;
    }
    count_nodes(machine);
    Benchmarks benchmarks(set, options, machine);
    benchmarks.simulate_all(options);
    benchmarks.write(body, result.host());
  }
}

/// Prints and adds errors by benchmark and by kind, whose medians are judged.
int judge_real_machine(const ReproducedExperiment& judged, ResultDocument& result) {
  ordered_json& body = result.body();
  bool good = true;
  body["summary"] = body["benchmarks"] = ordered_json::array();
  const auto heading = [](const char* name, std::string_view last) {
    console::print("{:<26} {:>7} {:>15} {:>9} {:>14}{}\n", name, "values", "median |error|", "mean",
                   "largest", last);
  };
  const auto line = [](const ErrorSummary& group, const std::string& last) {
    console::print("{:<26} {:>7} {:>15} {:>9} {:>14}{}\n", group.name, group.errors.size(),
                   percent(group.median()), signed_percent(group.mean()), signed_percent(group.largest()),
                   last);
  };
  const std::vector<ErrorSummary> groups = with_values(by_benchmark(judged));
  if (!groups.empty()) heading("benchmark", "");
  for (const ErrorSummary& group : groups) {
    line(group, "");
    body["benchmarks"].push_back(group.json());
  }
  const std::vector<ErrorSummary> kinds = by_kind(judged);
  if (!groups.empty()) heading("\nkind", "  goal of the median");
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].errors.empty()) continue;
    const bool within = kinds[kind].median() <= kGoals[kind];
    good = good && within;
    line(kinds[kind], fmt::format("  {:g} %{}", 100 * kGoals[kind], within ? "" : "  miss"));
    body["summary"].push_back(kinds[kind].json());
    body["summary"].back()["goal"] = kGoals[kind];
    body["summary"].back()["within"] = within;
  }
  return good ? 0 : 1;
}

}  // namespace

const Experiment kRealMachine{
    .name = "real-machine",
    .summary = "a set of measurements of a real machine (SET), calibrated by its point-to-point table",
    .run = run_real_machine,
    .judge = judge_real_machine,
    .options = " SET --machine --only --most-ranks --set ",
};

}  // namespace psim::reproduce
