// SPDX-License-Identifier: Apache-2.0
// Paper 003, 3.2.3 and figure 4: the integrals of (Gly)15 on 64 processes, computed by the original program
// and predicted by its skeleton. The original computes on this host, whose processor time passes between its
// messages. The skeleton's model comes from small runs of the original on one process. All times depend on
// the host. Each run is recorded several times, one simulation at a time, and the least of each time counts,
// so that the host's load hardly matters.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <sstream>

#include "base/error.h"
#include "base/output_file.h"
#include "base/read_file.h"
#include "papers/experiment.h"
#include "papers/network_run.h"
#include "papers/open_inputs.h"
#include "papers/recorded_times.h"
#include "papers/region_models.h"

namespace psim::reproduce {
namespace {

constexpr std::uint32_t kEriRanks = 64;
constexpr int kRepetitions = 3, kQuickRepetitions = 2;

NetworkRun eri_run(long glycines, std::uint32_t ranks, std::vector<std::string> options) {
  NetworkRun run{"eri", {fmt::format("glycines={}", glycines), "each=1"}, ranks, "pq580", {}};
  run.options = std::move(options);
  return run;
}

/// Runs of the original on this host, recorded, and the run that takes the least of their times.
class RecordedRuns {
 public:
  RecordedRuns(const ExperimentOptions& options, int repetitions)
      : options_(options), repetitions_(repetitions) {
    if (options_.into.empty()) folder_ = temporary_folder();
  }
  void add(long glycines, std::uint32_t ranks) { runs_.push_back({glycines, ranks}); }

  /// Runs and records all, one repetition after the other.
  void record() {
    std::vector<NetworkRun> all;
    for (int repetition = 0; repetition < repetitions_; ++repetition)
      for (const auto& [glycines, ranks] : runs_)
        all.push_back(
            eri_run(glycines, ranks,
                    {"--compute", "measured", "--record-compute", path(glycines, ranks, repetition)}));
    costs_ = simulate(all, options_);
  }
  /// Returns the cost of a repetition of the run number `run`, in the order of add().
  const NetworkCost& measured(std::size_t run, int repetition) const {
    return costs_[static_cast<std::size_t>(repetition) * runs_.size() + run];
  }
  /// Returns the costs of all runs with the least of their times.
  std::vector<NetworkCost> least() const {
    std::vector<NetworkRun> all;
    for (const auto& [glycines, ranks] : runs_) {
      std::vector<std::string> recordings;
      for (int repetition = 0; repetition < repetitions_; ++repetition) {
        const FileBytes file = read_file(path(glycines, ranks, repetition));
        if (!file.problem.empty())
          throw UserError(fmt::format("{}: {}; expected the recording of a kept result: remove the folder",
                                      path(glycines, ranks, repetition), file.problem));
        recordings.push_back(file.bytes);
      }
      OutputFile file(path(glycines, ranks, -1), "recorded times");
      file.write(least_times(recordings));
      file.commit();
      all.push_back(eri_run(glycines, ranks, {"--compute", "recorded:" + path(glycines, ranks, -1)}));
    }
    return simulate(all, options_);
  }

