// SPDX-License-Identifier: Apache-2.0
// Extended generalised fat trees (Öhring et al., 1995): XGFT(h; m1 … mh; w1 … wh) with w1 = 1.
//
// A switch of level i is named by digits: which of the m's above it, and which of the w's below. Numbers are
// given to the switches of level 1, then of level 2, …; within a level number b + (w1 … wi) a for digits b of
// the w's and a of the m's, lowest first. Ports of a switch of level 1: its parents, then its nodes; of the
// others: its children, then its parents. The m children (or parents) stand in the order of their digit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class FatTree {
 public:
  static constexpr std::uint32_t kMostLevels = 8;

  /// m[i] children under a switch of level i + 1; w[i] parents of what is below it. Throws UserError when
  /// there are over kMostNodes switches in a level.
  FatTree(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w);

  struct Switch {
    std::uint32_t level = 1;    ///< 1 … levels()
    std::uint32_t subtree = 0;  ///< a: which of the subtrees of this height
    std::uint32_t member = 0;   ///< b: which of the switches at the top of it
  };
  Switch at(std::uint32_t number) const;
  std::uint32_t levels() const { return static_cast<std::uint32_t>(m_.size()); }
  std::uint32_t switches() const { return first_.back(); }
  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t children(std::uint32_t level) const { return m_[level - 1]; }
  std::uint32_t parents(std::uint32_t level) const { return level == levels() ? 0 : w_[level]; }
  /// Switches at the top of each subtree of this height, w1 … wi.
  std::uint32_t members(std::uint32_t level) const { return members_[level - 1]; }
  Graph graph(std::uint32_t node_ports) const;
  /// Returns "4x4x4:1x4x4", as the user could have written it.
  std::string shape() const;

 private:
  std::vector<std::uint32_t> m_, w_;
  std::vector<std::uint32_t> first_;    ///< switch of each level, and their number
  std::vector<std::uint32_t> members_;  ///< of each level
  std::uint32_t nodes_ = 1;
};

}  // namespace psim::net
