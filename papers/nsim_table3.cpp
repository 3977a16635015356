// SPDX-License-Identifier: Apache-2.0
// Paper 003 table 3: the time that NSIM took to simulate a random ring and an all-to-all on 3D tori, next to
// psim's time on one processor. The host's time is judged, so it stands under "host" in the result.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "papers/network_run.h"

namespace psim::reproduce {
namespace {

constexpr std::uint32_t kFirstRanks = 1024;

struct PaperPattern {
  const char* name;
  const char* program;
  std::vector<std::string> arguments;  ///< all but loops
  unsigned loops;                      ///< 0: the program has none
  unsigned sizes;                      ///< 1,024 ranks, 2,048, …
};
const PaperPattern kPatterns[] = {{"random ring, 1 MB", "random_ring", {"1048576"}, 5, 8},
                                  {"all-to-all, 4 B, pairwise", "alltoall", {"4", "pairwise"}, 0, 5}};

constexpr std::uint64_t kQuickRanks = 1024;
/// Larger networks run one loop of the ring unless --loops is given: hours for each of five.
constexpr std::uint32_t kMostRanksOfAllLoops = 32'768;

struct PatternRow {
  const PaperPattern* pattern;
  unsigned loops;  ///< number to run; that of the paper unless quick
  NetworkRun run;
  NetworkCost cost;
};

std::vector<PatternRow> rows_of(const ExperimentOptions& options) {
  if (options.most_ranks < kFirstRanks)
    throw UserError(
        fmt::format("reproduce: --most-ranks {}: expected at least {}", options.most_ranks, kFirstRanks));
  const std::uint64_t most = options.quick ? std::min(options.most_ranks, kQuickRanks) : options.most_ranks;
  std::vector<PatternRow> rows;
  for (const PaperPattern& pattern : kPatterns)
    for (unsigned size = 0; size < pattern.sizes; ++size) {
      const std::uint32_t ranks = kFirstRanks << size;
      if (ranks > most) continue;
      const unsigned wanted = options.loops != 0                              ? options.loops
                              : options.quick || ranks > kMostRanksOfAllLoops ? 1
                                                                              : pattern.loops;
      const unsigned loops = std::min(pattern.loops, wanted);
      NetworkRun run{pattern.program, pattern.arguments, ranks, kDefaultNetwork, {}};
      if (loops != 0) run.arguments.push_back(std::to_string(loops));
      rows.push_back({&pattern, loops, run, {}});
    }
  return rows;
}

void run_nsim_table3(const ExperimentOptions& options, ResultDocument& result) {
  std::vector<PatternRow> rows = rows_of(options);
  // The longest simulation begins first, so that the others run next to it.
  std::ranges::stable_sort(rows, std::greater{}, [](const PatternRow& row) { return row.run.ranks; });
  std::vector<NetworkRun> runs;
  for (const PatternRow& row : rows) runs.push_back(row.run);
  const std::vector<NetworkCost> costs = simulate(runs, options);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].cost = costs[i];
  std::ranges::stable_sort(rows, {},
                           [](const PatternRow& row) { return std::pair(row.pattern, row.run.ranks); });
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options.quick;
  body["machine"] = {{"name", kDefaultNetwork}};
  for (const PatternRow& row : rows) {
    nlohmann::ordered_json entry{{"pattern", row.pattern->name}};
    entry.update(json_of(row.run, row.cost));
    body["runs"].push_back(entry);
    nlohmann::ordered_json host{{"program", row.run.program}, {"ranks", row.run.ranks}, {"loops", row.loops}};
    host.update(host_json_of(row.cost));
    if (row.loops != 0) host["all_loops_cpu_seconds"] = row.cost.cpu_seconds * row.pattern->loops / row.loops;
    result.host()["runs"].push_back(host);
  }
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
