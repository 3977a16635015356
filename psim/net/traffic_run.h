// SPDX-License-Identifier: Apache-2.0
// `psim net --traffic`: latency and throughput of synthetic traffic as functions of the load.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result_document.h"
#include "machines/network_machine.h"
#include "netsim/parallel/host_processes.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/synthetic.h"

namespace psim {

class PartialResults;

struct TrafficOptions {
  std::string pattern;               ///< as in net::pattern_names(); empty: no synthetic traffic
  std::string load = "0.1:1.0:0.1";  ///< shares of nic.bandwidth: "0.5", "0.1,0.3,0.9" or "FIRST:LAST:STEP"
  std::string message = "2 KiB";
  std::string warm_up, measured;  ///< empty: long enough to judge every flow
  double hot = 0.1;
  std::uint32_t group = 0;  ///< nodes of a group of adversarial traffic; 0: as the topology's
  std::uint32_t shift = 1;
  std::string grid, matrix;          ///< sizes of a stencil; file
  std::string bursts;                ///< "ON:OFF"; empty: none
  std::string arrivals = "poisson";  ///< as in net::arrival_names()
  std::string csv, report;
  std::string statistics;   ///< file for the statistics of each load
  bool saturation = false;  ///< search for the largest load that is carried
  double tolerance = 0.01;  ///< of the load, as a share of nic.bandwidth
  std::uint32_t nodes = 0;  ///< 0: as topology.shape says
  bool quiet = false;
  PartialResults* partials = nullptr;
};

/// Returns the loads that `text` names. Throws UserError unless they are numbers above 0 and at most 4, fewer
/// than 1000.
std::vector<double> parse_loads(const std::string& text);

/// Returns the sizes of a lattice's dimensions, from the shape as make_topology() writes it; {nodes} for
/// other topologies. For the patterns of traffic.
std::vector<std::uint32_t> sizes_of(const net::NetworkConfig& config, const net::Network& network);

/// Bisects loads between 0 and 1 until a carried one and one that is not carried are within `tolerance`.
/// Returns both; the second is 0 if even load 1 is carried. `measure(load)` returns whether the load is
/// carried; nullopt ends the search.
std::pair<double, double> find_saturation(double tolerance,
                                          const std::function<std::optional<bool>(double)>& measure);

/// Runs the points in order, prints the table and fills `result`; with several host processes only the first
/// prints. Returns psim's exit status.
int run_traffic(const TrafficOptions& options, const NetworkMachine& machine, std::uint64_t seed,
                ResultDocument& result, net::HostProcesses& processes);

}  // namespace psim
