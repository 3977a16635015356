// SPDX-License-Identifier: Apache-2.0
#include "netsim/network_config.h"

#include <algorithm>

namespace psim::net {
namespace {

constexpr Picoseconds kNone{0};
constexpr Picoseconds kSecond{1'000'000'000'000};
constexpr BytesPerSecond kSlowest{1'000'000}, kFastest{10'000'000'000'000};

void describe_router(Schema& schema, RouterConfig& router) {
  schema.section("router", "input-buffered virtual cut-through router");
  schema.add("router.routing", router.routing, {kNone, kSecond}, "routing computation of a head",
             kAssumption);
  schema.add("router.vc_allocation", router.vc_allocation, {kNone, kSecond},
             "allocation of a virtual channel", kAssumption);
  schema.add("router.switch_allocation", router.switch_allocation, {kNone, kSecond}, "switch allocation",
             kAssumption);
  schema.add("router.traversal", router.traversal, {kNone, kSecond}, "from input to output of the switch",
             kAssumption);
  schema.add("router.virtual_channels", router.virtual_channels, {1, 16}, "virtual channels of each input",
             kAssumption);
  schema.add("router.buffer", router.buffer, {1_B, 1_GiB}, "buffer of each virtual channel", kAssumption);
  schema.add("router.credit_delay", router.credit_delay, {kNone, kSecond},
             "from the leaving of a tail to the sender's knowing; 0: a router's pass and the cable",
             kAssumption);
  schema.add("router.input_speedup", router.input_speedup, {1, 16},
             "packets that may leave one input at once", kAssumption);
  schema.add("router.arbitration", router.arbitration,
             {{"round-robin", Arbitration::RoundRobin}, {"age", Arbitration::Age}},
             "which of the packets that ask for an output goes first", kAssumption);
}

void describe_ends(Schema& schema, NicConfig& nic, NodeConfig& node) {
  schema.section("nic", "network interface of a node");
  schema.add("nic.payload", nic.payload, {1_B, 1_MiB}, "data of a full packet", kAssumption);
  schema.add("nic.header", nic.header, {0_B, 4_KiB}, "added to each packet", kAssumption);
  schema.add("nic.bandwidth", nic.bandwidth, {kSlowest, kFastest}, "between interface and router, each way",
             kAssumption);
  schema.add("nic.delay", nic.delay, {kNone, kSecond}, "along that channel", kAssumption);
  schema.add("nic.dma_bandwidth", nic.dma_bandwidth, {{0}, kFastest}, "of the DMA engine; 0 never limits",
             kAssumption);
  schema.add("nic.dma_startup", nic.dma_startup, {kNone, kSecond}, "of the DMA engine, for each message",
             kAssumption);
  schema.add("nic.ports", nic.ports, {1, 16}, "of each node to its router, used in turn", kAssumption);
  schema.section("node", "computing node");
  schema.add("node.ranks", node.ranks, {1, 4096}, "ranks of each node", kAssumption);
  schema.add("node.memory_latency", node.memory_latency, {kNone, kSecond}, "of a message inside the node",
             kAssumption);
  schema.add("node.copy_bandwidth", node.copy_bandwidth, {kSlowest, kFastest}, "of a message inside the node",
             kAssumption);
}

/// What must hold between keys.
void add_rules(Schema& schema, NetworkConfig& config) {
  const auto packet = [&config] { return config.nic.payload.count + config.nic.header.count; };
  schema.rule(
      {"router.buffer", "nic.payload", "nic.header"},
      [&config, packet] { return config.router.buffer.count >= packet(); },
      "a buffer must hold a whole packet, header included");
  schema.rule(
      {"nic.payload", "nic.header", "link.bandwidth", "nic.bandwidth"},
      [&config, packet] {
        const std::uint64_t slowest = std::min(config.link.bandwidth.count, config.nic.bandwidth.count);
        return packet() < slowest / 250;  // 2^32 ps is 4.29 ms
      },
      "a packet must pass a channel in less than 4 ms");
  schema.rule(
      {"link.delay", "router.routing", "router.vc_allocation", "router.switch_allocation",
       "router.traversal"},
      [&config] { return (config.router.pass() + config.link.delay).count() > 0; },
      "a hop must take time: its delays must not all be 0");
}

}  // namespace

void describe(Schema& schema, NetworkConfig& config) {
  schema.section("topology", "how routers and nodes are joined");
  schema.add("topology.kind", config.topology.kind, "torus, mesh, …: docs/topologies.md", kAssumption);
  schema.add("topology.shape", config.topology.shape,
             "sizes, \"16x8x8\"; empty: 3D, as near cubic as the number of nodes allows", kAssumption);
  schema.add("topology.routing", config.topology.routing, "empty: the usual one of the topology",
             kAssumption);
  schema.section("link", "channels between routers");
  schema.add("link.bandwidth", config.link.bandwidth, {kSlowest, kFastest}, "of each direction", kAssumption);
  schema.add("link.delay", config.link.delay, {kNone, kSecond}, "propagation along the cable", kAssumption);
  describe_router(schema, config.router);
  describe_ends(schema, config.nic, config.node);
  add_rules(schema, config);
}

}  // namespace psim::net
