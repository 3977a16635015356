// SPDX-License-Identifier: Apache-2.0
// Where a packet goes next. One class a scheme, made by make_routing(); stateless but for tables, so that
// every host process and every order of calls gives the same answer.
#pragma once

#include <cstdint>
#include <functional>

#include "base/ids.h"
#include "netsim/packet/packet.h"
#include "netsim/packet/route.h"

namespace psim::net {

/// What an adaptive scheme may see: the router it is in, and nothing beyond it.
class LocalLoad {
 public:
  virtual ~LocalLoad() = default;
  /// Bytes of room that `vc` of the next router's buffer behind `port` is known to have.
  virtual std::uint64_t credits(std::uint16_t port, std::uint8_t vc) const = 0;
  /// Bytes sent over `port` that are not known to have left the next router's buffers, all VCs, and a largest
  /// packet for each input's virtual channel whose first packet waits here for the port.
  virtual std::uint64_t backlog(std::uint16_t port) const = 0;
  /// Returns true if nothing passes `port` now and nothing waits here for it.
  virtual bool idle(std::uint16_t) const { return true; }
};

class Routing {
 public:
  virtual ~Routing() = default;

  /// Whether route() looks at the load. Otherwise its answer for a packet in a router never changes.
  virtual bool adaptive() const { return false; }
  /// Whether all packets from one node to another take one way, so that they arrive as they were sent.
  virtual bool in_order() const { return true; }
  /// Bubble flow control: every packet takes the room of the largest in the buffers of links, and one whose
  /// Route::enters waits until two fit.
  virtual bool bubble() const { return false; }
  /// Virtual channels that the scheme needs on every link; more of them are shared evenly (vc sets).
  virtual std::uint32_t virtual_channels() const = 0;
  /// Packet::address of a node.
  virtual std::uint32_t address(NodeId node) const = 0;
  /// Called once, at the source's router, before the first route(): may choose Packet::via. `random` is a
  /// number of this packet alone, uniform over 64 bits.
  virtual void inject(Packet&, RouterId, const LocalLoad&, std::uint64_t random) const {
    static_cast<void>(random);
  }
  /// The output for a packet that came into `router` by `in_port`, `in_vc`. May change Packet::via.
  /// An adaptive() scheme answers for this instant: it names an adaptive channel only if that has room for
  /// the packet, else the escape channel, and is asked again whenever a packet that still waits is
  /// considered.
  virtual Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                      const LocalLoad& load) const = 0;
  /// Every route that any packet which came in by (in_port, in_vc) can take: a superset that needs no
  /// destination, for the check of deadlock freedom. `escape` says whether it is one of the channels
  /// that must be acyclic (all, for a deterministic scheme).
  virtual void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                            const std::function<void(Route route, bool escape)>& sink) const = 0;
};

}  // namespace psim::net
