// SPDX-License-Identifier: Apache-2.0
// Routing schemes, one class each. A routing has constant tables and no other state, so every host process
// and every order of calls gives the same results.
#pragma once

#include <cstdint>
#include <functional>

#include "base/ids.h"
#include "netsim/packet/packet.h"
#include "netsim/packet/route.h"

namespace psim::net {

/// The load that an adaptive scheme may use: of the packet's router only.
class LocalLoad {
 public:
  virtual ~LocalLoad() = default;
  /// Returns the credits, in bytes, of `vc` of the buffer behind `port`.
  virtual std::uint64_t credits(std::uint16_t port, std::uint8_t vc) const = 0;
  /// Returns the bytes sent over `port` whose credits have not returned, all VCs, and a largest packet for
  /// each input's virtual channel whose first packet waits here for the port.
  virtual std::uint64_t backlog(std::uint16_t port) const = 0;
  /// Returns backlog() of a port of another router, for schemes with Routing::global().
  virtual std::uint64_t backlog_at(RouterId, std::uint16_t port) const { return backlog(port); }
  /// Returns true if nothing passes `port` now and nothing waits here for it.
  virtual bool idle(std::uint16_t) const { return true; }
};

class Routing {
 public:
  virtual ~Routing() = default;

  /// Returns whether route() depends on the load. Otherwise its result for a packet in a router never
  /// changes.
  virtual bool adaptive() const { return false; }
  /// Returns whether all packets from one node to another take one route, so that they arrive in order.
  virtual bool in_order() const { return true; }
  /// Returns whether a packet may change between sets of virtual channels at each hop (VcChoice::Free).
  virtual bool any_set() const { return false; }
  /// Returns whether the scheme reads the load of other routers. Within a window of the engine these may be
  /// ahead or behind, by the order of routers; so all routers must be in one host process.
  virtual bool global() const { return false; }
  /// Returns whether bubble flow control applies: in buffers of links every packet takes the room of the
  /// largest one, and a packet with Route::enters waits until two fit.
  virtual bool bubble() const { return false; }
  /// Returns the virtual channels that the scheme needs on every link; more are shared evenly (VcSets).
  virtual std::uint32_t virtual_channels() const = 0;
  /// Returns the Packet::address of a node.
  virtual std::uint32_t address(NodeId node) const = 0;
  /// Returns the Packet::address of one of a node's ports, where these are at several routers
  /// (NicRails::Spread).
  virtual std::uint32_t port_address(NodeId node, std::uint32_t) const { return address(node); }
  /// Returns the Packet::rail() of all packets to a node; 0: any.
  virtual std::uint32_t rail(NodeId) const { return 0; }
  /// Called once, at the source's router, before the first route(): may set Packet::via. `in_port` is the
  /// node's port, `random` is 64 uniform bits of this packet.
  virtual void inject(Packet&, RouterId, std::uint16_t in_port, const LocalLoad&,
                      std::uint64_t random) const {
    static_cast<void>(in_port);
    static_cast<void>(random);
  }
  /// Returns the output for a packet that entered `router` by `in_port`, `in_vc`. May change Packet::via.
  /// The result of an adaptive() scheme holds for this instant: an adaptive channel only if it has room for
  /// the packet, else the escape channel. It is called again whenever a waiting packet is considered.
  virtual Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                      const LocalLoad& load) const = 0;
  /// Passes every route of packets that entered by (in_port, in_vc) to `sink`: a superset over all
  /// destinations, for the deadlock check. `escape`: the channel belongs to the escape channels, which must
  /// be acyclic (all channels, for a deterministic scheme).
  virtual void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                            const std::function<void(Route route, bool escape)>& sink) const = 0;
};

}  // namespace psim::net
