// SPDX-License-Identifier: Apache-2.0
#include "netsim/testing/script.h"

#include <algorithm>

namespace psim::net::testing {

NetworkConfig easy_network() {
  NetworkConfig config;
  config.topology.shape = "8x8";
  config.link.bandwidth = config.nic.bandwidth = 1_GBps;
  config.link.delay = Picoseconds{20'000};
  config.router.routing = Picoseconds{5'000};
  config.router.vc_allocation = config.router.switch_allocation = Picoseconds{10'000};
  config.router.traversal = Picoseconds{55'000};
  config.nic.delay = Picoseconds{10'000};
  config.nic.payload = 1_KiB;
  config.router.buffer = 8_KiB;
  return config;
}

Script::Script(const NetworkConfig& config, const std::vector<Sent>& sent, std::uint64_t seed,
               std::uint32_t nodes, Watch* watch, LinkHistory* history)
    : sent_(sent),
      network_(make_topology(config, nodes)),
      simulation_(config, network_.graph, *network_.routing, *this, seed),
      arrived(sent.size()),
      departed_at(sent.size()) {
  for (std::uint32_t i = 0; i < sent.size(); ++i) {
    simulation_.engine().set_router(network_.graph.node_router[sent[i].from]);
    simulation_.timer(sent[i].time, i, 0);
  }
  if (watch != nullptr) simulation_.attach(*watch);
  if (history != nullptr) simulation_.attach(*history);
  simulation_.run();
}

void Script::timer(std::uint64_t token, std::uint32_t) {
  const std::uint32_t number = simulation_.interfaces().pool().take();
  Message& message = simulation_.interfaces().pool()[number];
  message.node = sent_[token].to;
  message.wire_bytes = sent_[token].bytes;
  message.envelope = {};
  message.envelope.sender = static_cast<std::uint32_t>(token);
  message.in_place = sent_[token].in_place;
  message.owner = sent_[token].owner;
  simulation_.interfaces().send(sent_[token].from, number);
}

/// Returns the largest owner of the messages.
std::uint32_t Script::owners() const {
  std::uint32_t most = 0;
  for (const Sent& one : sent_) most = std::max<std::uint32_t>(most, one.owner);
  return most;
}

void Script::delivered(Message& message) { arrived[message.envelope.sender] = simulation_.engine().now(); }

void Script::departed(Message& message) { departed_at[message.envelope.sender] = simulation_.engine().now(); }

}  // namespace psim::net::testing