 private:
  struct Size {
    long glycines;
    std::uint32_t ranks;
  };
  /// Returns the file of a recording; -1: of the least times.
  std::string path(long glycines, std::uint32_t ranks, int repetition) const {
    return fmt::format("{}/eri-{}-{}-{}.txt", folder_ ? folder_->path() : options_.into, glycines, ranks,
                       repetition < 0 ? "least" : std::to_string(repetition));
  }
  ExperimentOptions options_;
  int repetitions_;
  std::optional<TemporaryFolder> folder_;
  std::vector<Size> runs_;
  std::vector<NetworkCost> costs_;
};

/// Returns the seconds of an integral of primitives that meet small runs on one process, by least squares of
/// relative errors. Quartets of shells take no time of their own: both numbers are nearly proportional, so
/// that two rates would follow from the host's noise.
double primitive_seconds(std::span<const NetworkCost> costs) {
  double squares = 0, sum = 0;
  for (const NetworkCost& cost : costs) {
    const double rate = cost.printed(" integrals of") / cost.printed(" s of ");
    squares += rate * rate, sum += rate;
  }
  return sum / squares;
}

/// A rank's time of computing, and its whole time.
struct RankTimes {
  double computed = 0, seconds = 0;
};

std::vector<RankTimes> ranks_of(const NetworkCost& cost) {
  std::vector<RankTimes> ranks(kEriRanks);
  std::istringstream lines(cost.output);
  for (std::string line; std::getline(lines, line);) {
    unsigned rank = 0;
    RankTimes times;
    if (std::sscanf(line.c_str(), "rank %u: computed %lf s of %lf s", &rank, &times.computed,
                    &times.seconds) == 3 &&
        rank < kEriRanks)
      ranks[rank] = times;
  }
  return ranks;
}

nlohmann::ordered_json json_of(const std::vector<RankTimes>& ranks) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < ranks.size(); ++i)
    all.push_back({{"rank", i}, {"computed_seconds", ranks[i].computed}, {"seconds", ranks[i].seconds}});
  return all;
}

void run_eri_timeline(const ExperimentOptions& options, ResultDocument& result) {
  const long glycines = options.quick ? 3 : 15;
  OpenInputs inputs(options.settings);
  const auto repetitions = static_cast<int>(
      inputs.whole("eri.repetitions", options.quick ? kQuickRepetitions : kRepetitions, 1, 20));
  if (!inputs.of_machine().empty())
    throw UserError(fmt::format("reproduce: --set {}: eri-timeline has only eri.repetitions",
                                inputs.of_machine()[0].substr(0, 100)));
  RecordedRuns original(options, repetitions);
  for (const long few : {2, 3, 4}) original.add(options.quick ? few - 1 : few, 1);
  original.add(glycines, kEriRanks);
  original.record();
  const std::vector<NetworkCost> least = original.least();
  const double primitive = primitive_seconds(std::span(least).first(3));
  const RegionModels models(fmt::format("[region.eri]\nparameters = \"primitives quartets\"\nseconds = "
                                        "\"{:.17g} * primitives + 0 * quartets\"\n",
                                        primitive),
                            options.into);
  const NetworkCost costs[] = {
      least[3],
      simulate({eri_run(glycines, kEriRanks, {"--skeleton", "--compute", "model:" + models.path()})},
               options)[0]};
  std::vector<double> repeated;
  double original_cpu = 0;  // of the fastest
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const NetworkCost& one = original.measured(3, repetition);
    repeated.push_back(one.printed(" s, of which"));
    original_cpu = repetition == 0 ? one.cpu_seconds : std::min(original_cpu, one.cpu_seconds);
  }
  double seconds[2];
  std::vector<RankTimes> ranks[2];
  for (int i = 0; i < 2; ++i) seconds[i] = costs[i].printed(" s, of which"), ranks[i] = ranks_of(costs[i]);
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options.quick;
  if (!options.settings.empty()) body["settings"] = options.settings;
  body["original"] = nlohmann::ordered_json::array(
      {{{"glycines", glycines}, {"functions", costs[0].printed(" basis functions")}, {"ranks", kEriRanks}}});
  nlohmann::ordered_json& host = result.host();
  host["primitive_seconds"] = primitive;
  host["repeated_seconds"] = repeated;
  host["error"] = seconds[1] / seconds[0] - 1;
  for (int i = 0; i < 2; ++i) {
    nlohmann::ordered_json& one = host[i == 0 ? "original" : "skeleton"];
    one = host_json_of(costs[i]);
    if (i == 0) one["cpu_seconds"] = original_cpu;
    one["seconds"] = seconds[i];
    one["ranks"] = json_of(ranks[i]);
  }
}

}  // namespace

const Experiment kEriTimeline{
    .name = "eri-timeline",
    .summary =
        "integrals of (Gly)15 on 64 processes: the original program against its skeleton (paper 003, figure "
        "4)",
    .run = run_eri_timeline,
    .options = " --set ",
    .judges_host = true,
    .one_at_a_time = true,
};

}  // namespace psim::reproduce
