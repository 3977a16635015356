// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/drawings/drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "netsim/testing/routing.h"
#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

using testing::config;

float distance(Drawing::Point a, Drawing::Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Returns the least distance of two points.
float least_distance(const std::vector<Drawing::Point>& points) {
  float least = 1e9f;
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = a + 1; b < points.size(); ++b)
      least = std::min(least, distance(points[a], points[b]));
  return least;
}

struct Shape {
  const char *kind, *shape;
};
class EachTopology : public ::testing::TestWithParam<Shape> {};

TEST_P(EachTopology, DrawsEachRouterAtAPlaceOfItsOwnInsideFiniteFrames) {
  const Network network = make_topology(config(GetParam().kind, GetParam().shape, "", 4), 0);
  const Drawing drawing = network.drawing(network.graph, Drawing::kMostPoints);
  ASSERT_EQ(drawing.points.size(), network.graph.routers());
  EXPECT_TRUE(drawing.detailed());
  EXPECT_GT(least_distance(drawing.points), 0.25f);
  EXPECT_LE(drawing.stubs.size(), network.graph.kinds.size());
  for (const Drawing::Point& point : drawing.points) EXPECT_TRUE(std::isfinite(point.x + point.y));
  for (const Drawing::Box& box : drawing.boxes) {
    EXPECT_LT(box.from.x, box.to.x);
    EXPECT_LT(box.from.y, box.to.y);
  }
  EXPECT_TRUE(drawing.nodes.empty() || drawing.nodes.size() == network.graph.nodes());
}

INSTANTIATE_TEST_SUITE_P(
    Drawing, EachTopology,
    ::testing::Values(Shape{"torus", "8"}, Shape{"torus", "2"}, Shape{"mesh", "5"}, Shape{"torus", "4x3"},
                      Shape{"torus", "4x3x5"}, Shape{"mesh", "3x2x2x3"}, Shape{"torus", "2x2x3x2x2x2"},
                      Shape{"torus", "1x4x1x3"}, Shape{"torus", "1"}, Shape{"tofu", "2x3x2"},
                      Shape{"tofu", "1x1x1"}, Shape{"fat-tree", "4x4x4"}, Shape{"fat-tree", "4"},
                      Shape{"fat-tree", "18x16x3:1x6x2"}, Shape{"dragonfly", "4x2x2"}, Shape{"full", "8x4:2"},
                      Shape{"full", "8"}, Shape{"crossbar", "12"}, Shape{"hyperx", "4x3x3:2"},
                      Shape{"hyperx", "9"}, Shape{"hypercube", "6"}, Shape{"slim-fly", "5"},
                      Shape{"dragonfly+", "4x4x2x2"}, Shape{"express-mesh", "9x9:4"},
                      Shape{"express-mesh", "12:3"}),
    [](const auto& test) {
      std::string name = std::string(test.param.kind) + "_" + test.param.shape;
      for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
      return name;
    });

TEST(Drawing, NeighboursInAPlaneAreOneApartAndTheirLinesMeetInTheMiddle) {
  const Network network = make_topology(config("torus", "4x3x2"), 0);
  const Drawing drawing = network.drawing(network.graph, Drawing::kMostPoints);
  EXPECT_EQ(drawing.form, "planes");
  EXPECT_EQ(drawing.points[1].x - drawing.points[0].x, 1);
  EXPECT_EQ(drawing.points[4].y - drawing.points[0].y, 1);
  ASSERT_EQ(network.graph.kinds[0].name, "+X");
  EXPECT_EQ(drawing.stubs[0]->x, 0.5f);
  EXPECT_EQ(drawing.stubs[1]->x, -0.5f);
  ASSERT_EQ(drawing.boxes.size(), 2u);
  EXPECT_EQ(drawing.boxes[1].label, "Z = 1");
  const float apart = distance(drawing.points[0], drawing.points[12]);
  EXPECT_GT(apart, 3.0f) << "planes do not overlap";
}

