// SPDX-License-Identifier: Apache-2.0
// Which nodes a job gets, and which of them each of its ranks. A node belongs to one job.
//
// A cabinet is what cables of class Global join with others (cabinets of a lattice, groups of a dragonfly,
// drawers); in a network without such cables, the nodes of one router.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/topology/graph.h"

namespace psim::net {

enum class Placement : std::uint8_t {
  Contiguous,  ///< the lowest free nodes
  Random,      ///< free nodes drawn by the seed
  RoundRobin,  ///< the lowest free node of each cabinet in turn
  CabinetWise  ///< cabinets that are wholly free, the lowest first; what is left of the last stays free
};

class Allocation {
 public:
  Allocation(const Graph& graph, std::uint64_t seed);

  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  /// Which job has the node, or kFree.
  std::uint32_t owner(std::uint32_t node) const { return owners_[node]; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(owners_.size()); }
  std::uint32_t cabinet(std::uint32_t node) const { return cabinets_[node]; }

  /// Gives `job` this free node.
  void give(std::uint32_t node, std::uint32_t job) { owners_[node] = job; }
  /// Gives it `count` nodes, in the order in which ranks take them. Empty if there are not so many.
  std::vector<std::uint32_t> take(Placement placement, std::uint32_t count, std::uint32_t job);

 private:
  void find_cabinets(const Graph& graph);
  std::vector<std::vector<std::uint32_t>> free_by_cabinet() const;

  std::uint64_t seed_;
  std::vector<std::uint32_t> owners_, cabinets_;  ///< by node
  std::vector<std::uint32_t> sizes_;              ///< of cabinets, in nodes
};

}  // namespace psim::net
