// SPDX-License-Identifier: Apache-2.0
// The energy of a whole machine of psim cosim: its nodes, from the start of the run to its end, and its
// links. The run ends with the last cycle of a core or the last event of the network. A node whose program
// has ended has static energy until then, and memory and interface may still serve others.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cosim/node_account.h"
#include "energy/link_energy.h"
#include "energy/machine_parts.h"
#include "energy/node_power.h"

namespace psim::cosim {

struct MachineEnergy {
  struct OfNode {
    energy::Breakdown cores;     ///< as of psim run
    energy::MachineParts parts;  ///< until the end of the run
    PlaceEnergy after_end;       ///< of this, after the end of its program
    PlaceEnergy shared;          ///< of this, by ranks that share the node
    std::map<Place, PlaceEnergy> places;
    std::vector<PlaceEnergy> ranks;  ///< of `places`, by rank of the node
    std::uint64_t end = 0;           ///< ps, of its program
    PlaceEnergy all() const;         ///< of places, `shared` and `after_end`
  };
  static constexpr std::size_t kMostSlices = 256;

  /// `nodes` are all nodes of the machine. The links' run is at least as long as those of the nodes.
  MachineEnergy(const std::vector<NodeAccount>& nodes, const energy::NodePower& power,
                const energy::LinkEnergy& links);

  std::uint64_t time;  ///< ps
  energy::MachineParts total;
  energy::Breakdown cores;  ///< of all nodes
  std::vector<OfNode> nodes;
  /// Of equal length but the last; they sum exactly to `total`.
  std::vector<EnergySlice> over_time;

 private:
  void add(const NodeAccount& node, const energy::NodePower& power);
  void add(const energy::LinkEnergy& links);
  void spread(const EnergySlice& slice);
};

}  // namespace psim::cosim
