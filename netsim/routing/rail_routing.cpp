// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/rail_routing.h"

#include <utility>

namespace psim::net {
namespace {

/// The load of a switch.
class SwitchLoad final : public LocalLoad {
 public:
  SwitchLoad(const RailGraph& rails, RailGraph::Place place, const LocalLoad& load)
      : rails_(rails), place_(place), load_(load) {}
  std::uint64_t credits(std::uint16_t port, std::uint8_t vc) const override {
    return load_.credits(rails_.outside(place_, port), vc);
  }
  std::uint64_t backlog(std::uint16_t port) const override {
    return load_.backlog(rails_.outside(place_, port));
  }
  std::uint64_t backlog_at(RouterId router, std::uint16_t port) const override {
    const RailGraph::Place there = rails_.place(index(router), place_.number);
    return load_.backlog_at(RouterId{there.router}, rails_.outside(there, port));
  }
  bool idle(std::uint16_t port) const override { return load_.idle(rails_.outside(place_, port)); }

 private:
  const RailGraph& rails_;
  RailGraph::Place place_;
  const LocalLoad& load_;
};

}  // namespace

RailRouting::RailRouting(RailGraph rails, const Graph& plain_graph, std::unique_ptr<Routing> plain)
    : rails_(std::move(rails)), plain_(std::move(plain)) {
  if (rails_.copies) return;
  // The ends of a switch of the plain network are the ports of its nodes; end n is a port of its router's
  // node n.
  for (std::uint32_t router = 0; router < rails_.routers(); ++router)
    for (std::uint32_t end = 0; end < rails_.at({router, 0}).ends; ++end) {
      ends_.push_back(static_cast<std::uint8_t>(1 + end % plain_graph.node_ports));
      for (std::uint32_t port = 0; port < rails_.rails; ++port)
        addresses_.push_back(
            plain_->address(NodeId{rails_.at({router, port}).first_node + end / plain_graph.node_ports}));
    }
}

void RailRouting::inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
                         std::uint64_t random) const {
  const RailGraph::Place place = rails_.inside(index(router), in_port);
  plain_->inject(packet, RouterId{rails_.at(place).plain}, in_port, SwitchLoad(rails_, place, load), random);
}

Route RailRouting::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                         const LocalLoad& load) const {
  const RailGraph::Place place = rails_.inside(index(router), in_port);
  Route route = plain_->route(RouterId{rails_.at(place).plain}, in_port, in_vc, packet,
                              SwitchLoad(rails_, place, load));
  route.port = rails_.outside(place, route.port);
  return route;
}

void RailRouting::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                               const std::function<void(Route, bool)>& sink) const {
  const RailGraph::Place place = rails_.inside(index(router), in_port);
  plain_->dependencies(RouterId{rails_.at(place).plain}, in_port, in_vc, [&](Route route, bool escape) {
    route.port = rails_.outside(place, route.port);
    sink(route, escape);
  });
}

}  // namespace psim::net
