// SPDX-License-Identifier: Apache-2.0
#include "psim/cosim/node_efficiency.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.h"
#include "netsim/simulation.h"
#include "report/net/efficiency_result.h"

namespace psim {

void check_node_efficiency(const Scenario& scenario) {
  for (const auto& [what, present] : {std::pair("jobs", !scenario.mixed.jobs.empty()),
                                      {"background traffic", !scenario.mixed.pattern.empty()},
                                      {"nodes at chosen places (at)", !scenario.mixed.at.empty()}})
    if (present)
      throw UserError(
          fmt::format("--efficiency: not with {} in {}; expected detailed nodes alone, which can "
                      "run again on an ideal network",
                      what, scenario.file));
  // Interfaces announce a message by this time, and the barrier network works with half of its line's.
  const net::SyncCommConfig& barrier = scenario.fabric.mpi.sync;
  for (const ChangedNetwork network : {ChangedNetwork::Ideal, ChangedNetwork::Uncontended}) {
    NetworkMachine changed;
    changed.network = scenario.fabric.network;
    change(network, changed);
    const auto needed = static_cast<std::int64_t>(net::Simulation::lookahead(changed.network));
    const auto check = [&](const char* key, Picoseconds time, std::int64_t least) {
      if (time.count() < least)
        throw UserError(
            fmt::format("--efficiency: {} = {} ps; expected at least {} ps, which the run with {} "
                        "needs",
                        key, time.count(), least, WhatIf{.network = network}.text()));
    };
    check("interface.setup", scenario.interface.setup, needed);
    if (barrier.kind != net::BarrierNetwork::None) check("barrier.line", barrier.line, 2 * needed);
  }
}

void change(const WhatIf& what_if, Scenario& scenario) { change(what_if.network, scenario.fabric); }

void add_node_efficiency(Reruns& reruns, const Scenario& scenario, const CosimResult& run,
                         ResultDocument& result) {
  // Cores take other cycles if DMA touches their caches at other times; so computing is nearly the same.
  constexpr double kSameComputing = 1e-3;
  nlohmann::ordered_json& body = result.body();
  const WhatIf ideal{.network = ChangedNetwork::Ideal}, twice{.network = ChangedNetwork::TwiceAsFast},
      uncontended{.network = ChangedNetwork::Uncontended};
  const std::vector<JobRun> on_ideal = reruns.times(ideal), twice_as_fast = reruns.times(twice);
  std::vector<JobRun> alone;
  if (scenario.fabric.network.model == net::NetworkModel::Packets) alone = reruns.times(uncontended);
  const cosim::NodePath& path = run.path;
  add_job(body, result.page(), node_run(body),
          {.nodes = true,
           .ranks = scenario.nodes * scenario.ranks(),
           .last = path.last,
           .steps = path.steps,
           .region = [&](std::uint32_t region) { return path.regions[region - 1]; },
           .seconds_of_ps =
               1 / (scenario.node.core.clock_hz * static_cast<double>(CosimRun::core_period(scenario)))});
  body["assumptions"].push_back(
      "efficiency: on the ideal network, and on others, the nodes are the same: interfaces, DMA and the "
      "instructions of the MPI library keep their times");
  const nlohmann::ordered_json& total = body["compute"]["total"];
  if (total["overhead"] == 0 && total["wait"] == 0 && run.messages != 0)
    body["assumptions"].push_back(
        "efficiency: the program makes no MPI calls, so that its waits for puts and gets count as computing");
  add_ideal(body, on_ideal, kSameComputing);
  add_what_if(body, twice.text(), twice_as_fast);
  if (!alone.empty()) add_what_if(body, uncontended.text(), alone);
}

}  // namespace psim
