// SPDX-License-Identifier: Apache-2.0
// Paper 003, section 4: HPL of N = 1.31 million on a virtual machine of 4,096 nodes with 8 cores of 16
// SIMD-PEs, in a torus of 16x16x16. The time of matrix products is that of our kernel on simd16, fitted from
// orders up to 256. The paper derived its own from orders of a few hundred, and took communication from a
// formula as the analytic network does.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/abandoned.h"
#include "base/console.h"
#include "base/error.h"
#include "papers/comparison.h"
#include "papers/experiment.h"
#include "papers/hpl_models.h"
#include "papers/kernel_files.h"
#include "papers/psim_process.h"

namespace psim::reproduce {
namespace {

// Set before the first comparison. The paper states neither block size, grid, nor the efficiency of its
// matrix product.
constexpr double kPetascaleGoal = 0.2;
constexpr double kCores = 8;  ///< of a node; they share each product evenly
constexpr double kPanel =
    10;  ///< multiply-adds of unblocked panels take this many times as long: an assumption
constexpr long kBlock = 256;  ///< NB: the largest order of the fit, so that its products are not extrapolated

struct PetascaleRow {
  const char* name;
  const char* key;
  double paper;  ///< s; 0: not in the paper
  std::string machine;
  std::vector<std::string> settings, options;
};

/// The time of the kernel of order kBlock on one core, s, with its 95 % interval.
struct KernelTime {
  double value, low, high;
};

KernelTime kernel_time() {
  const std::string kernel = kernel_directory() + "/paper/dgemm";
  const auto points = TemporaryFolder::make(std::filesystem::temp_directory_path(), "psim-petascale-");
  if (!points)
    throw UserError(
        fmt::format("{}: {}", std::filesystem::temp_directory_path().string(), std::strerror(errno)));
  const PsimOutcome fit =
      run_psim({"fit", "--into", points->path(), "--machine", "simd16", "--set", "l1d.prefetch=perfect",
                "--args", "64 128 192 256", "--predict", std::to_string(kBlock), kernel, "simd", "{}"},
               "psim fit dgemm");
  const auto found = nlohmann::ordered_json::parse(fit.json)["regions"][0]["predictions"][0]["seconds"];
  return {found["value"].get<double>(), found["interval"][0].get<double>(),
          found["interval"][1].get<double>()};
}

int run_petascale(const ExperimentOptions& options, ResultDocument& result) {
  const HplSystem system =
      options.quick ? HplSystem{163'840, kBlock, 8, 8} : HplSystem{1'310'720, kBlock, 64, 64};
  const KernelTime kernel = kernel_time();
  const double products = double(kBlock) * double(kBlock) * double(kBlock);
  const HplModels models(kernel.value / products / kCores, kPanel);
  const std::string nodes = options.quick ? "topology.shape=4x4x4" : "topology.shape=16x16x16";
  const std::string rules = "mpi.algorithms=allgather=recursive-doubling";
  std::vector<PetascaleRow> rows{{"without communication",
                                  "without",
                                  options.quick ? 0 : 1397.0,
                                  "petascale",
                                  {nodes, rules, "analytic.latency=1 ns", "analytic.bandwidth=10000 GB/s"},
                                  {"--network", "analytic"}},
                                 {"with communication",
                                  "analytic",
                                  options.quick ? 0 : 1477.0,
                                  "petascale",
                                  {nodes, rules},
                                  {"--network", "analytic"}}};
  std::vector<NetworkRun> runs;
  for (const PetascaleRow& row : rows) {
    runs.push_back(hpl_run(system, models, row.machine, row.settings));
    runs.back().options.insert(runs.back().options.end(), row.options.begin(), row.options.end());
  }
  const std::vector<NetworkCost> costs = simulate(runs, options.jobs, options.quiet);
  console::print(
      "Paper 003, section 4: HPL on {} nodes of {:.0f} cores with 16 SIMD-PEs: {}\n"
      "dgemm on a core, order {}: {:.3f} ms, from {:.3f} to {:.3f} ms (95 % interval), {:.1f} GFlop/s; other "
      "orders:\n"
      "extrapolated by their operations\n\n",
      system.p * system.q, kCores, system.label(), kBlock, 1e3 * kernel.value, 1e3 * kernel.low,
      1e3 * kernel.high, 2 * products / kernel.value * 1e-9);
  console::print("{:<34}{:>10}{:>10}{:>20}{:>11}{:>10}{:>8}\n", "", "paper, s", "ours, s", "95 % interval",
                 "PFlop/s", "error", "goal");
  std::vector<Comparison> judged;
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options.quick;
  body["kernel"] = {
      {"order", kBlock}, {"seconds", kernel.value}, {"seconds_interval", {kernel.low, kernel.high}}};
  const double computing = hpl_seconds(costs[0]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double ours = hpl_seconds(costs[i]);
    // All computing scales with the kernel; to first order the rest of the time does not.
    const double low = ours + computing * (kernel.low / kernel.value - 1),
                 high = ours + computing * (kernel.high / kernel.value - 1);
    const std::string interval = fmt::format("{:.1f} … {:.1f}", low, high);
    console::print("{:<34}{:>10}{:>10.1f}{:>20}{:>11.3f}", rows[i].name,
                   rows[i].paper == 0 ? "" : fmt::format("{:.0f}", rows[i].paper), ours, interval,
                   system.operations() / ours * 1e-15);
    nlohmann::ordered_json entry = json_of(runs[i], costs[i]);
    entry["name"] = rows[i].key;
    entry["predicted_seconds"] = ours;
    entry["predicted_interval"] = {low, high};
    entry["extrapolated"] = true;
    if (rows[i].paper != 0) {
      judged.push_back({rows[i].name, "s", rows[i].paper, ours, std::nullopt, kPetascaleGoal});
      entry["paper_seconds"] = rows[i].paper;
      entry["within"] = judged.back().within();
      console::print("{:>+8.1f} %{:>6.0f} %", 100 * judged.back().error(), 100 * kPetascaleGoal);
    }
    console::print("  extrapolated\n");
    body["runs"].push_back(entry);
    result.host()["runs"].push_back(host_json_of(costs[i]));
  }
  for (const std::string& line : misses(judged)) console::print("miss: {}\n", line);
  for (std::size_t i = 0; i < rows.size(); ++i)
    console::print("{}: {:.0f} s of CPU time, {} MiB\n", rows[i].name, costs[i].cpu_seconds,
                   costs[i].peak_rss_bytes >> 20);
  body["within_goal"] = status_of(judged) == 0;
  return status_of(judged);
}

}  // namespace

const Experiment kPetascale{
    .name = "petascale",
    .summary =
        "HPL on a virtual petascale machine, by a skeleton and our dgemm on simd16 (paper 003, section 4)",
    .run = run_petascale,
};

}  // namespace psim::reproduce
