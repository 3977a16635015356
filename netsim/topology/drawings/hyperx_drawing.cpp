// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "netsim/topology/drawings/drawing.h"

namespace psim::net {
namespace {

using Point = Drawing::Point;

/// Where a dimension leads in the picture.
struct DrawnDimension {
  std::uint32_t size = 1;
  std::uint32_t merged = 1;  ///< coordinates in one point
  Point step;
  Point bend;  ///< at its ends; a row is a flat arc, so that all its cables are seen
};

std::vector<DrawnDimension> lay_out(const HyperX& hyperx, std::uint32_t most) {
  std::vector<DrawnDimension> dimensions;
  std::uint64_t points = hyperx.routers();
  float across = 0, down = 0;
  for (std::size_t d = 0; d < hyperx.sizes.size(); ++d) {
    DrawnDimension each{.size = hyperx.sizes[d], .step = {}, .bend = {}};
    if (points > most) {
      points /= each.size;
      each.merged = static_cast<std::uint32_t>(
          std::min<std::uint64_t>((points * each.size + most - 1) / most, each.size));
      each.size = (each.size + each.merged - 1) / each.merged;
      points *= each.size;
    }
    // Dimensions lead to the right and down by turns, the later ones a little aslant.
    constexpr float kSlant = 0.35f, kBend = 0.3f;
    const bool first = d < 2;
    const auto steps = static_cast<float>(each.size - 1);
    if (d % 2 == 0) {
      each.step = {across + 1, first ? 0 : kSlant};
      across += steps * each.step.x;
      if (each.size > 2) each.bend = {0, kBend};
    } else {
      each.step = {first ? 0 : kSlant, down + 1};
      down += steps * each.step.y;
      if (each.size > 2) each.bend = {kBend, 0};
    }
    dimensions.push_back(each);
  }
  return dimensions;
}

}  // namespace

Drawing draw(const HyperX& hyperx, std::uint32_t most) {
  const std::vector<DrawnDimension> dimensions = lay_out(hyperx, most);
  Drawing drawing;
  drawing.form = "planes";
  std::uint32_t points = 1;
  for (const DrawnDimension& each : dimensions) points *= each.size;
  for (std::uint32_t point = 0; point < points; ++point) {
    Point place;
    std::uint32_t rest = point;
    for (const DrawnDimension& each : dimensions) {
      const auto at = static_cast<float>(rest % each.size), end = static_cast<float>(each.size - 1);
      const float arc = end == 0 ? 0 : (2 * at / end - 1) * (2 * at / end - 1);
      place.x += at * each.step.x + arc * each.bend.x;
      place.y += at * each.step.y + arc * each.bend.y;
      rest /= each.size;
    }
    drawing.points.push_back(place);
  }
  if (std::ranges::all_of(dimensions, [](const DrawnDimension& each) { return each.merged == 1; }))
    return drawing;
  for (std::uint32_t router = 0; router < hyperx.routers(); ++router) {
    std::uint32_t rest = router, point = 0, stride = 1;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      point += rest % hyperx.sizes[d] / dimensions[d].merged * stride;
      stride *= dimensions[d].size;
      rest /= hyperx.sizes[d];
    }
    drawing.point_of.push_back(point);
  }
  return drawing;
}

Drawing draw(const ExpressMesh& mesh, std::uint32_t most) {
  constexpr std::string_view kNames = "XYZABC";
  std::vector<LatticeDimension> sizes;
  for (const std::uint32_t size : mesh.sizes) sizes.push_back({size, false, kNames[sizes.size()]});
  Drawing drawing = draw(Lattice(sizes), false, most);
  const std::vector<std::optional<Point>> plain = std::move(drawing.stubs);
  drawing.stubs.clear();
  if (!drawing.detailed()) return drawing;
  // An express channel is bent to one side, away from the plain ones that it passes.
  constexpr float kAside = 0.3f;
  const auto reach = static_cast<float>(mesh.interval);
  std::size_t axis = 0;
  for (const LatticeDimension& dimension : sizes) {
    const bool drawn = dimension.size > 1 && 2 * axis < plain.size();
    const std::optional<Point> stub = drawn ? plain[2 * axis] : std::nullopt;
    drawing.stubs.push_back(stub);
    drawing.stubs.push_back(stub ? std::optional(Point{-stub->x, -stub->y}) : std::nullopt);
    for (const float way : {reach, -reach})
      drawing.stubs.push_back(
          stub ? std::optional(Point{stub->x * way + stub->y * kAside, stub->y * way - stub->x * kAside})
               : std::nullopt);
    axis += dimension.size > 1;
  }
  return drawing;
}

}  // namespace psim::net
