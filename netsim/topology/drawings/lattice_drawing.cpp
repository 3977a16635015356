// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "netsim/topology/drawings/drawing.h"

namespace psim::net {
namespace {

using Point = Drawing::Point;

/// A dimension of the picture.
struct DrawnAxis {
  std::uint32_t size = 1;     ///< points
  std::uint32_t merged = 1;   ///< routers in a point
  Point step;                 ///< from one point to the next
  Point stub;                 ///< the line of a channel in + direction; unused if `whole`
  bool whole = false;         ///< channels are drawn up to the middle of the way
  bool outer = false;         ///< each value of it has a frame
  std::uint32_t columns = 0;  ///< not 0: columns of a row; the next row is `row` below
  float row = 0;
};

/// Lines of channels that leave their plane, by the number of the dimension beyond the plane.
constexpr std::array kLeaving{Point{0.3f, -0.3f}, Point{0.3f, 0.3f}, Point{0.16f, -0.4f}, Point{0.4f, 0.16f}};

/// Merges routers along the longest dimension until at most `most` points are left.
void merge_axes(std::vector<DrawnAxis>& drawn, const std::vector<Axis>& axes, std::uint32_t most) {
  const auto points = [&] {
    double product = 1;
    for (const DrawnAxis& axis : drawn) product *= axis.size;
    return product;
  };
  while (points() > most) {
    const auto longest = std::ranges::max_element(drawn, {}, &DrawnAxis::size);
    longest->merged *= 2;
    const std::uint32_t size = axes[static_cast<std::size_t>(longest - drawn.begin())].size;
    longest->size = (size + longest->merged - 1) / longest->merged;
  }
}

/// Places the values of a dimension side by side in rows: in about a picture's proportions, with few gaps.
void tile(DrawnAxis& axis, float width, float height) {
  constexpr double kProportion = 1.7;
  double least = 1e9;
  for (std::uint32_t columns = 1; columns <= axis.size; ++columns) {
    const std::uint32_t rows = (axis.size + columns - 1) / columns;
    const double gaps = static_cast<double>(rows * columns - axis.size) / axis.size;
    const double cost =
        std::abs(std::log(columns * double{width} / (rows * double{height}) / kProportion)) + 1.5 * gaps;
    if (cost >= least) continue;
    least = cost;
    axis.columns = columns;
  }
  axis.step = {width, 0};
  axis.row = height;
}

/// Lays out planes of the first two dimensions; the third one and the fourth arrange them, then the others.
void lay_planes(std::vector<DrawnAxis>& axes) {
  float width = 1, height = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    DrawnAxis& axis = axes[i];
    const bool across = i % 2 == 0;
    if (i < 2) {
      axis.step = across ? Point{1, 0} : Point{0, 1};
      axis.stub = across ? Point{0.5f, 0} : Point{0, 0.5f};
    } else {
      axis.stub = kLeaving[i - 2];
      axis.outer = true;
      if (i == 2) width += 0.6f, height += 1.1f;  // frames and labels
      if (i + 1 == axes.size() && across)
        tile(axis, width, height);
      else
        axis.step = across ? Point{width, 0} : Point{0, height};
    }
    if (across)
      width += axis.step.x * static_cast<float>(axis.size - 1);
    else
      height += axis.step.y * static_cast<float>(axis.size - 1);
    if (i > 2) (across ? width : height) += 0.5f;
  }
}

/// Lays out units of A, B, C in planes of X and Y; Z arranges the planes. `names` are those of the axes.
void lay_units(std::vector<DrawnAxis>& axes, const std::vector<Axis>& named) {
  float width = 1.9f, height = 1.9f;
  const auto axis = [&](char name) -> DrawnAxis* {
    for (std::size_t i = 0; i < named.size(); ++i)
      if (named[i].name == name) return &axes[i];
    return nullptr;
  };
  if (DrawnAxis* const b = axis('B')) b->step = {1, 0}, b->stub = {0.4f, 0}, width += float(b->size - 1);
  if (DrawnAxis* const a = axis('A')) a->step = {0, 1}, a->whole = true, height += float(a->size - 1);
  if (DrawnAxis* const c = axis('C')) c->step = {0.42f, 0.42f}, c->whole = true;
  if (DrawnAxis* const x = axis('X')) {
    x->step = {width, 0}, x->stub = {0.36f, -0.14f};
    width *= static_cast<float>(x->size);
  }
  if (DrawnAxis* const y = axis('Y')) {
    y->step = {0, height}, y->stub = {-0.14f, 0.3f};
    height *= static_cast<float>(y->size);
  }
  if (DrawnAxis* const z = axis('Z')) {
    z->stub = {0.14f, -0.34f}, z->outer = true;
    tile(*z, width + 0.8f, height + 1.2f);
  }
}

/// Places the points of one dimension on a row, or on a circle if it is long.
Drawing row_or_ring(const DrawnAxis& axis, bool wraps) {
  Drawing drawing;
  const bool ring = axis.size > 2 && (wraps || axis.size > 24);
  drawing.form = ring ? "ring" : "planes";
  const double radius = axis.size / (2 * std::numbers::pi);
  for (std::uint32_t i = 0; i < axis.size; ++i) {
    const double angle = 2 * std::numbers::pi * i / axis.size;
    drawing.points.push_back(ring ? Point{static_cast<float>(radius * std::sin(angle)),
                                          static_cast<float>(-radius * std::cos(angle))}
                                  : Point{static_cast<float>(i), 0});
  }
  if (!ring) drawing.stubs = {Point{0.5f, 0}, Point{-0.5f, 0}};
  return drawing;
}

Point place_of(const std::vector<DrawnAxis>& axes, std::uint32_t number) {
  Point at;
  for (const DrawnAxis& axis : axes) {
    const std::uint32_t value = number % axis.size;
    const std::uint32_t column = axis.columns == 0 ? value : value % axis.columns;
    at.x += axis.step.x * static_cast<float>(column);
    at.y += axis.step.y * static_cast<float>(column);
    if (axis.columns != 0) at.y += axis.row * static_cast<float>(value / axis.columns);
    number /= axis.size;
  }
  return at;
}

/// Adds a frame around the points with the same values of the dimensions that `framed` selects.
template <class Framed>
void frame(Drawing& drawing, const std::vector<DrawnAxis>& axes, const std::vector<Axis>& named, float margin,
           bool labels, Framed framed) {
  constexpr std::size_t kMostFrames = 2'000;
  std::size_t frames = 1;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (framed(i)) frames *= axes[i].size;
  if (frames > kMostFrames || frames == 1) return;
  const std::size_t before = drawing.boxes.size();
  drawing.boxes.resize(before + frames);
  std::vector<bool> seen(frames);
  for (std::uint32_t number = 0; number < drawing.points.size(); ++number) {
    std::uint32_t rest = number;
    std::size_t at = 0, stride = 1;
    std::string label;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const std::uint32_t value = rest % axes[i].size;
      rest /= axes[i].size;
      if (!framed(i)) continue;
      at += value * stride;
      stride *= axes[i].size;
      const std::uint32_t first = value * axes[i].merged;
      const std::uint32_t last = std::min(first + axes[i].merged, named[i].size) - 1;
      label += (label.empty() ? "" : ", ") + std::string(1, named[i].name) + " = " + std::to_string(first) +
               (last == first ? "" : "–" + std::to_string(last));
    }
    Drawing::Box& box = drawing.boxes[before + at];
    const Point point = drawing.points[number];
    const Point low{point.x - margin, point.y - margin}, high{point.x + margin, point.y + margin};
    if (!seen[at]) {
      box = {.from = low, .to = high, .label = labels ? label : "", .round = false};
      seen[at] = true;
      continue;
    }
    box.from = {std::min(box.from.x, low.x), std::min(box.from.y, low.y)};
    box.to = {std::max(box.to.x, high.x), std::max(box.to.y, high.y)};
  }
}

}  // namespace

