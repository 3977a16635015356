// SPDX-License-Identifier: Apache-2.0
// Paper 001: collectives of 32 nodes on 100BASE-TX, timed from MPI_Barrier and from a barrier network
// (workloads/barrier/collectives.c on machines/sccb.toml), and the error of its pseudo-global clock. The data
// of its figures are lost, so that the numbers and statements of its text are judged.

#include <array>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "papers/network_run.h"
#include "papers/open_inputs.h"

namespace psim::reproduce {
namespace {

using nlohmann::ordered_json;

// Set before the first comparison.
constexpr double kFollows = 0.98;  ///< coefficient of determination from which a curve follows log n
/// The paper expects the same latency of a barrier on more nodes than its 32.
constexpr std::uint32_t kLargerThanMeasured = 64;
constexpr std::array<const char*, 4> kTimed{"MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce"};

/// One run: the collectives of n nodes, timed from one kind of barrier.
struct TimedRun {
  std::uint32_t nodes;
  bool scc;
  int bytes;
  double barrier = 0;             ///< us
  std::array<double, 4> times{};  ///< us, of kTimed
  double clock = 0;               ///< ns, error; with scc
};

double after(const std::string& output, const std::string& name) {
  const std::size_t at = ("\n" + output).find("\n" + name + " ");
  if (at == std::string::npos) throw std::runtime_error("collectives printed no line " + name);
  return std::stod(output.substr(at + name.size() + 1));
}

/// Returns the coefficient of determination of t = a + b log2(n).
double log_fit(const std::vector<double>& nodes, const std::vector<double>& times) {
  const double count = static_cast<double>(nodes.size());
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double log = std::log2(nodes[i]);
    x += log, y += times[i], xx += log * log, xy += log * times[i], yy += times[i] * times[i];
  }
  const double sxx = xx - x * x / count, sxy = xy - x * y / count, syy = yy - y * y / count;
  return sxx > 0 && syy > 0 ? sxy * sxy / (sxx * syy) : 0;
}

struct BarrierFindings {
  bool scc_follows = true, mpi_does_not = false, mpi_falls = false;
  bool shorter = true;       ///< from SCC_Barrier, except for Bcast and Reduce
  bool some_longer = false;  ///< of Bcast and Reduce from SCC_Barrier
};

/// Adds and judges the curves of one collective and size.
void judge_curve(const std::vector<TimedRun>& runs, int bytes, std::size_t which, ordered_json& body,
                 BarrierFindings& found) {
  std::vector<double> nodes, scc, mpi;
  for (const TimedRun& run : runs)
    if (run.bytes == bytes) {
      if (run.scc) nodes.push_back(run.nodes);
      (run.scc ? scc : mpi).push_back(run.times[which]);
    }
  const double fit_scc = log_fit(nodes, scc), fit_mpi = log_fit(nodes, mpi);
  found.scc_follows = found.scc_follows && fit_scc >= kFollows;
  found.mpi_does_not = found.mpi_does_not || fit_mpi < kFollows;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    found.mpi_falls = found.mpi_falls || (i > 0 && mpi[i] < mpi[i - 1]);
    const bool excepted = which == 1 || which == 2;
    if (scc[i] >= mpi[i]) (excepted ? found.some_longer : found.shorter) = excepted;
    body["curves"].push_back({{"collective", kTimed[which]},
                              {"bytes", bytes},
                              {"nodes", nodes[i]},
                              {"from_scc", scc[i] * 1e-6},
                              {"from_mpi", mpi[i] * 1e-6}});
  }
  body["fits"].push_back(
      {{"collective", kTimed[which]}, {"bytes", bytes}, {"from_scc", fit_scc}, {"from_mpi", fit_mpi}});
}

