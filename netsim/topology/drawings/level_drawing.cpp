// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "netsim/topology/drawings/drawing.h"

namespace psim::net {
namespace {

using Point = Drawing::Point;

constexpr std::uint32_t kMostDrawnNodes = 600;

Point on_circle(Point centre, double radius, double turn) {
  const double angle = 2 * std::numbers::pi * turn;
  return {centre.x + static_cast<float>(radius * std::sin(angle)),
          centre.y - static_cast<float>(radius * std::cos(angle))};
}

std::uint32_t quotient_up(std::uint32_t count, std::uint32_t divisor) {
  return (count + divisor - 1) / divisor;
}

}  // namespace

Drawing draw(const FatTree& tree, std::uint32_t most) {
  Drawing drawing;
  drawing.form = "levels";
  std::vector<std::uint32_t> counts(tree.levels());
  for (std::uint32_t number = 0; number < tree.switches(); ++number) ++counts[tree.at(number).level - 1];
  const bool merges = tree.switches() > most, nodes = tree.nodes() <= kMostDrawnNodes && !merges;
  const std::uint32_t room = most > tree.levels() ? most - tree.levels() : 1;
  const std::uint32_t group = merges ? quotient_up(tree.switches(), room) : 1;
  const std::uint32_t widest = quotient_up(*std::ranges::max_element(counts), group);
  const auto across = static_cast<float>(nodes ? std::max(tree.nodes(), widest) : widest);
  const std::uint32_t rows = tree.levels() + (nodes ? 1 : 0);
  const float down = std::max(2.0f, across / (2.4f * static_cast<float>(rows)));
  std::uint32_t first_point = 0;
  for (std::uint32_t level = 1; level <= tree.levels(); ++level) {
    const std::uint32_t count = counts[level - 1], points = quotient_up(count, group);
    const float y = static_cast<float>(tree.levels() - level) * down;
    const float step = across / static_cast<float>(points);
    for (std::uint32_t i = 0; i < points; ++i)
      drawing.points.push_back({(static_cast<float>(i) + 0.5f) * step, y});
    if (merges)
      for (std::uint32_t i = 0; i < count; ++i) drawing.point_of.push_back(first_point + i / group);
    drawing.boxes.push_back({.from = {0, y - 0.28f * down},
                             .to = {across, y + 0.28f * down},
                             .label = "level " + std::to_string(level),
                             .round = false});
    first_point += points;
  }
  if (nodes) {
    const float step = across / static_cast<float>(tree.nodes());
    for (std::uint32_t node = 0; node < tree.nodes(); ++node)
      drawing.nodes.push_back(
          {(static_cast<float>(node) + 0.5f) * step, static_cast<float>(tree.levels()) * down * 0.9f});
  }
  return drawing;
}

Drawing draw(const Dragonfly& dragonfly, std::uint32_t most) {
  Drawing drawing;
  drawing.form = "groups";
  const bool merges = dragonfly.routers() > most;
  // Routers of a group are merged first, then groups.
  const std::uint32_t of_routers =
      merges ? quotient_up(dragonfly.a, std::max<std::uint32_t>(1, most / dragonfly.g)) : 1;
  const std::uint32_t of_groups = quotient_up(dragonfly.g, most);
  const std::uint32_t a = quotient_up(dragonfly.a, of_routers), g = quotient_up(dragonfly.g, of_groups);
  const double inner = std::max(0.6, a / (2 * std::numbers::pi));
  const double outer = g == 1 ? 0 : std::max(inner * 2, g * (2 * inner + 1.6) / (2 * std::numbers::pi));
  for (std::uint32_t group = 0; group < g; ++group) {
    const Point centre = on_circle({}, outer, static_cast<double>(group) / g);
    for (std::uint32_t r = 0; r < a; ++r)
      drawing.points.push_back(
          a == 1 ? centre
                 : on_circle(centre, inner, static_cast<double>(r) / a + static_cast<double>(group) / g));
    if (g == 1) break;
    const auto reach = static_cast<float>(a == 1 ? 0.4 : inner + 0.5);
    const std::uint32_t first = group * of_groups, last = std::min(first + of_groups, dragonfly.g) - 1;
    drawing.boxes.push_back(
        {.from = {centre.x - reach, centre.y - reach},
         .to = {centre.x + reach, centre.y + reach},
         .label = "group " + std::to_string(first) + (last == first ? "" : "–" + std::to_string(last)),
         .round = true});
  }
  if (!merges) return drawing;
  for (std::uint32_t router = 0; router < dragonfly.routers(); ++router)
    drawing.point_of.push_back(router / dragonfly.a / of_groups * a + router % dragonfly.a / of_routers);
  return drawing;
}

Drawing draw(const DragonflyPlus& network, std::uint32_t most) {
  return draw(Dragonfly{.a = network.of_group(), .h = network.h, .g = network.g}, most);
}

Drawing draw(const SlimFly& fly, std::uint32_t most) {
  // Column x of one half and column m = x of the other one are a group, as the racks of the paper.
  const std::uint32_t q = fly.q;
  Drawing drawing = draw(Dragonfly{.a = 2 * q, .g = q}, most);
  const Drawing groups = drawing;
  for (std::uint32_t router = 0; router < fly.routers(); ++router) {
    const std::uint32_t number = router / q % q * 2 * q + router / (q * q) * q + router % q;
    if (groups.detailed())
      drawing.points[router] = groups.points[number];
    else
      drawing.point_of[router] = groups.point_of[number];
  }
  return drawing;
}

Drawing draw_switch(const Graph& graph) {
  Drawing drawing;
  drawing.form = "switch";
  drawing.points.resize(1);
  if (graph.nodes() > kMostDrawnNodes) return drawing;
  const double radius = std::max(1.5, graph.nodes() / (2 * std::numbers::pi));
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    drawing.nodes.push_back(on_circle({}, radius, static_cast<double>(node) / graph.nodes()));
  return drawing;
}

}  // namespace psim::net
