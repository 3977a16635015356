// SPDX-License-Identifier: Apache-2.0
#include "netsim/config/network_config.h"

#include <algorithm>

namespace psim::net {
namespace {

constexpr Picoseconds kNone{0};
constexpr Picoseconds kSecond{1'000'000'000'000};
constexpr BytesPerSecond kSlowest{1'000'000}, kFastest{10'000'000'000'000};

constexpr struct {
  const char* key;
  const char* text;
  CableClass cable;
} kCables[] = {
    {"link.global", "cables between groups of a dragonfly, drawers, or cabinets (topology.cabinet)",
     CableClass::Global},
    {"link.level2", "cables of a fat tree from switches of level 2 up", CableClass::Level2},
    {"link.level3", "cables of a fat tree from switches of level 3 up", CableClass::Level3},
    {"link.level4", "cables of a fat tree from switches of level 4 and higher up", CableClass::Level4},
};

void describe_links(Schema& schema, LinkConfig& link) {
  schema.section("link", "channels between routers");
  schema.add("link.bandwidth", link.bandwidth, {kSlowest, kFastest}, "of each direction", kAssumption);
  schema.add("link.delay", link.delay, {kNone, kSecond}, "propagation along the cable", kAssumption);
  schema.add("link.bit_error_rate", link.bit_error_rate, {0.0, 1e-4},
             "probability that a bit arrives wrong, of links of nodes too; the packet is sent again",
             "IEEE Std 802.3-2022: 1e-12 or less at the MAC");
  schema.add("link.retry_delay", link.retry_delay, {kNone, kSecond},
             "from the departure of a bad packet's tail until the packet is sent again; 0: twice the cable's "
             "delay",
             "Slingshot and InfiniBand repeat on each link; the delay is an assumption");
  for (const auto& cable : kCables) {
    CableConfig& config = link.classes[static_cast<std::size_t>(cable.cable)];
    const std::string key = cable.key;
    schema.section(key, cable.text);
    schema.add(key + ".bandwidth", config.bandwidth, {{0}, kFastest}, "of each direction; 0: link.bandwidth",
               kAssumption);
    schema.add(key + ".delay", config.delay, {kNone, kSecond}, "propagation along the cable; 0: link.delay",
               kAssumption);
    schema.rule(
        {key + ".bandwidth"},
        [&config] { return config.bandwidth.count == 0 || config.bandwidth.count >= kSlowest.count; },
        "expected at least 1 MB/s, or 0 for link.bandwidth");
  }
}

void describe_sleep(Schema& schema, SleepConfig& sleep) {
  constexpr Picoseconds kLongest{1'000 * kSecond.count()};
  constexpr std::string_view kPaper = "paper 002 table 2";
  schema.section("link.sleep", "low power for each direction of links, those of nodes too");
  schema.add(
      "link.sleep.policy", sleep.policy, sleep_policies(),
      "off; never: counted, but always active; fixed: after a time without packets; known: fixed, but "
      "packets are known in time to wake the link; port: fixed, but both directions of a port together; "
      "predict: fixed, but wakes before the packet that it predicts from earlier rests",
      "paper 002 3.2");
  schema.add("link.sleep.after", sleep.after, {kNone, kLongest}, "T_s: time without packets before low power",
             kPaper);
  schema.add("link.sleep.wake", sleep.wake, {kNone, kSecond},
             "T_w: from a packet's request until it can pass", kPaper);
  for (const auto& cable : kCables)
    schema.add("link.sleep.after_" + std::string(cable.key).substr(5),
               sleep.after_by_class[static_cast<std::size_t>(cable.cable)], {kNone, kLongest},
               "T_s of these cables; 0: link.sleep.after", kAssumption);
  schema.add("link.sleep.after_node", sleep.after_by_class[kCableClasses], {kNone, kLongest},
             "T_s of links between nodes and routers; 0: link.sleep.after", kAssumption);
  schema.add(
      "link.sleep.chunk", sleep.chunk, {0_B, 1_GiB},
      "policy fixed, T_s = 0: low power also follows each chunk of a packet, as in CODES; 0: packets are "
      "not cut, and a link stays awake for those that follow each other without a gap",
      "CODES torus.c: 32 B");
  schema.leave_out_defaults("link.sleep.chunk");
}

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
             "from the departure of a tail to the sender's credit; 0: a router's pass and the cable",
             kAssumption);
  schema.add("router.input_speedup", router.input_speedup, {1, 16},
             "packets that may leave one input at once", kAssumption);
  schema.add("router.arbitration", router.arbitration,
             {{"round-robin", Arbitration::RoundRobin}, {"age", Arbitration::Age}},
             "priority of packets that request the same output", kAssumption);
  schema.add(
      "router.vc_choice", router.vc_choice, {{"flow", VcChoice::Flow}, {"free", VcChoice::Free}},
      "virtual channel of a packet, of those that the routing allows alike: flow, the same for all "
      "packets from one node to another; free, at each hop one with most credits (BookSim's rule), with "
      "dimension-order and random-ties of tori, and with routings of HyperX, hypercube, express mesh and "
      "Slim "
      "Fly that have no escape channels",
      kAssumption);
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
  schema.add("nic.dma_engines", nic.dma_engines, {1, 64},
             "engines of a node that read memory, and the same number that write; the first free one serves "
             "a packet",
             "paper 000, table 1, gives one rate of a node");
  schema.add(
      "nic.interleave", nic.interleave,
      "messages of rendezvous and RDMA that wait at a port take turns, packet by packet; else they go one "
      "after the other",
      kAssumption);
  schema.add(
      "nic.loopback", nic.loopback,
      "messages inside a node pass its interface, with DMA engines and at nic.bandwidth; else its memory",
      kAssumption);
  schema.add("nic.ports", nic.ports, {1, 16}, "ports of each node", kAssumption);
  schema.add("nic.rails", nic.rails,
             {{"shared", NicRails::Shared}, {"spread", NicRails::Spread}, {"planes", NicRails::Planes}},
             "routers of a node's ports: shared, all at one router; spread, each at another of nic.ports "
             "routers that follow each other and share their nodes; planes, each in a copy of the network of "
             "its own",
             "spread: rail-optimised clusters; planes: multi-plane networks");
  schema.leave_out_defaults("nic.rails");
  schema.add(
      "nic.port_choice", nic.port_choice,
      {{"turn", PortChoice::Turn}, {"destination", PortChoice::Destination}, {"near", PortChoice::Near}},
      "port of a message: the ports in turn; the same for all messages to a node; or near, with "
      "nic.rails = spread, in turn those from which the route is shortest",
      "Liu, Vishnu and Panda, SC 2004: round robin, or bound to a path");
  schema.add("nic.stripe", nic.stripe, {0_B, 1_GiB},
             "messages longer than this are spread over all ports in equal parts; 0: none",
             "Liu, Vishnu and Panda, SC 2004: even striping above a threshold");
  schema.add("nic.send_interval", nic.send_interval, {kNone, kSecond},
             "least time from the start of a port's message to the start of its next; 0: none",
             "ConnectX-6 user manual: 215 million messages/s are 4.65 ns");
  schema.add("nic.receive_interval", nic.receive_interval, {kNone, kSecond},
             "least time from the completion of a message that a port receives to that of its next; 0: none",
             "as nic.send_interval");
  schema.add("nic.packet_interval", nic.packet_interval, {kNone, kSecond},
             "pacing: least time from the start of a port's packet to the start of its next; 0: none",
             kAssumption);
  schema.add("nic.injection_rate", nic.injection_rate, {{0}, kFastest},
             "pacing: highest rate of a port's packets, pauses included; 0: none", kAssumption);
  schema.rule(
      {"nic.injection_rate"},
      [&nic] { return nic.injection_rate.count == 0 || nic.injection_rate.count >= kSlowest.count; },
      "expected at least 1 MB/s, or 0 for none");
  schema.add("nic.placement", nic.placement,
             {{"any", PacketPlacement::Any}, {"ordered", PacketPlacement::Ordered}},
             "packets of a message go to memory as they arrive; or ordered, as they were sent, and the "
             "interface holds those that have overtaken others on adaptive routes",
             "any: RDMA of Slingshot and of InfiniBand with adaptive routing; ordered: RoCE");
  schema.section("node", "computing node");
  schema.add("node.ranks", node.ranks, {1, 4096}, "ranks of each node", kAssumption);
  schema.add("node.memory_latency", node.memory_latency, {kNone, kSecond}, "of a message inside the node",
             kAssumption);
  schema.add("node.copy_bandwidth", node.copy_bandwidth, {kSlowest, kFastest}, "of a message inside the node",
             kAssumption);
}

void describe_congestion(Schema& schema, CongestionConfig& config) {
  constexpr std::string_view kPaper = "DCQCN: Zhu et al., SIGCOMM 2015";
  schema.section("congestion", "congestion control: rates of a node's packets to another node");
  schema.add("congestion.control", config.control,
             {{"none", CongestionControl::None},
              {"dcqcn", CongestionControl::Dcqcn},
              {"back-pressure", CongestionControl::BackPressure}},
             "none; dcqcn: routers mark packets, destinations send notices, sources reduce their rate; or "
             "back-pressure: a congested node throttles the flows that reach it, and no others",
             "DCQCN: Zhu et al., SIGCOMM 2015; back-pressure of flows: De Sensi et al., SC 2020");
  schema.add("congestion.throttle_wait", config.throttle_wait, {Picoseconds{1}, kSecond},
             "back-pressure: a packet that has waited this long in the network, for a node that has received "
             "packets without a gap this long, throttles its flow",
             kAssumption);
  schema.add("congestion.throttle_hold", config.throttle_hold, {Picoseconds{1}, kSecond},
             "back-pressure: time without a notice after which the rate of a flow doubles", kAssumption);
  schema.leave_out_defaults("congestion.throttle");
  schema.add(
      "congestion.mark_from", config.mark_from, {0_B, 1_GiB},
      "K_min: backlog of an output, those of its next buffers and a packet for each input that waits, up "
      "to which no packet is marked",
      kPaper);
  schema.add("congestion.mark_all", config.mark_all, {1_B, 1_GiB},
             "K_max: backlog from which all packets are marked", kPaper);
  schema.add("congestion.mark_most", config.mark_most, {0.0, 1.0},
             "P_max: probability of a mark just below mark_all; it rises linearly from mark_from", kPaper);
  schema.add("congestion.interval", config.interval, {kNone, kSecond},
             "N: least time between two notices of a node to another", kPaper);
  schema.add("congestion.gain", config.gain, {0.0, 1.0},
             "g: weight of a notice in the estimate of congestion", kPaper);
  schema.add("congestion.decay", config.decay, {Picoseconds{1}, kSecond},
             "K: time without a notice after which the estimate falls", kPaper);
  schema.add("congestion.increase", config.increase, {Picoseconds{1}, kSecond},
             "T: time without a notice after which the rate rises", kPaper);
  schema.add("congestion.recovery", config.recovery, {0, 1'000},
             "F: rises to the middle of rate and target before the target rises too", kPaper);
  schema.add("congestion.step", config.step, {kSlowest, kFastest}, "R_AI: rise of the target", kPaper);
  schema.add("congestion.least", config.least, {kSlowest, kFastest}, "lowest rate", kAssumption);
  schema.rule(
      {"congestion.mark_from", "congestion.mark_all"},
      [&config] { return config.mark_from < config.mark_all; }, "expected mark_from below mark_all");
}

void describe_jitter(Schema& schema, JitterConfig& jitter) {
  schema.section("jitter", "processor time that the operating system takes from the ranks");
  schema.add("jitter.period", jitter.period, {kNone, kSecond},
             "time in which a rank loses its processor once; 0: never", kAssumption);
  schema.add("jitter.duration", jitter.duration, {kNone, kSecond},
             "duration of each loss; the mean, if it is random", kAssumption);
  schema.add(
      "jitter.distribution", jitter.distribution,
      {{"fixed", JitterDistribution::Fixed},
       {"uniform", JitterDistribution::Uniform},
       {"exponential", JitterDistribution::Exponential}},
      "distribution of the durations: equal, uniform up to twice the mean, or exponential; below the period",
      kAssumption);
  schema.add("jitter.aligned", jitter.aligned,
             "all ranks at once, from time 0 on; else each rank has its own phase, by the seed", kAssumption);
  schema.rule(
      {"jitter.duration", "jitter.period"},
      [&jitter] { return jitter.duration.count() == 0 || jitter.duration < jitter.period; },
      "jitter.duration must be shorter than jitter.period");
}

void describe_model(Schema& schema, NetworkConfig& config) {
  schema.section("network", "the model of the network between nodes");
  schema.add("network.model", config.model,
             {{"packets", NetworkModel::Packets}, {"analytic", NetworkModel::Analytic}},
             "packets on routers and links; or analytic, a formula for each message (docs/skeletons.md)",
             kAssumption);
  schema.section("analytic",
                 "the analytic network: a message of s bytes takes latency + hops x hop + s / bandwidth");
  schema.add("analytic.latency", config.analytic.latency, {kNone, kSecond},
             "of each message; 0: latency and hop are those of a packet in the empty network", kAssumption);
  schema.add("analytic.bandwidth", config.analytic.bandwidth, {{0}, kFastest},
             "of each message; 0: the lower one of nic.bandwidth and link.bandwidth", kAssumption);
  schema.add("analytic.hop", config.analytic.hop, {kNone, kSecond},
             "of each link between routers; needs analytic.latency", kAssumption);
}

/// Adds the conditions between keys.
void add_rules(Schema& schema, NetworkConfig& config) {
  const auto packet = [&config] { return config.nic.payload.count + config.nic.header.count; };
  schema.rule(
      {"router.buffer", "nic.payload", "nic.header"},
      [&config, packet] { return config.router.buffer.count >= packet(); },
      "a buffer must hold a whole packet with its header");
  schema.rule(
      {"nic.payload", "nic.header", "link.bandwidth", "nic.bandwidth", "link.global.bandwidth",
       "link.level2.bandwidth", "link.level3.bandwidth", "link.level4.bandwidth"},
      [&config, packet] {
        std::uint64_t slowest = config.nic.bandwidth.count;
        for (std::size_t i = 0; i < kCableClasses; ++i)
          slowest = std::min(slowest, link_of(config.link, static_cast<CableClass>(i)).bandwidth.count);
        return packet() < slowest / 250;  // 2^32 ps is 4.29 ms
      },
      "a packet must pass a channel in less than 4 ms");
  schema.rule(
      {"link.delay", "router.routing", "router.vc_allocation", "router.switch_allocation",
       "router.traversal"},
      [&config] { return (config.router.pass() + config.link.delay).count() > 0; },
      "a hop must take time: its delays must not all be 0");
  schema.rule(
      {"analytic.hop", "analytic.latency"},
      [&config] { return config.analytic.hop.count() == 0 || config.analytic.latency.count() != 0; },
      "the time of a hop needs a latency");
  schema.rule(
      {"link.sleep.chunk", "link.sleep.wake", "nic.payload", "nic.header"},
      [&config, packet] {
        const SleepConfig& sleep = config.link.sleep;
        if (sleep.chunk.count == 0) return true;
        const std::uint64_t chunks = (packet() + sleep.chunk.count - 1) / sleep.chunk.count;
        return chunks * ps(sleep.wake) < (std::uint64_t{1} << 31);  // with the packet's own 2^31 ps
      },
      "the chunks of a packet must wait for less than 2 ms in all");
  schema.rule(
      {"network.model", "link.sleep.policy"},
      [&config] {
        return config.model == NetworkModel::Packets || config.link.sleep.policy == SleepPolicy::Off;
      },
      "links sleep in the network of packets only");
  schema.rule(
      {"nic.rails", "nic.ports"},
      [&config] { return config.nic.rails == NicRails::Shared || config.nic.ports > 1; },
      "rails need several ports");
  schema.rule(
      {"nic.port_choice", "nic.rails"},
      [&config] {
        return config.nic.port_choice != PortChoice::Near || config.nic.rails == NicRails::Spread;
      },
      "a near port needs ports at several routers: nic.rails = spread");
  schema.rule(
      {"network.model", "nic.stripe", "nic.rails", "nic.send_interval", "nic.receive_interval",
       "nic.placement", "link.bit_error_rate", "congestion.control"},
      [&config] {
        const NicConfig& nic = config.nic;
        return config.model == NetworkModel::Packets ||
               (nic.stripe.count == 0 && nic.rails == NicRails::Shared && nic.send_interval.count() == 0 &&
                nic.receive_interval.count() == 0 && nic.placement == PacketPlacement::Any &&
                config.link.bit_error_rate == 0 && config.congestion.control == CongestionControl::None);
      },
      "stripes, rails, limits of messages, placement, errors of links and congestion control exist in the "
      "network "
      "of packets only");
  schema.rule(
      {"nic.stripe", "nic.ports"}, [&config] { return config.nic.stripe.count == 0 || config.nic.ports > 1; },
      "striping needs several ports");
  schema.rule(
      {"link.bit_error_rate", "nic.payload", "nic.header"},
      [&config, packet] { return 8 * static_cast<double>(packet()) * config.link.bit_error_rate <= 0.5; },
      "a packet must have at most half a wrong bit on average");
  schema.rule(
      {"link.bit_error_rate", "link.sleep.chunk"},
      [&config] { return config.link.bit_error_rate == 0 || config.link.sleep.chunk.count == 0; },
      "links that repeat packets do not sleep between their chunks");
}

}  // namespace

Link link_of(const LinkConfig& link, CableClass cable) {
  const CableConfig& own = link.classes[static_cast<std::size_t>(cable)];
  return {own.bandwidth.count != 0 ? own.bandwidth : link.bandwidth,
          own.delay.count() != 0 ? own.delay : link.delay};
}

void describe(Schema& schema, NetworkConfig& config) {
  describe_model(schema, config);
  schema.section("topology", "connection of routers and nodes");
  schema.add("topology.kind", config.topology.kind, "torus, mesh, …: docs/topologies.md", kAssumption);
  schema.add("topology.shape", config.topology.shape,
             "sizes, \"16x8x8\"; empty: 3D and near cubic, with idle nodes if no such box has exactly the "
             "number of nodes",
             kAssumption);
  schema.add("topology.routing", config.topology.routing, "empty: the default of the topology", kAssumption);
  schema.add(
      "topology.cabinet", config.topology.cabinet,
      "sizes of a cabinet of a lattice, \"8x8x4\"; cables between cabinets are link.global; empty: none",
      kAssumption);
  schema.section("routing", "the choice between minimal and other routes, of routings ugal, ugal-g and par");
  schema.add("routing.bias", config.adaptive.bias, {0_B, 1_GiB},
             "hops x backlog that other routes count more than they have: the higher, the more packets take "
             "minimal routes",
             kAssumption);
  schema.add("routing.candidates", config.adaptive.candidates, {1, 16},
             "random other routes that are compared", kAssumption);
  describe_links(schema, config.link);
  describe_sleep(schema, config.link.sleep);
  describe_router(schema, config.router);
  describe_ends(schema, config.nic, config.node);
  describe_congestion(schema, config.congestion);
  describe_jitter(schema, config.jitter);
  add_rules(schema, config);
}

}  // namespace psim::net
