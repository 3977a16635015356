// SPDX-License-Identifier: Apache-2.0
// The kinds of topology.kind: each makes a graph and one of its routings. All throw as make_topology() does.
#pragma once

#include <cstdint>
#include <string>

#include "netsim/topology/topology.h"

namespace psim::net {

/// One switch that connects all nodes.
Network make_crossbar(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

// Lattices.
Network make_torus(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_mesh(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
/// Makes a Tofu network: X, Y, Z are rings of the given sizes; each of their points is a unit of 12 nodes
/// with A, a mesh of 2, B, a ring of 3, and C, a mesh of 2 (Ajima et al., IEEE Computer 42(11), 2009). 10
/// cables per router.
Network make_tofu(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

// Graphs of graphs/NAME_graph.h.
Network make_fat_tree(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_dragonfly(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
/// Full connection at two levels.
Network make_full(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_dragonfly_plus(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_hyperx(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_hypercube(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_slim_fly(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_express_mesh(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
