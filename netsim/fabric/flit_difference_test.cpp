// SPDX-License-Identifier: Apache-2.0
// Compares the packet engine with routers that move flits outside the conditions of equality: the signed
// differences of mean latency and throughput over the load. docs/records/flits.md has the table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/random.h"
#include "netsim/testing/flit_network.h"
#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::FlitNetwork;
using testing::FlitPacket;
using testing::FlitSight;
using testing::FlitTiming;
using testing::Script;
using testing::Sent;

constexpr std::uint64_t kFlitBytes = 64, kCycle = 12'800;  // of 64 bytes at 5 GB/s
constexpr std::uint32_t kLongest = 8, kBufferFlits = 32, kPackets = 40;

Picoseconds cycles(double n) { return Picoseconds{static_cast<std::int64_t>(n * kCycle)}; }

/// A network of one kind, as packets and as flits.
struct Pair {
  const char* name;
  NetworkConfig config;
  FlitTiming timing;
};

/// Returns a pair for which all conditions of equality hold.
Pair equal(const char* name) {
  Pair pair{name, {}, {}};
  NetworkConfig& config = pair.config;
  const FlitTiming& timing = pair.timing;
  config.topology.shape = "4x4";
  config.router.virtual_channels = 4;
  config.router.buffer = Bytes{kBufferFlits * kFlitBytes};
  config.router.routing = cycles(timing.routing);
  config.router.vc_allocation = cycles(timing.to_output);
  config.router.switch_allocation = config.router.traversal = cycles(0);
  config.router.credit_delay = cycles(timing.credit);
  config.link.delay = cycles(timing.cable);
  config.nic.delay = cycles(timing.node_cable);
  config.nic.payload = Bytes{kLongest * kFlitBytes};
  return pair;
}

/// Delays that are not multiples of the flits' clock; the flits use the next longer ones.
Pair off_grid() {
  Pair pair = equal("delays off the clock");
  pair.config.router.routing = cycles(0.3);
  pair.config.router.vc_allocation = cycles(1.6);
  pair.config.link.delay = cycles(0.45);
  pair.config.nic.delay = cycles(0.5);
  pair.config.router.credit_delay = cycles(2.3);
  return pair;
}

/// Cables between cabinets at half the rate of all others.
Pair unequal() {
  Pair pair = equal("cables of half the rate");
  pair.config.topology.cabinet = "2x4";
  pair.config.link.classes[static_cast<std::size_t>(CableClass::Global)].bandwidth =
      BytesPerSecond{2'500'000'000};
  pair.timing.global = 2;
  return pair;
}

Pair interleaved() {
  Pair pair = equal("flits of packets interleaved");
  pair.timing.interleaved = true;
  return pair;
}

struct Seen {
  double latency = 0;  ///< cycles, mean, from making to the tail's arrival
  double end = 0;      ///< cycles until all have arrived: what the throughput allows
};

std::vector<FlitPacket> traffic(std::uint32_t nodes, double load) {
  std::vector<FlitPacket> packets;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    double time = 0;
    for (std::uint32_t i = 0; i < kPackets; ++i) {
      const std::uint64_t bits = random_bits(7, node, i);
      FlitPacket packet;
      packet.source = node;
      packet.destination = (node + 1 + static_cast<std::uint32_t>(bits % (nodes - 1))) % nodes;
      packet.flits = 1 + static_cast<std::uint32_t>((bits >> 20) % kLongest);
      time += static_cast<double>((bits >> 32) % 1'000) / 500 * (kLongest + 1) / 2 / load;
      packet.made = static_cast<std::uint64_t>(time);
      packets.push_back(packet);
    }
  }
  return packets;
}

Seen as_flits(const Pair& pair, const std::vector<FlitPacket>& packets) {
  const Network network = make_topology(pair.config, 0);
  FlitNetwork reference(network.graph, *network.routing, pair.config.router.virtual_channels, kBufferFlits,
                        pair.timing);
  Seen seen;
  std::size_t arrived = 0;
  for (const FlitSight& sight : reference.run(packets, 1'000'000)) {
    if (!sight.tail) continue;
    ++arrived;
    seen.latency +=
        static_cast<double>(sight.cycle - packets[sight.packet].made) / static_cast<double>(packets.size());
    seen.end = std::max(seen.end, static_cast<double>(sight.cycle));
  }
  EXPECT_EQ(arrived, packets.size());
  return seen;
}

Seen as_packets(const Pair& pair, const std::vector<FlitPacket>& packets) {
  std::vector<Sent> sent;
  for (const FlitPacket& packet : packets)
    sent.push_back(
        {packet.made * kCycle, packet.source, packet.destination, packet.flits * kFlitBytes, false});
  const Script script(pair.config, sent);
  Seen seen;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    seen.latency += static_cast<double>(script.took(i)) / kCycle / static_cast<double>(packets.size());
    seen.end = std::max(seen.end, static_cast<double>(script.arrived[i]) / kCycle);
  }
  return seen;
}

