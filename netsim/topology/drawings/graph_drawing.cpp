// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "netsim/topology/drawings/drawing.h"

namespace psim::net {
namespace {

using Point = Drawing::Point;

constexpr std::uint32_t kMostForces = 300;  ///< routers
constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

template <class Each>
void each_neighbour(const Graph& graph, std::uint32_t router, Each each) {
  for (std::uint32_t port = 0; port < graph.ports(router); ++port)
    if (const std::uint32_t to = graph.channel(router, port).to_router; to != Channel::kNowhere) each(to);
}

/// Returns the hops from the nearest of `sources` to each router, and the routers in the order in which they
/// were reached.
struct Reached {
  std::vector<std::uint32_t> distance, order, parent;
};
Reached reach(const Graph& graph, const std::vector<std::uint32_t>& sources) {
  Reached reached{.distance = std::vector(graph.routers(), kUnreached),
                  .order = sources,
                  .parent = std::vector(graph.routers(), kUnreached)};
  for (const std::uint32_t source : sources) reached.distance[source] = 0;
  for (std::size_t at = 0; at < reached.order.size(); ++at) {
    const std::uint32_t router = reached.order[at];
    each_neighbour(graph, router, [&](std::uint32_t to) {
      if (reached.distance[to] != kUnreached) return;
      reached.distance[to] = reached.distance[router] + 1;
      reached.parent[to] = router;
      reached.order.push_back(to);
    });
  }
  return reached;
}

/// Returns a router in the middle of a longest shortest path, as far as two searches find one.
std::uint32_t centre_of(const Graph& graph) {
  const std::uint32_t one_end = reach(graph, {0}).order.back();
  const Reached reached = reach(graph, {one_end});
  std::uint32_t at = reached.order.back();
  for (std::uint32_t steps = reached.distance[at] / 2; steps != 0; --steps) at = reached.parent[at];
  return at;
}

/// Sorts the routers of each level by the mean place of their neighbours, which leaves fewer crossings.
void untangle(const Graph& graph, std::vector<std::vector<std::uint32_t>>& levels) {
  std::vector<float> place(graph.routers()), mean(graph.routers());
  const auto settle = [&](const std::vector<std::uint32_t>& level) {
    for (std::size_t i = 0; i < level.size(); ++i)
      place[level[i]] = (static_cast<float>(i) + 0.5f) / static_cast<float>(level.size());
  };
  for (const auto& level : levels) settle(level);
  for (int round = 0; round < 6; ++round)
    for (std::size_t k = 0; k < levels.size(); ++k) {
      std::vector<std::uint32_t>& level = levels[round % 2 == 0 ? k : levels.size() - 1 - k];
      for (const std::uint32_t router : level) {
        float sum = 0, count = 0;
        each_neighbour(graph, router, [&](std::uint32_t to) { sum += place[to], ++count; });
        mean[router] = count == 0 ? place[router] : sum / count;
      }
      std::ranges::stable_sort(level, {}, [&](std::uint32_t router) { return mean[router]; });
      settle(level);
    }
}

Drawing draw_levels(const Graph& graph, const std::vector<std::uint32_t>& distance) {
  constexpr std::uint32_t kMostDrawnNodesOfGraph = 600;
  const std::uint32_t highest = *std::ranges::max_element(distance);
  std::vector<std::vector<std::uint32_t>> levels(highest + 1);
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    levels[distance[router]].push_back(router);
  untangle(graph, levels);
  const bool nodes = graph.nodes() <= kMostDrawnNodesOfGraph;
  std::size_t widest = nodes ? graph.nodes() : 1;
  for (const auto& level : levels) widest = std::max(widest, level.size());
  const auto across = static_cast<float>(widest);
  const float down = std::max(2.0f, across / (2.4f * static_cast<float>(highest + 2)));
  Drawing drawing;
  drawing.form = "levels";
  drawing.points.resize(graph.routers());
  for (std::uint32_t level = 0; level <= highest; ++level) {
    const float step = across / static_cast<float>(levels[level].size());
    for (std::size_t i = 0; i < levels[level].size(); ++i)
      drawing.points[levels[level][i]] = {(static_cast<float>(i) + 0.5f) * step,
                                          static_cast<float>(highest - level) * down};
  }
  if (!nodes) return drawing;
  // The routers of level 0, and no others, have nodes.
  drawing.nodes.resize(graph.nodes());
  float x = 0.5f;
  std::vector<std::uint32_t> first(graph.routers() + 1);
  for (const std::uint32_t router : graph.node_router) ++first[router + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (const std::uint32_t router : levels[0])
    for (std::uint32_t node = first[router]; node < first[router + 1]; ++node) {
      drawing.nodes[node] = {x, (static_cast<float>(highest) + 0.9f) * down};
      x += across / static_cast<float>(graph.nodes());
    }
  return drawing;
}

/// Places routers on rings around the centre, each in the sector of the router that it was reached from.
std::vector<Point> on_rings(const Graph& graph) {
  const Reached reached = reach(graph, {centre_of(graph)});
  std::vector<Point> points(graph.routers());
  std::vector<double> turn(graph.routers());
  for (std::size_t from = 0; from < reached.order.size();) {
    const std::uint32_t distance = reached.distance[reached.order[from]];
    std::size_t to = from;
    while (to < reached.order.size() && reached.distance[reached.order[to]] == distance) ++to;
    std::vector<std::uint32_t> ring(reached.order.begin() + static_cast<std::ptrdiff_t>(from),
                                    reached.order.begin() + static_cast<std::ptrdiff_t>(to));
    std::ranges::stable_sort(ring, {}, [&](std::uint32_t router) {
      return reached.parent[router] == kUnreached ? 0.0 : turn[reached.parent[router]];
    });
    const double count = static_cast<double>(ring.size());
    const double radius = distance == 0 ? 0 : std::max(1.6 * distance, count / (2 * std::numbers::pi));
    for (std::size_t i = 0; i < ring.size(); ++i) {
      turn[ring[i]] = (static_cast<double>(i) + 0.5) / count;
      const double angle = 2 * std::numbers::pi * turn[ring[i]];
      points[ring[i]] = {static_cast<float>(radius * std::sin(angle)),
                         static_cast<float>(-radius * std::cos(angle))};
    }
    from = to;
  }
  return points;
}

/// Moves points by forces (Fruchterman and Reingold, 1991): cables pull, all points push.
void settle_by_forces(const Graph& graph, std::vector<Point>& points) {
  constexpr int kRounds = 150;
  const double spread = std::sqrt(static_cast<double>(points.size()));
  for (int round = 0; round < kRounds; ++round) {
    const double most = 0.25 * spread * (1 - static_cast<double>(round) / kRounds) + 0.01;
    std::vector<std::pair<double, double>> moves(points.size());
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = a + 1; b < points.size(); ++b) {
        double x = points[a].x - points[b].x, y = points[a].y - points[b].y;
        if (x == 0 && y == 0) x = 1e-3 * static_cast<double>(b - a);
        const double push = 1 / std::max(1e-6, x * x + y * y);
        moves[a].first += x * push, moves[a].second += y * push;
        moves[b].first -= x * push, moves[b].second -= y * push;
      }
      each_neighbour(graph, static_cast<std::uint32_t>(a), [&](std::uint32_t to) {
        const double x = points[to].x - points[a].x, y = points[to].y - points[a].y;
        const double pull = std::hypot(x, y) / 2;
        moves[a].first += x * pull, moves[a].second += y * pull;
      });
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double length = std::hypot(moves[i].first, moves[i].second);
      if (length == 0) continue;
      const double part = std::min(length, most) / length;
      points[i].x += static_cast<float>(moves[i].first * part);
      points[i].y += static_cast<float>(moves[i].second * part);
    }
  }
}

/// Merges neighbours in the order of their numbers into `most` points.
void merge_neighbours(Drawing& drawing, std::uint32_t most) {
  const auto routers = static_cast<std::uint32_t>(drawing.points.size());
  const std::uint32_t group = (routers + most - 1) / most;
  std::vector<Point> points((routers + group - 1) / group);
  drawing.point_of.resize(routers);
  for (std::uint32_t router = 0; router < routers; ++router) {
    const std::uint32_t point = drawing.point_of[router] = router / group;
    const auto members = static_cast<float>(std::min(group, routers - point * group));
    points[point].x += drawing.points[router].x / members;
    points[point].y += drawing.points[router].y / members;
  }
  drawing.points = std::move(points);
  drawing.nodes.clear();
}

}  // namespace

Drawing draw(const Graph& graph, std::uint32_t most) {
  if (graph.routers() == 1) return draw_switch(graph);
  std::vector<bool> has_nodes(graph.routers());
  for (const std::uint32_t router : graph.node_router) has_nodes[router] = true;
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    if (has_nodes[router]) leaves.push_back(router);
  Drawing drawing;
  if (leaves.size() < graph.routers()) {
    drawing = draw_levels(graph, reach(graph, leaves).distance);
  } else {
    drawing.form = "graph";
    drawing.points = on_rings(graph);
    if (graph.routers() <= kMostForces) settle_by_forces(graph, drawing.points);
  }
  if (graph.routers() > most) merge_neighbours(drawing, most);
  return drawing;
}

}  // namespace psim::net
