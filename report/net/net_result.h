// SPDX-License-Identifier: Apache-2.0
// The keys of `psim net`'s result and the lines for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/result_document.h"
#include "netsim/simulation.h"
#include "netsim/topology/topology.h"
#include "ranks/job/rank_load.h"

namespace psim {

/// Adds seconds, messages, packets, packet_hops, latency, dma (if it takes time), links, nodes and topology.
/// Times are seconds, sizes bytes.
void add_network(nlohmann::ordered_json& body, const net::Network& network,
                 const net::Simulation& simulation);
/// Adds `timeline`: link efficiency by direction, and occupancy of buffers, over time (paper 003, figure 11).
void add_timeline(nlohmann::ordered_json& body, const net::Graph& graph, const net::Simulation& simulation);
/// The traffic that one node has sent and received by all of its ports, headers included.
struct NodeTraffic {
  std::uint64_t packets_sent = 0, bytes_sent = 0, packets_received = 0, bytes_received = 0;
};
NodeTraffic node_traffic(const net::Graph& graph, const net::Simulation& simulation, std::uint32_t node);

/// Returns the division of the ranks' time: mean, min and max of compute, overhead, transfer, wait, end.
nlohmann::ordered_json per_rank(const std::vector<const net::Job*>& jobs);
/// Adds ranks and per_rank; and rdma, if there was remote direct memory access.
void add_ranks(nlohmann::ordered_json& body, const net::RankLoad& load);

/// Adds host.processes and, with several, host.windows: the division of the work. Their time and memory are
/// summed.
void add_sharing(ResultDocument& result, const net::Sharing& sharing, std::uint32_t processes);

/// Adds host.bytes_per_rank: the memory of the whole run, divided by the ranks. Call it before finish().
void add_bytes_per_rank(nlohmann::ordered_json& host, const net::Sharing& sharing, std::uint32_t ranks);

/// Returns "the program computed 12.3 s on this host, which counted as 0". Empty if computing took simulated
/// time, or there is no program.
std::string uncounted_computing(const nlohmann::ordered_json& body, const nlohmann::ordered_json& host);

/// Prints the report on standard error, from the keys of add_network() and add_ranks().
void print_network(const nlohmann::ordered_json& body, const nlohmann::ordered_json& host);

}  // namespace psim