TEST(Drawing, UnitsOfTofuAreFramed) {
  const Network network = make_topology(config("tofu", "2x3x2"), 0);
  const Drawing drawing = network.drawing(network.graph, Drawing::kMostPoints);
  EXPECT_EQ(drawing.form, "units");
  std::set<std::string> labels;
  std::size_t units = 0;
  for (const Drawing::Box& box : drawing.boxes) {
    std::uint32_t inside = 0;
    for (const Drawing::Point& point : drawing.points)
      inside += point.x > box.from.x && point.x < box.to.x && point.y > box.from.y && point.y < box.to.y;
    EXPECT_EQ(inside, box.label.empty() ? 12u : 72u);
    units += box.label.empty();
    if (!box.label.empty()) labels.insert(box.label);
  }
  EXPECT_EQ(units, 12u);
  EXPECT_EQ(labels, (std::set<std::string>{"Z = 0", "Z = 1"}));
}

TEST(Drawing, LevelsOfATreeAreAboveEachOther) {
  const Network network = make_topology(config("fat-tree", "2x2x2"), 0);
  const Drawing drawing = network.drawing(network.graph, Drawing::kMostPoints);
  for (std::uint32_t router = 0; router < 12; ++router)
    EXPECT_EQ(drawing.points[router].y, drawing.points[router / 4 * 4].y);
  EXPECT_GT(drawing.points[0].y, drawing.points[4].y);
  EXPECT_GT(drawing.points[4].y, drawing.points[8].y);
  ASSERT_EQ(drawing.nodes.size(), 8u);
  EXPECT_GT(drawing.nodes[0].y, drawing.points[0].y);
}

TEST(Drawing, MoreRoutersThanPointsAreMergedWithTheirNeighbours) {
  const auto check = [](const Drawing& drawing, std::uint32_t routers, std::uint32_t most) {
    ASSERT_LE(drawing.points.size(), most);
    ASSERT_GT(drawing.points.size(), most / 4);
    ASSERT_EQ(drawing.point_of.size(), routers);
    std::set<std::uint32_t> used(drawing.point_of.begin(), drawing.point_of.end());
    EXPECT_EQ(used.size(), drawing.points.size()) << "each point has a router";
    EXPECT_LT(*used.rbegin(), drawing.points.size());
  };
  const Lattice lattice({{20, true, 'X'}, {9, true, 'Y'}, {7, true, 'Z'}});
  const Drawing planes = draw(lattice, false, 100);
  check(planes, 20 * 9 * 7, 100);
  EXPECT_EQ(planes.point_of[0], planes.point_of[1]);
  const Lattice tofu(
      {{4, true, 'X'}, {3, true, 'Y'}, {3, true, 'Z'}, {2, false, 'A'}, {3, true, 'B'}, {2, false, 'C'}});
  check(draw(tofu, true, 200), 36 * 12, 200);
  const FatTree tree({8, 8, 8}, {1, 8, 8});
  check(draw(tree, 50), tree.switches(), 50);
  const Dragonfly groups{.a = 8, .p = 4, .h = 4, .g = 33, .rails = 1};
  check(draw(groups, 100), groups.routers(), 100);
  check(draw(groups, 20), groups.routers(), 20);
  check(draw(lattice.graph(1), 100), 20 * 9 * 7, 100);
  check(draw(HyperX{.sizes = {9, 8, 7}, .rails = {1, 1, 1}}, 100), 9 * 8 * 7, 100);
  check(draw(SlimFly{.q = 9, .terminals = 1}, 100), 2 * 81, 100);
}

TEST(Drawing, AGraphHasNeighboursNearerThanOthers) {
  // A ring of 24 without names of dimensions.
  const Lattice ring({{24, true, 'X'}});
  const Drawing drawing = draw(ring.graph(1));
  EXPECT_EQ(drawing.form, "graph");
  EXPECT_GT(least_distance(drawing.points), 0.25f);
  float near = 0, all = 0;
  for (std::uint32_t a = 0; a < 24; ++a) {
    near += distance(drawing.points[a], drawing.points[(a + 1) % 24]) / 24;
    all += distance(drawing.points[a], drawing.points[(a + 12) % 24]) / 24;
  }
  EXPECT_LT(3 * near, all);
}

TEST(Drawing, RoutersWithoutNodesAreAboveThoseWithNodes) {
  const FatTree tree({3, 4}, {1, 2});
  const Drawing drawing = draw(tree.graph(1));
  EXPECT_EQ(drawing.form, "levels");
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) EXPECT_GT(drawing.points[leaf].y, drawing.points[4].y);
  EXPECT_EQ(drawing.nodes.size(), 12u);
}

}  // namespace
}  // namespace psim::net
