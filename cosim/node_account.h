// SPDX-License-Identifier: Apache-2.0
// The energy of a node (node_energy.h measures it): by place in the program, by rank, and over time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "energy/machine_parts.h"
#include "energy/model.h"
#include "netsim/parallel/parcel.h"

namespace psim::cosim {

/// The energy of a place in the program.
struct PlaceEnergy {
  energy::MachineParts parts;
  std::uint64_t time = 0;   ///< ps, of all cores
  std::uint64_t sleep = 0;  ///< of this, asleep
  /// Static energy and clock of a core and of what cores share while the core slept; included in `parts`.
  energy::Femtojoules while_asleep = 0;
  PlaceEnergy& operator+=(const PlaceEnergy& other);
};
/// A region's name and an MPI function's; empty: outside of all. The innermost region counts.
using Place = std::pair<std::string, std::string>;

struct EnergySlice {
  std::uint64_t begin = 0, end = 0;  ///< ps
  energy::MachineParts parts;
};
void join_slices(EnergySlice& into, const EnergySlice& next);

/// The energy of a node until its cores have ended.
struct NodeAccount {
  energy::Breakdown cores;       ///< as of psim run, with caches and the path to memory
  energy::MachineParts parts;    ///< everything
  std::uint64_t end = 0;         ///< ps: its last core has ended
  energy::MachineParts late;     ///< of `parts`: work of memory and interface after that
  energy::MachineParts leakage;  ///< of cores and caches, in a cycle
  std::uint64_t period = 1;      ///< ps of a cycle
  std::map<Place, PlaceEnergy> places;
  std::vector<PlaceEnergy> ranks;   ///< of `places`, by rank of the node
  PlaceEnergy shared;               ///< of the node if it has several ranks; in neither of the above
  std::vector<EnergySlice> slices;  ///< of all cores, one core after the other, and of what ranks share

  void write(net::Parcel& parcel) const;
  static NodeAccount read(net::Parcel& parcel);
};

}  // namespace psim::cosim
