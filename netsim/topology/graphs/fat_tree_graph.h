// SPDX-License-Identifier: Apache-2.0
// Extended generalised fat trees (Öhring et al., 1995): XGFT(h; m1 … mh; w1 … wh) with w1 = 1.
//
// A switch of level i has a digit for each m above its level and for each w up to it. Switches are numbered
// level by level; within a level the number is b + (w1 … wi) a for digits b of the w's and a of the m's,
// lowest first. Ports of a switch of level 1: its parents, then its nodes; of the others: its children, then
// its parents. The m children (or w parents) are in the order of their digit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class FatTree {
 public:
  static constexpr std::uint32_t kMostLevels = 8;

  /// A switch of level i + 1 has m[i] children, and each of these w[i] parents. Throws UserError if there are
  /// over kMostNodes switches.
  FatTree(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w);

  struct Switch {
    std::uint32_t level = 1;    ///< 1 … levels()
    std::uint32_t subtree = 0;  ///< a: number among the subtrees of this height
    std::uint32_t member = 0;   ///< b: number among the switches at the top of the subtree
  };
  Switch at(std::uint32_t number) const;
  std::uint32_t levels() const { return static_cast<std::uint32_t>(m_.size()); }
  std::uint32_t switches() const { return first_.back(); }
  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t children(std::uint32_t level) const { return m_[level - 1]; }
  std::uint32_t parents(std::uint32_t level) const { return level == levels() ? 0 : w_[level]; }
  /// Returns the number of switches at the top of each subtree of this height, w1 … wi.
  std::uint32_t members(std::uint32_t level) const { return members_[level - 1]; }
  Graph graph(std::uint32_t node_ports) const;
  /// Returns the shape in the user's notation, "4x4x4:1x4x4".
  std::string shape() const;

 private:
  std::vector<std::uint32_t> m_, w_;
  std::vector<std::uint32_t> first_;    ///< first switch of each level, and the number of switches
  std::vector<std::uint32_t> members_;  ///< of each level
  std::uint32_t nodes_ = 1;
};

}  // namespace psim::net
