// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/express_mesh_graph.h"

#include "netsim/topology/graphs/graph_builder.h"

namespace psim::net {

std::uint32_t ExpressMesh::routers() const {
  std::uint32_t count = 1;
  for (const std::uint32_t size : sizes) count *= size;
  return count;
}

std::string ExpressMesh::name(std::uint32_t router) const {
  std::string text;
  for (const std::uint32_t size : sizes) {
    text += (text.empty() ? "(" : ",") + std::to_string(router % size);
    router /= size;
  }
  return text + ")";
}

Graph ExpressMesh::graph(std::uint32_t node_ports) const {
  constexpr std::string_view kNames = "XYZABC";
  const std::uint32_t count = routers();
  GraphBuilder builder(std::vector(count, link_ports()), std::vector(count, 1u), node_ports);
  std::uint32_t stride = 1, first = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::string name(1, kNames[d]);
    std::uint8_t kinds[4];
    for (std::uint32_t i = 0; i < 4; ++i)
      kinds[i] = builder.kind((i % 2 == 0 ? "+" : "-") + name + (i < 2 ? "" : " express"));
    for (std::uint32_t router = 0; router < count; ++router) {
      const std::uint32_t at = router / stride % sizes[d];
      if (at + 1 < sizes[d]) builder.join(router, first, kinds[0], router + stride, first + 1, kinds[1]);
      if (at % interval == 0 && at + interval < sizes[d])
        builder.join(router, first + 2, kinds[2], router + interval * stride, first + 3, kinds[3]);
    }
    first += 4;
    stride *= sizes[d];
  }
  return builder.take();
}

}  // namespace psim::net
