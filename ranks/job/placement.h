// SPDX-License-Identifier: Apache-2.0
// Allocates nodes to jobs. A node has a number of slots for ranks. It belongs to one job, or to several jobs
// that all share; each of these has the number of slots that it requested.
//
// A cabinet is a part of the network that only cables of class Global connect to other parts (cabinets of a
// lattice, groups of a dragonfly, drawers); without these cables it is the nodes of one router.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

enum class Placement : std::uint8_t {
  Contiguous,  ///< the lowest free nodes
  Random,      ///< free nodes drawn by the seed
  RoundRobin,  ///< the lowest free node of each cabinet in turn
  CabinetWise  ///< wholly free cabinets, the lowest first; the rest of the last one stays free
};

/// A job's request for nodes.
struct Claim {
  std::uint32_t job = 0;
  std::uint32_t slots = 0;  ///< of each node; 0: all, without sharing
};

class Allocation {
 public:
  /// `slots`: of each node, for ranks.
  Allocation(const Graph& graph, std::uint64_t seed, std::uint32_t slots);

  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  static constexpr std::uint32_t kShared = kFree - 1;
  /// Returns the job that has the node, or kFree, or kShared.
  std::uint32_t owner(std::uint32_t node) const { return owners_[node]; }
  /// Returns the number of free slots.
  std::uint32_t left(std::uint32_t node) const { return left_[node]; }
  bool can_give(std::uint32_t node, const Claim& claim) const {
    if (owners_[node] == kFree) return claim.slots <= left_[node];
    return owners_[node] == kShared && claim.slots != 0 && claim.slots <= left_[node];
  }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(owners_.size()); }
  std::uint32_t cabinet(std::uint32_t node) const { return cabinets_[node]; }

  /// Gives this node to the job; can_give() must hold.
  void give(std::uint32_t node, const Claim& claim) {
    owners_[node] = claim.slots == 0 ? claim.job : kShared;
    left_[node] -= claim.slots == 0 ? left_[node] : claim.slots;
  }
  /// Gives `count` nodes to the job and returns them in the order of ranks; empty if there are too few.
  std::vector<std::uint32_t> take(Placement placement, std::uint32_t count, const Claim& claim);

 private:
  void find_cabinets(const Graph& graph);
  std::vector<std::vector<std::uint32_t>> free_by_cabinet(const Claim& claim) const;

  std::uint64_t seed_;
  std::vector<std::uint32_t> owners_, left_, cabinets_;  ///< by node
  std::vector<std::uint32_t> sizes_;                     ///< of cabinets, in nodes
};

}  // namespace psim::net
