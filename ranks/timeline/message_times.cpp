// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/message_times.h"

#include <algorithm>

namespace psim::net {
namespace {

/// Returns the configuration whose formula is that of a packet in the empty network.
NetworkConfig empty_network(NetworkConfig config) {
  if (config.model == NetworkModel::Packets) config.analytic = {};
  return config;
}

}  // namespace

MessageTimes::MessageTimes(const NetworkConfig& config, const Graph& graph, const Routing& routing)
    : empty_(empty_network(config), graph, routing),
      packets_(config.model == NetworkModel::Packets),
      loopback_(config.nic.loopback && packets_),
      payload_(config.nic.payload.count),
      header_(config.nic.header.count),
      memory_latency_(static_cast<std::uint64_t>(config.node.memory_latency.count())),
      dma_startup_(static_cast<std::uint64_t>(config.nic.dma_startup.count())),
      dma_limits_(config.nic.dma_bandwidth.count != 0),
      copy_(config.node.copy_bandwidth),
      dma_(dma_limits_ ? config.nic.dma_bandwidth : BytesPerSecond{1}),
      link_(config.nic.bandwidth) {}

MessageTimes::Parts MessageTimes::parts(std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
                                        bool departs) {
  if (from == to && !loopback_) return {departs ? 0 : memory_latency_, copy_.time(bytes)};
  Parts parts{departs || from == to ? 0 : empty_.latency(from, to), empty_.transfer(bytes)};
  if (!packets_) return parts;
  const std::uint64_t packets = std::max<std::uint64_t>(1, (bytes + payload_ - 1) / payload_);
  const std::uint64_t all = std::max<std::uint64_t>(1, bytes + packets * header_);
  parts.bandwidth = departs || from == to ? link_.time(all) : empty_.transfer(all);
  parts.latency += dma_startup_;
  if (!dma_limits_ || bytes == 0) return parts;
  // The engines read the first packet before it leaves, and write the last one after it has arrived.
  parts.bandwidth = std::max(parts.bandwidth, dma_.time(bytes));
  parts.latency += dma_.time(std::min(bytes, payload_));
  if (!departs) parts.latency += dma_.time(bytes - (packets - 1) * payload_);
  return parts;
}

}  // namespace psim::net
