// SPDX-License-Identifier: Apache-2.0
// The ports of messages: nic.port_choice and nic.rails, and nic.stripe, parts over all ports of a node. A
// part is a message of its own with a record at both ends; packets carry the part's number.
#include <algorithm>

#include "netsim/nic/network_interface.h"

namespace psim::net {

/// Returns the port of a message, of several. If ports are at several routers, it also sets the address: that
/// of the destination's port with the same number, or of the near one.
std::uint32_t NetworkInterfaces::next_port(std::uint32_t node, Message& message) {
  std::uint32_t& turn = nodes_[node].turn[message.bulk];
  NearPorts::Pair chosen;
  if (near_ && message.node != node) {
    const std::vector<NearPorts::Pair>& nearest = near_->between(node, message.node);
    chosen = nearest[turn % nearest.size()];
    turn = (turn + 1) % static_cast<std::uint32_t>(nearest.size());
  } else if (by_destination_) {
    chosen.from = chosen.to = message.node % ports_a_node_;
  } else {
    chosen.from = chosen.to = turn;
    turn = turn + 1 == ports_a_node_ ? 0 : turn + 1;
  }
  if (spread_) message.address = routing_.port_address(NodeId{message.node}, chosen.to);
  return chosen.from;
}

/// Queues the parts: whole packets, of which earlier ports get one more where they do not divide evenly.
void NetworkInterfaces::send_striped(std::uint32_t node, std::uint32_t number) {
  const Message& whole = pool_[number];
  ++counts_.striped;
  const std::uint32_t router = graph_.node_router[whole.node];
  const bool here = engine_.is_here(router);
  const std::uint32_t process = engine_.partition().owner(router);
  if (!here) remote_.announce(process, number, pool_[number]);
  const std::uint64_t packets = (whole.wire_bytes + payload_ - 1) / payload_;
  std::uint64_t left = whole.wire_bytes;
  for (std::uint32_t port = 0; left != 0; ++port) {
    const std::uint32_t part = pool_.take();
    Message& message = pool_[part];
    message.envelope = whole.envelope;
    message.queued = whole.queued;
    message.wire_bytes =
        std::min(left, (packets / ports_a_node_ + (port < packets % ports_a_node_ ? 1 : 0)) * payload_);
    message.address = spread_ ? routing_.port_address(NodeId{whole.node}, port) : whole.address;
    message.source = node;
    message.node = whole.node;
    message.in_place = whole.in_place;
    message.control = whole.control;
    message.bulk = whole.bulk;
    message.owner = whole.owner;
    message.cause = whole.cause;
    message.whole = number;
    left -= message.wire_bytes;
    if (!here) remote_.announce(process, part, message);
    queue_at(node * ports_a_node_ + port, part);
  }
}

void NetworkInterfaces::finish_part(std::uint32_t number) {
  const Message& part = pool_[number];
  std::uint32_t whole = part.whole;
  if (part.home != Message::kNone) {
    whole = remote_.here(part.home, whole);
    remote_.delivered(part.home, part.home_number);
  }
  pool_[whole].arrived += part.wire_bytes;
  pool_.free(number);
  if (pool_[whole].arrived == pool_[whole].wire_bytes) finish(whole);
}

}  // namespace psim::net
