// SPDX-License-Identifier: Apache-2.0
// What a run on a network says of itself: the keys of `psim net`'s result and the lines for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/result_document.h"
#include "netsim/simulation.h"
#include "netsim/topology/topology.h"
#include "ranks/job/rank_load.h"

namespace psim {

/// seconds, messages, packets, packet_hops, latency, dma (where it takes time), links, nodes, topology. Times
/// are seconds, sizes bytes.
void add_network(nlohmann::ordered_json& body, const net::Network& network,
                 const net::Simulation& simulation);
/// What one node has sent and received by all of its ports, headers included.
struct NodeTraffic {
  std::uint64_t packets_sent = 0, bytes_sent = 0, packets_received = 0, bytes_received = 0;
};
NodeTraffic node_traffic(const net::Graph& graph, const net::Simulation& simulation, std::uint32_t node);

/// How the time of the jobs' ranks divides: mean, min and max of compute, overhead, transfer, wait, end.
nlohmann::ordered_json per_rank(const std::vector<const net::Job*>& jobs);
/// ranks, per_rank; and rdma, if there was remote direct memory access.
void add_ranks(nlohmann::ordered_json& body, const net::RankLoad& load);

/// host.processes and, of several, host.windows: how they shared the work. Their time and memory are added
/// up.
void add_sharing(ResultDocument& result, const net::Sharing& sharing, std::uint32_t processes);

/// host.bytes_per_rank: what the whole run took of memory, by rank. Before finish().
void add_bytes_per_rank(nlohmann::ordered_json& host, const net::Sharing& sharing, std::uint32_t ranks);

/// "the program computed 12.3 s on this host, which counted as 0"; empty if computing took simulated time, or
/// there is no program.
std::string uncounted_computing(const nlohmann::ordered_json& body, const nlohmann::ordered_json& host);

/// The report on standard error, from what add_network() and add_ranks() wrote.
void print_network(const nlohmann::ordered_json& body, const nlohmann::ordered_json& host);

}  // namespace psim
