// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/fat_tree.h"

#include <algorithm>

#include "netsim/routing/up_down_tree.h"
#include "netsim/topology/graph_builder.h"
#include "netsim/topology/shape.h"

namespace psim::net {
namespace {

std::string text_of(const std::vector<std::uint32_t>& m, const std::vector<std::uint32_t>& w) {
  return shape_text(m) + ":" + shape_text(w);
}

}  // namespace

FatTree::FatTree(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w)
    : m_(std::move(m)), w_(std::move(w)), nodes_(product(m_, text_of(m_, w_))) {
  const std::string text = text_of(m_, w_);
  std::uint64_t subtrees = nodes_, members = 1, places = 0;
  first_.push_back(0);
  for (std::uint32_t i = 0; i < levels(); ++i) {
    subtrees /= m_[i];
    members *= w_[i];
    places += subtrees * members;
    if (members > kMostNodes || places > kMostNodes) throw shape_error(text, "more than 16777216 switches");
    members_.push_back(static_cast<std::uint32_t>(members));
    first_.push_back(static_cast<std::uint32_t>(places));
  }
}

FatTree::Place FatTree::place(std::uint32_t number) const {
  std::uint32_t level = 1;
  while (number >= first_[level]) ++level;
  const std::uint32_t rest = number - first_[level - 1];
  return {level, rest / members(level), rest % members(level)};
}

Graph FatTree::graph(std::uint32_t node_ports) const {
  std::vector<std::uint32_t> links(places()), nodes(places());
  for (std::uint32_t p = 0; p < places(); ++p) {
    const std::uint32_t level = place(p).level;
    links[p] = parents(level) + (level == 1 ? 0 : children(level));
    nodes[p] = level == 1 ? children(1) : 0;
  }
  GraphBuilder builder(links, nodes, node_ports);
  for (std::uint32_t level = 1; level < levels(); ++level) {
    const std::uint8_t up = builder.kind("up" + std::to_string(level));
    const std::uint8_t down = builder.kind("down" + std::to_string(level));
    const CableClass cable = level == 1   ? CableClass::Usual
                             : level == 2 ? CableClass::Level2
                             : level == 3 ? CableClass::Level3
                                          : CableClass::Level4;
    const std::uint32_t below = level == 1 ? 0 : children(level), m = children(level + 1);
    for (std::uint32_t p = first_[level - 1]; p < first_[level]; ++p) {
      const Place at = place(p);
      for (std::uint32_t i = 0; i < parents(level); ++i) {
        const std::uint32_t member = at.member + members(level) * i;
        const std::uint32_t parent = first_[level] + at.subtree / m * members(level + 1) + member;
        builder.join(p, below + i, up, parent, at.subtree % m, down, cable);
      }
    }
  }
  return builder.take();
}

Network make_fat_tree(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "says no number of nodes");
  const std::size_t colon = shape.find(':');
  std::vector<std::uint32_t> m, w;
  if (shape.empty()) {
    for (const std::uint32_t size : near_cubic(nodes))
      if (size > 1 || m.empty()) m.push_back(size);
  } else {
    m = parse_sizes(shape.substr(0, colon), 1, FatTree::kMostLevels, "4x4x4:1x4x4");
  }
  if (colon != std::string::npos) {
    w = parse_sizes(shape.substr(colon + 1), m.size(), m.size(), "4x4x4:1x4x4");
    if (w[0] != 1)
      throw shape_error(shape, "a node hangs on one switch: 1 after the colon, as in \"4x4x4:1x4x4\"");
  } else {
    w.assign(1, 1);
    w.insert(w.end(), m.begin(), m.end() - 1);
  }
  const FatTree tree(m, w);
  check_nodes(nodes, tree.nodes(), "fat tree", shape);
  Network network;
  network.graph = tree.graph(config.nic.ports);
  const UpDownTree::Up up = routing == "random"     ? UpDownTree::Up::Random
                            : routing == "adaptive" ? UpDownTree::Up::Adaptive
                                                    : UpDownTree::Up::DModK;
  network.routing = std::make_unique<UpDownTree>(tree, config.nic.ports, config.router.virtual_channels, up);
  network.shape = text_of(m, w);
  network.routing_name = routing;
  network.place_name = [tree](std::uint32_t number) {
    const FatTree::Place at = tree.place(number);
    return "(level " + std::to_string(at.level) + ", " + std::to_string(at.subtree) + "." +
           std::to_string(at.member) + ")";
  };
  return network;
}

}  // namespace psim::net