/// The engine's mean latency and throughput less those of the flits, in per cent of the flits'.
struct Difference {
  double latency;
  double throughput;
};
constexpr std::array kLoads = {0.1, 0.2, 0.4, 0.6, 1.0};  ///< flits a node and cycle

/// Prints a row for each load, and expects its difference within `tolerance` (per cent).
void compare(const Pair& pair, const std::array<Difference, kLoads.size()>& expected,
             double tolerance = 0.01) {
  fmt::print("{:<30}{:>6}{:>14}{:>16}{:>10}{:>14}\n", pair.name, "load", "flits: cycles", "packets: cycles",
             "latency", "throughput");
  for (std::size_t i = 0; i < kLoads.size(); ++i) {
    const std::vector<FlitPacket> packets = traffic(16, kLoads[i]);
    const Seen flits = as_flits(pair, packets), ours = as_packets(pair, packets);
    const Difference found{100 * (ours.latency / flits.latency - 1), 100 * (flits.end / ours.end - 1)};
    fmt::print("{:<30}{:>6.2f}{:>14.1f}{:>16.1f}{:>+8.2f} %{:>+12.2f} %\n", "", kLoads[i], flits.latency,
               ours.latency, found.latency, found.throughput);
    EXPECT_NEAR(found.latency, expected[i].latency, tolerance) << pair.name << ", load " << kLoads[i];
    EXPECT_NEAR(found.throughput, expected[i].throughput, tolerance) << pair.name << ", load " << kLoads[i];
  }
}

TEST(FlitDifference, IsNoneWhereAllConditionsHold) { compare(equal("all conditions hold"), {}, 1e-9); }

// Rounding costs 0.7 + 0.4 cycles in each router, 0.55 on each cable and 0.5 on each of the two cables of
// nodes. The mean path is 32/15 cables long: 5.6 of the flits' 18.8 cycles at low load, -29.9 %. At higher
// loads both wait longer, and the share falls.
TEST(FlitDifference, OfDelaysOffTheClockIsTheirRounding) {
  compare(off_grid(), {{{-30.22, 0.27}, {-29.10, 0.53}, {-26.41, 1.05}, {-21.98, 1.56}, {-11.84, 3.11}}});
}

TEST(FlitDifference, OfUnequalRatesIsThatBodiesCatchUpWithTheirHeads) {
  compare(unequal(), {{{5.54, 0}, {5.72, 0}, {8.31, 0}, {11.90, 1.57}, {11.56, 1.15}}});
}

TEST(FlitDifference, OfInterleavingGrowsWithTheLoad) {
  compare(interleaved(), {{{-0.82, 0}, {-1.34, 0}, {-4.63, 0}, {-20.13, 1.42}, {-36.39, 19.86}}});
}

}  // namespace
}  // namespace psim::net
