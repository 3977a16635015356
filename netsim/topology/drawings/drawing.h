// SPDX-License-Identifier: Apache-2.0
// Places of routers in pictures of a network: a plane, as people draw each topology. The distance of
// neighbours is 1, y grows downwards. Each topology in netsim/topology names its picture; report/ draws it.
//
// A network of more routers than a picture can hold is drawn by aggregation: neighbouring routers are one
// point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netsim/topology/graphs/dragonfly_graph.h"
#include "netsim/topology/graphs/dragonfly_plus_graph.h"
#include "netsim/topology/graphs/express_mesh_graph.h"
#include "netsim/topology/graphs/fat_tree_graph.h"
#include "netsim/topology/graphs/graph.h"
#include "netsim/topology/graphs/hyperx_graph.h"
#include "netsim/topology/graphs/lattice.h"
#include "netsim/topology/graphs/slim_fly_graph.h"

namespace psim::net {

struct Drawing {
  struct Point {
    float x = 0, y = 0;
  };
  /// A frame around routers, such as a plane, a group or a level.
  struct Box {
    Point from, to;  ///< corners
    std::string label;
    bool round = false;
  };
  static constexpr std::uint32_t kMostPoints = 10'000;

  std::string form;  ///< planes, units, ring, levels, groups, graph, switch
  std::vector<Point> points;
  std::vector<std::uint32_t> point_of;  ///< by router; empty: router i is point i
  std::vector<Box> boxes;
  /// By kind of channel: the line that stands for a channel, from its router; none: half of the way to the
  /// other router, so that both directions of a cable meet in the middle.
  std::vector<std::optional<Point>> stubs;
  std::vector<Point> nodes;  ///< by node; empty: nodes are not drawn

  std::uint32_t point(std::uint32_t router) const { return point_of.empty() ? router : point_of[router]; }
  /// Returns whether routers are drawn one by one.
  bool detailed() const { return point_of.empty(); }
};

/// Draws a mesh or torus: one dimension as a row or ring, two as a plane, further ones as planes side by
/// side. `units`: the dimensions A, B, C as boxes in the planes of the others, as a Tofu's.
Drawing draw(const Lattice& lattice, bool units, std::uint32_t most = Drawing::kMostPoints);
/// Draws the levels of a tree, the top one above.
Drawing draw(const FatTree& tree, std::uint32_t most = Drawing::kMostPoints);
/// Draws groups on a circle, and their routers on circles.
Drawing draw(const Dragonfly& dragonfly, std::uint32_t most = Drawing::kMostPoints);
Drawing draw(const DragonflyPlus& network, std::uint32_t most = Drawing::kMostPoints);
/// Draws columns of both halves as groups.
Drawing draw(const SlimFly& fly, std::uint32_t most = Drawing::kMostPoints);
/// Draws dimensions to the right and down by turns, rows as flat arcs.
Drawing draw(const HyperX& hyperx, std::uint32_t most = Drawing::kMostPoints);
/// Draws the mesh, its express channels bent to one side.
Drawing draw(const ExpressMesh& mesh, std::uint32_t most = Drawing::kMostPoints);
/// Draws any graph. One router has its nodes around it. Routers without nodes are above those with nodes, by
/// their distance; if all have nodes, forces pull neighbours together and push others apart. Large graphs
/// without levels are drawn as rings by distance.
Drawing draw(const Graph& graph, std::uint32_t most = Drawing::kMostPoints);
/// Draws one router with its nodes around it, as a crossbar.
Drawing draw_switch(const Graph& graph);

}  // namespace psim::net
