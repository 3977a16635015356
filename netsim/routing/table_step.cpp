// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/table_step.h"

#include <algorithm>

#include "netsim/routing/table_routing.h"

namespace psim::net {

TableStep::TableStep(const Graph& graph, std::uint32_t link_ports, std::uint32_t terminals)
    : routers_(graph.routers()), link_ports_(link_ports), terminals_(terminals) {
  PortTable table = shortest_routes(graph);
  next_ = std::move(table.next);
  longest_ = std::max(1u, table.longest);
  for (std::uint32_t router = 0; router < routers_; ++router)
    for (std::uint32_t port = 0; port < link_ports; ++port)
      beyond_.push_back(graph.channel(router, port).to_router);
}

}  // namespace psim::net
