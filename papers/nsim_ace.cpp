// SPDX-License-Identifier: Apache-2.0
// Paper 000 (NSIM-ACE), section 4: the random ring of the HPC Challenge by put and get, two processes per
// node, on 16 nodes of InfiniBand QDR. Its bandwidths are in figures that we do not have, so the statements
// of its text are judged. On one switch the DMA engines set the bandwidth, a closed form. On several switches
// the bandwidth is lower, because routes share channels.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "papers/network_run.h"
#include "papers/open_inputs.h"

namespace psim::reproduce {
namespace {

constexpr std::uint32_t kBytes = 2'000'000;  ///< the benchmark's; the paper says 2 MB
constexpr std::uint32_t kOfNode = 2;         ///< processes
constexpr std::uint32_t kNodes = 16;
constexpr std::uint32_t kOneSwitchInPaper = 8;  ///< processes, at most

struct Network {
  const char* name;  ///< for the user
  const char* machine;
  std::vector<std::string> settings;
};
/// Several switches: four nodes on each, two links up. The paper's nodes were on one switch up to eight
/// processes and on several from sixteen. The paper does not state how the switches were connected.
const Network kOne{"one switch", "infiniband_qdr", {}};
const Network kSeveral{"several", "infiniband_qdr_tree", {"topology.shape=4x4:1x2"}};

/// The path of messages between the processes of a node.
enum class Inside {
  Memory,
  Interface,  ///< its DMA engines, apparently as in the paper's machine: their rate was measured so
  Computing   ///< a rank is two processes and computes as long, as in the paper's simulation
};
constexpr const char* kInside[] = {"memory", "interface", "computing"};

struct Row {
  const Network* network;
  bool interleaves;  ///< messages of a node take turns at its port
  std::string how;   ///< "put", "get"
  Inside inside;
  std::uint32_t processes;
  NetworkRun run;
  NetworkCost cost;
  double form = 0;  ///< MB/s per process

  double bandwidth() const { return cost.printed(" MB/s per process;"); }
  /// Returns whether all its nodes are on one switch.
  bool one_switch() const { return network == &kOne || processes <= kOneSwitchInPaper; }
};

std::vector<Row> rows_of(bool quick, const std::vector<std::string>& settings) {
  OpenInputs inputs(settings);
  const long order = inputs.whole("ring.order", 1, 1, 1'000'000);  // the seed; the paper's order is unknown
  const std::vector<std::string> of_machine = inputs.of_machine();
  std::vector<std::uint32_t> sizes{2, 8, 16, 32};
  if (!quick) sizes = {2, 4, 8, 16, 32};
  std::vector<Row> rows;
  for (const bool interleaves : {true, false})
    for (const Network* network : {&kOne, &kSeveral})
      for (const char* how : {"put", "get"})
        for (const Inside inside : {Inside::Memory, Inside::Interface, Inside::Computing})
          for (const std::uint32_t processes : sizes) {
            NetworkRun run{"rdma_ring",
                           {std::to_string(kBytes), how, std::to_string(processes)},
                           kNodes * kOfNode,
                           network->machine,
                           network->settings};
            run.settings.push_back(fmt::format("nic.interleave={}", interleaves));
            if (inside == Inside::Computing) {
              run.ranks /= kOfNode;
              run.arguments.emplace_back("2.8e9");
            } else {
              run.settings.push_back(fmt::format("node.ranks={}", kOfNode));
            }
            if (inside == Inside::Interface) run.settings.emplace_back("nic.loopback=true");
            run.settings.insert(run.settings.end(), of_machine.begin(), of_machine.end());
            if (order != 1) {
              run.arguments.resize(4, "0");
              run.arguments.push_back(std::to_string(2 * order - 1));
            }
            rows.push_back({network, interleaves, how, inside, processes, run, {}});
          }
  return rows;
}

/// Returns the bandwidth of the closed form. Messages of the busiest node pass its DMA engine in sequence.
/// Messages inside the node pass there, too, or through its memory, or are replaced by computing.
double form_of(const Row& row, const net::NetworkConfig& config) {
  const double out = row.cost.printed(" messages out of"), inside = row.cost.printed(" inside one");
  const double dma = double(config.nic.dma_bandwidth.count),
               memory = double(config.node.copy_bandwidth.count);
  if (row.inside == Inside::Memory) return 2e-6 / std::max(out / dma, inside / memory);
  return 2e-6 * dma / (row.inside == Inside::Interface ? 2.0 * kOfNode : std::max(out, inside));
}

void run_nsim_ace(const ExperimentOptions& options, ResultDocument& result) {
  std::vector<Row> rows = rows_of(options.quick, options.settings);
  std::vector<NetworkRun> runs;
  for (const Row& row : rows) runs.push_back(row.run);
  const std::vector<NetworkCost> costs = simulate(runs, options);
  MachineChoice common;
  common.machine = kOne.machine;
  const std::unique_ptr<NetworkMachine> machine = load_network(common);
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options.quick;
  if (!options.settings.empty()) body["settings"] = options.settings;
  body["machine"] = {{"name", kOne.machine}};
  double least_one = 1e300, most_one = 0, most_several = 0;  // of the closed form, messages taking turns
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[i];
    row.cost = costs[i];
    row.form = form_of(row, machine->network);
    const double of_limit = row.bandwidth() / row.form;
    if (row.interleaves && row.one_switch())
      least_one = std::min(least_one, of_limit), most_one = std::max(most_one, of_limit);
    // With fewer nodes it depends on the order in the ring whether routes share channels.
    if (row.interleaves && !row.one_switch() && row.processes == kNodes * kOfNode)
      most_several = std::max(most_several, of_limit);
    nlohmann::ordered_json entry = json_of(row.run, row.cost);
    entry["network"] = row.network->name;
    entry["interleave"] = row.interleaves;
    entry["by"] = row.how;
    entry["inside"] = kInside[static_cast<int>(row.inside)];
    entry["processes"] = row.processes;
    entry["dma_limited_bytes_per_second"] = 1e6 * row.form;
    entry["bytes_per_second"] = 1e6 * row.bandwidth();
    entry["of_limit"] = of_limit;
    entry["one_switch"] = row.one_switch();
    body["runs"].push_back(entry);
    result.host()["runs"].push_back(host_json_of(row.cost));
  }
  body["of_limit"] = {{"least_on_one_switch", least_one},
                      {"most_on_one_switch", most_one},
                      {"most_on_several", most_several}};
}

}  // namespace

const Experiment kNsimAce{
    .name = "nsim-ace",
    .summary = "random ring by put and get on InfiniBand QDR, against a closed form (paper 000)",
    .run = run_nsim_ace,
    .options = " --set ",
};

}  // namespace psim::reproduce
