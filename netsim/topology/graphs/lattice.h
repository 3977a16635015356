// SPDX-License-Identifier: Apache-2.0
// Meshes, tori and their mixtures of 1 to 6 dimensions, one node a router: coordinates and ports.
//
// Nodes are numbered with the first coordinate running fastest: node x + X (y + Y z). Each dimension has two
// ports, + then -, the first dimension's first; exceptions:
// - size 1: no ports, no channels;
// - size 2 that wraps: two cables join each pair, one by + and one by -, so that all routers of a torus have
//   two ports a dimension and 2 k^(n-1) cables cross the middle for k = 2, too;
// - size 2 that does not wrap: one cable and one port, + at coordinate 0 and - at coordinate 1.
// The ports at the edge of a mesh (size ≥ 3) are there, and lead nowhere.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct LatticeDimension {
  std::uint32_t size = 1;
  bool wraps = true;
  char name = 'X';
};

/// One dimension that has channels, and where its coordinate stands in a packed set of coordinates.
struct Axis {
  std::uint32_t shift = 0;
  std::uint32_t mask = 0;  ///< of the coordinate once shifted down
  std::uint32_t size = 0;
  std::uint8_t plus = 0, minus = 0;  ///< ports; the same one for a mesh of size 2
  bool wraps = false;
  char name = 'X';
  std::uint8_t dimension = 0;  ///< among all, those of size 1 too

  std::uint32_t coordinate(std::uint32_t packed) const { return packed >> shift & mask; }
};

class Lattice {
 public:
  static constexpr unsigned kMostDimensions = 6;

  /// Throws UserError when there are over kMostNodes routers.
  explicit Lattice(std::vector<LatticeDimension> dimensions);

  std::uint32_t routers() const { return routers_; }
  std::uint32_t link_ports() const { return link_ports_; }
  /// Those of size ≥ 2, in order; a coordinate of each stands in packed coordinates, the first lowest.
  const std::vector<Axis>& axes() const { return axes_; }
  std::uint32_t packed(std::uint32_t router) const;
  /// "(3,1,0)", all dimensions.
  std::string name(std::uint32_t router) const;
  /// Cables that leave a cabinet are of CableClass::Global: cabinets take `cabinet[i]` routers of dimension i
  /// each, the last of them less if that does not divide; dimensions beyond its end lie in one. Empty: there
  /// are none.
  Graph graph(std::uint32_t node_ports, const std::vector<std::uint32_t>& cabinet = {}) const;

 private:
  std::vector<LatticeDimension> dimensions_;
  std::vector<Axis> axes_;
  std::uint32_t routers_ = 1, link_ports_ = 0;
};

}  // namespace psim::net
