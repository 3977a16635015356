// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netsim/topology/topology.h"

namespace psim::net {

/// Returns the configuration of the network that with_rails() takes.
NetworkConfig plain_config(const NetworkConfig& config);
/// Returns `plain` with the ports of nodes at several switches, by nic.rails. Throws as RailGraph::spread(),
/// and for groups of routers that do not divide evenly.
Network with_rails(Network plain, const NetworkConfig& config);

}  // namespace psim::net
