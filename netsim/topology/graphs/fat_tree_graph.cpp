// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/fat_tree_graph.h"

#include <utility>

#include "netsim/topology/graphs/graph_builder.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {
namespace {

std::string text_of(const std::vector<std::uint32_t>& m, const std::vector<std::uint32_t>& w) {
  return shape_text(m) + ":" + shape_text(w);
}

}  // namespace

FatTree::FatTree(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w)
    : m_(std::move(m)), w_(std::move(w)), nodes_(product(m_, text_of(m_, w_))) {
  const std::string text = text_of(m_, w_);
  std::uint64_t subtrees = nodes_, members = 1, switches = 0;
  first_.push_back(0);
  for (std::uint32_t i = 0; i < levels(); ++i) {
    subtrees /= m_[i];
    members *= w_[i];
    switches += subtrees * members;
    if (members > kMostNodes || switches > kMostNodes) throw shape_error(text, "more than 16777216 switches");
    members_.push_back(static_cast<std::uint32_t>(members));
    first_.push_back(static_cast<std::uint32_t>(switches));
  }
}

std::string FatTree::shape() const { return text_of(m_, w_); }

FatTree::Switch FatTree::at(std::uint32_t number) const {
  std::uint32_t level = 1;
  while (number >= first_[level]) ++level;
  const std::uint32_t rest = number - first_[level - 1];
  return {level, rest / members(level), rest % members(level)};
}

Graph FatTree::graph(std::uint32_t node_ports) const {
  std::vector<std::uint32_t> links(switches()), nodes(switches());
  for (std::uint32_t p = 0; p < switches(); ++p) {
    const std::uint32_t level = at(p).level;
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
      const Switch here = at(p);
      for (std::uint32_t i = 0; i < parents(level); ++i) {
        const std::uint32_t member = here.member + members(level) * i;
        const std::uint32_t parent = first_[level] + here.subtree / m * members(level + 1) + member;
        builder.join(p, below + i, up, parent, here.subtree % m, down, cable);
      }
    }
  }
  return builder.take();
}

}  // namespace psim::net
