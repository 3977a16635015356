// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/up_down_tree.h"

#include <bit>

namespace psim::net {

UpDownTree::UpDownTree(const FatTree& tree, std::uint32_t node_ports, std::uint32_t virtual_channels, Up up)
    : node_ports_(node_ports), vcs_(virtual_channels), sets_(virtual_channels, 1), up_(up) {
  // Both fields fit 32 bits: at most 2^24 nodes and members, and a bit lost at each of 8 levels.
  std::uint32_t shift = 0, up_shift = 0, stride = 1;
  for (std::uint32_t number = 1; number <= tree.levels(); ++number) {
    Level level;
    level.children = tree.children(number);
    level.parents = tree.parents(number);
    level.shift = shift;
    level.mask = (1u << std::bit_width(level.children - 1)) - 1;
    level.up_shift = up_shift;
    level.up_mask = level.parents == 0 ? 0 : (1u << std::bit_width(level.parents - 1)) - 1;
    level.stride = stride;
    level.members = tree.members(number);
    shift += static_cast<std::uint32_t>(std::bit_width(level.children - 1));
    up_shift += static_cast<std::uint32_t>(std::popcount(level.up_mask));
    stride *= level.children;
    levels_.push_back(level);
  }
  std::uint32_t above = 0;
  for (std::size_t i = levels_.size(); i-- > 0;) {
    levels_[i].above = above;
    above |= levels_[i].mask << levels_[i].shift;
  }
  switches_.reserve(tree.switches());
  for (std::uint32_t p = 0; p < tree.switches(); ++p) {
    const FatTree::Switch at = tree.at(p);
    const std::uint32_t node = at.subtree * levels_[at.level - 1].stride * levels_[at.level - 1].children;
    switches_.push_back({address(NodeId{node}), at.level - 1});
  }
}

std::uint32_t UpDownTree::address(NodeId node) const {
  std::uint32_t digits = 0, rest = index(node);
  for (const Level& level : levels_) {
    digits |= rest % level.children << level.shift;
    rest /= level.children;
  }
  return digits;
}

void UpDownTree::inject(Packet& packet, RouterId, std::uint16_t, const LocalLoad&,
                        std::uint64_t random) const {
  packet.via = 0;
  std::uint32_t destination = 0;
  for (const Level& level : levels_)
    destination += (packet.address >> level.shift & level.mask) * level.stride;
  for (const Level& level : levels_) {
    if (level.parents < 2) continue;
    std::uint32_t parent = destination / level.members % level.parents;
    if (up_ == Up::Random) {
      parent = scaled(static_cast<std::uint32_t>(random >> 32), level.parents);
      random = random * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
    }
    packet.via |= parent << level.up_shift;
  }
}

Route UpDownTree::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                        const LocalLoad& load) const {
  const Switch here = switches_[index(router)];
  const Level& level = levels_[here.level];
  const std::uint32_t digit = packet.address >> level.shift & level.mask;
  const bool down = ((packet.address ^ here.above) & level.above) == 0;
  if (down && here.level == 0)
    return {
        static_cast<std::uint16_t>(level.parents + digit * node_ports_ + node_port_of(packet, node_ports_)),
        0};
  const bool injected = here.level == 0 && in_port >= level.parents;
  const std::uint8_t vc = injected ? sets_.choose(flow_bits(packet)) : in_vc;
  if (down) return {static_cast<std::uint16_t>(digit), vc};
  const std::uint32_t first = first_parent(here.level);
  std::uint32_t parent = packet.via >> level.up_shift & level.up_mask;
  if (up_ == Up::Adaptive) {
    // A packet must not wait for a parent that is busy or full while another is idle.
    constexpr std::uint64_t kLater = std::uint64_t{1} << 63;
    std::uint64_t least = ~0ull;
    std::uint32_t each = parent;
    for (std::uint32_t n = 0; n < level.parents; ++n, each = each + 1 == level.parents ? 0 : each + 1) {
      const auto port = static_cast<std::uint16_t>(first + each);
      const bool at_once = load.idle(port) && load.credits(port, vc) >= packet.bytes;
      const std::uint64_t backlog = load.backlog(port) | (at_once ? 0 : kLater);
      if (backlog >= least) continue;
      least = backlog;
      parent = each;
    }
  }
  return {static_cast<std::uint16_t>(first + parent), vc};
}

void UpDownTree::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                              const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t at = switches_[index(router)].level, first = first_parent(at);
  const Level& level = levels_[at];
  const bool injected = at == 0 && in_port >= level.parents;
  const bool from_above = in_port >= first && in_port < first + level.parents;
  for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
    if (!injected && vc != in_vc) continue;
    for (std::uint32_t port = 0; port < first; ++port)
      if (port != in_port) sink({static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc)}, true);
    for (std::uint32_t port = first; port < first + level.parents && !from_above; ++port)
      sink({static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc)}, true);
  }
}

}  // namespace psim::net
