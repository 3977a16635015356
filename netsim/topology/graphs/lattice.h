// SPDX-License-Identifier: Apache-2.0
// Meshes, tori and mixtures of 1 to 6 dimensions, one node per router: coordinates and ports.
//
// Nodes are numbered with the first coordinate running fastest: node x + X (y + Y z). Each dimension has two
// ports, + then -, the first dimension's first; exceptions:
// - size 1: no ports, no channels;
// - size 2 that wraps: two cables join each pair, one by + and one by -, so that all routers of a torus have
//   two ports per dimension, and 2 k^(n-1) cables cross the middle also for k = 2;
// - size 2 that does not wrap: one cable and one port, + at coordinate 0 and - at coordinate 1.
// The ports at the edge of a mesh (size ≥ 3) exist but are unused.
#pragma once

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

/// A dimension with channels, and the position of its coordinate in packed coordinates.
struct Axis {
  std::uint32_t shift = 0;
  std::uint32_t mask = 0;  ///< of the coordinate after shifting down
  std::uint32_t size = 0;
  std::uint8_t plus = 0, minus = 0;  ///< ports; the same one for a mesh of size 2
  bool wraps = false;
  char name = 'X';
  std::uint8_t dimension = 0;  ///< among all dimensions, including those of size 1

  std::uint32_t coordinate(std::uint32_t packed) const { return packed >> shift & mask; }
};

class Lattice {
 public:
  static constexpr unsigned kMostDimensions = 6;

  /// Throws UserError if there are over kMostNodes routers.
  explicit Lattice(std::vector<LatticeDimension> dimensions);

  std::uint32_t routers() const { return routers_; }
  std::uint32_t link_ports() const { return link_ports_; }
  /// Returns the dimensions of size ≥ 2, in order; packed coordinates hold a coordinate of each, the first
  /// lowest.
  const std::vector<Axis>& axes() const { return axes_; }
  std::uint32_t packed(std::uint32_t router) const;
  /// Returns "(3,1,0)", with all dimensions.
  std::string name(std::uint32_t router) const;
  /// Returns the graph. A cabinet has `cabinet[i]` routers of dimension i, the last one fewer if that does
  /// not divide the size; further dimensions lie in one cabinet. Cables between cabinets are of
  /// CableClass::Global. Empty: no cabinets.
  Graph graph(std::uint32_t node_ports, const std::vector<std::uint32_t>& cabinet = {}) const;

 private:
  std::vector<LatticeDimension> dimensions_;
  std::vector<Axis> axes_;
  std::uint32_t routers_ = 1, link_ports_ = 0;
};

}  // namespace psim::net