Drawing draw(const Lattice& lattice, bool units, std::uint32_t most) {
  const std::vector<Axis>& named = lattice.axes();
  std::vector<DrawnAxis> axes;
  for (const Axis& axis : named) axes.push_back({.size = axis.size, .step = {}, .stub = {}});
  merge_axes(axes, named, most);
  const bool merges = std::ranges::any_of(axes, [](const DrawnAxis& axis) { return axis.merged != 1; });
  Drawing drawing;
  if (axes.size() == 1) {
    drawing = row_or_ring(axes[0], named[0].wraps);
  } else {
    units = units && std::ranges::any_of(named, [](const Axis& axis) { return axis.name <= 'C'; });
    units ? lay_units(axes, named) : lay_planes(axes);
    drawing.form = units ? "units" : "planes";
    std::uint32_t points = 1;
    for (const DrawnAxis& axis : axes) points *= axis.size;
    for (std::uint32_t i = 0; i < points; ++i) drawing.points.push_back(place_of(axes, i));
    if (units) frame(drawing, axes, named, 0.45f, false, [&](std::size_t i) { return named[i].name > 'C'; });
    frame(drawing, axes, named, units ? 0.75f : 0.6f, true, [&](std::size_t i) { return axes[i].outer; });
    for (const DrawnAxis& axis : axes) {
      drawing.stubs.push_back(axis.whole ? std::nullopt : std::optional(axis.stub));
      drawing.stubs.push_back(axis.whole ? std::nullopt : std::optional(Point{-axis.stub.x, -axis.stub.y}));
    }
  }
  if (!merges) return drawing;
  drawing.point_of.resize(lattice.routers());
  for (std::uint32_t router = 0; router < lattice.routers(); ++router) {
    std::uint32_t rest = router, point = 0, stride = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      point += rest % named[i].size / axes[i].merged * stride;
      stride *= axes[i].size;
      rest /= named[i].size;
    }
    drawing.point_of[router] = point;
  }
  return drawing;
}

}  // namespace psim::net
