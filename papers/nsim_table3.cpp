// SPDX-License-Identifier: Apache-2.0
// Paper 003 table 3: the time that NSIM took to simulate a random ring and an all-to-all on 3D tori, next to
// psim's time on one processor. The host's time is judged, so it stands under "host" in the result.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "papers/network_run.h"
#include "papers/published.h"

namespace psim::reproduce {
namespace {

constexpr std::uint32_t kFirstRanks = 1024;
constexpr std::size_t kSizes = 8;  ///< 1,024 to 131,072 ranks

struct HostTime {
  std::string hosts;
  std::vector<double> minutes;  ///< at 1024, 2048, … ranks; as far as printed
};
struct PaperPattern {
  const char* name;
  const char* program;
  std::vector<std::string> arguments;  ///< all but loops
  unsigned loops;                      ///< 0: the program has none
  std::vector<HostTime> times;
};

/// Returns the times of a host from the data file, as far as it has them: its values are KEY-RANKS.
HostTime times_of(const Published& published, const std::string& key) {
  HostTime time;
  for (std::size_t size = 0; size < kSizes; ++size)
    for (const PublishedValue& value : published.values)
      if (value.name == fmt::format("{}-{}", key, kFirstRanks << size))
        time.hosts = value.series, time.minutes.push_back(*value.paper);
  return time;
}

const std::vector<PaperPattern>& paper() {
  static const Published published = load_published("nsim-table3");
  static const std::vector<PaperPattern> patterns{
      {"random ring, 1 MB",
       "random_ring",
       {"1048576"},
       5,
       {times_of(published, "ring-cluster-128"), times_of(published, "ring-cluster-64"),
        times_of(published, "ring-desktop")}},
      {"all-to-all, 4 B, pairwise", "alltoall", {"4", "pairwise"}, 0, {times_of(published, "alltoall")}}};
  return patterns;
}

constexpr std::uint64_t kQuickRanks = 1024;
/// Larger networks run one loop of the ring unless --loops is given: hours for each of five.
constexpr std::uint32_t kMostRanksOfAllLoops = 32'768;

struct PatternRow {
  const PaperPattern* pattern;
  std::size_t size;  ///< index of the paper's number of ranks
  unsigned loops;    ///< number to run; that of the paper unless quick
  NetworkRun run;
  NetworkCost cost;

  /// Returns the paper's time scaled to this number of loops: its loops take equal times.
  double paper_seconds(const HostTime& time) const {
    return 60 * time.minutes[size] * (loops == 0 ? 1.0 : double(loops) / pattern->loops);
  }
  double shortest() const {
    double least = 1e300;
    for (const HostTime& time : pattern->times)
      if (size < time.minutes.size()) least = std::min(least, paper_seconds(time));
    return least;
  }
  bool within() const { return cost.cpu_seconds <= shortest(); }
};

std::vector<PatternRow> rows_of(const ExperimentOptions& options) {
  if (options.most_ranks < kFirstRanks)
    throw UserError(
        fmt::format("reproduce: --most-ranks {}: expected at least {}", options.most_ranks, kFirstRanks));
  const std::uint64_t most = options.quick ? std::min(options.most_ranks, kQuickRanks) : options.most_ranks;
  std::vector<PatternRow> rows;
  for (const PaperPattern& pattern : paper())
    for (std::size_t size = 0; size < pattern.times[0].minutes.size(); ++size) {
      const std::uint32_t ranks = kFirstRanks << size;
      if (ranks > most) continue;
      const unsigned wanted = options.loops != 0                              ? options.loops
                              : options.quick || ranks > kMostRanksOfAllLoops ? 1
                                                                              : pattern.loops;
      const unsigned loops = std::min(pattern.loops, wanted);
      NetworkRun run{pattern.program, pattern.arguments, ranks, kDefaultNetwork, {}};
      if (loops != 0) run.arguments.push_back(std::to_string(loops));
      rows.push_back({&pattern, size, loops, run, {}});
    }
  return rows;
}

std::string text_of(const PatternRow& row) {
  std::string text =
      fmt::format("{:<26}{:>8}{:>7}{:>11.4g}{:>12.2f}{:>12}{:>9.2f}{:>11.1f}{}\n", row.pattern->name,
                  row.run.ranks, row.loops == 0 ? "" : std::to_string(row.loops), row.cost.cpu_seconds,
                  static_cast<double>(row.cost.packet_hops) / row.cost.cpu_seconds * 1e-6,
                  row.cost.packet_hops, 1e3 * row.cost.seconds,
                  static_cast<double>(row.cost.peak_rss_bytes) / (1 << 20), row.within() ? "" : "  miss");
  for (const HostTime& time : row.pattern->times)
    if (row.size < time.minutes.size())
      text += fmt::format("{:<41}{:>11.4g}  paper: {}{}\n", "", row.paper_seconds(time), time.hosts,
                          row.loops == row.pattern->loops
                              ? ""
                              : fmt::format(", {} of its {} loops", row.loops, row.pattern->loops));
  return text;
}

int run_nsim_table3(const ExperimentOptions& options, ResultDocument& result) {
  std::vector<PatternRow> rows = rows_of(options);
  // The longest simulation begins first, so that the others run next to it.
  std::ranges::stable_sort(rows, std::greater{}, [](const PatternRow& row) { return row.run.ranks; });
  std::vector<NetworkRun> runs;
  for (const PatternRow& row : rows) runs.push_back(row.run);
  const std::vector<NetworkCost> costs = simulate(runs, options);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].cost = costs[i];
  std::ranges::stable_sort(rows, {}, [](const PatternRow& row) { return std::pair(row.pattern, row.size); });
  console::print("Paper 003 table 3: host time of simulations; {}, one processor per simulation\n\n",
                 kDefaultNetwork);
  console::print("{:<26}{:>8}{:>7}{:>11}{:>12}{:>12}{:>9}{:>11}\n", "pattern", "ranks", "loops", "host s",
                 "M hops/s", "packet-hops", "ran ms", "MiB");
  bool all = true;
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options.quick;
  body["machine"] = {{"name", kDefaultNetwork}};
  for (const PatternRow& row : rows) {
    all = all && row.within();
    console::print("{}", text_of(row));
    nlohmann::ordered_json entry{{"pattern", row.pattern->name}};
    entry.update(json_of(row.run, row.cost));
    for (const HostTime& time : row.pattern->times)
      if (row.size < time.minutes.size()) entry["paper_seconds"][time.hosts] = row.paper_seconds(time);
    body["runs"].push_back(entry);
    nlohmann::ordered_json host{{"program", row.run.program}, {"ranks", row.run.ranks}, {"loops", row.loops}};
    host.update(host_json_of(row.cost));
    if (row.loops != 0) host["all_loops_cpu_seconds"] = row.cost.cpu_seconds * row.pattern->loops / row.loops;
    host["within"] = row.within();
    result.host()["runs"].push_back(host);
  }
  result.host()["within_goal"] = all;
  console::print("\n{}\n",
                 all ? "all within the goal: no slower on one processor than the paper's fastest host"
                     : "miss: slower on one processor than the paper's fastest host");
  return all ? 0 : 1;
}

}  // namespace

const Experiment kNsimTable3{
    .name = "nsim-table3",
    .summary = "host time of a random ring and an all-to-all on 3D tori of 1 K to 128 K ranks (paper 003)",
    .run = run_nsim_table3,
    .options = " --most-ranks --loops ",
    .judges_host = true,
};

}  // namespace psim::reproduce
