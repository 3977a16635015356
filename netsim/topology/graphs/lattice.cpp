// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/lattice.h"

#include <bit>

#include "netsim/topology/graphs/graph_builder.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {

Lattice::Lattice(std::vector<LatticeDimension> dimensions) : dimensions_(std::move(dimensions)) {
  std::vector<std::uint32_t> sizes;
  std::uint32_t shift = 0;
  for (const LatticeDimension& dimension : dimensions_) {
    sizes.push_back(dimension.size);
    if (dimension.size == 1) continue;
    const auto bits = static_cast<std::uint32_t>(std::bit_width(dimension.size - 1));
    const bool one_port = dimension.size == 2 && !dimension.wraps;
    Axis axis;
    axis.shift = shift;
    axis.mask = (1u << bits) - 1;
    axis.size = dimension.size;
    axis.plus = static_cast<std::uint8_t>(link_ports_);
    axis.minus = static_cast<std::uint8_t>(link_ports_ + (one_port ? 0 : 1));
    axis.wraps = dimension.wraps;
    axis.name = dimension.name;
    axis.dimension = static_cast<std::uint8_t>(sizes.size() - 1);
    axes_.push_back(axis);
    link_ports_ += one_port ? 1 : 2;
    shift += bits;
  }
  // At most 24 + 6 bits: each dimension of size s takes less than log2(s) + 1 bits.
  routers_ = product(sizes, shape_text(sizes));
}

std::uint32_t Lattice::packed(std::uint32_t router) const {
  std::uint32_t all = 0;
  for (const Axis& axis : axes_) {
    all |= router % axis.size << axis.shift;
    router /= axis.size;
  }
  return all;
}

std::string Lattice::name(std::uint32_t router) const {
  std::string text;
  for (const LatticeDimension& dimension : dimensions_) {
    text += (text.empty() ? "(" : ",") + std::to_string(router % dimension.size);
    router /= dimension.size;
  }
  return text + ")";
}

Graph Lattice::graph(std::uint32_t node_ports, const std::vector<std::uint32_t>& cabinet) const {
  GraphBuilder builder(std::vector(routers_, link_ports_), std::vector(routers_, 1u), node_ports);
  std::uint32_t stride = 1;
  for (const Axis& axis : axes_) {
    const std::uint8_t plus = builder.kind(std::string("+") + axis.name);
    const std::uint8_t minus = builder.kind(std::string("-") + axis.name);
    const std::uint32_t inside = axis.dimension < cabinet.size() ? cabinet[axis.dimension] : axis.size;
    for (std::uint32_t router = 0; router < routers_; ++router) {
      const std::uint32_t at = router / stride % axis.size;
      const bool last = at == axis.size - 1;
      if (last && !axis.wraps) continue;
      const std::uint32_t next = last ? router - stride * (axis.size - 1) : router + stride;
      const std::uint32_t to = last ? 0 : at + 1;
      builder.join(router, axis.plus, plus, next, axis.minus, minus,
                   at / inside == to / inside ? CableClass::Usual : CableClass::Global);
    }
    stride *= axis.size;
  }
  return builder.take();
}

}  // namespace psim::net
