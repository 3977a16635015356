// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/hyperx_graph.h"

#include "netsim/topology/graphs/graph_builder.h"

namespace psim::net {

std::uint32_t HyperX::routers() const {
  std::uint32_t count = 1;
  for (const std::uint32_t size : sizes) count *= size;
  return count;
}

std::uint32_t HyperX::link_ports() const {
  std::uint32_t count = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) count += (sizes[d] - 1) * rails[d];
  return count;
}

std::string HyperX::name(std::uint32_t router) const {
  std::string text;
  for (const std::uint32_t size : sizes) {
    text += (text.empty() ? "(" : ",") + std::to_string(router % size);
    router /= size;
  }
  return text + ")";
}

Graph HyperX::graph(std::uint32_t node_ports) const {
  const std::uint32_t count = routers();
  GraphBuilder builder(std::vector(count, link_ports()), std::vector(count, terminals), node_ports);
  std::uint32_t stride = 1, first = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::uint32_t size = sizes[d];
    if (size == 1) continue;
    constexpr std::string_view kNames = "XYZABC";
    const std::uint8_t kind =
        builder.kind(d < kNames.size() && sizes.size() <= kNames.size() ? std::string(1, kNames[d])
                                                                        : "d" + std::to_string(d));
    for (std::uint32_t router = 0; router < count; ++router) {
      const std::uint32_t at = router / stride % size;
      for (std::uint32_t to = at + 1; to < size; ++to)
        for (std::uint32_t rail = 0; rail < rails[d]; ++rail)
          builder.join(router, first + rail * (size - 1) + to - 1, kind, router + (to - at) * stride,
                       first + rail * (size - 1) + at, kind);
    }
    first += (size - 1) * rails[d];
    stride *= size;
  }
  return builder.take();
}

}  // namespace psim::net