void run_barrier(const ExperimentOptions& options, ResultDocument& result) {
  std::vector<std::uint32_t> sizes{2, 4, 6, 8, 12, 16, 20, 24, 28, 32};
  std::vector<int> lengths{4, 4096};
  if (options.quick) sizes = {2, 8, 32}, lengths = {4};  // too few for the statements on curves
  OpenInputs inputs(options.settings);
  if (inputs.choice("barrier.nodes", "all", {"all", "powers-of-two"}) == "powers-of-two")
    std::erase_if(sizes, [](std::uint32_t nodes) { return !std::has_single_bit(nodes); });
  const std::string whose = inputs.choice("barrier.time", "slowest", {"slowest", "root", "mean"});
  const std::vector<std::string> settings = inputs.of_machine();
  std::vector<TimedRun> runs;
  std::vector<NetworkRun> words;
  for (const int bytes : lengths)
    for (const std::uint32_t nodes : sizes)
      for (const bool scc : {true, false}) {
        runs.push_back({nodes, scc, bytes});
        words.push_back({"collectives",
                         {scc ? "scc" : "mpi", std::to_string(bytes), "20", whose},
                         nodes,
                         "sccb",
                         settings});
      }
  words.push_back({"collectives", {"scc", "4", "20"}, kLargerThanMeasured, "sccb", settings});
  const std::vector<NetworkCost> costs = simulate(words, options);
  ordered_json& body = result.body();
  body["quick"] = options.quick;
  if (!options.settings.empty()) body["settings"] = options.settings;
  double worst_clock = 0, ratio = 0, longest_scc = 0, shortest_scc = 1e9;
  bool mpi_grows = true;
  double last_mpi = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].barrier = after(costs[i].output, "barrier");
    for (std::size_t k = 0; k < kTimed.size(); ++k) runs[i].times[k] = after(costs[i].output, kTimed[k]);
    if (runs[i].scc) runs[i].clock = after(costs[i].output, "clock");
    worst_clock = std::max(worst_clock, runs[i].clock);
    result.host()["runs"].push_back(host_json_of(costs[i]));
    if (runs[i].scc || runs[i].bytes != 4) continue;
    const double scc = runs[i - 1].barrier;
    longest_scc = std::max(longest_scc, scc), shortest_scc = std::min(shortest_scc, scc);
    mpi_grows = mpi_grows && runs[i].barrier >= last_mpi;
    last_mpi = runs[i].barrier;
    ratio = runs[i].barrier / scc;
    body["barriers"].push_back({{"nodes", runs[i].nodes},
                                {"scc_seconds", scc * 1e-6},
                                {"mpi_seconds", runs[i].barrier * 1e-6},
                                {"clock_seconds", runs[i - 1].clock * 1e-9}});
  }
  BarrierFindings found;
  for (std::size_t which = 0; which < kTimed.size(); ++which)
    for (const int bytes : lengths)
      if (which != 0 || bytes == 4) judge_curve(runs, bytes, which, body, found);
  MachineChoice choice;
  choice.machine = "sccb";
  const net::SyncCommConfig sync = load_network(choice)->mpi.sync;
  body["scc_shortest_us"] = shortest_scc;
  body["scc_longest_us"] = longest_scc;
  body["scc_us_at_64"] = after(costs.back().output, "barrier");
  body["ratio_at_32"] = ratio;
  body["hardware_us_at_64"] = static_cast<double>((sync.up(64) + sync.down(64)).count()) * 1e-6;
  body["clock_ns"] = worst_clock;
  std::vector<std::pair<const char*, bool>> statements{{"mpi-grows", mpi_grows}};
  if (!options.quick)
    statements.insert(statements.end(), {{"scc-follows-log", found.scc_follows},
                                         {"mpi-some-do-not", found.mpi_does_not},
                                         {"mpi-falls", found.mpi_falls},
                                         {"scc-shorter", found.shorter},
                                         {"some-longer", found.some_longer}});
  for (const auto& [name, holds] : statements)
    body["statements"].push_back({{"name", name}, {"holds", holds}});
}

}  // namespace

const Experiment kBarrier{
    .name = "barrier",
    .summary =
        "collectives timed from MPI_Barrier and from a barrier network, and a global clock (paper 001)",
    .run = run_barrier,
    .options = " --set ",
};

}  // namespace psim::reproduce
